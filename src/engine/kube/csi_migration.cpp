#include "engine/kube/csi_migration.h"

#include "base/ascii.h"
#include "base/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace previct::kube {
namespace {

constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kBetaRegion = "failure-domain.beta.kubernetes.io/region";

struct InTree {
  DiskKind kind;
  std::string_view plugin;
  std::string_view topology_key;  ///< topology key of the driver; empty: the affinity is not changed
};
constexpr std::array kInTree = {
    InTree{DiskKind::gce_pd, "kubernetes.io/gce-pd", "topology.gke.io/zone"},
    InTree{DiskKind::aws_ebs, "kubernetes.io/aws-ebs", "topology.ebs.csi.aws.com/zone"},
    InTree{DiskKind::azure_disk, "kubernetes.io/azure-disk", ""},
    InTree{DiskKind::cinder, "kubernetes.io/cinder", "topology.cinder.csi.openstack.org/zone"},
    InTree{DiskKind::portworx, "kubernetes.io/portworx-volume", ""}};

// Splits a label value that joins several values.
auto split(std::string_view text, std::string_view separator) -> std::vector<std::string_view> {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

class Translation {
 public:
  Translation(const Snapshot& cluster, const PersistentVolume& volume) : cluster_(cluster), volume_(volume) {}

  [[nodiscard]] auto fault() const -> std::optional<Reason> {
    const Disk& disk = volume_.spec.disk;
    const std::int64_t name = operand(volume_.meta.name);
    if (disk.kind == DiskKind::gce_pd) {
      const Symbol zones = zones_of_disk();
      if (!region_fault(cluster_.text(zones)).empty()) return Reason{Rule::translation_zones, name, operand(zones)};
    }
    if (disk.kind == DiskKind::aws_ebs && !is_ebs_volume(cluster_.text(disk.id)))
      return Reason{Rule::translation_volume_id, name, operand(disk.id)};
    if (disk.kind == DiskKind::azure_disk && disk.azure_kind && !is_managed(cluster_.text(disk.azure_kind)))
      return Reason{Rule::translation_kind, name, operand(disk.azure_kind)};
    return {};
  }

  [[nodiscard]] auto affinity(std::string_view topology_key) const -> std::optional<NodeSelector> {
    std::optional<NodeSelector> selector = volume_.spec.node_affinity.required;
    if (topology_key.empty()) return selector;
    const bool beta = zone_key() == kBetaZone;
    const std::string_view key = beta ? kBetaZone : kZone;
    if (has_values(selector, key)) {
      rename(selector, key, topology_key);
    } else {
      add_label(selector, key, topology_key);
    }
    if (beta && has_values(selector, kBetaRegion)) rename(selector, kBetaRegion, kRegion);
    return selector;
  }

 private:
  // For the disk's own name, the older label takes precedence.
  [[nodiscard]] auto zones_of_disk() const -> Symbol {
    const Symbol beta = label(kBetaZone);
    return beta && !cluster_.text(beta).empty() ? beta : label(kZone);
  }

  [[nodiscard]] auto label(std::string_view key) const -> Symbol {
    const Symbol symbol = cluster_.symbol(key);
    return symbol ? volume_.meta.labels.get(symbol) : Symbol{};
  }

  static auto is_ebs_volume(std::string_view id) -> bool {
    constexpr std::string_view kScheme = "aws://";
    if (!id.starts_with(kScheme)) return true;
    id.remove_prefix(kScheme.size());
    id = id.substr(0, id.find_first_of("?#"));
    const std::size_t path = id.find('/');
    if (path == std::string_view::npos) return false;
    id.remove_prefix(path);
    while (id.starts_with('/')) id.remove_prefix(1);
    while (id.ends_with('/')) id.remove_suffix(1);
    return id.starts_with("vol-") && id.find('/') == std::string_view::npos;
  }

  static auto is_managed(std::string_view kind) -> bool { return equal_but_for_case(kind, "managed"); }

  [[nodiscard]] auto zone_key() const -> std::string_view {
    for (const std::string_view key : {kZone, kBetaZone}) {
      if (names(volume_.spec.node_affinity.required, key)) return key;
    }
    return !label(kZone) && label(kBetaZone) ? kBetaZone : kZone;
  }

  template <class Test>
  [[nodiscard]] auto any_expression(const std::optional<NodeSelector>& selector, std::string_view key, Test test) const
      -> bool {
    if (!selector) return false;
    for (const NodeSelectorTerm& term : selector->terms) {
      for (const Requirement& r : term.match_expressions) {
        if (cluster_.text(r.key) == key && test(r)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] auto names(const std::optional<NodeSelector>& selector, std::string_view key) const -> bool {
    return any_expression(selector, key, [](const Requirement&) { return true; });
  }
  [[nodiscard]] auto has_values(const std::optional<NodeSelector>& selector, std::string_view key) const -> bool {
    return any_expression(selector, key, [](const Requirement& r) { return !r.values.empty(); });
  }

  void rename(std::optional<NodeSelector>& selector, std::string_view from, std::string_view to) const {
    if (!selector) return;
    for (NodeSelectorTerm& term : selector->terms) {
      for (Requirement& r : term.match_expressions) {
        if (cluster_.text(r.key) == from) r.key = cluster_.symbols().intern(to);
      }
    }
  }

  void add_label(std::optional<NodeSelector>& selector, std::string_view key, std::string_view topology_key) const {
    std::set<std::string_view> zones;
    for (const std::string_view zone : split(cluster_.text(label(key)), "__")) {
      if (!trimmed(zone).empty()) zones.insert(trimmed(zone));
    }
    if (!label(key) || zones.empty()) return;
    Requirement added;
    added.key = cluster_.symbols().intern(topology_key);
    added.op = SelectorOperator::in;
    for (const std::string_view zone : zones) added.values.push_back(cluster_.symbols().intern(std::string(zone)));
    if (!selector) selector.emplace();
    if (selector->terms.empty()) selector->terms.emplace_back();
    for (NodeSelectorTerm& term : selector->terms) term.match_expressions.push_back(added);
  }

  const Snapshot& cluster_;
  const PersistentVolume& volume_;
};

}  // namespace

auto region_fault(std::string_view zones) -> std::string {
  const std::vector<std::string_view> parts = split(zones, "__");
  if (parts.size() < 2) return {};
  std::set<std::string> regions;
  for (const std::string_view zone : parts) {
    const std::vector<std::string_view> names = split(zone, "-");
    if (names.size() != 3)
      return fmt::format("zone in unexpected format, expected: {{locale}}-{{region}}-{{zone}}, got: {}", zone);
    regions.insert(fmt::format("{}-{}", names[0], names[1]));
  }
  if (regions.size() == 1) return {};
  std::string list;
  for (const std::string& region : regions) list += fmt::format("{}{}:{{}}", list.empty() ? "" : " ", region);
  return fmt::format("multiple or no regions gotten from zones, got: map[{}]", list);
}

auto migrated(const Snapshot& cluster, const PersistentVolume& volume) -> MigratedVolume {
  for (const InTree& each : kInTree) {
    if (each.kind != volume.spec.disk.kind) continue;
    const Translation translation(cluster, volume);
    MigratedVolume result{each.plugin, {}, translation.fault()};
    if (!result.fault) result.affinity = translation.affinity(each.topology_key);
    return result;
  }
  return {};
}

auto is_migrated_on(const Snapshot& cluster, Symbol node, std::string_view plugin) -> bool {
  const Symbol key = cluster.symbol("storage.alpha.kubernetes.io/migrated-plugins");
  const CsiNode* csi_node = cluster.csi_node(node);
  if (csi_node == nullptr || !key || plugin.empty()) return false;
  const std::vector<std::string_view> names = split(cluster.text(csi_node->meta.annotations.get(key)), ",");
  return std::find(names.begin(), names.end(), plugin) != names.end();
}

}  // namespace previct::kube
