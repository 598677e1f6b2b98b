#include "base/go.h"
#include "engine/kube/filter.h"

namespace previct::kube {
namespace {

// Room for the pod's requests, and for one pod more. Collects all reasons; if a request exceeds what the node
// could ever give, evicting pods cannot help. Source: plugins/noderesources fitsRequest.
class NodeResourcesFit final : public Filter {
 public:
  NodeResourcesFit(const Incoming& incoming, const FilterSettings& settings)
      : world_(incoming.world), wanted_index_(world_.resource_count(), kNotWanted) {
    for (const Amount& amount : world_.amounts(incoming.placed)) {
      if (amount.value <= 0 || ignored(amount.resource, settings)) continue;
      wanted_index_[amount.resource.index] = static_cast<std::uint32_t>(wanted_.size());
      wanted_.push_back({amount.resource, amount.value});
    }
  }

  void enter(NodeId node) override {
    pods_ = static_cast<std::int64_t>(world_.pods_on(node).size());
    max_pods_ = world_.max_pods(node);
    for (Wanted& w : wanted_) {
      w.allocatable = world_.allocatable(node, w.resource);
      w.used = world_.used(node, w.resource);
    }
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (reasons == nullptr) return fits() ? Code::success : Code::unschedulable;
    Code code = Code::success;
    if (pods_ + 1 > max_pods_) {
      add_reason(reasons, {Rule::too_many_pods, pods_, max_pods_});
      code = Code::unschedulable;
    }
    for (const Wanted& w : wanted_) {
      if (w.fits()) continue;
      add_reason(reasons, {Rule::insufficient, operand(w.resource), w.value, w.free(), w.allocatable});
      if (w.value > w.allocatable) {
        code = Code::unresolvable;
      } else if (code == Code::success) {
        code = Code::unschedulable;
      }
    }
    return code;
  }

  void add(const Placed& pod) override {
    ++pods_;
    for (const Amount& amount : world_.amounts(pod)) {
      if (std::int64_t* used = used_of(amount.resource)) *used = go::add(*used, amount.value);
    }
  }
  void remove(const Placed& pod) override {
    --pods_;
    for (const Amount& amount : world_.amounts(pod)) {
      if (std::int64_t* used = used_of(amount.resource)) *used = go::subtract(*used, amount.value);
    }
  }

  void save() override {
    saved_pods_ = pods_;
    for (Wanted& w : wanted_) w.saved = w.used;
  }
  void restore() override {
    pods_ = saved_pods_;
    for (Wanted& w : wanted_) w.used = w.saved;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeResourcesFit>(*this);
  }

 private:
  static constexpr std::uint32_t kNotWanted = 0xffff'ffff;

  struct Wanted {
    ResourceId resource;
    std::int64_t value = 0;
    std::int64_t allocatable = 0;
    std::int64_t used = 0;
    std::int64_t saved = 0;

    [[nodiscard]] auto free() const -> std::int64_t { return go::subtract(allocatable, used); }
    [[nodiscard]] auto fits() const -> bool { return value <= free(); }
  };

  [[nodiscard]] auto fits() const -> bool {
    if (pods_ + 1 > max_pods_) return false;
    for (const Wanted& w : wanted_) {
      if (!w.fits()) return false;
    }
    return true;
  }

  [[nodiscard]] auto used_of(ResourceId resource) -> std::int64_t* {
    // Resources that turned up after this filter was made are wanted by nobody.
    if (resource.index >= wanted_index_.size()) return nullptr;
    const std::uint32_t index = wanted_index_[resource.index];
    return index == kNotWanted ? nullptr : &wanted_[index].used;
  }

  // Only extended resources can be ignored, by name or by the part before the slash.
  [[nodiscard]] auto ignored(ResourceId resource, const FilterSettings& settings) const -> bool {
    const std::string_view name = world_.cluster().text(world_.resource_name(resource));
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) return false;
    for (const std::string& one : settings.ignored_resources) {
      if (one == name) return true;
    }
    for (const std::string& group : settings.ignored_resource_groups) {
      if (group == name.substr(0, slash)) return true;
    }
    return false;
  }

  const World& world_;
  std::vector<std::uint32_t> wanted_index_;  // by resource
  std::vector<Wanted> wanted_;
  std::int64_t pods_ = 0;
  std::int64_t saved_pods_ = 0;
  std::int64_t max_pods_ = 0;
};

const FilterInfo kInfo{"NodeResourcesFit", 6, [](const Incoming& incoming, const FilterSettings& settings) {
                         return std::unique_ptr<Filter>(std::make_unique<NodeResourcesFit>(incoming, settings));
                       }};

}  // namespace

const FilterInfo& node_resources_fit_filter = kInfo;

}  // namespace previct::kube
