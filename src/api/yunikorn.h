#pragma once

#include "api/kueue_config.h"
#include "api/meta.h"
#include "base/symbols.h"

namespace previct {

/// Keys of ConfigMaps that are kept: YuniKorn's settings that take part in decisions, and files of queues, which may
/// have any name. Others are skipped unread, as they may hold anything.
[[nodiscard]] auto embedded_text_matters(std::string_view key) -> bool;

/// v1 ConfigMap. Of others than `yunikorn-defaults`, `yunikorn-configs` and Kueue's only that they exist is kept.
struct ConfigMap {
  ObjectMeta meta;
  MapOf<EmbeddedText> data;         ///< after unpack(): of each key the value that YuniKorn goes by
  MapOf<EmbeddedText> binary_data;  ///< in base64

  template <class Field>
  friend void describe(Field& field, ConfigMap& self) {
    field("metadata", self.meta);
    field("data", self.data);
    field("binaryData", self.binary_data);
  }

  /// Is there more to it than that it exists?
  [[nodiscard]] static auto wanted(std::string_view name) -> bool {
    return name == "yunikorn-defaults" || name == "yunikorn-configs" || name.ends_with(kueue::kConfigMapName);
  }

  /// Puts what `binaryData` holds in the place of what `data` has of the same key: the last part of a key is taken off;
  /// if it is `gz`, in whatever case, the value is unpacked, else it counts as empty.
  /// Source: apache/yunikorn-k8shim 1.9 pkg/conf/schedulerconf.go FlattenConfigMaps, Decompress.
  void unpack(Symbols& symbols);
};

}  // namespace previct
