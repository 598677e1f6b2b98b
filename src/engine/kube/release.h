#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace previct::kube {

/// A rule that not every release has, or that a feature gate turns on; releases.def has one line for each.
enum class Change : std::uint8_t {
#define PREVICT_CHANGE(name, since, until, source) name,
#define PREVICT_GATED(name, gate, source) name,
#include "engine/kube/releases.def"
};

/// A feature gate of kube-scheduler that may affect decisions, with the releases that have it (1.NN as NN; 0: none).
struct Gate {
  enum class Effect : std::uint8_t {
    decides,  ///< rules depend on it
    beside,   ///< it does not affect decisions
    open      ///< its effect is not modeled
  };

  std::string_view name;
  int known = 0;   ///< first release that knows it
  int on = 0;      ///< first release that has it on by default
  int locked = 0;  ///< first release that locks it to on
  int gone = 0;    ///< first release that no longer knows it
  Effect effect = Effect::open;
};
/// Returns all gates, by name.
[[nodiscard]] auto gates() -> std::span<const Gate>;
/// Returns null if there is no gate of that name.
[[nodiscard]] auto find_gate(std::string_view name) -> const Gate*;

/// A release of kube-scheduler with its feature gates. It says which of the changed rules apply.
class Release {
 public:
  /// The release that is assumed by default.
  Release();
  /// A minor release with its default gates. The rules are those of the nearest known release.
  explicit Release(int minor);

  [[nodiscard]] auto has(Change change) const -> bool;
  [[nodiscard]] auto is_on(const Gate& gate) const -> bool;
  /// Sets a gate as --feature-gates does, without checking whether this release would refuse it.
  void set(const Gate& gate, bool on);
  /// A gate that is on, and a required gate that is off.
  struct Unmet {
    const Gate* gate = nullptr;
    const Gate* needs = nullptr;
  };
  /// Returns an unmet dependency of gates, which would prevent the scheduler from starting.
  [[nodiscard]] auto unmet() const -> std::optional<Unmet>;

  /// Returns true if both releases decide by the same rules, ignoring what happens after the decision. The rules about
  /// devices matter only for some pods.
  [[nodiscard]] auto decides_like(const Release& other, bool with_devices) const -> bool;

  /// The minor release whose rules are applied: 1.33 as 33.
  [[nodiscard]] auto minor() const -> int { return minor_; }
  /// The minor release that was asked for, which may be older or newer than any known release.
  [[nodiscard]] auto meant() const -> int { return meant_; }
  /// `1.33`, for the applied rules.
  [[nodiscard]] auto name() const -> std::string;
  /// Returns true if its answers were compared with those of the scheduler; otherwise its rules are taken from
  /// upstream's source only.
  [[nodiscard]] auto measured() const -> bool;

  friend auto operator<=>(const Release&, const Release&) = default;

 private:
  int minor_;
  int meant_;
  std::uint64_t gates_ = 0;  // the gates that are on, by their index in gates()
};

/// The oldest and the newest known minor release, and the one that is assumed if the input does not show the release.
[[nodiscard]] auto oldest_minor() -> int;
[[nodiscard]] auto newest_minor() -> int;
[[nodiscard]] auto assumed_minor() -> int;

/// Returns `1.33` for 33.
[[nodiscard]] auto release_name(int minor) -> std::string;

/// Returns the minor release of `1.33`, `v1.33.4`, `v1.31.7-eks-473151a`, `1.37.0-rc.1`; nothing if the major version
/// is not 1.
[[nodiscard]] auto minor_of(std::string_view version) -> std::optional<int>;

}  // namespace previct::kube
