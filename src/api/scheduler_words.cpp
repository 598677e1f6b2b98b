#include "api/scheduler_words.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

using Plugin = TellingWords::Plugin;

constexpr std::array kTelling = {
    TellingWords{"that the pod didn't tolerate", 0, 23}, TellingWords{"had untolerated taint {", 24, 33},
    TellingWords{"had untolerated taint(s)", 34, 0}, TellingWords{"didn't match the requested hostname", 0, 20},
    TellingWords{"didn't match pod affinity/anti-affinity", 0, 21},
    TellingWords{"didn't match service affinity", 0, 22}, TellingWords{"didn't have the requested labels", 0, 22},
    TellingWords{"had volume node affinity conflict", 0, 32},
    TellingWords{"didn't match PersistentVolume's node affinity", 33, 0},
    TellingWords{"didn't satisfy plugin(s)", 32, 0, Plugin::any, " simultaneously"},  // PreFilter has said that since
                                                                                      // 1.24
    TellingWords{"node has pod using PersistentVolumeClaim", 22, 33},
    TellingWords{"ReadWriteOncePod access mode already in-use", 34, 0},
    TellingWords{"no new claims to deallocate", 34, 36},  // also in earlier releases, if the feature gate was on
    TellingWords{"didn't match Pod's required features", 36, 0},
    TellingWords{"found a potential placement for pod on node", 37, 0},
    // Other plugins omit `preemption: `.
    TellingWords{" preemption: ", 24, 0, Plugin::default_preemption},
    TellingWords{"No preemption victims found for incoming pod", 24, 0, Plugin::default_preemption},
    TellingWords{"No victims found on node ", 21, 0, Plugin::other_preemption}};

// No scheduler writes this message: without nodes, the message is different.
constexpr std::string_view kOfNoNodes = "0/0 nodes are available:";

}  // namespace

auto telling_words() -> std::span<const TellingWords> {
  return kTelling;
}

auto told_by_words(std::string_view message) -> ToldByWords {
  ToldByWords told;
  for (const TellingWords& each : kTelling) {
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

auto telling_part(std::string_view message) -> std::string {
  std::string part;
  for (const TellingWords& each : kTelling) {
    if (message.find(each.words) == std::string_view::npos) continue;
    part += part.empty() ? std::string(kOfNoNodes) + " " : "; ";
    part += each.words;
  }
  return part;
}

auto is_telling_part(std::string_view message) -> bool {
  return message.starts_with(kOfNoNodes);
}

}  // namespace previct
