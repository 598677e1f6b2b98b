#pragma once

#include "cluster/changed_cluster.h"
#include "engine/kube/account.h"
#include "engine/kube/known.h"
#include "engine/kube/pinned_attempts.h"
#include "engine/kube/unknown_volumes.h"
#include "prove/own_claims.h"
#include "prove/space.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::prove {

/// Preemptors that differ only in priority, requests and moment, and in the nodes on which they may run.
struct Kind {
  std::string scheduler;       ///< their schedulerName
  const Form* form = nullptr;  ///< null: they have none
  /// A pod that may run on one node only is not decided like one that may run on all: a spread constraint counts the
  /// pods of the nodes that it allows.
  bool pin_matters = false;
  std::optional<std::string> fault{};  ///< why pods of the form cannot be decided: `they are scheduled as a group`
};

/// A preemptor, apart from its requests.
struct Preemptor {
  std::size_t kind = 0;  ///< index in Decider::kinds()
  std::int64_t priority = 0;
  NodeId node;  ///< the only node on which it may run
  Instant at;
};

/// Decides about pods that are not in the input, with kube-scheduler's rules. For its lifetime, the objects contain one
/// pending pod for each priority that is decided.
class Decider {
 public:
  /// `cluster`: of the objects as they are; it and `space` must outlive the result. Fails if a configuration is broken,
  /// or if no scheduler of the input preempts.
  [[nodiscard]] static auto of(Objects& objects, const Snapshot& cluster, const Question& question, const Space& space)
      -> Result<std::unique_ptr<Decider>>;
  Decider(const Decider&) = delete;
  auto operator=(const Decider&) -> Decider& = delete;
  ~Decider();

  [[nodiscard]] auto cluster() const -> const Snapshot& { return *cluster_; }
  /// With forms, in the order of the forms; otherwise one for each schedulerName.
  [[nodiscard]] auto kinds() const -> const std::vector<Kind>& { return kinds_; }
  /// The schedulerNames of the preemptors.
  [[nodiscard]] auto schedulers() const -> std::vector<std::string>;
  [[nodiscard]] auto behaves() const -> std::string;
  /// Returns the other releases that the scheduler may run, as far as the nodes show, and that may decide otherwise.
  [[nodiscard]] auto other_releases() const -> std::vector<std::string>;
  [[nodiscard]] auto intervals_on(NodeId node) const -> std::vector<Priorities>;
  /// All requests of the space.
  [[nodiscard]] auto all_requests() const -> const std::vector<kube::RequestRange>& { return requests_; }

  /// Returns false if no eviction on this node lets such a preemptor run there, with the least requests.
  [[nodiscard]] auto may_run_on(std::size_t kind, NodeId node) -> bool;

  /// Returns the pods that this preemptor may evict, whatever it requests.
  [[nodiscard]] auto potential_victims(const Preemptor& preemptor, Moment& now) -> std::vector<PodId>;

  /// Returns the verdict for the preemptor with these requests, which holds for all requests that are left in
  /// `requests`. A verdict that a gap decides has the outcome unknown. Valid until the next call.
  [[nodiscard]] auto decide(const Preemptor& preemptor, kube::RequestBounds& requests) -> const Verdict&;

 private:
  struct Attempts;

  Decider(Objects& objects, const Question& question, const Space& space);
  auto prepare(const Snapshot& before) -> Result<void>;
  auto find_kinds(const Snapshot& cluster) -> Result<void>;
  auto kinds_of_forms(const Snapshot& cluster) -> Result<void>;
  void add_probes(const Snapshot& cluster);
  [[nodiscard]] auto probe(const Kind& kind, std::int64_t priority, std::string_view name) -> Pod;
  void make_room();
  auto find_profiles() -> Result<void>;
  void find_faults();
  [[nodiscard]] auto fault_of(const Kind& kind, const kube::Profile& profile, PodId probe) const
      -> std::optional<std::string>;
  auto attempts_of(const Preemptor& preemptor) -> Attempts&;

  /// What decides about the pods of a kind.
  struct Rules {
    const kube::Profile* profile = nullptr;
    std::optional<kube::UnknownVolumes> unknown;  // where the volumes are; then `profile` assumes: everywhere
  };

  ChangedCluster changed_;
  OwnClaims claims_;
  Question question_;
  const Space& space_;
  std::vector<Kind> kinds_;
  std::vector<Rules> rules_;                                      // by kind
  std::deque<kube::Profile> profiles_everywhere_;                 // of kinds with unknown volumes
  std::map<std::pair<std::size_t, std::int64_t>, PodId> probes_;  // by kind and priority
  std::unique_ptr<Snapshot> cluster_;
  std::unique_ptr<kube::RunningRelease> running_;
  kube::SharedState* known_ = nullptr;
  std::vector<kube::RequestRange> requests_;
  kube::AttemptOptions options_;
  std::map<PodId, std::unique_ptr<Attempts>> attempts_;  // with forms, only of one kind at a time
  std::size_t last_kind_ = 0;
  Verdict verdict_;
};

}  // namespace previct::prove
