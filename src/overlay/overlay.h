#pragma once

#include "api/load.h"
#include "api/upstream.h"
#include "engine/gap.h"
#include "overlay/surroundings.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// What a question adds to, or takes from, the objects of an input: "what if".
struct Overlay {
  std::vector<std::string> with;     ///< files and directories of manifests
  std::vector<std::string> without;  ///< `KIND/NAME`, `KIND/NAMESPACE/NAME`
  std::string ns = "default";        ///< of names without a namespace
  std::string pod;  ///< the pod in `ns` that the next two are about; empty: those of `with`, or a new one
  std::string priority_class;
  std::vector<std::string> requests;                   ///< `cpu=2`
  std::string scheduler{upstream::kDefaultScheduler};  ///< the schedulerName of a new pod, where these make one
  std::vector<std::string> inputs{};  ///< that the objects came from; read again for what matters to new objects alone
  Surroundings around{};              ///< what is known of that beside the inputs

  [[nodiscard]] auto empty() const -> bool {
    return with.empty() && without.empty() && priority_class.empty() && requests.empty();
  }
  /// Does it make a pod that stands in no manifest?
  [[nodiscard]] auto makes_pod() const -> bool {
    return with.empty() && pod.empty() && !(priority_class.empty() && requests.empty());
  }
};

/// What laying it over has led to.
struct Overlaid {
  /// `NAMESPACE/NAME` of the pods that came by it and wait for a node, `workload/NAMESPACE/NAME` of Workloads of Kueue
  std::vector<std::string> pods;
  Configurations configurations;     ///< among the files
  std::vector<std::string> remarks;  ///< what is not as in the input, one a line
  std::vector<Gap> unknown{};        ///< what a cluster would make of it, and the input does not tell
};

/// What a later overlay has led to, on top of an earlier one.
void add(Overlaid later, Overlaid& earlier);

/// Changes `objects`, before anything is concluded from them:
///
/// - `without` is taken away; it is an error if there is no such object.
/// - An object of `with` takes the place of that of the same kind, namespace and name, as by kubectl apply: without a
///   `status` of its own it keeps the old one's, and a pod its node. Others are added; a workload adds the pod that it
///   would make next (templates.h). No priority of an existing pod follows its class: it was set when it was created.
/// - Pods of `with` pass admission (admission.h), and so does the pod whose class or requests are changed. Without any
///   pod these make a new one, `what-if`. New ones are counted against the quotas of their namespace (limits.h).
/// - A budget of `with` that has no status of its own gets the one that its controller would give it (budgets.h).
/// - What the API server does not let anybody change is changed all the same; a remark says what must be made anew.
///
/// The kinds that the input is known to hold stay as they were: a manifest laid over does not make it complete.
[[nodiscard]] auto lay_over(const Overlay& overlay, const LoadOptions& options, Objects& objects) -> Result<Overlaid>;

/// Lets no container of the pod, and not the pod as a whole, request the resource or be limited in it.
void drop_request(PodSpec& spec, Symbol resource);
/// Lets the pod as a whole request so much (and its overhead): all of it in the first container, without a limit.
void set_request(PodSpec& spec, Symbol resource, Quantity amount);

/// Lets every pod without a priority pass admission: for clusters that people write by hand.
[[nodiscard]] auto admit_all(Objects& objects) -> Result<void>;

}  // namespace previct
