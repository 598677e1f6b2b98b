#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// A resource quantity, exact to a nano-unit as in Kubernetes: finer values are rounded away from zero,
/// and values beyond the int64 range are capped at it.
/// Source: k8s.io/apimachinery pkg/api/resource ParseQuantity, v0.35.
class Quantity {
 public:
  constexpr Quantity() = default;
  [[nodiscard]] static constexpr auto of_nanos(__int128 nanos) -> Quantity { return Quantity(nanos); }
  [[nodiscard]] static constexpr auto of(std::int64_t whole) -> Quantity {
    return Quantity(static_cast<__int128>(whole) * kNano);
  }

  /// Parses `100m`, `1.5Gi`, `1e9`, `12E`; none if the text is not a quantity.
  [[nodiscard]] static auto parse(std::string_view text) -> std::optional<Quantity>;

  /// The value in whole units, rounded up.
  [[nodiscard]] auto value() const -> std::int64_t { return scaled(kNano); }
  /// The value in thousandths, rounded up; wraps beyond the int64 range, as upstream does.
  [[nodiscard]] auto milli() const -> std::int64_t { return scaled(kNano / 1000); }

  [[nodiscard]] constexpr auto nanos() const -> __int128 { return nanos_; }
  /// Returns true at the largest possible value; the text may have been larger.
  [[nodiscard]] constexpr auto capped() const -> bool { return nanos_ >= static_cast<__int128>(INT64_MAX) * kNano; }
  constexpr auto operator+=(Quantity other) -> Quantity& {
    nanos_ += other.nanos_;
    return *this;
  }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  static constexpr __int128 kNano = 1'000'000'000;
  explicit constexpr Quantity(__int128 nanos) : nanos_(nanos) {}
  [[nodiscard]] auto scaled(__int128 unit) const -> std::int64_t;

  __int128 nanos_ = 0;
};

}  // namespace previct
