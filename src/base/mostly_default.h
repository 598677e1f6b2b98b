#pragma once

#include <memory>
#include <utility>

namespace previct {

/// A value of which most are the default, for lists with many of them: until it is set, it takes only a pointer.
template <class T>
class MostlyDefault {
 public:
  MostlyDefault() = default;
  MostlyDefault(const MostlyDefault& other) : set_(other.set_ ? std::make_unique<T>(*other.set_) : nullptr) {}
  MostlyDefault(MostlyDefault&&) noexcept = default;
  auto operator=(const MostlyDefault& other) -> MostlyDefault& { return *this = MostlyDefault(other); }
  auto operator=(MostlyDefault&&) noexcept -> MostlyDefault& = default;
  ~MostlyDefault() = default;

  auto operator=(T value) -> MostlyDefault& {
    set_ = std::make_unique<T>(std::move(value));
    return *this;
  }

  [[nodiscard]] auto operator*() const -> const T& { return set_ ? *set_ : unset(); }
  [[nodiscard]] auto operator->() const -> const T* { return &**this; }

 private:
  [[nodiscard]] static auto unset() -> const T& {
    static const T kDefault{};
    return kDefault;
  }

  std::unique_ptr<T> set_;
};

}  // namespace previct
