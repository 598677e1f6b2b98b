#pragma once

#include "engine/gap.h"

#include <string>
#include <vector>

namespace previct {

/// What is known of the kinds that only affect new objects. Their objects are in the stores, with all others.
struct Surroundings {
  bool all_runtime_classes = false;  ///< the RuntimeClasses are all that the cluster had
  std::string ns;                    ///< the only namespace of some kinds' lists; empty: no limit
  std::vector<Gap> elsewhere;        ///< gaps for pods of other namespaces in that case
};

}  // namespace previct
