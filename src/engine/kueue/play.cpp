#include "engine/kueue/play.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace previct::kueue {
namespace {

void append(std::string& text, std::uint64_t number) {
  for (unsigned i = 0; i < sizeof number; ++i) text += static_cast<char>(number >> (8U * i) & 0xffU);
}

// Returns the state on which the next cycle depends, as text: equal texts are followed by equal cycles.
auto text_of(const Controller& controller) -> std::string {
  std::string text;
  for (const WorkloadId id : controller.inventory().workloads().ids()) {
    const Controller::WorkloadState& state = controller.state(id);
    text += static_cast<char>(static_cast<int>(controller.phase(id)) * 2 + (state.aside ? 1 : 0));
    append(text, state.holds_in.index);
    append(text, controller.sticks(id) ? 1 : 0);
    append(text, state.is(ConditionType::preempted) ? 1 : 0);
    append(text, std::bit_cast<std::uint64_t>(controller.usage_of_local_queue(id)));
    for (const Request& each : state.usage) {
      append(text, each.of.index);
      append(text, static_cast<std::uint64_t>(each.amount.value));
    }
    if (!controller.remembers(id)) continue;
    for (const Controller::Tried& each : state.tried) append(text, static_cast<std::uint64_t>(each.index + 1));
  }
  return text;
}

auto phases(const Controller& controller) -> std::vector<std::pair<WorkloadId, Phase>> {
  std::vector<std::pair<WorkloadId, Phase>> all;
  for (const WorkloadId id : controller.inventory().workloads().ids()) {
    const Phase phase = controller.phase(id);
    if (phase != Phase::finished) all.emplace_back(id, phase);
  }
  const auto& workloads = controller.inventory().workloads();
  std::sort(all.begin(), all.end(),
            [&](const auto& a, const auto& b) { return workloads[a.first].key < workloads[b.first].key; });
  return all;
}

}  // namespace

auto play(const Inventory& inventory, Instant now, std::size_t most) -> Play {
  Controller controller(inventory, now);
  Play play;
  play.before = phases(controller);
  std::map<std::string, std::size_t> seen = {{text_of(controller), 0}};
  while (controller.any_head()) {
    if (play.cycles.size() == most) {
      play.cut = true;
      break;
    }
    CycleFacts facts = run_cycle(controller);
    facts.gone = controller.settle();
    play.cycles.push_back(std::move(facts));
    const auto [at, fresh] = seen.try_emplace(text_of(controller), play.cycles.size());
    if (fresh) continue;
    const std::size_t length = play.cycles.size() - at->second;
    // A cycle that changes nothing also recurs, but is not a loop worth reporting.
    const bool moves = std::any_of(play.cycles.end() - static_cast<std::ptrdiff_t>(length), play.cycles.end(),
                                   [](const CycleFacts& each) { return !each.gone.empty(); });
    if (moves) play.loop = Play::Loop{at->second, length};
    break;
  }
  play.after = phases(controller);
  return play;
}

auto preemptions_in(const Play& play, std::size_t from, std::size_t to)
    -> std::vector<std::pair<WorkloadId, std::size_t>> {
  std::map<WorkloadId, std::size_t> counts;
  for (std::size_t i = from; i < std::min(to, play.cycles.size()); ++i) {
    for (const Entry& entry : play.cycles[i].entries) {
      if (entry.outcome != EntryOutcome::preempting) continue;
      for (std::size_t target = 0; target < entry.targets.size(); ++target) {
        if (entry.ongoing[target] == 0) ++counts[entry.targets[target].workload];
      }
    }
  }
  return {counts.begin(), counts.end()};
}

}  // namespace previct::kueue
