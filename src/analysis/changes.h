#pragma once

#include "api/objects.h"

#include <functional>
#include <string>
#include <vector>

namespace previct {

/// A field that two states of an object differ in.
struct FieldChange {
  std::string path;    ///< as in api/locate.h
  std::string before;  ///< empty: not there
  std::string after;
  Place place;  ///< in the later state if it is there, else in the earlier one
};

/// An object that differs between two states of a cluster.
struct Change {
  enum class How : std::uint8_t { added, removed, changed } how = How::changed;
  std::string object;  ///< `PriorityClass/low`, `Pod/ml/train-0`
  Place place;
  std::vector<FieldChange> fields;      ///< of a changed object
  std::function<void(Stores&)> revert;  ///< brings this one object back to its earlier state
};

/// The objects that differ, policies first, in the order of the stores and of names. Versions, uids, heartbeats
/// and events are no difference. `objects` holds the later state; both have its symbols. The result refers to `before`.
[[nodiscard]] auto changes_between(const Stores& before, Objects& objects) -> std::vector<Change>;

}  // namespace previct
