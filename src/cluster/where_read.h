#pragma once

#include "api/objects.h"

#include <string>
#include <string_view>

namespace previct {

/// The place to name when an object is missing: `in the cluster` if a live cluster was read, otherwise `in the input`.
[[nodiscard]] auto where_read(const Objects& objects) -> std::string_view;

/// As where_read(), for a pod of namespace `ns`. If only the pods of another namespace were read, the text says so.
[[nodiscard]] auto where_pods_read(const Objects& objects, std::string_view ns) -> std::string;

}  // namespace previct
