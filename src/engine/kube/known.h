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
    Symbol scheduler;
    Switch plugin = Switch::automatic;
    std::optional<std::string> configuration;
    std::optional<Profile> profile;
  };
  std::deque<Served> served;
};

[[nodiscard]] auto known_of(const Snapshot& cluster, const Release& release) -> Known&;

/// The profile that takes the pod; none if no profile is called as its scheduler. Read once for all questions alike.
[[nodiscard]] auto known_profile(Known& known, const Pod& pod, const Question& question)
    -> Result<const std::optional<Profile>*>;

}  // namespace previct::kube
