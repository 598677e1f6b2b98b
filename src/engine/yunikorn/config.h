#pragma once

#include "api/described.h"
#include "base/diagnostics.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// YuniKorn's queue configuration, `queues.yaml`, as written.
namespace previct::yunikorn {

/// A scalar and its place. As in Go, any scalar except null can be a string.
struct Text {
  std::string value;
  Place place;  ///< line 0: not written
};

/// A map of scalars, in the order of the file.
struct TextEntry {
  Text key;
  Text value;
};
using TextMap = std::vector<TextEntry>;

/// What YAML values mean to yaml.v3, the library that YuniKorn reads them with, by the type of the Go field.
/// Source: gopkg.in/yaml.v3 v3.0.1 decode.go scalar.
[[nodiscard]] auto go_text_form() -> Form<std::string>;     ///< string: any scalar; null is the empty text
[[nodiscard]] auto go_boolean_form() -> Form<bool>;         ///< bool: also the words of YAML 1.1, even in quotes
[[nodiscard]] auto go_count_form() -> Form<std::uint64_t>;  ///< uint64: decimals are truncated
[[nodiscard]] auto go_number_form() -> Form<std::string>;   ///< float64, in decimal: `010` is 8, `1_000` is 1000
[[nodiscard]] auto as_text(Text& member, Form<std::string> form = go_text_form()) -> As<std::string>;
[[nodiscard]] auto texts(std::vector<Text>& member) -> ListOf<As<std::string>>;
[[nodiscard]] auto text_map(TextMap& member, Form<std::string> (*value)() = go_text_form) -> MapTo<As<std::string>>;
[[nodiscard]] auto text_map(std::optional<TextMap>& member) -> MapTo<As<std::string>>;

struct ResourcesConfig {
  std::optional<TextMap> guaranteed;
  std::optional<TextMap> max;
  Place place;

  template <class Field>
  friend void describe(Field& field, ResourcesConfig& self) {
    field("guaranteed", text_map(self.guaranteed));
    field("max", text_map(self.max));
  }
};

struct LimitConfig {
  Text limit;  ///< a description
  std::vector<Text> users;
  std::vector<Text> groups;
  TextMap max_resources;
  std::uint64_t max_applications = 0;
  Place place;

  template <class Field>
  friend void describe(Field& field, LimitConfig& self) {
    field("limit", as_text(self.limit));
    field("users", texts(self.users));
    field("groups", texts(self.groups));
    field("maxresources", text_map(self.max_resources));
    field("maxapplications", as(self.max_applications, go_count_form()));
  }
};

struct TemplateConfig {
  std::uint64_t max_applications = 0;
  TextMap properties;
  ResourcesConfig resources;

  template <class Field>
  friend void describe(Field& field, TemplateConfig& self) {
    field("maxapplications", as(self.max_applications, go_count_form()));
    field("properties", text_map(self.properties));
    field("resources", self.resources);
  }
};

/// One queue. The tree is stored flat: parents before children, siblings in file order.
struct QueueConfig {
  static constexpr std::size_t kTop = SIZE_MAX;

  std::size_t above = kTop;  ///< index of the parent in PartitionConfig::queues
  Text name;
  bool parent = false;
  bool has_children = false;
  ResourcesConfig resources;
  std::uint64_t max_applications = 0;
  Place max_applications_place;
  TextMap properties;
  Text admin_acl;
  Text submit_acl;
  TemplateConfig child_template;
  std::vector<LimitConfig> limits;
  Place place;
  std::uint32_t queues_on_tape = 0;  ///< the list of the queues below; 0: none

  template <class Field>
  friend void describe(Field& field, QueueConfig& self) {
    field("name", as_text(self.name));
    field("parent", as(self.parent, go_boolean_form()));
    field("resources", self.resources);
    const auto set_most = [&self](std::uint64_t value, const Place& place) {
      self.max_applications = value;
      self.max_applications_place = place;
    };
    field("maxapplications", As<std::uint64_t>{go_count_form(), set_most});
    field("properties", text_map(self.properties));
    field("adminacl", as_text(self.admin_acl));
    field("submitacl", as_text(self.submit_acl));
    field("childtemplate", self.child_template);
    field("queues", on_tape(self.queues_on_tape));
    field("limits", records(self.limits));
  }
};

struct RuleConfig {
  Text name;
  bool create = false;
  Text filter_type;
  std::vector<Text> filter_users;
  std::vector<Text> filter_groups;
  Text value;
  Place place;
  std::uint32_t parent_on_tape = 0;  ///< the rule that gives the parent queue; 0: none

  template <class Field>
  friend void describe(Field& field, RuleConfig& self) {
    field("name", as_text(self.name));
    field("create", as(self.create, go_boolean_form()));
    field("filter", group([&self](auto& filter) {
            filter("type", as_text(self.filter_type));
            filter("users", texts(self.filter_users));
            filter("groups", texts(self.filter_groups));
          }));
    field("parent", on_tape(self.parent_on_tape));
    field("value", as_text(self.value));
  }
};
/// A placement rule, followed by the rule that gives its parent queue, that rule's parent, and so on.
using RuleChain = std::vector<RuleConfig>;

struct PartitionConfig {
  Text name;
  std::vector<QueueConfig> queues;  ///< after `check`: the first one is root
  std::vector<RuleChain> rules;
  std::vector<LimitConfig> limits;
  bool preemption_enabled = true;
  bool quota_preemption_enabled = false;
  Text node_sort_policy;
  /// Where groups of users come from if no annotation names them; empty: nowhere.
  Text user_group_resolver;
  TextMap resource_weights;
  Place place;
  /// Stands in for the partition `default`, which the configuration does not have.
  bool absent = false;
  std::uint32_t queues_on_tape = 0;  ///< the list of the top queues; 0: none
  std::uint32_t rules_on_tape = 0;   ///< the list of placement rules; 0: none

  template <class Field>
  friend void describe(Field& field, PartitionConfig& self) {
    field("name", as_text(self.name));
    field("queues", on_tape(self.queues_on_tape));
    field("placementrules", on_tape(self.rules_on_tape));
    field("limits", records(self.limits));
    field("preemption", group([&self](auto& preemption) {
            preemption("enabled", as(self.preemption_enabled, go_boolean_form()));
            preemption("quotapreemptionenabled", as(self.quota_preemption_enabled, go_boolean_form()));
          }));
    field("nodesortpolicy", group([&self](auto& policy) {
            policy("type", as_text(self.node_sort_policy));
            policy("resourceweights", text_map(self.resource_weights, go_number_form));
          }));
    field("usergroupresolver", group([&self](auto& resolver) { resolver("type", as_text(self.user_group_resolver)); }));
  }
};

struct Config {
  std::vector<PartitionConfig> partitions;

  template <class Field>
  friend void describe(Field& field, Config& self) {
    field("partitions", records(self.partitions));
    field("checksum", ignored());
  }

  /// Returns the partition whose name is `default` or empty; null if there is none.
  [[nodiscard]] auto default_partition() const -> const PartitionConfig*;
};

/// Reads `queues.yaml` from the value at `index` of the tape strictly (api/strict_reader.h), with the meaning that
/// values have in Go.
/// Source: apache/yunikorn-core 1.9 pkg/common/configs/config.go (yaml.v3 with KnownFields).
[[nodiscard]] auto read_config(const Tape& tape, std::uint32_t index, FileId file) -> Result<Config>;

/// Rejects what the scheduler rejects, with the place of the first error. Adds a root queue if there is none.
/// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go Validate.
[[nodiscard]] auto check(Config& config) -> Result<void>;

/// Adds a partition that accepts no application if no partition is called `default`: the scheduler still starts, but
/// the shim knows no other partition, so every node and every application is rejected. Source: apache/yunikorn-core 1.9
/// pkg/scheduler/context.go addNode, handleRMUpdateApplicationEvent; apache/yunikorn-k8shim 1.9
/// pkg/common/constants/constants.go DefaultPartition.
void stand_in_for_default(Config& config);

/// Returns the scheduler's built-in configuration: one queue per namespace.
[[nodiscard]] auto built_in_config() -> Config;

/// Parses an amount of a queue configuration: `10`, `500m` (vcore only), `2Gi`. Cores are read as thousandths. Returns
/// none if the text is not an amount, or does not fit in an int64.
[[nodiscard]] auto parse_amount(std::string_view text, bool vcore) -> std::optional<std::int64_t>;

/// Returns true if this is a valid queue name.
[[nodiscard]] auto valid_queue_name(std::string_view name) -> bool;

/// Returns true if this is a valid user name.
[[nodiscard]] auto valid_user_name(std::string_view name) -> bool;

}  // namespace previct::yunikorn
