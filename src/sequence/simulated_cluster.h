#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"
#include "engine/kube/account.h"
#include "engine/kube/claim_changes.h"
#include "engine/kube/volume_changes.h"
#include "sequence/controller_objects.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace previct::sequence {

/// The cluster of the input while a simulation changes it: the API server's objects and the scheduler's view of them.
///
/// Nominations are those in the scheduler's memory, which may be ahead of the API server's.
class SimulatedCluster {
 public:
  struct Touch {
    std::uint64_t version = 0;  ///< the version after the change
    NodeId node{};
  };

  using ClaimChange = kube::ClaimChange;

  /// `before`: as in NodeInfoSnapshot.
  explicit SimulatedCluster(Objects& objects,
                            const kube::Release& release = kube::Release(kube::NodeInfoSnapshot::kBuiltIn),
                            const kube::NodeInfoSnapshot* before = nullptr);
  ~SimulatedCluster();
  SimulatedCluster(const SimulatedCluster&) = delete;
  auto operator=(const SimulatedCluster&) -> SimulatedCluster& = delete;

  [[nodiscard]] auto cluster() const -> const Snapshot&;
  [[nodiscard]] auto node_infos() const -> kube::NodeInfoSnapshot&;
  /// For what a scheduler writes to other objects.
  [[nodiscard]] auto changed() -> ChangedCluster& { return changed_; }
  [[nodiscard]] auto pod(PodId id) const -> const Pod& { return objects_.pods[id]; }
  /// `NAMESPACE/NAME` of each.
  [[nodiscard]] auto names(std::span<const PodId> pods) const -> std::vector<std::string>;
  [[nodiscard]] auto node_of(PodId id) const -> NodeId { return node_of_[id]; }
  /// A counter of changes: equal versions mean equal clusters.
  [[nodiscard]] auto version() const -> std::uint64_t { return version_; }

  /// Reverses the order in which the scheduler holds the pods of each node.
  void reverse_nodes();

  /// Returns the nodes that may have changed since `version`, one entry for each change.
  [[nodiscard]] auto touched_since(std::uint64_t version) const -> std::span<const Touch>;
  /// Returns true if the node has too little of a resource that the pod requests, whatever other filters would say.
  [[nodiscard]] auto lacks_capacity(NodeId node, const kube::PodInfo& incoming) const -> bool;
  [[nodiscard]] auto incoming(PodId pod) -> kube::PodInfo { return node_infos().incoming(pod); }
  /// Returns true if only a node itself and the pods nominated to it decide whether this pod fits there.
  [[nodiscard]] auto node_by_node(PodId pod) const -> bool;

  /// The pods of a node in the scheduler's order; and the nodes whose pods have changed since the start.
  [[nodiscard]] auto pods_on(NodeId node) const -> const std::vector<PodId>& { return on_node_[node]; }
  [[nodiscard]] auto moved() const -> const std::set<NodeId>& { return moved_; }

  /// A pod that the API server would create.
  struct Admitted {
    Pod pod{};
    std::vector<std::string> differences{};  ///< fields of the template that differ from the old pod
    std::vector<std::string> webhooks{};     ///< they may explain the differences, so the pod is like the old one
  };
  /// Returns the pod that the API server would create in place of `like`: as `pods` says, the template of its
  /// controller, and otherwise a copy; pending, created at `at`, with the current priority of its class and the
  /// defaults of the current LimitRanges. Its errors are those of the API server.
  [[nodiscard]] auto admitted(PodId like, const PodSpec* pods, const ControllerObjects& controller_objects, Instant at)
      -> Result<Admitted>;
  /// Returns the pod that the API server would create from this template. What admission has added to the pod `like`,
  /// beyond its own template `of_like`, is added to it, too; null: that is not known.
  [[nodiscard]] auto admitted(const PodsOfSet& by, PodId like, const PodSpec* of_like,
                              const ControllerObjects& controller_objects, Instant at) -> Result<Admitted>;
  /// Adds the pod with this name, which a controller creates like another one.
  auto create(Pod pod, Symbol name, PodId like) -> PodId;
  /// Returns the name of a StatefulSet's pod with this ordinal, sets the labels of the pod that say it, and gives the
  /// pod its claims. Source: pkg/controller/statefulset/stateful_set_utils.go updateIdentity, updateStorage.
  [[nodiscard]] auto name_by_ordinal(Pod& pod, Symbol set, std::int64_t ordinal) -> Symbol;
  /// The pod becomes ready, or is no longer ready: budgets that select it count one healthy pod more, or less.
  void ready(PodId pod);
  void not_ready(PodId pod);

  /// `hide` makes a pod absent; `show` makes it exist.
  void hide(PodId pod);
  void show(PodId pod);

  /// `place` counts the pod on the node, as the scheduler does; `take_back` undoes that.
  void place(PodId pod, NodeId node, Instant at);
  void take_back(PodId pod);
  void mark_as_target(PodId pod);
  /// Starts the grace period, which ends at `end`. Budgets that select the pod allow one disruption less.
  void begin_deletion(PodId pod, Instant end);
  void remove(PodId pod);
  /// Nominates the pod to the node; none: removes its nomination.
  void nominate(PodId pod, NodeId node);

  /// Returns true if a claim of the pod's generic ephemeral volumes does not exist yet, and its contents are known from
  /// the claim of the pod that it replaces: their template is not read.
  [[nodiscard]] auto awaits_volume_claims(PodId pod) const -> bool;
  /// Creates these claims, as their controller does. Returns false if there are none.
  /// Source: pkg/controller/volume/ephemeral/controller.go handleVolume, v1.36.
  auto make_volume_claims(PodId pod) -> bool;
  /// Detaches the volumes of a pod that has left its node, unless another pod there uses them. Returns false if none is
  /// attached. Source: pkg/controller/volume/attachdetach/reconciler/reconciler.go, v1.35.
  auto detach_volumes(PodId pod) -> bool;
  /// Deletes the claims of the ephemeral volumes of a pod that is gone, with the volumes that were provisioned for
  /// them.
  void drop_volume_claims(PodId pod);
  /// For a pod that is placed on the node: the volumes that its claims wait for are theirs from now on.
  void assume_volumes(PodId pod, NodeId node, const kube::Profile& profile);
  /// Binds these claims, and provisions missing volumes. Returns false if there are none.
  auto bind_volumes(PodId pod) -> bool;
  /// Releases these volumes again: the pod could not be bound.
  void forget_volumes(PodId pod);
  /// The number of claims that were bound.
  [[nodiscard]] auto claims_bound() const -> std::size_t { return claims_bound_.size(); }

  /// Returns the pod's claims that the resourceclaim controller has yet to create from templates. The contents of a
  /// template are known from the claim of another pod.
  [[nodiscard]] auto awaited_claims(PodId pod) const -> std::vector<const PodResourceClaim*>;
  auto make_claims(PodId pod) -> std::vector<ClaimChange>;
  [[nodiscard]] auto uses_claims(PodId pod) const -> bool;
  /// Describes the claims that hold devices, sorted; `name` gives the names of pods.
  [[nodiscard]] auto claims_in_use(const std::function<std::string(PodId)>& name) const -> std::vector<std::string>;
  /// Reserves the claims of a pod that is placed on the node; claims without devices get those in `findings`.
  auto use_claims(PodId pod, NodeId node, const kube::devices::Findings* findings) -> std::vector<ClaimChange>;
  /// Releases the claims of a pod that has left its node or ended: devices that no other pod uses are deallocated.
  auto leave_claims(PodId pod) -> std::vector<ClaimChange>;
  /// Deallocates the devices of a claim, as the scheduler does.
  auto deallocate(Symbol ns, Symbol claim) -> std::vector<ClaimChange>;

  /// The work of all attempts, as in Play::work.
  [[nodiscard]] auto work() const -> std::uint64_t { return work_; }
  /// Makes one scheduling attempt. `own_nomination` is the node in the pod's own status, which may be older than the
  /// scheduler's memory.
  [[nodiscard]] auto attempt(PodId pod, NodeId own_nomination, const kube::Profile& profile, Instant now,
                             unsigned threads) -> kube::Decision;
  /// Returns what the decision does not know.
  [[nodiscard]] auto gaps(PodId pod, const kube::Profile& profile, const kube::RunningRelease& running,
                          kube::Decision& decision, const Question& question) const -> std::vector<Gap>;
  /// Returns which victims on the node were chosen among equal pods: the input's order is taken for the scheduler's.
  /// Victims that are evicted in every order are none of them.
  [[nodiscard]] auto replaceable_victims(PodId pod, const kube::Decision& decision, NodeId node) const
      -> ReplaceableVictims;
  /// Returns the text that the scheduler writes to the pod's status.
  [[nodiscard]] auto message(PodId pod, const kube::Decision& decision, Instant now) -> std::string;

 private:
  struct Snapshots;

  auto change(PodId pod) -> Pod&;
  void rearrange(NodeId node);
  void forget_groups() const;
  void forget_claims();
  void note_templates();
  void apply(const std::vector<ClaimChange>& changes);
  void apply(const kube::VolumeChanges& changes);
  void shift_budgets(PodId pod, std::int32_t by);
  void take_out(PodId pod);
  void update(PodId pod);
  void leave_node(PodId pod);
  // Adds what a simulation assumes about the pod's claims, or does not know of them.
  void add_volume_gaps(PodId pod, std::vector<Gap>& gaps) const;
  [[nodiscard]] auto new_volume_claims(PodId pod) const -> std::vector<PersistentVolumeClaim>;
  // Gives a new pod of a StatefulSet its own claims of the volumeClaimTemplates, like those of the pod that it is like.
  void claim_volumes(Pod& pod, Symbol name);

  Objects& objects_;
  ChangedCluster changed_;
  IdVector<PodId, NodeId> node_of_;
  std::unique_ptr<Snapshots> snapshots_;
  /// The pods of each node in the scheduler's order, which decides between equal victims. An update removes the pod,
  /// fills its place with the last pod, and appends it. Source: framework NodeInfo.RemovePod, AddPod.
  IdVector<NodeId, std::vector<PodId>> on_node_;
  std::set<NodeId> moved_;
  std::map<std::pair<Symbol, Symbol>, ResourceClaimSpec> templates_;            ///< by namespace and name
  std::map<std::pair<PodId, Symbol>, PersistentVolumeClaim> ephemeral_claims_;  ///< as first created, by pod and volume
  std::map<PodId, kube::VolumeChanges> assumed_volumes_;  ///< of pods that are placed and not bound yet
  std::set<Symbol> new_volumes_;                          ///< those that were provisioned
  std::set<std::pair<Symbol, Symbol>> claims_bound_;      ///< by namespace and name
  std::uint64_t version_ = 0;
  std::vector<Touch> touched_;
  std::uint64_t work_ = 0;
  std::size_t order_steps_ = 500;  ///< as in kube::AttemptOptions; less after each attempt that needs them
};

}  // namespace previct::sequence
