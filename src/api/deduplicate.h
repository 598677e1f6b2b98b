#pragma once

#include "api/objects.h"

#include <set>

namespace previct {

/// What watches among the inputs tell of objects, by where these stand.
struct Watched {
  std::set<Source> states;   ///< objects that a watch reported
  std::set<Source> deleted;  ///< those of them that tell of a deletion
};

/// Of several objects of one kind, namespace and name keeps one, in the place of the first; what is said of the others
/// is part of load().
void keep_one_of_each(const Watched& watched, Objects& objects);

/// Warns (`pod-on-no-node`) of pods that are Running by their phase and have no spec.nodeName, as in dumps that a
/// person has trimmed, and counts them.
void note_unplaced_pods(Objects& objects);

/// A pod's deletion was asked for when its grace began: the input is no older.
void note_deletions(Objects& objects);

/// A kind whose objects are all manifests, in an input whose nodes an API server gave out (they have a uid), was not
/// asked of the API server: see InputSummary::by_hand.
void note_kinds_by_hand(Objects& objects);

/// Gives pods that name a PriorityClass and no priority the value of the class, as the API server does when it creates
/// them, and counts them: inputs that people or simulators wrote. Those of a class that is not there stay without.
/// Pending pods without a uid that name neither get the class that is the global default.
/// Source: kubernetes/kubernetes: plugin/pkg/admission/priority/admission.go.
void fill_priorities(Objects& objects);

}  // namespace previct
