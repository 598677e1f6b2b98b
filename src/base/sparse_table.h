#pragma once

#include <cstdint>
#include <unordered_map>

namespace previct {

/// Values by id, of which most are the default and take no memory. References stay valid.
template <class IdType, class T>
class SparseTable {
 public:
  /// Returns the value of any id; it takes memory from now on.
  [[nodiscard]] auto operator[](IdType id) -> T& { return values_[id.index]; }
  [[nodiscard]] auto operator[](IdType id) const -> const T& {
    static const T kDefault{};
    const auto found = values_.find(id.index);
    return found == values_.end() ? kDefault : found->second;
  }

 private:
  std::unordered_map<std::uint32_t, T> values_;
};

}  // namespace previct
