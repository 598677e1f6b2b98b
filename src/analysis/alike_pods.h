#pragma once

#include "engine/engine.h"
#include "tell/answer.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace previct {

/// A text that is the same for pods which a scheduler that looks at one pod at a time cannot tell apart: every field
/// that is read is the same, except for the name. Empty: something else belongs to this pod by its name.
[[nodiscard]] auto alike_key(const Snapshot& cluster, PodId pod) -> std::string;

/// Releases what a line of a list does not show: lists of thousands of nodes. Of nodes that tie, two are left, and of
/// possible nodes without victims, one: whether there are several can still be seen.
void release_node_lists(Answer& answer);

/// The answers about the pods of a list. Pods that are alike to a scheduler that looks at one pod at a time share the
/// first answer.
class SharedAnswers {
 public:
  /// `answers`: those about the earlier pods of the list. The caller appends each one that about() returns.
  SharedAnswers(const Snapshot& cluster, const std::vector<Answer>& answers) : cluster_(cluster), answers_(answers) {}

  /// Returns the answer about a pod: that about an earlier pod that is alike, with the name of this one, or else what
  /// `ask` returns.
  [[nodiscard]] auto about(PodId pod, const Engine& engine, const std::function<Result<Answer>()>& ask)
      -> Result<Answer>;

 private:
  const Snapshot& cluster_;
  const std::vector<Answer>& answers_;
  std::map<std::string, std::size_t> known_;  // indices in answers_
};

}  // namespace previct
