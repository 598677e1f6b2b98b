#include "engine/kube/trial.h"

namespace previct::kube {

Trial::Trial(const Trial& other) {
  for (const Entry& e : other.filters_) use(*e.info, e.filter->clone());
}

void Trial::use(const FilterInfo& info, std::unique_ptr<Filter> filter) {
  if (filter->depends_on_pods()) with_pods_.push_back(filter.get());
  filters_.push_back({&info, std::move(filter)});
}

auto Trial::check(std::span<const Placed> nominated) -> Status {
  if (!nominated.empty()) {
    for (Filter* f : with_pods_) f->save();
    for (const Placed& pod : nominated) add(pod);
    Status crowded = run();
    for (Filter* f : with_pods_) f->restore();
    if (!crowded.ok()) return crowded;
  }
  return run();
}

auto Trial::still_fits(std::span<const Placed> nominated) -> bool {
  if (!nominated.empty()) {
    for (Filter* f : with_pods_) f->save();
    for (const Placed& pod : nominated) add(pod);
    const bool fits = passes();
    for (Filter* f : with_pods_) f->restore();
    if (!fits) return false;
  }
  return passes();
}

auto Trial::run() const -> Status {
  for (const Entry& e : filters_) {
    Status status;
    status.code = e.filter->check(&status.reasons);
    if (status.ok()) continue;
    status.plugin = e.info;
    return status;
  }
  return {};
}

auto Trial::passes() const -> bool {
  for (const Filter* f : with_pods_) {
    if (f->check(nullptr) != Code::success) return false;
  }
  return true;
}

}  // namespace previct::kube
