#pragma once

#include "api/configurations.h"
#include "capture/roles.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::capture {

/// Returns the new text of a name, which may be the old one.
using Rename = std::function<std::string(std::string_view text, Role role)>;

/// Kueue's Configuration as JSON, with new names for resources. Holds only what its decisions depend on.
[[nodiscard]] auto kueue_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string>;

/// Returns the prefixes of resources that the Configuration excludes, or that in a ConfigMap. Errors: it is not a
/// Configuration of Kueue.
[[nodiscard]] auto excluded_prefixes(std::string_view text, FileId file) -> Result<std::vector<std::string>>;

/// A `queues.yaml` of YuniKorn as JSON, with new names for queues, users, groups and resources. Comments are removed.
[[nodiscard]] auto queues_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string>;

/// A KubeSchedulerConfiguration as JSON on one line, with new names, and without the settings for connecting to an API
/// server or an extender.
[[nodiscard]] auto scheduler_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string>;

/// The configuration of any scheduler as JSON on one line, with new names.
[[nodiscard]] auto configuration_json(const ConfigFile& config, const Rename& rename) -> Result<std::string>;

/// The value of an annotation that is a JSON object, with new names for its texts. None if the value is not an object.
[[nodiscard]] auto note_json(std::string_view text, const Rename& rename) -> std::optional<std::string>;

/// A path of queues (`root.a.b`) with each part renamed.
[[nodiscard]] auto queue_path(std::string_view path, const Rename& rename) -> std::string;

}  // namespace previct::capture
