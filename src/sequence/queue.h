#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "engine/kube/client_limits.h"
#include "sequence/play.h"

#include <optional>
#include <vector>

namespace previct::sequence {

/// kube-scheduler's queue of pending pods: the active queue, those in back-off, and those that were found
/// unschedulable and wait for an event that may help them.
///
/// A pod that a PreEnqueue plugin holds back stands among the unschedulable ones; events that its plugin does not care
/// about pass it by, the periodic flush among them.
/// Source: kubernetes v1.35 pkg/scheduler/backend/queue: scheduling_queue.go, active_queue.go, backoff_queue.go, with
/// SchedulerQueueingHints and SchedulerPopFromBackoffQ on, as is the default.
class Queue {
 public:
  /// What plugins say when a pod might become active. PreEnqueue: is the pod's own preemption still under way?
  class Gate {
   public:
    virtual ~Gate() = default;
    [[nodiscard]] virtual auto holds(PodId pod) const -> bool = 0;
    /// QueueingHint of InterPodAffinity, which rejected `waiting`: may it fit now that `gone` has left its node?
    [[nodiscard]] virtual auto affinity_hint(PodId waiting, PodId gone) const -> bool = 0;
  };

  enum class Place : std::uint8_t { absent, active, backing_off, unschedulable, in_flight };

  /// What can bring an unschedulable pod back.
  struct Event {
    enum class Kind : std::uint8_t { pod_gone, pod_bound, activation, flush } kind = Kind::pod_gone;
    PodId pod{};  ///< activation: the pod meant
  };

  /// Plugins that rejected a pod, as a bit set; only as far as their hints differ.
  struct Rejectors {
    bool waits_for_pods_to_go = false;    ///< room, ports, volumes, spread: its hint says yes to any pod
    bool affinity = false;                ///< InterPodAffinity: its hint asks which pod goes
    bool waits_for_pods_to_come = false;  ///< affinity and spread: a new pod may satisfy them
    bool any = false;                     ///< false: the attempt ended in an error
  };

  struct Entry {
    PodId pod{};
    std::int32_t priority = 0;
    Place place = Place::absent;
    Time timestamp = 0;         ///< since when in the queue, or of the last failure
    std::uint64_t order = 0;    ///< of coming into the queue, between equal timestamps
    std::int64_t failures = 0;  ///< attempts found unschedulable
    std::int64_t errors = 0;    ///< errors in a row
    std::size_t attempts = 0;
    bool gated = false;  ///< held by PreEnqueue
    Rejectors rejectors{};
    std::vector<Event> missed{};  ///< while in flight
  };

  Queue(std::size_t pods, const Gate& gate, Instant start, const kube::Pace& pace)
      : gate_(gate), start_(start), pace_(pace), entries_(pods) {}

  [[nodiscard]] auto entry(PodId pod) const -> const Entry& { return entries_[pod]; }

  /// Those in the queue, or in flight.
  [[nodiscard]] auto pods() const -> const std::vector<PodId>& { return known_; }

  /// There is one more pod.
  void grow() { entries_.add({}); }
  void add(PodId pod, std::int32_t priority, Time now);
  void drop(PodId pod);

  /// Is there a pod to try? Pods in back-off are tried early if nobody else is there, unless an error sent them there.
  [[nodiscard]] auto ready(Time now) -> bool;
  /// The next pod to try: higher priority first, then longer in the queue. Only if ready.
  [[nodiscard]] auto pop(Time now) -> PodId;

  /// The attempt failed. The pod waits for an event, unless one that matters came while it was in flight.
  void put_back(PodId pod, const Rejectors& rejectors, Time now);
  /// The attempt succeeded.
  void done(PodId pod) { drop(pod); }

  /// An event of the cluster. Only pods of priority <= `most` are asked. Returns those that PreEnqueue kept back.
  void move_on(const Event& event, Time now, std::optional<std::int32_t> most = {});
  /// Straight to the active queue, whatever the pod waits for; noted if it is in flight. False: neither.
  auto activate(PodId pod, Time now) -> bool;
  /// Back to the queue because it has been unschedulable for too long. False: gated pods are passed by.
  auto flush(PodId pod, Time now) -> bool;

  /// When the first pod that an error sent into back-off becomes active; kNever if there is none.
  [[nodiscard]] auto next_error_retry() const -> Time;

 private:
  [[nodiscard]] auto backoff_end(const Entry& entry) const -> std::int64_t;
  [[nodiscard]] auto backing_off(const Entry& entry, Time now) const -> bool;
  [[nodiscard]] auto window(Time at) const -> std::int64_t { return start_.plus_nanos(at).seconds; }
  [[nodiscard]] auto worth(const Entry& entry, const Event& event) const -> bool;
  void requeue(Entry& entry, Time now);
  void make_active(Entry& entry);
  void leave_backoff(Time now);

  const Gate& gate_;
  Instant start_{};
  kube::Pace pace_{};
  IdVector<PodId, Entry> entries_;
  std::vector<PodId> known_{};  ///< see pods()
  std::uint64_t next_order_ = 0;
};

}  // namespace previct::sequence
