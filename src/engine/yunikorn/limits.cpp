#include "engine/yunikorn/limits.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

constexpr std::string_view kAnybody = "*";

template <class Map>
auto find_in(const Map& map, const typename Map::key_type& key) -> const typename Map::mapped_type* {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

Limits::Limits(const PartitionConfig& config, const QueueTree& queues, TypeNames& types) : queues_(queues) {
  std::vector<std::string> paths;
  for (const QueueConfig& from : config.queues) {
    const bool top = from.above == QueueConfig::kTop;
    paths.push_back(top ? "root" : paths[from.above] + "." + from.name.value);
    for (const LimitConfig& written : from.limits) {
      Limit limit;
      limit.applications = written.max_applications;
      for (const auto& [type, amount] : written.max_resources) {
        limit.max.set(types.id(type.value), parse_amount(amount.value, type.value == "vcore").value_or(0));
      }
      if (without_zeros(limit.max).empty()) limit.max = Resources();
      for (const Text& user : written.users) {
        by_path_[paths.back()].users[user.value] = limit;
      }
      for (const Text& group : written.groups) {
        has_groups_ = true;
        OfQueue& of = by_path_[paths.back()];
        of.groups[group.value] = limit;
        if (group.value != kAnybody) of.groups_in_order.push_back(group.value);
      }
    }
  }
}

auto Limits::group_of(const User& user, QueueId leaf) const -> std::string {
  for (QueueId at = leaf; at; at = queues_[at].parent) {
    const OfQueue* of = find_in(by_path_, queues_[at].path);
    if (of == nullptr) continue;
    for (const std::string& group : of->groups_in_order) {
      if (std::find(user.groups.begin(), user.groups.end(), group) != user.groups.end()) return group;
    }
    if (of->groups.contains(std::string(kAnybody))) return std::string(kAnybody);
  }
  return {};
}

void Limits::use(const std::string& user, const std::string& group, AppId app, QueueId leaf, const Resources& size) {
  for (QueueId at = leaf; at; at = queues_[at].parent) {
    Usage& of_user = users_[user][at];
    of_user.used += size;
    of_user.apps.insert(app);
    if (group.empty()) continue;
    Usage& of_group = groups_[group][at];
    of_group.used += size;
    of_group.apps.insert(app);
  }
}

auto Limits::user_limit(const std::string& user, QueueId queue) const -> const Limit* {
  const OfQueue* of = find_in(by_path_, queues_[queue].path);
  if (of == nullptr) return nullptr;
  if (const Limit* own = find_in(of->users, user)) return own;
  return find_in(of->users, std::string(kAnybody));
}

auto Limits::group_limit(const std::string& group, QueueId queue) const -> const Limit* {
  const OfQueue* of = find_in(by_path_, queues_[queue].path);
  return of == nullptr || group.empty() ? nullptr : find_in(of->groups, group);
}

// Returns the first limit for which `look` finds a conflict, from the leaf queue up; in each queue, the user's before
// the group's.
template <class Look>
auto Limits::first_hit(const std::string& user, const std::string& group, QueueId leaf, Look look) const -> LimitHit {
  const Tracker* of_user = find_in(users_, user);
  const Tracker* of_group = find_in(groups_, group);
  for (QueueId at = leaf; at; at = queues_[at].parent) {
    LimitHit hit = look("user", user, of_user, at, user_limit(user, at));
    if (hit.kind.empty()) hit = look("group", group, of_group, at, group_limit(group, at));
    if (!hit.kind.empty()) return hit;
  }
  return {};
}

auto Limits::full_of_applications(const std::string& user, const std::string& group, AppId app, QueueId leaf) const
    -> LimitHit {
  const auto look = [&](std::string_view kind, const std::string& name, const Tracker* tracker, QueueId at,
                        const Limit* limit) -> LimitHit {
    const Usage* usage = tracker == nullptr ? nullptr : find_in(*tracker, at);
    const std::size_t running = usage == nullptr ? 0 : usage->apps.size();
    const bool counted = usage != nullptr && usage->apps.contains(app);
    if (limit == nullptr || limit->applications == 0 || counted || running < limit->applications) return {};
    return {std::string(kind), name, at, running, limit->applications, 0, 0, 0};
  };
  return first_hit(user, group, leaf, look);
}

auto Limits::short_of_room(const std::string& user, const std::string& group, QueueId leaf, const Resources& size) const
    -> LimitHit {
  const auto look = [&](std::string_view kind, const std::string& name, const Tracker* tracker, QueueId at,
                        const Limit* limit) -> LimitHit {
    if (limit == nullptr) return {};
    const Usage* usage = tracker == nullptr ? nullptr : find_in(*tracker, at);
    for (const auto& [type, wanted] : size) {
      const auto max = limit->max.get(type);
      if (!max) continue;
      const std::int64_t left = saturating_subtract(*max, usage == nullptr ? 0 : usage->used.amount(type));
      if (wanted <= std::max<std::int64_t>(0, left)) continue;
      return {std::string(kind), name, at, 0, 0, type, left, *max};
    }
    return {};
  };
  return first_hit(user, group, leaf, look);
}

}  // namespace previct::yunikorn
