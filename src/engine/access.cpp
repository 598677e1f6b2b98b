#include "engine/access.h"

#include "cluster/matching.h"

#include <algorithm>
#include <array>
#include <span>

namespace previct {
namespace {

constexpr std::array<std::string_view, 4> kVerbs = {"create", "update", "patch", "delete"};
constexpr std::string_view kAny = "*";

class Reading {
 public:
  Reading(const KindInfo& kind, const Snapshot& cluster)
      : kind_(kind), cluster_(cluster), roles_(cluster.objects().cluster_roles) {
    for (const rbac::ClusterRole& role : roles_) rules_.push_back(rules_of(role));
  }

  [[nodiscard]] auto run() const -> Access {
    Access access;
    const Objects& objects = cluster_.objects();
    for (const rbac::ClusterRoleBinding& binding : objects.cluster_role_bindings) {
      const auto role = role_named(binding.role_ref.name);
      if (role == roles_.end()) {
        access.unknown.push_back(&binding);
        continue;
      }
      for (const rbac::PolicyRule* rule : rules_[index_of(role)]) add_rights(binding, *rule, access);
    }
    for (const rbac::RoleBinding& binding : objects.role_bindings) {
      if (is_in_vain(binding)) access.in_vain.push_back(&binding);
    }
    return access;
  }

 private:
  using Rules = std::vector<const rbac::PolicyRule*>;
  using RoleIterator = std::vector<rbac::ClusterRole>::const_iterator;

  [[nodiscard]] auto role_named(Symbol name) const -> RoleIterator {
    return std::find_if(roles_.begin(), roles_.end(),
                        [&](const rbac::ClusterRole& role) { return role.meta.name == name; });
  }
  [[nodiscard]] auto index_of(RoleIterator role) const -> std::size_t {
    return static_cast<std::size_t>(role - roles_.begin());
  }

  // The rules about the kind. Roles may select each other: each counts once.
  [[nodiscard]] auto rules_of(const rbac::ClusterRole& first) const -> Rules {
    Rules rules;
    std::vector<const rbac::ClusterRole*> reached = {&first};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const rbac::ClusterRole& role = *reached[i];
      for (const rbac::PolicyRule& rule : role.rules) {
        if (is_about_kind(rule)) rules.push_back(&rule);
      }
      if (!role.aggregation_rule) continue;
      for (const LabelSelector& selector : role.aggregation_rule->cluster_role_selectors) {
        for (const rbac::ClusterRole& other : roles_) {
          if (std::find(reached.begin(), reached.end(), &other) == reached.end() &&
              matches(selector, other.meta.labels, cluster_.objects().symbols))
            reached.push_back(&other);
        }
      }
    }
    return rules;
  }

  [[nodiscard]] auto holds(const std::vector<Symbol>& words, std::string_view word) const -> bool {
    return std::any_of(words.begin(), words.end(), [&](Symbol each) {
      const std::string_view text = cluster_.text(each);
      return text == word || text == kAny;
    });
  }

  [[nodiscard]] auto is_about_kind(const rbac::PolicyRule& rule) const -> bool {
    return holds(rule.api_groups, kind_.group) && holds(rule.resources, kind_.plural) && !verbs_of(rule).empty();
  }

  [[nodiscard]] auto verbs_of(const rbac::PolicyRule& rule) const -> std::vector<std::string_view> {
    std::vector<std::string_view> verbs;
    for (const std::string_view verb : kVerbs) {
      // An object that is to be created has no name yet that could be compared.
      if (verb == "create" && !rule.resource_names.empty()) continue;
      if (holds(rule.verbs, verb)) verbs.push_back(verb);
    }
    return verbs;
  }

  void add_rights(const rbac::ClusterRoleBinding& binding, const rbac::PolicyRule& rule, Access& access) const {
    for (const rbac::Subject& subject : binding.subjects)
      access.rights.push_back({&subject, &binding, verbs_of(rule), rule.resource_names});
  }

  [[nodiscard]] auto is_in_vain(const rbac::RoleBinding& binding) const -> bool {
    if (cluster_.text(binding.role_ref.kind) == "ClusterRole") {
      // Roles for everything (cluster-admin, edit) are meant for what stands in the namespace.
      const auto role = role_named(binding.role_ref.name);
      return role != roles_.end() && std::any_of(rules_[index_of(role)].begin(), rules_[index_of(role)].end(),
                                                 [&](const auto* rule) { return names_kind(*rule); });
    }
    const auto& roles = cluster_.objects().roles;
    return std::any_of(roles.begin(), roles.end(), [&](const rbac::Role& role) {
      return role.meta.ns == binding.meta.ns && role.meta.name == binding.role_ref.name &&
             std::any_of(role.rules.begin(), role.rules.end(),
                         [&](const rbac::PolicyRule& rule) { return is_about_kind(rule) && names_kind(rule); });
    });
  }

  [[nodiscard]] auto names_kind(const rbac::PolicyRule& rule) const -> bool {
    return std::any_of(rule.resources.begin(), rule.resources.end(),
                       [&](Symbol each) { return cluster_.text(each) == kind_.plural; });
  }

  const KindInfo& kind_;
  const Snapshot& cluster_;
  const std::vector<rbac::ClusterRole>& roles_;
  std::vector<Rules> rules_;  // of each role
};

}  // namespace

auto Right::covers(Symbol name) const -> bool {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

auto Right::may_edit() const -> bool {
  return std::any_of(verbs.begin(), verbs.end(),
                     [](std::string_view verb) { return verb == "update" || verb == "patch"; });
}

auto access_to(const KindInfo& kind, const Snapshot& cluster) -> Access {
  return Reading(kind, cluster).run();
}

auto has_rbac(const Stores& stores) -> bool {
  return !stores.cluster_roles.empty() || !stores.cluster_role_bindings.empty() || !stores.roles.empty() ||
         !stores.role_bindings.empty();
}

}  // namespace previct
