#pragma once

#include "prove/cells.h"
#include "prove/invariant.h"
#include "tell/answer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::prove {

/// A preemptor that breaks the invariant, with its verdict.
struct Counterexample {
  Region region;
  Verdict verdict;
  Answer answer{};         ///< to the question about the pod in `manifest`
  std::string node{};      ///< the only one on which it may run; empty: it may run on others, too
  std::string manifest{};  ///< the pod, and its PriorityClass
};

/// Why something is not known.
enum class Doubt : std::uint8_t {
  gap,               ///< the verdict depends on something that is not known: Proof::gaps
  order_of_pods,     ///< pods of equal importance can be tried in too many orders
  unknown_priority,  ///< the class of a pod on the node is not in the input
  choice_of_node,    ///< the pod may evict others, but it is not known whether the scheduler chooses the node
  form,              ///< pods of the form cannot be decided: OfForm::fault
  other_forms,       ///< Space::forms_left_out: they were not tried
  too_many_regions
};

/// What was found about the preemptors of one form.
struct OfForm {
  std::size_t nodes = 0;             ///< number of nodes of the space on which such a pod may run
  std::size_t regions = 0;           ///< as Proof::regions
  std::optional<Doubt> doubt;        ///< the first …
  std::optional<Gap> gap;            ///< … and, for Doubt::gap, what is not known
  std::optional<std::string> fault;  ///< as Kind::fault
};

struct Proof {
  std::optional<Counterexample> broken;
  std::optional<std::pair<Doubt, Region>> doubt;  ///< the first; only if no counterexample is known

  std::size_t pods = 0;            ///< number of pods that the invariant is about …
  std::size_t nodes = 0;           ///< … and of nodes with such pods
  std::size_t pods_elsewhere = 0;  ///< number of such pods that were left out: they are on none of these nodes
  std::size_t regions = 0;         ///< in each, all preemptors are alike
  std::vector<OfForm> forms;       ///< by form of the space; only if no counterexample is known
  /// No region had to be split by requests: the pods in question cannot be evicted at all, so the result holds for
  /// preemptors of every form.
  bool any_form = true;
  bool always_fits = false;                 ///< of prove_always_fits(): about pods that may run on every node
  std::vector<std::string> schedulers;      ///< schedulerNames of the preemptors
  std::vector<std::string> other_releases;  ///< as Decider::other_releases()
  std::string violation;                    ///< as Invariant::violation()

  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;

  [[nodiscard]] auto proved() const -> bool { return !broken && !doubt; }
};

using MakeInvariant = std::function<Result<std::unique_ptr<Invariant>>(const Snapshot& cluster)>;

struct Task {
  const Engine& engine;     ///< preempts by priority class, on one node: the engine whose code the regions come from
  Objects& objects;         ///< changed while the proof is made, and restored at its end
  const Snapshot& cluster;  ///< of the objects as they are at the start
  Question question;
  Space space;
  MakeInvariant make;
  std::size_t most_regions = 200'000;
};

/// Decides one preemptor of each region and judges it. A counterexample has requests as small, and numbers as round, as
/// were found. Fails if the invariant is about no pod on the nodes of the space.
[[nodiscard]] auto prove(const Task& task) -> Result<Proof>;

}  // namespace previct::prove
