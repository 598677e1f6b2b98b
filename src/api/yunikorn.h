#pragma once

#include "api/meta.h"

namespace previct {

/// What previct reads of YuniKorn's two ConfigMaps. Other keys are skipped unread, as they may hold anything.
struct YunikornSettings {
  EmbeddedText queues;            ///< key `queues.yaml`; line 0: not given
  Symbol generate_unique_app_id;  ///< "true" or "false"

  template <class Field>
  friend void describe(Field& field, YunikornSettings& self) {
    field("queues.yaml", self.queues);
    field("admissionController.filtering.generateUniqueAppId", self.generate_unique_app_id);
  }
};

/// v1 ConfigMap, only those named `yunikorn-defaults` and `yunikorn-configs`.
struct ConfigMap {
  ObjectMeta meta;
  YunikornSettings data;

  template <class Field>
  friend void describe(Field& field, ConfigMap& self) {
    field("metadata", self.meta);
    field("data", self.data);
  }

  /// Is the object kept at all?
  [[nodiscard]] static auto wanted(std::string_view name) -> bool {
    return name == "yunikorn-defaults" || name == "yunikorn-configs";
  }
};

}  // namespace previct
