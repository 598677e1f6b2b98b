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

/// A decision, and what it was made of.
struct Account final : previct::Account {
  Account(NodeInfoSnapshot& w, const Budgets& b, RunningRelease r, PodId pod)
      : node_infos(w), budgets(b), running(std::move(r)), subject(pod) {}

  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  RunningRelease running;
  PodId subject;
  std::shared_ptr<const Profile> profile;  ///< null: no profile is called as the pod's scheduler, so nobody looks at it
  Decision decision;
  Outcome found = Outcome::pending;            ///< of `decision`, whatever is not known of it
  std::optional<Odds> odds;                    ///< as in Verdict
  std::optional<Orders> orders;                ///< the same
  Chances::Order order = Chances::Order::any;  ///< what `odds` rests on
  std::vector<Gap> open_node;                  ///< of a pod that fits: why it is not known on which node
  /// Where volumes are not known, `decision` is the one if every node reaches them, and this is what follows from the
  /// input by the letter; else null.
  std::shared_ptr<const Account> by_the_letter;
};

/// What kube-scheduler does, as values. Fills in the account's odds and orders.
[[nodiscard]] auto verdict_of(const std::shared_ptr<Account>& account, const Question& question) -> Verdict;

/// What a verdict does not know: kinds that the input lacks, features that are not modelled.
[[nodiscard]] auto gaps(const Account& account, const Question& question) -> std::vector<Gap>;

/// Of a decision, whatever is not known of it.
[[nodiscard]] auto outcome_of(const Decision& decision) -> Outcome;

/// As in Engine.
[[nodiscard]] auto nodes_that_matter(const Account& account) -> std::optional<std::vector<Symbol>>;

/// The victims of a node on which preemption works, most important first; none is certain if several nodes are
/// possible.
[[nodiscard]] auto victims_on(const Account& account, NodeId node) -> std::vector<Victim>;

/// What became of a victim: why it is not put back (Rule::must_go where that was not recorded).
[[nodiscard]] auto fate_of(const DryRun& run, PodId victim) -> Reason;

/// The node that the pod is nominated to, if victims that still terminate there keep it from trying any.
[[nodiscard]] auto awaited_node(const Decision& decision) -> NodeId;

}  // namespace previct::kube
