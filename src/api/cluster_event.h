#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// What an event speaks of, or who had a part in it.
struct ObjectReference {
  Symbol kind;
  Symbol ns;
  Symbol name;
  Symbol uid;

  template <class Field>
  friend void describe(Field& field, ObjectReference& self) {
    field("kind", self.kind);
    field("namespace", self.ns);
    field("name", self.name);
    field("uid", self.uid);
  }
};

struct EventSeries {
  std::optional<Instant> last_observed;

  template <class Field>
  friend void describe(Field& field, EventSeries& self) {
    field("lastObservedTime", self.last_observed);
  }
};

/// v1 Event and events.k8s.io/v1 Event, which are two views of the same object. An API server forgets them after an
/// hour by default (--event-ttl). No scheduler reads any; they tell what schedulers did.
struct ClusterEvent {
  ObjectMeta meta;
  ObjectReference regarding;
  ObjectReference related;  ///< kube-scheduler's Preempted: the preemptor
  Symbol reason;
  Symbol note;
  Symbol reporter;                   ///< kube-scheduler: its profile's schedulerName
  std::optional<Instant> time;       ///< none if written the old way
  std::optional<Instant> last_time;  ///< of those written the old way
  EventSeries series;

  /// When it was first observed, as far as it says.
  [[nodiscard]] auto at() const -> std::optional<Instant> { return time ? time : last_time ? last_time : meta.created; }

  template <class Field>
  friend void describe(Field& field, ClusterEvent& self) {
    field("metadata", self.meta);
    field("involvedObject", self.regarding);
    field("regarding", self.regarding);
    field("related", self.related);
    field("reason", self.reason);
    field("message", self.note);
    field("note", self.note);
    field("reportingComponent", self.reporter);
    field("reportingController", self.reporter);
    field("eventTime", self.time);
    field("lastTimestamp", self.last_time);
    field("deprecatedLastTimestamp", self.last_time);
    field("series", self.series);
  }
};

}  // namespace previct
