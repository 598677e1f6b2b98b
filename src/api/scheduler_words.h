#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace previct {

/// Words of kube-scheduler, or of a plugin in it, that not every release or plugin writes.
struct TellingWords {
  enum class Plugin : std::uint8_t {
    any,                 ///< they are evidence of the release alone
    default_preemption,  ///< DefaultPreemption alone writes them
    other_preemption     ///< a preemption plugin that was copied from an old DefaultPreemption: PreemptionToleration
                         ///< and CapacityScheduling of scheduler-plugins, ElasticQuota of koordinator
  };

  std::string_view words;
  int first = 0;  ///< minor releases that write them; 0: no bound
  int last = 0;
  Plugin plugin = Plugin::any;
  std::string_view unless{};  ///< a message with these words, too, is none of them
};
/// Source: kubernetes: pkg/scheduler/framework/plugins, v1.20 to v1.37; plugins/defaultpreemption PostFilter and
/// SelectVictimsOnNode; kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration, pkg/capacityscheduling
/// SelectVictimsOnNode; koordinator-sh/koordinator: pkg/scheduler/plugins/elasticquota SelectVictimsOnNode.
[[nodiscard]] auto telling_words() -> std::span<const TellingWords>;

/// What the telling words of a message show.
struct ToldByWords {
  int first = 0;  ///< minor releases that write all of them; 0: no bound
  int last = 0;
  TellingWords::Plugin plugin = TellingWords::Plugin::any;
};
[[nodiscard]] auto told_by_words(std::string_view message) -> ToldByWords;

/// Does this read as what a scheduler or a kubelet writes into the condition DisruptionTarget of a pod that it takes
/// away? Other messages may hold anything.
/// Source: kubernetes: pkg/scheduler/framework/preemption (PreemptPod), pkg/kubelet/eviction, preemption, nodeshutdown;
/// KAI-Scheduler: pkg/scheduler/api/unschedule_info.go; koordinator: pkg/scheduler/plugins/coscheduling.
[[nodiscard]] auto is_disruption_message(std::string_view message) -> bool;

/// The telling words of a message in a message that names nothing of its cluster; empty if there are none.
[[nodiscard]] auto telling_part(std::string_view message) -> std::string;
[[nodiscard]] auto is_telling_part(std::string_view message) -> bool;

}  // namespace previct
