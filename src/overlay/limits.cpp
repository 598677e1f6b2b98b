#include "overlay/limits.h"

#include "api/fields.h"
#include "api/pod_defaults.h"
#include "base/text.h"
#include "cluster/pod_request.h"
#include "overlay/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

void fill(ResourceList& list, const ResourceList& defaults) {
  for (const auto& [name, quantity] : defaults) {
    if (!list.get(name)) list.set(name, quantity);
  }
}

// The item as the API server stores it.
auto completed(LimitRangeItem item) -> LimitRangeItem {
  fill(item.default_limit, item.max);
  fill(item.default_request, item.default_limit);
  fill(item.default_request, item.min);
  return item;
}

auto contains(const std::vector<Symbol>& list, const Symbols& symbols, std::string_view word) -> bool {
  return std::any_of(list.begin(), list.end(), [&](Symbol each) { return symbols.text(each) == word; });
}

using Said = ResourceList ResourceRequirements::*;

// The total of a pod: of its containers, or the values at pod level instead. Without overhead.
// Kubernetes: plugin/pkg/admission/limitranger/admission.go podRequests, podLimits.
auto sum_of(const Pod& pod, const Symbols& symbols, Said said) -> ResourceList {
  ResourceList sum = total_of_containers(pod.spec, said, symbols);
  if (pod.spec.resources) {
    for (const auto& [name, quantity] : *pod.spec.resources.*said) sum.set(name, quantity);
  }
  return sum;
}

class Limits {
 public:
  Limits(Pod& pod, const std::vector<LimitRange>& ranges, const Objects& objects)
      : pod_(pod), ranges_(ranges), objects_(objects) {}

  auto apply() -> Result<std::string> {
    std::vector<std::string> names;
    for (const LimitRange& range : ranges_) {
      if (range.meta.ns != pod_.meta.ns) continue;
      bool changed = false;
      for (const LimitRangeItem& each : range.spec.limits) {
        if (objects_.symbols.text(each.type) != "Container") continue;
        const LimitRangeItem item = completed(each);
        for (auto* containers : {&pod_.spec.containers, &pod_.spec.init_containers}) {
          for (Container& container : *containers) changed = merge(container.resources, item) || changed;
        }
      }
      if (changed) names.emplace_back(objects_.symbols.text(range.meta.name));
    }
    PREVICT_CHECK(check_requests());
    PREVICT_CHECK(check());
    if (names.empty()) return std::string();
    return fmt::format("requests and limits of LimitRange {}", joined(names, ", "));
  }

 private:
  static auto merge(ResourceRequirements& of, const LimitRangeItem& item) -> bool {
    const std::size_t before = of.limits.size() + of.requests.size();
    fill(of.limits, item.default_limit);
    fill(of.requests, item.default_request);
    return of.limits.size() + of.requests.size() != before;
  }

  auto check() -> Result<void> {
    for (const LimitRange& range : ranges_) {
      if (range.meta.ns != pod_.meta.ns) continue;
      for (const LimitRangeItem& item : range.spec.limits) {
        const std::string_view type = objects_.symbols.text(item.type);
        if (type == "Pod") {
          const ResourceRequirements whole{.requests = sum_of(pod_, objects_.symbols, &ResourceRequirements::requests),
                                           .limits = sum_of(pod_, objects_.symbols, &ResourceRequirements::limits)};
          PREVICT_CHECK(check(whole, item, range, "a pod"));
        }
        if (type != "Container") continue;
        for (auto* containers : {&pod_.spec.containers, &pod_.spec.init_containers}) {
          for (const Container& container : *containers)
            PREVICT_CHECK(check(container.resources, item, range, "each container"));
        }
      }
    }
    return {};
  }

  // A default limit may be below the request.
  // Kubernetes: pkg/apis/core/validation/validation.go validateContainerResourceRequirements.
  auto check_requests() -> Result<void> {
    for (auto* containers : {&pod_.spec.containers, &pod_.spec.init_containers}) {
      for (const Container& container : *containers) {
        for (const auto& [name, request] : container.resources.requests) {
          const auto limit = container.resources.limits.get(name);
          if (!limit || !(*limit < request)) continue;
          return refuse(pod_, "spec.containers",
                        fmt::format("container {} requests {} of {}, more than its limit of {}",
                                    objects_.symbols.text(container.name), format_quantity(request),
                                    objects_.symbols.text(name), format_quantity(*limit)),
                        objects_);
        }
      }
    }
    return {};
  }

  // Kubernetes: plugin/pkg/admission/limitranger/admission.go minConstraint, maxConstraint,
  // limitRequestRatioConstraint.
  auto check(const ResourceRequirements& of, const LimitRangeItem& item, const LimitRange& range,
             std::string_view whose) -> Result<void> {
    const auto refused = [&](std::string_view how, const Quantity& bound, Symbol name) {
      return refuse(pod_, "spec.containers",
                    fmt::format("LimitRange {} {} {} {} for {}", objects_.symbols.text(range.meta.name), how,
                                format_quantity(bound), objects_.symbols.text(name), whose),
                    objects_);
    };
    for (const auto& [name, least] : item.min) {
      const auto request = of.requests.get(name);
      if (!request || *request < least) return refused("requires at least", least, name);
    }
    for (const auto& [name, most] : item.max) {
      const auto limit = of.limits.get(name);
      const auto request = of.requests.get(name);
      const bool too_much = !limit || most < *limit || (request && most < *request);
      if (too_much) return refused("allows at most", most, name);
    }
    const auto number = [](const Quantity& quantity) { return static_cast<double>(quantity.nanos()) / 1e9; };
    for (const auto& [name, most] : item.max_ratio) {
      const auto limit = of.limits.get(name);
      const auto request = of.requests.get(name);
      const bool said = limit && request && *limit != Quantity() && *request != Quantity();
      const bool too_much = !said || number(*limit) / number(*request) > number(most);
      if (too_much) {
        return refuse(
            pod_, "spec.containers",
            fmt::format("LimitRange {} requires the limit of {} to be at most {:g} times the request for {}",
                        objects_.symbols.text(range.meta.name), objects_.symbols.text(name), number(most), whose),
            objects_);
      }
    }
    return {};
  }

  Pod& pod_;
  const std::vector<LimitRange>& ranges_;
  const Objects& objects_;
};

// The values that LimitRanges added: "LimitRanger plugin set: cpu, memory request for container main; cpu limit for
// init container first". Kubernetes: plugin/pkg/admission/limitranger/admission.go mergeContainerResources.
auto note_of_limits(const Pod& pod, const Symbols& symbols) -> std::string_view {
  const Symbol key = symbols.find("kubernetes.io/limit-ranger");
  const std::string_view note = key ? symbols.text(pod.meta.annotations.get(key)) : std::string_view();
  constexpr std::string_view kBegin = "LimitRanger plugin set: ";
  return note.starts_with(kBegin) ? note.substr(kBegin.size()) : std::string_view();
}

auto parts_of(std::string_view text, std::string_view separator) -> std::vector<std::string_view> {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

void leave_out(const std::vector<std::string_view>& names, ResourceList& list, const Symbols& symbols) {
  ResourceList kept;
  for (const auto& [name, quantity] : list) {
    if (std::find(names.begin(), names.end(), symbols.text(name)) == names.end()) kept.set(name, quantity);
  }
  list = kept;
}

// ---- quotas

auto best_effort(const Pod& pod, const Symbols& symbols) -> bool {
  const auto asks = [&](const ResourceRequirements& of) {
    for (const ResourceList* list : {&of.requests, &of.limits}) {
      for (const auto& [name, quantity] : *list) {
        const std::string_view text = symbols.text(name);
        if ((text == "cpu" || text == "memory") && quantity != Quantity()) return true;
      }
    }
    return false;
  };
  const auto any = [&](const SharedList<Container>& containers) {
    return std::any_of(containers.begin(), containers.end(), [&](const Container& c) { return asks(c.resources); });
  };
  return !any(pod.spec.containers) && !any(pod.spec.init_containers) &&
         !(pod.spec.resources && asks(*pod.spec.resources));
}

// Source: kubernetes pkg/quota/v1/evaluator/core/pods.go usesCrossNamespacePodAffinity.
auto names_other_namespaces(const PodAffinitySpec& affinity) -> bool {
  const auto names = [](const PodAffinityTerm& term) { return !term.namespaces.empty() || term.namespace_selector; };
  return std::any_of(affinity.required.begin(), affinity.required.end(), names) ||
         std::any_of(affinity.preferred.begin(), affinity.preferred.end(),
                     [&](const WeightedPodAffinityTerm& each) { return names(each.term); });
}

// Source: kubernetes pkg/quota/v1/evaluator/core/pods.go podMatchesScopeFunc, isTerminating.
auto in_scope(const Pod& pod, std::string_view scope, std::string_view op, const std::vector<Symbol>& values,
              const Symbols& symbols) -> bool {
  if (scope == "BestEffort") return best_effort(pod, symbols);
  if (scope == "NotBestEffort") return !best_effort(pod, symbols);
  const bool terminating = pod.spec.active_deadline_seconds.value_or(-1) >= 0;
  if (scope == "Terminating") return terminating;
  if (scope == "NotTerminating") return !terminating;
  if (scope == "CrossNamespacePodAffinity")
    return names_other_namespaces(pod.spec.affinity.pod) || names_other_namespaces(pod.spec.affinity.pod_anti);
  if (scope != "PriorityClass") return false;
  const Symbol name = pod.spec.priority_class_name;
  const bool listed = std::find(values.begin(), values.end(), name) != values.end();
  if (op == "In") return name && listed;
  if (op == "NotIn") return !listed;
  if (op == "DoesNotExist") return !name;
  return static_cast<bool>(name);
}

auto counts(const ResourceQuota& quota, const Pod& pod, const Symbols& symbols) -> bool {
  const auto& scopes = quota.spec.scopes;
  const auto& terms = quota.spec.scope_selector.requirements;
  return std::all_of(scopes.begin(), scopes.end(),
                     [&](Symbol scope) { return in_scope(pod, symbols.text(scope), "Exists", {}, symbols); }) &&
         std::all_of(terms.begin(), terms.end(), [&](const ScopeRequirement& term) {
           return in_scope(pod, symbols.text(term.scope), symbols.text(term.op), term.values, symbols);
         });
}

class Usage {
 public:
  Usage(const Pod& pod, const Snapshot& cluster)
      : symbols_(cluster.objects().symbols),
        requests_(pod_request(cluster, pod, RequestOf::incoming)),
        limits_(sum_of(pod, symbols_, &ResourceRequirements::limits)) {}

  /// The usage of a new pod for the quota resource `name`; nullopt if it is not about pods, or the pod does not request
  /// it.
  [[nodiscard]] auto of(std::string_view name) const -> std::optional<Quantity> {
    if (name == "pods" || name == "count/pods") return Quantity::of(1);
    if (name.starts_with("limits.")) return limits_.get(symbols_.find(name.substr(7)));
    if (name.starts_with("requests.")) return requests_.get(symbols_.find(name.substr(9)));
    const bool plain =
        name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-");
    return plain ? requests_.get(symbols_.find(name)) : std::nullopt;
  }
  /// A quota on cpu or memory requires that each pod specifies it.
  [[nodiscard]] static auto must_be_said(std::string_view name) -> bool {
    return name == "cpu" || name == "memory" || name == "requests.cpu" || name == "requests.memory" ||
           name == "limits.cpu" || name == "limits.memory";
  }

 private:
  const Symbols& symbols_;
  ResourceList requests_;
  ResourceList limits_;
};

auto any_of_namespace(const std::vector<ResourceQuota>& quotas, const Pod& pod) -> bool {
  return std::any_of(quotas.begin(), quotas.end(),
                     [&](const ResourceQuota& quota) { return quota.meta.ns == pod.meta.ns; });
}

auto hard_of(const ResourceQuota& quota) -> const ResourceList& {
  return quota.status.hard.empty() ? quota.spec.hard : quota.status.hard;
}

// What is in use, and `asked` more.
auto with_more(const ResourceQuota& quota, Symbol name, Quantity asked) -> Quantity {
  Quantity sum = quota.status.used.get(name).value_or(Quantity());
  sum += asked;
  return sum;
}

void count_in(ResourceQuota& quota, const Pod& pod, const Usage& usage, bool has_come, const Symbols& symbols) {
  if (quota.meta.ns != pod.meta.ns || !counts(quota, pod, symbols)) return;
  for (const auto& [name, most] : hard_of(quota)) {
    const std::optional<Quantity> amount = usage.of(symbols.text(name));
    if (!amount) continue;
    const __int128 used = quota.status.used.get(name).value_or(Quantity()).nanos();
    quota.status.used.set(name, Quantity::of_nanos(has_come ? used + amount->nanos() : used - amount->nanos()));
  }
}

// The scopes are about pods.
auto counts_claims(const ResourceQuota& quota) -> bool {
  return quota.spec.scopes.empty() && quota.spec.scope_selector.requirements.empty();
}

auto usage_of_claim(const PersistentVolumeClaim& claim, std::string_view name, const Symbols& symbols)
    -> std::optional<Quantity> {
  constexpr std::string_view kSuffix = ".storageclass.storage.k8s.io/";
  const std::string_view of_class = symbols.text(claim.spec.storage_class_name);
  if (const std::size_t suffix = name.find(kSuffix); suffix != std::string_view::npos) {
    if (of_class.empty() || name.substr(0, suffix) != of_class) return {};
    name.remove_prefix(suffix + kSuffix.size());
  }
  if (name == "persistentvolumeclaims" || name == "count/persistentvolumeclaims") return Quantity::of(1);
  return name == "requests.storage" ? claim.spec.resources.requests.get(symbols.find("storage")) : std::nullopt;
}

void count_in(ResourceQuota& quota, const PersistentVolumeClaim& claim, const Symbols& symbols) {
  if (!counts_claims(quota)) return;
  for (const auto& [name, most] : hard_of(quota)) {
    if (const auto amount = usage_of_claim(claim, symbols.text(name), symbols))
      quota.status.used.set(name, with_more(quota, name, *amount));
  }
}

// Why the quota, which allows `most` of the resource, does not allow `asked` more; empty: it does.
auto excess(const ResourceQuota& quota, Symbol name, Quantity most, Quantity asked, const Symbols& symbols)
    -> std::string {
  if (!(most < with_more(quota, name, asked))) return {};
  return fmt::format("ResourceQuota {} is exceeded: {} requested, {} in use, limited to {} of {}",
                     symbols.text(quota.meta.name), format_quantity(asked),
                     format_quantity(quota.status.used.get(name).value_or(Quantity())), format_quantity(most),
                     symbols.text(name));
}

}  // namespace

auto apply_limits(Pod& pod, const std::vector<LimitRange>& ranges, const Objects& objects) -> Result<std::string> {
  return Limits(pod, ranges, objects).apply();
}

auto limits_were_applied(const Pod& pod, const Symbols& symbols) -> bool {
  return !note_of_limits(pod, symbols).empty();
}

void take_back_limits(Pod& pod, const Symbols& symbols) {
  for (const std::string_view entry : parts_of(note_of_limits(pod, symbols), "; ")) {
    const auto take_back = [&](std::string_view of, SharedList<Container>& containers,
                               ResourceList ResourceRequirements::*list) {
      const std::size_t at = entry.find(of);
      if (at == std::string_view::npos) return;
      const std::string_view name = entry.substr(at + of.size());
      for (Container& container : containers) {
        if (symbols.text(container.name) != name) continue;
        leave_out(parts_of(entry.substr(0, at), ", "), container.resources.*list, symbols);
      }
    };
    take_back(" request for container ", pod.spec.containers, &ResourceRequirements::requests);
    take_back(" limit for container ", pod.spec.containers, &ResourceRequirements::limits);
    take_back(" request for init container ", pod.spec.init_containers, &ResourceRequirements::requests);
    take_back(" limit for init container ", pod.spec.init_containers, &ResourceRequirements::limits);
  }
}

auto apply_runtime_class(Pod& pod, Symbol name, bool all_known, Objects& objects) -> Result<std::string> {
  pod.spec.missing_runtime_class = {};
  if (!name) return std::string();
  const auto found = std::find_if(objects.runtime_classes.begin(), objects.runtime_classes.end(),
                                  [&](const RuntimeClass& each) { return each.meta.name == name; });
  const std::string_view text = objects.symbols.text(name);
  if (found == objects.runtime_classes.end()) {
    if (!all_known) {
      pod.spec.missing_runtime_class = name;
      return std::string();
    }
    return refuse(pod, "spec.runtimeClassName", fmt::format("there is no RuntimeClass {}", text), objects);
  }
  const ResourceList& overhead = found->overhead.pod_fixed;
  const auto same = [&] {
    return pod.spec.overhead.size() == overhead.size() &&
           std::all_of(overhead.begin(), overhead.end(),
                       [&](const auto& entry) { return pod.spec.overhead.get(entry.first) == entry.second; });
  };
  if (!pod.spec.overhead.empty() && !same())
    return refuse(pod, "spec.overhead", fmt::format("its overhead is not that of RuntimeClass {}", text), objects);
  const bool changes = pod.spec.overhead.empty() && !overhead.empty();
  pod.spec.overhead = overhead;
  for (const auto& [key, value] : found->scheduling.node_selector) {
    const Symbol own = pod.spec.node_selector.get(key);
    if (own && own != value)
      return refuse(pod, "spec.nodeSelector", fmt::format("its nodeSelector conflicts with RuntimeClass {}", text),
                    objects);
    if (!own) pod.spec.node_selector.set(key, value);
  }
  for (const TaintToleration& toleration : found->scheduling.tolerations) pod.spec.tolerations.push_back(toleration);
  return changes ? fmt::format("the overhead of RuntimeClass {}", text) : std::string();
}

auto quota_refusal(const Pod& pod, const std::vector<ResourceQuota>& quotas, const Snapshot& cluster) -> std::string {
  if (!any_of_namespace(quotas, pod)) return {};
  const Usage usage(pod, cluster);
  const Symbols& symbols = cluster.objects().symbols;
  for (const ResourceQuota& quota : quotas) {
    if (quota.meta.ns != pod.meta.ns || !counts(quota, pod, symbols)) continue;
    const std::string_view quota_name = symbols.text(quota.meta.name);
    for (const auto& [name, most] : hard_of(quota)) {
      const std::string_view text = symbols.text(name);
      const std::optional<Quantity> asked = usage.of(text);
      if (!asked && Usage::must_be_said(text))
        return fmt::format("ResourceQuota {} requires that its containers set {}", quota_name, text);
      if (!asked) continue;
      if (std::string why = excess(quota, name, most, *asked, symbols); !why.empty()) return why;
    }
  }
  return {};
}

void count_in_quotas(const Pod& pod, bool has_come, std::vector<ResourceQuota>& quotas, const Snapshot& cluster) {
  if (!any_of_namespace(quotas, pod)) return;
  const Usage usage(pod, cluster);
  for (ResourceQuota& quota : quotas) count_in(quota, pod, usage, has_come, cluster.objects().symbols);
}

void set_status(ResourceQuota& quota, const Snapshot& cluster, const std::function<bool(const Pod&)>& exists) {
  const Symbols& symbols = cluster.objects().symbols;
  quota.status = {.hard = quota.spec.hard, .used = {}};
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (pod.meta.ns == quota.meta.ns && !cluster.finished(id) && exists(pod))
      count_in(quota, pod, Usage(pod, cluster), true, symbols);
  }
  for (const PersistentVolumeClaim& claim : cluster.objects().persistent_volume_claims) {
    if (claim.meta.ns == quota.meta.ns && !claim.to_be_made) count_in(quota, claim, symbols);
  }
}

auto refusal_in_place(const Pod& old, const Pod& made, const Snapshot& cluster) -> std::string {
  const Objects& objects = cluster.objects();
  Pod pod = made;
  if (const auto limits = apply_limits(pod, objects.limit_ranges, objects); !limits) return limits.error().refusal;
  if (!any_of_namespace(objects.resource_quotas, made)) return {};
  std::vector<ResourceQuota> quotas = objects.resource_quotas;
  count_in_quotas(old, false, quotas, cluster);
  return quota_refusal(pod, quotas, cluster);
}

auto claim_refusal(const PersistentVolumeClaim& claim, std::vector<ResourceQuota>& quotas, const Objects& objects)
    -> std::string {
  const Symbols& symbols = objects.symbols;
  const std::optional<Quantity> storage = claim.spec.resources.requests.get(symbols.find("storage"));
  for (const LimitRange& range : objects.limit_ranges) {
    if (range.meta.ns != claim.meta.ns) continue;
    for (const LimitRangeItem& item : range.spec.limits) {
      if (symbols.text(item.type) != "PersistentVolumeClaim") continue;
      const auto refused = [&](std::string_view how, const Quantity& bound) {
        return fmt::format("LimitRange {} {} {} of storage for each claim", symbols.text(range.meta.name), how,
                           format_quantity(bound));
      };
      const auto least = item.min.get(symbols.find("storage"));
      if (least && (!storage || *storage < *least)) return refused("requires at least", *least);
      const auto most = item.max.get(symbols.find("storage"));
      if (most && (!storage || *most < *storage)) return refused("allows at most", *most);
    }
  }
  for (ResourceQuota& quota : quotas) {
    if (quota.meta.ns != claim.meta.ns || !counts_claims(quota)) continue;
    for (const auto& [name, most] : hard_of(quota)) {
      const std::optional<Quantity> asked = usage_of_claim(claim, symbols.text(name), symbols);
      if (!asked) continue;
      if (std::string why = excess(quota, name, most, *asked, symbols); !why.empty()) return why;
      quota.status.used.set(name, with_more(quota, name, *asked));
    }
  }
  return {};
}

auto webhooks_of_pods(const Objects& objects) -> std::vector<std::string> {
  const Symbols& symbols = objects.symbols;
  const auto sees = [&](const WebhookRule& rule) {
    const bool created = contains(rule.operations, symbols, "CREATE") || contains(rule.operations, symbols, "*");
    const bool pods = contains(rule.resources, symbols, "pods") || contains(rule.resources, symbols, "*") ||
                      contains(rule.resources, symbols, "*/*");
    const bool core = contains(rule.api_groups, symbols, "") || contains(rule.api_groups, symbols, "*");
    return created && pods && (core || rule.api_groups.empty());
  };
  std::vector<std::string> out;
  for (const MutatingWebhookConfiguration& configuration : objects.mutating_webhooks) {
    for (const Webhook& hook : configuration.webhooks) {
      if (std::any_of(hook.rules.begin(), hook.rules.end(), sees)) out.emplace_back(symbols.text(hook.name));
    }
  }
  return out;
}

}  // namespace previct
