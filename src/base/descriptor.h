#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace previct {

/// The descriptors with which every program starts.
inline constexpr int kStandardInput = 0;
inline constexpr int kStandardOutput = 1;
inline constexpr int kStandardError = 2;

/// An open file or pipe, which the destructor closes. Standard input stays open. src/system opens, reads and closes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  /// Opens the file at `path` for reading, whatever it is. None, with errno, if it cannot be opened.
  [[nodiscard]] static auto open(const std::string& path) -> Descriptor;
  Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  auto operator=(Descriptor&& from) noexcept -> Descriptor& {
    std::swap(number_, from.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  void reset();
  /// The file descriptor; -1: none.
  [[nodiscard]] auto number() const -> int { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  /// Fills a part of `into`, from byte `offset` of the file or, without one, from the current position. Returns the
  /// number of bytes; 0 at the end of the file; negative on failure, with the reason in errno.
  [[nodiscard]] auto read(std::span<char> into, std::optional<std::uint64_t> offset = {}) const -> std::ptrdiff_t;

 private:
  int number_ = -1;
};

/// Opens the file at `path` (`-`: standard input) and records it as an input (files_read.h). Returns none, with errno,
/// if it cannot be opened. For a named pipe, the call blocks until the pipe has a writer.
[[nodiscard]] auto open_to_read(const std::string& path) -> Descriptor;
/// As open_to_read(), but only for a regular file. Nothing else is even opened: opening a named pipe would make its
/// writer believe that it has a reader, and the writer would end when the pipe is closed.
[[nodiscard]] auto open_regular(const std::string& path) -> Descriptor;
/// As open_regular(), but does not record the file as an input: for inspecting a file that may turn out not to be one.
[[nodiscard]] auto open_to_inspect(const std::string& path) -> Descriptor;

}  // namespace previct
