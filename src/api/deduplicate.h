#pragma once

#include "api/objects.h"

#include <set>

namespace previct {

/// Objects that come from watches, identified by their places in the inputs.
struct Watched {
  std::set<Source> states;   ///< objects that a watch reported
  std::set<Source> deleted;  ///< those that a watch reported as deleted
};

/// Keeps one of several objects with the same kind, namespace and name, at the position of the first. For the rules and
/// warnings, see load().
void keep_one_of_each(const Watched& watched, Objects& objects);

/// Warns (`pod-on-no-node`) about pods with phase Running and without spec.nodeName, as in manually trimmed dumps, and
/// counts them.
void note_unplaced_pods(Objects& objects);

/// Adds the start of each pod's deletion grace period to the known times: the input is not older than that.
void note_deletions(Objects& objects);

/// Finds kinds whose objects are all manifests although the nodes come from an API server (they have a uid): these
/// kinds were not requested from the API server. See InputSummary::by_hand.
void note_manifest_only_kinds(Objects& objects);

/// Gives the value of their PriorityClass to pods that name a class but no priority, as the API server does at
/// creation, and counts them; such inputs are written by people or simulators. Pods of an unknown class get no
/// priority. Pending pods without a uid that have neither get the class that is the global default.
/// Source: kubernetes/kubernetes: plugin/pkg/admission/priority/admission.go.
void fill_priorities(Objects& objects);

}  // namespace previct
