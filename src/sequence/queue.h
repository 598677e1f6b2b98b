#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "engine/kube/client_limits.h"
#include "engine/kube/requeue.h"
#include "sequence/play.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace previct::sequence {

/// kube-scheduler's queue of pending pods: the active queue, those in back-off, and those that were found
/// unschedulable and wait for an event that may help them.
///
/// A pod that a PreEnqueue plugin holds back stands among the unschedulable ones; from 1.34 on, events for which its
/// plugin is not registered pass it by.
/// Source: kubernetes pkg/scheduler/backend/queue: scheduling_queue.go, active_queue.go, backoff_queue.go, v1.31 to
/// v1.37 (releases.def has what differs).
class Queue {
 public:
  enum class Place : std::uint8_t { absent, active, backing_off, unschedulable, in_flight };

  /// What can bring an unschedulable pod back: a change of an object, with what it was before; or more.
  struct Event {
    enum class Kind : std::uint8_t { change, activation, flush } kind = Kind::change;
    kube::Resource resource = kube::Resource::assigned_pod;
    kube::Actions action = kube::action::kDelete;
    std::shared_ptr<const Pod> old_pod{};
    std::shared_ptr<const Pod> new_pod{};
    std::shared_ptr<const ResourceClaim> old_claim{};
    std::shared_ptr<const ResourceClaim> new_claim{};
    PodId pod{};  ///< activation: the pod meant

    [[nodiscard]] auto view() const -> kube::ClusterEvent {
      return {resource, action, old_pod.get(), new_pod.get(), old_claim.get(), new_claim.get()};
    }
  };

  /// What only plugins know.
  class Plugins {
   public:
    virtual ~Plugins() = default;
    /// PreEnqueue: the plugin that holds the pod back. Empty: none does.
    [[nodiscard]] virtual auto held_by(PodId pod) const -> std::string_view = 0;
    /// Is the plugin registered for the event?
    [[nodiscard]] virtual auto hears(std::string_view plugin, const Event& event) const -> bool = 0;
    /// Is the event worth an attempt of a pod that this plugin has rejected?
    [[nodiscard]] virtual auto may_help(PodId rejected, std::string_view plugin, const Event& event) const -> bool = 0;
  };

  /// The plugins that rejected a pod. Empty: the attempt ended in an error.
  using Rejectors = std::vector<std::string_view>;

  struct Entry {
    PodId pod{};
    std::int32_t priority = 0;
    Place place = Place::absent;
    Time timestamp = 0;         ///< since when in the queue, or of the last failure
    std::uint64_t order = 0;    ///< of coming into the queue, between equal timestamps
    std::int64_t failures = 0;  ///< attempts found unschedulable
    std::int64_t errors = 0;    ///< errors in a row
    std::size_t attempts = 0;
    std::string_view holder{};    ///< the PreEnqueue plugin that holds it back
    Rejectors rejectors{};        ///< of the latest attempt, and the holder
    std::vector<Event> missed{};  ///< while in flight

    [[nodiscard]] auto gated() const -> bool { return !holder.empty(); }
  };

  Queue(std::size_t pods, const Plugins& plugins, const kube::Release& release, Instant start, const kube::Pace& pace)
      : plugins_(plugins), release_(release), start_(start), pace_(pace), entries_(pods) {}

  [[nodiscard]] auto entry(PodId pod) const -> const Entry& { return entries_[pod]; }

  /// Those in the queue, or in flight.
  [[nodiscard]] auto pods() const -> const std::vector<PodId>& { return known_; }

  /// There is one more pod.
  void grow() { entries_.add({}); }
  void add(PodId pod, std::int32_t priority, Time now);
  void drop(PodId pod);

  /// Is there a pod to try? Pods in back-off may be tried early if no other pod is there, unless an error sent them
  /// there.
  [[nodiscard]] auto ready(Time now) -> bool;
  /// The next pod to try: higher priority first, then longer in the queue. Only if ready.
  [[nodiscard]] auto pop(Time now) -> PodId;

  /// The attempt failed. The pod waits for an event, unless one that matters came while it was in flight.
  void put_back(PodId pod, const Rejectors& rejectors, Time now);
  /// The attempt succeeded.
  void done(PodId pod) { drop(pod); }

  /// An event of the cluster. Of the pods that wait, only those are asked that `which` selects; all, if it is empty.
  void move_on(const Event& event, Time now, const std::function<bool(const Entry&)>& which = {});
  /// Straight to the active queue, whatever the pod waits for; noted if it is in flight. False: neither.
  auto activate(PodId pod, Time now) -> bool;
  /// Would the periodic flush look at the pod?
  [[nodiscard]] auto is_flushed(PodId pod) const -> bool;
  /// Back to the queue because it has been unschedulable for too long.
  void flush(PodId pod, Time now);
  /// So often the flush brought it back and an attempt found what the one before had found, the last time at `now`.
  void note_vain_attempts(PodId pod, std::size_t count, Time now);

  /// When the first pod of those in back-off becomes active that is not tried early; kNever if there is none.
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
  kube::Pace pace_{};
  IdVector<PodId, Entry> entries_;
  std::vector<PodId> known_{};  ///< see pods()
  std::uint64_t next_order_ = 0;
};

}  // namespace previct::sequence
