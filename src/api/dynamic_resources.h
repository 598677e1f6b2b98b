#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

struct CelSelector {
  Symbol expression;

  template <class Field>
  friend void describe(Field& field, CelSelector& self) {
    field("expression", self.expression);
  }
};

struct DeviceSelector {
  std::optional<CelSelector> cel;  ///< none: a kind of selector from a later API

  template <class Field>
  friend void describe(Field& field, DeviceSelector& self) {
    field("cel", self.cel);
  }
};

struct DeviceToleration {
  Symbol key;
  Symbol op;
  Symbol value;
  Symbol effect;
  std::optional<std::int64_t> seconds;  ///< how long NoExecute taints are tolerated; none: forever

  template <class Field>
  friend void describe(Field& field, DeviceToleration& self) {
    field("key", self.key);
    field("operator", self.op);
    field("value", self.value);
    field("effect", self.effect);
    field("tolerationSeconds", self.seconds);
  }
};

/// The requested amount of each capacity of a device.
struct CapacityRequirements {
  MapOf<Quantity> requests;

  template <class Field>
  friend void describe(Field& field, CapacityRequirements& self) {
    field("requests", self.requests);
  }
};

/// A request for devices of one class.
struct DeviceAsk {
  Symbol device_class_name;
  SharedList<DeviceSelector> selectors;
  Symbol mode;             ///< none: ExactCount, the API server's default
  std::int64_t count = 0;  ///< 0: one, the API server's default
  std::optional<bool> admin_access;
  SharedList<DeviceToleration> tolerations;
  std::optional<CapacityRequirements> capacity;

  template <class Field>
  friend void describe(Field& field, DeviceAsk& self) {
    field("deviceClassName", self.device_class_name);
    field("selectors", self.selectors);
    field("allocationMode", self.mode);
    field("count", self.count);
    field("adminAccess", self.admin_access);
    field("tolerations", self.tolerations);
    field("capacity", self.capacity);
  }
};

/// One alternative for a request.
struct DeviceSubRequest {
  Symbol name;
  DeviceAsk ask;

  template <class Field>
  friend void describe(Field& field, DeviceSubRequest& self) {
    field("name", self.name);
    describe(field, self.ask);
  }
};

struct DeviceRequest {
  Symbol name;
  DeviceAsk stated;  ///< in v1beta1, which had no `exactly`
  std::optional<DeviceAsk> exactly;
  SharedList<DeviceSubRequest> first_available;

  /// Null if the request has alternatives.
  [[nodiscard]] auto exact() const -> const DeviceAsk* {
    if (exactly) return &*exactly;
    return stated.device_class_name ? &stated : nullptr;
  }

  template <class Field>
  friend void describe(Field& field, DeviceRequest& self) {
    field("name", self.name);
    describe(field, self.stated);
    field("exactly", self.exactly);
    field("firstAvailable", self.first_available);
  }
};

/// A condition on the devices of several requests: a common attribute value, or distinct values.
struct DeviceConstraint {
  SharedList<Symbol> requests;  ///< empty: all requests
  Symbol match_attribute;
  Symbol distinct_attribute;

  template <class Field>
  friend void describe(Field& field, DeviceConstraint& self) {
    field("requests", self.requests);
    field("matchAttribute", self.match_attribute);
    field("distinctAttribute", self.distinct_attribute);
  }
};

struct DeviceClaim {
  SharedList<DeviceRequest> requests;
  SharedList<DeviceConstraint> constraints;

  template <class Field>
  friend void describe(Field& field, DeviceClaim& self) {
    field("requests", self.requests);
    field("constraints", self.constraints);
  }
};

struct ResourceClaimSpec {
  DeviceClaim devices;

  template <class Field>
  friend void describe(Field& field, ResourceClaimSpec& self) {
    field("devices", self.devices);
  }
};

/// A device, or a part of it, that is allocated to a claim.
struct AllocatedDevice {
  Symbol driver;
  Symbol pool;
  Symbol device;
  bool admin_access = false;
  Symbol share_id;  ///< for a part of a device
  MapOf<Quantity> consumed;
  SharedList<DeviceToleration> tolerations;  ///< of the request
  SharedList<Symbol> binding_conditions;
  SharedList<Symbol> binding_failure_conditions;

  template <class Field>
  friend void describe(Field& field, AllocatedDevice& self) {
    field("driver", self.driver);
    field("pool", self.pool);
    field("device", self.device);
    field("adminAccess", self.admin_access);
    field("shareID", self.share_id);
    field("consumedCapacity", self.consumed);
    field("tolerations", self.tolerations);
    field("bindingConditions", self.binding_conditions);
    field("bindingFailureConditions", self.binding_failure_conditions);
  }
};

struct AllocatedDevices {
  SharedList<AllocatedDevice> results;

  template <class Field>
  friend void describe(Field& field, AllocatedDevices& self) {
    field("results", self.results);
  }
};

/// The devices that are allocated to a claim.
struct ClaimAllocation {
  AllocatedDevices devices;
  std::optional<NodeSelector> node_selector;  ///< the nodes from which they are accessible; none: all
  std::optional<Instant> at;

  template <class Field>
  friend void describe(Field& field, ClaimAllocation& self) {
    field("devices", self.devices);
    field("nodeSelector", self.node_selector);
    field("allocationTimestamp", self.at);
  }
};

struct ClaimConsumer {
  Symbol name;
  Symbol uid;

  template <class Field>
  friend void describe(Field& field, ClaimConsumer& self) {
    field("name", self.name);
    field("uid", self.uid);
  }
};

struct DeviceCondition {
  Symbol type;
  Symbol status;

  template <class Field>
  friend void describe(Field& field, DeviceCondition& self) {
    field("type", self.type);
    field("status", self.status);
  }
};

/// The status that a driver reports for an allocated device.
struct AllocatedDeviceStatus {
  Symbol driver;
  Symbol pool;
  Symbol device;
  SharedList<DeviceCondition> conditions;

  template <class Field>
  friend void describe(Field& field, AllocatedDeviceStatus& self) {
    field("driver", self.driver);
    field("pool", self.pool);
    field("device", self.device);
    field("conditions", self.conditions);
  }
};

struct ResourceClaimStatus {
  std::optional<ClaimAllocation> allocation;
  SharedList<ClaimConsumer> reserved_for;
  SharedList<AllocatedDeviceStatus> devices;

  template <class Field>
  friend void describe(Field& field, ResourceClaimStatus& self) {
    field("allocation", self.allocation);
    field("reservedFor", self.reserved_for);
    field("devices", self.devices);
  }
};

/// resource.k8s.io ResourceClaim. Source: staging/src/k8s.io/api/resource/v1/types.go, v1.36.
struct ResourceClaim {
  ObjectMeta meta;
  ResourceClaimSpec spec;
  ResourceClaimStatus status;

  template <class Field>
  friend void describe(Field& field, ResourceClaim& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct DeviceClassSpec {
  SharedList<DeviceSelector> selectors;
  Symbol extended_resource_name;  ///< pods request its devices by this resource name (1.36)

  template <class Field>
  friend void describe(Field& field, DeviceClassSpec& self) {
    field("selectors", self.selectors);
    field("extendedResourceName", self.extended_resource_name);
  }
};

/// resource.k8s.io DeviceClass: the devices that belong to it, and its name as an extended resource.
struct DeviceClass {
  ObjectMeta meta;
  DeviceClassSpec spec;

  template <class Field>
  friend void describe(Field& field, DeviceClass& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
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

}  // namespace previct
