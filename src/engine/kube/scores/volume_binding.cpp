#include "engine/kube/filters/volume_binding.h"

#include "base/go.h"
#include "engine/kube/score.h"
#include "engine/kube/unknown_volumes.h"

#include <cmath>
#include <map>

namespace previct::kube {
namespace {

// Scores the share that the pod requests of the volumes that its claims get, or of the storage for new volumes.
// Source: plugins/volumebinding/volume_binding.go, scorer.go.
class VolumeBindingScore final : public Score {
 public:
  explicit VolumeBindingScore(const Scoring& scoring)
      : incoming_(scoring.incoming),
        bindings_(scoring.incoming),
        shape_(scoring.settings.volume_shape),
        by_storage_(scoring.incoming.node_infos.release().has(Change::storage_capacity_scores)),
        by_volumes_(scoring.incoming.node_infos.release().has(Change::static_storage_scores)),
        prepared_(scoring.prepared) {
    if (!shape_.empty()) return;
    shape_ = by_storage_ ? std::vector<ShapePoint>{{0, 10}, {100, 0}} : std::vector<ShapePoint>{{0, 0}, {100, 10}};
  }

  [[nodiscard]] auto prepare() -> Prepared override {
    if (!by_storage_ && !by_volumes_) return {.skip = prepared_, .error = {}};
    (void)bindings_.prepare();  // cannot reject: only nodes on which the pod fits are scored
    bool any = by_storage_;
    for (const NodeId node : incoming_.node_infos.nodes()) any = any || !plan_on(node).matched.empty();
    return {.skip = !any && prepared_, .error = {}};
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    if (!by_storage_ && !by_volumes_) return 0;
    struct Storage {
      std::int64_t requested = 0;
      std::int64_t capacity = 0;
    };
    std::map<Symbol, Storage> by_class;
    const VolumeBinding::Plan plan = plan_on(node);
    const Symbol storage = incoming_.cluster().known().storage;
    for (const auto& [claim, volume] : plan.matched) {
      Storage& sum = by_class[volume->spec.storage_class_name];
      sum.requested = go::add(sum.requested, bindings_.size(*claim).value());
      sum.capacity = go::add(sum.capacity, storage_of(volume->spec.capacity, storage).value());
    }
    // For volumes to be created, the capacity is counted once.
    for (const auto& [claim, capacity] : plan.made) {
      if (!by_storage_ || !plan.matched.empty() || capacity == nullptr) continue;
      Storage& sum = by_class[class_of(incoming_.cluster(), *claim)];
      sum.requested = go::add(sum.requested, bindings_.size(*claim).value());
      sum.capacity = capacity->capacity.value_or(Quantity()).value();
    }
    if (by_class.empty()) return 0;
    std::int64_t total = 0;
    for (const auto& [name, sum] : by_class) total += on_broken_line(shape_, sum.requested, sum.capacity);
    return static_cast<std::int64_t>(std::round(static_cast<double>(total) / static_cast<double>(by_class.size())));
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override {
    if (!by_storage_) return {};
    const auto unknown = unknown_storage(incoming_.cluster(), incoming_.pod());
    if (!unknown) return {};
    return Gap{GapRule::storage_scores, {unknown->kind, unknown->driver}};
  }

 private:
  [[nodiscard]] auto plan_on(NodeId node) const -> VolumeBinding::Plan {
    bindings_.enter(node);
    return bindings_.plan();
  }

  const Incoming& incoming_;
  mutable VolumeBinding bindings_;  // enters one node at a time
  std::vector<ShapePoint> shape_;
  bool by_storage_;
  bool by_volumes_;
  bool prepared_;
};

}  // namespace

const ScoreInfo& volume_binding_score = ScoreInfo{
    "VolumeBinding",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<VolumeBindingScore>(scoring)); }};

}  // namespace previct::kube
