#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace previct {

/// A cache of values that are computed from their owner on first use, at most one of each type. Not thread-safe.
class Derived {
 public:
  /// Returns the cached `T`; on first use, constructs it from `owner`. Each call must pass the same owner.
  template <class T, class Owner>
  [[nodiscard]] auto of(const Owner& owner) -> T& {
    std::shared_ptr<void>& slot = made_[std::type_index(typeid(T))];
    if (!slot) slot = std::make_shared<T>(owner);
    return *static_cast<T*>(slot.get());
  }

  /// Drops the cached `T`, so that the next use computes it again.
  template <class T>
  void forget() {
    made_.erase(std::type_index(typeid(T)));
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> made_;
};

}  // namespace previct
