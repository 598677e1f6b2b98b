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
      case Doubt::order:
        return unmodelled(
            "the order in which devices are looked at",
            "the scheduler comes to devices in any order, and the order decides whether it finds those that it needs");
      case Doubt::too_long:
        return unmodelled("the search for devices", "there are so many combinations that the scheduler may give up");
      case Doubt::no_slices: return missing("ResourceSlice", "which nodes have devices is not known");
      case Doubt::no_classes: return missing("DeviceClass", "which devices suit the pod's claims is not known");
      case Doubt::node_selector: return unmodelled("a ResourceSlice", "its node selector cannot be read");
      case Doubt::taint_rules: return unmodelled("DeviceTaintRules", "they taint devices, which is not modelled");
      case Doubt::not_modelled:
        return unmodelled("the choice of devices", "a feature gate changes it in a way that is not modelled");
    }
  }

  auto taken() -> std::vector<Gap> { return std::move(gaps_); }

 private:
  void unmodelled(std::string what, std::string because) {
    add({Gap::Kind::unmodelled, std::move(what), because, true, true, std::move(because)});
  }
  void missing(std::string kind, std::string weakens) {
    std::string because = fmt::format("the input holds no {}, and the pod claims devices", plural_of(kind));
    add({Gap::Kind::missing_kind, std::move(kind), std::move(weakens), true, true, std::move(because)});
  }
  static auto plural_of(const std::string& kind) -> std::string {
    return kind.ends_with("Class") ? kind + "es" : kind + "s";
  }
  void add(Gap gap) { add_gaps({std::move(gap)}, gaps_); }

  void add_expression(const SelectorPlace& place) {
    const bool of_class = place.device_class != nullptr;
    if (!of_class && place.claim == nullptr) return unmodelled("a selector of devices", "it is not evaluated");
    const ObjectMeta& meta = of_class ? place.device_class->meta : place.claim->meta;
    const std::string owner =
        of_class ? fmt::format("DeviceClass {}", cluster_.text(meta.name))
                 : fmt::format("ResourceClaim {}/{}", cluster_.text(meta.ns), cluster_.text(meta.name));
    const std::string path = path_of(place);
    const Place at = locate(cluster_.objects().sources, meta.source, path);
    const Files& files = cluster_.objects().files;
    const bool told = at.line != 0 && at.file.index < files.size();
    const std::string where =
        told ? fmt::format(" ({}:{}:{})", files.name(at.file), at.line, at.column) : std::string();
    unmodelled(fmt::format("{} of {}{}", path, owner, where),
               fmt::format("the selector \"{}\" of {} is not evaluated", text_of(place), owner));
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
