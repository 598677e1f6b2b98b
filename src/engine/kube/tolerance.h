#pragma once

#include "api/toleration_annotations.h"
#include "base/instant.h"
#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/rules.h"

#include <span>
#include <unordered_map>

namespace previct::kube {

constexpr std::string_view kMinimumAnnotation = kep205::kMinimum;
constexpr std::string_view kSecondsAnnotation = kep205::kSeconds;
using TolerationPolicy = kep205::Policy;

[[nodiscard]] auto toleration_policy(const PriorityClass& priority_class, const Symbols& symbols) -> TolerationPolicy;

/// Does a victim tolerate being preempted?
struct Tolerance {
  enum class Answer : std::uint8_t { no, yes, error } answer = Answer::no;
  Reason reason;  ///< {a}: the class, {b}: seconds or the preemptor's priority, {c}: minimum, {d}: the end
  Instant since;  ///< since when it may tolerate: when it was scheduled; Instant{}: not known
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates, if it does
};

/// The PreemptionToleration rule for one preemptor: who of lower priority is exempt, and until when.
class Tolerances {
 public:
  Tolerances(const Snapshot& cluster, std::int32_t preemptor_priority, bool preemptor_never_preempts = false);

  /// In the plugin's order of checks (KEP-205 §"PreemptionToleration"; the code where they differ, because the
  /// code decides). `error`: the victim's class is not in the cluster, which fails its whole node.
  /// Source: kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration ExemptedFromPreemption.
  [[nodiscard]] auto of(const PodInfo& victim, Moment& now) const -> Tolerance {
    return of(victim.pod, victim.priority_class, now);
  }
  [[nodiscard]] auto of(PodId victim, Moment& now) const -> Tolerance {
    return of(victim, cluster_.pod(victim).spec.priority_class_name, now);
  }

  /// The pod, of those assigned to one node, whose missing class fails the preemption there: the first of lower
  /// priority in node order. None: nothing fails it.
  [[nodiscard]] auto failing(std::span<const PodInfo> pods) const -> const PodInfo*;

 private:
  [[nodiscard]] auto of(PodId victim, Symbol priority_class, Moment& now) const -> Tolerance;
  // Every cluster has PriorityClasses of its own, so an input without any is a partial one; see the answer's gaps.
  [[nodiscard]] auto missing(Symbol priority_class) const -> bool {
    return priority_class && all_classes_known_ && policies_.count(priority_class.index) == 0;
  }

  const Snapshot& cluster_;
  std::int32_t priority_;
  bool never_preempts_;
  std::unordered_map<std::uint32_t, TolerationPolicy> policies_;  // by class name
  bool all_classes_known_;                                        // what is not in policies_ is not in the cluster
};

}  // namespace previct::kube
