#include "engine/kube/claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

namespace previct::kube {
namespace {

struct Migrated {
  DiskKind kind;
  std::string_view driver;
  std::string_view provisioner;
};

// In-tree disks that always count under their CSI driver. Source: staging csi-translation-lib.
constexpr std::array<Migrated, 4> kMigrated = {
    {{DiskKind::gce_pd, "pd.csi.storage.gke.io", "kubernetes.io/gce-pd"},
     {DiskKind::aws_ebs, "ebs.csi.aws.com", "kubernetes.io/aws-ebs"},
     {DiskKind::azure_disk, "disk.csi.azure.com", "kubernetes.io/azure-disk"},
     {DiskKind::cinder, "cinder.csi.openstack.org", "kubernetes.io/cinder"}}};
constexpr std::string_view kPortworxDriver = "pxd.portworx.com";

// How many volumes a driver attaches to a node. A volume that is attached but used by no pod there counts beside the
// new use of it, so evicting its other user makes room worse. Source: plugins/nodevolumelimits/csi.go.
class NodeVolumeLimits final : public Filter {
 public:
  explicit NodeVolumeLimits(const Incoming& incoming) : incoming_(incoming) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const Pod& pod = incoming_.pod();
    const bool any_disk = std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& v) {
      switch (v.disk.kind) {
        case DiskKind::none:
        case DiskKind::iscsi:
        case DiskKind::rbd: return false;
        case DiskKind::gce_pd:
        case DiskKind::aws_ebs:
        case DiskKind::azure_disk:
        case DiskKind::cinder:
        case DiskKind::azure_file:
        case DiskKind::vsphere:
        case DiskKind::portworx: return true;
      }
      return false;
    });
    return {.skip = claims_of(incoming_.cluster(), pod).empty() && !any_disk, .rejection = {}, .only_nodes = {}};
  }

  void enter(NodeId node) override {
    node_ = node;
    pods_.clear();
    for (const Placed& p : incoming_.world.pods_on(node)) pods_.push_back(p.pod);
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    const Snapshot& cluster = incoming_.cluster();
    const CsiNode* csi_node = cluster.csi_node(incoming_.world.name(node_));
    std::set<Attached> wanted;
    if (const auto reason = collect(incoming_.pod(), incoming_.placed.pod, csi_node, true, wanted)) {
      add_reason(reasons, *reason);
      return reason->rule == Rule::claim_missing ? Code::unresolvable : Code::error;
    }
    if (wanted.empty() || csi_node == nullptr) return Code::success;

    std::set<Attached> by_pods;
    for (const PodId pod : pods_) {
      if (const auto reason = collect(cluster.pod(pod), pod, csi_node, false, by_pods)) {
        add_reason(reasons, *reason);
        return Code::error;
      }
    }
    std::set<Attached> present = by_pods;
    attached_to_node(present);
    for (auto it = wanted.begin(); it != wanted.end();) it = by_pods.contains(*it) ? wanted.erase(it) : std::next(it);
    return within_limits(*csi_node, present, wanted, reasons);
  }

  void add(const Placed& pod) override { pods_.push_back(pod.pod); }
  void remove(const Placed& pod) override {
    if (const auto at = std::find(pods_.begin(), pods_.end(), pod.pod); at != pods_.end()) pods_.erase(at);
  }
  void save() override { saved_ = pods_; }
  void restore() override { pods_ = saved_; }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeVolumeLimits>(*this);
  }

 private:
  // A volume as a driver counts it: driver and handle. Handles of different origins never meet.
  using Attached = std::pair<std::string, std::string>;

  // Adds what a pod attaches; a reason if that cannot be told.
  auto collect(const Pod& pod, PodId id, const CsiNode* csi_node, bool is_incoming, std::set<Attached>& out) const
      -> std::optional<Reason> {
    const Snapshot& cluster = incoming_.cluster();
    for (const Volume& volume : pod.spec.volumes) add_disk(volume.disk, csi_node, "inline", out);
    for (const PodClaim& ref : claims_of(cluster, pod)) {
      const PersistentVolumeClaim* claim = ref.name ? cluster.claim(pod.meta.ns, ref.name) : nullptr;
      if (claim == nullptr) {
        if (is_incoming) return Reason{Rule::claim_missing, operand(ref.name)};
        continue;
      }
      if (ref.ephemeral && !owned_by(*claim, pod)) {
        return Reason{Rule::claim_not_owned, operand(id), operand(claim->meta.name)};
      }
      add_claim(*claim, csi_node, out);
    }
    return {};
  }

  void add_claim(const PersistentVolumeClaim& claim, const CsiNode* csi_node, std::set<Attached>& out) const {
    const Snapshot& cluster = incoming_.cluster();
    if (claim.spec.volume_name) {
      if (const PersistentVolume* pv = cluster.volume(claim.spec.volume_name)) {
        if (pv->spec.csi) {
          out.emplace(cluster.text(pv->spec.csi->driver), cluster.text(pv->spec.csi->volume_handle));
        } else {
          add_disk(pv->spec.disk, csi_node, "pv", out);
        }
        return;
      }
    }
    const StorageClass* storage_class = cluster.storage_class(class_of(cluster, claim));
    if (storage_class == nullptr) return;
    std::string driver(cluster.text(storage_class->provisioner));
    for (const Migrated& m : kMigrated) {
      if (driver == m.provisioner) driver = m.driver;
    }
    out.emplace(std::move(driver), " unbound " + std::string(cluster.text(claim.meta.ns)) + "/" +
                                       std::string(cluster.text(claim.meta.name)));
  }

  void add_disk(const Disk& disk, const CsiNode* csi_node, std::string_view where, std::set<Attached>& out) const {
    const std::string handle = " " + std::string(where) + " " + std::string(incoming_.cluster().text(disk.id));
    for (const Migrated& m : kMigrated) {
      if (m.kind == disk.kind) out.emplace(m.driver, handle);
    }
    if (disk.kind == DiskKind::portworx && migrates_portworx(csi_node)) out.emplace(kPortworxDriver, handle);
  }

  [[nodiscard]] auto migrates_portworx(const CsiNode* csi_node) const -> bool {
    const Symbol key = incoming_.cluster().symbol("storage.alpha.kubernetes.io/migrated-plugins");
    if (csi_node == nullptr || !key) return false;
    const std::string_view list = incoming_.cluster().text(csi_node->meta.annotations.get(key));
    return list.find("kubernetes.io/portworx-volume") != std::string_view::npos;
  }

  void attached_to_node(std::set<Attached>& out) const {
    const Snapshot& cluster = incoming_.cluster();
    for (const VolumeAttachment& attachment : cluster.objects().volume_attachments) {
      if (attachment.spec.node_name != incoming_.world.name(node_)) continue;
      const PersistentVolume* pv = cluster.volume(attachment.spec.source.persistent_volume_name);
      if (pv != nullptr && pv->spec.csi) {
        out.emplace(cluster.text(attachment.spec.attacher), cluster.text(pv->spec.csi->volume_handle));
      }
    }
  }

  auto within_limits(const CsiNode& csi_node, const std::set<Attached>& present, const std::set<Attached>& wanted,
                     Reasons reasons) const -> Code {
    const auto count = [](const std::set<Attached>& volumes, std::string_view driver) {
      return std::count_if(volumes.begin(), volumes.end(), [&](const Attached& a) { return a.first == driver; });
    };
    for (const CsiNodeDriver& driver : csi_node.spec.drivers) {
      const std::string_view name = incoming_.cluster().text(driver.name);
      const auto more = count(wanted, name);
      if (more == 0 || !driver.allocatable.count) continue;
      const auto total = count(present, name) + more;
      if (total <= *driver.allocatable.count) continue;
      add_reason(reasons, {Rule::volume_limit, operand(driver.name), total, *driver.allocatable.count});
      return Code::unschedulable;
    }
    return Code::success;
  }

  const Incoming& incoming_;
  NodeId node_;
  std::vector<PodId> pods_;
  std::vector<PodId> saved_;
};

const FilterInfo kInfo{"NodeVolumeLimits", 8, [](const Incoming& incoming, const FilterSettings&) {
                         return std::unique_ptr<Filter>(std::make_unique<NodeVolumeLimits>(incoming));
                       }};

}  // namespace

const FilterInfo& node_volume_limits_filter = kInfo;

}  // namespace previct::kube
