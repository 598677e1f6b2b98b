#include "api/yunikorn_annotations.h"

#include "base/ascii.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace previct::yunikorn_annotations {
namespace {

using Json = nlohmann::ordered_json;

auto parse(std::string_view text) -> Json {
  return Json::parse(text, nullptr, false);
}

auto member(const Json& object, std::string_view name) -> const Json* {
  const Json* found = nullptr;
  for (const auto& [key, value] : object.items()) {
    if (equal_but_for_case(key, name) && !value.is_null()) found = &value;
  }
  return found;
}

/// The amount of a resource: a text or a number.
auto quantity_of(const Json& value) -> std::optional<Quantity> {
  if (value.is_string()) return Quantity::parse(value.get_ref<const std::string&>());
  return value.is_number() ? Quantity::parse(value.dump()) : std::nullopt;
}

/// Returns true for a map of texts, or no value; otherwise Go refuses the whole list.
auto texts_or_nothing(const Json* value) -> bool {
  if (value == nullptr) return true;
  return value->is_object() &&
         std::all_of(value->begin(), value->end(), [](const Json& each) { return each.is_string() || each.is_null(); });
}

auto is_sound(const Json& group) -> bool {
  if (!group.is_object()) return false;
  const auto is_list = [&](std::string_view field) {
    const Json* value = member(group, field);
    return value == nullptr || value->is_array();
  };
  const Json* name = member(group, "name");
  const Json* members = member(group, "minMember");
  const Json* each = member(group, "minResource");
  const Json* affinity = member(group, "affinity");
  return name != nullptr && name->is_string() && !name->get_ref<const std::string&>().empty() && members != nullptr &&
         members->is_number_integer() && each != nullptr && each->is_object() &&
         texts_or_nothing(member(group, "labels")) && texts_or_nothing(member(group, "annotations")) &&
         texts_or_nothing(member(group, "nodeSelector")) && is_list("tolerations") &&
         is_list("topologySpreadConstraints") && (affinity == nullptr || affinity->is_object());
}

auto read_task_group(const Json& group) -> std::optional<TaskGroup> {
  if (!is_sound(group)) return {};
  TaskGroup read{member(group, "minMember")->get<std::int64_t>(), {}};
  if (read.members <= 0 || read.members > INT32_MAX) return {};
  for (const auto& [type, text] : member(group, "minResource")->items()) {
    const auto amount = text.is_null() ? Quantity() : quantity_of(text);
    if (!amount) return {};
    read.each.emplace_back(type, *amount);
  }
  return read;
}

}  // namespace

auto read_task_groups(std::string_view text) -> std::optional<std::vector<TaskGroup>> {
  const Json parsed = parse(text);
  if (!parsed.is_array() || parsed.empty()) return {};
  std::vector<TaskGroup> groups;
  for (const Json& item : parsed) {
    auto group = read_task_group(item);
    if (!group) return {};
    groups.push_back(*std::move(group));
  }
  return groups;
}

auto read_user_info(std::string_view text) -> std::optional<UserInfo> {
  const Json note = parse(text);
  UserInfo info;
  if (note.is_null()) return info;
  if (!note.is_object()) return {};
  if (const Json* name = member(note, "user")) {
    if (!name->is_string()) return {};
    info.user = name->get<std::string>();
  }
  if (const Json* groups = member(note, "groups")) {
    if (!groups->is_array()) return {};
    for (const Json& group : *groups) {
      if (!group.is_string() && !group.is_null()) return {};
      info.groups.push_back(group.is_string() ? group.get<std::string>() : std::string());
    }
  }
  return info;
}

auto read_quota(std::string_view text) -> std::optional<Amounts> {
  if (text.empty()) return {};
  const Json parsed = parse(text);
  if (!parsed.is_object()) return {};
  Amounts amounts;
  for (const auto& [name, value] : parsed.items()) {
    const auto quantity = value.is_string() ? Quantity::parse(value.get_ref<const std::string&>()) : std::nullopt;
    if (!quantity) return {};
    amounts.emplace_back(name, *quantity);
  }
  return amounts;
}

}  // namespace previct::yunikorn_annotations
