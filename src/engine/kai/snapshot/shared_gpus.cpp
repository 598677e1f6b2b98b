#include "engine/kai/snapshot/shared_gpus.h"

#include <algorithm>

namespace previct::kai {

auto SharedGpus::find(GpuGroupId id) const -> const Gpu* {
  const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&](const Gpu& each) { return each.id == id; });
  return found == gpus_.end() ? nullptr : &*found;
}

auto SharedGpus::gpu(GpuGroupId id) -> Gpu& {
  const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&](const Gpu& each) { return each.id == id; });
  return found == gpus_.end() ? gpus_.emplace_back(Gpu{.id = id}) : *found;
}

auto SharedGpus::used_count() const -> std::int64_t {
  return static_cast<std::int64_t>(used_whole_) +
         std::count_if(gpus_.begin(), gpus_.end(), [](const Gpu& each) { return each.used > 0; });
}

void SharedGpus::add(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole) {
  const auto take_from_idle = [&] {
    if (whole.count < static_cast<std::int64_t>(whole.idle) + used_count()) whole.idle -= 1;
  };
  for (const GpuGroupId id : groups) {
    Gpu& at = gpu(id);
    at.used += memory;
    if (status == Status::releasing) {
      at.releasing += memory;
      at.allocated += memory;
      at.is_allocated = true;
      if (at.used != at.releasing) continue;
      if (!at.marked) whole.releasing += 1;
      at.marked = true;
      take_from_idle();
    } else if (status == Status::pipelined) {
      at.releasing -= memory;
      if (at.used - memory == at.releasing + memory) whole.releasing -= 1;
    } else {
      at.allocated += memory;
      at.is_allocated = true;
      if (at.used <= memory) take_from_idle();
      if (at.marked) whole.releasing -= 1;
      at.marked = false;
    }
  }
}

void SharedGpus::remove(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole) {
  const auto give_to_idle = [&] {
    if (whole.count >= static_cast<std::int64_t>(whole.idle) + used_count()) whole.idle += 1;
  };
  for (const GpuGroupId id : groups) {
    Gpu& at = gpu(id);
    at.used -= memory;
    if (status == Status::releasing) {
      at.releasing -= memory;
      at.allocated -= memory;
      if (at.used > 0) continue;
      give_to_idle();
      if (at.marked) whole.releasing -= 1;
      at.marked = false;
    } else if (status == Status::pipelined) {
      at.releasing += memory;
      const bool was_all_releasing = at.used + memory == at.releasing - memory;
      if (was_all_releasing || (at.used == 0 && at.releasing == 0)) whole.releasing += 1;
    } else {
      at.allocated -= memory;
      at.is_allocated = true;
      if (at.used <= 0) give_to_idle();
      if (at.used == 0 || at.releasing != at.used || at.marked) continue;
      whole.releasing += 1;
      at.marked = true;
    }
  }
  // A search creates many GPUs and rolls them back. A GPU that no pod uses is neither allocated nor releasing.
  std::erase_if(gpus_,
                [](const Gpu& each) { return each.id.index >= kFirstNewGpuGroup && each.used == 0 && !each.marked; });
}

}  // namespace previct::kai
