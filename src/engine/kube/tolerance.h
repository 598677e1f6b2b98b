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

/// Whether a victim tolerates being preempted.
struct Tolerance {
  enum class Answer : std::uint8_t { no, yes, error } answer = Answer::no;
  Reason reason;  ///< {a}: the class, {b}: seconds or the preemptor's priority, {c}: minimum, {d}: the end
  Instant since;  ///< when it was scheduled, which is the start of its toleration; Instant{}: not known
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates, if it tolerates now
};

/// The PreemptionToleration rule for one preemptor: which pods of lower priority are exempt, and until when.
class Tolerances {
 public:
  Tolerances(const Snapshot& cluster, std::int32_t preemptor_priority, bool preemptor_never_preempts = false);

  /// Checks a victim in the plugin's order (KEP-205 §"PreemptionToleration"; where the code differs, the code counts).
  /// `error`: the victim's class is not in the cluster, which fails its whole node.
  /// Source: kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration ExemptedFromPreemption.
  [[nodiscard]] auto of(const PodInfo& victim, Moment& now) const -> Tolerance {
    return of(victim.pod, victim.priority_class, now);
  }
  [[nodiscard]] auto of(PodId victim, Moment& now) const -> Tolerance {
    return of(victim, cluster_.pod(victim).spec.priority_class_name, now);
  }

  /// Returns the pod whose missing class fails the preemption on its node: of the pods assigned to one node, the first
  /// of lower priority in node order. Null: none fails it.
  [[nodiscard]] auto failing(std::span<const PodInfo> pods) const -> const PodInfo*;

 private:
  [[nodiscard]] auto of(PodId victim, Symbol priority_class, Moment& now) const -> Tolerance;
  // Every cluster has PriorityClasses, so an input without any is incomplete; the answer's gaps report it.
  [[nodiscard]] auto missing(Symbol priority_class) const -> bool {
    return priority_class && all_classes_known_ && policies_.count(priority_class.index) == 0;
  }

  const Snapshot& cluster_;
  std::int32_t priority_;
  bool never_preempts_;
  std::unordered_map<std::uint32_t, TolerationPolicy> policies_;  // by class name
  bool all_classes_known_;  // a class that is not in policies_ is not in the cluster
};

}  // namespace previct::kube
