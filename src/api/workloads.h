#pragma once

#include "api/meta.h"
#include "api/pod.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace previct {

/// The pods that an object selects. Of Services and controllers, only this influences decisions, through the
/// scheduler's default spread constraints.
struct LabelsSelected {
  SymbolMap selector;

  template <class Field>
  friend void describe(Field& field, LabelsSelected& self) {
    field("selector", self.selector);
  }
};

/// A Service or a ReplicationController.
struct SelectingByLabels {
  ObjectMeta meta;
  LabelsSelected spec;

  template <class Field>
  friend void describe(Field& field, SelectingByLabels& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};
struct Service : SelectingByLabels {};
struct ReplicationController : SelectingByLabels {};

struct PodsSelected {
  std::optional<LabelSelector> selector;

  template <class Field>
  friend void describe(Field& field, PodsSelected& self) {
    field("selector", self.selector);
  }
};

/// A ReplicaSet or a StatefulSet.
struct SelectingBySelector {
  ObjectMeta meta;
  PodsSelected spec;

  template <class Field>
  friend void describe(Field& field, SelectingBySelector& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};
struct ReplicaSet : SelectingBySelector {};
struct StatefulSet : SelectingBySelector {};

struct TemplateMeta {
  SymbolMap labels;

  template <class Field>
  friend void describe(Field& field, TemplateMeta& self) {
    field("labels", self.labels);
  }
};

struct TemplateContainer {
  Symbol name;
  Symbol image;  ///< see component_of_image()

  template <class Field>
  friend void describe(Field& field, TemplateContainer& self) {
    field("name", self.name);
    field("image", reduced(self.image, component_of_image));
  }
};

struct TemplatePodSpec {
  std::vector<TemplateContainer> containers;

  template <class Field>
  friend void describe(Field& field, TemplatePodSpec& self) {
    field("containers", self.containers);
  }
};

struct PodTemplate {
  TemplateMeta meta;
  TemplatePodSpec spec;

  template <class Field>
  friend void describe(Field& field, PodTemplate& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct DeploymentSpec {
  PodTemplate pods;

  template <class Field>
  friend void describe(Field& field, DeploymentSpec& self) {
    field("template", self.pods);
  }
};

/// apps/v1 Deployment: only those of schedulers are kept, because they show which release runs.
struct Deployment {
  ObjectMeta meta;
  DeploymentSpec spec;

  template <class Field>
  friend void describe(Field& field, Deployment& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }

  /// Returns true if it belongs to a scheduler.
  [[nodiscard]] auto matters() const -> bool {
    return std::any_of(spec.pods.spec.containers.begin(), spec.pods.spec.containers.end(),
                       [](const TemplateContainer& each) { return bool{each.image}; });
  }
};

}  // namespace previct
