#pragma once

#include <unordered_map>

#include "base/instant.h"
#include "engine/kube/rules.h"
#include "engine/kube/world.h"

namespace previct::kube {

/// The two annotations of KEP-205, with the prefix that the code reads.
constexpr std::string_view kMinimumAnnotation =
    "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
constexpr std::string_view kSecondsAnnotation = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

/// Annotations of a PriorityClass, as the plugin parses them.
struct TolerationPolicy {
  bool malformed = false;  ///< either annotation does not parse: no toleration at all
  bool has_seconds = false;
  std::int32_t minimum_preemptable_priority = 0;  ///< default: the class's value + 1
  std::int64_t toleration_seconds = 0;            ///< default 0; negative: for ever
};

/// Reads the two annotations of KEP-205: base-10 int32 and int64 with an optional sign, nothing around them.
/// Source: kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration parsePreemptionTolerationPolicy.
[[nodiscard]] auto toleration_policy(const PriorityClass& priority_class, const Symbols& symbols)
    -> TolerationPolicy;

/// Does a victim tolerate being preempted?
struct Tolerance {
  enum class Answer : std::uint8_t { no, yes, error } answer = Answer::no;
  Reason reason;  ///< {a}: the class, {b}: seconds or the preemptor's priority, {c}: minimum, {d}: the end
  Instant since;                     ///< since when it may tolerate: when it was scheduled; Instant{}: not known
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates, if it does
};

/// The PreemptionToleration rule for one preemptor: who of lower priority is exempt, and until when.
class Tolerances {
 public:
  Tolerances(const Snapshot& cluster, std::int32_t preemptor_priority, bool preemptor_never_preempts = false);

  /// In the plugin's order of checks (KEP-205 §"PreemptionToleration"; the code where they differ, because the
  /// code decides). `error`: the victim's class is not in the cluster, which fails its whole node.
  /// Source: kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration ExemptedFromPreemption.
  [[nodiscard]] auto of(PodId victim, Moment& now) const -> Tolerance;

 private:
  const Snapshot& cluster_;
  std::int32_t priority_;
  bool never_preempts_;
  std::unordered_map<std::uint32_t, TolerationPolicy> policies_;  // by class name
};

}  // namespace previct::kube
