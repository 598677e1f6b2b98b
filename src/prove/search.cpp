#include "prove/search.h"

#include "api/amount_text.h"
#include "api/units.h"
#include "api/upstream.h"
#include "base/text.h"
#include "cluster/changed_cluster.h"
#include "cluster/pod_request.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::prove {
namespace {

constexpr std::string_view kPreemptor = "previct-preemptor";

// What schedulers read of a pod, as far as it is cheap to compare: pods that differ elsewhere are tried more often.
auto shape_of(const Pod& pod) -> std::string {
  std::string shape = fmt::format("{} {} {} {}", pod.meta.ns.index, pod.spec.scheduler_name.index,
                                  pod.spec.priority_class_name.index, pod.spec.priority);
  for (const auto& [key, value] : pod.meta.labels) shape += fmt::format(" {}={}", key.index, value.index);
  for (const auto& [key, value] : pod.meta.annotations) shape += fmt::format(" {}:{}", key.index, value.index);
  for (const Container& each : pod.spec.containers) {
    for (const auto& [name, amount] : each.resources.requests)
      shape += fmt::format(" {}x{}", name.index, amount.milli());
  }
  return shape;
}

// A pod whose victims are searched.
struct PodToTry {
  PodId like;
  Varied way = Varied::itself;
  ResourceList requests{};                        // Varied::requests: of the whole pod
  const PriorityClass* priority_class = nullptr;  // Varied::priority
};

// Resources that nodes offer for pods to request: cpu, memory, and devices of any kind.
class NodeSizes {
 public:
  explicit NodeSizes(const Snapshot& cluster) : cluster_(cluster) {
    for (const NodeId id : cluster.nodes().ids()) {
      const ResourceList& offered = cluster.node(id).status.allocatable;
      const auto cpu = offered.get(cluster.known().cpu);
      if (!cpu) continue;
      if (!smallest_ || *cpu < *smallest_->get(cluster.known().cpu)) smallest_ = offered;
      if (!largest_ || *largest_->get(cluster.known().cpu) < *cpu) largest_ = offered;
      for (const auto& [name, amount] : offered) {
        if (upstream::is_extended_resource(cluster.text(name)) && Quantity::of(0) < amount) devices_.insert(name);
      }
    }
  }

  [[nodiscard]] auto smallest() const -> const std::optional<ResourceList>& { return smallest_; }
  [[nodiscard]] auto largest() const -> const std::optional<ResourceList>& { return largest_; }
  [[nodiscard]] auto devices() const -> const std::set<Symbol>& { return devices_; }

 private:
  const Snapshot& cluster_;
  std::optional<ResourceList> smallest_;  // by cpu
  std::optional<ResourceList> largest_;
  std::set<Symbol> devices_;
};

class PodsToTry {
 public:
  PodsToTry(const Engine& engine, const Snapshot& cluster) : engine_(engine), cluster_(cluster), sizes_(cluster) {}

  // Those that differ least from the input come first.
  auto run() -> std::vector<PodToTry> {
    std::set<std::string> shapes;
    for (const PodId pod : cluster_.pods().ids()) {
      if (cluster_.finished(pod) || engine_of(engines(), cluster_, pod) != &engine_) continue;
      if (cluster_.pending(pod)) all_.push_back({pod, Varied::itself});
      if (!shapes.insert(shape_of(cluster_.pod(pod))).second) continue;
      all_.push_back({pod, Varied::like});
      of_each_shape_.push_back(pod);
    }
    for (const PodId pod : of_each_shape_) read(pod);
    using Change = auto(PodsToTry::*)(const ResourceList&) const->std::vector<ResourceList>;
    for (const Change change :
         {&PodsToTry::whole_nodes, &PodsToTry::one_device, &PodsToTry::doubled, &PodsToTry::smallest}) {
      for (const PodId pod : of_each_shape_) {
        for (ResourceList& requests : (this->*change)(requests_[pod]))
          all_.push_back({.like = pod, .way = Varied::requests, .requests = std::move(requests)});
      }
    }
    for (const PriorityClass& each : cluster_.objects().priority_classes) {
      for (const PodId pod : of_each_shape_) {
        if (cluster_.pod(pod).spec.priority_class_name == each.meta.name) continue;
        all_.push_back({.like = pod, .way = Varied::priority, .requests = {}, .priority_class = &each});
      }
    }
    return std::move(all_);
  }

 private:
  void read(PodId pod) { requests_[pod] = pod_request(cluster_, cluster_.pod(pod), RequestOf::incoming); }

  // With the devices that the pod requests, all of them.
  [[nodiscard]] auto whole_nodes(const ResourceList& requests) const -> std::vector<ResourceList> {
    std::vector<ResourceList> out;
    for (const std::optional<ResourceList>& node : {sizes_.largest(), sizes_.smallest()}) {
      if (!node || (!out.empty() && *sizes_.smallest() == *sizes_.largest())) continue;
      ResourceList all;
      for (const auto& [name, amount] : *node) {
        const bool varies = name == cluster_.known().cpu || name == cluster_.known().memory || requests.get(name);
        if (varies && name != cluster_.known().pods) all.set(name, amount);
      }
      out.push_back(std::move(all));
    }
    return out;
  }

  [[nodiscard]] auto one_device(const ResourceList& requests) const -> std::vector<ResourceList> {
    std::vector<ResourceList> out;
    for (const Symbol device : sizes_.devices()) {
      if (requests.get(device) == Quantity::of(1)) continue;
      out.emplace_back(requests).set(device, Quantity::of(1));
    }
    return out;
  }

  [[nodiscard]] auto doubled(const ResourceList& requests) const -> std::vector<ResourceList> {
    ResourceList twice = requests;
    for (const auto& [name, amount] : requests) twice.add(name, amount);
    return {std::move(twice)};
  }

  [[nodiscard]] auto smallest(const ResourceList& requests) const -> std::vector<ResourceList> {
    ResourceList least;
    constexpr std::int64_t kNanosPerMilli = 1'000'000;
    least.set(cluster_.known().cpu, Quantity::of_nanos(kNanosPerMilli));
    if (requests == least) return {};
    return {std::move(least)};
  }

  const Engine& engine_;
  const Snapshot& cluster_;
  NodeSizes sizes_;
  std::vector<PodId> of_each_shape_;
  std::map<PodId, ResourceList> requests_;
  std::vector<PodToTry> all_;
};

// Fails if the statement is about no running pod.
auto violation_of(const MakeInvariant& make, const Snapshot& cluster) -> Result<std::string> {
  PREVICT_TRY(const std::unique_ptr<Invariant> invariant, make(cluster));
  bool any = false;
  for (const NodeId node : cluster.nodes().ids()) any = any || invariant->pods_on(node) > 0;
  if (!any) return fail("no running pod is concerned, so there is nothing to search");
  return invariant->violation();
}

// All requests are those of the first container.
void set_requests(PodSpec& spec, const ResourceList& requests, const Symbols& symbols) {
  Container first = spec.containers.empty() ? Container{} : std::as_const(spec.containers).front();
  first.resources.requests = requests;
  first.resources.limits.clear();
  for (const auto& [name, amount] : requests) {
    if (upstream::is_extended_resource(symbols.text(name))) first.resources.limits.set(name, amount);
  }
  spec.containers.clear();
  spec.containers.push_back(std::move(first));
  spec.init_containers.clear();
  spec.overhead.clear();
  spec.resources.reset();
}

auto pod_to_add(const PodToTry& tried, Instant created, Objects& objects) -> Pod {
  Pod pod = objects.pods[tried.like];
  pod.meta.name = objects.symbols.intern(kPreemptor);
  pod.meta.uid = {};
  pod.meta.created = created;
  pod.meta.deleting.reset();
  pod.spec.node_name = {};
  pod.status = {};
  pod.status.phase = objects.symbols.intern("Pending");
  if (tried.way == Varied::requests) set_requests(pod.spec, tried.requests, objects.symbols);
  if (tried.priority_class != nullptr) {
    pod.spec.priority_class_name = tried.priority_class->meta.name;
    pod.spec.priority = tried.priority_class->value;
    pod.spec.preemption_policy = tried.priority_class->preemption_policy;
    pod.spec.has_priority = true;
  }
  return pod;
}

auto words_of(const PodToTry& tried, const Symbols& symbols) -> std::string {
  if (tried.priority_class != nullptr)
    return fmt::format("PriorityClass {}", symbols.text(tried.priority_class->meta.name));
  std::vector<std::string> words;
  for (const auto& [name, amount] : tried.requests) {
    const std::string resource(symbols.text(name));
    words.push_back(fmt::format("{} {}", resource, amount_text(resource, in_units(resource, amount))));
  }
  return joined(words, ", ");
}

}  // namespace

auto search(const Engine& engine, Objects& objects, Question question, const MakeInvariant& make, std::size_t most)
    -> Result<Search> {
  Search out;
  out.engine = engine.name();
  PREVICT_TRY(out.violation, violation_of(make, Snapshot(objects)));
  std::vector<PodToTry> pods = PodsToTry(engine, Snapshot(objects)).run();
  if (pods.empty()) return fail(fmt::format("no pod of the input is scheduled by {}", engine.name()));
  out.left_out = pods.size() - std::min(most, pods.size());
  pods.resize(pods.size() - out.left_out);
  question.kind = "pod";
  question.next_change = false;
  for (const PodToTry& tried : pods) {
    const bool itself = tried.way == Varied::itself;
    ChangedCluster changed(objects);
    if (!itself) changed.add(pod_to_add(tried, question.now, objects));
    const Snapshot cluster(objects);
    PREVICT_TRY(const std::unique_ptr<Invariant> invariant, make(cluster));
    question.ns = cluster.text(cluster.pod(tried.like).meta.ns);
    question.name = itself ? cluster.text(cluster.pod(tried.like).meta.name) : kPreemptor;
    const Result<Answer> answer = explain(engine, cluster, question);
    ++out.tried;
    ++out.by_way[static_cast<std::size_t>(tried.way)];
    out.unknown += !answer || answer->outcome == Outcome::unknown ? 1U : 0U;
    if (!answer) continue;
    out.behaves = answer->behaves;
    add_gaps(answer->gaps, out.gaps);
    if (answer->outcome == Outcome::unknown || !invariant->is_broken_by(*answer)) continue;
    out.found = cluster.key(tried.like);
    out.way = tried.way;
    out.with = words_of(tried, objects.symbols);
    for (const Victim& each : answer->victims) out.victims.push_back(cluster.key(each.pod));
    return out;
  }
  return out;
}

}  // namespace previct::prove
