#pragma once

#include <cstdint>
#include <string_view>

namespace previct {

/// Receives the progress of reading an input. Has no influence on answers.
class Progress {
 public:
  virtual ~Progress() = default;

  /// Called when `done` of `total` bytes of the input `name` are read; `total` 0: unknown.
  virtual void at(std::string_view name, std::uint64_t done, std::uint64_t total) = 0;
};

}  // namespace previct
