#pragma once

#include "api/meta.h"

#include <vector>

/// The objects of rbac.authorization.k8s.io/v1 that say which users may change the objects that decide.
/// Source: k8s.io/api: rbac/v1/types.go.
namespace previct::rbac {

struct PolicyRule {
  std::vector<Symbol> verbs;
  std::vector<Symbol> api_groups;  ///< the core group is none
  std::vector<Symbol> resources;
  std::vector<Symbol> resource_names;  ///< empty: every object

  template <class Field>
  friend void describe(Field& field, PolicyRule& self) {
    field("verbs", self.verbs);
    field("apiGroups", self.api_groups);
    field("resources", self.resources);
    field("resourceNames", self.resource_names);
  }
};

struct AggregationRule {
  std::vector<LabelSelector> cluster_role_selectors;

  template <class Field>
  friend void describe(Field& field, AggregationRule& self) {
    field("clusterRoleSelectors", self.cluster_role_selectors);
  }
};

struct RoleRef {
  Symbol kind;
  Symbol name;

  template <class Field>
  friend void describe(Field& field, RoleRef& self) {
    field("kind", self.kind);
    field("name", self.name);
  }
};

struct Subject {
  Symbol kind;  ///< `User`, `Group` or `ServiceAccount`
  Symbol name;
  Symbol ns;  ///< of a ServiceAccount

  template <class Field>
  friend void describe(Field& field, Subject& self) {
    field("kind", self.kind);
    field("name", self.name);
    field("namespace", self.ns);
  }
};

struct ClusterRole {
  ObjectMeta meta;
  std::vector<PolicyRule> rules;
  std::optional<AggregationRule> aggregation_rule;

  template <class Field>
  friend void describe(Field& field, ClusterRole& self) {
    field("metadata", self.meta);
    field("rules", self.rules);
    field("aggregationRule", self.aggregation_rule);
  }
};

struct ClusterRoleBinding {
  ObjectMeta meta;
  RoleRef role_ref;
  std::vector<Subject> subjects;

  template <class Field>
  friend void describe(Field& field, ClusterRoleBinding& self) {
    field("metadata", self.meta);
    field("roleRef", self.role_ref);
    field("subjects", self.subjects);
  }
};

struct Role {
  ObjectMeta meta;
  std::vector<PolicyRule> rules;

  template <class Field>
  friend void describe(Field& field, Role& self) {
    field("metadata", self.meta);
    field("rules", self.rules);
  }
};

struct RoleBinding {
  ObjectMeta meta;
  RoleRef role_ref;
  std::vector<Subject> subjects;

  template <class Field>
  friend void describe(Field& field, RoleBinding& self) {
    field("metadata", self.meta);
    field("roleRef", self.role_ref);
    field("subjects", self.subjects);
  }
};

}  // namespace previct::rbac
