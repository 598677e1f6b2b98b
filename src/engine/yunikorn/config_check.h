#pragma once

#include "engine/yunikorn/config.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

/// Functions that the parts of `check` share.
namespace previct::yunikorn {

/// Amounts by the name of their type: validation happens before the types of a cluster are known.
using Amounts = std::map<std::string, std::int64_t, std::less<>>;

/// Fails at the first text that is not a quantity.
[[nodiscard]] auto amounts(const std::optional<TextMap>& texts) -> Result<Amounts>;

/// Returns the first type of which `need` has more than `limit` allows. Types that `limit` does not contain are not
/// limited.
[[nodiscard]] auto over(const Amounts& limit, const Amounts& need) -> const std::string*;
[[nodiscard]] auto all_zero(const Amounts& amounts) -> bool;
[[nodiscard]] auto any_positive(const Amounts& amounts) -> bool;
/// Sets each type of either to the smaller amount.
void lower_to(Amounts& limit, const Amounts& other);

/// Returns the place of a type's amount.
[[nodiscard]] auto place_of(const std::optional<TextMap>& texts, const std::string& type, Place otherwise) -> Place;

[[nodiscard]] auto valid_group_name(std::string_view name) -> bool;
/// Return true if an ACL can contain the name: invalid entries are dropped silently, for example
/// `system:serviceaccount:a:b`.
/// Source: pkg/common/security/acl.go userNameRegExp, groupRegExp.
[[nodiscard]] auto valid_acl_user(std::string_view name) -> bool;
[[nodiscard]] auto valid_acl_group(std::string_view name) -> bool;
/// Returns true for names of queues, joined by dots.
[[nodiscard]] auto valid_queue_path(std::string_view path) -> bool;

/// Returns the reason, with the place of the rule, why the scheduler creates no placement rules from a configuration
/// that passed `check`; none if it creates them. One invalid rule is enough: the scheduler then starts without any
/// rules and rejects every application. Source: apache/yunikorn-core 1.9 pkg/scheduler/placement/placement.go
/// NewPlacementManager, initialise.
[[nodiscard]] auto rules_fault(const PartitionConfig& partition) -> std::optional<Failure>;

/// Checks the limits of each queue separately. Root gets the limits of the partition if it has none.
[[nodiscard]] auto check_limits(PartitionConfig& partition) -> Result<void>;
/// Checks the limits of queues against those of their ancestors.
[[nodiscard]] auto check_limits_downwards(const PartitionConfig& partition) -> Result<void>;

}  // namespace previct::yunikorn
