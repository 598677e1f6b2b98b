#include "engine/kube/trial.h"

namespace previct::kube {

Trial::Trial(const Trial& other) {
  for (const Entry& e : other.filters_) use(*e.info, e.filter->clone());
}

void Trial::use(const FilterInfo& info, std::unique_ptr<Filter> filter) {
  if (auto* room = dynamic_cast<NodeResourcesFit*>(filter.get())) {
    room_ = room;
  } else if (filter->depends_on_pods()) {
    with_pods_.push_back(filter.get());
  }
  filters_.push_back({&info, std::move(filter)});
}

void Trial::save() {
  if (room_ != nullptr) room_->save();
  for (Filter* f : with_pods_) f->save();
}

void Trial::restore() {
  if (room_ != nullptr) room_->restore();
  for (Filter* f : with_pods_) f->restore();
}

auto Trial::check(std::span<const Placed> nominated) -> Status {
  if (!nominated.empty()) {
    save();
    for (const Placed& pod : nominated) add(pod);
    Status crowded = run();
    restore();
    if (!crowded.ok()) return crowded;
  }
  return run();
}

auto Trial::passes_with(std::span<const Placed> nominated) -> bool {
  save();
  for (const Placed& pod : nominated) add(pod);
  const bool fits = (room_ == nullptr || room_->fits()) && others_pass();
  restore();
  return fits;
}

auto Trial::run() const -> Status {
  Status status;
  for (const Entry& e : filters_) {
    status.code = e.filter->check(&status.reasons);
    if (status.ok()) continue;
    status.plugin = e.info;
    break;
  }
  return status;
}

}  // namespace previct::kube
