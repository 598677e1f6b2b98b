#include "engine/yunikorn/rules.h"

#include <algorithm>
#include <array>

namespace previct::yunikorn {
namespace {

struct RuleText {
  std::string_view id;
  std::string_view words;
};

constexpr std::array kRules = {
#define PREVICT_RULE(name, id, words, source) RuleText{id, words},
#include "engine/yunikorn/rules.def"
#undef PREVICT_RULE
};

}  // namespace

auto rule_id(Rule rule) -> std::string_view {
  return kRules[static_cast<std::size_t>(rule)].id;
}
auto rule_words(Rule rule) -> std::string_view {
  return kRules[static_cast<std::size_t>(rule)].words;
}

auto rule_of(std::string_view id) -> Rule {
  const auto found = std::find_if(kRules.begin(), kRules.end(), [&](const RuleText& rule) { return rule.id == id; });
  return static_cast<Rule>(found - kRules.begin());
}

}  // namespace previct::yunikorn
