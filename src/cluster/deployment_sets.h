#pragma once

#include "api/workloads.h"
#include "base/symbols.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace previct {

/// The ReplicaSets of a Deployment, as its controller distinguishes them.
struct DeploymentSets {
  const ReplicaSet* current = nullptr;        ///< the set of the Deployment's template; null: it does not exist yet
  std::vector<const ReplicaSet*> old_sets{};  ///< the others, the oldest first
  std::string unknown{};                      ///< why the input does not show them; empty: it does
};

/// The current set has the template of the Deployment, except for the label with its hash. Only what is read of
/// templates can be compared: if several sets are equal in that, the annotation of the Deployment with its revision
/// says which one it is. Without a template, or with several candidates, the sets are not known.
/// Source: kubernetes v1.35 pkg/controller/deployment/util/deployment_util.go FindNewReplicaSet, EqualIgnoreHash,
/// FindOldReplicaSets, SetDeploymentRevision; pkg/controller/controller_utils.go ReplicaSetsByCreationTimestamp.
/// `all`: the ReplicaSets that the Deployment controls.
[[nodiscard]] auto sets_of(const Deployment& deployment, std::vector<const ReplicaSet*> all, const Symbols& symbols)
    -> DeploymentSets;

/// Returns true if all pods have the template of the Deployment, which is quick to see: only one set wants pods, and it
/// has the template and the revision of the Deployment.
[[nodiscard]] auto is_rolled_out(const Deployment& deployment, const std::vector<const ReplicaSet*>& all,
                                 const Symbols& symbols) -> bool;

/// Returns true if the conditions of a ReplicaSet or ReplicationController say that its pods are refused.
[[nodiscard]] auto pods_are_refused(const std::vector<Condition>& conditions, const Symbols& symbols) -> bool;

/// Returns true if the input has the set as the API server stores it, with every pod that its status counts, and
/// nothing refuses new ones. `pods`: how many pods of the set the input has.
[[nodiscard]] auto is_whole(const ReplicaSet& set, std::size_t pods, const Symbols& symbols) -> bool;

/// The ReplicaSets that a Deployment controls, by its namespace and name.
[[nodiscard]] auto sets_by_deployment(const std::vector<ReplicaSet>& all, const Symbols& symbols)
    -> std::map<std::pair<Symbol, Symbol>, std::vector<const ReplicaSet*>>;

/// Returns true if the Deployment controls the set.
[[nodiscard]] auto controls(const Deployment& deployment, const ReplicaSet& set, const Symbols& symbols) -> bool;

/// Returns true if both templates are the same, as far as they are read and except for the label with their hash.
[[nodiscard]] auto same_template(const TemplateOfPods& one, const TemplateOfPods& other, const Symbols& symbols)
    -> bool;

}  // namespace previct
