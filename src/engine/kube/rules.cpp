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
#define PREVICT_ONCE(name, until, upstream) Once{Rule::name, until, upstream},
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

}  // namespace previct::kube
