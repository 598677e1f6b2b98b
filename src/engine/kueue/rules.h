#pragma once

#include <string_view>

namespace previct::kueue {

enum class Rule : unsigned char {
#define PREVICT_KUEUE_RULE(name, id, words, source) name,
#include "engine/kueue/rules.def"
#undef PREVICT_KUEUE_RULE
};

/// `kueue.admitted`
[[nodiscard]] auto rule_id(Rule rule) -> std::string_view;
[[nodiscard]] auto rule_words(Rule rule) -> std::string_view;

}  // namespace previct::kueue
