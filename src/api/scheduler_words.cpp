#include "api/scheduler_words.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

using Plugin = TellingWords::Plugin;

constexpr std::array kTelling = {
    TellingWords{"that the pod didn't tolerate", 0, 30},  // long before
    TellingWords{"had untolerated taint {", 0, 33}, TellingWords{"had untolerated taint(s)", 34, 0},
    TellingWords{"had volume node affinity conflict", 0, 32},
    TellingWords{"didn't match PersistentVolume's node affinity", 33, 0},
    TellingWords{"didn't satisfy plugin(s)", 32, 0}, TellingWords{"node has pod using PersistentVolumeClaim", 0, 33},
    TellingWords{"no new claims to deallocate", 34, 36}, TellingWords{"didn't match Pod's required features", 36, 0},
    TellingWords{"found a potential placement for pod on node", 37, 0},
    // Other plugins leave `preemption: ` out.
    TellingWords{" preemption: ", 0, 0, Plugin::default_preemption},
    TellingWords{"No preemption victims found for incoming pod", 0, 0, Plugin::default_preemption},
    TellingWords{"No victims found on node ", 0, 0, Plugin::other_preemption}};

// No message of a scheduler: of a cluster without nodes it says something else.
constexpr std::string_view kOfNoNodes = "0/0 nodes are available:";

}  // namespace

auto telling_words() -> std::span<const TellingWords> {
  return kTelling;
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
