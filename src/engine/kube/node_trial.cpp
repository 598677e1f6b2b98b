#include "engine/kube/node_trial.h"

namespace previct::kube {

NodeTrial::NodeTrial(const NodeTrial& other) {
  for (const Entry& e : other.filters_) use(*e.info, e.filter->clone());
}

void NodeTrial::use(const FilterInfo& info, std::unique_ptr<Filter> filter) {
  if (auto* room = dynamic_cast<NodeResourcesFit*>(filter.get())) {
    fit_filter_ = room;
  } else if (filter->depends_on_pods()) {
    with_pods_.push_back(filter.get());
  }
  filters_.push_back({&info, std::move(filter)});
}

void NodeTrial::save() {
  if (fit_filter_ != nullptr) fit_filter_->save();
  for (Filter* f : with_pods_) f->save();
}

void NodeTrial::restore() {
  if (fit_filter_ != nullptr) fit_filter_->restore();
  for (Filter* f : with_pods_) f->restore();
}

auto NodeTrial::check(std::span<const PodInfo> nominated) -> Status {
  if (!nominated.empty()) {
    save();
    for (const PodInfo& pod : nominated) add(pod);
    Status crowded = run();
    restore();
    if (!crowded.ok()) return crowded;
  }
  return run();
}

auto NodeTrial::passes_with(std::span<const PodInfo> nominated) -> bool {
  save();
  for (const PodInfo& pod : nominated) add(pod);
  const bool fits = (fit_filter_ == nullptr || fit_filter_->fits()) && others_pass();
  restore();
  return fits;
}

auto NodeTrial::run() const -> Status {
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
