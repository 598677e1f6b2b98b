#pragma once

#include "tell/tell.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The moment of a question about an input that holds no time: there is nothing to count from, so that any gives the
/// same answer. 2000-01-01T00:00:00Z
inline constexpr Instant kAnyMoment{946'684'800, 0};

/// What a question is about, as the user named it and as the input has it.
struct Subject {
  std::string kind = "pod";  ///< as in Question
  std::string ns;
  std::string name;
  PodId pod;  ///< none, if it is no pod
};

/// What `NAME`, `NS/NAME`, `pod/NAME`, `KIND/NS/NAME` of a kind that an engine is asked about name; `ns` is the
/// namespace of names without one. Fails if it is none of these.
[[nodiscard]] auto read_subject(std::string_view text, std::string_view ns) -> Result<Subject>;

/// Reads the same; `ns` is the namespace of names without one.
///
/// Fails if there is no such pod (with the nearest name), or if it has finished: no scheduler looks at it
/// again.
[[nodiscard]] auto find_subject(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<Subject>;

/// The same where only a pod is of use: a group is refused.
[[nodiscard]] auto find_pod(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<PodId>;

/// Is it `deploy/NAME` and the like?
[[nodiscard]] auto names_workload(std::string_view text) -> bool;

/// The pending pods of a workload that is named as `deploy/NAME` or `deploy/NS/NAME` (any kind that makes pods, as
/// kubectl writes it). None: it is no such name. Fails if none of its pods is pending.
[[nodiscard]] auto pending_of_workload(const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> Result<std::optional<std::vector<Subject>>>;

/// What an engine is asked about in place of the workload `deploy/NAME` or the like, if one of `engines` that is called
/// `engine` (or `auto`) has such an object. None: it is no such name, or there is none.
[[nodiscard]] auto stand_in_of_workload(const std::vector<const Engine*>& engines, std::string_view engine,
                                        const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> std::optional<Subject>;

/// What waits, of one namespace or (empty) of all: objects of kinds that engines are asked about, in the order of their
/// queues, then the pods that wait for a scheduler themselves, by name. `engine`: of this one alone, if it has a kind
/// of its own.
[[nodiscard]] auto pending_of(const std::vector<const Engine*>& engines, std::string_view engine,
                              const Snapshot& cluster, const Question& question, std::string_view ns)
    -> Result<std::vector<Subject>>;

/// The pods that wait for a scheduler, of one namespace or (empty) of all, by namespace and name.
[[nodiscard]] auto pending_subjects(const Snapshot& cluster, std::string_view ns) -> std::vector<Subject>;

/// Fails if no engine has this name, which may be `auto`.
[[nodiscard]] auto check_engine_name(const std::vector<const Engine*>& engines, std::string_view name) -> Result<void>;

/// The engine called `name`, or for `auto` the first of `engines` that takes the subject.
[[nodiscard]] auto choose_engine(const std::vector<const Engine*>& engines, std::string_view name,
                                 const Snapshot& cluster, const Subject& subject) -> Result<const Engine*>;

/// The same where no pod is asked about: the engine that most pods of the input would go to; without any
/// pod, that which takes what no other does.
[[nodiscard]] auto main_engine(const std::vector<const Engine*>& engines, std::string_view name,
                               const Snapshot& cluster) -> Result<const Engine*>;

}  // namespace previct
