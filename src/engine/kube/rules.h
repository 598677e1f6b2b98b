#pragma once

#include "base/id.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace previct::kube {

/// Every reason this engine can give; rules.def has one line for each.
enum class Rule : std::uint8_t {
#define PREVICT_RULE(name, id, upstream, words, field, source) name,
#include "engine/kube/rules.def"
};

/// What rules.def says of a rule.
struct RuleInfo {
  std::string_view id;        ///< stable: part of the JSON
  std::string_view upstream;  ///< the scheduler's own words, with operands
  std::string_view words;     ///< ours
  std::string_view field;     ///< path of the field it rests on
  std::string_view source;    ///< where upstream has it
};
[[nodiscard]] auto info(Rule rule) -> const RuleInfo&;
/// The scheduler's own words, as the minor release 1.`minor` has them.
[[nodiscard]] auto upstream_words(Rule rule, int minor) -> std::string_view;
/// Its words in all releases, the oldest first; none is empty.
[[nodiscard]] auto words_of_all_releases(Rule rule) -> std::vector<std::string_view>;
/// What the rule says of nodes, behind their names or their number; empty if rules.def has no such words.
[[nodiscard]] auto words_of_nodes(Rule rule) -> std::string_view;
/// Does it say whether a pod tolerates the preemption?
[[nodiscard]] constexpr auto is_tolerance(Rule rule) -> bool {
  return rule >= Rule::tolerance_no_class && rule <= Rule::tolerance_none;
}
/// Does it say that the pod tolerated the preemption until now?
[[nodiscard]] constexpr auto is_ended_tolerance(Rule rule) -> bool {
  return rule == Rule::tolerance_ended || rule == Rule::tolerance_ends_now;
}
[[nodiscard]] auto all_rules() -> const std::vector<RuleInfo>&;

/// A rule with the operands of its sentence: integers now, words later (words.h).
struct Reason {
  Rule rule;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  std::int64_t d = 0;

  friend auto operator==(const Reason&, const Reason&) -> bool = default;
};

/// Operands of the kinds symbol, pod and node are indices.
template <class IdType>
[[nodiscard]] constexpr auto operand(IdType id) -> std::int64_t {
  return id.index;
}

}  // namespace previct::kube
