#pragma once

#include "api/configurations.h"
#include "capture/roles.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace previct::capture {

/// The new text of a name; may be the old one.
using Rename = std::function<std::string(std::string_view text, Role role)>;

inline constexpr std::array<std::optional<ConfigFile> Configurations::*, 4> kConfigurations = {
    &Configurations::scheduler_config, &Configurations::yunikorn_config, &Configurations::assumptions,
    &Configurations::kueue_config};

/// Kueue's Configuration as JSON: only what its decisions go by, with other names for resources.
[[nodiscard]] auto kueue_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string>;

/// A `queues.yaml` of YuniKorn as JSON, with other names for queues, users, groups and resources. Comments go.
[[nodiscard]] auto queues_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string>;

/// A configuration of a scheduler as JSON on one line, likewise; of a KubeSchedulerConfiguration without what tells how
/// to reach an API server or an extender.
[[nodiscard]] auto configuration_json(const ConfigFile& config, const Rename& rename) -> Result<std::string>;

/// The value of an annotation that is a JSON object, with other names for the texts in it; none if it is no such value.
[[nodiscard]] auto note_json(std::string_view text, const Rename& rename) -> std::optional<std::string>;

/// A path of queues (`root.a.b`), renamed part by part.
[[nodiscard]] auto queue_path(std::string_view path, const Rename& rename) -> std::string;

}  // namespace previct::capture
