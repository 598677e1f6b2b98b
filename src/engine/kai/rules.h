#pragma once

#include <cstdint>
#include <string_view>

namespace previct::kai {

/// The reasons of this engine; every verdict refers to one of them. The wording is in rules.def only.
enum class Rule : std::uint8_t {
#define PREVICT_KAI_RULE(name, id, sentence, source) name,
#include "engine/kai/rules.def"
};

constexpr std::size_t kRules = 0
#define PREVICT_KAI_RULE(name, id, sentence, source) +1
#include "engine/kai/rules.def"
    ;

/// Stable, for example "kai.no-candidate.min-runtime".
[[nodiscard]] auto rule_id(Rule rule) -> std::string_view;
[[nodiscard]] auto rule_sentence(Rule rule) -> std::string_view;

/// Returns what the rule says about several groups, as text that follows their number: `are non-preemptible`.
[[nodiscard]] auto words_of_groups(Rule rule) -> std::string_view;

/// Returns the rule with the given id, which must be a result of rule_id().
[[nodiscard]] auto rule_of(std::string_view id) -> Rule;

}  // namespace previct::kai
