#include "engine/kueue/course.h"

#include <bit>
#include <cstdint>

namespace previct::kueue {
namespace {

void append(std::string& text, std::uint64_t number) {
  for (unsigned i = 0; i < sizeof number; ++i) text += static_cast<char>(number >> (8U * i) & 0xffU);
}

}  // namespace

auto state_text(const Controller& controller) -> std::string {
  std::string text;
  for (const WorkloadId id : controller.inventory().workloads().ids()) {
    const Controller::WorkloadState& state = controller.state(id);
    text += static_cast<char>(static_cast<int>(controller.phase(id)) * 2 + (state.aside ? 1 : 0));
    append(text, state.holds_in.index);
    append(text, controller.sticks(id) ? 1 : 0);
    append(text, state.is(ConditionType::preempted) ? 1 : 0);
    append(text, static_cast<std::uint64_t>(state.requeues));
    append(text, std::bit_cast<std::uint64_t>(controller.usage_of_local_queue(id)));
    for (const Request& each : state.usage) {
      append(text, each.of.index);
      append(text, static_cast<std::uint64_t>(each.amount.value));
    }
    for (const TopologyUse& each : state.topology) {
      text += each.domain + ' ';
      append(text, static_cast<std::uint64_t>(each.count));
    }
    if (!controller.remembers(id)) continue;
    for (const Controller::Tried& each : state.tried) append(text, static_cast<std::uint64_t>(each.index + 1));
  }
  return text;
}

auto Course::cycle(std::size_t index) -> std::shared_ptr<const CycleFacts> {
  while (cycles_.size() <= index && !ended_) {
    ended_ = !controller_.any_head(scope_);
    if (ended_) break;
    CycleFacts facts = run_cycle(controller_, scope_);
    facts.gone = controller_.settle();
    // The same heads may have the same results although their next attempts start at other flavors. Nothing changes
    // any more if the state recurs, too.
    if (cycles_.empty() || !facts.same(*cycles_.back())) repeated_.clear();
    ended_ = !repeated_.insert(state_text(controller_)).second;
    if (ended_) break;
    cycles_.push_back(std::make_shared<const CycleFacts>(std::move(facts)));
    ties_.push_back({controller_.met_tie(), controller_.ties().orders()});
  }
  return index < cycles_.size() ? cycles_[index] : nullptr;
}

auto Future::course(const std::string& scope) -> Course& {
  return courses_.try_emplace(scope, *start, scope).first->second;
}

}  // namespace previct::kueue
