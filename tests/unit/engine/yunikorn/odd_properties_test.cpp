#include "engine/yunikorn/odd_properties.h"

#include "engine/yunikorn/configuration.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;

namespace {

// Returns `LINE: words` for each odd property of queue root.a, which has one property, in line 7.
auto odd(const std::string& property) -> std::string {
  const auto config = yunikorn::read_queues(fmt::format(R"(partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: a
      properties: {{{}}}
)",
                                                        property),
                                            FileId{0});
  REQUIRE(config);
  std::string text;
  for (const auto& each : yunikorn::odd_properties(*config->default_partition())) {
    text += fmt::format("{}: {}\n", each.place.line, each.words);
  }
  return text;
}

}  // namespace

// Source of the values that count instead: yunikorn-core 1.9, pkg/scheduler/objects/queue.go UpdateQueueProperties,
// convertDelay and priorityOffset; pkg/scheduler/policies PreemptionPolicyFromString, PriorityPolicyFromString,
// SortPolicyFromString.
TEST_CASE("yunikorn odd properties: one that cannot be read is reported with the value that counts instead",
          "[yunikorn]") {
  const auto told = [](const std::string& what, const std::string& instead) {
    return fmt::format("7: queue root.a: {} is malformed; {} is used\n", what, instead);
  };
  CHECK(odd("application.sort.policy: lifo") == told("application.sort.policy \"lifo\"", "fifo"));
  CHECK(odd("application.sort.policy: Fair") == told("application.sort.policy \"Fair\"", "fifo"));
  CHECK(odd("application.sort.policy: fair") == "");
  CHECK(odd("application.sort.policy: stateaware") == "");
  CHECK(odd("application.sort.policy: ''") == "");
  CHECK(odd("preemption.policy: 'off'") == told("preemption.policy \"off\"", "default"));
  CHECK(odd("preemption.policy: Disabled") == "");
  CHECK(odd("priority.policy: disabled") == told("priority.policy \"disabled\"", "default"));
  CHECK(odd("priority.policy: FENCE") == "");
  CHECK(odd("priority.offset: high") == told("priority.offset \"high\"", "0"));
  CHECK(odd("priority.offset: '2147483648'") == told("priority.offset \"2147483648\"", "0"));
  CHECK(odd("priority.offset: '-2147483648'") == "");
  CHECK(odd("preemption.delay: '10'") == told("preemption.delay \"10\"", "30s"));
  CHECK(odd("preemption.delay: 0s") == told("preemption.delay \"0s\"", "30s"));
  CHECK(odd("preemption.delay: 1ms") == "");
  CHECK(odd("somebody.else: 1") == "");
}
