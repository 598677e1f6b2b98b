#include "input/digest.h"

#include <nettle/sha2.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace previct {
namespace {

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void update(std::string_view bytes) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes.
    sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }

  [[nodiscard]] auto hex() -> std::string {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context_, digest.size(), digest.data());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  sha256_ctx context_{};
};

}  // namespace

auto sha256_of(std::string_view bytes) -> std::string {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

auto digest_of_file(const std::string& path) -> std::optional<FileDigest> {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::string piece(kPiece, '\0');
  FileDigest digest;
  Sha256 hash;
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    hash.update(std::string_view(piece).substr(0, count));
    digest.bytes += count;
  }
  if (stream.bad()) return std::nullopt;
  digest.sha256 = hash.hex();
  return digest;
}

}  // namespace previct
