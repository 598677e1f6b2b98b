#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// An attribute of a device; at most one member is set. None is set for a list of values, or for a type of a later API.
struct DeviceAttribute {
  std::optional<std::int64_t> number;
  std::optional<bool> truth;
  std::optional<Symbol> text;
  std::optional<Symbol> version;  ///< as defined by semver.org

  template <class Field>
  friend void describe(Field& field, DeviceAttribute& self) {
    field("int", self.number);
    field("bool", self.truth);
    field("string", self.text);
    field("version", self.version);
  }
};

struct CapacityRange {
  std::optional<Quantity> min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;

  template <class Field>
  friend void describe(Field& field, CapacityRange& self) {
    field("min", self.min);
    field("max", self.max);
    field("step", self.step);
  }
};

/// The amount of a capacity that a request consumes.
struct CapacityPolicy {
  std::optional<Quantity> default_amount;  ///< the default, for requests without an amount
  std::vector<Quantity> valid_values;
  std::optional<CapacityRange> valid_range;

  template <class Field>
  friend void describe(Field& field, CapacityPolicy& self) {
    field("default", self.default_amount);
    field("validValues", self.valid_values);
    field("validRange", self.valid_range);
  }
};

struct DeviceCapacity {
  Quantity value;
  std::optional<CapacityPolicy> policy;

  template <class Field>
  friend void describe(Field& field, DeviceCapacity& self) {
    field("value", self.value);
    field("requestPolicy", self.policy);
  }
};

struct DeviceCounter {
  Quantity value;

  template <class Field>
  friend void describe(Field& field, DeviceCounter& self) {
    field("value", self.value);
  }
};

/// Counters that several devices of a pool share, so that not all of them can be allocated.
struct CounterSet {
  Symbol name;
  MapOf<DeviceCounter> counters;

  template <class Field>
  friend void describe(Field& field, CounterSet& self) {
    field("name", self.name);
    field("counters", self.counters);
  }
};

struct CounterConsumption {
  Symbol counter_set;
  MapOf<DeviceCounter> counters;

  template <class Field>
  friend void describe(Field& field, CounterConsumption& self) {
    field("counterSet", self.counter_set);
    field("counters", self.counters);
  }
};

struct DeviceTaint {
  Symbol key;
  Symbol value;
  Symbol effect;
  std::optional<Instant> time_added;

  template <class Field>
  friend void describe(Field& field, DeviceTaint& self) {
    field("key", self.key);
    field("value", self.value);
    field("effect", self.effect);
    field("timeAdded", self.time_added);
  }
};

struct DeviceFacts {
  MapOf<DeviceAttribute> attributes;
  MapOf<DeviceCapacity> capacity;
  SharedList<CounterConsumption> consumes;
  SharedList<DeviceTaint> taints;
  SharedList<Symbol> binding_conditions;
  Symbol node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  bool many_allocations = false;  ///< several claims may hold parts of the device

  template <class Field>
  friend void describe(Field& field, DeviceFacts& self) {
    field("attributes", self.attributes);
    field("capacity", self.capacity);
    field("consumesCounters", self.consumes);
    field("taints", self.taints);
    field("bindingConditions", self.binding_conditions);
    field("nodeName", self.node_name);
    field("nodeSelector", self.node_selector);
    field("allNodes", self.all_nodes);
    field("allowMultipleAllocations", self.many_allocations);
  }
};

struct Device {
  Symbol name;
  DeviceFacts stated;
  std::optional<DeviceFacts> basic;  ///< the facts in v1beta1

  [[nodiscard]] auto facts() const -> const DeviceFacts& { return basic ? *basic : stated; }

  template <class Field>
  friend void describe(Field& field, Device& self) {
    field("name", self.name);
    describe(field, self.stated);
    field("basic", self.basic);
  }
};

struct ResourcePool {
  Symbol name;
  std::int64_t generation = 0;
  std::int64_t slices = 0;  ///< number of slices of the pool in this generation

  template <class Field>
  friend void describe(Field& field, ResourcePool& self) {
    field("name", self.name);
    field("generation", self.generation);
    field("resourceSliceCount", self.slices);
  }
};

struct ResourceSliceSpec {
  Symbol driver;
  ResourcePool pool;
  Symbol node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  std::optional<bool> per_device;  ///< each device has its own node selection
  SharedList<Device> devices;
  SharedList<CounterSet> shared_counters;

  template <class Field>
  friend void describe(Field& field, ResourceSliceSpec& self) {
    field("driver", self.driver);
    field("pool", self.pool);
    field("nodeName", self.node_name);
    field("nodeSelector", self.node_selector);
    field("allNodes", self.all_nodes);
    field("perDeviceNodeSelection", self.per_device);
    field("devices", self.devices);
    field("sharedCounters", self.shared_counters);
  }
};

/// resource.k8s.io ResourceSlice: the devices that a driver offers. Source:
/// staging/src/k8s.io/api/resource/v1/types.go, v1.36.
struct ResourceSlice {
  ObjectMeta meta;
  ResourceSliceSpec spec;

  template <class Field>
  friend void describe(Field& field, ResourceSlice& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

}  // namespace previct
