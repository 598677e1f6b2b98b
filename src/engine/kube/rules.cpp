#include "engine/kube/rules.h"

#include <array>

namespace previct::kube {
namespace {

struct Once {
  Rule rule;
  int until;
  std::string_view upstream;
};
constexpr std::array kOnce = {
#define PREVICT_WORDING_BEFORE(name, until, upstream) Once{Rule::name, until, upstream},
#include "engine/kube/rules.def"
};

struct OfNodes {
  Rule rule;
  std::string_view words;
};
constexpr std::array kOfNodes = {
#define PREVICT_NODES(name, words) OfNodes{Rule::name, words},
#include "engine/kube/rules.def"
};

}  // namespace

auto all_rules() -> const std::vector<RuleInfo>& {
  static const std::vector<RuleInfo> kAll = {
#define PREVICT_RULE(name, id, upstream, words, field, source) RuleInfo{id, upstream, words, field, source},
#include "engine/kube/rules.def"
  };
  return kAll;
}

auto info(Rule rule) -> const RuleInfo& {
  return all_rules()[static_cast<std::size_t>(rule)];
}

auto upstream_words(Rule rule, int minor) -> std::string_view {
  for (const Once& once : kOnce) {
    if (once.rule == rule && minor < once.until) return once.upstream;
  }
  return info(rule).upstream;
}

auto words_of_all_releases(Rule rule) -> std::vector<std::string_view> {
  std::vector<std::string_view> words;
  for (const Once& once : kOnce) {
    if (once.rule == rule && !once.upstream.empty()) words.push_back(once.upstream);
  }
  if (!info(rule).upstream.empty()) words.push_back(info(rule).upstream);
  return words;
}

auto words_of_nodes(Rule rule) -> std::string_view {
  for (const OfNodes& each : kOfNodes) {
    if (each.rule == rule) return each.words;
  }
  return {};
}

}  // namespace previct::kube
