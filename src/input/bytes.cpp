#include "input/bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct {
namespace {

auto system_message(int error) -> std::string {
  std::string text = std::generic_category().message(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + ('a' - 'A'));
  return text;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  auto operator=(const Descriptor&) -> Descriptor& = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  [[nodiscard]] auto number() const -> int { return number_; }

 private:
  int number_;
};

auto read_all(int descriptor, std::size_t expected, std::size_t limit, FileId file) -> Result<std::string> {
  constexpr std::size_t kStep = std::size_t{1} << 16U;
  std::string text;
  text.resize(expected + 1);  // one more: the end is seen without growing
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) text.resize(text.size() + std::max(kStep, text.size() / 2));
    const ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(fmt::format("cannot read: {}", system_message(errno)), {file});
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > limit) {
      return fail(fmt::format("more than the limit of {} bytes", limit), {file}, "raise the limit with --max-input");
    }
  }
  text.resize(size);
  return text;
}

auto read_path(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<std::string> {
  constexpr std::uint64_t kLargest = std::uint64_t{4} << 30U;
  const auto limit = static_cast<std::size_t>(max_bytes == 0 ? kLargest : max_bytes);
  if (path == "-") return read_all(STDIN_FILENO, 0, limit, file);
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (descriptor.number() < 0) return fail(system_message(errno), {file});
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0) return fail(system_message(errno), {file});
  if (S_ISDIR(status.st_mode)) return fail("is a directory", {file});
  const auto size = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (size > limit) {
    return fail(fmt::format("more than the limit of {} bytes", limit), {file}, "raise the limit with --max-input");
  }
  return read_all(descriptor.number(), static_cast<std::size_t>(size), limit, file);
}

}  // namespace

auto read_input(const std::string& path, FileId file, std::uint64_t max_bytes)
    -> Result<std::vector<Member>> {
  PREVICT_TRY(std::string text, read_path(path, file, max_bytes));
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.erase(0, 3);
  std::vector<Member> members;
  members.push_back({{}, std::move(text)});
  return members;
}

}  // namespace previct
