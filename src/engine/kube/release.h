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

/// A feature gate of kube-scheduler that has to do with decisions, and which releases have it (1.NN as NN; 0: none).
struct Gate {
  enum class Effect : std::uint8_t {
    decides,  ///< rules hang on it
    beside,   ///< it changes nothing of a decision
    open      ///< what it changes is not modelled
  };

  std::string_view name;
  int known = 0;   ///< the first that knows it
  int on = 0;      ///< the first that has it on by default
  int locked = 0;  ///< the first that has it on for good
  int gone = 0;    ///< the first that no longer knows it
  Effect effect = Effect::open;
};
/// By name.
[[nodiscard]] auto gates() -> std::span<const Gate>;
/// Null if none is called so.
[[nodiscard]] auto find_gate(std::string_view name) -> const Gate*;

/// A release of kube-scheduler with its feature gates: which of the rules that changed it has.
class Release {
 public:
  /// The one that is assumed.
  Release();
  /// A minor release with its default gates. The rules are those of the nearest that is known.
  explicit Release(int minor);

  [[nodiscard]] auto has(Change change) const -> bool;
  [[nodiscard]] auto is_on(const Gate& gate) const -> bool;
  /// As --feature-gates sets it: no rules for what this release would refuse.
  void set(const Gate& gate, bool on);
  /// A gate that is on, and another that it needs, which is off.
  struct Unmet {
    const Gate* gate = nullptr;
    const Gate* needs = nullptr;
  };
  /// By which the scheduler would not start.
  [[nodiscard]] auto unmet() const -> std::optional<Unmet>;

  /// Do both decide by the same rules, whatever happens afterwards? Those that choose devices matter only for some
  /// pods.
  [[nodiscard]] auto decides_like(const Release& other, bool with_devices) const -> bool;

  /// Of the rules that are applied: 1.33 as 33.
  [[nodiscard]] auto minor() const -> int { return minor_; }
  /// Of the scheduler that is meant, which may be older or newer than any that is known.
  [[nodiscard]] auto meant() const -> int { return meant_; }
  /// `1.33`, of the rules.
  [[nodiscard]] auto name() const -> std::string;
  /// Were its answers compared with those of the scheduler itself? Else its rules are from upstream's text.
  [[nodiscard]] auto measured() const -> bool;

  friend auto operator<=>(const Release&, const Release&) = default;

 private:
  int minor_;
  int meant_;
  std::uint64_t gates_ = 0;  // those that are on, by their place in gates()
};

/// The oldest and the newest minor release that is known, and the one that is assumed of an input that does not tell.
[[nodiscard]] auto oldest_minor() -> int;
[[nodiscard]] auto newest_minor() -> int;
[[nodiscard]] auto assumed_minor() -> int;

/// `1.33`
[[nodiscard]] auto release_name(int minor) -> std::string;

/// The minor release of `1.33`, `v1.33.4`, `v1.31.7-eks-473151a`, `1.37.0-rc.1`; none if it is no version 1.
[[nodiscard]] auto minor_of(std::string_view version) -> std::optional<int>;

}  // namespace previct::kube
