#pragma once

#include <cstdint>
#include <string_view>

namespace previct::kai {

/// Every verdict of this engine is made of one of these; words stand in rules.def only.
enum class Rule : std::uint8_t {
#define PREVICT_KAI_RULE(name, id, sentence, source) name,
#include "engine/kai/rules.def"
};

/// Stable, e.g. "kai.no-candidate.min-runtime".
[[nodiscard]] auto rule_id(Rule rule) -> std::string_view;
[[nodiscard]] auto rule_sentence(Rule rule) -> std::string_view;

/// What the rule says of several groups, behind their number: `are non-preemptible`.
[[nodiscard]] auto words_of_groups(Rule rule) -> std::string_view;

/// The rule with an id that rule_id() gave.
[[nodiscard]] auto rule_of(std::string_view id) -> Rule;

}  // namespace previct::kai
