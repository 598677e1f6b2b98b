#include "lint/kueue_state.h"

#include "engine/kueue/needs.h"
#include "input/documents.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::lint {
namespace {

constexpr std::size_t kMostTried = 500;

auto takes_part_in_kueue(const Manifest& manifest) -> bool {
  if (manifest.group == kinds::cluster_queues.group) return true;
  return std::any_of(kueue::kNeeds.begin(), kueue::kNeeds.end(),
                     [kind = known_kind(manifest)](const RequiredKind& need) { return need.kind == kind; });
}

}  // namespace

KueueState::KueueState(const Repository& repository) {
  if (repository.of(kind::kKueueWorkload).empty() || repository.of(kind::kClusterQueue).empty()) return;
  const FileId file = objects_.files.add("input");
  for (const Manifest& manifest : repository.manifests()) {
    if (manifest.wrapper != nullptr || manifest.name.empty() || !takes_part_in_kueue(manifest)) continue;
    const FoundObject found{.tape = manifest.tape, .index = 0};
    if (!add_object(found, file, objects_)) continue;
    const std::string ns = manifest.ns.empty() ? "default" : manifest.ns;
    if (kind_of(manifest) == kind::kKueueWorkload)
      workloads_.emplace(fmt::format("{}/{}", ns, manifest.name), &manifest);
    if (kind_of(manifest) == kind::kClusterQueue) queues_.emplace(manifest.name, &manifest);
  }
  cluster_ = std::make_unique<Snapshot>(objects_);
  auto settings = kueue::settings_of(*cluster_, {}, "");
  if (!settings) return;
  inventory_ = std::make_unique<kueue::Inventory>(*cluster_, *std::move(settings));
  const kueue::Controller controller(*inventory_, repository.now());
  kueue::Trial trial(controller);
  for (const kueue::QueueId queue : inventory_->queues().ids()) {
    if (inventory_->queues()[queue].inactive != kueue::Inactive::no) continue;
    for (const kueue::WorkloadId id : controller.queue(queue, false)) {
      if (tried_.size() == kMostTried) return;
      if (kueue::refusal(controller, id, queue) != kueue::Refused::no) continue;
      tried_.push_back({id, queue, kueue::nominate(trial, id, queue)});
    }
  }
}

auto mildest_of(const kueue::Assignment& assignment) -> kueue::Severity {
  for (const kueue::AssignedPodSet& set : assignment.sets) {
    if (set.mode != kueue::Mode::no_fit || set.attempts.empty()) continue;
    const auto mildest =
        std::min_element(set.attempts.begin(), set.attempts.end(),
                         [](const kueue::Attempt& a, const kueue::Attempt& b) { return a.severity < b.severity; });
    return mildest->severity;
  }
  return kueue::Severity::none;
}

auto KueueState::manifest_of(kueue::WorkloadId id) const -> const Manifest* {
  const auto found = workloads_.find(inventory_->workloads()[id].key);
  return found == workloads_.end() ? nullptr : found->second;
}

auto KueueState::manifest_of(kueue::QueueId id) const -> const Manifest* {
  const auto found = queues_.find(inventory_->queues()[id].name);
  return found == queues_.end() ? nullptr : found->second;
}

}  // namespace previct::lint
