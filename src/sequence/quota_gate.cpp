#include "sequence/quota_gate.h"

#include "overlay/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace previct::sequence {

auto QuotaGate::refuses(const Pod& made, const Controllers::Creation& creation) -> std::string {
  const std::string why = quota_refusal(made, quotas_, cluster_);
  if (why.empty()) return {};
  refused_.push_back(creation);
  return fmt::format("{} cannot create a pod to replace it: {}", describe_owner(cluster_, owner_of(cluster_, made)),
                     why);
}

void QuotaGate::comes(PodId pod) {
  count_in_quotas(cluster_.pod(pod), true, quotas_, cluster_);
}

auto QuotaGate::goes(PodId pod) -> std::vector<Controllers::Creation> {
  if (quotas_.empty()) return {};
  count_in_quotas(cluster_.pod(pod), false, quotas_, cluster_);
  const Symbol ns = cluster_.pod(pod).meta.ns;
  const auto again = std::stable_partition(refused_.begin(), refused_.end(),
                                           [&](const auto& each) { return cluster_.pod(each.like).meta.ns != ns; });
  std::vector<Controllers::Creation> tried(again, refused_.end());
  refused_.erase(again, refused_.end());
  return tried;
}

}  // namespace previct::sequence
