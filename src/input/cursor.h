#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "input/events.h"

namespace previct {

/// A scalar as a cursor shows it.
struct Scalar {
  ScalarType type = ScalarType::null;
  std::string_view text;  ///< as Event::text
  bool scalar = true;     ///< false: it is a list or a map
};

/// Why a cursor in the bytes of a dump stands still.
enum class Stop : std::uint8_t {
  no,
  more,    ///< the text ends here, but not the input
  unknown  ///< something that only the general path is trusted to read
};

/// The keys of the maps that are open, to notice one that stands twice.
class OpenKeys {
 public:
  class Map {
   public:
    explicit Map(OpenKeys& open) : open_(open), begin_(open.keys_.size()) {}
    Map(const Map&) = delete;
    auto operator=(const Map&) -> Map& = delete;
    ~Map() { open_.keys_.resize(begin_); }

    /// False if `key` was added before. Most keys are told apart by one bit of their length and ends.
    [[nodiscard]] auto add(std::string_view key) -> bool {
      const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(key[i])); };
      const unsigned hash =
          key.empty() ? 0 : at(0) * 5 + at(key.size() / 2) * 11 + at(key.size() - 1) + static_cast<unsigned>(key.size()) * 7;
      const std::uint64_t bit = std::uint64_t{1} << (hash & 63U);
      if ((seen_ & bit) != 0 && contains(key)) return false;
      seen_ |= bit;
      open_.keys_.push_back(key);
      return true;
    }
    [[nodiscard]] auto size() const -> std::size_t { return open_.keys_.size() - begin_; }

   private:
    [[nodiscard]] auto contains(std::string_view key) const -> bool {
      for (std::size_t i = begin_; i < open_.keys_.size(); ++i) {
        if (open_.keys_[i] == key) return true;
      }
      return false;
    }

    OpenKeys& open_;
    std::size_t begin_;
    std::uint64_t seen_ = 0;
  };

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace previct
