#include "engine/kube/claims.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace previct::kube {
namespace {

struct ZoneLabel {
  std::string_view key;
  std::string_view ga;  // the generally available name of a beta key
};

constexpr std::array<ZoneLabel, 4> kLabels = {
    {{"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
     {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
     {"topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
     {"topology.kubernetes.io/region", "topology.kubernetes.io/region"}}};

// A volume labelled with zones or regions (several joined by "__") is usable only there; nodes without any such label
// pass. Checks claims that the pod names, not generic ephemeral ones.
// Source: plugins/volumezone.
class VolumeZone final : public Filter {
 public:
  explicit VolumeZone(const Incoming& incoming) : incoming_(incoming), cluster_(incoming.cluster()) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    for (const PodClaim& ref : claims_of(cluster_, incoming_.pod())) {
      if (ref.ephemeral) continue;
      const PersistentVolumeClaim* claim = cluster_.claim(incoming_.pod().meta.ns, ref.name);
      if (claim == nullptr) return rejected({Rule::claim_missing, operand(ref.name)});
      if (!claim->spec.volume_name) {
        if (const auto fault = fault_of_unbound(*claim)) return rejected(*fault);
        continue;
      }
      const PersistentVolume* pv = cluster_.volume(claim->spec.volume_name);
      if (pv == nullptr) return rejected({Rule::volume_missing, operand(claim->spec.volume_name)});
      for (const ZoneLabel& label : kLabels) {
        const Symbol key = cluster_.symbol(label.key);
        const Symbol value = key ? pv->meta.labels.get(key) : Symbol{};
        if (value && readable(cluster_.text(value))) wanted_.push_back({key, cluster_.symbol(label.ga), value});
      }
    }
    return {.skip = wanted_.empty(), .rejection = {}, .only_nodes = {}};
  }

  // Filter then runs the same checks on every node.
  void skip_pre_filter() override { fault_ = prepare().rejection; }

  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    for (const Reason& reason : fault_.reasons) add_reason(reasons, reason);
    if (!fault_.ok()) return fault_.code;
    const SymbolMap& labels = cluster_.node(node_).meta.labels;
    const bool labelled = std::any_of(kLabels.begin(), kLabels.end(), [&](const ZoneLabel& label) {
      const Symbol key = cluster_.symbol(label.key);
      return key && labels.has(key);
    });
    if (!labelled) return Code::success;
    for (const Wanted& w : wanted_) {
      Symbol have = labels.get(w.key);
      if (!have && w.ga) have = labels.get(w.ga);
      if (have && contains(cluster_.text(w.zones), cluster_.text(have))) continue;
      add_reason(reasons, {Rule::volume_zone, operand(w.zones)});
      return Code::unresolvable;
    }
    return Code::success;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override { return std::make_unique<VolumeZone>(*this); }

 private:
  static auto rejected(const Reason& reason) -> Prepared {
    return {.skip = false, .rejection = {Code::unresolvable, nullptr, {reason}}, .only_nodes = {}};
  }

  // Reached only if VolumeBinding is disabled, which rejects such claims first.
  [[nodiscard]] auto fault_of_unbound(const PersistentVolumeClaim& claim) const -> std::optional<Reason> {
    const Symbol name = class_of(cluster_, claim);
    if (!name) return Reason{Rule::claim_classless, operand(claim.meta.name)};
    if (cluster_.storage_class(name) == nullptr) return Reason{Rule::storage_class_missing, operand(name)};
    if (waits_for_consumer(cluster_, name)) return {};
    return Reason{Rule::volume_unnamed, operand(claim.meta.name)};
  }

  struct Wanted {
    Symbol key;
    Symbol ga;
    Symbol zones;
  };

  // If one of the zones is empty, the whole label is ignored.
  // Source: cloud-provider volume/helpers LabelZonesToSet.
  static auto readable(std::string_view zones) -> bool {
    while (true) {
      const std::size_t end = zones.find("__");
      if (zones.substr(0, end).empty()) return false;
      if (end == std::string_view::npos) return true;
      zones.remove_prefix(end + 2);
    }
  }

  static auto contains(std::string_view zones, std::string_view zone) -> bool {
    while (true) {
      const std::size_t end = zones.find("__");
      if (zones.substr(0, end) == zone) return true;
      if (end == std::string_view::npos) return false;
      zones.remove_prefix(end + 2);
    }
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  std::vector<Wanted> wanted_;
  Status fault_;  // set by skip_pre_filter()
  NodeId node_;
};

}  // namespace

const FilterInfo& volume_zone_filter = FilterInfo{
    .name = "VolumeZone",
    .make = [](const Incoming& incoming,
               const FilterSettings&) { return std::unique_ptr<Filter>(std::make_unique<VolumeZone>(incoming)); },
    .looks_at = LooksAt::volumes,
    .events = [](const Release& release) -> EventTable {
      return {{Resource::storage_class, action::kAdd},
              {Resource::node, new_nodes_and_labels(release)},
              {Resource::persistent_volume_claim, action::kAdd | action::kUpdate},
              {Resource::persistent_volume, action::kAdd | action::kUpdate}};
    }};

}  // namespace previct::kube
