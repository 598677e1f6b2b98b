#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"
#include "engine/engine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// One answer for each value of a parameter, to find the values at which the result changes.
namespace previct::sweep {

/// A parameter that is varied.
struct Parameter {
  enum class Kind : std::uint8_t {
    toleration_seconds,  ///< of a PriorityClass (KEP-205)
    minimum,             ///< minimum-preemptable-priority of a PriorityClass (KEP-205)
    value,               ///< of a PriorityClass; pending pods are assumed to be recreated with it
    request,             ///< of a pending pod
    replicas,            ///< number of pending pods like this one
    nodes,               ///< number of additional nodes like this one
    field,               ///< of an object that only the scheduler reads: one of Engine::parameters
    setting,             ///< of the scheduler: one of Engine::number_settings
    now                  ///< the moment, relative to that of the question
  };
  Kind kind = Kind::now;
  std::string object{};  ///< a class, `NAMESPACE/NAME` of a pod, a node, the key of a setting, or operands of a field
  bool setting_is_time = false;
  std::string resource{};
  VariedField field{};
  std::string text{};  ///< as written

  /// Returns true if values are durations in seconds.
  [[nodiscard]] auto is_time() const -> bool;
  /// Formats a value: `10m`, `8000`, `500m`.
  [[nodiscard]] auto words(std::int64_t value) const -> std::string;
};

/// A parameter and its values.
struct Axis {
  Parameter parameter{};
  std::int64_t from = 0;  ///< a range, both ends included …
  std::int64_t to = 0;
  std::vector<std::int64_t> list{};  ///< … or only these; cpu in thousandths, durations in seconds
};

/// Parses `toleration-seconds:low=0..30m` or `replicas:ml/train=1,2,4`. Fails with the reason, also if the cluster has
/// no such object, or the scheduler no such setting for this question.
[[nodiscard]] auto read_axis(std::string_view text, const Snapshot& cluster, const Engine& engine,
                             const Question& question) -> Result<Axis>;

/// Applies a value to the objects for its lifetime. Snapshots created meanwhile must not outlive it.
class Changed {
 public:
  explicit Changed(Objects& objects) : objects_(objects), changed_(objects) {}

  /// Changes the question if the parameter is its time or a setting; adds new pods to `waiting`.
  void set(const Parameter& parameter, std::int64_t value, Question& question, std::vector<PodId>& waiting);

 private:
  Objects& objects_;
  ChangedCluster changed_;
};

/// Values in [from, to] at which the answer may change, according to the input: how long pods have run, and which
/// priorities exist. Sorted, without duplicates.
[[nodiscard]] auto turning_values(const Axis& axis, const Snapshot& cluster, Instant now) -> std::vector<std::int64_t>;

}  // namespace previct::sweep
