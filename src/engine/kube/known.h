#pragma once

#include "engine/engine.h"
#include "engine/kube/disruption.h"
#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/profile.h"
#include "engine/kube/release.h"

#include <deque>
#include <optional>
#include <string>

namespace previct::kube {

/// What has changed since another state of the cluster.
struct ChangedSince {
  std::vector<PodId> pods;  ///< also those that were added
  bool budgets = false;     ///< a budget may have changed, or to which pods one applies
};

/// The state shared by all questions about one cluster and one release, created once (Snapshot::derived).
struct SharedState {
  SharedState(const Snapshot& cluster, const Release& release) : node_infos(cluster, release), budgets(node_infos) {}
  /// Reuses the state of another release whose snapshot is the same for this one.
  SharedState(const SharedState& other, const Release& release)
      : node_infos(other.node_infos, release), budgets(other.budgets) {}
  /// Reuses the state of the same release before some pods, nodes and budgets changed.
  SharedState(const Snapshot& cluster, const SharedState& before, const ChangedSince& changes)
      : node_infos(cluster, before.node_infos, changes.pods),
        budgets(changes.budgets ? Budgets(node_infos) : before.budgets) {}
  NodeInfoSnapshot node_infos;
  Budgets budgets;

  /// The profile for one combination of the question's settings.
  struct Served {
    std::string scheduler;
    Switch plugin = Switch::automatic;
    std::optional<std::string> configuration;
    std::optional<Profile> profile;
  };
  std::deque<Served> served;
};

[[nodiscard]] auto known_of(const Snapshot& cluster, const Release& release) -> SharedState&;

/// Lets known_of() reuse for `cluster` what is known of `before`; see Engine::take_over.
void take_over_known(const Snapshot& before, const ChangedCluster& changes, const Snapshot& cluster);

/// Copies what is known_of() a snapshot to another one of the same objects; see Engine::copy_derived.
void copy_known(const Snapshot& from, const Snapshot& cluster);

/// Returns the profile that serves the pods of a schedulerName, or none if there is no such profile. It is read once
/// for all equal questions.
[[nodiscard]] auto known_profile(SharedState& known, const std::string& scheduler_name, const Question& question)
    -> Result<const std::optional<Profile>*>;

/// Profiles whose pods preempt in the same way.
struct Preemptors {
  Preempting how = Preempting::by_priority;
  std::vector<std::string> schedulers;   ///< their schedulerNames, in the order of the configuration or by name
  std::vector<const Profile*> profiles;  ///< the profiles of these schedulerNames
};

/// Returns the schedulerNames of all pods that may preempt on the nodes of this kube-scheduler: those of the given
/// configuration; without one, those of its pods, or default-scheduler if it has no pods. Question::preemptor_scheduler
/// restricts them to one.
[[nodiscard]] auto preemptors_schedulers(const Snapshot& cluster, const Question& question)
    -> Result<std::vector<std::string>>;

/// Returns their profiles, grouped by how they preempt. A schedulerName without a profile is left out.
[[nodiscard]] auto known_preemptors(SharedState& known, const Question& question) -> Result<std::vector<Preemptors>>;

}  // namespace previct::kube
