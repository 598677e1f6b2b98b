#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// Which pods an object selects: the only thing of Services and controllers that decides anything, by the scheduler's
/// default spread constraints.
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

}  // namespace previct
