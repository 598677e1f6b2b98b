#include "cluster/matching.h"
#include "engine/kube/filter.h"

namespace previct::kube {
namespace {

// A cordoned node accepts only pods that tolerate the unschedulable taint.
// Source: plugins/nodeunschedulable.
class NodeUnschedulable final : public Filter {
 public:
  explicit NodeUnschedulable(const Incoming& incoming) : incoming_(incoming) {
    const WellKnown& known = incoming.cluster().known();
    tolerated_ = tolerates(incoming.pod().spec.tolerations,
                           Taint{.key = known.unschedulable_taint, .value = {}, .effect = known.no_schedule}, known);
  }
  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }
  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (tolerated_ || !incoming_.node_infos.restricted(node_)) return Code::success;
    if (!incoming_.cluster().node(node_).spec.unschedulable) return Code::success;
    add_reason(reasons, {Rule::node_unschedulable, operand(node_)});
    return Code::unresolvable;
  }
  [[nodiscard]] auto keep_feasible(IdVector<NodeId, char>& nodes) -> bool override {
    return keep_feasible_alike(nodes, incoming_.node_infos.restricted_alike());
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeUnschedulable>(*this);
  }

 private:
  const Incoming& incoming_;
  bool tolerated_ = false;
  NodeId node_;
};

}  // namespace

const FilterInfo& node_unschedulable_filter =
    FilterInfo{.name = "NodeUnschedulable",
               .make =
                   [](const Incoming& incoming, const FilterSettings&) {
                     return std::unique_ptr<Filter>(std::make_unique<NodeUnschedulable>(incoming));
                   },
               .looks_at = LooksAt::node,
               .events = [](const Release& release) -> EventTable {
                 EventTable table = {{Resource::node, new_nodes(release, action::kNodeTaint)}};
                 if (release.has(Change::queueing_hints) && release.has(Change::node_updates_told_apart))
                   table.push_back({target_pod(release), action::kPodToleration});
                 return table;
               },
               .at_reservation = true};

}  // namespace previct::kube
