#pragma once

#include "api/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Annotations that hold JSON, decoded as in YuniKorn's shim: names of members are case-insensitive, null counts as
/// absent, and a member of another type invalidates the whole value. Source: apache/yunikorn-k8shim 1.9
/// pkg/common/utils, pkg/cache/task_group.
namespace previct::yunikorn_annotations {

/// Amounts by the name of their resource, in the order of the text.
using Amounts = std::vector<std::pair<std::string, Quantity>>;

/// A group of `yunikorn.apache.org/task-groups`: a number of gang members, each with the same request.
struct TaskGroup {
  std::int64_t members = 0;  ///< 1 … 2³¹ - 1
  Amounts each;
};
/// None if the text is not a list of groups, is empty, or has an invalid group.
[[nodiscard]] auto read_task_groups(std::string_view text) -> std::optional<std::vector<TaskGroup>>;

/// `yunikorn.apache.org/user.info`.
struct UserInfo {
  std::string user;  ///< may be empty
  std::vector<std::string> groups;
};
[[nodiscard]] auto read_user_info(std::string_view text) -> std::optional<UserInfo>;

/// `yunikorn.apache.org/namespace.quota` and `.guaranteed`: `{"cpu": "10", "memory": "20Gi"}`. None if an amount is
/// invalid.
[[nodiscard]] auto read_quota(std::string_view text) -> std::optional<Amounts>;

}  // namespace previct::yunikorn_annotations
