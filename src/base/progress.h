#pragma once

#include <cstdint>
#include <string_view>

namespace previct {

/// Is told how far the reading of an input is. Never a part of what is answered.
class Progress {
 public:
  virtual ~Progress() = default;

  /// `done` of `total` bytes of the input called `name`; total 0: not known beforehand.
  virtual void at(std::string_view name, std::uint64_t done, std::uint64_t total) = 0;
};

}  // namespace previct
