#pragma once

#include "api/meta.h"
#include "api/pod.h"

#include <vector>

/// Objects that the API server uses to set defaults and validate new pods. Kueue counts the requests of a workload with
/// some of them.
namespace previct {

/// An entry of a LimitRange.
struct LimitRangeItem {
  Symbol type;  ///< `Container`, `Pod`, `PersistentVolumeClaim`
  ResourceList default_limit;
  ResourceList default_request;
  ResourceList min;
  ResourceList max;
  ResourceList max_ratio;  ///< maximum ratio of limit to request

  template <class Field>
  friend void describe(Field& field, LimitRangeItem& self) {
    field("type", self.type);
    field("default", self.default_limit);
    field("defaultRequest", self.default_request);
    field("min", self.min);
    field("max", self.max);
    field("maxLimitRequestRatio", self.max_ratio);
  }
};
struct LimitRangeSpec {
  std::vector<LimitRangeItem> limits;

  template <class Field>
  friend void describe(Field& field, LimitRangeSpec& self) {
    field("limits", self.limits);
  }
};
struct LimitRange {
  ObjectMeta meta;
  LimitRangeSpec spec;

  template <class Field>
  friend void describe(Field& field, LimitRange& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct RuntimeOverhead {
  ResourceList pod_fixed;

  template <class Field>
  friend void describe(Field& field, RuntimeOverhead& self) {
    field("podFixed", self.pod_fixed);
  }
};
struct RuntimeScheduling {
  SymbolMap node_selector;
  std::vector<TaintToleration> tolerations;

  template <class Field>
  friend void describe(Field& field, RuntimeScheduling& self) {
    field("nodeSelector", self.node_selector);
    field("tolerations", self.tolerations);
  }
};
/// node.k8s.io/v1
struct RuntimeClass {
  ObjectMeta meta;
  RuntimeOverhead overhead;
  RuntimeScheduling scheduling;

  template <class Field>
  friend void describe(Field& field, RuntimeClass& self) {
    field("metadata", self.meta);
    field("overhead", self.overhead);
    field("scheduling", self.scheduling);
  }
};

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

}  // namespace previct
