#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace previct {

/// What is made from an owner as a whole on first use and kept with it, one of each type. Not for several threads at
/// once.
class Derived {
 public:
  /// `T` is made from the owner, which is the same each time.
  template <class T, class Owner>
  [[nodiscard]] auto of(const Owner& owner) -> T& {
    std::shared_ptr<void>& slot = made_[std::type_index(typeid(T))];
    if (!slot) slot = std::make_shared<T>(owner);
    return *static_cast<T*>(slot.get());
  }

  /// The next use makes it again.
  template <class T>
  void forget() {
    made_.erase(std::type_index(typeid(T)));
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> made_;
};

}  // namespace previct
