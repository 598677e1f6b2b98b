#pragma once

#include "api/load.h"
#include "api/upstream.h"
#include "engine/gap.h"
#include "overlay/surroundings.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// Names an object in the stores.
struct ObjectName {
  std::string_view store;  ///< KindInfo::store_name
  std::string ns{};        ///< empty: it has none
  std::string name{};

  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
};

/// What a question adds to, or removes from, the objects of an input: "what if".
struct Overlay {
  std::vector<std::string> with;     ///< files and directories of manifests
  std::vector<std::string> without;  ///< `KIND/NAME`, `KIND/NAMESPACE/NAME`
  std::vector<ObjectName> gone{};    ///< objects that are removed if they exist
  std::string node_template;         ///< the manifest of a Node, of which copies are added; empty: none
  std::size_t node_count = 1;        ///< number of these copies
  std::string ns = "default";        ///< default namespace
  std::string pod;  ///< the pod in `ns` whose class and requests change; empty: the pods of `with`, or a new pod
  std::string priority_class;
  std::vector<std::string> requests;                   ///< `cpu=2`
  std::string scheduler{upstream::kDefaultScheduler};  ///< schedulerName of a new pod, if one is created
  /// The changed state is simulated over time: pods that controllers delete are still there at the start.
  bool over_time = false;
  /// When new objects are created; none: at the newest time of the input.
  std::optional<Instant> now{};
  /// What is known of the kinds that only affect new objects; none: what the objects show.
  std::optional<Surroundings> around{};

  [[nodiscard]] auto empty() const -> bool {
    return with.empty() && without.empty() && gone.empty() && node_template.empty() && priority_class.empty() &&
           requests.empty();
  }
  /// Returns true if it creates a pod that is in no manifest.
  [[nodiscard]] auto makes_pod() const -> bool {
    return with.empty() && pod.empty() && !(priority_class.empty() && requests.empty());
  }
};

/// The result of applying an overlay.
struct OverlayResult {
  /// `NAMESPACE/NAME` of new pods that are pending, `KIND/NAMESPACE/NAME` of objects that wait without pods
  std::vector<std::string> pods;
  Configurations configurations;     ///< configurations found among the files
  std::vector<std::string> remarks;  ///< differences from the input, one per line
  std::vector<Gap> unknown{};        ///< effects in a cluster that the input does not show
};

/// Adds the result of a later overlay to that of an earlier one.
void add(OverlayResult later, OverlayResult& earlier);

/// Changes `objects` before they are used:
///
/// - `without` is removed; it is an error if there is no such object. So is `gone`, which is none.
/// - An object of `with` replaces the object with the same kind, namespace and name, as kubectl apply does: without a
///   `status` it keeps the old one, and a pod keeps its node. Other objects are added; a workload adds the pod that it
///   would create next (templates.h), and removes pods that it would delete (scale_down.h). The priority of an existing
///   pod does not follow its class: it was set at creation.
/// - Pods of `with` pass admission (admission.h), and so does the pod whose class or requests change. Without any pod,
///   a new pod `what-if` is created. New pods count against the quotas of their namespace (limits.h).
/// - A budget of `with` without a status gets the status that its controller would set (budgets.h).
/// - `node_count` copies of the Node in `node_template` are added: NAME-1, NAME-2 and so on.
/// - Immutable fields are changed nevertheless; a remark says which object must be recreated.
///
/// The set of kinds that the input is known to contain does not change: a manifest in the overlay does not make it
/// complete.
[[nodiscard]] auto apply_overlay(const Overlay& overlay, const LoadOptions& options, Objects& objects)
    -> Result<OverlayResult>;

/// Returns the objects of the files and directories `earlier` that `later` lacks. Errors: those of load().
[[nodiscard]] auto removed_between(const std::vector<std::string>& earlier, const std::vector<std::string>& later,
                                   const LoadOptions& options) -> Result<std::vector<ObjectName>>;

/// Removes requests and limits for the resource from all containers of the pod, and from the pod itself.
void drop_request(PodSpec& spec, Symbol resource);
/// Sets the request of the whole pod, overhead included: all of it in the first container, without a limit.
void set_request(PodSpec& spec, Symbol resource, Quantity amount);
/// As above, with an equal limit if the API server requires one for the resource.
void set_request(PodSpec& spec, Symbol resource, Quantity amount, const Symbols& symbols);

/// Runs admission for every pod without a priority: for handwritten clusters.
[[nodiscard]] auto admit_all(Objects& objects) -> Result<void>;

}  // namespace previct
