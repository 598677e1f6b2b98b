#include "api/pod_defaults.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace previct {
namespace {

// Copies of a list share its elements, so a list is accessed for modification only if it changes.
template <class T, class Predicate>
auto any_in(const SharedList<T>& list, Predicate predicate) -> bool {
  return std::any_of(list.begin(), list.end(), predicate);
}

void request_limits(SharedList<Container>& containers) {
  const auto lacks_requests = [](const Container& container) {
    const ResourceRequirements& of = container.resources;
    return std::any_of(of.limits.begin(), of.limits.end(),
                       [&](const auto& limit) { return !of.requests.get(limit.first); });
  };
  if (!any_in(containers, lacks_requests)) return;
  for (Container& container : containers) {
    for (const auto& [name, limit] : container.resources.limits) {
      if (!container.resources.requests.get(name)) container.resources.requests.set(name, limit);
    }
  }
}

void request_limits_of_pod(PodSpec& spec, const Symbols& symbols) {
  if (!spec.resources) return;
  ResourceList& requests = spec.resources->requests;
  ResourceList& limits = spec.resources->limits;
  const auto is_huge_pages = [&](Symbol name) { return symbols.text(name).starts_with("hugepages-"); };
  const auto is_cpu_or_memory = [&](Symbol name) {
    return symbols.text(name) == "cpu" || symbols.text(name) == "memory";
  };
  if (!limits.empty() || !requests.empty()) {
    for (const auto& [name, limit] : total_of_containers(spec, &ResourceRequirements::limits, symbols)) {
      if (is_huge_pages(name) && !requests.get(name) && !limits.get(name)) limits.set(name, limit);
    }
  }
  if (limits.empty()) return;
  for (const auto& [name, request] : total_of_containers(spec, &ResourceRequirements::requests, symbols)) {
    if (is_cpu_or_memory(name) && !requests.get(name)) requests.set(name, request);
  }
  for (const auto& [name, limit] : limits) {
    const bool may_be_said = is_cpu_or_memory(name) || is_huge_pages(name);
    if (may_be_said && !requests.get(name)) requests.set(name, limit);
  }
}

void use_host_ports(SharedList<Container>& containers) {
  const auto inside_only = [](const ContainerPort& port) { return port.host_port == 0 && port.container_port != 0; };
  if (!any_in(containers, [&](const Container& container) { return any_in(container.ports, inside_only); })) return;
  for (Container& container : containers) {
    for (ContainerPort& port : container.ports) {
      if (inside_only(port)) port.host_port = port.container_port;
    }
  }
}

void require_labels(const SharedList<Symbol>& keys, SelectorOperator op, std::string_view word, const SymbolMap& labels,
                    LabelSelector& selector, Symbols& symbols) {
  for (const Symbol key : keys) {
    const Symbol value = labels.get(key);
    if (!value) continue;
    const auto same = [&](const Requirement& r) {
      return r.key == key && r.op == op && r.values.size() == 1 && r.values.front() == value;
    };
    auto& expressions = selector.match_expressions;
    if (std::any_of(expressions.begin(), expressions.end(), same)) continue;
    expressions.push_back({key, symbols.intern(word), op, {value}});
  }
}

// A term without a selector matches no pod, and keeps none.
auto compares_labels(const PodAffinityTerm& term) -> bool {
  return term.selector && !(term.match_label_keys.empty() && term.mismatch_label_keys.empty());
}

void compare_labels(PodAffinityTerm& term, const SymbolMap& labels, Symbols& symbols) {
  if (!compares_labels(term)) return;
  require_labels(std::as_const(term.match_label_keys), SelectorOperator::in, "In", labels, *term.selector, symbols);
  require_labels(std::as_const(term.mismatch_label_keys), SelectorOperator::not_in, "NotIn", labels, *term.selector,
                 symbols);
}

void compare_labels(PodAffinitySpec& affinity, const SymbolMap& labels, Symbols& symbols) {
  if (any_in(affinity.required, compares_labels)) {
    for (PodAffinityTerm& term : affinity.required) compare_labels(term, labels, symbols);
  }
  if (any_in(affinity.preferred, [](const WeightedPodAffinityTerm& each) { return compares_labels(each.term); })) {
    for (WeightedPodAffinityTerm& each : affinity.preferred) compare_labels(each.term, labels, symbols);
  }
}

}  // namespace

void default_pod(Pod& pod, Symbols& symbols) {
  PodSpec& spec = pod.spec;
  for (auto* containers : {&spec.containers, &spec.init_containers}) {
    request_limits(*containers);
    if (spec.host_network) use_host_ports(*containers);
  }
  // Must follow the containers' own requests, because it sums them up.
  request_limits_of_pod(spec, symbols);
  for (auto* affinity : {&spec.affinity.pod, &spec.affinity.pod_anti})
    compare_labels(*affinity, pod.meta.labels, symbols);
}

void default_manifests(Objects& objects) {
  for (Pod& pod : objects.pods) {
    if (!pod.meta.uid) default_pod(pod, objects.symbols);
  }
  for (Node& node : objects.nodes) {
    if (!node.meta.uid) default_node(node);
  }
}

auto total_of_containers(const PodSpec& spec, ResourceList ResourceRequirements::*said, const Symbols& symbols)
    -> ResourceList {
  ResourceList sum;
  ResourceList sidecars;
  ResourceList most;
  const auto add = [](ResourceList& to, const ResourceList& from) {
    for (const auto& [name, quantity] : from) to.add(name, quantity);
  };
  const auto raise = [](ResourceList& to, const ResourceList& from) {
    for (const auto& [name, quantity] : from) {
      const auto present = to.get(name);
      if (!present || *present < quantity) to.set(name, quantity);
    }
  };
  for (const Container& container : spec.containers) add(sum, container.resources.*said);
  for (const Container& container : spec.init_containers) {
    ResourceList then = sidecars;
    add(then, container.resources.*said);
    if (symbols.text(container.restart_policy) == "Always") {
      add(sum, container.resources.*said);
      sidecars = then;
    }
    raise(most, then);
  }
  raise(sum, most);
  return sum;
}

}  // namespace previct
