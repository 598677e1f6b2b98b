#include "prove/classes.h"

#include "engine/kube/known.h"
#include "engine/kube/tolerance.h"
#include "prove/invariants/at_most_victims.h"

#include <algorithm>

namespace previct::prove {
namespace {

using Toleration = ClassEffect::Toleration;

// Judges the tolerations of classes, for preemptors of the classes of the input.
class Shields {
 public:
  Shields(const Snapshot& cluster, Instant now) : cluster_(cluster), now_(now) {}

  [[nodiscard]] auto effect_of(const PriorityClass& shielded) const -> std::optional<Toleration> {
    const kube::TolerationPolicy policy = kube::toleration_policy(shielded, cluster_.symbols());
    if (policy.malformed || !policy.minimum_number) return {};
    const std::vector<PodId> pods = pods_of(shielded.meta.name);
    if (pods.empty()) return Toleration::no_pods;
    const std::vector<std::int32_t> preemptors = values_below(policy.minimum_preemptable_priority, shielded.value);
    if (preemptors.empty()) return Toleration::no_preemptors;
    return any_tolerates(pods, preemptors) ? Toleration::protects : Toleration::over;
  }

  [[nodiscard]] auto pods_of(Symbol name) const -> std::vector<PodId> {
    std::vector<PodId> pods;
    for (const PodId pod : cluster_.pods().ids()) {
      const bool runs = cluster_.node_of(pod) && !cluster_.finished(pod);
      if (runs && cluster_.pod(pod).spec.priority_class_name == name) pods.push_back(pod);
    }
    return pods;
  }

 private:
  // The values of classes that may preempt, between these two.
  [[nodiscard]] auto values_below(std::int64_t minimum, std::int64_t value) const -> std::vector<std::int32_t> {
    std::vector<std::int32_t> values;
    for (const PriorityClass& each : cluster_.objects().priority_classes) {
      if (each.value > value && each.value < minimum && each.preemption_policy != cluster_.known().never)
        values.push_back(each.value);
    }
    return values;
  }

  [[nodiscard]] auto any_tolerates(const std::vector<PodId>& pods, const std::vector<std::int32_t>& preemptors) const
      -> bool {
    return std::any_of(preemptors.begin(), preemptors.end(), [&](std::int32_t priority) {
      const kube::Tolerances tolerances(cluster_, priority);
      return std::any_of(pods.begin(), pods.end(), [&](PodId pod) {
        Moment now(now_);
        return tolerances.of(pod, now).answer == kube::Tolerance::Answer::yes;
      });
    });
  }

  const Snapshot& cluster_;
  Instant now_;
};

auto heeds_tolerations(const Snapshot& cluster, const Question& question) -> Result<bool> {
  PREVICT_TRY(const std::vector<std::string> names, kube::preemptors_schedulers(cluster, question));
  for (const std::string& name : names) {
    PREVICT_TRY(const std::optional<kube::Profile> profile, kube::profile_for(cluster, name, question));
    if (profile && profile->tolerates()) return true;
  }
  return false;
}

auto evicts_nobody(const Snapshot& cluster) -> Result<std::unique_ptr<Invariant>> {
  return std::make_unique<AtMostVictims>(cluster, 0);
}

auto power_of(ClassEffect& found, const Task& task, Classes& classes) -> Result<void> {
  Space space = task.space;
  space.priorities = {found.value, found.value};
  PREVICT_TRY(Proof proof, prove({.engine = task.engine,
                                  .objects = task.objects,
                                  .cluster = task.cluster,
                                  .question = task.question,
                                  .space = space,
                                  .make = evicts_nobody}));
  if (proof.doubt) found.doubt = proof.doubt->first;
  found.evicts = std::move(proof.broken);
  classes.behaves = proof.behaves;
  add_gaps(proof.gaps, classes.gaps);
  return {};
}

}  // namespace

auto classes_of(const Task& task) -> Result<Classes> {
  Classes classes;
  classes.engine = task.engine.name();
  const Snapshot& cluster = task.cluster;
  const Shields shields(cluster, task.space.from);
  PREVICT_TRY(const bool heeded, heeds_tolerations(cluster, task.question));
  for (const PriorityClass& each : task.objects.priority_classes) {
    ClassEffect& found = classes.all.emplace_back();
    found.name = cluster.text(each.meta.name);
    found.value = each.value;
    found.never_preempts = each.preemption_policy == cluster.known().never;
    found.pods = shields.pods_of(each.meta.name).size();
    if (heeded) found.toleration = shields.effect_of(each);
  }
  if (classes.all.empty()) return fail("the input has no PriorityClass");
  for (ClassEffect& each : classes.all) {
    if (!each.never_preempts) PREVICT_CHECK(power_of(each, task, classes));
  }
  std::stable_sort(classes.all.begin(), classes.all.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  return classes;
}

}  // namespace previct::prove
