#pragma once

#include <cstdint>
#include <string_view>

namespace previct::yunikorn {

/// The rules that a decision refers to; their ids, wording and sources are in rules.def.
enum class Rule : std::uint8_t {
#define PREVICT_RULE(name, id, words, source) name,
#include "engine/yunikorn/rules.def"
#undef PREVICT_RULE
};

[[nodiscard]] auto rule_id(Rule rule) -> std::string_view;
[[nodiscard]] auto rule_words(Rule rule) -> std::string_view;

/// Returns the rule with the given id, which must be a result of rule_id().
[[nodiscard]] auto rule_of(std::string_view id) -> Rule;

}  // namespace previct::yunikorn
