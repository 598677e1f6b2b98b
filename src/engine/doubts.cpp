#include "engine/doubts.h"

#include "api/known_class.h"
#include "base/text.h"
#include "cluster/device_eviction.h"
#include "cluster/taint_eviction.h"
#include "engine/lost_nodes.h"
#include "engine/population.h"
#include "engine/required_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace previct {
namespace {

// A RuntimeClass may add overhead, node selectors and tolerations, so any answer may change.
void doubt_without_runtime_class(const Snapshot& cluster, Verdict& verdict) {
  if (!verdict.subject) return;
  const Symbol missing = cluster.pod(verdict.subject).spec.missing_runtime_class;
  if (missing) verdict.gaps.push_back({GapRule::runtime_class_missing, {std::string(cluster.text(missing))}, true});
}

// Returns the LimitRange that gives a container of the pod a request that it lacks: by default, the default limit.
// Source: pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem; plugin/pkg/admission/limitranger
// mergePodResourceRequirements.
auto missing_defaults(const Pod& pod, const Snapshot& cluster) -> std::string {
  const auto lacks_one = [&](const ResourceList& defaults) {
    const auto lacks = [&](const Container& container) {
      return std::any_of(defaults.begin(), defaults.end(),
                         [&](const auto& each) { return !container.resources.requests.get(each.first); });
    };
    const PodSpec& spec = pod.spec;
    return std::any_of(spec.containers.begin(), spec.containers.end(), lacks) ||
           std::any_of(spec.init_containers.begin(), spec.init_containers.end(), lacks);
  };
  for (const LimitRange& range : cluster.objects().limit_ranges) {
    if (range.meta.ns != pod.meta.ns) continue;
    const bool adds = std::any_of(range.spec.limits.begin(), range.spec.limits.end(), [&](const LimitRangeItem& item) {
      return cluster.text(item.type) == "Container" &&
             (lacks_one(item.default_request) || lacks_one(item.default_limit));
    });
    if (adds)
      return fmt::format("LimitRange {}/{} adds requests to the pod", cluster.text(range.meta.ns),
                         cluster.text(range.meta.name));
  }
  return {};
}

// Source: plugin/pkg/admission/runtimeclass setOverhead, setScheduling.
auto missing_runtime_settings(const Pod& pod, const Snapshot& cluster) -> std::string {
  for (const RuntimeClass& each : cluster.objects().runtime_classes) {
    if (each.meta.name != pod.spec.runtime_class_name) continue;
    const SymbolMap& labels = each.scheduling.node_selector;
    const bool selects = std::any_of(labels.begin(), labels.end(),
                                     [&](const auto& label) { return !pod.spec.node_selector.has(label.first); });
    const bool tolerates = pod.spec.tolerations.size() < each.scheduling.tolerations.size();
    if (selects || tolerates || (pod.spec.overhead.empty() && !each.overhead.pod_fixed.empty()))
      return fmt::format("RuntimeClass {} adds to the pod", cluster.text(each.meta.name));
  }
  return {};
}

auto missing_storage_class(const Pod& pod, const Snapshot& cluster) -> std::string {
  for (const Volume& volume : pod.spec.volumes) {
    const PersistentVolumeClaim* const claim =
        volume.claim.claim_name ? cluster.claim(pod.meta.ns, volume.claim.claim_name) : nullptr;
    if (claim == nullptr || claim->meta.uid || claim->meta.created || claim->to_be_made) continue;
    if (const StorageClass* const usual = default_class(*claim, cluster.objects()))
      return fmt::format("the claim {} gets the default StorageClass {}", cluster.text(claim->meta.name),
                         cluster.text(usual->meta.name));
  }
  return {};
}

// A manifest among the inputs is as its author wrote it.
void doubt_without_admission(const Snapshot& cluster, Verdict& verdict) {
  if (!verdict.subject) return;
  const Pod& pod = cluster.pod(verdict.subject);
  if (pod.spec.node_name || verdict.outcome == Outcome::gated || verdict.outcome == Outcome::deleting) return;
  const auto note = [&](std::string what) {
    if (!what.empty()) verdict.gaps.push_back({GapRule::admission_left_out, {std::move(what)}, true});
  };
  note(missing_storage_class(pod, cluster));
  if (pod.meta.uid || pod.meta.created || pod.admitted || pod.meta.source.line == 0) return;
  note(missing_defaults(pod, cluster));
  note(missing_runtime_settings(pod, cluster));
}

// Another controller may keep the pod from its scheduler, or give it to another one.
void doubt_if_other_decides(const Snapshot& cluster, Verdict& verdict) {
  if (!verdict.subject) return;
  const Symbol other = cluster.pod(verdict.subject).spec.other_decides;
  if (other) verdict.gaps.push_back({GapRule::other_decides, {std::string(cluster.text(other))}, true});
}

void doubt(const LeftOut& which, GapRule one, GapRule many, const Objects& objects, Verdict& verdict) {
  if (which.count == 0) return;
  verdict.gaps.insert(
      verdict.gaps.begin(),
      {which.count == 1 ? one : many, {objects.files.describe(which.first), std::to_string(which.count)}, true});
}

// More pods only use resources or become victims: a pod that fits might not fit, and a preemptor might evict others.
void doubt_without_pods(const Snapshot& cluster, Verdict& verdict) {
  if (verdict.outcome != Outcome::fits && verdict.outcome != Outcome::preempts) return;
  const Objects& objects = cluster.objects();
  if (const std::string_view only = objects.only_pods_of(); !only.empty()) {
    std::erase_if(verdict.gaps, [](const Gap& gap) { return gap.rule == GapRule::one_namespace; });
    verdict.gaps.insert(verdict.gaps.begin(), {GapRule::one_namespace, {std::string(only)}, true});
  }
  doubt(objects.unplaced_pods, GapRule::unplaced_pod, GapRule::unplaced_pods, objects, verdict);
  doubt(objects.broken_pods, GapRule::broken_pods_file, GapRule::broken_pods_files, objects, verdict);
}

// The kube engine reports these gaps itself, with what else it knows of the pods (kube/gaps.cpp). `elsewhere`: no node
// can change the verdict, because it is about quota alone.
void doubt_population(const Snapshot& cluster, bool elsewhere, Verdict& verdict) {
  if (verdict.outcome != Outcome::fits && verdict.outcome != Outcome::preempts) return;
  const auto told = [](const Gap& gap) {
    return gap.rule == GapRule::one_namespace || gap.rule == GapRule::no_running_pods;
  };
  if (std::any_of(verdict.gaps.begin(), verdict.gaps.end(), told)) return;
  const auto& all = cluster.derived<Population>();
  if (all.read_by_previct) return;
  const bool used = all.used_nodes > 0;
  const bool has_kind = !lacks(cluster.objects(), kinds::pods);  // without it, the engine reports what follows
  if (auto none = no_running_pods(cluster); none && none->decides && has_kind && (!elsewhere || used)) {
    verdict.gaps.insert(verdict.gaps.begin(), *std::move(none));
    return;
  }
  // Several pods of one namespace prove nothing on machines that have run nothing else.
  if (!used || all.namespaces.size() != 1) return;
  const std::string only(cluster.text(*all.namespaces.begin()));
  if (only != "kube-system") verdict.gaps.insert(verdict.gaps.begin(), {GapRule::one_namespace, {only}, true});
}

// A few pods may be newer than the list of pods, because the lists of a dump are read one after another.
void doubt_lacking_pods(const Snapshot& cluster, Verdict& verdict) {
  if (verdict.outcome != Outcome::fits && verdict.outcome != Outcome::preempts) return;
  const LackingPods& pods = cluster.objects().lacking_pods;
  if (pods.lacking == 0 || cluster.derived<Population>().read_by_previct) return;
  constexpr std::int64_t kFew = 10;
  constexpr std::size_t kNamed = 3;
  verdict.gaps.push_back({GapRule::lacking_pods,
                          {std::to_string(pods.lacking), joined_up_to(kNamed, pods.owners)},
                          pods.lacking * kFew >= pods.counted});
}

/// Pods without a phase on machines, where a kubelet always writes it: the dump has been trimmed.
struct Trimmed {
  explicit Trimmed(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      const NodeId node = cluster.node_of(id);
      if (!node || pod.status.phase || !pod.meta.uid || !cluster.node(node).status.info.boot_id) continue;
      pods.add({1, pod.meta.source});
    }
  }

  LeftOut pods;
};

// A pod that has finished or been deleted uses no resources: if the pod fits anyway, this changes nothing.
void doubt_whether_pods_run(const Snapshot& cluster, Verdict& verdict) {
  if (verdict.outcome != Outcome::pending && verdict.outcome != Outcome::preempts) return;
  const Objects& objects = cluster.objects();
  const LeftOut& trimmed = cluster.derived<Trimmed>().pods;
  doubt(trimmed, GapRule::phase_missing, GapRule::phases_missing, objects, verdict);
  doubt(objects.overtaken_pods, GapRule::overtaken_pod, GapRule::overtaken_pods, objects, verdict);
}

// The pod waits for Kueue, which decides about its workload.
void doubt_without_workloads(const Snapshot& cluster, Verdict& verdict) {
  if (!verdict.subject || verdict.outcome != Outcome::gated || !lacks(cluster.objects(), kinds::kueue_workloads))
    return;
  const Symbol gate = cluster.symbol("kueue.x-k8s.io/admission");
  const auto& gates = cluster.pod(verdict.subject).spec.scheduling_gates;
  if (gate && std::any_of(gates.begin(), gates.end(), [&](const Named& each) { return each.name == gate; }))
    verdict.gaps.push_back(
        {GapRule::missing, {std::string(kinds::kueue_workloads.name), "whether Kueue admits the pod is not known"}});
}

// Without these pods, it may fit, or evict others.
void doubt_deletions(const Snapshot& cluster, Verdict& verdict) {
  const bool may_change = verdict.outcome == Outcome::pending || verdict.outcome == Outcome::preempts;
  for (const std::vector<std::string>& workload : cluster.objects().overlaid.unknown_deletions)
    verdict.gaps.push_back({GapRule::scaled_down, workload, may_change});
}

// The pod may fit on a node that the input lacks. `only`: the nodes on which it may run, if not all.
void doubt_without_nodes(const Snapshot& cluster, const std::optional<std::vector<Symbol>>& only, Verdict& verdict) {
  const bool elsewhere = verdict.outcome == Outcome::pending || verdict.outcome == Outcome::preempts ||
                         verdict.outcome == Outcome::not_eligible;
  // A pod that fits may have more nodes to choose from. Without any node in the input, the outcome is unknown anyway.
  if (!elsewhere && verdict.outcome != Outcome::fits) return;
  const auto& lost = cluster.derived<MissingNodes>();
  if (cluster.nodes().empty() || (only && lost.listed && lost.names.empty())) return;
  std::vector<Symbol> names = only.value_or(lost.names);
  std::erase_if(names, [&](Symbol name) { return bool{cluster.find_node(name)}; });
  if (names.empty()) return;
  const bool one = names.size() == 1;
  const GapRule rule = only ? (one ? GapRule::lost_own_node : GapRule::lost_own_nodes)
                            : (one ? GapRule::lost_node : GapRule::lost_nodes);
  verdict.gaps.insert(
      verdict.gaps.begin(),
      {rule, {std::string(cluster.text(names.front())), std::to_string(names.size())}, elsewhere && lost.machines});
}

/// Whether a node of the input is being deleted.
struct DeletingNodes {
  explicit DeletingNodes(const Snapshot& cluster)
      : any(std::any_of(cluster.nodes().begin(), cluster.nodes().end(),
                        [](const Node& node) { return node.meta.deleting.has_value(); })) {}

  bool any;
};

// The finalizer of an autoscaler keeps a node until its pods are gone; the scheduler uses it like any other.
void assume_nodes_stay(const Snapshot& cluster, Verdict& verdict) {
  if (!cluster.derived<DeletingNodes>().any) return;
  std::vector<NodeId> possible = verdict.feasible;
  possible.insert(possible.end(), verdict.tied.begin(), verdict.tied.end());
  if (!verdict.node.empty()) possible.push_back(cluster.find_node(cluster.symbol(verdict.node)));
  if (auto gap = deleting_nodes_gap(cluster, std::move(possible))) verdict.gaps.push_back(*std::move(gap));
}

/// The pods on nodes that are being deleted.
struct TerminatingPods {
  explicit TerminatingPods(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      if (cluster.pod(id).meta.deleting && cluster.node_of(id) && !cluster.finished(id)) ids.push_back(id);
    }
  }

  std::vector<PodId> ids;
};

}  // namespace

void add_input_gaps(const Snapshot& cluster, const std::optional<std::vector<Symbol>>& decisive_nodes,
                    Verdict& verdict) {
  doubt_without_runtime_class(cluster, verdict);
  doubt_without_admission(cluster, verdict);
  doubt_if_other_decides(cluster, verdict);
  doubt_without_workloads(cluster, verdict);
  doubt_deletions(cluster, verdict);
  doubt_without_pods(cluster, verdict);
  doubt_population(cluster, decisive_nodes && decisive_nodes->empty(), verdict);
  doubt_lacking_pods(cluster, verdict);
  doubt_whether_pods_run(cluster, verdict);
  doubt_without_nodes(cluster, decisive_nodes, verdict);
  assume_nodes_stay(cluster, verdict);
}

auto deleting_nodes_gap(const Snapshot& cluster, std::vector<NodeId> nodes) -> std::optional<Gap> {
  std::erase_if(nodes, [&](NodeId node) { return !node || !cluster.node(node).meta.deleting; });
  const auto by_name = [&](NodeId a, NodeId b) { return cluster.name(a) < cluster.name(b); };
  std::sort(nodes.begin(), nodes.end(), by_name);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.empty()) return {};
  return Gap{GapRule::deleting_nodes,
             {std::to_string(nodes.size()), std::string(cluster.name(nodes.front())),
              format_instant(*cluster.node(nodes.front()).meta.deleting)}};
}

auto overdue_gap(const Snapshot& cluster, Instant now) -> std::optional<Gap> {
  std::vector<PodId> overdue;
  for (const PodId id : cluster.derived<TerminatingPods>().ids) {
    if (*cluster.pod(id).meta.deleting <= now && !cluster.finished(id)) overdue.push_back(id);
  }
  if (overdue.empty()) return {};
  const Pod& first = cluster.pod(*std::min_element(overdue.begin(), overdue.end(),
                                                   [&](PodId a, PodId b) { return cluster.key(a) < cluster.key(b); }));
  const std::string kept = first.meta.finalizers.empty()
                               ? std::string()
                               : fmt::format("; finalizer {}", cluster.text(*first.meta.finalizers.begin()));
  return Gap{GapRule::overdue_pods,
             {std::to_string(overdue.size()),
              fmt::format("{}/{} on {}", cluster.text(first.meta.ns), cluster.text(first.meta.name),
                          cluster.text(first.spec.node_name)),
              format_instant(*first.meta.deleting), kept}};
}

namespace {

template <class Eviction>
void add_gap_of(std::vector<Eviction> all, const Snapshot& cluster, Instant now, Verdict& verdict) {
  std::erase_if(all, [&](const Eviction& each) { return now < each.at; });
  if (all.empty()) return;
  const auto first = std::min_element(all.begin(), all.end(), [&](const Eviction& a, const Eviction& b) {
    return cluster.key(a.pod) < cluster.key(b.pod);
  });
  verdict.gaps.push_back({GapRule::taints_delete_now, {std::to_string(all.size()), cluster.key(first->pod)}});
}

auto depends_on_pods(const Verdict& verdict) -> bool {
  return verdict.outcome == Outcome::pending || verdict.outcome == Outcome::preempts ||
         verdict.outcome == Outcome::not_eligible;
}

}  // namespace

void add_taint_gap(const Snapshot& cluster, Instant now, Verdict& verdict) {
  if (depends_on_pods(verdict)) add_gap_of(taint_evictions(cluster, now), cluster, now, verdict);
}

void add_device_taint_gap(const Snapshot& cluster, TaintRules rules, Instant now, Verdict& verdict) {
  if (depends_on_pods(verdict)) add_gap_of(device_evictions(cluster, rules, now), cluster, now, verdict);
}

}  // namespace previct
