#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// A gang: at least this many pods of the group are placed together, or none.
struct GangPolicy {
  std::int32_t min_count = 0;

  template <class Field>
  friend void describe(Field& field, GangPolicy& self) {
    field("minCount", self.min_count);
  }
};

/// A gang, or pods that are placed one by one.
struct PodGroupPolicy {
  std::optional<GangPolicy> gang;

  template <class Field>
  friend void describe(Field& field, PodGroupPolicy& self) {
    field("gang", self.gang);
  }
};

/// The topology constraint of a group. Only its existence is read.
struct PodGroupConstraints {
  bool has_topology = false;

  template <class Field>
  friend void describe(Field& field, PodGroupConstraints& self) {
    field("topology", present(self.has_topology));
  }
};

struct PodGroupSpec {
  PodGroupPolicy policy;
  PodGroupConstraints constraints;
  Symbol disruption_mode;                ///< 1.36: `Pod`, `PodGroup`; in later releases an object, which is not read
  std::optional<std::int32_t> priority;  ///< priority of the group, independent of its pods; none: 0
  bool has_claims = false;               ///< its pods share devices

  static auto whole(std::string_view text) -> std::string_view { return text; }

  template <class Field>
  friend void describe(Field& field, PodGroupSpec& self) {
    field("schedulingPolicy", self.policy);
    field("schedulingConstraints", self.constraints);
    field("disruptionMode", reduced(self.disruption_mode, &PodGroupSpec::whole));
    field("priority", self.priority);
    field("resourceClaims", present(self.has_claims));
  }
};

/// scheduling.k8s.io PodGroup: pods that kube-scheduler places and evicts together.
/// Source: staging/src/k8s.io/api/scheduling/v1alpha2/types.go, v1.36.3.
struct PodGroup {
  ObjectMeta meta;
  PodGroupSpec spec;

  template <class Field>
  friend void describe(Field& field, PodGroup& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// A group of pods within a Workload of 1.35.
struct WorkloadGroup {
  Symbol name;
  PodGroupPolicy policy;

  template <class Field>
  friend void describe(Field& field, WorkloadGroup& self) {
    field("name", self.name);
    field("policy", self.policy);
  }
};

struct WorkloadSpec {
  SharedList<WorkloadGroup> pod_groups;

  template <class Field>
  friend void describe(Field& field, WorkloadSpec& self) {
    field("podGroups", self.pod_groups);
  }
};

/// scheduling.k8s.io Workload. Since 1.36, schedulers read PodGroups instead.
/// Source: staging/src/k8s.io/api/scheduling/v1alpha1/types.go, v1.35.4.
struct Workload {
  ObjectMeta meta;
  WorkloadSpec spec;

  template <class Field>
  friend void describe(Field& field, Workload& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

}  // namespace previct
