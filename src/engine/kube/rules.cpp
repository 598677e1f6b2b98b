#include "engine/kube/rules.h"

namespace previct::kube {

auto all_rules() -> const std::vector<RuleInfo>& {
  static const std::vector<RuleInfo> kAll = {
#define PREVICT_RULE(name, id, upstream, words, field, source) RuleInfo{id, upstream, words, field, source},
#include "engine/kube/rules.def"
#undef PREVICT_RULE
  };
  return kAll;
}

auto info(Rule rule) -> const RuleInfo& {
  return all_rules()[static_cast<std::size_t>(rule)];
}

}  // namespace previct::kube
