#include "engine/kueue/course.h"

namespace previct::kueue {

auto Course::cycle(std::size_t index) -> std::shared_ptr<const CycleFacts> {
  while (cycles_.size() <= index && !ended_) {
    ended_ = !controller_.any_head(scope_);
    if (ended_) break;
    CycleFacts facts = run_cycle(controller_, scope_);
    facts.gone = controller_.settle();
    // The same heads with the same results: nothing changes any more.
    ended_ = !cycles_.empty() && facts.same(*cycles_.back());
    if (ended_) break;
    cycles_.push_back(std::make_shared<const CycleFacts>(std::move(facts)));
    ties_.push_back(controller_.met_tie() ? 1 : 0);
  }
  return index < cycles_.size() ? cycles_[index] : nullptr;
}

auto Future::course(const std::string& scope) -> Course& {
  return courses_.try_emplace(scope, *start, scope).first->second;
}

}  // namespace previct::kueue
