#pragma once

#include "cluster/changed_cluster.h"
#include "engine/kube/account.h"
#include "engine/kube/known.h"
#include "engine/kube/pinned_attempts.h"
#include "prove/space.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace previct::prove {

/// A preemptor, apart from its requests.
struct Preemptor {
  std::size_t scheduler = 0;  ///< index in Decider::schedulers()
  std::int64_t priority = 0;
  NodeId node;  ///< the only node on which it may run
  Instant at;
};

/// Decides about pods that are not in the input, with kube-scheduler's rules. For its lifetime, the objects contain one
/// pending pod for each priority that is decided.
class Decider {
 public:
  /// Fails if a configuration is broken, or if no scheduler of the input preempts.
  [[nodiscard]] static auto of(Objects& objects, const Question& question, const Space& space)
      -> Result<std::unique_ptr<Decider>>;
  Decider(const Decider&) = delete;
  auto operator=(const Decider&) -> Decider& = delete;
  ~Decider();

  [[nodiscard]] auto cluster() const -> const Snapshot& { return *cluster_; }
  /// The schedulerNames of the preemptors.
  [[nodiscard]] auto schedulers() const -> const std::vector<std::string>& { return schedulers_; }
  [[nodiscard]] auto behaves() const -> std::string;
  /// Returns the other releases that the scheduler may run, as far as the nodes show, and that may decide otherwise.
  [[nodiscard]] auto other_releases() const -> std::vector<std::string>;
  [[nodiscard]] auto intervals_on(NodeId node) const -> std::vector<Priorities>;
  /// All requests of the space.
  [[nodiscard]] auto all_requests() const -> const std::vector<kube::RequestRange>& { return requests_; }

  /// Returns the pods that this preemptor may evict, whatever it requests.
  [[nodiscard]] auto potential_victims(const Preemptor& preemptor, Moment& now) -> std::vector<PodId>;

  /// Returns the verdict for the preemptor with these requests, which holds for all requests that are left in
  /// `requests`. A verdict that a gap decides has the outcome unknown. Valid until the next call.
  [[nodiscard]] auto decide(const Preemptor& preemptor, kube::RequestBounds& requests) -> const Verdict&;

 private:
  struct Attempts;

  Decider(Objects& objects, const Question& question, const Space& space);
  auto prepare() -> Result<void>;
  auto find_schedulers() -> Result<void>;
  void add_probes();
  auto attempts_of(const Preemptor& preemptor) -> Attempts&;

  ChangedCluster changed_;
  Question question_;
  Space space_;
  std::vector<std::string> schedulers_;
  std::map<std::pair<std::size_t, std::int64_t>, PodId> probes_;  // by scheduler and priority
  std::unique_ptr<Snapshot> cluster_;
  std::unique_ptr<kube::RunningRelease> running_;
  kube::SharedState* known_ = nullptr;
  std::vector<const kube::Profile*> profiles_;
  std::vector<kube::RequestRange> requests_;
  kube::AttemptOptions options_;
  std::map<PodId, std::unique_ptr<Attempts>> attempts_;
  Verdict verdict_;
};

}  // namespace previct::prove
