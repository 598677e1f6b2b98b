#pragma once

#include "api/objects.h"

#include <string>
#include <string_view>

namespace previct {

/// Where somebody looked for what is not there: `in the cluster`, if that was asked, else `in the input`.
[[nodiscard]] auto where_read(const Objects& objects) -> std::string_view;

/// The same of a pod of namespace `ns`: of a cluster whose pods were read of another namespace only, that says so.
[[nodiscard]] auto where_pods_read(const Objects& objects, std::string_view ns) -> std::string;

}  // namespace previct
