#pragma once

#include "api/dynamic_resources.h"
#include "api/meta.h"
#include "api/resource_slice.h"

#include <optional>

namespace previct {

/// The devices that have all that is stated.
struct DeviceTaintSelector {
  Symbol driver;
  Symbol pool;
  Symbol device;
  Symbol device_class_name;              ///< read by 1.33 and 1.34 only, …
  SharedList<DeviceSelector> selectors;  ///< … and these, too

  template <class Field>
  friend void describe(Field& field, DeviceTaintSelector& self) {
    field("driver", self.driver);
    field("pool", self.pool);
    field("device", self.device);
    field("deviceClassName", self.device_class_name);
    field("selectors", self.selectors);
  }
};

struct DeviceTaintRuleSpec {
  std::optional<DeviceTaintSelector> selector;
  DeviceTaint taint;

  template <class Field>
  friend void describe(Field& field, DeviceTaintRuleSpec& self) {
    field("deviceSelector", self.selector);
    field("taint", self.taint);
  }
};

/// resource.k8s.io DeviceTaintRule: a taint for all devices that its selector selects. Source:
/// staging/src/k8s.io/api/resource/v1/types.go, v1.37; v1alpha3/types.go, v1.34.
struct DeviceTaintRule {
  ObjectMeta meta;
  DeviceTaintRuleSpec spec;

  template <class Field>
  friend void describe(Field& field, DeviceTaintRule& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

}  // namespace previct
