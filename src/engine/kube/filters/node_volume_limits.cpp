#include "engine/kube/filters/node_volume_limits.h"

#include "base/contains.h"
#include "engine/kube/claims.h"
#include "engine/kube/csi_migration.h"
#include "input/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
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

// In-tree disks that count under their CSI driver. Source: staging csi-translation-lib.
constexpr std::array<Migrated, 5> kMigrated = {
    {{DiskKind::gce_pd, "pd.csi.storage.gke.io", "kubernetes.io/gce-pd"},
     {DiskKind::aws_ebs, "ebs.csi.aws.com", "kubernetes.io/aws-ebs"},
     {DiskKind::azure_disk, "disk.csi.azure.com", "kubernetes.io/azure-disk"},
     {DiskKind::cinder, "cinder.csi.openstack.org", "kubernetes.io/cinder"},
     {DiskKind::portworx, "pxd.portworx.com", "kubernetes.io/portworx-volume"}}};

// Returns the key of a driver's limit in the node's allocatable: names of 63 characters or more are cut and made unique
// by a hash.
// Source: pkg/volume/util/attach_limit.go GetCSIAttachLimitKey, v1.31.
auto limit_key(std::string_view driver) -> std::string {
  constexpr std::string_view kPrefix = "attachable-volumes-csi-";
  constexpr std::size_t kLongest = 63;
  if (kPrefix.size() + driver.size() < kLongest) return std::string(kPrefix) + std::string(driver);
  return std::string(kPrefix) + std::string(driver.substr(0, 23)) + sha1_of(driver).substr(0, 16);
}

// Source: staging csi-translation-lib: translate.go IsInlineMigratable.
auto is_migratable(DiskKind kind) -> bool {
  return is_disk(kind) && kind != DiskKind::iscsi && kind != DiskKind::rbd;
}

// Limits the number of volumes that a driver attaches to a node. A volume that is attached but not used by a pod there
// counts in addition to new uses of it, so evicting its last user makes it worse.
// Source: plugins/nodevolumelimits/csi.go.
class NodeVolumeLimits final : public Filter {
 public:
  explicit NodeVolumeLimits(const Incoming& incoming) : incoming_(incoming) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const Pod& pod = incoming_.pod();
    const bool any_disk = std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                                      [](const Volume& v) { return is_migratable(v.disk.kind); });
    return {.skip = claims_of(incoming_.cluster(), pod).empty() && !any_disk, .rejection = {}, .only_nodes = {}};
  }

  void enter(NodeId node) override {
    node_ = node;
    pods_.clear();
    for (const PodInfo& p : incoming_.node_infos.pods_on(node)) pods_.push_back(p.pod);
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override { return check_with(0, reasons); }

  /// Returns the claims of pods on the node that the input lacks.
  [[nodiscard]] auto missing_claims() const -> std::vector<std::string> {
    const Snapshot& cluster = incoming_.cluster();
    std::vector<std::string> missing;
    for (const PodId id : pods_) {
      const Pod& pod = cluster.pod(id);
      for (const PodClaim& ref : claims_of(cluster, pod)) {
        if (ref.ephemeral || cluster.claim(pod.meta.ns, ref.name) != nullptr) continue;
        missing.push_back(fmt::format("{}/{}", cluster.text(pod.meta.ns), cluster.text(ref.name)));
      }
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    return missing;
  }

  // `more`: that many volumes of each driver are present in addition to those that are known.
  [[nodiscard]] auto check_with(std::int64_t more, Reasons reasons) const -> Code {
    const Snapshot& cluster = incoming_.cluster();
    const CsiNode* csi_node = cluster.csi_node(incoming_.node_infos.name(node_));
    std::set<Attached> wanted;
    if (const auto reason = collect(incoming_.pod(), incoming_.placed.pod, csi_node, true, wanted)) {
      add_reason(reasons, *reason);
      return reason->rule == Rule::claim_missing ? Code::unresolvable : Code::error;
    }
    if (const Symbol missing = missing_driver(wanted, csi_node)) {
      add_reason(reasons, {Rule::driver_missing, operand(missing)});
      return Code::unschedulable;
    }
    const std::map<std::string, std::int64_t> limits = limits_of(csi_node);
    if (wanted.empty() || limits.empty()) return Code::success;

    std::set<Attached> by_pods;
    for (const PodId pod : pods_) {
      if (const auto reason = collect(cluster.pod(pod), pod, csi_node, false, by_pods)) {
        add_reason(reasons, *reason);
        return Code::error;
      }
    }
    std::set<Attached> present = by_pods;
    if (incoming_.node_infos.release().has(Change::attachments_count)) attached_to_node(present);
    for (auto it = wanted.begin(); it != wanted.end();) it = by_pods.contains(*it) ? wanted.erase(it) : std::next(it);
    return within_limits(limits, present, more, wanted, reasons);
  }

  void add(const PodInfo& pod) override { pods_.push_back(pod.pod); }
  void remove(const PodInfo& pod) override {
    if (const auto at = std::find(pods_.begin(), pods_.end(), pod.pod); at != pods_.end()) pods_.erase(at);
  }
  void save() override { saved_ = pods_; }
  void restore() override { pods_ = saved_; }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeVolumeLimits>(*this);
  }

 private:
  // A volume as a driver counts it: driver and handle. Handles of different origins are always different.
  using Attached = std::pair<std::string, std::string>;

  // Adds the volumes that a pod attaches; returns a reason if they cannot be determined.
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
    const auto* const m = std::find_if(kMigrated.begin(), kMigrated.end(),
                                       [&](const Migrated& each) { return each.provisioner == driver; });
    if (m != kMigrated.end()) {
      if (!is_migrated(*m, csi_node)) return;
      driver = m->driver;
    }
    out.emplace(std::move(driver), " unbound " + std::string(cluster.text(claim.meta.ns)) + "/" +
                                       std::string(cluster.text(claim.meta.name)));
  }

  void add_disk(const Disk& disk, const CsiNode* csi_node, std::string_view where, std::set<Attached>& out) const {
    const std::string handle = " " + std::string(where) + " " + std::string(incoming_.cluster().text(disk.id));
    for (const Migrated& m : kMigrated) {
      if (m.kind == disk.kind && is_migrated(m, csi_node)) out.emplace(m.driver, handle);
    }
  }

  // Source: nodevolumelimits/utils.go isCSIMigrationOn.
  [[nodiscard]] auto is_migrated(const Migrated& m, const CsiNode* csi_node) const -> bool {
    if (csi_node == nullptr) return false;
    return m.kind != DiskKind::portworx || incoming_.node_infos.release().has(Change::portworx_is_migrated) ||
           is_migrated_on(incoming_.cluster(), csi_node->meta.name, m.provisioner);
  }

  void attached_to_node(std::set<Attached>& out) const {
    const Snapshot& cluster = incoming_.cluster();
    for (const VolumeAttachment& attachment : cluster.objects().volume_attachments) {
      if (attachment.spec.node_name != incoming_.node_infos.name(node_)) continue;
      const PersistentVolume* pv = cluster.volume(attachment.spec.source.persistent_volume_name);
      if (pv != nullptr && pv->spec.csi) {
        out.emplace(cluster.text(attachment.spec.attacher), cluster.text(pv->spec.csi->volume_handle));
      }
    }
  }

  // Returns a driver that is not installed here and that refuses pods on such nodes; none if there is no such driver.
  // Source: checkCSIDriverOnNode, v1.35.4 and v1.36.3.
  [[nodiscard]] auto missing_driver(const std::set<Attached>& wanted, const CsiNode* csi_node) const -> Symbol {
    const Release& release = incoming_.node_infos.release();
    if (!release.has(Change::missing_drivers_refuse)) return {};
    const bool by_choice = release.has(Change::drivers_refuse_by_choice);
    const Snapshot& cluster = incoming_.cluster();
    for (const auto& [driver, handle] : wanted) {
      const Symbol name = cluster.symbol(driver);
      const CsiDriver* known = name ? cluster.csi_driver(name) : nullptr;
      if (known == nullptr || (by_choice && !known->spec.prevent_if_missing)) continue;
      const bool installed =
          csi_node != nullptr && std::any_of(csi_node->spec.drivers.begin(), csi_node->spec.drivers.end(),
                                             [&](const CsiNodeDriver& d) { return d.name == name; });
      if (!installed) return name;
    }
    return {};
  }

  // Returns the limits by the driver's key in the node's allocatable; a limit of the CSINode takes precedence.
  [[nodiscard]] auto limits_of(const CsiNode* csi_node) const -> std::map<std::string, std::int64_t> {
    const Snapshot& cluster = incoming_.cluster();
    std::map<std::string, std::int64_t> limits;
    if (incoming_.node_infos.release().has(Change::limits_in_allocatable)) {
      for (const auto& [name, quantity] : cluster.node(node_).status.allocatable) {
        const std::string_view key = cluster.text(name);
        if (key.starts_with("attachable-volumes-")) limits.emplace(key, quantity.value());
      }
    }
    if (csi_node == nullptr) return limits;
    for (const CsiNodeDriver& driver : csi_node->spec.drivers) {
      const auto& count = driver.allocatable.count;
      if (count) limits.insert_or_assign(limit_key(cluster.text(driver.name)), *count);
    }
    return limits;
  }

  auto within_limits(const std::map<std::string, std::int64_t>& limits, const std::set<Attached>& present,
                     std::int64_t more_present, const std::set<Attached>& wanted, Reasons reasons) const -> Code {
    std::map<std::string_view, std::int64_t> more;
    for (const auto& [driver, handle] : wanted) ++more[driver];
    for (const auto& [driver, count] : more) {
      const auto limit = limits.find(limit_key(driver));
      if (limit == limits.end()) continue;
      const auto of_driver = [name = driver](const Attached& a) { return a.first == name; };
      const std::int64_t total = std::count_if(present.begin(), present.end(), of_driver) + more_present + count;
      if (total <= limit->second) continue;
      add_reason(reasons, {Rule::volume_limit, operand(incoming_.cluster().symbol(driver)), total, limit->second});
      return Code::unschedulable;
    }
    return Code::success;
  }

  const Incoming& incoming_;
  NodeId node_;
  std::vector<PodId> pods_;
  std::vector<PodId> saved_;
};

// Source: plugins/nodevolumelimits/csi.go isSchedulableAfterPodDeleted.
auto attachment_may_be_freed(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  if (!has_node(*event.old_pod, rejected.node_infos.release().has(Change::nominations_are_events))) return false;
  const auto& volumes = event.old_pod->spec.volumes;
  return std::any_of(volumes.begin(), volumes.end(), [](const Volume& volume) {
    return volume.claim.claim_name || volume.ephemeral || is_migratable(volume.disk.kind);
  });
}

}  // namespace

auto claim_that_may_exceed_limits(const Incoming& incoming, NodeId node, std::span<const PodId> gone) -> std::string {
  NodeVolumeLimits filter(incoming);
  if (filter.prepare().skip) return {};
  filter.enter(node);
  for (const PodInfo& pod : incoming.node_infos.pods_on(node)) {
    if (contains(gone, pod.pod)) filter.remove(pod);
  }
  const std::vector<std::string> missing = filter.missing_claims();
  const bool exceeds = !missing.empty() && filter.check(nullptr) == Code::success &&
                       filter.check_with(static_cast<std::int64_t>(missing.size()), nullptr) != Code::success;
  return exceeds ? missing.front() : std::string();
}

const FilterInfo& node_volume_limits_filter = FilterInfo{
    .name = "NodeVolumeLimits",
    .make = [](const Incoming& incoming,
               const FilterSettings&) { return std::unique_ptr<Filter>(std::make_unique<NodeVolumeLimits>(incoming)); },
    .looks_at = LooksAt::volumes,
    .events = [](const Release& release) -> EventTable {
      EventTable table = {{Resource::csi_node, action::kAdd},
                          {assigned_pods(release), action::kDelete, attachment_may_be_freed},
                          {Resource::persistent_volume_claim, action::kAdd}};
      if (release.has(Change::attachments_count)) table.push_back({Resource::volume_attachment, action::kDelete});
      if (release.has(Change::nominations_are_events)) table.push_back({Resource::csi_node, action::kUpdate});
      return table;
    }};

}  // namespace previct::kube
