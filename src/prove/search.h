#pragma once

#include "prove/proof.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace previct::prove {

/// A search for a pod that breaks an invariant. It proves nothing: it is for schedulers whose queues decide which pods
/// are evicted, so that their preemptors do not fall into regions of priority and requests.
struct Search {
  std::string violation;             ///< as Invariant::violation()
  std::size_t tried = 0;             ///< pending pods of the input, and pods each like a pod of the input
  std::size_t left_out = 0;          ///< more such pods, which were not tried
  std::size_t unknown = 0;           ///< of those tried: what they evict is not known
  std::optional<std::string> found;  ///< `NAMESPACE/NAME` of the pod that breaks it …
  bool is_pending = false;           ///< … itself; false: one more pod like it does
  std::vector<std::string> victims;  ///< of that one
  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;
};

/// Asks the engine about each pending pod that this scheduler schedules, and about one more pod like each of its pods,
/// which is added alone; for pods that are alike, one. `most`: how many are tried.
[[nodiscard]] auto search(const Engine& engine, Objects& objects, Question question, const MakeInvariant& make,
                          std::size_t most) -> Result<Search>;

}  // namespace previct::prove
