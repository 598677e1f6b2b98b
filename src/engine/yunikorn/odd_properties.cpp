#include "engine/yunikorn/odd_properties.h"

#include "base/ascii.h"
#include "base/duration.h"
#include "base/go.h"

#include <fmt/format.h>

namespace previct::yunikorn {
namespace {

auto is_policy(const std::string& value, std::string_view other, std::string_view third) -> bool {
  const std::string word = lower_case(value);
  return word.empty() || word == "default" || word == other || word == third;
}

// Returns the value that applies instead; empty if the value is read as written.
auto taken_instead(const std::string& key, const std::string& value) -> std::string_view {
  if (key == "preemption.policy") return is_policy(value, "fence", "disabled") ? "" : "default";
  if (key == "priority.policy") return is_policy(value, "fence", "fence") ? "" : "default";
  if (key == "priority.offset") return go::parse_int(value, 32) ? "" : "0";
  if (key == "preemption.delay") return parse_go_duration(value).value_or(0) > 0 ? "" : "30s";
  if (key == "application.sort.policy") {
    // Lower case only, unlike the other properties; `stateaware` is an old name of fifo.
    const bool known = value.empty() || value == "fifo" || value == "fair" || value == "stateaware";
    return known ? "" : "fifo";
  }
  return "";
}

auto path_of(const PartitionConfig& partition, std::size_t index) -> std::string {
  std::string path = partition.queues[index].name.value;
  while ((index = partition.queues[index].above) != QueueConfig::kTop) {
    path.insert(0, partition.queues[index].name.value + '.');
  }
  return path;
}

}  // namespace

auto odd_properties(const PartitionConfig& partition) -> std::vector<OddProperty> {
  std::vector<OddProperty> odd;
  for (std::size_t i = 0; i < partition.queues.size(); ++i) {
    for (const TextEntry& property : partition.queues[i].properties) {
      const std::string_view instead = taken_instead(property.key.value, property.value.value);
      if (instead.empty()) continue;
      odd.push_back(
          {property.value.place, fmt::format("queue {}: {} \"{}\" is malformed; {} is used", path_of(partition, i),
                                             property.key.value, property.value.value, instead)});
    }
  }
  return odd;
}

}  // namespace previct::yunikorn
