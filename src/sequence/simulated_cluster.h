#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"
#include "engine/kube/account.h"
#include "engine/kube/devices/findings.h"
#include "sequence/makers.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace previct::sequence {

/// The cluster of the input while a play changes it: the API server's objects and the scheduler's picture of them.
///
/// Nominations are those in the scheduler's memory, which run ahead of the API server's.
class SimulatedCluster {
 public:
  struct Touch {
    std::uint64_t version = 0;  ///< that the change led to
    NodeId node{};
  };

  /// A ResourceClaim before and after; null: it was made, or is gone.
  struct ClaimChange {
    std::shared_ptr<const ResourceClaim> before{};
    std::shared_ptr<const ResourceClaim> after{};
  };

  explicit SimulatedCluster(Objects& objects,
                            const kube::Release& release = kube::Release(kube::NodeInfoSnapshot::kBuiltIn));
  ~SimulatedCluster();
  SimulatedCluster(const SimulatedCluster&) = delete;
  auto operator=(const SimulatedCluster&) -> SimulatedCluster& = delete;

  [[nodiscard]] auto cluster() const -> const Snapshot&;
  [[nodiscard]] auto node_infos() const -> kube::NodeInfoSnapshot&;
  [[nodiscard]] auto pod(PodId id) const -> const Pod& { return objects_.pods[id]; }
  /// `NAMESPACE/NAME` of each.
  [[nodiscard]] auto names(std::span<const PodId> pods) const -> std::vector<std::string>;
  [[nodiscard]] auto node_of(PodId id) const -> NodeId { return node_of_[id]; }
  /// Counts changes; equal versions, equal clusters.
  [[nodiscard]] auto version() const -> std::uint64_t { return version_; }

  /// Turns round the order in which the scheduler holds the pods of each node.
  void reverse_nodes();

  /// Could only these nodes have changed since `version`? One entry a change.
  [[nodiscard]] auto touched_since(std::uint64_t version) const -> std::span<const Touch>;
  /// Is one of the resources that a pod asks for short on this node, whatever else there is?
  [[nodiscard]] auto lacks_room(NodeId node, const kube::PodInfo& incoming) const -> bool;
  [[nodiscard]] auto incoming(PodId pod) -> kube::PodInfo { return node_infos().incoming(pod); }
  /// Nothing but the node itself and what is nominated to it decides whether this pod fits there.
  [[nodiscard]] auto node_by_node(PodId pod) const -> bool;

  /// The pods of a node, in the scheduler's order; and the nodes whose pods are not as they were in the beginning.
  [[nodiscard]] auto pods_on(NodeId node) const -> const std::vector<PodId>& { return on_node_[node]; }
  [[nodiscard]] auto moved() const -> const std::set<NodeId>& { return moved_; }

  /// What the API server makes of a new pod like this one: pending, created at this moment, with the priority that its
  /// class has now, and what LimitRanges fill in now. Its errors are those of the API server.
  [[nodiscard]] auto admitted(PodId like, const Makers& makers, Instant at) -> Result<Pod>;
  /// It is there, with this name.
  auto create(Pod pod, Symbol name) -> PodId;
  /// The pod is ready, or is so no longer: budgets that select it count one healthy pod more, or less.
  void ready(PodId pod);
  void not_ready(PodId pod);

  /// A pod that does not exist yet, and one that comes into being.
  void hide(PodId pod);
  void show(PodId pod);

  /// The pod is on the node, as far as the scheduler is concerned; and is not after all.
  void place(PodId pod, NodeId node, Instant at);
  void take_back(PodId pod);
  void mark_as_target(PodId pod);
  /// Its grace runs until `end`. Budgets that speak of it allow one disruption less.
  void begin_deletion(PodId pod, Instant end);
  void remove(PodId pod);
  /// `node` none: nominated to none.
  void nominate(PodId pod, NodeId node);

  /// Which of a pod's claims its controller has still to make of their templates. What a template asks for is known
  /// from the claim of another pod.
  [[nodiscard]] auto awaited_claims(PodId pod) const -> std::vector<const PodResourceClaim*>;
  auto make_claims(PodId pod) -> std::vector<ClaimChange>;
  [[nodiscard]] auto uses_claims(PodId pod) const -> bool;
  /// Claims that hold devices, in words, in order; pods are called as `name` says.
  [[nodiscard]] auto claims_in_use(const std::function<std::string(PodId)>& name) const -> std::vector<std::string>;
  /// The pod comes to the node: its claims are its own, and those without devices get what was found for them.
  auto use_claims(PodId pod, NodeId node, const kube::devices::Findings* findings) -> std::vector<ClaimChange>;
  /// The pod has left its node, or ended: devices that no other pod uses are given back.
  auto leave_claims(PodId pod) -> std::vector<ClaimChange>;
  /// The scheduler takes the devices of a claim away.
  auto deallocate(Symbol ns, Symbol claim) -> std::vector<ClaimChange>;

  /// Of all attempts, as in Play::work.
  [[nodiscard]] auto work() const -> std::uint64_t { return work_; }
  /// One scheduling attempt. `own_nomination` is what the pod's own status says, which may lag behind.
  [[nodiscard]] auto attempt(PodId pod, NodeId own_nomination, const kube::Profile& profile, Instant now,
                             unsigned threads) -> kube::Decision;
  /// What it hangs on and the input does not tell; empty: nothing.
  [[nodiscard]] auto hangs_on(PodId pod, const kube::Profile& profile, const kube::RunningRelease& running,
                              kube::Decision& decision, const Question& question) const -> std::vector<Gap>;
  /// Which victims on the node are one of several equal pods: the order of the input is taken for the scheduler's.
  [[nodiscard]] auto open_victims(PodId pod, const kube::Decision& decision, NodeId node) const -> OpenVictims;
  /// The text that the scheduler writes on the pod.
  [[nodiscard]] auto message(PodId pod, const kube::Decision& decision, Instant now) -> std::string;

 private:
  struct Pictures;

  auto change(PodId pod) -> Pod&;
  void rearrange(NodeId node);
  void forget_groups() const;
  void forget_claims();
  void note_templates();
  void apply(const std::vector<ClaimChange>& changes);
  [[nodiscard]] auto only(NodeId node) -> NodeSelector;
  void shift_budgets(PodId pod, std::int32_t by);
  void take_out(PodId pod);
  void update(PodId pod);
  void leave_node(PodId pod);

  Objects& objects_;
  ChangedCluster changed_;
  IdVector<PodId, NodeId> node_of_;
  std::unique_ptr<Pictures> pictures_;
  /// The pods of each node in the scheduler's order: a pod that is updated is taken out, where the last one takes its
  /// place, and put to the end. Of equal victims it decides who goes. Source: framework NodeInfo.RemovePod, AddPod.
  IdVector<NodeId, std::vector<PodId>> on_node_;
  std::set<NodeId> moved_;
  std::map<std::pair<Symbol, Symbol>, ResourceClaimSpec> templates_;  ///< by namespace and name
  std::uint64_t version_ = 0;
  std::vector<Touch> touched_;
  std::uint64_t work_ = 0;
};

}  // namespace previct::sequence
