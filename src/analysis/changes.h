#pragma once

#include "api/objects.h"

#include <functional>
#include <string>
#include <vector>

namespace previct {

/// A field with different values in two states of an object.
struct FieldChange {
  std::string path;    ///< as in api/locate.h
  std::string before;  ///< empty: the field is absent
  std::string after;
  Place place;  ///< in the later state if the field exists there, else in the earlier one
};

/// An object that differs between two states of a cluster.
struct Change {
  enum class How : std::uint8_t { added, removed, changed } how = How::changed;
  std::string object;  ///< `PriorityClass/low`, `Pod/ml/train-0`
  Place place;
  std::vector<FieldChange> fields;  ///< of an object that is in both states
  /// Returns this one object to its earlier state. The result returns it to its later state again, in its place.
  std::function<std::function<void(Stores&)>(Stores&)> revert;
};

/// Returns the objects that differ, policies first, in the order of the stores and of names. Versions, uids, heartbeats
/// and events are ignored. `objects` holds the later state; both states use its symbols. The result refers to `before`.
[[nodiscard]] auto changes_between(const Stores& before, Objects& objects) -> std::vector<Change>;

}  // namespace previct
