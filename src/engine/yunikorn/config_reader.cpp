#include "base/ascii.h"
#include "base/contains.h"
#include "base/go.h"
#include "base/text.h"
#include "engine/yunikorn/config.h"
#include "input/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace previct::yunikorn {
namespace {

/// Reads a tape strictly. Stops at the first error.
class ConfigReader {
 public:
  ConfigReader(const Tape& tape, FileId file) : tape_(tape), file_(file) {}

  [[nodiscard]] auto failure() const -> const std::optional<Failure>& { return failure_; }

  auto read(std::uint32_t index) -> Config {
    Config config;
    each_field(index, "the configuration", {"partitions", "checksum"}, [&](std::string_view key, std::uint32_t at) {
      if (key != "partitions") return;
      each_item(at, "partitions", [&](std::uint32_t item) { config.partitions.push_back(partition(item)); });
    });
    return config;
  }

 private:
  [[nodiscard]] auto place(std::uint32_t index) const -> Place {
    return {file_, tape_[index].line, tape_[index].column};
  }

  void refuse(std::uint32_t index, std::string message, std::string help = {}) {
    if (!failure_) failure_ = Failure{std::move(message), place(index), std::move(help)};
  }

  [[nodiscard]] auto is_null(std::uint32_t index) const -> bool {
    return tape_[index].type == EventType::scalar && tape_[index].scalar == ScalarType::null;
  }

  /// Calls visit(key, index of the value) for each field that is not null; `known` are the valid fields.
  template <class Visit>
  void each_field(std::uint32_t map, std::string_view what, const std::vector<std::string>& known, Visit visit) {
    each_entry(map, what, [&](std::uint32_t key_at, std::uint32_t value_at) {
      const std::string_view key = tape_.text(tape_[key_at]);
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        const auto similar = nearest(key, known);
        return refuse(key_at, fmt::format("{}: unknown field \"{}\"", what, key),
                      similar ? fmt::format("did you mean \"{}\"?", *similar) : std::string());
      }
      if (!is_null(value_at)) visit(key, value_at);
    });
  }

  /// Calls visit(index of the key, index of the value); a repeated key is an error.
  template <class Visit>
  void each_entry(std::uint32_t map, std::string_view what, Visit visit) {
    if (failure_ || is_null(map)) return;
    if (tape_[map].type != EventType::begin_map) return refuse(map, fmt::format("{}: expected a mapping", what));
    std::vector<std::string_view> seen;
    for (std::uint32_t key = map + 1; key < tape_[map].next && !failure_;) {
      const std::string_view text = tape_.text(tape_[key]);
      if (std::find(seen.begin(), seen.end(), text) != seen.end()) {
        return refuse(key, fmt::format("{}: key \"{}\" occurs twice in one mapping", what, text));
      }
      seen.push_back(text);
      visit(key, key + 1);
      key = tape_[key + 1].next;
    }
  }

  /// Skips elements that are null, as yaml.v3 does.
  template <class Visit>
  void each_item(std::uint32_t list, std::string_view what, Visit visit) {
    if (failure_ || is_null(list)) return;
    if (tape_[list].type != EventType::begin_list) return refuse(list, fmt::format("{}: expected a list", what));
    for (std::uint32_t item = list + 1; item < tape_[list].next && !failure_; item = tape_[item].next) {
      if (!is_null(item)) visit(item);
    }
  }

  auto text(std::uint32_t index, std::string_view what) -> Text {
    if (tape_[index].type != EventType::scalar) {
      refuse(index, fmt::format("{}: expected a text", what));
      return {};
    }
    return {is_null(index) ? std::string() : std::string(tape_.text(tape_[index])), place(index)};
  }

  auto texts(std::uint32_t index, std::string_view what) -> std::vector<Text> {
    std::vector<Text> result;
    each_item(index, what, [&](std::uint32_t item) { result.push_back(text(item, what)); });
    return result;
  }

  auto text_map(std::uint32_t index, std::string_view what) -> TextMap {
    TextMap result;
    each_entry(index, what, [&](std::uint32_t key, std::uint32_t value) {
      result.push_back({text(key, what), text(value, what)});
    });
    return result;
  }

  auto weights(std::uint32_t index) -> TextMap {
    each_entry(index, "resourceweights", [&](std::uint32_t /*key*/, std::uint32_t value) {
      const Tape::Entry& entry = tape_[value];
      const bool number =
          entry.type == EventType::scalar && entry.scalar != ScalarType::string && entry.scalar != ScalarType::boolean;
      if (!number) refuse(value, "resourceweights: expected a number");
    });
    TextMap result = text_map(index, "resourceweights");
    for (TextEntry& entry : result) entry.value.value = decimal(entry.value.value);
    return result;
  }

  /// Converts a YAML number to decimal: `010` is 8, `1_000` is 1000.
  static auto decimal(std::string_view written) -> std::string {
    std::string scratch;
    return std::string(resolve_plain(written, scratch).text);
  }

  auto boolean(std::uint32_t index, std::string_view what) -> bool {
    if (tape_[index].type == EventType::scalar && tape_[index].scalar == ScalarType::boolean) {
      const std::string text = lower_case(tape_.text(tape_[index]));
      return text == "true" || text == "yes" || text == "on" || text == "y";
    }
    // The library accepts these words of YAML 1.1 even in quotes.
    if (tape_[index].type == EventType::scalar && tape_[index].scalar == ScalarType::string) {
      const std::string_view text = tape_.text(tape_[index]);
      if (contains({"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}, text)) return true;
      if (contains({"n", "N", "no", "No", "NO", "off", "Off", "OFF"}, text)) return false;
    }
    refuse(index, fmt::format("{}: expected true or false", what));
    return false;
  }

  auto count(std::uint32_t index, std::string_view what) -> std::uint64_t {
    const Tape::Entry& entry = tape_[index];
    const bool number = entry.scalar == ScalarType::integer || entry.scalar == ScalarType::floating;
    if (entry.type == EventType::scalar && number) {
      const std::string text = decimal(tape_.text(entry));
      const auto whole = go::parse_int(text, 64);
      if (whole && *whole >= 0) return static_cast<std::uint64_t>(*whole);
      // The library truncates decimals.
      char* end = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (*end == '\0' && value >= 0 && value < 1e18) return static_cast<std::uint64_t>(value);
    }
    refuse(index, fmt::format("{}: expected an integer, 0 or more", what));
    return 0;
  }

  auto partition(std::uint32_t index) -> PartitionConfig {
    PartitionConfig result;
    result.place = place(index);
    const std::vector<std::string> known = {"name",       "queues",         "placementrules",   "limits",
                                            "preemption", "nodesortpolicy", "usergroupresolver"};
    each_field(index, "partition", known, [&](std::string_view key, std::uint32_t at) {
      if (key == "name") result.name = text(at, "partition name");
      if (key == "queues") result.queues = queues(at);
      if (key == "placementrules") {
        each_item(at, "placementrules", [&](std::uint32_t item) { result.rules.push_back(rule_chain(item)); });
      }
      if (key == "limits") result.limits = limits(at);
      if (key == "preemption") preemption(at, result);
      if (key == "nodesortpolicy") node_sort_policy(at, result);
      if (key == "usergroupresolver") {
        each_field(at, "usergroupresolver", {"type"}, [&](std::string_view, std::uint32_t type) {
          result.user_group_resolver = text(type, "usergroupresolver type");
        });
      }
    });
    return result;
  }

  void preemption(std::uint32_t index, PartitionConfig& result) {
    each_field(index, "preemption", {"enabled", "quotapreemptionenabled"}, [&](std::string_view key, std::uint32_t at) {
      if (key == "enabled") result.preemption_enabled = boolean(at, "preemption enabled");
      if (key == "quotapreemptionenabled") {
        result.quota_preemption_enabled = boolean(at, "preemption quotapreemptionenabled");
      }
    });
  }

  void node_sort_policy(std::uint32_t index, PartitionConfig& result) {
    each_field(index, "nodesortpolicy", {"type", "resourceweights"}, [&](std::string_view key, std::uint32_t at) {
      if (key == "type") result.node_sort_policy = text(at, "nodesortpolicy type");
      if (key == "resourceweights") result.resource_weights = weights(at);
    });
  }

  /// Reads the list of top queues and everything below. Uses a stack because recursion could overflow on a deeply
  /// nested file.
  auto queues(std::uint32_t list) -> std::vector<QueueConfig> {
    struct Waiting {
      std::uint32_t index;
      std::size_t above;
    };
    std::vector<QueueConfig> result;
    std::vector<Waiting> stack;
    const auto push = [&](std::uint32_t children, std::size_t above) {
      const std::size_t first = stack.size();
      each_item(children, "queues", [&](std::uint32_t item) { stack.push_back({item, above}); });
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
      return stack.size() > first;
    };
    push(list, QueueConfig::kTop);
    while (!stack.empty() && !failure_) {
      const Waiting next = stack.back();
      stack.pop_back();
      std::uint32_t children = 0;
      QueueConfig queue = one_queue(next.index, children);
      queue.above = next.above;
      if (children != 0) queue.has_children = push(children, result.size());
      result.push_back(std::move(queue));
    }
    return result;
  }

  auto one_queue(std::uint32_t index, std::uint32_t& children) -> QueueConfig {
    QueueConfig queue;
    queue.place = place(index);
    const std::vector<std::string> known = {"name",     "parent",    "resources",     "maxapplications", "properties",
                                            "adminacl", "submitacl", "childtemplate", "queues",          "limits"};
    each_field(index, "queue", known, [&](std::string_view key, std::uint32_t at) {
      if (key == "name") queue.name = text(at, "queue name");
      if (key == "parent") queue.parent = boolean(at, "queue parent");
      if (key == "resources") queue.resources = resources(at);
      if (key == "maxapplications") {
        queue.max_applications = count(at, "maxapplications");
        queue.max_applications_place = place(at);
      }
      if (key == "properties") queue.properties = text_map(at, "properties");
      if (key == "adminacl") queue.admin_acl = text(at, "adminacl");
      if (key == "submitacl") queue.submit_acl = text(at, "submitacl");
      if (key == "childtemplate") queue.child_template = child_template(at);
      if (key == "queues") children = at;
      if (key == "limits") queue.limits = limits(at);
    });
    return queue;
  }

  auto resources(std::uint32_t index) -> ResourcesConfig {
    ResourcesConfig result;
    result.place = place(index);
    each_field(index, "resources", {"guaranteed", "max"}, [&](std::string_view key, std::uint32_t at) {
      (key == "max" ? result.max : result.guaranteed) = text_map(at, key);
    });
    return result;
  }

  auto child_template(std::uint32_t index) -> TemplateConfig {
    TemplateConfig result;
    each_field(index, "childtemplate", {"maxapplications", "properties", "resources"},
               [&](std::string_view key, std::uint32_t at) {
                 if (key == "maxapplications") result.max_applications = count(at, "maxapplications");
                 if (key == "properties") result.properties = text_map(at, "properties");
                 if (key == "resources") result.resources = resources(at);
               });
    return result;
  }

  auto limits(std::uint32_t list) -> std::vector<LimitConfig> {
    std::vector<LimitConfig> result;
    each_item(list, "limits", [&](std::uint32_t item) {
      LimitConfig& limit = result.emplace_back();
      limit.place = place(item);
      each_field(item, "limit", {"limit", "users", "groups", "maxresources", "maxapplications"},
                 [&](std::string_view key, std::uint32_t at) {
                   if (key == "limit") limit.limit = text(at, "limit");
                   if (key == "users") limit.users = texts(at, "limit users");
                   if (key == "groups") limit.groups = texts(at, "limit groups");
                   if (key == "maxresources") limit.max_resources = text_map(at, "maxresources");
                   if (key == "maxapplications") limit.max_applications = count(at, "maxapplications");
                 });
    });
    return result;
  }

  auto rule_chain(std::uint32_t index) -> RuleChain {
    RuleChain chain;
    for (std::uint32_t next = index; next != 0 && !failure_;) {
      std::uint32_t above = 0;
      chain.push_back(rule(next, above));
      next = above;
    }
    return chain;
  }

  auto rule(std::uint32_t index, std::uint32_t& above) -> RuleConfig {
    RuleConfig result;
    result.place = place(index);
    each_field(index, "placement rule", {"name", "create", "filter", "parent", "value"},
               [&](std::string_view key, std::uint32_t at) {
                 if (key == "name") result.name = text(at, "placement rule name");
                 if (key == "create") result.create = boolean(at, "placement rule create");
                 if (key == "filter") filter(at, result);
                 if (key == "parent") above = at;
                 if (key == "value") result.value = text(at, "placement rule value");
               });
    return result;
  }

  void filter(std::uint32_t index, RuleConfig& result) {
    each_field(index, "filter", {"type", "users", "groups"}, [&](std::string_view key, std::uint32_t at) {
      if (key == "type") result.filter_type = text(at, "filter type");
      if (key == "users") result.filter_users = texts(at, "filter users");
      if (key == "groups") result.filter_groups = texts(at, "filter groups");
    });
  }

  const Tape& tape_;
  FileId file_;
  std::optional<Failure> failure_;
};

}  // namespace

auto Config::default_partition() const -> const PartitionConfig* {
  for (const PartitionConfig& partition : partitions) {
    if (partition.name.value.empty() || lower_case(partition.name.value) == "default") return &partition;
  }
  return nullptr;
}

auto read_config(const Tape& tape, std::uint32_t index, FileId file) -> Result<Config> {
  ConfigReader reader(tape, file);
  Config config = reader.read(index);
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
