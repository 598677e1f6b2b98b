#include "engine/kube/declared_features.h"
#include "engine/kube/filter.h"

#include <algorithm>

namespace previct::kube {
namespace {

// The kubelet must have declared the features that the pod needs; evicting pods does not change that. While the gate is
// off, the plugin does nothing.
// Source: plugins/nodedeclaredfeatures, v1.36.3.
class NodeDeclaredFeatures final : public Filter {
 public:
  explicit NodeDeclaredFeatures(const Incoming& incoming) : incoming_(incoming) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const Release& release = incoming_.node_infos.release();
    if (release.has(Change::declared_features))
      needed_ = features_needed(incoming_.cluster(), incoming_.pod().spec, release);
    return {.skip = needed_.empty(), .rejection = {}, .only_nodes = {}};
  }
  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    const Snapshot& cluster = incoming_.cluster();
    const SharedList<Symbol>& declared = cluster.node(node_).status.declared_features;
    for (const std::size_t feature : needed_) {
      const Symbol name = cluster.symbol(declared_feature(static_cast<std::int64_t>(feature)));
      if (name && std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
      add_reason(reasons, {Rule::feature_not_declared, static_cast<std::int64_t>(feature)});
      return Code::unresolvable;
    }
    return Code::success;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeDeclaredFeatures>(*this);
  }

 private:
  const Incoming& incoming_;
  std::vector<std::size_t> needed_;
  NodeId node_;
};

// Source: nodedeclaredfeatures/nodedeclaredfeatures.go isSchedulableAfterPodUpdate.
auto needs_other_features(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  if (!rejected.is(*event.new_pod)) return false;
  const Release& release = rejected.node_infos.release();
  const Snapshot& cluster = rejected.node_infos.cluster();
  return features_needed(cluster, event.old_pod->spec, release) !=
         features_needed(cluster, event.new_pod->spec, release);
}

}  // namespace

const FilterInfo& node_declared_features_filter =
    FilterInfo{.name = "NodeDeclaredFeatures",
               .make =
                   [](const Incoming& incoming, const FilterSettings&) {
                     return std::unique_ptr<Filter>(std::make_unique<NodeDeclaredFeatures>(incoming));
                   },
               .looks_at = LooksAt::node,
               .events = [](const Release& release) -> EventTable {
                 if (!release.has(Change::declared_features)) return {};
                 return {{Resource::node, action::kAdd | action::kNodeDeclaredFeature},
                         {target_pod(release), action::kUpdate, needs_other_features}};
               },
               .without_state = Rule::state_missing_cycle_state};

}  // namespace previct::kube
