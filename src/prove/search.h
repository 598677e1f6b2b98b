#pragma once

#include "prove/proof.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::prove {

/// How a pod that is tried differs from the pod of the input that it is like.
enum class Varied : std::uint8_t {
  itself,    ///< a pending pod of the input
  like,      ///< one more pod, in no way different
  requests,  ///< one more pod with other requests
  priority   ///< one more pod with another PriorityClass
};
inline constexpr std::size_t kWaysToVary = 4;

/// A search for a pod that breaks an invariant. It proves nothing: it is for schedulers whose queues decide which pods
/// are evicted, so that their preemptors do not fall into regions of priority and requests.
struct Search {
  std::string violation;                          ///< as Invariant::violation()
  std::size_t tried = 0;                          ///< number of pods
  std::array<std::size_t, kWaysToVary> by_way{};  ///< of these, by Varied
  std::size_t left_out = 0;                       ///< number of such pods that were not tried
  std::size_t unknown = 0;                        ///< of those tried: what they evict is not known
  std::optional<std::string> found;               ///< `NAMESPACE/NAME` of the pod that breaks it, or that it is like
  Varied way = Varied::itself;                    ///< how the pod that breaks it differs …
  std::string with;                               ///< … in words: `cpu 2, memory 4Gi`, `PriorityClass high`
  std::vector<std::string> victims;               ///< of that one
  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;
};

/// Asks the engine about each pending pod that this scheduler schedules, and about one more pod like each of its pods,
/// which is added alone; for pods that are alike, one. Then about such pods with other requests: the smallest, twice as
/// much, all of the smallest and of the largest node, one device; and with each other PriorityClass. `most`: how many
/// are tried.
[[nodiscard]] auto search(const Engine& engine, Objects& objects, Question question, const MakeInvariant& make,
                          std::size_t most) -> Result<Search>;

}  // namespace previct::prove
