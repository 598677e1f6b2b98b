#pragma once

#include "api/kind_info.h"
#include "cluster/snapshot.h"

#include <string_view>
#include <vector>

/// Which users may change the objects that decide, as far as the RBAC objects of the input grant it.
namespace previct {

/// What one binding lets one subject do to objects of a kind that stands in no namespace.
struct Right {
  const rbac::Subject* subject = nullptr;
  const rbac::ClusterRoleBinding* binding = nullptr;
  std::vector<std::string_view> verbs;  ///< of create, update, patch and delete, in this order
  std::vector<Symbol> names;            ///< of the objects; empty: all of them

  [[nodiscard]] auto covers(Symbol name) const -> bool;
  [[nodiscard]] auto may_edit() const -> bool;  ///< has update or patch
};

struct Access {
  std::vector<Right> rights;  ///< by binding, in input order
  /// Bindings whose ClusterRole the input lacks, so that it is not known what they grant.
  std::vector<const rbac::ClusterRoleBinding*> unknown;
  /// RoleBindings of roles that name the kind: they grant nothing, as it stands in no namespace.
  std::vector<const rbac::RoleBinding*> in_vain;
};

/// The rights to change objects of a kind of the cluster's scope. A rule with resourceNames never grants `create`.
/// The rules of an aggregated ClusterRole are its own and those of all that it selects.
/// Source: kubernetes: plugin/pkg/auth/authorizer/rbac/rbac.go, pkg/apis/rbac/v1/evaluation_helpers.go,
/// pkg/controller/clusterroleaggregation; v1.35.
[[nodiscard]] auto access_to(const KindInfo& kind, const Snapshot& cluster) -> Access;

/// Does the input hold RBAC objects at all?
[[nodiscard]] auto has_rbac(const Stores& stores) -> bool;

}  // namespace previct
