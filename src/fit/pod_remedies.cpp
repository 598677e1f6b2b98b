#include "api/amount_text.h"
#include "api/kai_queue_label.h"
#include "api/schedulers.h"
#include "api/units.h"
#include "base/contains.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/matching.h"
#include "cluster/pod_request.h"
#include "fit/remedy.h"
#include "overlay/limits.h"
#include "overlay/node_copies.h"
#include "overlay/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace previct::fit {
namespace {

constexpr std::size_t kMostTaints = 32;
constexpr std::int32_t kHighestUserPriority = 1'000'000'000;  // pkg/apis/scheduling/types.go
constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

auto without_key(const SymbolMap& map, Symbol key) -> SymbolMap {
  SymbolMap rest;
  for (const auto& [k, v] : map) {
    if (k != key) rest.set(k, v);
  }
  return rest;
}

template <AnyList List>
void erase_at(List& list, std::size_t index) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

class PodRemedies {
 public:
  PodRemedies(const Snapshot& cluster, PodId id, std::vector<std::string>& not_searched)
      : cluster_(cluster), id_(id), pod_(cluster.pod(id)), not_searched_(not_searched) {}

  auto run() -> std::vector<Remedy> {
    requests();
    shared_gpu();
    tolerations();
    node_selector();
    node_affinity();
    pod_affinity(Kind::pod_affinity, pod_.spec.affinity.pod, "podAffinity", &Affinity::pod);
    pod_affinity(Kind::pod_anti_affinity, pod_.spec.affinity.pod_anti, "podAntiAffinity", &Affinity::pod_anti);
    topology_spread();
    gates();
    policy();
    priority();
    queue_label();
    return std::move(remedies_);
  }

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string { return std::string(cluster_.text(symbol)); }

  [[nodiscard]] auto step(Kind kind, std::string what, std::string field) const -> Step {
    return {.kind = kind,
            .what = std::move(what),
            .object = "Pod/" + cluster_.key(id_),
            .field = std::move(field),
            .source = pod_.meta.source};
  }

  // Adds a change of the spec that is either made or not.
  void offer(const Step& step, std::function<void(PodSpec&)> change) {
    remedies_.push_back({.kind = step.kind,
                         .most = 1,
                         .turn = [id = id_, change = std::move(change)](ChangedCluster& changed,
                                                                        std::int64_t) { change(changed.pod(id).spec); },
                         .step = [step](std::int64_t) { return step; }});
  }

  // Reduces requests as --request does: the first container requests everything. A pod that needs a resource cannot
  // work without it, so the smallest request offered is one unit.
  void requests() {
    for (const auto& [asked, quantity] : pod_request(cluster_, pod_, RequestOf::incoming)) {
      const Symbol resource = asked;
      const std::string name = text(resource);
      const std::int64_t want = in_units(name, quantity);
      const std::int64_t overhead = in_units(name, pod_.spec.overhead.get(resource).value_or(Quantity()));
      Step base = step(Kind::request, "", field_of(resource));
      base.before = amount_text(name, want);
      if (want == 0) drop_zero(base, resource);
      if (want - overhead < 2) continue;
      const std::int64_t most = most_admitted(
          pod_, want - overhead - 1, cluster_, [&, rest = want - overhead](Pod& made, std::int64_t degree) {
            set_request(made.spec, resource, of_units(name, rest - degree), cluster_.symbols());
          });
      if (most < want - overhead - 1) {
        not_searched_.push_back(fmt::format("requests for {} that its namespace does not allow", name));
        if (most == 0) continue;
      }
      remedies_.push_back(
          {.kind = Kind::request,
           .most = most,
           .turn =
               [id = id_, resource, name, rest = want - overhead](ChangedCluster& changed, std::int64_t degree) {
                 set_request(changed.pod(id).spec, resource, of_units(name, rest - degree), changed.objects().symbols);
               },
           .step =
               [base, name, want](std::int64_t degree) {
                 Step made = base;
                 made.after = amount_text(name, want - degree);
                 made.what = fmt::format("{} {} -> {}", name, made.before, made.after);
                 return made;
               }});
    }
  }

  // YuniKorn treats a request of 0 differently from no request.
  void drop_zero(Step made, Symbol resource) {
    made.after = "none";
    made.what = fmt::format("{} {} -> none", text(resource), made.before);
    offer(made, [resource](PodSpec& spec) { drop_request(spec, resource); });
  }

  // KAI Scheduler shares a GPU with pods that request it by annotation; a fraction counts in hundredths.
  void shared_gpu() {
    constexpr double kHundredths = 100;
    double fraction = 0;
    const std::string_view told = annotation("gpu-fraction");
    std::from_chars(told.data(), told.data() + told.size(), fraction);
    if (fraction > 0 && fraction <= 1) {
      const auto parts = static_cast<std::int64_t>(std::llround(fraction * kHundredths));
      shrink("gpu-fraction", told, parts,
             [](std::int64_t rest) { return fmt::format("{}", static_cast<double>(rest) / kHundredths); });
      return;
    }
    const std::string_view memory = annotation("gpu-memory");
    const auto mebibytes = go::parse_int(memory, 64);
    if (!mebibytes || *mebibytes <= 0) return;
    shrink("gpu-memory", memory, *mebibytes, [](std::int64_t rest) { return fmt::format("{}", rest); });
  }

  [[nodiscard]] auto annotation(std::string_view key) const -> std::string_view {
    const Symbol symbol = cluster_.symbol(key);
    return symbol ? cluster_.text(pod_.meta.annotations.get(symbol)) : std::string_view();
  }

  void shrink(std::string_view key, std::string_view told, std::int64_t parts,
              const std::function<std::string(std::int64_t)>& words) {
    if (parts < 2) return;
    Step base = step(Kind::request, "", fmt::format("metadata.annotations[\"{}\"]", key));
    base.before = told;
    const Symbol symbol = cluster_.symbol(key);
    remedies_.push_back({.kind = Kind::request,
                         .most = parts - 1,
                         .turn =
                             [symbols = &cluster_.symbols(), id = id_, symbol, parts, words](ChangedCluster& changed,
                                                                                             std::int64_t degree) {
                               const Symbol less = symbols->intern(words(parts - degree));
                               changed.pod(id).meta.annotations.set(symbol, less);
                             },
                         .step =
                             [base, key = std::string(key), parts, words](std::int64_t degree) {
                               Step made = base;
                               made.after = words(parts - degree);
                               made.what = fmt::format("{} {} -> {}", key, made.before, made.after);
                               return made;
                             }});
  }

  // The field that decides: of the pod itself, of the init container that requests the most, or of the largest of the
  // containers that run together (cluster/pod_request.h).
  [[nodiscard]] auto field_of(Symbol resource) const -> std::string {
    if (pod_.spec.resources && pod_.spec.resources->requests.get(resource) &&
        requests_as_pod(cluster_, pod_, RequestRules()))
      return fmt::format("spec.resources.requests[\"{}\"]", text(resource));
    struct Part {
      std::string_view list;
      std::size_t index = 0;
      Quantity amount;
    };
    std::optional<Part> largest;
    std::optional<Part> peak;
    Quantity together;
    const auto raise = [](std::optional<Part>& to, const Part& part) {
      if (!to || to->amount < part.amount) to = part;
    };
    const auto of = [&](const Container& c) { return c.resources.requests.get(resource); };
    for (std::size_t i = 0; i < pod_.spec.containers.size(); ++i) {
      const auto amount = of(pod_.spec.containers[i]);
      if (!amount) continue;
      raise(largest, {"containers", i, *amount});
      together = Quantity::of_nanos(together.nanos() + amount->nanos());
    }
    Quantity sidecars;  // those that an init container runs beside
    for (std::size_t i = 0; i < pod_.spec.init_containers.size(); ++i) {
      const Container& each = pod_.spec.init_containers[i];
      const auto amount = of(each);
      if (!amount) continue;
      if (each.restart_policy == cluster_.known().always) {
        raise(largest, {"initContainers", i, *amount});
        sidecars = Quantity::of_nanos(sidecars.nanos() + amount->nanos());
      } else {
        raise(peak, {"initContainers", i, Quantity::of_nanos(sidecars.nanos() + amount->nanos())});
      }
    }
    together = Quantity::of_nanos(together.nanos() + sidecars.nanos());
    const std::optional<Part>& part = peak && together < peak->amount ? peak : largest;
    if (!part) return "spec.containers";
    return fmt::format("spec.{}[{}].resources.requests[\"{}\"]", part->list, part->index, text(resource));
  }

  void tolerations() {
    std::map<std::tuple<std::string, std::string, std::string>, std::pair<Taint, const Node*>> taints;
    std::set<std::string> of_conditions;
    for (const Node& node : cluster_.nodes()) {
      for (const Taint& taint : node.spec.taints) {
        const bool hard = taint.effect == cluster_.known().no_schedule || taint.effect == cluster_.known().no_execute;
        if (!hard || tolerates(pod_.spec.tolerations, taint, cluster_.known())) continue;
        if (is_taint_of_state(cluster_.text(taint.key))) {
          of_conditions.insert(text(taint.key));
          continue;
        }
        taints.try_emplace({text(taint.key), text(taint.value), text(taint.effect)}, taint, &node);
      }
    }
    of_conditions.erase(text(cluster_.known().unschedulable_taint));  // cordoned nodes have their own remedy
    if (!of_conditions.empty()) {
      not_searched_.push_back(fmt::format("tolerations of node conditions ({})",
                                          joined({of_conditions.begin(), of_conditions.end()}, ", ")));
    }
    if (taints.size() > kMostTaints) {
      not_searched_.push_back(fmt::format("{} of {} taints", taints.size() - kMostTaints, taints.size()));
    }
    std::size_t offered = 0;
    for (const auto& [key, found] : taints) {
      if (++offered > kMostTaints) break;
      const auto& [taint, node] = found;
      const std::string words = fmt::format("{}{}{}:{}", std::get<0>(key), std::get<1>(key).empty() ? "" : "=",
                                            std::get<1>(key), std::get<2>(key));
      // An Exists toleration covers every value of the key.
      const bool any_value = !taint.value;
      Step made = step(Kind::toleration, fmt::format("for taint {}{}", words, any_value ? ", operator Exists" : ""),
                       "spec.tolerations");
      made.after = any_value ? fmt::format("{}, operator Exists", words) : words;
      made.note = fmt::format("taint of {}", text(node->meta.name));
      const TaintToleration toleration{taint.key, taint.value ? cluster_.known().equal : cluster_.known().exists,
                                       taint.value, taint.effect};
      offer(made, [toleration](PodSpec& spec) { spec.tolerations.push_back(toleration); });
    }
  }

  void node_selector() {
    for (const auto& [key, value] : pod_.spec.node_selector) {
      const std::string words = fmt::format("{}={}", text(key), text(value));
      // Admission adds it to the pod again. Source: kubernetes: plugin/pkg/admission/runtimeclass/admission.go
      // setScheduling.
      const auto& classes = cluster_.objects().runtime_classes;
      const auto of = std::find_if(classes.begin(), classes.end(), [&, key = key, value = value](const auto& each) {
        return each.scheduling.node_selector.get(key) == value;
      });
      if (of != classes.end()) {
        not_searched_.push_back(
            fmt::format("the node selector {}, which RuntimeClass {} adds", words, text(of->meta.name)));
        continue;
      }
      Step made = step(Kind::node_selector, fmt::format("without {}", words),
                       fmt::format("spec.nodeSelector[\"{}\"]", text(key)));
      made.before = words;
      offer(made, [key = key](PodSpec& spec) { spec.node_selector = without_key(spec.node_selector, key); });
    }
  }

  [[nodiscard]] auto words_of(const Requirement& requirement) const -> std::string {
    std::vector<std::string> values;
    for (const Symbol value : requirement.values) values.push_back(text(value));
    return fmt::format("{} {}{}", text(requirement.key), text(requirement.operator_text),
                       values.empty() ? "" : fmt::format(" ({})", joined(values, ", ")));
  }

  void node_affinity() {
    if (!pod_.spec.affinity.node.required) return;
    const std::string path = fmt::format("spec.affinity.nodeAffinity.{}", kRequired);
    const std::vector<NodeSelectorTerm>& terms = pod_.spec.affinity.node.required->terms;
    std::size_t requirements = 0;
    std::vector<std::pair<Step, std::function<void(PodSpec&)>>> offers;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const std::size_t in_term = terms[t].match_expressions.size() + terms[t].match_fields.size();
      requirements += in_term;
      if (!terms[t].match_fields.empty()) return;  // pinned to a node by name: its controller created it for that node
      if (in_term < 2) continue;                   // an empty term matches nothing
      const auto& list = terms[t].match_expressions;
      for (std::size_t i = 0; i < list.size(); ++i) {
        Step made = step(Kind::node_affinity, fmt::format("without {}", words_of(list[i])),
                         fmt::format("{}.nodeSelectorTerms[{}].matchExpressions[{}]", path, t, i));
        made.before = words_of(list[i]);
        offers.emplace_back(std::move(made), [t, i](PodSpec& spec) {
          if (!spec.affinity.node.required) return;  // already removed by another change
          erase_at(spec.affinity.node.required->terms[t].match_expressions, i);
        });
      }
    }
    for (auto& [made, change] : offers) offer(made, std::move(change));
    const std::string what = requirements == 1 && !terms.empty() && !terms.front().match_expressions.empty()
                                 ? "without " + words_of(terms.front().match_expressions.front())
                                 : "remove it";
    Step made = step(Kind::node_affinity, what, path);
    offer(made, [](PodSpec& spec) { spec.affinity.node.required.reset(); });
  }

  [[nodiscard]] auto words_of(const PodAffinityTerm& term) const -> std::string {
    std::vector<std::string> parts;
    if (term.selector) {
      for (const auto& [key, value] : term.selector->match_labels)
        parts.push_back(fmt::format("{}={}", text(key), text(value)));
      for (const Requirement& each : term.selector->match_expressions) parts.push_back(words_of(each));
    }
    return fmt::format("{} by {}", parts.empty() ? "any pod" : joined(parts, ", "), text(term.topology_key));
  }

  void pod_affinity(Kind kind, const PodAffinitySpec& spec, std::string_view name, PodAffinitySpec Affinity::*member) {
    for (std::size_t i = 0; i < spec.required.size(); ++i) {
      Step made = step(kind, fmt::format("without {}", words_of(spec.required[i])),
                       fmt::format("spec.affinity.{}.{}[{}]", name, kRequired, i));
      made.before = words_of(spec.required[i]);
      offer(made, [member, i](PodSpec& of) { erase_at((of.affinity.*member).required, i); });
    }
  }

  void topology_spread() {
    const auto& constraints = pod_.spec.topology_spread;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (cluster_.text(constraints[i].when_unsatisfiable) == "ScheduleAnyway") continue;
      const std::string words =
          fmt::format("maxSkew {} by {}", constraints[i].max_skew, text(constraints[i].topology_key));
      Step made = step(Kind::topology_spread, fmt::format("without {}", words),
                       fmt::format("spec.topologySpreadConstraints[{}]", i));
      made.before = words;
      const Symbol anyway = cluster_.symbols().intern("ScheduleAnyway");
      offer(made, [i, anyway](PodSpec& spec) { spec.topology_spread[i].when_unsatisfiable = anyway; });
    }
  }

  void gates() {
    if (pod_.spec.scheduling_gates.empty()) return;
    std::vector<std::string> names;
    for (const Named& gate : pod_.spec.scheduling_gates) names.push_back(text(gate.name));
    // Without Kueue's gate, the pod would run without quota.
    if (contains(names, std::string(schedulers::kueue.gate))) return;
    Step made = step(Kind::gate, fmt::format("without {}", joined(names, ", ")), "spec.schedulingGates");
    made.before = joined(names, ", ");
    offer(made, [](PodSpec& spec) { spec.scheduling_gates.clear(); });
  }

  void policy() {
    if (pod_.spec.preemption_policy != cluster_.known().never) return;
    const Symbol lower = cluster_.symbols().intern("PreemptLowerPriority");
    Step made = step(Kind::preemption_policy, "Never -> PreemptLowerPriority", "spec.preemptionPolicy");
    const PriorityClass* of = cluster_.priority_class(pod_.spec.priority_class_name);
    if (of != nullptr && of->preemption_policy == cluster_.known().never) {
      made.object = fmt::format("PriorityClass/{}", text(of->meta.name));
      made.field = "preemptionPolicy";
      made.source = of->meta.source;
      made.note = "the class must be deleted and recreated, and then the pod";
    }
    made.before = "Never";
    made.after = "PreemptLowerPriority";
    offer(made, [lower](PodSpec& spec) { spec.preemption_policy = lower; });
  }

  // A pod without a PodGroup gets one in the queue that its label names. Offered if there is no such queue.
  void queue_label() {
    constexpr std::size_t kMostQueues = 16;
    const bool is_kai = cluster_.text(pod_.spec.scheduler_name) == schedulers::kai.scheduler_name;
    if (!is_kai || !annotation("pod-group-name").empty()) return;
    const std::string key(kai::queue_label(cluster_.objects()));
    std::set<std::string> leaves;
    for (const kai::Queue& queue : cluster_.objects().kai_queues) leaves.insert(text(queue.meta.name));
    const std::string now = label(key);
    if (leaves.contains(kai::queue_of_labels(cluster_.objects(), pod_.meta.labels))) return;
    for (const kai::Queue& queue : cluster_.objects().kai_queues) leaves.erase(text(queue.spec.parent_queue));
    if (leaves.size() > kMostQueues)
      not_searched_.push_back(fmt::format("the label {} of {} more queues", key, leaves.size() - kMostQueues));
    const Symbol symbol = cluster_.symbols().intern(key);
    std::size_t offered = 0;
    for (const std::string& name : leaves) {
      if (++offered > kMostQueues) break;
      Step made = step(Kind::label, fmt::format("{}: {}", key, name), fmt::format("metadata.labels[\"{}\"]", key));
      made.before = now;
      made.after = name;
      remedies_.push_back(
          {.kind = Kind::label,
           .most = 1,
           .turn = [id = id_, symbol, value = cluster_.symbols().intern(name)](
                       ChangedCluster& changed, std::int64_t) { changed.pod(id).meta.labels.set(symbol, value); },
           .step = [made](std::int64_t) { return made; }});
    }
  }

  [[nodiscard]] auto label(std::string_view key) const -> std::string {
    const Symbol symbol = cluster_.symbol(key);
    return symbol ? text(pod_.meta.labels.get(symbol)) : std::string();
  }

  // First other classes, then the bare number, which would need a class of its own.
  void priority() {
    const std::int32_t now = pod_.spec.priority;
    const std::string own = pod_.spec.priority_class_name
                                ? fmt::format("class {} ({})", text(pod_.spec.priority_class_name), now)
                                : fmt::format("priority {}", now);
    std::map<std::pair<std::int32_t, std::string>, const PriorityClass*> higher;
    for (const PriorityClass& each : cluster_.objects().priority_classes) {
      const bool usable =
          each.value > now && each.value <= kHighestUserPriority && each.preemption_policy != cluster_.known().never;
      if (usable) higher.emplace(std::pair(each.value, text(each.meta.name)), &each);
    }
    std::vector<PriorityClass> classes;
    for (const auto& [key, found] : higher) {
      Pod made = pod_;
      made.spec.priority_class_name = found->meta.name;
      if (const std::string why = refusal_in_place(pod_, made, cluster_); !why.empty()) {
        not_searched_.push_back(fmt::format("class {}, because {}", key.second, why));
        continue;
      }
      classes.push_back(*found);
    }
    Step base = step(Kind::priority, "", "spec.priorityClassName");
    base.before = own;
    const auto with = [base](std::string after) {
      Step made = base;
      made.what = fmt::format("{} -> {}", made.before, after);
      made.after = std::move(after);
      return made;
    };
    if (!classes.empty()) {
      std::vector<std::string> names;
      for (const PriorityClass& each : classes)
        names.push_back(fmt::format("class {} ({})", text(each.meta.name), each.value));
      remedies_.push_back(
          {.kind = Kind::priority,
           .most = static_cast<std::int64_t>(classes.size()),
           .turn =
               [id = id_, classes](ChangedCluster& changed, std::int64_t degree) {
                 const PriorityClass& chosen = classes[static_cast<std::size_t>(degree - 1)];
                 PodSpec& spec = changed.pod(id).spec;
                 spec.priority_class_name = chosen.meta.name;
                 spec.priority = chosen.value;
                 spec.has_priority = true;
                 spec.preemption_policy = chosen.preemption_policy;
               },
           .step = [with, names](std::int64_t degree) { return with(names[static_cast<std::size_t>(degree - 1)]); }});
    }
    if (now >= kHighestUserPriority) return;
    remedies_.push_back({.kind = Kind::priority,
                         .most = kHighestUserPriority - static_cast<std::int64_t>(now),
                         .turn =
                             [id = id_, now](ChangedCluster& changed, std::int64_t degree) {
                               PodSpec& spec = changed.pod(id).spec;
                               spec.priority = static_cast<std::int32_t>(now + degree);
                               spec.has_priority = true;
                             },
                         .step =
                             [with, now](std::int64_t degree) {
                               return with(
                                   fmt::format("a new class with value {}, the lowest that helps", now + degree));
                             }});
  }

  const Snapshot& cluster_;
  PodId id_;
  const Pod& pod_;
  std::vector<std::string>& not_searched_;
  std::vector<Remedy> remedies_;
};

}  // namespace

auto remedies_of_pod(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy> {
  return PodRemedies(cluster, pod, not_searched).run();
}

}  // namespace previct::fit
