#include "engine/kai/rules.h"

#include <algorithm>
#include <array>

namespace previct::kai {
namespace {

struct Words {
  std::string_view id;
  std::string_view sentence;
  std::string_view source;
};

constexpr std::array kWords = {
#define PREVICT_KAI_RULE(name, id, sentence, source) Words{id, sentence, source},
#include "engine/kai/rules.def"
};

struct OfGroups {
  Rule rule;
  std::string_view words;
};

constexpr std::array kOfGroups = {
#define PREVICT_KAI_GROUPS(name, words) OfGroups{Rule::name, words},
#include "engine/kai/rules.def"
};

auto words(Rule rule) -> const Words& {
  return kWords[static_cast<std::size_t>(rule)];
}

}  // namespace

auto rule_id(Rule rule) -> std::string_view {
  return words(rule).id;
}
auto rule_sentence(Rule rule) -> std::string_view {
  return words(rule).sentence;
}

auto words_of_groups(Rule rule) -> std::string_view {
  for (const OfGroups& each : kOfGroups) {
    if (each.rule == rule) return each.words;
  }
  return rule_sentence(rule);
}

auto rule_of(std::string_view id) -> Rule {
  const auto found = std::find_if(kWords.begin(), kWords.end(), [&](const Words& each) { return each.id == id; });
  return static_cast<Rule>(found - kWords.begin());
}

}  // namespace previct::kai
