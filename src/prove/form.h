#pragma once

#include "engine/engine.h"
#include "prove/requested.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace previct::prove {

/// Preemptors with everything of a pod that decides for kube-scheduler, but with other priorities, other requests of
/// the resources that vary, and preemptionPolicy PreemptLowerPriority.
struct Form {
  /// As it is created: pending, without a node, and without requests of the resources that vary. Only what decides is
  /// kept: labels that some selector of the input names, and no preferences.
  Pod pod;
  PodId like;               ///< the pod of the input
  std::string name;         ///< of `like`: `NAMESPACE/NAME`
  std::size_t pods = 1;     ///< number of the given pods with this form
  bool has_limits = false;  ///< a LimitRange has added requests or limits to `like`
};

/// Which nodes a pod of a DaemonSet may run on.
enum class DaemonNodes : std::uint8_t {
  its_own,  ///< the one that its controller created it for
  any       ///< those of all pods of the DaemonSet
};

/// Returns the forms of these pods, in their order; pods of one form are joined. `varied`: the resources that vary.
[[nodiscard]] auto forms_of(const Snapshot& cluster, const Question& question, std::span<const PodId> pods,
                            std::span<const Requested> varied, DaemonNodes daemons) -> Result<std::vector<Form>>;

/// Returns the pods of the input of which an engine schedules more: those that have not finished, and that no kubelet
/// runs by itself.
[[nodiscard]] auto pods_to_be_like(const Snapshot& cluster, const Engine& engine) -> std::vector<PodId>;

/// Returns what a pod of the form has that decides, in words: `host port 80`, `volume claim data`.
[[nodiscard]] auto traits_of(const Form& form, const Symbols& symbols) -> std::vector<std::string>;

/// Returns ` like web/a or web/b`, ` like one of 14 pods`; empty if there are no forms.
[[nodiscard]] auto like_words(const std::vector<Form>& forms) -> std::string;

}  // namespace previct::prove
