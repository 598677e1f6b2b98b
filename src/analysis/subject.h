#pragma once

#include "tell/tell.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The moment of a question about an input that contains no time: no duration can be computed, so that any moment gives
/// the same answer. 2000-01-01T00:00:00Z
inline constexpr Instant kAnyMoment{946'684'800, 0};

/// The subject of a question, as the user named it and as it is in the input.
struct Subject {
  std::string kind = "pod";  ///< as in Question
  std::string ns;
  std::string name;
  PodId pod;  ///< invalid if the subject is not a pod
};

/// Returns the question, asked about this subject.
[[nodiscard]] auto about(const Subject& subject, Question question) -> Question;

/// Parses `NAME`, `NS/NAME`, `pod/NAME`, or `KIND/NS/NAME` with a kind that an engine accepts as subject; `ns` is the
/// default namespace. Fails for any other form.
[[nodiscard]] auto read_subject(std::string_view text, std::string_view ns) -> Result<Subject>;

/// Parses the same forms and finds the object; `ns` is the default namespace.
///
/// Fails if there is no such pod (suggesting the nearest name), or if it has finished: no scheduler will try it again.
[[nodiscard]] auto find_subject(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<Subject>;

/// Like find_subject(), but accepts only pods.
[[nodiscard]] auto find_pod(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<PodId>;

/// Returns true for `deploy/NAME` and similar names of workloads.
[[nodiscard]] auto names_workload(std::string_view text) -> bool;

/// The pods of a workload that have not finished, by name; `text` as below. Returns nullopt if it names no workload.
/// Fails if there is no such pod.
[[nodiscard]] auto pods_of_workload(const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> Result<std::optional<std::vector<PodId>>>;

/// The pending pods of a workload that is named as `deploy/NAME` or `deploy/NS/NAME` (any kind that creates pods, as
/// kubectl writes it). Returns nullopt if it is no such name. Fails if none of its pods is pending.
[[nodiscard]] auto pending_of_workload(const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> Result<std::optional<std::vector<Subject>>>;

/// The object that an engine evaluates in place of the workload `deploy/NAME` or similar, if one of `engines` with the
/// name `engine` (or `auto`) has such an object. Returns nullopt if it is no such name, or if there is no such object.
[[nodiscard]] auto stand_in_of_workload(const std::vector<const Engine*>& engines, std::string_view engine,
                                        const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> std::optional<Subject>;

/// All pending subjects of one namespace or (empty) of all: objects of the kinds that engines evaluate, in the order of
/// their queues, then the pods that wait for a scheduler directly, by name. `engine`: only its objects, if it has a
/// kind of its own.
[[nodiscard]] auto pending_of(const std::vector<const Engine*>& engines, std::string_view engine,
                              const Snapshot& cluster, const Question& question, std::string_view ns)
    -> Result<std::vector<Subject>>;

/// What answers about pending pods say if the input lacks the kind Pod.
inline constexpr std::string_view kWithoutPods = "the input has no pods, so it is not known which are pending";

/// Returns an engine of which it is not known what is pending: the input has objects that only this scheduler reads,
/// but lacks the kind about which it decides. Null: there is none.
[[nodiscard]] auto engine_without_subjects(const Snapshot& cluster) -> const Engine*;

/// The pending pods of one namespace or (empty) of all, by namespace and name.
[[nodiscard]] auto pending_subjects(const Snapshot& cluster, std::string_view ns) -> std::vector<Subject>;

/// Returns the numbers of pending pods of one namespace or (empty) of all, by the name of the engine that decides about
/// them.
[[nodiscard]] auto pending_by_engine(const Snapshot& cluster, std::string_view ns)
    -> std::map<std::string_view, std::size_t>;

/// Returns what a question to one engine leaves out: pending pods and objects of other engines in one namespace or
/// (empty) in all.
[[nodiscard]] auto pending_of_others(const Engine& engine, const Snapshot& cluster, std::string_view ns)
    -> std::vector<Gap>;

/// ` Not included: 2 pending pods of kai (--engine kai).`; empty if nothing is left out.
[[nodiscard]] auto left_out_words(const std::vector<Gap>& left_out) -> std::string;

/// Fails if `name` is neither the name of an engine nor `auto`.
[[nodiscard]] auto check_engine_name(const std::vector<const Engine*>& engines, std::string_view name) -> Result<void>;

/// Returns the engine with this name, or for `auto` the first of `engines` that schedules the subject.
[[nodiscard]] auto choose_engine(const std::vector<const Engine*>& engines, std::string_view name,
                                 const Snapshot& cluster, const Subject& subject) -> Result<const Engine*>;

/// Like choose_engine() without a subject: the engine that schedules most pods of the input; without any pod, the
/// engine of last resort.
[[nodiscard]] auto main_engine(const std::vector<const Engine*>& engines, std::string_view name,
                               const Snapshot& cluster) -> Result<const Engine*>;

/// Like main_engine(), for questions about what is pending in one namespace or (empty) in all: if nothing waits for
/// that engine, the one for which most pods and objects wait. Nearly every cluster has pods of kube-scheduler, such as
/// those of the other schedulers themselves.
[[nodiscard]] auto engine_of_pending(const std::vector<const Engine*>& engines, std::string_view name,
                                     const Snapshot& cluster, std::string_view ns) -> Result<const Engine*>;

}  // namespace previct
