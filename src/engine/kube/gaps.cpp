#include "base/text.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"
#include "engine/kube/account.h"
#include "engine/kube/default_spread.h"
#include "engine/kube/devices/doubts.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/needs.h"
#include "engine/kube/release.h"
#include "engine/kube/resource_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::kube {
namespace {

/// Where the pods of an input are, counted once for all questions.
struct Population {
  explicit Population(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      namespaces.insert(cluster.pod(id).meta.ns);
      if (!cluster.node_of(id)) continue;
      ++running;
      by_users += of_platform(cluster.text(cluster.pod(id).meta.ns)) ? 0U : 1U;
    }
  }

  // The namespaces that a must-gather and its like collect; people run their own pods elsewhere.
  static auto of_platform(std::string_view ns) -> bool {
    return ns.starts_with("kube-") || ns.starts_with("openshift-") || ns == "openshift" || ns == "default";
  }

  std::set<Symbol> namespaces;
  std::size_t running = 0;
  std::size_t by_users = 0;  // of those
};

class Gaps {
 public:
  Gaps(const Account& account, const Question& question)
      : e_(account),
        profile_(*account.profile),
        question_(question),
        cluster_(account.world.cluster()),
        gaps_(profile_.gaps) {}

  auto run() -> std::vector<Gap> {
    const Ending ending = e_.decision.ending;
    if (ending == Ending::assigned || ending == Ending::deleting || ending == Ending::gated) return std::move(gaps_);
    missing_kinds();
    unmodelled();
    claims_on_devices();
    unknown_devices();
    default_spread();
    of_the_profile();
    post_filters();
    one_namespace();
    return std::move(gaps_);
  }

 private:
  [[nodiscard]] auto pod() const -> const Pod& { return cluster_.pod(e_.subject); }

  void missing(std::string_view kind) { add_gaps(missing_kind(cluster_.objects(), kNeeds, kind), gaps_); }

  void missing_kinds() {
    missing("Node");
    for (Gap& gap : gaps_) {
      if (gap.kind != Gap::Kind::missing_kind || gap.what != "Node") continue;
      gap.decides = true;
      gap.because = "the input holds no nodes";
    }
    if (budgets_matter()) missing("PodDisruptionBudget");
    unknown_budgets();
    // Their annotations are also what tells that somebody runs PreemptionToleration. Tolerating pods only take
    // candidates away, so that without a candidate nothing hangs on them.
    const bool told_by_classes = !question_.scheduler_config && question_.toleration_plugin == Switch::automatic;
    if ((profile_.tolerates() || told_by_classes) && !e_.decision.candidates.empty()) missing("PriorityClass");
    const auto& volumes = pod().spec.volumes;
    const bool claims =
        std::any_of(volumes.begin(), volumes.end(), [](const Volume& v) { return v.claim.claim_name || v.ephemeral; });
    if (!claims) return;
    for (const std::string_view kind : {"PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode"})
      missing(kind);
  }

  // Budgets say in which order pods are put back, and which of several candidates is better: whether a node is a
  // candidate at all does not hang on them.
  [[nodiscard]] auto budgets_matter() const -> bool {
    const Decision& decision = e_.decision;
    if (decision.candidates.size() != 1) return decision.candidates.size() > 1;
    return decision.nodes[decision.candidates.front()].run.reprieves;
  }

  // Of a budget without a status nobody knows whether it guards a pod that might go.
  void unknown_budgets() {
    if (!budgets_matter()) return;
    for (const PodDisruptionBudget& budget : cluster_.objects().disruption_budgets) {
      if (budget.status.disruptions_allowed != kUnknownDisruptions || !guards_some_candidate(budget)) continue;
      const std::string name =
          fmt::format("PodDisruptionBudget {}/{}", cluster_.text(budget.meta.ns), cluster_.text(budget.meta.name));
      gaps_.push_back({Gap::Kind::unmodelled, fmt::format("how many disruptions {} allows", name),
                       "which node is chosen, and which pods are evicted, may depend on it", true, true,
                       fmt::format("how many disruptions {} allows is not in the input", name)});
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
    const auto add = [&](std::string what, std::string weakens) {
      gaps_.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens)});
    };
    pod_groups();
    if (!pod().spec.has_priority && pod().spec.priority_class_name) {
      add("spec.priority is missing", "it counts as 0, as for the scheduler; the API server would have filled it in");
    }
    add_gaps(e_.running.gaps, gaps_);
  }

  // Where the gate is off they change nothing, and the answer says that they are there.
  void pod_groups() {
    const Release& release = e_.world.release();
    const bool own = in_a_group(e_.world, e_.subject);
    const auto decides = [&](Gap::Kind kind, std::string what, std::string because) {
      gaps_.push_back(
          {kind, std::move(what), "its pods are placed as one (GenericWorkload)", true, true, std::move(because)});
    };
    if (!release.has(Change::pod_groups)) {
      if (own) {
        gaps_.push_back({Gap::Kind::unmodelled, "scheduling groups",
                         "with the gates of 1.36 on, pods of a group are placed and evicted as one"});
      }
    } else if (release.has(Change::groups_of_workloads) || release.has(Change::groups_in_cycles)) {
      const std::string_view kind = kind_of_groups(release);
      if (own && lacks(cluster_.objects(), kind)) {
        decides(Gap::Kind::missing_kind, std::string(short_kind(kind)),
                fmt::format("it belongs to a group, and the input holds no {}s", short_kind(kind)));
      } else if (e_.decision.group && !e_.decision.as_group()) {
        decides(Gap::Kind::unmodelled, "its scheduling group", doubt(*e_.decision.group));
      }
    } else if (own || (e_.decision.ending == Ending::preempting && some_victim_has_group())) {
      decides(Gap::Kind::unmodelled, own ? "its scheduling group" : "scheduling groups of victims",
              own ? "it belongs to a scheduling group, and how those are placed is not modelled"
                  : "victims belong to scheduling groups, and how those are evicted is not modelled");
    }
  }

  // `the pods of its group ask for different things, …`
  [[nodiscard]] auto doubt(const GroupDecision& group) const -> std::string {
    const std::string of = fmt::format("{} pods of its group", group.waiting.size());
    switch (group.doubt) {
      case GroupDecision::Doubt::none: break;
      case GroupDecision::Doubt::one_by_one:
        return fmt::format("the {} are placed, and preempt, one behind the other (WorkloadAwarePreemption is off)", of);
      case GroupDecision::Doubt::topology:
        return "groups are tried on one set of nodes after the other (TopologyAwareWorkloadScheduling)";
      case GroupDecision::Doubt::claims: return "its group asks for devices, and how they are chosen is not modelled";
      case GroupDecision::Doubt::schedulers: return "the pods of its group name different schedulers";
      case GroupDecision::Doubt::unlike:
        return fmt::format("the {} that wait differ, and scores decide which of them gets which node", of);
      case GroupDecision::Doubt::beyond_nodes:
        return fmt::format("what {} says of one pod of its group hangs on where the scores put the others",
                           group.beyond == nullptr ? "" : group.beyond->name);
      case GroupDecision::Doubt::nominated:
        return "pods of its group are nominated to nodes, and which of them is tried first is left to chance";
      case GroupDecision::Doubt::not_all:
        return fmt::format("{} of the {} find room, and which of them get in is left to chance", group.room, of);
      case GroupDecision::Doubt::order:
        return fmt::format("{} pods in the cluster are equally important, and which of them stay is left to chance",
                           group.even.size());
      case GroupDecision::Doubt::error: return "a filter ends in an error for one of its nodes";
    }
    return {};
  }

  [[nodiscard]] auto some_victim_has_group() const -> bool {
    return std::any_of(e_.decision.candidates.begin(), e_.decision.candidates.end(), [&](NodeId node) {
      const auto& victims = e_.decision.nodes[node].run.victims;
      return std::any_of(victims.begin(), victims.end(),
                         [&](PodId victim) { return bool{cluster_.pod(victim).spec.scheduling_group.pod_group}; });
    });
  }

  [[nodiscard]] auto openshift(const std::set<Symbol>& namespaces) const -> bool {
    return std::any_of(namespaces.begin(), namespaces.end(),
                       [&](Symbol ns) { return cluster_.text(ns).starts_with("openshift"); });
  }

  // More pods only take room away, or are victims: a pod that fits might not, and one with victims might have others.
  [[nodiscard]] auto is_room_taken_for_free() const -> bool {
    return e_.decision.ending == Ending::scheduled || e_.decision.ending == Ending::preempting;
  }

  // What may refuse nodes, and nothing else: it changes nothing where no node takes the pod anyway.
  void may_refuse(Gap::Kind kind, std::string what, std::string weakens) {
    const bool decides = e_.decision.rests_on_filters();
    gaps_.push_back({kind, std::move(what), std::move(weakens), decides, decides});
  }

  void claims_on_devices() {
    if (e_.decision.devices == nullptr) return;
    if (resource_claims_of(cluster_, e_.subject).missing_kind) {
      may_refuse(Gap::Kind::missing_kind, "ResourceClaim", "which nodes have devices for the pod is not known");
      return;
    }
    // What fails on one node ends the attempt, whatever others have.
    if (e_.decision.ending == Ending::error && !e_.decision.score) return;
    add_gaps(devices::gaps_of(*e_.decision.devices, cluster_), gaps_);
  }

  // A resource that no node offers may be one that a device class of the cluster goes by, which the input lacks.
  void unknown_devices(ResourceId resource) {
    const std::string_view name = cluster_.text(e_.world.resource_name(resource));
    const Ending ending = e_.decision.ending;
    if (!e_.world.release().has(Change::extended_resources_of_devices) || e_.running.known_by == "assumed" ||
        name.find('/') == std::string_view::npos || (ending != Ending::unschedulable && ending != Ending::preempting) ||
        !lacks(cluster_.objects(), "resource.k8s.io/DeviceClass")) {
      return;
    }
    const auto& offered = e_.world.column(resource).allocatable;
    if (std::any_of(offered.begin(), offered.end(), [](std::int64_t amount) { return amount > 0; })) return;
    gaps_.push_back(
        {Gap::Kind::missing_kind, "DeviceClass",
         fmt::format("one of them may stand for {}, and then its driver's nodes can serve the pod", name), true, true,
         fmt::format("no node offers {}, and the input holds no DeviceClasses, one of which may stand for it", name)});
  }

  void unknown_devices() {
    const Placed incoming = e_.world.incoming(e_.subject);
    for (const Amount& amount : e_.world.amounts(incoming)) {
      if (amount.value > 0) unknown_devices(amount.resource);
    }
  }

  void default_spread() {
    if (profile_.settings.default_spread.empty() || !pod().spec.topology_spread.empty()) return;
    const auto& filters = profile_.filters;
    const bool runs = std::any_of(filters.begin(), filters.end(),
                                  [](const FilterInfo* info) { return info->name == "PodTopologySpread"; });
    const std::string_view lacking = lacking_for_default_spread(cluster_, pod());
    if (!runs || lacking.empty()) return;
    may_refuse(Gap::Kind::missing_kind, std::string(lacking),
               "the profile's default spread constraints count the pods that it selects");
  }

  void of_the_profile() {
    const Decision& d = e_.decision;
    const bool fits = !d.feasible.empty();
    const bool freed = !fits && d.rests_on_filters();
    for (const Unmodelled& u : profile_.unmodelled) {
      const bool asked = u.resources.empty() || wants_any(u.resources);
      switch (u.part) {
        case Unmodelled::Part::queueing:
          gaps_.push_back({Gap::Kind::unmodelled, u.what, "it may keep the pod from being tried", true, true});
          break;
        case Unmodelled::Part::filter: may_refuse(Gap::Kind::unmodelled, u.what, "it may refuse nodes"); break;
        case Unmodelled::Part::fits:
          gaps_.push_back({Gap::Kind::unmodelled, u.what, "it may refuse nodes on which the pod fits", asked && fits,
                           asked && fits});
          break;
        case Unmodelled::Part::victims:
          gaps_.push_back(
              {Gap::Kind::unmodelled, u.what, "it may refuse nodes or change victims", asked && freed, asked && freed});
          break;
        case Unmodelled::Part::later:
          gaps_.push_back({Gap::Kind::unmodelled, u.what, "it may hold the pod back once a node is chosen"});
          break;
      }
    }
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

  // Those that the attempt reaches before one that is modelled ends it.
  void post_filters() {
    const Decision& d = e_.decision;
    const bool asked =
        d.ending == Ending::unschedulable || d.ending == Ending::preempting || d.ending == Ending::preemption_error;
    if (!asked) return;
    std::size_t modelled = 0;
    for (const PostFilter& plugin : profile_.post_filters) {
      if (plugin.kind != PostFilter::Kind::unmodelled) {
        ++modelled;
      } else if (d.ending == Ending::unschedulable || modelled < d.steps.size()) {
        gaps_.push_back({Gap::Kind::unmodelled, fmt::format("PostFilter plugin {}", plugin.name),
                         "it may evict other pods, or keep preemption from running", true, true});
      }
    }
  }

  // A dump of one namespace looks emptier than the cluster is.
  void one_namespace() {
    const auto& [namespaces, running, by_users] = cluster_.derived<Population>();
    if (running == 0 && e_.world.node_count() > 0) {
      gaps_.push_back({Gap::Kind::missing_kind, "running pods", "every node counts as empty"});
    } else if (namespaces.size() == 1 && lacks(cluster_.objects(), "Namespace")) {
      gaps_.push_back({Gap::Kind::assumption,
                       fmt::format("the input holds all pods (all of them are in namespace {})",
                                   cluster_.text(*namespaces.begin())),
                       "if others run on these nodes, there is less room", false});
    } else if (by_users == 0 && openshift(namespaces)) {
      gaps_.push_back(
          {Gap::Kind::assumption,
           fmt::format("no pods run but those of the platform (all are in {}, named kube-* and openshift-*)",
                       counted(namespaces.size(), "namespace", "namespaces")),
           "a must-gather leaves out other pods; if they run on these nodes, there is less room"});
      gaps_.back().decides = is_room_taken_for_free();
      gaps_.back().because = "the input holds only the platform's pods, and others may run on these nodes";
    }
  }

  const Account& e_;
  const Profile& profile_;
  const Question& question_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps(const Account& account, const Question& question) -> std::vector<Gap> {
  return Gaps(account, question).run();
}

}  // namespace previct::kube
