#include "engine/kube/known.h"

#include "cluster/changed_cluster.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::kube {
namespace {

/// The schedulerNames of the pods that no other engine takes.
struct SchedulersOfPods {
  explicit SchedulersOfPods(const Snapshot& cluster) {
    std::set<Symbol> seen;
    for (const PodId pod : cluster.pods().ids()) {
      if (!seen.insert(cluster.pod(pod).spec.scheduler_name).second) continue;
      const Engine* const engine = engine_of(engines(), cluster, pod);
      std::string name = scheduler_of(cluster, pod);
      if (engine != nullptr && engine->name() == "kube" && !is_foreign(name)) names.insert(std::move(name));
    }
    if (names.empty()) names.emplace(upstream::kDefaultScheduler);
  }

  std::set<std::string> names;
};

struct StatesByRelease {
  explicit StatesByRelease(const Snapshot& /*cluster*/) {}
  std::map<Release, SharedState> known;
  const StatesByRelease* before = nullptr;  // of the cluster before these changes
  ChangedSince changes{};
};

// Finds a release with the same view of the cluster, which most releases share.
auto with_same_view(std::map<Release, SharedState>& known, const Release& release) {
  return std::find_if(known.begin(), known.end(),
                      [&](const auto& entry) { return entry.second.node_infos.holds_for(release); });
}

// Returns true if a budget may apply to other pods than before.
auto may_move_budgets(const ChangedCluster& changes, const std::vector<PodId>& pods) -> bool {
  return changes.changes_budgets() || std::any_of(pods.begin(), pods.end(), [&](PodId id) {
           if (id.index >= changes.pods_before()) return true;
           const ObjectMeta& now = changes.objects().pods[id].meta;
           const ObjectMeta& then = changes.before(id).meta;
           return now.ns != then.ns || now.name != then.name || now.labels != then.labels;
         });
}

}  // namespace

auto known_of(const Snapshot& cluster, const Release& release) -> SharedState& {
  StatesByRelease& releases = cluster.derived<StatesByRelease>();
  std::map<Release, SharedState>& known = releases.known;
  if (const auto at = known.find(release); at != known.end()) return at->second;
  if (releases.before != nullptr) {
    if (const auto at = releases.before->known.find(release); at != releases.before->known.end())
      return known.try_emplace(release, cluster, at->second, releases.changes).first->second;
  }
  const auto alike = with_same_view(known, release);
  if (alike != known.end()) return known.try_emplace(release, alike->second, release).first->second;
  return known.try_emplace(release, cluster, release).first->second;
}

void take_over_known(const Snapshot& before, const ChangedCluster& changes, const Snapshot& cluster) {
  StatesByRelease& releases = cluster.derived<StatesByRelease>();
  releases.before = &before.derived<StatesByRelease>();
  releases.changes.pods = changes.changed_pods();
  releases.changes.budgets = may_move_budgets(changes, releases.changes.pods);
}

void copy_known(const Snapshot& from, const Snapshot& cluster) {
  std::map<Release, SharedState>& known = cluster.derived<StatesByRelease>().known;
  for (const auto& [release, state] : from.derived<StatesByRelease>().known) {
    const auto alike = with_same_view(known, release);
    const auto copy = alike == known.end() ? known.try_emplace(release, cluster, state, ChangedSince{})
                                           : known.try_emplace(release, alike->second, release);
    copy.first->second.served = state.served;
  }
}

auto known_profile(SharedState& known, const std::string& scheduler_name, const Question& question)
    -> Result<const std::optional<Profile>*> {
  std::deque<SharedState::Served>& served = known.served;
  SharedState::Served wanted{
      .scheduler = scheduler_name, .plugin = question.toleration_switch(), .configuration = {}, .profile = {}};
  if (question.scheduler_config) wanted.configuration = question.scheduler_config->bytes;
  for (const SharedState::Served& each : served) {
    const bool same = each.scheduler == wanted.scheduler && each.plugin == wanted.plugin;
    if (same && each.configuration == wanted.configuration) return &each.profile;
  }
  PREVICT_TRY(wanted.profile, profile_for(known.node_infos.cluster(), scheduler_name, question));
  return &served.emplace_back(std::move(wanted)).profile;
}

auto preemptors_schedulers(const Snapshot& cluster, const Question& question) -> Result<std::vector<std::string>> {
  if (!question.preemptor_scheduler.empty()) return std::vector{question.preemptor_scheduler};
  PREVICT_TRY(std::vector<std::string> names, profile_names(cluster, question));
  if (!names.empty()) return names;
  const std::set<std::string>& of_pods = cluster.derived<SchedulersOfPods>().names;
  return std::vector<std::string>(of_pods.begin(), of_pods.end());
}

auto known_preemptors(SharedState& known, const Question& question) -> Result<std::vector<Preemptors>> {
  PREVICT_TRY(const std::vector<std::string> names, preemptors_schedulers(known.node_infos.cluster(), question));
  std::vector<Preemptors> found;
  for (const std::string& name : names) {
    PREVICT_TRY(const std::optional<Profile>* profile, known_profile(known, name, question));
    if (!*profile) continue;
    const Preempting how = (*profile)->preempting();
    auto alike = std::find_if(found.begin(), found.end(), [&](const Preemptors& each) { return each.how == how; });
    if (alike == found.end()) alike = found.insert(found.end(), {how, {}, {}});
    alike->schedulers.push_back(name);
    alike->profiles.push_back(&**profile);
  }
  return found;
}

}  // namespace previct::kube
