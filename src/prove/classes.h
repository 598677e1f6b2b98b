#pragma once

#include "prove/proof.h"

namespace previct::prove {

/// Whether pods of a PriorityClass can evict others, and whether its toleration can protect any.
struct ClassEffect {
  std::string name;
  std::int32_t value = 0;
  bool never_preempts = false;           ///< preemptionPolicy Never
  std::optional<Counterexample> evicts;  ///< a pod of the class that evicts another one
  std::optional<Doubt> doubt;            ///< it is not known whether one does
  std::size_t pods = 0;                  ///< running pods of the class
  /// What the class's toleration does now; none: it has none, or no scheduler reads it.
  enum class Toleration : std::uint8_t { protects, no_pods, no_preemptors, over };
  std::optional<Toleration> toleration;
};

struct Classes {
  std::vector<ClassEffect> all;  ///< highest value first
  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;
};

/// Proves for each PriorityClass of the input that no pod of it evicts another one, with any request, on any node of
/// the space, until its end; or finds a pod that does. `task.space.priorities` and `task.make` are not used.
[[nodiscard]] auto classes_of(const Task& task) -> Result<Classes>;

}  // namespace previct::prove
