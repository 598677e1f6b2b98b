#pragma once

#include "engine/gap.h"
#include "tell/answer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// How long a pod of one leaf queue is protected, from its start, against pods of other queues, by the settings of
/// queues alone.
struct QueueProtection {
  std::string victim;
  std::vector<std::string> preemptors;  ///< leaf queues against which it is protected in this way, by name
  std::string action;                   ///< what the preemptors do: `reclaim`; `preempt` within the queue
  std::int64_t nanos = 0;               ///< 0 or less: never
  std::string length;                   ///< `3m0s`
  std::string set_by;                   ///< the queue whose setting applies, or the origin of the default
  std::string path;                     ///< how the setting was found
  std::vector<Evidence> evidence;
};

/// Pods whose protection a change of a queue can lower.
struct WeakenedProtection {
  std::string victim;
  std::vector<std::string> preemptors;
  std::string action;
  std::int64_t lowest = 0;  ///< nanoseconds that can be left
  std::string lowest_length;
};

/// An object whose fields decide about protections, the users that may change it, and what they can lower by that.
struct EditableObject {
  std::string kind;  ///< `Queue`; `SchedulingShard`, whose settings count for all queues
  std::string name;
  std::vector<std::string> subjects;          ///< `user alice`, by binding
  std::vector<WeakenedProtection> by_value;   ///< by its own settings
  std::vector<WeakenedProtection> by_moving;  ///< by another parent, and its own settings then
};

/// What a ClusterRoleBinding grants.
struct EditGrant {
  std::string subject;
  std::vector<std::string> verbs;
  std::string kind;
  std::vector<std::string> names;  ///< empty: all objects of the kind
  std::string binding;
  std::string role;
  std::vector<Evidence> evidence;  ///< the binding
};

struct Editors {
  std::vector<EditableObject> objects;
  std::vector<EditGrant> grants;
  std::vector<std::string> remarks;
};

struct QueueProtections {
  std::string engine;
  std::string behaves;
  std::string setting;                ///< the scheduler's name for it: `min-runtime`
  std::vector<std::string> leaves;    ///< the leaf queues that are compared, by name
  std::vector<QueueProtection> rows;  ///< by victim, then action, then preemptors
  std::optional<Editors> editors;     ///< none: the input has no RBAC objects
  std::vector<Gap> gaps;
};

}  // namespace previct
