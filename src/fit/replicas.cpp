#include "engine/kube/claim_changes.h"
#include "engine/kube/volume_changes.h"
#include "fit/fit.h"
#include "overlay/limits.h"
#include "overlay/pod_copies.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::fit {
namespace {

class Replicating {
 public:
  Replicating(const Task& task, std::size_t& tried)
      : task_(task),
        changed_(task.objects),
        subject_(task.objects.pods[task.pod]),
        quotas_(task.objects.resource_quotas),
        tried_(tried),
        most_runs_(most_runs(task.objects)) {}

  auto run() -> Result<Replicas> {
    Replicas result{.asked = task_.replicas};
    Question question = task_.question;
    question.brief = true;
    // If the pod is already on a node, copies of it are evaluated.
    const bool runs = static_cast<bool>(subject_.spec.node_name);
    if (runs) {
      subject_.spec.node_name = {};
      subject_.status = {};
      subject_.status.phase = changed_.objects().symbols.intern("Pending");
      subject_.meta.deleting.reset();
    }
    PodId id = runs ? another(1) : task_.pod;
    while (true) {
      if (!result.copies.empty() && !knows_devices()) {
        result.undecided = true;
        result.ending = fmt::format("cannot tell, because the devices that {} gives to the copies before are not known",
                                    task_.engine.name());
        break;
      }
      // The status of quotas counts the pod itself, which exists.
      if (id != task_.pod && is_refused(id, result)) break;
      question.name = changed_.objects().symbols.text(changed_.objects().pods[id].meta.name);
      ++tried_;
      const Snapshot cluster(changed_.objects());
      PREVICT_TRY(Verdict verdict, task_.engine.decide(cluster, question));
      const std::vector<std::string> nodes = nodes_of(verdict, cluster);
      const bool in_vain = evicts_in_vain(verdict, cluster, task_);
      if (!is_schedulable_within(verdict, task_.limits) || in_vain || nodes.empty()) {
        result.undecided = verdict.outcome == Outcome::unknown;
        result.ending = tell(cluster, question, std::move(verdict)).sentence + (in_vain ? ", which frees nothing" : "");
        break;
      }
      Copy copy{.node = verdict.node.empty() ? nodes.front() : verdict.node};
      const NodeId chosen = cluster.find_node(cluster.symbol(copy.node));
      const kube::VolumeChanges volumes = kube::volumes_of_placed(verdict, chosen);
      for (const PodId victim : victims_of_one_end(verdict)) {
        copy.victims.push_back(cluster.key(victim));
        count_in_quotas(cluster.pod(victim), false, quotas_, cluster);
        changed_.evict(victim);
      }
      for (const PodId other : possible_victims(verdict)) {
        const std::string key = cluster.key(other);
        if (std::find(copy.victims.begin(), copy.victims.end(), key) == copy.victims.end())
          copy.instead_of_some.push_back(key);
      }
      PREVICT_CHECK(take_devices(id, chosen, std::move(verdict), cluster, question));
      take_volumes(volumes, chosen);
      changed_.bind(id, cluster.symbols().intern(copy.node), task_.question.now);
      result.copies.push_back(std::move(copy));
      if (result.copies.size() == result.asked) break;
      result.cut = tried_ >= most_runs_;
      if (result.cut) break;
      id = another(result.copies.size() + (runs ? 1 : 0));
    }
    return result;
  }

 private:
  // Only kube-scheduler's choice of devices is known.
  [[nodiscard]] auto knows_devices() const -> bool {
    return subject_.spec.resource_claims.empty() || task_.engine.preempts_by_priority_class();
  }

  // Admission comes before the scheduler.
  auto is_refused(PodId id, Replicas& result) -> bool {
    if (quotas_.empty()) return false;
    const Snapshot cluster(changed_.objects());
    const std::string why = quota_refusal(cluster.pod(id), quotas_, cluster);
    if (why.empty()) {
      count_in_quotas(cluster.pod(id), true, quotas_, cluster);
      return false;
    }
    result.ending = fmt::format("would be refused by the API server: {}", why);
    return true;
  }

  auto another(std::size_t number) -> PodId {
    Symbols& symbols = changed_.objects().symbols;
    const std::string name = fmt::format("{}-copy-{}", symbols.text(subject_.meta.name), number);
    return add_copy(subject_, symbols.intern(name), task_.question.now, changed_);
  }

  // The next copy cannot get the devices of this one, which its claims hold from now on.
  auto take_devices(PodId id, NodeId chosen, Verdict verdict, const Snapshot& cluster, const Question& question)
      -> Result<void> {
    if (kube::devices_of(verdict) == nullptr) return {};
    std::vector<kube::ClaimChange> changes;
    if (verdict.victims.empty()) {
      changes = kube::claims_of_placed(cluster, id, chosen, kube::devices_of(verdict));
    } else {
      // Those of the victims are free now.
      const Snapshot after(changed_.objects());
      ++tried_;
      PREVICT_TRY(verdict, task_.engine.decide(after, question));
      changes = kube::claims_of_placed(after, id, chosen, kube::devices_of(verdict));
    }
    kube::apply(changes, changed_.resource_claims());
    return {};
  }

  // Nor can it use the volumes that this one takes.
  void take_volumes(const kube::VolumeChanges& placed, NodeId node) {
    if (placed.empty()) return;
    kube::apply(placed, changed_);
    const Snapshot after(changed_.objects());
    kube::apply(kube::volumes_of_bound(after, placed, node), changed_);
  }

  const Task& task_;
  ChangedCluster changed_;
  Pod subject_;
  std::vector<ResourceQuota> quotas_;  // with the copies made so far
  std::size_t& tried_;
  std::size_t most_runs_;
};

}  // namespace

auto replicate(const Task& task, std::size_t& tried) -> Result<Replicas> {
  return Replicating(task, tried).run();
}

}  // namespace previct::fit
