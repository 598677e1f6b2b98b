#include "api/known_class.h"
#include "api/plugin_kinds.h"
#include "api/upstream.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/manifest_nodes.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"
#include "engine/doubts.h"
#include "engine/kube/account.h"
#include "engine/kube/devices/doubts.h"
#include "engine/kube/filters/node_volume_limits.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/namespaces.h"
#include "engine/kube/needs.h"
#include "engine/kube/patch_releases.h"
#include "engine/kube/release.h"
#include "engine/kube/resource_claims.h"
#include "engine/kube/seen_words.h"
#include "engine/kube/spread_selectors.h"
#include "engine/kube/unknown_volumes.h"
#include "engine/population.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace previct::kube {
namespace {

/// A kubelet reports the resources of its node; a hand-written or trimmed input may omit them.
struct NodesWithoutAllocatable {
  explicit NodesWithoutAllocatable(const Snapshot& cluster) {
    const Symbol pods = cluster.known().pods;
    for (const Node& node : cluster.nodes()) {
      const auto& all = node.status.allocatable;
      const bool has_pods = std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.first == pods; });
      if (!all.empty() && (has_pods || !node.status.info.boot_id)) continue;
      if (++count == 1) first = node.meta.name;
    }
  }
  std::size_t count = 0;
  Symbol first;
};

/// The nodes with pods whose claims the input lacks.
struct NodesLackingClaims {
  explicit NodesLackingClaims(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      const NodeId node = cluster.node_of(id);
      const Pod& pod = cluster.pod(id);
      if (!node || cluster.finished(id)) continue;
      for (const Volume& volume : pod.spec.volumes) {
        if (volume.claim.claim_name && cluster.claim(pod.meta.ns, volume.claim.claim_name) == nullptr)
          nodes.insert(node);
      }
    }
  }

  std::set<NodeId> nodes;
};

class Gaps {
 public:
  Gaps(const EngineTrace& account, const Question& question)
      : e_(account),
        profile_(*account.profile),
        question_(question),
        cluster_(account.node_infos.cluster()),
        gaps_(profile_.gaps) {}

  auto run() -> std::vector<Gap> {
    const Ending ending = e_.decision.ending;
    if (ending == Ending::assigned || ending == Ending::deleting || ending == Ending::gated) return std::move(gaps_);
    missing_kinds();
    unmodelled();
    claims_on_devices();
    unknown_devices();
    rivals_of_classes();
    default_spread();
    namespaces();
    storage();
    attachments();
    claims_of_other_pods();
    of_the_profile();
    of_plugins();
    scores();
    post_filters();
    if (e_.decision.error_may_be_missed) gaps_.push_back({GapRule::error_may_be_missed, {}, true});
    one_namespace();
    overdue();
    nodes_without_allocatable();
    if (is_manifest() && !pod().admitted) gaps_.push_back({GapRule::manifest_as_written});
    return std::move(gaps_);
  }

 private:
  [[nodiscard]] auto pod() const -> const Pod& { return cluster_.pod(e_.subject); }

  void missing(std::string_view kind) { add_gaps(missing_kind(cluster_.objects(), kNeeds, kind), gaps_); }

  void missing_kinds() {
    missing("Node");
    make_missing_nodes_decisive(gaps_);
    if (budgets_matter()) missing("PodDisruptionBudget");
    unknown_budgets();
    // The annotations of PriorityClasses also show whether PreemptionToleration runs. Tolerating pods only remove
    // candidates, so without a candidate nothing depends on them.
    const bool told_by_classes =
        !profile_.configured && question_.toleration_switch() == Switch::automatic &&
        cluster_.derived<MessageEvidence>().of(profile_.scheduler_name).default_preemption.empty();
    if ((profile_.tolerates() || told_by_classes) && !e_.decision.candidates.empty()) {
      missing("PriorityClass");
      if (profile_.tolerates()) unknown_classes();
    }
    const auto& volumes = pod().spec.volumes;
    const bool claims =
        std::any_of(volumes.begin(), volumes.end(), [](const Volume& v) { return v.claim.claim_name || v.ephemeral; });
    if (claims) {
      for (const RequiredKind& each : kVolumeNeeds) missing(each.kind->name);
    }
    if (std::any_of(volumes.begin(), volumes.end(), [](const Volume& v) { return v.is_storage(); })) {
      missing("CSINode");
      limits_of_new_nodes();
    }
  }

  // A class that the input lacks may let its pods tolerate the preemption.
  void unknown_classes() {
    for (Gap& gap : gaps_) {
      if (!gap.lacks("PriorityClass")) continue;
      for (const NodeId node : e_.decision.candidates) {
        for (const PodId victim : e_.decision.nodes[node].run->victims) {
          const Symbol name = cluster_.pod(victim).spec.priority_class_name;
          if (!name || known_class(name, cluster_.objects())) continue;
          gap = {GapRule::classes_of_victims_missing,
                 {"PriorityClass", std::string(cluster_.text(name)), cluster_.key(victim)},
                 true};
          return;
        }
      }
    }
  }

  void overdue() {
    if (e_.found != Outcome::pending && e_.found != Outcome::preempts && e_.found != Outcome::waits) return;
    if (auto gap = overdue_gap(cluster_, question_.now)) gaps_.push_back(*std::move(gap));
  }

  void limits_of_new_nodes() {
    const auto& known = cluster_.derived<ManifestNodes>();
    std::vector<NodeId> possible = e_.decision.feasible;
    possible.insert(possible.end(), e_.decision.candidates.begin(), e_.decision.candidates.end());
    for (const NodeId node : possible) {
      if (!known.lacks_volume_limits(node)) continue;
      return gaps_.push_back({GapRule::volume_limits_of_new_node, {std::string(cluster_.name(node))}});
    }
  }

  // Returns true if budgets affect the decision. They decide the order of reprieves and which of several candidates is
  // better, but not whether a node is a candidate.
  [[nodiscard]] auto budgets_matter() const -> bool {
    const Decision& decision = e_.decision;
    if (decision.candidates.size() != 1) return decision.candidates.size() > 1;
    return decision.nodes[decision.candidates.front()].run->reprieves;
  }

  // Without a status, it is not known whether a budget protects a potential victim.
  void unknown_budgets() {
    if (!budgets_matter()) return;
    for (const PodDisruptionBudget& budget : cluster_.objects().disruption_budgets) {
      if (budget.status.disruptions_allowed != kUnknownDisruptions || !guards_some_candidate(budget)) continue;
      std::string name = fmt::format("{}/{}", cluster_.text(budget.meta.ns), cluster_.text(budget.meta.name));
      gaps_.push_back({GapRule::budget_unknown, {std::move(name)}, true});
    }
  }

  [[nodiscard]] auto guards_some_candidate(const PodDisruptionBudget& budget) const -> bool {
    const auto guarded = [&](PodId id) {
      const Pod& other = cluster_.pod(id);
      return other.meta.ns == budget.meta.ns && other.spec.priority < pod().spec.priority &&
             matches(budget.spec.selector, other.meta.labels, cluster_.symbols());
    };
    return std::any_of(e_.decision.candidates.begin(), e_.decision.candidates.end(), [&](NodeId node) {
      const auto pods = cluster_.pods_on(node);
      return std::any_of(pods.begin(), pods.end(), guarded);
    });
  }

  void unmodelled() {
    pod_groups();
    if (!pod().spec.has_priority && pod().spec.priority_class_name) {
      // An API server would have refused a manifest with a missing class, and always sets the priority of a pod.
      const std::string name(cluster_.text(pod().spec.priority_class_name));
      gaps_.push_back({GapRule::priority_missing, {name}, is_manifest() || (pod().meta.uid && priority_matters())});
    }
    priorities_of_victims();
    order_of_budgets();
    std::vector<Gap> of_release = e_.running.gaps;
    for (Gap& gap : of_release) {
      const bool gated = gap.rule == GapRule::gated_field || gap.rule == GapRule::gated_operator;
      gap.decides = gap.decides || (gated && has_field(gap)) ||
                    (gap.rule == GapRule::gate_unmodelled && concerns_pod(gap.operands[0], gap.operands[1] == "true"));
    }
    add_gaps(of_release, gaps_);
    add_gaps(patch_doubts(e_), gaps_);
  }

  // Returns true if the pod itself has such a field. That leaves the answer open until the pod is evaluated with the
  // gate on, which full answers do (engine.cpp) and simulations do not.
  [[nodiscard]] auto has_field(const Gap& gated) const -> bool {
    if (!question_.k8s_version.empty() || !question_.feature_gates.empty()) return false;
    const std::string_view gate = gated.operands[2];
    const PodSpec& spec = pod().spec;
    return (gate == "DynamicResourceAllocation" && !spec.resource_claims.empty()) ||
           (gate == "PodLevelResources" && spec.resources && !spec.resources->requests.empty()) ||
           (gate == "TaintTolerationComparisonOperators" && compares(spec)) ||
           (gate == "GenericWorkload" && (spec.workload_ref.workload || spec.scheduling_group.pod_group));
  }

  // Returns true if the pod uses what a gate whose effect is not modeled is about.
  [[nodiscard]] auto concerns_pod(std::string_view gate, bool on) const -> bool {
    const PodSpec& spec = pod().spec;
    if (gate == "NodeInclusionPolicyInPodTopologySpread") return !spec.topology_spread.empty();
    if (gate.starts_with("DRA")) return on && !spec.resource_claims.empty();
    return on && gate.find("PodGroup") != std::string_view::npos && in_a_group(e_.node_infos, e_.subject);
  }

  [[nodiscard]] auto compares(const PodSpec& spec) const -> bool {
    return std::any_of(spec.tolerations.begin(), spec.tolerations.end(), [&](const TaintToleration& t) {
      return cluster_.text(t.op) == "Gt" || cluster_.text(t.op) == "Lt";
    });
  }

  // Returns true for a pod that is not created yet, in the dump of a cluster.
  [[nodiscard]] auto is_manifest() const -> bool { return !pod().meta.uid && cluster_.derived<Population>().of_server; }

  // Its priority decides which pods it may evict, and which nominated pods count.
  [[nodiscard]] auto priority_matters() const -> bool {
    const auto& nominees = e_.node_infos.nominees();
    const auto is_other = [&](PodId id) { return id != e_.subject; };
    if (std::any_of(nominees.begin(), nominees.end(), is_other)) return true;
    const Decision& d = e_.decision;
    if (!tries_to_preempt() || d.pre_filter || pod().spec.preemption_policy == cluster_.known().never) return false;
    for (const NodeId node : d.nodes.ids()) {
      if (d.nodes[node].filter.code == Code::unschedulable && !e_.node_infos.pods_on(node).empty()) return true;
    }
    return false;
  }

  // Their class is not in the input, so load() could not fill in the priority.
  void priorities_of_victims() {
    for (const NodeId node : e_.decision.candidates) {
      for (const PodId id : e_.decision.nodes[node].run->victims) {
        const Pod& victim = cluster_.pod(id);
        if (victim.spec.has_priority || !victim.spec.priority_class_name) continue;
        gaps_.push_back({GapRule::priority_of_victim_missing,
                         {cluster_.key(id), std::string(cluster_.text(victim.spec.priority_class_name))},
                         true});
        return;
      }
    }
  }

  // Violations only affect the order of reprieves and which candidate is better.
  void order_of_budgets() {
    if (!budgets_matter()) return;
    const auto& candidates = e_.decision.candidates;
    const bool open = std::any_of(candidates.begin(), candidates.end(),
                                  [&](NodeId node) { return e_.decision.nodes[node].run->budget_order; });
    if (open) gaps_.push_back({GapRule::budgets_in_any_order, {}, true});
  }

  // While the gate is off, groups change nothing; the answer only mentions them.
  void pod_groups() {
    const Release& release = e_.node_infos.release();
    const bool own = in_a_group(e_.node_infos, e_.subject);
    if (!release.has(Change::pod_groups)) {
      if (own) gaps_.push_back({GapRule::groups_off});
    } else if (release.has(Change::groups_of_workloads) || release.has(Change::groups_in_cycles)) {
      const KindInfo& kind = kind_of_groups(release);
      if (own && lacks(cluster_.objects(), kind)) {
        gaps_.push_back({GapRule::groups_missing, {std::string(kind.name)}, true});
      } else if (e_.decision.group && !e_.decision.as_group()) {
        gaps_.push_back(doubt(*e_.decision.group));
      }
    } else if (own || (tries_to_preempt() && some_placed_pod_has_group())) {
      gaps_.push_back({own ? GapRule::group_unmodelled : GapRule::groups_of_victims, {}, true});
    }
  }

  [[nodiscard]] static auto doubt(const GroupDecision& group) -> Gap {
    using Doubt = GroupDecision::Doubt;
    const std::string waiting = std::to_string(group.waiting.size());
    switch (group.doubt) {
      case Doubt::none: break;
      case Doubt::one_by_one: return {GapRule::group_one_by_one, {waiting}, true};
      case Doubt::topology: return {GapRule::group_topology, {}, true};
      case Doubt::claims: return {GapRule::group_claims, {}, true};
      case Doubt::schedulers: return {GapRule::group_schedulers, {}, true};
      case Doubt::unlike: return {GapRule::group_unlike, {waiting}, true};
      case Doubt::beyond_nodes:
        return {GapRule::group_beyond_nodes, {std::string(group.beyond == nullptr ? "" : group.beyond->name)}, true};
      case Doubt::nominated: return {GapRule::group_nominated, {}, true};
      case Doubt::not_all: return {GapRule::group_not_all, {std::to_string(group.room), waiting}, true};
      case Doubt::order: return {GapRule::group_order, {std::to_string(group.even.size())}, true};
      case Doubt::error: return {GapRule::group_error, {}, true};
    }
    return {GapRule::group_unmodelled, {}, true};
  }

  [[nodiscard]] auto tries_to_preempt() const -> bool {
    return e_.decision.ending == Ending::preempting || e_.decision.ending == Ending::unschedulable;
  }

  // The priority of its group decides whether such a pod may be evicted, and the other pods of the group may be evicted
  // with it.
  [[nodiscard]] auto some_placed_pod_has_group() const -> bool {
    return e_.node_infos.any_placed(
        [&](const PodInfo& each) { return bool{cluster_.pod(each.pod).spec.scheduling_group.pod_group}; });
  }

  [[nodiscard]] auto openshift(const std::set<Symbol>& namespaces) const -> bool {
    return std::any_of(namespaces.begin(), namespaces.end(),
                       [&](Symbol ns) { return cluster_.text(ns).starts_with("openshift"); });
  }

  // More pods only use resources or become victims: a pod that fits might not fit, and a preemptor might evict others.
  [[nodiscard]] auto relies_on_free_resources() const -> bool {
    return e_.decision.ending == Ending::scheduled || e_.decision.ending == Ending::preempting;
  }

  // Adds a gap about something that may only refuse nodes: it changes nothing if no node is feasible anyway.
  void may_refuse(GapRule rule, std::string what) {
    const bool decides = e_.decision.may_depend_on_unmodelled_filter();
    gaps_.push_back({rule, {std::move(what)}, decides, decides});
  }

  void claims_on_devices() {
    if (e_.decision.devices == nullptr) return;
    if (resource_claims_of(cluster_, e_.subject).missing_kind) {
      may_refuse(GapRule::claims_missing, "ResourceClaim");
      return;
    }
    // An error on one node ends the attempt, whatever devices other nodes have.
    if (e_.decision.ending == Ending::error && !e_.decision.score) return;
    add_gaps(devices::gaps_of(*e_.decision.devices, cluster_), gaps_);
  }

  // A resource that a node does not offer may belong to a DeviceClass that the input lacks.
  // Source: pkg/scheduler/framework/plugins/noderesources/fit.go shouldDelegateResourceToDRA. Returns true if no node
  // offers it, false if some nodes do not, nothing if everything is known.
  [[nodiscard]] auto unknown_devices(ResourceId resource) const -> std::optional<bool> {
    const std::string_view name = cluster_.text(e_.node_infos.resource_name(resource));
    const Ending ending = e_.decision.ending;
    if (!e_.node_infos.release().has(Change::extended_resources_of_devices) || e_.running.known_by == "assumed" ||
        !upstream::is_extended_resource(name) || (ending != Ending::unschedulable && ending != Ending::preempting) ||
        !lacks(cluster_.objects(), kinds::device_classes)) {
      return {};
    }
    const auto& offered = e_.node_infos.column(resource).allocatable;
    const auto offers = [](std::int64_t amount) { return amount > 0; };
    if (std::all_of(offered.begin(), offered.end(), offers)) return {};
    return std::none_of(offered.begin(), offered.end(), offers);
  }

  // Without the class, no further node fits: nothing changes if the pod fits on none, and cannot preempt.
  void rivals_of_classes() {
    const PodInfo incoming = e_.node_infos.incoming(e_.subject);
    for (const Amount& amount : e_.node_infos.amounts(incoming)) {
      const DeviceClass* rival = amount.value > 0 ? rival_of(e_.node_infos, amount.resource) : nullptr;
      if (rival == nullptr) continue;
      const DeviceClass& named = *device_class_for(e_.node_infos, amount.resource);
      gaps_.push_back({GapRule::class_of_resource_open,
                       {std::string(cluster_.text(e_.node_infos.resource_name(amount.resource))),
                        std::string(cluster_.text(named.meta.name)), std::string(cluster_.text(rival->meta.name))},
                       e_.decision.ending != Ending::unschedulable});
    }
  }

  void unknown_devices() {
    const PodInfo incoming = e_.node_infos.incoming(e_.subject);
    std::vector<std::string> nowhere;
    std::vector<std::string> not_everywhere;
    for (const Amount& amount : e_.node_infos.amounts(incoming)) {
      const auto none = amount.value > 0 ? unknown_devices(amount.resource) : std::nullopt;
      if (none)
        (*none ? nowhere : not_everywhere).emplace_back(cluster_.text(e_.node_infos.resource_name(amount.resource)));
    }
    for (const auto* names : {&nowhere, &not_everywhere}) {
      if (names->empty()) continue;
      gaps_.push_back({GapRule::class_of_resource_missing, {"DeviceClass", joined(*names, ", ")}, names == &nowhere});
    }
  }

  [[nodiscard]] auto runs_filter_without(Lacks what) const -> bool {
    const auto& filters = profile_.filters;
    return std::any_of(filters.begin(), filters.end(), [&](const FilterInfo* info) { return info->lacks == what; });
  }

  void default_spread() {
    if (profile_.settings.default_spread.empty() || !pod().spec.topology_spread.empty()) return;
    const std::string_view lacking = lacking_for_default_spread(cluster_, pod());
    if (!runs_filter_without(Lacks::default_spread) || lacking.empty()) return;
    may_refuse(GapRule::default_spread, std::string(lacking));
  }

  void namespaces() {
    if (!runs_filter_without(Lacks::namespaces) || !lacks_namespaces(e_.node_infos, e_.subject)) return;
    const auto& nodes = e_.decision.nodes;
    const bool decides = e_.decision.may_depend_on_unmodelled_filter() ||
                         std::any_of(nodes.begin(), nodes.end(), [](const NodeVerdict& node) {
                           return refused_for_other_pods(node.filter) || refused_for_other_pods(node.run->status);
                         });
    gaps_.push_back({GapRule::namespaces_missing, {"Namespace"}, decides, decides});
  }

  void storage() {
    const auto unknown = unknown_storage(cluster_, pod());
    if (!unknown) return;
    if (unknown->kind == "CSIDriver") {
      gaps_.push_back(
          {GapRule::drivers_missing, {unknown->kind}, false, e_.decision.may_depend_on_unmodelled_filter()});
      return;
    }
    const auto for_storage = [](const Status& status) {
      return std::any_of(status.reasons.begin(), status.reasons.end(),
                         [](const Reason& reason) { return reason.rule == Rule::volume_no_room; });
    };
    // A node may also lack something that an eviction frees: then only the trial without the victims shows it.
    const auto& nodes = e_.decision.nodes;
    const bool decides = std::any_of(nodes.begin(), nodes.end(), [&](const NodeVerdict& node) {
      return for_storage(node.filter) || for_storage(node.run->status);
    });
    gaps_.push_back({GapRule::capacities_missing, {unknown->kind, unknown->driver}, decides, decides});
  }

  // The volumes of victims stay attached until their pods are gone, and count as long as they are.
  // Source: nodevolumelimits/csi.go getNodeVolumeAttachmentInfo, v1.32.
  void attachments() {
    if (e_.decision.candidates.empty() || !pod().spec.has_storage() ||
        !e_.node_infos.release().has(Change::attachments_count) ||
        !lacks(cluster_.objects(), kinds::volume_attachments))
      return;
    const FilterInfo* const limits = find_filter("NodeVolumeLimits");
    if (!contains(profile_.filters, limits)) return;
    const Incoming incoming{e_.node_infos, e_.node_infos.incoming(e_.subject)};
    const auto filter = limits->make(incoming, profile_.settings);
    if (filter->prepare().skip) return;
    const auto attaches = [&](Symbol name) {
      const CsiDriver* const driver = cluster_.csi_driver(name);
      return driver == nullptr || driver->spec.attach_required.value_or(true);
    };
    const auto may_stay = [&](const Reason& reason) {
      return reason.rule != Rule::volume_limit || attaches(Symbol{static_cast<std::uint32_t>(reason.a)});
    };
    // The filter names the first driver whose limit is exceeded.
    const auto& volumes = pod().spec.volumes;
    const bool several =
        std::count_if(volumes.begin(), volumes.end(), [](const Volume& v) { return v.is_storage(); }) > 1;
    const auto others_attach = [&](NodeId node) {
      const CsiNode* const known = cluster_.csi_node(e_.node_infos.name(node));
      return several && known != nullptr &&
             std::any_of(known->spec.drivers.begin(), known->spec.drivers.end(),
                         [&](const CsiNodeDriver& driver) { return attaches(driver.name); });
    };
    const auto& candidates = e_.decision.candidates;
    const bool decides = std::any_of(candidates.begin(), candidates.end(), [&](NodeId node) {
      ReasonList reasons;
      filter->enter(node);
      return filter->check(&reasons) == Code::unschedulable &&
             (others_attach(node) || std::any_of(reasons.begin(), reasons.end(), may_stay));
    });
    if (decides) gaps_.push_back({GapRule::attachments_missing, {std::string(kinds::volume_attachments.name)}, true});
  }

  // A dump may have the claims of some namespaces only.
  void claims_of_other_pods() {
    const Objects& objects = cluster_.objects();
    if (!pod().spec.has_storage() || objects.listed.contains(std::string(kinds::persistent_volume_claims.key)) ||
        !contains(profile_.filters, find_filter("NodeVolumeLimits")))
      return;
    const auto& lacking = cluster_.derived<NodesLackingClaims>().nodes;
    if (lacking.empty()) return;
    const Incoming incoming{e_.node_infos, e_.node_infos.incoming(e_.subject)};
    const auto doubt_on = [&](NodeId node, const std::vector<PodId>& gone) {
      if (!lacking.contains(node)) return false;
      std::string claim = claim_that_may_exceed_limits(incoming, node, gone);
      if (claim.empty()) return false;
      gaps_.push_back({GapRule::claims_of_pods_missing, {std::move(claim), std::string(cluster_.name(node))}, true});
      return true;
    };
    for (const NodeId node : e_.decision.feasible) {
      if (doubt_on(node, {})) return;
    }
    for (const NodeId node : e_.decision.candidates) {
      if (doubt_on(node, e_.decision.nodes[node].run->victims)) return;
    }
  }

  [[nodiscard]] static auto refused_for_other_pods(const Status& status) -> bool {
    constexpr std::array kRules = {Rule::pod_affinity, Rule::pod_anti_affinity, Rule::existing_anti_affinity};
    return !status.reasons.empty() && contains(kRules, status.reasons.front().rule);
  }

  void of_the_profile() {
    const Decision& d = e_.decision;
    const bool fits = !d.feasible.empty();
    const bool freed = !fits && d.may_depend_on_unmodelled_filter();
    for (const Unmodelled& u : profile_.unmodelled) {
      const bool asked = u.resources.empty() || wants_any(u.resources);
      switch (u.part) {
        case Unmodelled::Part::queueing: gaps_.push_back({GapRule::queueing_plugin, {u.what}, true}); break;
        case Unmodelled::Part::filter: may_refuse(GapRule::filter_plugin, u.what); break;
        case Unmodelled::Part::fits:
          gaps_.push_back({GapRule::filtering_extender, {u.what}, asked && fits, asked && fits});
          break;
        case Unmodelled::Part::victims:
          gaps_.push_back({GapRule::preempting_extender, {u.what}, asked && freed, asked && freed});
          break;
        case Unmodelled::Part::scores: may_prefer({GapRule::scores_unmodelled, {u.what}}, asked); break;
        case Unmodelled::Part::later: gaps_.push_back({GapRule::later_plugin, {u.what}}); break;
      }
    }
  }

  // A configuration says which plugins run; otherwise their objects are the evidence. Messages of DefaultPreemption are
  // evidence against other preemption plugins.
  void of_plugins() {
    if (profile_.configured) return;
    const bool preemption_known =
        question_.toleration_switch() != Switch::automatic ||
        !cluster_.derived<MessageEvidence>().of(profile_.scheduler_name).default_preemption.empty();
    for (const auto& [kind, namespaces] : cluster_.objects().plugin_objects) {
      const PluginKind& of = *find_plugin_kind(kind);
      const std::vector<std::string> operands = {kind.substr(kind.rfind('/') + 1), std::string(of.plugin)};
      if (of.refuses_nodes) {
        gaps_.push_back({GapRule::plugin_objects_passed_over, operands});
      } else if (!of.label.empty()) {
        const Symbol label = cluster_.symbol(of.label);
        if (label && pod().meta.labels.has(label)) gaps_.push_back({GapRule::plugin_objects, operands, true});
      } else if (!preemption_known && may_count(namespaces)) {
        gaps_.push_back({GapRule::plugin_objects, operands, true});
      }
    }
  }

  // A pod that fits can be refused only by a quota of its own namespace.
  [[nodiscard]] auto may_count(const std::set<std::string>& namespaces) const -> bool {
    if (e_.found != Outcome::fits) return true;
    return namespaces.contains("") || namespaces.contains(std::string(cluster_.text(pod().meta.ns)));
  }

  // Nodes are scored only if there is a choice.
  void may_prefer(Gap gap, bool asked) {
    const auto& selection = e_.decision.selection;
    const bool chosen_by_score =
        selection && (selection->by == SelectedBy::scores || selection->by == SelectedBy::sample);
    gap.decides_node = gap.could_change_answer = asked && chosen_by_score;
    gaps_.push_back(std::move(gap));
  }

  void scores() {
    if (!e_.decision.selection) return;
    for (const Gap& doubt : e_.decision.selection->doubts) may_prefer(doubt, true);
  }

  // Source: pkg/scheduler/extender.go IsInterested.
  [[nodiscard]] auto wants_any(const std::vector<std::string>& resources) const -> bool {
    const auto names_one = [&](const ResourceList& list) {
      return std::any_of(list.begin(), list.end(), [&](const auto& entry) {
        return std::find(resources.begin(), resources.end(), cluster_.text(entry.first)) != resources.end();
      });
    };
    const auto wants = [&](const Container& c) {
      return names_one(c.resources.requests) || names_one(c.resources.limits);
    };
    const PodSpec& spec = pod().spec;
    return std::any_of(spec.containers.begin(), spec.containers.end(), wants) ||
           std::any_of(spec.init_containers.begin(), spec.init_containers.end(), wants);
  }

  // Reports the unmodelled plugins that run before a modeled one ends the attempt.
  void post_filters() {
    const Decision& d = e_.decision;
    const bool asked =
        d.ending == Ending::unschedulable || d.ending == Ending::preempting || d.ending == Ending::preemption_error;
    if (!asked) return;
    std::size_t modeled = 0;
    for (const PostFilter& plugin : profile_.post_filters) {
      if (plugin.kind != PostFilter::Kind::unmodelled) {
        ++modeled;
      } else if (d.ending == Ending::unschedulable || modeled < d.steps.size()) {
        gaps_.push_back({GapRule::post_filter, {plugin.name}, true});
      }
    }
  }

  void nodes_without_allocatable() {
    const auto& without = cluster_.derived<NodesWithoutAllocatable>();
    if (without.count == 0) return;
    const Ending ending = e_.decision.ending;
    const bool may_fit_there = ending == Ending::unschedulable || ending == Ending::preempting;
    gaps_.push_back({GapRule::allocatable_missing,
                     {std::string(cluster_.text(without.first)), std::to_string(without.count)},
                     may_fit_there && e_.decision.feasible.empty()});
  }

  // A dump of one namespace makes the cluster look emptier than it is.
  void one_namespace() {
    const auto& all = cluster_.derived<Population>();
    const bool all_namespaces = all.lists_namespaces;
    if (auto gap = no_running_pods(cluster_)) {
      gap->decides = gap->decides && relies_on_free_resources();
      gaps_.push_back(*std::move(gap));
    } else if (all.namespaces.size() == 1 && !all_namespaces && e_.node_infos.node_count() > 0) {
      // A new cluster that is not used yet has no other namespaces.
      const bool fresh = cluster_.text(*all.namespaces.begin()) == "kube-system";
      gaps_.push_back({GapRule::one_namespace,
                       {std::string(cluster_.text(*all.namespaces.begin()))},
                       all.booted && !fresh && relies_on_free_resources()});
    } else if (all.of_running.size() > 1 && !all_namespaces && all.booted && all.one_by_one && !all.of_platform) {
      // Several namespaces, each dumped separately: no machine runs without platform pods.
      gaps_.push_back({GapRule::one_namespace, {names_of(all.of_running)}, relies_on_free_resources()});
    } else if (all.by_users == 0 && openshift(all.of_running)) {
      gaps_.push_back({GapRule::platform_only, {std::to_string(all.of_running.size())}, relies_on_free_resources()});
    }
    one_node(all);
  }

  [[nodiscard]] auto names_of(const std::set<Symbol>& namespaces) const -> std::string {
    std::vector<std::string> names;
    for (const Symbol each : namespaces) names.emplace_back(cluster_.text(each));
    std::sort(names.begin(), names.end());
    constexpr std::size_t kFew = 3;
    if (names.size() > kFew + 1) return joined_up_to(kFew, std::move(names));
    const std::string last = names.back();
    names.pop_back();
    return names.empty() ? last : fmt::format("{} and {}", joined(names, ", "), last);
  }

  // The input of kubectl get pods --field-selector spec.nodeName=…, or the list of kubectl describe node.
  void one_node(const Population& all) {
    if (all.nodes.size() != 1 || !all.daemons || !all.apart || all.used_nodes < 2) return;
    const Symbol name = *all.nodes.begin();
    const auto elsewhere = [&](NodeId node) { return cluster_.node(node).meta.name != name; };
    const Decision& d = e_.decision;
    const auto any = [&](const std::vector<NodeId>& ids) { return std::any_of(ids.begin(), ids.end(), elsewhere); };
    gaps_.push_back({GapRule::one_node,
                     {std::string(cluster_.text(name))},
                     relies_on_free_resources() && (any(d.feasible) || any(d.candidates))});
  }

  const EngineTrace& e_;
  const Profile& profile_;
  const Question& question_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps(const EngineTrace& account, const Question& question) -> std::vector<Gap> {
  return Gaps(account, question).run();
}

}  // namespace previct::kube
