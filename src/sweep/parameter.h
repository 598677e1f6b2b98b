#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// One answer for each value of a parameter: from which value on does it come out otherwise?
namespace previct::sweep {

/// What is changed.
struct Parameter {
  enum class Kind : std::uint8_t {
    toleration_seconds,  ///< of a PriorityClass (KEP-205)
    minimum,             ///< minimum-preemptable-priority of a PriorityClass (KEP-205)
    value,               ///< of a PriorityClass; pods that wait are taken to be created anew with it
    request,             ///< of a pod that waits
    replicas,            ///< how many pods like this one wait
    nodes,               ///< how many nodes like this one there are more
    preempt_min_runtime,
    reclaim_min_runtime,  ///< of a queue of KAI
    now                   ///< the moment, counted from that of the question
  };
  Kind kind = Kind::now;
  std::string object{};  ///< a class, `NAMESPACE/NAME` of a pod, a node, a queue
  std::string resource{};
  std::string text{};  ///< as written

  /// Are values lengths of time, in seconds?
  [[nodiscard]] auto is_time() const -> bool;
  /// A value as people write it: `10m`, `8000`, `500m`.
  [[nodiscard]] auto words(std::int64_t value) const -> std::string;
};

/// A parameter and the values that it is to take.
struct Axis {
  Parameter parameter{};
  std::int64_t from = 0;  ///< a range, ends included …
  std::int64_t to = 0;
  std::vector<std::int64_t> list{};  ///< … or these alone; cpu in thousandths, lengths in seconds
};

/// Reads `toleration-seconds:low=0..30m` or `replicas:ml/train=1,2,4`. Fails with what is wrong, also if the cluster
/// holds no such object.
[[nodiscard]] auto read_axis(std::string_view text, const Snapshot& cluster) -> Result<Axis>;

/// The objects with a value laid over, for as long as this lives. Snapshots made meanwhile must not outlive it.
class Changed {
 public:
  explicit Changed(Objects& objects);
  ~Changed();
  Changed(const Changed&) = delete;
  auto operator=(const Changed&) -> Changed& = delete;

  /// Moves `now` if that is the parameter; adds new pods to `waiting`.
  void set(const Parameter& parameter, std::int64_t value, Instant& now, std::vector<PodId>& waiting);

 private:
  auto pod(PodId id) -> Pod&;

  Objects& objects_;
  std::vector<PriorityClass> classes_;
  std::vector<kai::Queue> queues_;
  std::vector<std::pair<PodId, Pod>> pods_;
  std::size_t pods_before_;
  std::size_t nodes_before_;
};

/// Values in [from, to] next to which the answer may change, by what the input tells: how long pods have run, which
/// priorities there are. Sorted, each once.
[[nodiscard]] auto turning_values(const Axis& axis, const Snapshot& cluster, Instant now) -> std::vector<std::int64_t>;

}  // namespace previct::sweep
