#pragma once

#include "tell/tell.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What a question is about, as the user named it and as the input has it.
struct Subject {
  std::string kind = "pod";  ///< "pod" or "podgroup"
  std::string ns;
  std::string name;
  PodId pod;  ///< none for a group
};

/// What `NAME`, `NS/NAME`, `pod/NAME`, `podgroup/NS/NAME` name; `ns` is the namespace of names without one. Fails if it
/// is none of these.
[[nodiscard]] auto read_subject(std::string_view text, std::string_view ns) -> Result<Subject>;

/// Reads `NAME`, `NS/NAME`, `pod/NAME`, `podgroup/NS/NAME`; `ns` is the namespace of names without one.
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
