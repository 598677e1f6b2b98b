#pragma once

#include "api/meta.h"
#include "base/symbols.h"

#include <array>
#include <string_view>

namespace previct {

/// Returns true for keys of ConfigMaps that are read: YuniKorn's settings that influence decisions, and files with
/// queues or a configuration, which may have any name. Others are skipped, because they may hold anything.
[[nodiscard]] auto embedded_text_matters(std::string_view key) -> bool;

/// Returns true if the text mentions a KubeSchedulerConfiguration.
[[nodiscard]] auto mentions_scheduler_config(std::string_view text) -> bool;

/// The ConfigMaps that YuniKorn reads, the second one over the first.
/// Source: apache/yunikorn-k8shim 1.9 pkg/common/constants/constants.go.
inline constexpr std::array<std::string_view, 2> kYunikornConfigMaps = {"yunikorn-defaults", "yunikorn-configs"};

/// v1 ConfigMap. For ConfigMaps other than `yunikorn-defaults`, `yunikorn-configs` and Kueue's, only the existence is
/// kept, and files that mention a KubeSchedulerConfiguration or a Configuration of Kueue.
struct ConfigMap {
  ObjectMeta meta;
  MapOf<EmbeddedText> data;         ///< after unpack(): for each key the value that YuniKorn uses
  MapOf<EmbeddedText> binary_data;  ///< base64

  template <class Field>
  friend void describe(Field& field, ConfigMap& self) {
    field("metadata", self.meta);
    field("data", self.data);
    field("binaryData", self.binary_data);
  }

  /// Returns true if more of the ConfigMap is needed than its existence and these configurations.
  [[nodiscard]] static auto wanted(std::string_view name) -> bool;

  /// Removes everything but the existence and the configurations of kube-scheduler and Kueue.
  void keep_configurations();

  /// Replaces entries of `data` with the values of the same key in `binaryData`: the last part of a key is removed; if
  /// it is `gz`, in any case of letters, the value is decompressed, otherwise it counts as empty.
  /// Source: apache/yunikorn-k8shim 1.9 pkg/conf/schedulerconf.go FlattenConfigMaps, Decompress.
  void unpack(Symbols& symbols);
};

}  // namespace previct
