#pragma once

#include "api/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Annotations that hold JSON, as YuniKorn's shim decodes them: the capitals of a member do not matter, null counts as
/// absent, and a member of another kind spoils the whole. Source: apache/yunikorn-k8shim 1.9 pkg/common/utils,
/// pkg/cache/task_group.
namespace previct::yunikorn_annotations {

/// Amounts by the name of their resource, in the order in which they are written.
using Amounts = std::vector<std::pair<std::string, Quantity>>;

/// One group of `yunikorn.apache.org/task-groups`: so many places for a gang, each of this size.
struct TaskGroup {
  std::int64_t members = 0;  ///< 1 … 2³¹ - 1
  Amounts each;
};
/// None if the text is no list of groups, is empty, or one of them is not written as one.
[[nodiscard]] auto read_task_groups(std::string_view text) -> std::optional<std::vector<TaskGroup>>;

/// `yunikorn.apache.org/user.info`.
struct UserInfo {
  std::string user;  ///< may be empty
  std::vector<std::string> groups;
};
[[nodiscard]] auto read_user_info(std::string_view text) -> std::optional<UserInfo>;

/// `yunikorn.apache.org/namespace.quota` and `.guaranteed`: `{"cpu": "10", "memory": "20Gi"}`. None if one amount
/// cannot be read.
[[nodiscard]] auto read_quota(std::string_view text) -> std::optional<Amounts>;

}  // namespace previct::yunikorn_annotations
