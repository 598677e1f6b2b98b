#pragma once

#include "api/dynamic_resources.h"
#include "api/limits.h"
#include "api/load.h"
#include "api/meta.h"
#include "api/pod.h"
#include "engine/gap.h"

#include <map>
#include <set>
#include <string>
#include <vector>

/// Objects that the API server applies when a pod is created, and that a budget's controller uses. No scheduler reads
/// them, so they are only read if there is an overlay.
namespace previct {

/// A requirement on the pods that a quota counts.
struct ScopeRequirement {
  Symbol scope;
  Symbol op;
  std::vector<Symbol> values;

  template <class Field>
  friend void describe(Field& field, ScopeRequirement& self) {
    field("scopeName", self.scope);
    field("operator", self.op);
    field("values", self.values);
  }
};
struct ScopeSelector {
  std::vector<ScopeRequirement> requirements;

  template <class Field>
  friend void describe(Field& field, ScopeSelector& self) {
    field("matchExpressions", self.requirements);
  }
};
struct ResourceQuotaSpec {
  ResourceList hard;
  std::vector<Symbol> scopes;
  ScopeSelector scope_selector;

  template <class Field>
  friend void describe(Field& field, ResourceQuotaSpec& self) {
    field("hard", self.hard);
    field("scopes", self.scopes);
    field("scopeSelector", self.scope_selector);
  }
};
struct ResourceQuotaStatus {
  ResourceList hard;
  ResourceList used;

  template <class Field>
  friend void describe(Field& field, ResourceQuotaStatus& self) {
    field("hard", self.hard);
    field("used", self.used);
  }
};
struct ResourceQuota {
  ObjectMeta meta;
  ResourceQuotaSpec spec;
  ResourceQuotaStatus status;

  template <class Field>
  friend void describe(Field& field, ResourceQuota& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct WebhookRule {
  std::vector<Symbol> operations;
  std::vector<Symbol> resources;
  std::vector<Symbol> api_groups;

  template <class Field>
  friend void describe(Field& field, WebhookRule& self) {
    field("operations", self.operations);
    field("resources", self.resources);
    field("apiGroups", self.api_groups);
  }
};
struct Webhook {
  Symbol name;
  std::vector<WebhookRule> rules;

  template <class Field>
  friend void describe(Field& field, Webhook& self) {
    field("name", self.name);
    field("rules", self.rules);
  }
};
/// admissionregistration.k8s.io/v1. The effect of such a webhook on an object is in no dump.
struct MutatingWebhookConfiguration {
  ObjectMeta meta;
  std::vector<Webhook> webhooks;

  template <class Field>
  friend void describe(Field& field, MutatingWebhookConfiguration& self) {
    field("metadata", self.meta);
    field("webhooks", self.webhooks);
  }
};

struct ResourceClaimTemplateSpec {
  ResourceClaimSpec spec;

  template <class Field>
  friend void describe(Field& field, ResourceClaimTemplateSpec& self) {
    field("spec", self.spec);
  }
};
/// resource.k8s.io: the template of the claims that a controller creates for a pod.
struct ResourceClaimTemplate {
  ObjectMeta meta;
  ResourceClaimTemplateSpec spec;

  template <class Field>
  friend void describe(Field& field, ResourceClaimTemplate& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// The number of pods that a controller should run.
struct Scale {
  Symbol uid;
  std::int64_t replicas = 1;
  OwnerReference controller;  ///< for a ReplicaSet: its Deployment; without a name: none
};

/// The objects of an input that only affect new objects.
struct Surroundings {
  std::vector<LimitRange> limit_ranges;
  std::vector<ResourceQuota> quotas;
  std::vector<RuntimeClass> runtime_classes;
  bool all_runtime_classes = false;  ///< these are all that the cluster had
  std::vector<MutatingWebhookConfiguration> webhooks;
  std::vector<ResourceClaimTemplate> claim_templates;
  std::map<std::string, Scale> scales;  ///< by `KIND/NAMESPACE/NAME`
  std::string ns;                       ///< the only namespace of some kinds' lists; empty: no limit
  std::vector<Gap> elsewhere;           ///< gaps for pods of other namespaces in that case
};

/// Reads inputs again, for objects that load() skips. Does not repeat counts and messages; skips standard input.
[[nodiscard]] auto read_again(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects,
                              InputSink& sink) -> Result<void>;

/// Reads the surroundings from these inputs, which were already read into `objects`; skips those that cannot be read
/// again (standard input). Adds nothing to the stores of `objects`.
[[nodiscard]] auto surroundings_of(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Surroundings>;

/// Adds an object if its kind belongs here; an object of an overlay replaces the earlier one.
[[nodiscard]] auto take_into(const FoundObject& found, FileId file, Objects& objects, Surroundings& around)
    -> Result<void>;

}  // namespace previct
