#include "base/text.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/needs.h"
#include "engine/kai/words/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

// What a step costs the real scheduler for each node of the shard, as measured on 1,000 nodes (spec §17): to look at a
// victim, and to try a scenario. Seconds.
constexpr double kPerVictim = 0.8e-6;
constexpr double kPerScenario = 3e-6;
constexpr std::array<double, 2> kBudget = {30, 120};  // node-local, multi-node

class Gaps {
 public:
  explicit Gaps(const Explained& e) : e_(e), cluster_(e.cluster), gaps_(e.settings.gaps) {}

  auto all() -> std::vector<Gap> {
    missing_kinds();
    dropped_queues();
    chance();
    budgets();
    group_features();
    pod_features();
    affinity();
    return std::move(gaps_);
  }

 private:
  void unmodelled(std::string what, std::string weakens) {
    gaps_.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens)});
  }
  void assumed(std::string what, std::string weakens) {
    gaps_.push_back({Gap::Kind::assumption, std::move(what), std::move(weakens)});
  }

  void missing_kinds() {
    add_gaps(previct::missing_kinds(cluster_.objects(), kNeeds), gaps_);
    if (!e_.settings.shard_given) {
      assumed(fmt::format("SchedulingShard {} is not in the input; {}", e_.settings.shard,
                          without(kNeeds, "SchedulingShard")),
              "");
    }
    if (e_.subject.assumed != nullptr) assumed("the PodGroup that the default pod-grouper would make", "");
  }

  void dropped_queues() {
    for (const QueueTree::Dropped& dropped : e_.pool().tree().dropped()) {
      unmodelled(fmt::format("queue {} is left out, as by the scheduler: {}", cluster_.text(dropped.object->meta.name),
                             dropped.why),
                 "its groups are neither scheduled nor evicted");
    }
  }

  // Where upstream itself leaves the answer to the order of a map.
  void chance() {
    for (const std::string& name : e_.pool().colliding()) {
      unmodelled(fmt::format("several PodGroups are called {}", name),
                 "the scheduler knows groups by name alone and keeps any one of them, with the pods of all; the last "
                 "is taken here");
    }
    const std::vector<QueueId>& tied = e_.decision.cycle.shares().tied;
    if (!tied.empty()) {
      std::vector<std::string> names;
      for (const QueueId queue : tied) names.emplace_back(e_.pool().queue(queue).name);
      unmodelled(fmt::format("the last unit of a resource goes to any of the queues {}", joined(names, ", ")),
                 "equal fractions differ by rounding upstream; the older queue is taken here");
    }
    if (e_.decision.cycle.consolidation_cut()) {
      unmodelled("more groups could be consolidated than max-consolidation-preemptees allows",
                 "which ones the scheduler tries is left to chance");
    }
  }

  void budgets() {
    const Effort& longest = e_.decision.cycle.longest();
    const auto rooms = static_cast<double>(e_.pool().rooms().size());
    for (std::size_t g = 0; g < kBudget.size(); ++g) {
      const double seconds = rooms * (kPerVictim * static_cast<double>(longest.popped_by[g]) +
                                      kPerScenario * static_cast<double>(longest.scenarios_by[g]));
      if (seconds <= kBudget[g]) continue;
      unmodelled(fmt::format("the time limit of {} s on a {} search, which takes the scheduler about {:.0f} s here",
                             kBudget[g], g == 0 ? "node-local" : "multi-node", seconds),
                 "it gives up then and may find other victims, or none; the search here has no limit");
    }
  }

  void group_features() {
    std::size_t topology = 0;
    std::size_t backoff = 0;
    for (const GroupId id : e_.pool().groups().ids()) {
      const PodGroup* object = e_.pool().group(id).object;
      if (object == nullptr) continue;
      bool constrained = static_cast<bool>(object->spec.topology.topology);
      for (const SubGroup& sub : object->spec.sub_groups) constrained = constrained || sub.topology.topology;
      topology += constrained ? 1U : 0U;
      const bool waits = object->spec.scheduling_backoff && *object->spec.scheduling_backoff != -1;
      backoff += waits && !object->status.scheduling_conditions.empty() ? 1U : 0U;
    }
    if (topology > 0)
      unmodelled(fmt::format("topologyConstraint of {}", counted(topology, "group", "groups")),
                 "their pods are placed anywhere");
    if (backoff > 0)
      unmodelled(fmt::format("schedulingBackoff of {}", counted(backoff, "group", "groups")),
                 "they may be skipped in this cycle");
  }

  void pod_features() {
    struct Feature {
      const char* what;
      const char* weakens;
      std::size_t pods = 0;
    };
    std::array<Feature, 3> features = {
        {{"fractional GPUs (annotations gpu-fraction, gpu-memory)", "they are taken to need no GPU"},
         {"MIG devices (nvidia.com/mig-*)", "they are counted like any other resource"},
         {"resource claims (DRA)", "devices are not checked"}}};
    const std::array<Symbol, 2> fraction = {cluster_.symbol("gpu-fraction"), cluster_.symbol("gpu-memory")};
    for (const TaskId id : e_.pool().tasks().ids()) {
      const Pod& pod = cluster_.pod(e_.pool().task(id).pod);
      const auto has = [&](Symbol key) { return key && pod.meta.annotations.has(key); };
      features[0].pods += std::any_of(fraction.begin(), fraction.end(), has) ? 1U : 0U;
      features[2].pods += pod.spec.has_resource_claims ? 1U : 0U;
      bool mig = false;
      for (const Container& c : pod.spec.containers) {
        for (const auto& [name, quantity] : c.resources.requests) {
          mig = mig || cluster_.text(name).starts_with("nvidia.com/mig-");
        }
      }
      features[1].pods += mig ? 1U : 0U;
    }
    for (const Feature& feature : features) {
      if (feature.pods > 0)
        unmodelled(fmt::format("{} of {}", feature.what, counted(feature.pods, "pod", "pods")), feature.weakens);
    }
  }

  void affinity() {
    std::size_t pods = 0;
    for (const TaskId id : e_.pool().tasks().ids()) {
      const Affinity& affinity = cluster_.pod(e_.pool().task(id).pod).spec.affinity;
      const bool has = !affinity.pod.required.empty() || !affinity.pod_anti.required.empty();
      pods += has && e_.pool().task(id).status == Status::pending ? 1U : 0U;
    }
    if (pods == 0) return;
    unmodelled(
        fmt::format("pod affinity of {} to pods placed in this cycle on other nodes", counted(pods, "pod", "pods")),
        "affinity to running pods and on the same node is; preferences only order nodes and are not");
  }

  const Explained& e_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps(const Explained& explained) -> std::vector<Gap> {
  return Gaps(explained).all();
}

}  // namespace previct::kai
