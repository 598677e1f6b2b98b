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

/// What every question about a cluster and one release needs, made once (Snapshot::derived).
struct Known {
  Known(const Snapshot& cluster, const Release& release) : node_infos(cluster, release), budgets(node_infos) {}
  /// That of another release whose picture holds for this one.
  Known(const Known& other, const Release& release) : node_infos(other.node_infos, release), budgets(other.budgets) {}
  NodeInfoSnapshot node_infos;
  Budgets budgets;

  /// A profile as a question wants it.
  struct Served {
    std::string scheduler;
    Switch plugin = Switch::automatic;
    std::optional<std::string> configuration;
    std::optional<Profile> profile;
  };
  std::deque<Served> served;
};

[[nodiscard]] auto known_of(const Snapshot& cluster, const Release& release) -> Known&;

/// The profile that takes the pods of a schedulerName; none if no profile is called so. Read once for all questions
/// alike.
[[nodiscard]] auto known_profile(Known& known, const std::string& scheduler_name, const Question& question)
    -> Result<const std::optional<Profile>*>;

/// Profiles whose pods preempt in one way.
struct Preemptors {
  Preempting how = Preempting::by_priority;
  std::vector<std::string> schedulers;   ///< their schedulerNames, in the order of the configuration or by name
  std::vector<const Profile*> profiles;  ///< of these
};

/// The schedulerNames of all pods that may preempt on the nodes of this kube-scheduler: those of the configuration
/// given; without one, those of its pods, or default-scheduler if it has none. Question::preemptor_scheduler leaves
/// one.
[[nodiscard]] auto preemptors_schedulers(const Snapshot& cluster, const Question& question)
    -> Result<std::vector<std::string>>;

/// Their profiles, by how they preempt. A schedulerName without a profile has none.
[[nodiscard]] auto known_preemptors(Known& known, const Question& question) -> Result<std::vector<Preemptors>>;

}  // namespace previct::kube
