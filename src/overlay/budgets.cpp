#include "overlay/budgets.h"

#include "base/go.h"
#include "base/text.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace previct {
namespace {

/// How many pods the controllers of some pods should run, or why that is unknown.
struct Sum {
  std::int64_t pods = 0;
  std::string failure{};  // the controller fails: no disruption is allowed
  std::string unknown{};
};

/// The number of pods that a controller should run.
struct Scale {
  Symbol uid;
  std::int64_t replicas = 1;
  OwnerReference controller;  // for a ReplicaSet: its Deployment; without a name: none
};

class Counter {
 public:
  explicit Counter(const Objects& objects) : symbols_(objects.symbols) {
    add_all(kinds::deployments.name, objects.deployments);
    add_all(kinds::replica_sets.name, objects.replica_sets);
    add_all(kinds::stateful_sets.name, objects.stateful_sets);
    add_all(kinds::replication_controllers.name, objects.replication_controllers);
  }

  auto of(const std::vector<const Pod*>& pods) -> Sum {
    Sum out;
    for (const Pod* pod : pods) {
      const OwnerReference* owner = controller_of(pod->meta);
      if (owner == nullptr) continue;  // not counted
      add(*owner, symbols_.text(pod->meta.ns), out);
      if (!out.unknown.empty() || !out.failure.empty()) return out;
    }
    for (const auto& [name, replicas] : counted_) out.pods += replicas;
    return out;
  }

 private:
  template <class Controller>
  void add_all(std::string_view kind, const std::vector<Controller>& controllers) {
    for (const Controller& each : controllers) {
      Scale scale{.uid = each.meta.uid, .replicas = each.spec.replicas.value_or(1), .controller = {}};
      if (const OwnerReference* controller = controller_of(each.meta)) scale.controller = *controller;
      scales_[key(kind, symbols_.text(each.meta.ns), each.meta.name)] = scale;
    }
  }

  void add(const OwnerReference& owner, std::string_view ns, Sum& out) {
    const std::string_view kind = symbols_.text(owner.kind);
    // These have no scale subresource, which is an error for the controller.
    if (kind == "DaemonSet" || kind == "Job" || kind == "Node") {
      out.failure = fmt::format("a {} has no number of replicas, so its controller allows no disruptions", kind);
      return;
    }
    const Scale* scale = find(owner, ns);
    if (scale != nullptr && kind == "ReplicaSet" && symbols_.text(scale->controller.kind) == "Deployment") {
      count(scale->controller, ns, find(scale->controller, ns), out);
    } else {
      count(owner, ns, scale, out);
    }
  }

  [[nodiscard]] auto key(std::string_view kind, std::string_view ns, Symbol name) const -> std::string {
    return fmt::format("{}/{}/{}", kind, ns, symbols_.text(name));
  }
  [[nodiscard]] auto key(const OwnerReference& owner, std::string_view ns) const -> std::string {
    return key(symbols_.text(owner.kind), ns, owner.name);
  }

  [[nodiscard]] auto find(const OwnerReference& owner, std::string_view ns) const -> const Scale* {
    const auto found = scales_.find(key(owner, ns));
    const bool other = found != scales_.end() && owner.uid && found->second.uid && owner.uid != found->second.uid;
    return found == scales_.end() || other ? nullptr : &found->second;
  }

  void count(const OwnerReference& owner, std::string_view ns, const Scale* scale, Sum& out) {
    if (scale != nullptr) {
      counted_[key(owner, ns)] = scale->replicas;
    } else {
      out.unknown = fmt::format("the input does not show the number of replicas of {} {}", symbols_.text(owner.kind),
                                symbols_.text(owner.name));
    }
  }

  const Symbols& symbols_;
  std::map<std::string, Scale> scales_;  // by `KIND/NAMESPACE/NAME`
  std::map<std::string, std::int64_t> counted_;
};

/// Parses `2`, or `20%` of `whole`, rounded up. Nullopt if it is neither.
auto scaled(std::string_view text, std::int64_t whole) -> std::optional<std::int64_t> {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const auto number = go::parse_int(text, 32);
  if (!number) return {};
  return percent ? (*number * whole + 99) / 100 : *number;
}

auto text_of(const Tape& tape, std::uint32_t index) -> std::string {
  if (index >= tape.size() || tape[index].type != EventType::scalar || tape[index].scalar == ScalarType::null)
    return {};
  return std::string(tape.text(tape[index]));
}

class WorkingOut {
 public:
  WorkingOut(PodDisruptionBudget& budget, const BudgetSpec& spec, const Objects& objects)
      : budget_(budget), spec_(spec), objects_(objects) {}

  auto run() -> std::string {
    const Symbol ready = objects_.symbols.find("Ready");
    const Symbol yes = objects_.symbols.find("True");
    for (const Pod& pod : objects_.pods) {
      if (pod.meta.ns != budget_.meta.ns || !matches(budget_.spec.selector, pod.meta.labels, objects_.symbols))
        continue;
      pods_.push_back(&pod);
      const Condition* condition = ready ? pod.condition(ready) : nullptr;
      if (condition == nullptr && objects_.symbols.text(pod.status.phase) == "Running") unready_ = &pod;
      const auto& disrupted = budget_.status.disrupted_pods;
      const bool granted = std::find(disrupted.begin(), disrupted.end(), pod.meta.name) != disrupted.end();
      if (!pod.meta.deleting && !granted && condition != nullptr && condition->status == yes) ++healthy_;
    }
    if (unready_ != nullptr) {
      return unknown(
          fmt::format("the input does not show whether pod {} is Ready", objects_.symbols.text(unready_->meta.name)));
    }
    const bool by_max = !spec_.max_unavailable.empty();
    const std::string& wanted = by_max ? spec_.max_unavailable : spec_.min_available;
    std::int64_t expected = 0;
    std::int64_t desired = 0;
    if (by_max || wanted.ends_with('%')) {
      const Sum scale = Counter(objects_).of(pods_);
      if (!scale.unknown.empty()) return unknown(scale.unknown);
      if (!scale.failure.empty()) return allows(0, scale.failure);
      expected = scale.pods;
      const auto number = scaled(wanted, expected);
      if (!number) return unknown(fmt::format("\"{}\" is neither a number nor a percentage", wanted));
      desired = by_max ? std::max<std::int64_t>(expected - *number, 0) : *number;
    } else if (!wanted.empty()) {
      expected = static_cast<std::int64_t>(pods_.size());
      const auto number = scaled(wanted, 0);
      if (!number) return unknown(fmt::format("\"{}\" is neither a number nor a percentage", wanted));
      desired = *number;
    }
    const std::int64_t more = expected <= 0 ? 0 : std::max<std::int64_t>(healthy_ - desired, 0);
    return allows(more, fmt::format("{} of {} healthy, {} wanted", healthy_, expected, desired));
  }

 private:
  [[nodiscard]] auto name() const -> std::string {
    return fmt::format("{}/{}", objects_.symbols.text(budget_.meta.ns), objects_.symbols.text(budget_.meta.name));
  }
  auto allows(std::int64_t disruptions, std::string_view why) -> std::string {
    budget_.status.disruptions_allowed = static_cast<std::int32_t>(disruptions);
    return fmt::format("PodDisruptionBudget {} allows {}, computed as by its controller ({})", name(),
                       counted(static_cast<std::size_t>(disruptions), "disruption", "disruptions"), why);
  }
  auto unknown(const std::string& why) -> std::string {
    budget_.status.disruptions_allowed = kUnknownDisruptions;
    return fmt::format("it is not known how many disruptions PodDisruptionBudget {} allows: {}", name(), why);
  }

  PodDisruptionBudget& budget_;
  const BudgetSpec& spec_;
  const Objects& objects_;
  std::vector<const Pod*> pods_;
  const Pod* unready_ = nullptr;
  std::int64_t healthy_ = 0;
};

}  // namespace

auto budget_spec_of(const FoundObject& found) -> BudgetSpec {
  const Tape& tape = found.tape;
  const std::uint32_t spec = tape.find(found.index, "spec");
  if (spec >= tape.size()) return {};
  return {text_of(tape, tape.find(spec, "minAvailable")), text_of(tape, tape.find(spec, "maxUnavailable"))};
}

auto work_out(PodDisruptionBudget& budget, const BudgetSpec& spec, const Objects& objects) -> std::string {
  return WorkingOut(budget, spec, objects).run();
}

}  // namespace previct
