#include "engine/kube/devices/doubts.h"

#include "api/locate.h"
#include "base/text.h"

#include <fmt/format.h>

namespace previct::kube::devices {
namespace {

class Gaps {
 public:
  explicit Gaps(const Snapshot& cluster) : cluster_(cluster) {}

  void add(const Found& found) {
    switch (found.doubt) {
      case Doubt::none: return;
      case Doubt::expression: return add_expression(found.place);
      case Doubt::order: return add(GapRule::device_order);
      case Doubt::too_long: return add(GapRule::device_search);
      case Doubt::no_slices: return add(GapRule::slices_missing, {"ResourceSlice"});
      case Doubt::no_classes: return add(GapRule::device_classes_missing, {"DeviceClass"});
      case Doubt::new_node: return add(GapRule::devices_of_new_node, {std::string(cluster_.text(found.node))});
      case Doubt::node_selector: return add(GapRule::slice_selector);
      case Doubt::slice_counts: return add(GapRule::slice_counts);
      case Doubt::taint_rules: return add(GapRule::device_taint_rules);
      case Doubt::selector: return add(GapRule::device_selector);
      case Doubt::many_claims: return add(GapRule::device_claims);
      case Doubt::partitions: return add(GapRule::device_choice, {"DRAPartitionableDevices"});
      case Doubt::for_extended: return add(GapRule::device_choice, {"DRAExtendedResource"});
      case Doubt::node_resources: return add(GapRule::device_choice, {"DRANodeAllocatableResources"});
      case Doubt::lists: return add(GapRule::device_choice, {"DRAListTypeAttributes"});
    }
  }

  auto taken() -> std::vector<Gap> { return std::move(gaps_); }

 private:
  void add(GapRule rule, std::vector<std::string> operands = {}) {
    add_gaps({{rule, std::move(operands), true}}, gaps_);
  }

  void add_expression(const SelectorPlace& place) {
    const bool of_class = place.device_class != nullptr;
    if (!of_class && place.claim == nullptr) return add(GapRule::device_selector);
    const ObjectMeta& meta = of_class ? place.device_class->meta : place.claim->meta;
    const std::string owner = of_class ? std::string(cluster_.text(meta.name))
                                       : fmt::format("{}/{}", cluster_.text(meta.ns), cluster_.text(meta.name));
    const std::string path = path_of(place);
    const Place at = locate(cluster_.objects().sources, meta.source, path);
    const Files& files = cluster_.objects().files;
    const bool told = at.line != 0 && at.file.index < files.size();
    const std::string where =
        told ? fmt::format(" ({}:{}:{})", files.name(at.file), at.line, at.column) : std::string();
    add(of_class ? GapRule::class_expression : GapRule::claim_expression, {path, owner, where, text_of(place)});
  }

  static auto path_of(const SelectorPlace& place) -> std::string {
    if (place.device_class != nullptr) return fmt::format("spec.selectors[{}].cel.expression", place.selector);
    std::string path = fmt::format("spec.devices.requests[{}]", place.request);
    path += place.alternative ? fmt::format(".firstAvailable[{}]", *place.alternative) : ".exactly";
    return path + fmt::format(".selectors[{}].cel.expression", place.selector);
  }

  [[nodiscard]] auto text_of(const SelectorPlace& place) const -> std::string {
    const SharedList<DeviceSelector>* selectors = nullptr;
    if (place.device_class != nullptr) {
      selectors = &place.device_class->spec.selectors;
    } else if (place.request < place.claim->spec.devices.requests.size()) {
      const DeviceRequest& request = place.claim->spec.devices.requests[place.request];
      if (place.alternative && *place.alternative < request.first_available.size()) {
        selectors = &request.first_available[*place.alternative].ask.selectors;
      } else if (request.exact() != nullptr) {
        selectors = &request.exact()->selectors;
      }
    }
    if (selectors == nullptr || place.selector >= selectors->size()) return {};
    const auto& cel = (*selectors)[place.selector].cel;
    return cel ? std::string(cluster_.text(cel->expression)) : std::string();
  }

  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps_of(const Findings& findings, const Snapshot& cluster) -> std::vector<Gap> {
  Gaps gaps(cluster);
  for (const auto& found : findings.nodes()) {
    if (found) gaps.add(*found);
  }
  return gaps.taken();
}

}  // namespace previct::kube::devices
