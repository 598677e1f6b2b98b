#include "engine/kube/claims.h"

#include <algorithm>
#include <set>

namespace previct::kube {
namespace {

auto is_inline_disk(DiskKind kind) -> bool {
  return kind == DiskKind::gce_pd || kind == DiskKind::aws_ebs || kind == DiskKind::iscsi || kind == DiskKind::rbd;
}

// Returns true if two inline volumes cannot be used on one node at the same time.
auto clash(const Disk& a, const Disk& b) -> bool {
  if (a.kind != b.kind || !is_inline_disk(a.kind) || a.id != b.id) return false;
  if (a.kind == DiskKind::aws_ebs) return true;
  if (a.read_only && b.read_only) return false;
  if (a.kind != DiskKind::rbd) return true;
  const bool shared = std::any_of(a.monitors.begin(), a.monitors.end(), [&](Symbol monitor) {
    return std::find(b.monitors.begin(), b.monitors.end(), monitor) != b.monitors.end();
  });
  return shared && a.pool == b.pool;
}

// Rejects inline disks that exclude one another on a node, and ReadWriteOncePod claims that any other pod uses. As
// upstream, conflicting claims are counted by claim name only, whatever the namespace of the pod.
// Source: plugins/volumerestrictions.
class VolumeRestrictions final : public Filter {
 public:
  explicit VolumeRestrictions(const Incoming& incoming) : incoming_(incoming) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const Snapshot& cluster = incoming_.cluster();
    const Pod& pod = incoming_.pod();
    const Symbol once_per_pod = cluster.symbol("ReadWriteOncePod");
    for (const Volume& volume : pod.spec.volumes) {
      const Symbol name = volume.claim.claim_name;
      if (!name) continue;
      const PersistentVolumeClaim* claim = cluster.claim(pod.meta.ns, name);
      if (claim == nullptr) {
        return {.skip = false,
                .rejection = {Code::unresolvable, nullptr, {{Rule::claim_missing, operand(name)}}},
                .only_nodes = {}};
      }
      const auto& modes = claim->spec.access_modes;
      if (once_per_pod && std::find(modes.begin(), modes.end(), once_per_pod) != modes.end()) exclusive_.insert(name);
    }
    for (const Symbol name : exclusive_) conflicts_ += in_use(name) ? 1 : 0;
    const bool any_disk = std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                                      [](const Volume& v) { return is_inline_disk(v.disk.kind); });
    return {.skip = conflicts_ == 0 && !any_disk, .rejection = {}, .only_nodes = {}};
  }

  void enter(NodeId node) override {
    conflicts_ -= changed_;
    changed_ = 0;
    pods_.clear();
    for (const PodInfo& p : incoming_.node_infos.pods_on(node)) pods_.push_back(p.pod);
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    for (const Volume& ours : incoming_.pod().spec.volumes) {
      for (const PodId other : pods_) {
        for (const Volume& theirs : incoming_.cluster().pod(other).spec.volumes) {
          if (!clash(ours.disk, theirs.disk)) continue;
          add_reason(reasons, {Rule::disk_in_use, operand(other)});
          return Code::unschedulable;
        }
      }
    }
    if (conflicts_ <= 0) return Code::success;
    add_reason(reasons, {Rule::claim_in_use});
    return Code::unschedulable;
  }

  // Without PreFilter it knows no claims, so it compares only disks.
  [[nodiscard]] auto check_without_state(Reasons reasons) const -> Code override { return check(reasons); }

  void add(const PodInfo& pod) override {
    pods_.push_back(pod.pod);
    change(uses(pod.pod));
  }
  void remove(const PodInfo& pod) override {
    remove_without_pre_filter(pod);
    change(-uses(pod.pod));
  }
  void remove_without_pre_filter(const PodInfo& pod) override { std::erase(pods_, pod.pod); }
  void save() override {
    saved_pods_ = pods_;
    saved_changed_ = changed_;
  }
  void restore() override {
    pods_ = saved_pods_;
    change(saved_changed_ - changed_);
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<VolumeRestrictions>(*this);
  }

 private:
  void change(std::int64_t by) {
    conflicts_ += by;
    changed_ += by;
  }

  // Returns true if a pod of the incoming pod's namespace uses this claim, on any node.
  [[nodiscard]] auto in_use(Symbol name) const -> bool {
    const Snapshot& cluster = incoming_.cluster();
    const NodeInfoSnapshot& node_infos = incoming_.node_infos;
    const std::span<const PodId> pods = node_infos.pods_by_label().in(incoming_.pod().meta.ns);
    return std::any_of(pods.begin(), pods.end(), [&](PodId pod) {
      if (!node_infos.place_of(pod)) return false;
      const std::vector<PodClaim> claims = claims_of(cluster, cluster.pod(pod));
      return std::any_of(claims.begin(), claims.end(), [&](const PodClaim& c) { return c.name == name; });
    });
  }

  [[nodiscard]] auto uses(PodId pod) const -> std::int64_t {
    const auto& volumes = incoming_.cluster().pod(pod).spec.volumes;
    return std::count_if(volumes.begin(), volumes.end(),
                         [&](const Volume& v) { return exclusive_.contains(v.claim.claim_name); });
  }

  const Incoming& incoming_;
  std::set<Symbol> exclusive_;  // ReadWriteOncePod claims of the incoming pod
  std::int64_t conflicts_ = 0;
  std::int64_t changed_ = 0;  // change by the trial on the entered node
  std::int64_t saved_changed_ = 0;
  std::vector<PodId> pods_;
  std::vector<PodId> saved_pods_;
};

// Source: plugins/volumerestrictions/volume_restrictions.go isSchedulableAfterPodDeleted.
auto volume_is_freed(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const Pod& ours = rejected.object();
  if (ours.meta.ns != event.old_pod->meta.ns) return false;
  const auto& freed = event.old_pod->spec.volumes;
  return std::any_of(ours.spec.volumes.begin(), ours.spec.volumes.end(), [&](const Volume& wanted) {
    return std::any_of(freed.begin(), freed.end(), [&](const Volume& volume) {
      return clash(wanted.disk, volume.disk) ||
             (wanted.claim.claim_name && wanted.claim.claim_name == volume.claim.claim_name);
    });
  });
}

}  // namespace

const FilterInfo& volume_restrictions_filter =
    FilterInfo{.name = "VolumeRestrictions",
               .make =
                   [](const Incoming& incoming, const FilterSettings&) {
                     return std::unique_ptr<Filter>(std::make_unique<VolumeRestrictions>(incoming));
                   },
               .looks_at = LooksAt::volumes,
               .events = [](const Release& release) -> EventTable {
                 const bool apart = release.has(Change::node_updates_told_apart);
                 return {{assigned_pods(release), action::kDelete, volume_is_freed},
                         {Resource::node, apart ? new_nodes(release) : action::kAdd},
                         {Resource::persistent_volume_claim, action::kAdd}};
               },
               .without_state = Rule::state_missing_cannot};

}  // namespace previct::kube
