#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// One way to satisfy a request: devices of one class.
struct DeviceSubRequest {
  Symbol name;
  Symbol device_class_name;

  template <class Field>
  friend void describe(Field& field, DeviceSubRequest& self) {
    field("name", self.name);
    field("deviceClassName", self.device_class_name);
  }
};

struct DeviceRequest {
  Symbol name;
  Symbol device_class_name;  ///< of v1beta1, which had no `exactly`
  std::optional<DeviceSubRequest> exactly;
  SharedList<DeviceSubRequest> first_available;

  template <class Field>
  friend void describe(Field& field, DeviceRequest& self) {
    field("name", self.name);
    field("deviceClassName", self.device_class_name);
    field("exactly", self.exactly);
    field("firstAvailable", self.first_available);
  }
};

struct DeviceClaim {
  SharedList<DeviceRequest> requests;

  template <class Field>
  friend void describe(Field& field, DeviceClaim& self) {
    field("requests", self.requests);
  }
};

struct ResourceClaimSpec {
  DeviceClaim devices;

  template <class Field>
  friend void describe(Field& field, ResourceClaimSpec& self) {
    field("devices", self.devices);
  }
};

/// Devices that a claim holds.
struct ClaimAllocation {
  std::optional<NodeSelector> node_selector;  ///< where they can be reached; none: everywhere

  template <class Field>
  friend void describe(Field& field, ClaimAllocation& self) {
    field("nodeSelector", self.node_selector);
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

struct ResourceClaimStatus {
  std::optional<ClaimAllocation> allocation;
  SharedList<ClaimConsumer> reserved_for;

  template <class Field>
  friend void describe(Field& field, ResourceClaimStatus& self) {
    field("allocation", self.allocation);
    field("reservedFor", self.reserved_for);
  }
};

/// resource.k8s.io ResourceClaim. Source: staging/src/k8s.io/api/resource/v1/types.go, v1.35.
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
  Symbol extended_resource_name;  ///< pods get its devices by asking for this resource (1.36)

  template <class Field>
  friend void describe(Field& field, DeviceClassSpec& self) {
    field("extendedResourceName", self.extended_resource_name);
  }
};

/// resource.k8s.io DeviceClass: that it is there, and what else it is called.
struct DeviceClass {
  ObjectMeta meta;
  DeviceClassSpec spec;

  template <class Field>
  friend void describe(Field& field, DeviceClass& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

}  // namespace previct
