#pragma once

#include "engine/gap.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace previct {

/// Counts pods by the cause of what happens to them, for the first line of a list.
class CauseCounts {
 public:
  /// Counts one pod. Causes with the same id are one cause; without words, the pod counts for another cause.
  void add(std::string_view id, std::string_view words);
  /// Counts one pod that the gap keeps from being decided. Gaps because the input lacks one kind of object are one
  /// cause: `PersistentVolumeClaim is not in the input`, unless the words are the same for all of them.
  void add(const Gap& gap);

  /// `nodes lack cpu`; the most frequent first if there are several: `2: nodes lack cpu; 1: other causes`. Empty if no
  /// pod has words.
  [[nodiscard]] auto words() const -> std::string;
  /// Returns true if all pods have the same cause.
  [[nodiscard]] auto is_one() const -> bool { return by_id_.size() == 1 && others_ == 0; }

 private:
  struct Count {
    std::string words;
    std::size_t pods = 0;
  };
  std::map<std::string, Count, std::less<>> by_id_;
  std::size_t others_ = 0;  // pods without words
};

}  // namespace previct
