#pragma once

#include "sequence/settings.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What follows if nodes fail: a simulation for each node, each domain, or each pair of these.
namespace previct::failures {

/// Nodes that fail together.
struct Failure {
  std::string name;  ///< of the node, or `LABEL=VALUE`; joined by ` and `
  std::vector<NodeId> nodes;
};

/// A pod that ran, or would run without the failure, and does not run at the end.
struct PodOut {
  std::string name;  ///< `NAMESPACE/NAME` of the pod that ran; its controller may have given the new pod another name
  std::int64_t priority = 0;
  bool known = true;  ///< false: the simulation does not decide about it, and it may run
  std::string why;
};

/// A pod that a drain does not evict.
struct Kept {
  std::string name;
  std::int64_t priority = 0;
  std::string why;
};

/// A pod that is evicted for a pod that a failure made pending, or for another one that this moved.
struct Evicted {
  std::string name;
  std::int64_t priority = 0;
  std::string by;
};

/// A budget that does not hold.
struct BrokenBudget {
  std::string name;
  bool violated = false;  ///< an eviction violates it
  bool is_short = false;  ///< it has fewer healthy pods at the end than desired, and had enough before
};

constexpr std::int64_t kNoPriority = std::numeric_limits<std::int64_t>::min();  ///< lower than any

/// The result of another course of events.
struct OtherChoice {
  std::size_t out = 0;  ///< number of pods that stay out
  std::int64_t highest_known_out = kNoPriority;
};

/// What follows from a failure. If previct simulates several courses of events, this is the worst one.
struct Outcome {
  Failure failure;
  std::size_t lost = 0;          ///< pods on the nodes; of a drain: those that it evicts
  std::size_t ended = 0;         ///< how many of them end with their node: those of DaemonSets, and static pods
  std::size_t again = 0;         ///< how many of them run again on other nodes
  std::vector<PodOut> out;       ///< highest priority first
  std::vector<Evicted> evicted;  ///< highest priority first
  std::vector<BrokenBudget> budgets;
  std::vector<Kept> kept;          ///< by a drain, highest priority first
  std::vector<std::string> flags;  ///< without which kubectl drain evicts no pod
  bool chosen = false;  ///< nodes or victims were chosen among equals; several courses of events are simulated
  bool loops = false;   ///< pods evict each other without end
  bool cut = false;     ///< more would happen after the horizon, or too much happens
  /// The least that other choices among equal nodes or victims lead to, if they lead to other results; never worse.
  std::optional<OtherChoice> other;

  /// The highest priority of a pod that stays out, or may do so.
  [[nodiscard]] auto highest_out() const -> std::int64_t { return out.empty() ? kNoPriority : out.front().priority; }
  /// The same without the pods whose end is not known.
  [[nodiscard]] auto highest_known_out() const -> std::int64_t;
  /// The highest priority of a pod that stays out with each choice. It may be another pod with another choice.
  [[nodiscard]] auto highest_always_out() const -> std::int64_t {
    return other ? std::min(other->highest_known_out, highest_known_out()) : highest_known_out();
  }
};

/// Whether no pod above a priority stays out.
enum class Claim : std::uint8_t {
  holds,   ///< in each simulated course of events
  open,    ///< it is not known
  broken,  ///< in each simulated course of events of a failure, such a pod stays out
};

struct Failures {
  std::vector<Outcome> outcomes;  ///< the worst first
  std::size_t at_once = 1;
  std::string domain;                          ///< label of the domains; empty: single nodes
  bool drains = false;                         ///< nodes are drained instead of lost
  std::size_t without_label = 0;               ///< nodes that are in no domain
  std::optional<std::int64_t> none_out_above;  ///< no pod with a higher priority may stay out
  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;

  /// Whether a failure leaves a pod out that must not stay out. Only with `none_out_above`.
  [[nodiscard]] auto claim() const -> Claim;
  /// The failure because of which the claim is broken or open.
  [[nodiscard]] auto decisive() const -> const Outcome*;
};

struct Task {
  Objects& objects;  ///< changed by each simulation, and restored at its end
  sequence::Settings settings;
  std::vector<NodeId> nodes{};  ///< those that fail
  std::string domain;           ///< nodes with the same value of this label fail together; empty: each node alone
  std::size_t at_once = 1;      ///< 1 or 2
  bool drains = false;          ///< the nodes are drained instead of lost
};

/// Simulates each failure. The worst comes first: by the highest priority that stays out, then the number of pods that
/// do, of evicted pods, and of budgets that do not hold. Fails if there is no failure, or if there are too many.
[[nodiscard]] auto simulate(Task task) -> Result<Failures>;

}  // namespace previct::failures
