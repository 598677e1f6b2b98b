#include "api/strict_reader.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "base/go.h"
#include "engine/yunikorn/config.h"
#include "input/yaml_scalar.h"

#include <algorithm>
#include <cstdlib>

namespace previct::yunikorn {
namespace {

constexpr const char* kNoSchema = "";  // the format is YuniKorn's

/// Converts a YAML number to decimal: `010` is 8, `1_000` is 1000.
auto decimal(std::string_view written) -> std::string {
  std::string scratch;
  return std::string(resolve_plain(written, scratch).text);
}

template <class V>
auto go_form(std::string expected, std::optional<V> (*parse)(std::string_view, ScalarType)) -> Form<V> {
  Form<V> form;
  form.expected = std::move(expected);
  form.parse = parse;
  form.schema = kNoSchema;
  return form;
}

auto parse_boolean(std::string_view text, ScalarType type) -> std::optional<bool> {
  if (type == ScalarType::boolean) return contains({"true", "yes", "on", "y"}, lower_case(text));
  if (type != ScalarType::string) return {};
  // The library accepts these words of YAML 1.1 even in quotes.
  if (contains({"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}, text)) return true;
  if (contains({"n", "N", "no", "No", "NO", "off", "Off", "OFF"}, text)) return false;
  return {};
}

auto parse_count(std::string_view written, ScalarType type) -> std::optional<std::uint64_t> {
  if (type != ScalarType::integer && type != ScalarType::floating) return {};
  const std::string text = decimal(written);
  const auto whole = go::parse_int(text, 64);
  if (whole && *whole >= 0) return static_cast<std::uint64_t>(*whole);
  // The library truncates decimals.
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end == '\0' && value >= 0 && value < 1e18) return static_cast<std::uint64_t>(value);
  return {};
}

/// Reads the list of top queues and everything below. Uses a stack because recursion could overflow on a deeply nested
/// file.
auto queues_of(StrictReader& reader, std::uint32_t list) -> std::vector<QueueConfig> {
  struct Waiting {
    std::uint32_t index;
    std::size_t above;
  };
  std::vector<QueueConfig> result;
  std::vector<Waiting> stack;
  const auto push = [&](std::uint32_t children, std::size_t above) {
    const std::size_t first = stack.size();
    if (children != 0) reader.each_item(children, {}, [&](std::uint32_t item) { stack.push_back({item, above}); });
    std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
    return stack.size() > first;
  };
  push(list, QueueConfig::kTop);
  while (!stack.empty() && !reader.failure()) {
    const Waiting next = stack.back();
    stack.pop_back();
    QueueConfig queue;
    reader.read(next.index, queue);
    queue.above = next.above;
    queue.has_children = push(queue.queues_on_tape, result.size());
    result.push_back(std::move(queue));
  }
  return result;
}

auto rules_of(StrictReader& reader, std::uint32_t list) -> std::vector<RuleChain> {
  std::vector<RuleChain> result;
  if (list == 0) return result;
  reader.each_item(list, {}, [&](std::uint32_t item) {
    RuleChain& chain = result.emplace_back();
    for (std::uint32_t next = item; next != 0 && !reader.failure(); next = chain.back().parent_on_tape)
      reader.read(next, chain.emplace_back());
  });
  return result;
}

}  // namespace

auto go_text_form() -> Form<std::string> {
  return go_form<std::string>("a text", [](std::string_view text, ScalarType type) {
    return std::optional<std::string>(type == ScalarType::null ? std::string_view() : text);
  });
}

auto go_boolean_form() -> Form<bool> {
  return go_form("true or false", parse_boolean);
}

auto go_count_form() -> Form<std::uint64_t> {
  return go_form("an integer, 0 or more", parse_count);
}

auto go_number_form() -> Form<std::string> {
  return go_form<std::string>("a number", [](std::string_view text, ScalarType type) {
    const bool number = type != ScalarType::string && type != ScalarType::boolean;
    return number ? std::optional(decimal(type == ScalarType::null ? std::string_view() : text)) : std::nullopt;
  });
}

auto as_text(Text& member, Form<std::string> form) -> As<std::string> {
  return {std::move(form), [&member](std::string value, const Place& place) { member = {std::move(value), place}; }};
}

auto texts(std::vector<Text>& member) -> ListOf<As<std::string>> {
  return {[&member] { return as_text(member.emplace_back()); }};
}

auto text_map(TextMap& member, Form<std::string> (*value)()) -> MapTo<As<std::string>> {
  const auto add = [&member, value](std::string key, const Place& place) {
    TextEntry& entry = member.emplace_back();
    entry.key = {std::move(key), place};
    return as_text(entry.value, value());
  };
  return {go_text_form(), add, {}};
}

auto text_map(std::optional<TextMap>& member) -> MapTo<As<std::string>> {
  const auto add = [&member](std::string key, const Place& place) {
    TextEntry& entry = member->emplace_back();
    entry.key = {std::move(key), place};
    return as_text(entry.value);
  };
  return {go_text_form(), add, {}, [&member] { member.emplace(); }};
}

auto Config::default_partition() const -> const PartitionConfig* {
  for (const PartitionConfig& partition : partitions) {
    if (partition.name.value.empty() || lower_case(partition.name.value) == "default") return &partition;
  }
  return nullptr;
}

auto read_config(const Tape& tape, std::uint32_t index, FileId file) -> Result<Config> {
  Config config;
  if (tape[index].type == EventType::scalar && tape[index].scalar == ScalarType::null) return config;
  StrictReader reader(tape, file, {.null_is_absent = true});
  reader.read(index, config);
  for (PartitionConfig& partition : config.partitions) {
    if (partition.queues_on_tape != 0) partition.queues = queues_of(reader, partition.queues_on_tape);
    partition.rules = rules_of(reader, partition.rules_on_tape);
  }
  if (reader.failure()) return tl::unexpected(*reader.failure());
  return config;
}

void stand_in_for_default(Config& config) {
  if (config.default_partition() != nullptr) return;
  PartitionConfig partition;
  partition.name.value = "default";
  partition.absent = true;
  if (!config.partitions.empty()) partition.place = config.partitions[0].place;
  QueueConfig root;
  root.name.value = "root";
  root.parent = true;
  partition.queues.push_back(std::move(root));
  config.partitions.insert(config.partitions.begin(), std::move(partition));
}

auto built_in_config() -> Config {
  PartitionConfig partition;
  partition.name.value = "default";
  QueueConfig root;
  root.name.value = "root";
  root.parent = true;
  root.submit_acl.value = "*";
  partition.queues.push_back(std::move(root));
  RuleConfig by_namespace;
  by_namespace.name.value = "tag";
  by_namespace.value.value = "namespace";
  by_namespace.create = true;
  partition.rules.push_back({std::move(by_namespace)});
  Config config;
  config.partitions.push_back(std::move(partition));
  return config;
}

}  // namespace previct::yunikorn
