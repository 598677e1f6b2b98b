#pragma once

#include "api/meta.h"
#include "api/pod.h"

#include <vector>

/// Objects that the API server uses to set defaults and validate new pods, and Kueue to count the requests of a
/// workload.
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

}  // namespace previct
