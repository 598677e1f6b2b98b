#pragma once

#include "engine/yunikorn/config.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

/// What the parts of `check` share.
namespace previct::yunikorn {

/// Amounts by the name of their type: validation comes before the types of a cluster are known.
using Amounts = std::map<std::string, std::int64_t, std::less<>>;

/// Fails at the first text that is no quantity.
[[nodiscard]] auto amounts(const std::optional<TextMap>& texts) -> Result<Amounts>;

/// The first type of which `need` has more than `limit` allows; types that `limit` does not name are free.
[[nodiscard]] auto over(const Amounts& limit, const Amounts& need) -> const std::string*;
[[nodiscard]] auto all_zero(const Amounts& amounts) -> bool;
[[nodiscard]] auto any_positive(const Amounts& amounts) -> bool;
/// The smaller amount of each type of either.
void lower_to(Amounts& limit, const Amounts& other);

/// Where the amount of a type stands.
[[nodiscard]] auto place_of(const std::optional<TextMap>& texts, const std::string& type, Place otherwise) -> Place;

[[nodiscard]] auto valid_group_name(std::string_view name) -> bool;
/// What an ACL lets in by name: other entries are dropped without a word, `system:serviceaccount:a:b` among them.
/// Source: pkg/common/security/acl.go userNameRegExp, groupRegExp.
[[nodiscard]] auto valid_acl_user(std::string_view name) -> bool;
[[nodiscard]] auto valid_acl_group(std::string_view name) -> bool;
/// Names of queues, joined by dots.
[[nodiscard]] auto valid_queue_path(std::string_view path) -> bool;

/// Why the scheduler makes no placement rules of a configuration that passed `check`, with the place of the rule; none
/// if it makes them. One bad rule is enough: it then starts with none at all and rejects every application. Source:
/// apache/yunikorn-core 1.9 pkg/scheduler/placement/placement.go NewPlacementManager, initialise.
[[nodiscard]] auto rules_fault(const PartitionConfig& partition) -> std::optional<Failure>;

/// The limits of each queue by themselves; those of the partition become root's if root has none.
[[nodiscard]] auto check_limits(PartitionConfig& partition) -> Result<void>;
/// The limits of queues against those of the queues above them.
[[nodiscard]] auto check_limits_downwards(const PartitionConfig& partition) -> Result<void>;

}  // namespace previct::yunikorn
