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

/// What the API server applies to a pod when it is created, and what a budget's controller counts by. No scheduler
/// reads any of it, so that it is read only where something is laid over an input.
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
/// admissionregistration.k8s.io/v1. What such a webhook makes of an object is not in any dump.
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
/// resource.k8s.io: what the claims are like that a pod's controller makes for it.
struct ResourceClaimTemplate {
  ObjectMeta meta;
  ResourceClaimTemplateSpec spec;

  template <class Field>
  friend void describe(Field& field, ResourceClaimTemplate& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// How many pods a controller is to have.
struct Scale {
  Symbol uid;
  std::int64_t replicas = 1;
  OwnerReference controller;  ///< of a ReplicaSet: its Deployment; without a name: none
};

/// What of an input matters to new objects alone.
struct Surroundings {
  std::vector<LimitRange> limit_ranges;
  std::vector<ResourceQuota> quotas;
  std::vector<RuntimeClass> runtime_classes;
  bool all_runtime_classes = false;  ///< these were all that the cluster had
  std::vector<MutatingWebhookConfiguration> webhooks;
  std::vector<ResourceClaimTemplate> claim_templates;
  std::map<std::string, Scale> scales;  ///< by `KIND/NAMESPACE/NAME`
  std::string ns;                       ///< where some kinds were listed in one namespace alone: that
  std::vector<Gap> elsewhere;           ///< what is not known of pods of other namespaces then
};

/// Reads inputs once more, for objects that load() leaves aside. Nothing is counted or said of them again; standard
/// input is passed over.
[[nodiscard]] auto read_again(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects,
                              InputSink& sink) -> Result<void>;

/// Reads them from these inputs, which were read into `objects` before; those that cannot be read again (standard
/// input) are passed over. Nothing is added to the stores of `objects`.
[[nodiscard]] auto surroundings_of(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Surroundings>;

/// Takes an object into them if it is of such a kind; one laid over takes the place of the earlier one.
[[nodiscard]] auto take_into(const FoundObject& found, FileId file, Objects& objects, Surroundings& around)
    -> Result<void>;

}  // namespace previct
