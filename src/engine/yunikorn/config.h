#pragma once

#include "base/diagnostics.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// YuniKorn's queue configuration, `queues.yaml`, as it is written.
namespace previct::yunikorn {

/// A scalar and where it stands. As in Go, any scalar but null will do for a string.
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

/// One queue; the tree is kept flat, parents before children, siblings in the order of the file.
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
  Text user_group_resolver;  ///< where groups of users come from that are not noted; empty: nowhere
  TextMap resource_weights;
  Place place;
  bool absent = false;  ///< stands in for the partition `default` where the configuration has none
};

struct Config {
  std::vector<PartitionConfig> partitions;

  /// The partition called `default` (or nothing); null if there is none.
  [[nodiscard]] auto default_partition() const -> const PartitionConfig*;
};

/// Reads `queues.yaml` from the value at `index` of the tape. Strict: unknown fields, repeated keys and wrong
/// types are failures with their place.
/// Source: apache/yunikorn-core 1.9 pkg/common/configs/config.go (yaml.v3 with KnownFields).
[[nodiscard]] auto read_config(const Tape& tape, std::uint32_t index, FileId file) -> Result<Config>;

/// Refuses what the scheduler refuses, with the place of the first offender, and puts a root above the queues
/// if there is none.
/// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go Validate.
[[nodiscard]] auto check(Config& config) -> Result<void>;

/// Where no partition is called `default`, puts one in that takes no application: the scheduler starts all the same,
/// but the shim knows no other partition, so that every node and every application is rejected. Source:
/// apache/yunikorn-core 1.9 pkg/scheduler/context.go addNode, handleRMUpdateApplicationEvent;
/// apache/yunikorn-k8shim 1.9 pkg/common/constants/constants.go DefaultPartition.
void stand_in_for_default(Config& config);

/// What the scheduler runs with when it is given no configuration: one queue per namespace.
[[nodiscard]] auto built_in_config() -> Config;

/// An amount as queue configurations write it: `10`, `500m` (vcore only), `2Gi`. Cores are read in
/// thousandths. None if it is not one, or does not fit in an int64.
[[nodiscard]] auto parse_amount(std::string_view text, bool vcore) -> std::optional<std::int64_t>;

/// May this be a queue's name?
[[nodiscard]] auto valid_queue_name(std::string_view name) -> bool;

/// May this be a user's name?
[[nodiscard]] auto valid_user_name(std::string_view name) -> bool;

}  // namespace previct::yunikorn
