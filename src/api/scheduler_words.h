#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace previct {

/// Words in messages of kube-scheduler or its plugins that only some releases or plugins write.
struct ReleaseWords {
  enum class Plugin : std::uint8_t {
    any,                 ///< evidence only of the release
    default_preemption,  ///< only DefaultPreemption writes them
    other_preemption     ///< written by a preemption plugin that was copied from an old DefaultPreemption:
                         ///< PreemptionToleration and CapacityScheduling of scheduler-plugins, ElasticQuota of
                         ///< koordinator
  };

  std::string_view words;
  int first = 0;  ///< range of minor releases that write them; 0: unbounded
  int last = 0;
  Plugin plugin = Plugin::any;
  std::string_view unless{};  ///< messages that also have these words do not count
};

/// What the words of a message show about its scheduler.
struct WordEvidence {
  int first = 0;  ///< range of minor releases that write all of them; 0: unbounded
  int last = 0;
  ReleaseWords::Plugin plugin = ReleaseWords::Plugin::any;
};
[[nodiscard]] auto evidence_of_words(std::string_view message) -> WordEvidence;

/// Returns true if the message looks like one that a scheduler or a kubelet writes into the condition DisruptionTarget
/// of a pod that it evicts. Other messages may hold anything.
/// Source: kubernetes: pkg/scheduler/framework/preemption (PreemptPod), pkg/kubelet/eviction, preemption, nodeshutdown;
/// KAI-Scheduler: pkg/scheduler/api/unschedule_info.go; koordinator: pkg/scheduler/plugins/coscheduling.
[[nodiscard]] auto is_disruption_message(std::string_view message) -> bool;

/// Reduces a message to its significant words, so that it names nothing of its cluster; empty if it has none.
[[nodiscard]] auto release_words_of(std::string_view message) -> std::string;
[[nodiscard]] auto is_release_words(std::string_view message) -> bool;

}  // namespace previct
