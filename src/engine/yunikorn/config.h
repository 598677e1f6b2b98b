#pragma once

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

struct ResourcesConfig {
  std::optional<TextMap> guaranteed;
  std::optional<TextMap> max;
  Place place;
};

struct LimitConfig {
  Text limit;  ///< a description
  std::vector<Text> users;
  std::vector<Text> groups;
  TextMap max_resources;
  std::uint64_t max_applications = 0;
  Place place;
};

struct TemplateConfig {
  std::uint64_t max_applications = 0;
  TextMap properties;
  ResourcesConfig resources;
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
};

struct RuleConfig {
  Text name;
  bool create = false;
  Text filter_type;
  std::vector<Text> filter_users;
  std::vector<Text> filter_groups;
  Text value;
  Place place;
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
};

struct Config {
  std::vector<PartitionConfig> partitions;

  /// Returns the partition whose name is `default` or empty; null if there is none.
  [[nodiscard]] auto default_partition() const -> const PartitionConfig*;
};

/// Reads `queues.yaml` from the value at `index` of the tape. Strict: unknown fields, repeated keys and wrong types are
/// errors with their place.
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
