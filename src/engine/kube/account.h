#pragma once

#include "engine/engine.h"
#include "engine/kube/attempt.h"
#include "engine/kube/odds.h"
#include "engine/kube/running_release.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace previct::kube {

/// A decision, with the inputs that it was made from.
struct EngineTrace final : previct::EngineTrace {
  EngineTrace(NodeInfoSnapshot& w, const Budgets& b, RunningRelease r, PodId pod)
      : node_infos(w), budgets(b), running(std::move(r)), subject(pod) {}

  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  RunningRelease running;
  PodId subject;
  std::shared_ptr<const Profile> profile;  ///< null: no profile has the pod's schedulerName, so no scheduler handles it
  Decision decision;
  Outcome found = Outcome::pending;            ///< outcome of `decision`, ignoring what is not known of it
  std::optional<Odds> odds;                    ///< as in Verdict
  std::optional<Orders> orders;                ///< as in Verdict
  Chances::Order order = Chances::Order::any;  ///< the order of dry runs on which `odds` is based
  std::vector<Gap> open_node;                  ///< for a pod that fits: why its node is not known
  /// Set if volumes are not known: then `decision` assumes that every node reaches them, and this account follows the
  /// input literally. Otherwise null.
  std::shared_ptr<const EngineTrace> literal_reading;
};

/// Returns what kube-scheduler does, as values. Fills in the account's odds and orders.
[[nodiscard]] auto verdict_of(const std::shared_ptr<EngineTrace>& account, const Question& question) -> Verdict;

/// Returns what a verdict does not know: kinds that the input lacks, features that are not modeled.
[[nodiscard]] auto gaps(const EngineTrace& account, const Question& question) -> std::vector<Gap>;

/// Returns the outcome of a decision, ignoring what is not known of it.
[[nodiscard]] auto outcome_of(const Decision& decision) -> Outcome;

/// See Engine::decisive_nodes.
[[nodiscard]] auto decisive_nodes(const EngineTrace& account) -> std::optional<std::vector<Symbol>>;

/// Returns the victims on a node where preemption works, most important first. None is certain if several nodes are
/// possible.
[[nodiscard]] auto victims_on(const EngineTrace& account, NodeId node) -> std::vector<Victim>;

/// Returns why a victim is not reprieved; Rule::must_go if that was not recorded.
[[nodiscard]] auto fate_of(const DryRun& run, PodId victim) -> Reason;

/// Returns the nominated node of the pod if victims that still terminate there keep the pod from preempting; else none.
[[nodiscard]] auto awaited_node(const Decision& decision) -> NodeId;

}  // namespace previct::kube
