#include "engine/yunikorn/queues.h"

#include "base/ascii.h"
#include "base/go.h"
#include "base/instant.h"
#include "engine/yunikorn/config_check.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// As in the scheduler, a set whose values are all 0 or less counts as absent.
auto amounts(const std::optional<TextMap>& texts, TypeNames& types) -> MaybeResources {
  Resources result;
  for (const auto& [key, value] : texts.value_or(TextMap())) {
    result.set(types.id(key.value), parse_amount(value.value, key.value == "vcore").value_or(0));
  }
  return positive(result) ? MaybeResources(result) : std::nullopt;
}

void set_property(Properties& properties, const std::string& key, const std::string& value) {
  for (auto& [k, v] : properties) {
    if (k == key) {
      v = value;
      return;
    }
  }
  properties.emplace_back(key, value);
}

/// Returns the value of a property that a child inherits from its parent.
auto inherited_value(const std::string& key, const std::string& value) -> std::string {
  if (key == "priority.policy") return "default";
  if (key == "priority.offset") return "0";
  if (key == "preemption.policy") return lower_case(value) == "disabled" ? value : "default";
  return value;
}

auto properties_of(const TextMap& own, const Properties& parent) -> Properties {
  Properties result;
  for (const auto& [key, value] : parent) result.emplace_back(key, inherited_value(key, value));
  for (const auto& [key, value] : own) set_property(result, key.value, value.value);
  return result;
}

auto template_of(const TemplateConfig& config, TypeNames& types) -> std::optional<ChildTemplate> {
  ChildTemplate result;
  result.max_applications = config.max_applications;
  result.guaranteed = amounts(config.resources.guaranteed, types);
  result.max = amounts(config.resources.max, types);
  for (const auto& [key, value] : config.properties) {
    if (!key.value.empty() && !value.value.empty()) result.properties.emplace_back(key.value, value.value);
  }
  const auto written = [](const std::optional<TextMap>& map) { return map && !map->empty(); };
  const bool empty = config.max_applications == 0 && result.properties.empty() &&
                     !written(config.resources.guaranteed) && !written(config.resources.max);
  if (empty) return {};
  return result;
}

auto split(std::string_view text, char at) -> std::vector<std::string> {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

auto positive_duration(const std::string& text, std::int64_t otherwise) -> std::int64_t {
  const auto duration = parse_go_duration(text);
  return duration && *duration > 0 ? *duration : otherwise;
}

}  // namespace

auto policy_of(const Properties& properties) -> QueuePolicy {
  QueuePolicy policy;
  for (const auto& [key, value] : properties) {
    if (key == "preemption.policy") {
      const std::string text = lower_case(value);
      if (text == "fence") policy.preemption = PreemptionPolicy::fence;
      if (text == "disabled") policy.preemption = PreemptionPolicy::disabled;
    } else if (key == "priority.policy") {
      policy.priority_fence = lower_case(value) == "fence";
    } else if (key == "priority.offset") {
      policy.priority_offset = static_cast<std::int32_t>(go::parse_int(value, 32).value_or(0));
    } else if (key == "preemption.delay") {
      policy.preemption_delay = positive_duration(value, policy.preemption_delay);
    } else if (key == "application.sort.policy") {
      policy.fair = value == "fair";
    } else if (key == "application.sort.priority") {
      policy.sorts_by_priority = lower_case(value) != "disabled";
    } else if (key == "quota.preemption.delay") {
      policy.quota_preemption_delay = positive_duration(value, 0);
    } else if (key == "preemption.quota.delay") {
      policy.old_quota_preemption_delay = positive_duration(value, 0);
    }
  }
  return policy;
}

auto parse_acl(std::string_view text) -> Acl {
  Acl acl;
  if (text.empty()) return acl;
  const std::vector<std::string> words = split(text, ' ');
  if (words.size() > 2) return acl;
  const std::size_t first = text.find_first_not_of(" \t\n");
  const std::size_t last = text.find_last_not_of(" \t\n");
  acl.everybody = first != std::string_view::npos && text.substr(first, last - first + 1) == "*";
  acl.users = split(words[0], ',');
  if (words.size() == 2) acl.groups = split(words[1], ',');
  const auto wildcard = [](const std::vector<std::string>& names) { return names.size() == 1 && names[0] == "*"; };
  acl.everybody = acl.everybody || wildcard(acl.users) || wildcard(acl.groups);
  std::erase_if(acl.users, [](const std::string& name) { return !valid_acl_user(name); });
  std::erase_if(acl.groups, [](const std::string& name) { return !valid_acl_group(name); });
  return acl;
}

QueueTree::QueueTree(const PartitionConfig& config, TypeNames& types) {
  for (const QueueConfig& from : config.queues) {
    const bool top = from.above == QueueConfig::kTop;
    const QueueId parent = top ? QueueId{} : QueueId{static_cast<std::uint32_t>(from.above)};
    Queue& queue = queues_[add(from.name.value, parent)];
    queue.leaf = !from.parent && !from.has_children;
    if (!top) {
      queue.max_applications = from.max_applications;
      queue.guaranteed = amounts(from.resources.guaranteed, types);
      queue.max = amounts(from.resources.max, types);
    }
    queue.properties = properties_of(from.properties, top ? Properties() : queues_[parent].properties);
    queue.policy = policy_of(queue.properties);
    queue.sets_old_quota_delay = std::any_of(from.properties.begin(), from.properties.end(), [](const TextEntry& each) {
      return each.key.value == "preemption.quota.delay";
    });
    queue.submit = parse_acl(from.submit_acl.value);
    queue.admin = parse_acl(from.admin_acl.value);
    if (queue.leaf) continue;
    queue.child_template = template_of(from.child_template, types);
    if (!queue.child_template && !top) queue.child_template = queues_[parent].child_template;
  }
}

auto QueueTree::add(std::string_view name, QueueId parent) -> QueueId {
  Queue queue;
  queue.name = lower_case(name);
  queue.parent = parent;
  queue.path = parent ? queues_[parent].path + "." + queue.name : queue.name;
  const QueueId id = queues_.add(std::move(queue));
  if (parent) queues_[parent].children.push_back(id);
  return id;
}

auto QueueTree::add_dynamic(std::string_view name, QueueId parent, bool leaf) -> QueueId {
  const QueueId id = add(name, parent);
  Queue& queue = queues_[id];
  queue.dynamic = true;
  queue.leaf = leaf;
  const std::optional<ChildTemplate>& pattern = queues_[parent].child_template;
  if (!leaf) {
    queue.child_template = pattern;
  } else if (pattern) {
    queue.max_applications = pattern->max_applications;
    queue.properties = pattern->properties;
    queue.guaranteed = pattern->guaranteed;
    queue.max = pattern->max;
  }
  if (queue.path != kRecovery) queue.policy = policy_of(queue.properties);
  return id;
}

auto QueueTree::find_nearest(std::string_view path) const -> QueueId {
  const std::vector<std::string> names = split(lower_case(path), '.');
  if (names[0] != "root") return {};
  QueueId at = root();
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::vector<QueueId>& children = queues_[at].children;
    const auto child =
        std::find_if(children.begin(), children.end(), [&](QueueId id) { return queues_[id].name == names[i]; });
    if (child == children.end()) break;
    at = *child;
  }
  return at;
}

auto QueueTree::find(std::string_view path) const -> QueueId {
  const QueueId nearest = find_nearest(path);
  return nearest && queues_[nearest].path == lower_case(path) ? nearest : QueueId{};
}

auto QueueTree::make(std::string_view path) -> QueueId {
  QueueId at = find_nearest(path);
  if (!at) return {};
  if (queues_[at].path.size() == path.size()) return at;
  if (queues_[at].leaf) return {};
  const std::vector<std::string> missing = split(path.substr(queues_[at].path.size() + 1), '.');
  for (const std::string& name : missing) {
    if (!valid_queue_name(name) || name == "@recovery@") return {};
  }
  for (std::size_t i = 0; i < missing.size(); ++i) at = add_dynamic(missing[i], at, i + 1 == missing.size());
  return at;
}

auto QueueTree::recovery() -> QueueId {
  if (const QueueId there = find(kRecovery)) return there;
  return add_dynamic("@recovery@", root(), true);
}

void QueueTree::allocate(QueueId queue, const Resources& size) {
  for (QueueId at = queue; at; at = queues_[at].parent) queues_[at].allocated += size;
}

void QueueTree::mark_preempting(QueueId queue, const Resources& size) {
  for (QueueId at = queue; at; at = queues_[at].parent) queues_[at].preempting += size;
}

void QueueTree::count_running(QueueId queue) {
  for (QueueId at = queue; at; at = queues_[at].parent) ++queues_[at].running;
}

auto QueueTree::headroom(QueueId queue) const -> Resources {
  MaybeResources room;
  for (QueueId at = queue; at; at = queues_[at].parent) {
    room = smaller_of_each(less_in_common(queues_[at].max, queues_[at].allocated), room);
  }
  return room.value_or(Resources());
}

auto QueueTree::over_max(QueueId queue, const Resources& size, CheckedTypes checked) const -> OverMax {
  const bool all = checked == CheckedTypes::all;
  for (QueueId at = queue; at; at = queues_[at].parent) {
    const Queue& here = queues_[at];
    for (const auto& [type, used] : here.allocated + size) {
      if (!all && !size.has(type)) continue;
      const auto most = here.max ? here.max->get(type) : std::nullopt;
      const bool limited = most.has_value() || (!all && at == root());
      if (limited && used > std::max<std::int64_t>(0, most.value_or(0))) return {at, type, used, most.value_or(0)};
    }
  }
  return {};
}

auto QueueTree::path_max(QueueId queue) const -> MaybeResources {
  MaybeResources least;
  for (QueueId at = queue; at; at = queues_[at].parent) least = smaller_of_each(std::move(least), queues_[at].max);
  return least;
}

auto QueueTree::configured_max(QueueId queue) const -> MaybeResources {
  MaybeResources least;
  for (QueueId at = queue; queues_[at].parent; at = queues_[at].parent) {
    least = smaller_of_each(std::move(least), queues_[at].max);
  }
  return least;
}

auto QueueTree::full_of_applications(QueueId queue) const -> QueueId {
  QueueId full;
  for (QueueId at = queue; at; at = queues_[at].parent) {
    const Queue& here = queues_[at];
    if (here.max_applications != 0 && here.running >= here.max_applications) full = at;
  }
  return full;
}

}  // namespace previct::yunikorn
