#include "cluster/matching.h"
#include "engine/kube/filter.h"

namespace previct::kube {
namespace {

// The first NoSchedule or NoExecute taint that is not tolerated rejects the pod; evictions do not change that.
// Source: plugins/tainttoleration.
class TaintTolerationFilter final : public Filter {
 public:
  explicit TaintTolerationFilter(const Incoming& incoming) : incoming_(incoming) {}
  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }
  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (!incoming_.node_infos.restricted(node_)) return Code::success;
    const Snapshot& cluster = incoming_.cluster();
    const Taint* taint = first_untolerated_taint(incoming_.pod().spec, cluster.node(node_), cluster.known(),
                                                 incoming_.node_infos.numbers_in_tolerations());
    if (taint == nullptr) return Code::success;
    add_reason(reasons, {Rule::untolerated_taint, operand(taint->key), operand(taint->value), operand(taint->effect)});
    return Code::unresolvable;
  }
  [[nodiscard]] auto keep_feasible(IdVector<NodeId, char>& nodes) -> bool override {
    return keep_feasible_alike(nodes, incoming_.node_infos.restricted_alike());
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<TaintTolerationFilter>(*this);
  }

 private:
  const Incoming& incoming_;
  NodeId node_;
};

}  // namespace

const FilterInfo& taint_toleration_filter =
    FilterInfo{.name = "TaintToleration",
               .make =
                   [](const Incoming& incoming, const FilterSettings&) {
                     return std::unique_ptr<Filter>(std::make_unique<TaintTolerationFilter>(incoming));
                   },
               .looks_at = LooksAt::node,
               .events = [](const Release& release) -> EventTable {
                 EventTable table = {{Resource::node, new_nodes(release, action::kNodeTaint)}};
                 if (release.has(Change::queueing_hints))
                   table.push_back({target_pod(release), action::kPodToleration});
                 return table;
               },
               .at_reservation = true};

}  // namespace previct::kube
