#pragma once

#include "api/meta.h"

#include <optional>

namespace previct {

/// The object that an event is about, or one that was involved.
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

/// The component that reported an event of the old form.
struct EventComponent {
  Symbol component;

  template <class Field>
  friend void describe(Field& field, EventComponent& self) {
    field("component", self.component);
  }
};

struct EventSeries {
  std::optional<Instant> last_observed;

  template <class Field>
  friend void describe(Field& field, EventSeries& self) {
    field("lastObservedTime", self.last_observed);
  }
};

/// v1 Event and events.k8s.io/v1 Event, which are two views of the same object. By default, an API server deletes
/// events after an hour (--event-ttl). No scheduler reads events; they report what schedulers did.
struct ClusterEvent {
  ObjectMeta meta;
  ObjectReference regarding;
  ObjectReference related;  ///< the preemptor, in kube-scheduler's Preempted events
  Symbol reason;
  Symbol note;
  Symbol reporter;                   ///< for kube-scheduler: the schedulerName of its profile
  EventComponent source;             ///< only in events of the old form
  std::optional<Instant> time;       ///< none in events of the old form
  std::optional<Instant> last_time;  ///< only in events of the old form
  EventSeries series;

  /// The component that reported the event; none if the event does not name it.
  [[nodiscard]] auto component() const -> Symbol { return reporter ? reporter : source.component; }
  /// The time of the first observation, if the event has one.
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
    field("source", self.source);
    field("deprecatedSource", self.source);
    field("eventTime", self.time);
    field("lastTimestamp", self.last_time);
    field("deprecatedLastTimestamp", self.last_time);
    field("series", self.series);
  }
};

}  // namespace previct
