#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sys/types.h>

namespace previct {

/// An open file or pipe, closed with this. Standard input stays open.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  auto operator=(Descriptor&& from) noexcept -> Descriptor& {
    std::swap(number_, from.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  void reset();
  /// -1: none.
  [[nodiscard]] auto number() const -> int { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  /// Fills a part of `into`, from byte `offset` of the file on or from where it stands; 0 at its end. Negative: errno
  /// says why.
  [[nodiscard]] auto read(std::span<char> into, std::optional<std::uint64_t> offset = {}) const -> ssize_t;

 private:
  int number_ = -1;
};

/// The file at `path` (`-`: standard input); none, with errno, if it cannot be opened. A pipe is waited for until it
/// has a writer. From now on it counts as an input (files_read.h).
[[nodiscard]] auto open_to_read(const std::string& path) -> Descriptor;
/// The same for a regular file. Anything else is not even opened: the writer of a named pipe would take that for its
/// reader, and end when it is closed.
[[nodiscard]] auto open_regular(const std::string& path) -> Descriptor;
/// The same for a look at a file that may turn out to be no input.
[[nodiscard]] auto open_to_look(const std::string& path) -> Descriptor;

}  // namespace previct
