#include "input/digest.h"

#include "base/descriptor.h"

#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include <array>
#include <span>

namespace previct {
namespace {

auto octets(std::string_view bytes) -> const std::uint8_t* {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes.
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

auto hex_of(std::span<const std::uint8_t> digest) -> std::string {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void update(std::string_view bytes) { sha256_update(&context_, bytes.size(), octets(bytes)); }

  [[nodiscard]] auto hex() -> std::string {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context_, digest.size(), digest.data());
    return hex_of(digest);
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

auto sha1_of(std::string_view bytes) -> std::string {
  sha1_ctx context{};
  sha1_init(&context);
  sha1_update(&context, bytes.size(), octets(bytes));
  std::array<std::uint8_t, SHA1_DIGEST_SIZE> digest{};
  sha1_digest(&context, digest.size(), digest.data());
  return hex_of(digest);
}

auto digest_of_file(const std::string& path) -> std::optional<FileDigest> {
  const Descriptor file = open_regular(path);
  if (!file) return std::nullopt;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::string piece(kPiece, '\0');
  FileDigest digest;
  Sha256 hash;
  std::ptrdiff_t count = 0;
  while ((count = file.read(piece)) > 0) {
    const auto read = static_cast<std::size_t>(count);
    hash.update(std::string_view(piece).substr(0, read));
    digest.bytes += read;
  }
  if (count < 0) return std::nullopt;
  digest.sha256 = hash.hex();
  return digest;
}

}  // namespace previct
