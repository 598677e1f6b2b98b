#pragma once

#include "api/meta.h"

#include <string_view>
#include <vector>

namespace previct {

/// Reduces an API group to its name if it is one of KAI Scheduler; other groups become empty.
[[nodiscard]] auto group_of_kai(std::string_view group) -> std::string_view;

// The path to the fields that the spec of an object may have: schema.openAPIV3Schema.properties.spec.properties.
struct SpecSchema {
  std::vector<Symbol> fields;

  template <class Field>
  friend void describe(Field& field, SpecSchema& self) {
    field("properties", keys_of(self.fields));
  }
};
struct ObjectFields {
  SpecSchema spec;

  template <class Field>
  friend void describe(Field& field, ObjectFields& self) {
    field("spec", self.spec);
  }
};
struct ObjectSchema {
  ObjectFields properties;

  template <class Field>
  friend void describe(Field& field, ObjectSchema& self) {
    field("properties", self.properties);
  }
};
struct VersionSchema {
  ObjectSchema object;

  template <class Field>
  friend void describe(Field& field, VersionSchema& self) {
    field("openAPIV3Schema", self.object);
  }
};

struct CustomResourceVersion {
  Symbol name;
  bool served = false;
  VersionSchema schema;

  [[nodiscard]] auto fields() const -> const std::vector<Symbol>& { return schema.object.properties.spec.fields; }

  template <class Field>
  friend void describe(Field& field, CustomResourceVersion& self) {
    field("name", self.name);
    field("served", self.served);
    field("schema", self.schema);
  }
};

struct CustomResourceNames {
  Symbol kind;

  template <class Field>
  friend void describe(Field& field, CustomResourceNames& self) {
    field("kind", self.kind);
  }
};

struct CustomResourceSpec {
  Symbol group;  ///< see group_of_kai()
  CustomResourceNames names;
  std::vector<CustomResourceVersion> versions;

  template <class Field>
  friend void describe(Field& field, CustomResourceSpec& self) {
    field("group", reduced(self.group, group_of_kai));
    field("names", self.names);
    field("versions", self.versions);
  }
};

/// apiextensions.k8s.io/v1 CustomResourceDefinition. Only those of a scheduler are kept, because they show which
/// release runs.
struct CustomResource {
  ObjectMeta meta;
  CustomResourceSpec spec;

  template <class Field>
  friend void describe(Field& field, CustomResource& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }

  /// Returns true if it belongs to a scheduler.
  [[nodiscard]] auto matters() const -> bool { return bool{spec.group}; }
};

}  // namespace previct
