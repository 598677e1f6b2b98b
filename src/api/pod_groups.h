#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// All or nothing: so many pods of the group at once, or none.
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

/// Where the pods of a group have to be near each other. That it is there is all that is read.
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
  Symbol disruption_mode;                ///< 1.36: `Pod`, `PodGroup`; later an object, which is not read
  std::optional<std::int32_t> priority;  ///< of the group, whatever its pods have; none: 0
  bool has_claims = false;               ///< devices that its pods share

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

/// scheduling.k8s.io PodGroup: pods that kube-scheduler places, and evicts, as one.
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

/// scheduling.k8s.io Workload. From 1.36 on schedulers read PodGroups instead.
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
