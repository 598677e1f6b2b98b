#include "api/scheduler_words.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

using Plugin = ReleaseWords::Plugin;

// Source: kubernetes: pkg/scheduler/framework/plugins, v1.20 to v1.37; plugins/defaultpreemption PostFilter and
// SelectVictimsOnNode; kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration, pkg/capacityscheduling
// SelectVictimsOnNode; koordinator-sh/koordinator: pkg/scheduler/plugins/elasticquota SelectVictimsOnNode.
constexpr std::array kTelling = {
    ReleaseWords{"that the pod didn't tolerate", 0, 23}, ReleaseWords{"had untolerated taint {", 24, 33},
    ReleaseWords{"had untolerated taint(s)", 34, 0}, ReleaseWords{"didn't match the requested hostname", 0, 20},
    ReleaseWords{"didn't match pod affinity/anti-affinity", 0, 21},
    ReleaseWords{"didn't match service affinity", 0, 22}, ReleaseWords{"didn't have the requested labels", 0, 22},
    ReleaseWords{"had volume node affinity conflict", 0, 32},
    ReleaseWords{"didn't match PersistentVolume's node affinity", 33, 0},
    ReleaseWords{"didn't satisfy plugin(s)", 32, 0, Plugin::any, " simultaneously"},  // PreFilter has said that since
                                                                                      // 1.24
    ReleaseWords{"node has pod using PersistentVolumeClaim", 22, 33},
    ReleaseWords{"ReadWriteOncePod access mode already in-use", 34, 0},
    ReleaseWords{"no new claims to deallocate", 34, 36},  // also in earlier releases, if the feature gate was on
    ReleaseWords{"didn't match Pod's required features", 36, 0},
    ReleaseWords{"found a potential placement for pod on node", 37, 0},
    // Other plugins omit `preemption: `.
    ReleaseWords{" preemption: ", 24, 0, Plugin::default_preemption},
    ReleaseWords{"No preemption victims found for incoming pod", 24, 0, Plugin::default_preemption},
    ReleaseWords{"No victims found on node ", 21, 0, Plugin::other_preemption}};

// No scheduler writes this message: without nodes, the message is different.
constexpr std::string_view kOfNoNodes = "0/0 nodes are available:";

}  // namespace

auto evidence_of_words(std::string_view message) -> WordEvidence {
  WordEvidence told;
  for (const ReleaseWords& each : kTelling) {
    if (message.find(each.words) == std::string_view::npos) continue;
    if (!each.unless.empty() && message.find(each.unless) != std::string_view::npos) continue;
    told.first = std::max(told.first, each.first);
    if (each.last != 0) told.last = told.last == 0 ? each.last : std::min(told.last, each.last);
    // The words of other plugins were also DefaultPreemption's in older releases, after its prefix.
    if (each.plugin == Plugin::default_preemption || told.plugin == Plugin::any) told.plugin = each.plugin;
  }
  return told;
}

auto is_disruption_message(std::string_view message) -> bool {
  constexpr std::array<std::string_view, 9> kWords = {"preempting to accommodate ",
                                                      " was preempted by ",
                                                      " was preempted and rescheduled due to bin packing",
                                                      "evicting remaining pod: ",
                                                      "The node was low on resource: ",
                                                      "The node had condition: ",
                                                      "in response to imminent node shutdown",
                                                      "Pod ephemeral local storage usage exceeds ",
                                                      "Usage of EmptyDir volume "};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view words) { return message.find(words) != std::string_view::npos; });
}

auto release_words_of(std::string_view message) -> std::string {
  std::string part;
  for (const ReleaseWords& each : kTelling) {
    if (message.find(each.words) == std::string_view::npos) continue;
    part += part.empty() ? std::string(kOfNoNodes) + " " : "; ";
    part += each.words;
  }
  return part;
}

auto is_release_words(std::string_view message) -> bool {
  return message.starts_with(kOfNoNodes);
}

}  // namespace previct
