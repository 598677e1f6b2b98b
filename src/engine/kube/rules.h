#pragma once

#include "base/id.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace previct::kube {

/// Every reason that this engine can give; rules.def has one line for each.
enum class Rule : std::uint8_t {
#define PREVICT_RULE(name, id, upstream, words, field, source) name,
#include "engine/kube/rules.def"
};

/// The line of a rule in rules.def.
struct RuleInfo {
  std::string_view id;        ///< stable: part of the JSON
  std::string_view upstream;  ///< the scheduler's message, with operands
  std::string_view words;     ///< previct's wording
  std::string_view field;     ///< path of the field that it is based on
  std::string_view source;    ///< where upstream implements it
};
[[nodiscard]] auto info(Rule rule) -> const RuleInfo&;
/// Returns the scheduler's message in minor release 1.`minor`.
[[nodiscard]] auto upstream_words(Rule rule, int minor) -> std::string_view;
/// Returns its non-empty messages in all releases, the oldest first.
[[nodiscard]] auto words_of_all_releases(Rule rule) -> std::vector<std::string_view>;
/// Returns the wording of the rule about nodes, which follows their names or their number; empty if rules.def has none.
[[nodiscard]] auto words_of_nodes(Rule rule) -> std::string_view;
/// Returns true if the rule says whether a pod tolerates the preemption.
[[nodiscard]] constexpr auto is_tolerance(Rule rule) -> bool {
  return rule >= Rule::tolerance_no_class && rule <= Rule::tolerance_none;
}
/// Returns true if the rule says that the pod tolerated the preemption until now.
[[nodiscard]] constexpr auto is_ended_tolerance(Rule rule) -> bool {
  return rule == Rule::tolerance_ended || rule == Rule::tolerance_ends_now;
}
[[nodiscard]] auto all_rules() -> const std::vector<RuleInfo>&;

/// A rule with the operands of its sentence, as integers; tell/kube makes the words.
struct Reason {
  Rule rule;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  std::int64_t d = 0;

  friend auto operator==(const Reason&, const Reason&) -> bool = default;
};

/// Operands of type symbol, pod and node are indices.
template <class IdType>
[[nodiscard]] constexpr auto operand(IdType id) -> std::int64_t {
  return id.index;
}

}  // namespace previct::kube
