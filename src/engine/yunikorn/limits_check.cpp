#include "engine/yunikorn/config_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::yunikorn {
namespace {

auto check_limit_names(const std::vector<Text>& names, std::string_view kind, std::set<std::string>& seen)
    -> Result<void> {
  for (const Text& name : names) {
    const bool valid = kind == "user" ? valid_user_name(name.value) : valid_group_name(name.value);
    if (name.value != "*" && !valid) {
      return fail(fmt::format("limit: \"{}\" is no {} name", name.value, kind), name.place);
    }
    if (!seen.insert(name.value).second) {
      return fail(fmt::format("limit: {} \"{}\" occurs twice", kind, name.value), name.place);
    }
    if (name.value != "*" && seen.count("*") != 0) {
      return fail(fmt::format("limit: {} \"{}\" follows the wildcard", kind, name.value), name.place,
                  "the limit for * must be the last");
    }
  }
  return {};
}

auto check_limits_of(const QueueConfig& queue) -> Result<void> {
  std::set<std::string> users;
  std::set<std::string> groups;
  PREVICT_TRY(const Amounts queue_max, amounts(queue.resources.max));
  for (const LimitConfig& limit : queue.limits) {
    if (limit.users.empty() && limit.groups.empty()) {
      return fail("limit: neither users nor groups are named", limit.place);
    }
    PREVICT_CHECK(check_limit_names(limit.users, "user", users));
    PREVICT_CHECK(check_limit_names(limit.groups, "group", groups));
    if (groups.size() == 1 && groups.count("*") != 0) {
      return fail("limit: the group wildcard is the only group", limit.place, "name at least one group before it");
    }
    PREVICT_TRY(const Amounts max, amounts(limit.max_resources));
    if (!limit.max_resources.empty() && !any_positive(max)) {
      return fail("limit: maxresources has nothing above 0", limit.max_resources[0].value.place);
    }
    if (limit.max_applications == 0 && limit.max_resources.empty()) {
      return fail("limit: neither maxresources nor maxapplications is set", limit.place);
    }
    if (queue.max_applications != 0 && limit.max_applications > queue.max_applications) {
      return fail("limit: maxapplications is larger than the queue's", limit.place);
    }
    if (const std::string* type = over(queue_max, max)) {
      return fail(fmt::format("limit: {} is larger than the max of queue {}", *type, queue.name.value),
                  place_of(limit.max_resources, *type, limit.place));
    }
  }
  return {};
}

auto same_texts(const std::vector<Text>& a, const std::vector<Text>& b) -> bool {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Text& x, const Text& y) { return x.value == y.value; });
}

auto same_amounts(const TextMap& a, const TextMap& b) -> bool {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const TextEntry& x) {
           return std::any_of(b.begin(), b.end(), [&](const TextEntry& y) {
             return x.key.value == y.key.value && x.value.value == y.value.value;
           });
         });
}

auto same_limit(const LimitConfig& a, const LimitConfig& b) -> bool {
  return a.limit.value == b.limit.value && a.max_applications == b.max_applications && same_texts(a.users, b.users) &&
         same_texts(a.groups, b.groups) && same_amounts(a.max_resources, b.max_resources);
}

// ---------------------------------------------------------------- down the tree

/// What ancestor queues allow for a name.
struct Allowed {
  Amounts resources;
  std::uint64_t applications = 0;  // 0: any number
};
using AllowedByName = std::map<std::string, Allowed, std::less<>>;

/// Checks users or groups. A name without a limit of its own in an ancestor is compared with the wildcard.
auto check_against(const AllowedByName& above, const std::vector<Text>& names, std::string_view kind,
                   const LimitConfig& limit, const QueueConfig& queue, AllowedByName& here) -> Result<void> {
  PREVICT_TRY(const Amounts max, amounts(limit.max_resources));
  for (const Text& name : names) {
    const auto own = above.find(name.value);
    const auto found = own == above.end() ? above.find("*") : own;
    Allowed allowed{max, limit.max_applications};
    if (found != above.end()) {
      const std::string who =
          fmt::format("limit: {} \"{}\"{}", kind, name.value, own == above.end() ? " (above it: the wildcard)" : "");
      if (const std::string* type = over(found->second.resources, max)) {
        return fail(
            fmt::format("{}: {} of queue {} is larger than that of an ancestor queue", who, *type, queue.name.value),
            place_of(limit.max_resources, *type, limit.place));
      }
      const std::uint64_t most = found->second.applications;
      if (most != 0 && (limit.max_applications == 0 || limit.max_applications > most)) {
        return fail(fmt::format("{}: maxapplications of queue {} is larger than the {} of an ancestor queue", who,
                                queue.name.value, most),
                    limit.place, limit.max_applications == 0 ? "0 or nothing means no limit" : "");
      }
      if (own != above.end()) lower_to(allowed.resources, found->second.resources);
    }
    here[name.value] = std::move(allowed);
  }
  return {};
}

}  // namespace

auto check_limits(PartitionConfig& partition) -> Result<void> {
  QueueConfig& root = partition.queues[0];
  if (!partition.limits.empty() && root.limits.empty()) root.limits = partition.limits;
  if (!partition.limits.empty() && !std::equal(partition.limits.begin(), partition.limits.end(), root.limits.begin(),
                                               root.limits.end(), same_limit)) {
    return fail("limits of the partition and of queue root differ", partition.limits[0].place);
  }
  for (const QueueConfig& queue : partition.queues) PREVICT_CHECK(check_limits_of(queue));
  return {};
}

auto check_limits_downwards(const PartitionConfig& partition) -> Result<void> {
  std::vector<AllowedByName> users(partition.queues.size());
  std::vector<AllowedByName> groups(partition.queues.size());
  for (std::size_t i = 0; i < partition.queues.size(); ++i) {
    const QueueConfig& queue = partition.queues[i];
    static const AllowedByName kNobody;
    const bool top = queue.above == QueueConfig::kTop;
    const AllowedByName& users_above = top ? kNobody : users[queue.above];
    const AllowedByName& groups_above = top ? kNobody : groups[queue.above];
    users[i] = users_above;
    groups[i] = groups_above;
    for (const LimitConfig& limit : queue.limits) {
      PREVICT_CHECK(check_against(users_above, limit.users, "user", limit, queue, users[i]));
      PREVICT_CHECK(check_against(groups_above, limit.groups, "group", limit, queue, groups[i]));
    }
  }
  return {};
}

}  // namespace previct::yunikorn
