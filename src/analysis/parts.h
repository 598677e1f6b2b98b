#pragma once

#include "analysis/source_locations.h"
#include "cluster/snapshot.h"
#include "report/report.h"
#include "tell/answer.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Properties of a pod: its class (empty if it has none), its priority (a dash if unknown), the name of its node.
[[nodiscard]] auto priority_class_of(const Snapshot& cluster, PodId id) -> std::string;
[[nodiscard]] auto priority_of(const Snapshot& cluster, PodId id) -> std::string;
[[nodiscard]] auto node_name(const Snapshot& cluster, PodId id) -> std::string;

/// Returns the text, or a dash if it is empty.
[[nodiscard]] auto or_dash(std::string text) -> std::string;

/// Sets a key unless the value is empty: an absent key means unknown or none, null is never written.
void set(Json& object, std::string_view key, Json value);

/// `{namespace, name, uid}`, and a list of `{object, field, source}`.
[[nodiscard]] auto pod_json(const Snapshot& cluster, PodId id) -> Json;
[[nodiscard]] auto evidence_json(const std::vector<Evidence>& evidence, const SourceLocations& places) -> Json;

}  // namespace previct
