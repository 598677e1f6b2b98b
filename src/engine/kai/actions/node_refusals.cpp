#include "engine/kai/actions/node_refusals.h"

#include "engine/kube/filter.h"
#include "engine/kube/unknown_volumes.h"

#include <memory>

namespace previct::kai {
namespace {

constexpr std::size_t kMostSets = 4;  // pod sets of which a pod is tried

/// The filters of kube-scheduler that word refusals of one pod.
class Worded {
 public:
  Worded(const ClusterInfo& cluster_info, TaskId task)
      : node_infos_(cluster_info.cluster().derived<kube::NodeInfoSnapshot>()),
        incoming_{node_infos_, node_infos_.incoming(cluster_info.task(task).pod)},
        in_reach_(kube::unknown_volumes(cluster_info.cluster(), cluster_info.cluster().pod(cluster_info.task(task).pod))
                      .has_value()) {}

  // Returns what the filters for this rule say about the node; none if they do not reject it.
  auto reason(Rule rule, NodeId node) -> std::optional<kube::Reason> {
    static const kube::FilterSettings kDefaults;
    for (const kube::FilterInfo* info : kube::filters()) {
      if (in_reach_ && kube::looks_at_volumes(info)) continue;
      if (rule == Rule::node_filter ? !info->kai : info->looks_at != kube::LooksAt::node) continue;
      auto filter = info->make(incoming_, kDefaults);
      const kube::Prepared prepared = filter->prepare();
      if (prepared.skip) continue;
      kube::ReasonList reasons = prepared.rejection.reasons;
      if (prepared.rejection.ok()) {
        filter->enter(node);
        if (filter->check(&reasons) == kube::Code::success) continue;
      }
      if (is_about(rule, reasons.front())) return reasons.front();
    }
    return {};
  }

 private:
  static auto is_about(Rule rule, const kube::Reason& reason) -> bool {
    if (rule == Rule::node_affinity) return reason.rule == kube::Rule::node_affinity;
    if (rule == Rule::node_taint) return reason.rule == kube::Rule::untolerated_taint;
    return rule == Rule::node_filter;
  }

  kube::NodeInfoSnapshot& node_infos_;
  kube::Incoming incoming_;
  bool in_reach_;  // the pod's volumes, as in PodFilters
};

auto refusals_of(const Session& session, TaskId task, PodFilters* filters) -> NodeRefusals {
  constexpr std::size_t kMostWorded = 64;  // nodes whose refusal has a reason
  const ClusterInfo& cluster_info = session.cluster_info();
  NodeRefusals found{.task = task};
  std::unique_ptr<Worded> worded;
  std::size_t reasons = 0;
  if (filters != nullptr) filters->begin(task);
  for (const ShardNodeId id : cluster_info.shard_nodes().ids()) {
    NodeRefusal refusal{node_refusal(cluster_info, task, id)};
    if (refusal.rule == Rule::candidate) refusal.rule = label_refusal(cluster_info, task, id);
    if (refusal.rule == Rule::candidate && filters != nullptr && !filters->accept(task, id))
      refusal.rule = Rule::node_filter;
    if (refusal.rule == Rule::candidate) {
      ++found.suitable;
    } else if (reasons++ == kMostWorded || filters == nullptr) {
      found.all_worded = false;
    } else if (found.all_worded) {
      if (worded == nullptr) worded = std::make_unique<Worded>(cluster_info, task);
      refusal.reason = worded->reason(refusal.rule, cluster_info.shard_nodes()[id].node);
    }
    found.of.add(refusal);
  }
  return found;
}

}  // namespace

auto node_refusals(const Session& session, GroupId id, bool with_filters) -> std::optional<NodeRefusals> {
  const ClusterInfo& cluster_info = session.cluster_info();
  if (!cluster_info.settings().plugins.predicates) return {};
  const Group& group = cluster_info.group(id);
  std::optional<PodFilters> filters;
  if (with_filters) filters.emplace(session);
  std::optional<NodeRefusals> worst;
  for (std::uint32_t i = 0; i < group.sets && i < kMostSets; ++i) {
    for (const TaskId task : cluster_info.tasks_of(group.set(i))) {
      if (cluster_info.task(task).status != Status::pending) continue;
      NodeRefusals found = refusals_of(session, task, filters ? &*filters : nullptr);
      if (!worst || found.suitable < worst->suitable) worst = std::move(found);
      break;
    }
  }
  return worst;
}

}  // namespace previct::kai
