#include "overlay/admission.h"

#include "api/known_class.h"
#include "api/pod_defaults.h"
#include "api/upstream.h"
#include "base/text.h"
#include "engine/required_kind.h"
#include "overlay/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
namespace {

struct ClassFacts {
  std::string name;  // empty: no class
  std::int32_t value = 0;
  std::string policy = "PreemptLowerPriority";
};

constexpr std::array<std::string_view, 3> kStandardResources = {"cpu", "memory", "ephemeral-storage"};

auto find_class(Symbol name, const Objects& objects) -> std::optional<ClassFacts> {
  const auto found = known_class(name, objects);
  if (!found) return {};
  ClassFacts facts{std::string(objects.symbols.text(name)), found->value};
  if (found->policy) facts.policy = objects.symbols.text(found->policy);
  return facts;
}

auto refuse_class(const Pod& pod, const Objects& objects) -> tl::unexpected<Failure> {
  const std::string name(objects.symbols.text(pod.spec.priority_class_name));
  const auto meant = nearest_class(name, objects);
  return refuse(pod, "spec.priorityClassName",
                fmt::format("there is no PriorityClass {}{}", name,
                            meant ? fmt::format("; did you mean {}?", *meant) : std::string()),
                objects);
}

auto admit_priority(Pod& pod, Objects& objects) -> Result<void> {
  PodSpec& spec = pod.spec;
  ClassFacts facts;
  if (!spec.priority_class_name) {
    if (const PriorityClass* usual = default_class(objects)) facts = find_class(usual->meta.name, objects).value();
  } else if (const auto found = find_class(spec.priority_class_name, objects)) {
    facts = *found;
  } else if (lacks(objects, kinds::priority_classes) && objects.priority_classes.empty()) {
    // The cluster has at least two classes.
    if (spec.has_priority) return {};
    return fail(fmt::format("pod {}/{}: the input has no PriorityClasses, so the priority of {} is not known",
                            objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name),
                            objects.symbols.text(spec.priority_class_name)),
                locate(objects.sources, pod.meta.source, "spec.priorityClassName"),
                "add them to the input (kubectl get priorityclasses -o yaml), or pass the class with --with");
  } else {
    return refuse_class(pod, objects);
  }
  const std::string gets =
      facts.name.empty() ? "a pod without a PriorityClass gets" : fmt::format("PriorityClass {} gives", facts.name);
  if (spec.has_priority && spec.priority != facts.value) {
    return refuse(pod, "spec.priority", fmt::format("its priority is {}, but {} {}", spec.priority, gets, facts.value),
                  objects);
  }
  const std::string_view policy = objects.symbols.text(spec.preemption_policy);
  if (!policy.empty() && policy != facts.policy) {
    return refuse(pod, "spec.preemptionPolicy",
                  fmt::format("its preemptionPolicy is {}, but {} {}", policy, gets, facts.policy), objects);
  }
  if (!facts.name.empty()) spec.priority_class_name = objects.symbols.intern(facts.name);
  spec.priority = facts.value;
  spec.has_priority = true;
  spec.preemption_policy = objects.symbols.intern(facts.policy);
  return {};
}

auto check_resources(const Pod& pod, const SharedList<Container>& containers, std::string_view field,
                     const Objects& objects) -> Result<void> {
  for (const Container& container : containers) {
    for (const ResourceList* list : {&container.resources.requests, &container.resources.limits}) {
      for (const auto& [symbol, amount] : *list) {
        const std::string_view name = objects.symbols.text(symbol);
        // Kubernetes: pkg/apis/core/validation/validation.go ValidateResourceQuantityValue.
        if (upstream::is_extended_resource(name) && amount != Quantity::of(amount.value()))
          return refuse(pod, field, fmt::format("the amount of {} must be an integer", name), objects);
        if (is_container_resource(name)) continue;
        const auto meant = nearest(name, {kStandardResources.begin(), kStandardResources.end()});
        return refuse(pod, field,
                      fmt::format("{} is not a valid resource name for a container{}", name,
                                  meant ? fmt::format("; did you mean {}?", *meant) : ""),
                      objects);
      }
    }
  }
  return {};
}

// Source: kubernetes plugin/pkg/admission/defaulttolerationseconds/admission.go, v1.35.
void tolerate_lost_nodes(PodSpec& spec, Symbols& symbols) {
  constexpr std::int64_t kSeconds = 300;
  const Symbol no_execute = symbols.intern("NoExecute");
  const Symbol exists = symbols.intern("Exists");
  for (const char* taint : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const Symbol key = symbols.intern(taint);
    const bool given = std::any_of(spec.tolerations.begin(), spec.tolerations.end(), [&](const TaintToleration& t) {
      return (t.key == key || !t.key) && (t.effect == no_execute || !t.effect);
    });
    if (!given) spec.tolerations.push_back({key, exists, {}, no_execute, kSeconds});
  }
}

}  // namespace

auto is_container_resource(std::string_view name) -> bool {
  return name.find('/') != std::string_view::npos || name.starts_with("hugepages-") ||
         std::find(kStandardResources.begin(), kStandardResources.end(), name) != kStandardResources.end();
}

auto needs_limit(std::string_view resource) -> bool {
  return upstream::is_extended_resource(resource) || resource.starts_with("hugepages-");
}

auto check_limits(const Pod& pod, const Objects& objects) -> Result<void> {
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const Container& container : *containers) {
      for (const auto& [symbol, request] : container.resources.requests) {
        const std::string_view name = objects.symbols.text(symbol);
        if (!needs_limit(name) || container.resources.limits.get(symbol) == request) continue;
        return refuse(
            pod, containers == &pod.spec.containers ? "spec.containers" : "spec.initContainers",
            fmt::format("container {} requests {} without an equal limit", objects.symbols.text(container.name), name),
            objects);
      }
    }
  }
  return {};
}

auto admit(Pod& pod, Instant now, Objects& objects) -> Result<void> {
  pod.admitted = true;
  PREVICT_CHECK(admit_priority(pod, objects));
  PREVICT_CHECK(check_resources(pod, pod.spec.containers, "spec.containers", objects));
  PREVICT_CHECK(check_resources(pod, pod.spec.init_containers, "spec.initContainers", objects));
  default_pod(pod, objects.symbols);
  tolerate_lost_nodes(pod.spec, objects.symbols);
  if (!pod.status.phase) pod.status.phase = objects.symbols.intern(pod.spec.node_name ? "Running" : "Pending");
  if (!pod.meta.created && now != Instant{}) pod.meta.created = now;
  return {};
}

auto check_class(const Pod& pod, const Objects& objects) -> Result<void> {
  const bool by_hand = !pod.meta.uid && !pod.meta.created && !pod.spec.has_priority;
  if (!by_hand || !pod.spec.priority_class_name || lacks(objects, kinds::priority_classes)) return {};
  if (find_class(pod.spec.priority_class_name, objects)) return {};
  return refuse_class(pod, objects);
}

auto nearest_class(std::string_view name, const Objects& objects) -> std::optional<std::string> {
  std::vector<std::string> names;
  for (const PriorityClass& each : objects.priority_classes) names.emplace_back(objects.symbols.text(each.meta.name));
  for (const upstream::SystemClass& each : upstream::kSystemClasses) names.emplace_back(each.name);
  return nearest(name, names);
}

}  // namespace previct
