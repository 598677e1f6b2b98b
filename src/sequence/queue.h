#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "base/sparse_table.h"
#include "engine/kube/client_limits.h"
#include "engine/kube/requeue.h"
#include "sequence/simulation_result.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace previct::sequence {

/// kube-scheduler's queue of pending pods: the active queue, the pods in back-off, and the unschedulable pods, which
/// wait for an event that may help them.
///
/// A pod that a PreEnqueue plugin holds is one of the unschedulable pods. Since 1.34, only events for which that plugin
/// is registered reach it.
/// Source: kubernetes pkg/scheduler/backend/queue: scheduling_queue.go, active_queue.go, backoff_queue.go, v1.31 to
/// v1.37 (releases.def lists the differences).
class Queue {
 public:
  enum class Place : std::uint8_t { absent, active, backing_off, unschedulable, in_flight };

  /// What can requeue an unschedulable pod: a change of an object, with its earlier state; an activation; the flush.
  struct Event {
    enum class Kind : std::uint8_t { change, activation, flush } kind = Kind::change;
    kube::Resource resource = kube::Resource::assigned_pod;
    kube::Actions action = kube::action::kDelete;
    std::shared_ptr<const Pod> old_pod{};
    std::shared_ptr<const Pod> new_pod{};
    std::shared_ptr<const ResourceClaim> old_claim{};
    std::shared_ptr<const ResourceClaim> new_claim{};
    PodId pod{};  ///< activation: the pod to activate

    [[nodiscard]] auto view() const -> kube::ClusterEvent {
      return {resource, action, old_pod.get(), new_pod.get(), old_claim.get(), new_claim.get()};
    }
  };

  /// The questions that only plugins can answer.
  class Plugins {
   public:
    virtual ~Plugins() = default;
    /// Returns the PreEnqueue plugin that holds the pod. Empty: none does.
    [[nodiscard]] virtual auto held_by(PodId pod) const -> std::string_view = 0;
    /// Returns true if the plugin is registered for the event.
    [[nodiscard]] virtual auto hears(std::string_view plugin, const Event& event) const -> bool = 0;
    /// Returns true if the event justifies an attempt for a pod that this plugin has rejected.
    [[nodiscard]] virtual auto may_help(PodId rejected, std::string_view plugin, const Event& event) const -> bool = 0;
  };

  /// The plugins that rejected a pod. Empty: the attempt ended in an error.
  using Rejectors = std::vector<std::string_view>;

  struct Entry {
    PodId pod{};
    std::int32_t priority = 0;
    Place place = Place::absent;
    Time timestamp = 0;         ///< when it was queued, or last failed
    std::uint64_t order = 0;    ///< position in the queue among equal timestamps
    std::int64_t failures = 0;  ///< attempts that found it unschedulable
    std::int64_t errors = 0;    ///< errors in a row
    std::size_t attempts = 0;
    std::string_view holder{};    ///< the PreEnqueue plugin that holds the pod
    Rejectors rejectors{};        ///< of the latest attempt, and the holder
    std::vector<Event> missed{};  ///< events while it is in flight

    [[nodiscard]] auto gated() const -> bool { return !holder.empty(); }
  };

  Queue(const Plugins& plugins, const kube::Release& release, Instant start, const kube::RateLimits& pace)
      : plugins_(plugins), release_(release), start_(start), pace_(pace) {}

  [[nodiscard]] auto entry(PodId pod) const -> const Entry& { return entries_[pod]; }

  /// Of the pods in the queue or in flight.
  [[nodiscard]] auto entries() const -> const std::vector<Entry*>& { return known_; }

  void add(PodId pod, std::int32_t priority, Time now);
  void drop(PodId pod);

  /// Returns true if there is a pod to try. Pods in back-off may be tried early if there is no other pod, unless an
  /// error caused the back-off.
  [[nodiscard]] auto ready(Time now) -> bool;
  /// Returns the next pod to try: higher priority first, then longer in the queue. Requires ready().
  [[nodiscard]] auto pop(Time now) -> PodId;

  /// Puts back a pod whose attempt failed. It waits for an event, unless a relevant one came while it was in flight.
  void put_back(PodId pod, const Rejectors& rejectors, Time now);
  /// Removes a pod whose attempt succeeded.
  void done(PodId pod) { drop(pod); }

  /// Handles an event of the cluster. Examines only the waiting pods that `which` selects; all of them if it is empty.
  void move_on(const Event& event, Time now, const std::function<bool(const Entry&)>& which = {});
  /// Moves the pod to the active queue, whatever it waits for; if it is in flight, records the event. Returns false if
  /// neither applies.
  auto activate(PodId pod, Time now) -> bool;
  /// Returns true if the periodic flush would examine the pod.
  [[nodiscard]] auto is_flushed(PodId pod) const -> bool;
  /// Requeues the pod because it has been unschedulable for too long.
  void flush(PodId pod, Time now);
  /// Records `count` flushes after which the attempt found the same as before; the last attempt was at `now`.
  void record_futile_attempts(PodId pod, std::size_t count, Time now);

  /// Returns when the first pod in back-off becomes active, except pods that are tried early; kNever if there is none.
  [[nodiscard]] auto next_retry(Time now) const -> Time;

 private:
  [[nodiscard]] auto backoff_end(const Entry& entry) const -> Time;
  [[nodiscard]] auto backing_off(const Entry& entry, Time now) const -> bool { return now < backoff_end(entry); }
  [[nodiscard]] auto tried_early(const Entry& entry) const -> bool;
  [[nodiscard]] auto worth(const Entry& entry, const Event& event) const -> bool;
  void hold_or(Entry& entry, Place place);
  void requeue(Entry& entry, Time now);
  void leave_backoff(Time now);

  const Plugins& plugins_;
  const kube::Release& release_;
  Instant start_{};
  kube::RateLimits pace_{};
  SparseTable<PodId, Entry> entries_;
  std::vector<Entry*> known_{};  ///< see entries()
  std::uint64_t next_order_ = 0;
};

}  // namespace previct::sequence
