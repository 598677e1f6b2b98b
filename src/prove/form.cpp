#include "prove/form.h"

#include "api/amount_text.h"
#include "api/plugin_kinds.h"
#include "api/units.h"
#include "base/text.h"
#include "engine/kube/profile.h"
#include "overlay/admission.h"
#include "prove/as_written.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::prove {
namespace {

auto is_hard(const TopologySpreadConstraint& constraint, const Symbols& symbols) -> bool {
  return symbols.text(constraint.when_unsatisfiable) == "DoNotSchedule";
}

// The labels of a preemptor that decide. A value that no selector names is as good as no label, unless a selector asks
// whether there is one.
class LabelsRead {
 public:
  /// Those that the other pods read, which may keep it away.
  explicit LabelsRead(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      const auto& terms = cluster.pod(id).spec.affinity.pod_anti.required;
      if (terms.empty() || cluster.finished(id)) continue;
      keeps_away_ = true;
      for (const PodAffinityTerm& term : terms) add(term);
    }
    // Objects of plugins that are not modeled may name their pods by a label.
    for (const auto& [kind, namespaces] : cluster.objects().plugin_objects) {
      if (const PluginKind* of = find_plugin_kind(kind); of != nullptr && !of->label.empty())
        keys_[cluster.symbol(of->label)].any = true;
    }
  }
  /// Those that its own rules read: whether it is one of the pods to be near, or one of those that it counts.
  LabelsRead(const PodSpec& own, const Symbols& symbols) {
    for (const PodAffinityTerm& term : own.affinity.pod.required) add(term);
    for (const TopologySpreadConstraint& each : own.topology_spread) {
      if (!is_hard(each, symbols)) continue;
      add(each.selector);
      add(each.match_label_keys);
    }
  }

  [[nodiscard]] auto decides(Symbol key, Symbol value) const -> bool {
    const auto found = keys_.find(key);
    return found != keys_.end() && (found->second.any || found->second.values.contains(value));
  }
  /// Some pod keeps others away, by their namespace among others.
  [[nodiscard]] auto keeps_away() const -> bool { return keeps_away_; }

 private:
  struct Read {
    std::set<Symbol> values;
    bool any = false;  // the label decides, whatever its value
  };

  void add(const PodAffinityTerm& term) {
    add(term.selector);
    add(term.match_label_keys);
    add(term.mismatch_label_keys);
  }
  void add(const SharedList<Symbol>& keys) {
    for (const Symbol key : keys) keys_[key].any = true;
  }
  void add(const std::optional<LabelSelector>& selector) {
    if (!selector) return;
    for (const auto& [key, value] : selector->match_labels) keys_[key].values.insert(value);
    for (const Requirement& each : selector->match_expressions) {
      Read& read = keys_[each.key];
      read.values.insert(each.values.begin(), each.values.end());
      read.any = read.any || (each.op != SelectorOperator::in && each.op != SelectorOperator::not_in);
    }
  }

  std::map<Symbol, Read> keys_;
  bool keeps_away_ = false;
};

auto controlled_by(const Pod& pod, std::string_view kind, const Symbols& symbols) -> bool {
  const OwnerReference* owner = controller_of(pod.meta);
  return owner != nullptr && symbols.text(owner->kind) == kind;
}

auto without(const ResourceList& list, const std::set<Symbol>& names) -> ResourceList {
  ResourceList kept;
  for (const auto& [name, amount] : list) {
    if (!names.contains(name)) kept.set(name, amount);
  }
  return kept;
}

// Removes the keys that the API server has merged into the selector, and would merge again.
auto not_merged(const SharedList<Symbol>& keys, const std::optional<LabelSelector>& selector) -> SharedList<Symbol> {
  SharedList<Symbol> left;
  for (const Symbol key : keys) {
    const bool merged = selector && std::any_of(selector->match_expressions.begin(), selector->match_expressions.end(),
                                                [&](const Requirement& each) { return each.key == key; });
    if (!merged) left.push_back(key);
  }
  return left;
}

auto as_created(const SharedList<PodAffinityTerm>& terms) -> SharedList<PodAffinityTerm> {
  SharedList<PodAffinityTerm> out;
  for (PodAffinityTerm term : terms) {
    term.match_label_keys = not_merged(term.match_label_keys, term.selector);
    term.mismatch_label_keys = not_merged(term.mismatch_label_keys, term.selector);
    out.push_back(std::move(term));
  }
  return out;
}

class Forms {
 public:
  Forms(const Snapshot& cluster, const Question& question, std::span<const Requested> varied, DaemonNodes daemons)
      : cluster_(cluster), symbols_(cluster.symbols()), question_(question), daemons_(daemons), read_(cluster) {
    for (const Requested& each : varied) {
      if (const Symbol name = cluster.symbol(each.resource)) varied_.insert(name);
    }
  }

  auto add(PodId id) -> Result<void> {
    PREVICT_TRY(const bool spreads, spreads_by_default(id));
    Form form{.pod = reduced(id, spreads), .like = id, .name = cluster_.key(id)};
    const Symbol limited = cluster_.symbol("kubernetes.io/limit-ranger");
    form.has_limits = limited && cluster_.pod(id).meta.annotations.has(limited);
    const auto [at, is_new] = places_.try_emplace(key_of(form.pod, spreads), forms_.size());
    if (is_new) {
      forms_.push_back(std::move(form));
    } else {
      ++forms_[at->second].pods;
    }
    return {};
  }

  auto take() -> std::vector<Form> { return std::move(forms_); }

 private:
  // Returns true if default constraints keep pods of this scheduler from nodes. They count the pods of its Services and
  // its controller.
  auto spreads_by_default(PodId id) -> Result<bool> {
    const std::string scheduler(scheduler_of(cluster_, id));
    const auto [at, is_new] = spreads_.try_emplace(scheduler, false);
    if (is_new) {
      PREVICT_TRY(const std::optional<kube::Profile> profile, kube::profile_for(cluster_, scheduler, question_));
      at->second = profile && !profile->settings.default_spread.empty();
    }
    return at->second;
  }

  [[nodiscard]] auto reduced(PodId id, bool spreads) const -> Pod {
    Pod pod = cluster_.pod(id);
    const bool of_daemons = controlled_by(pod, "DaemonSet", symbols_);
    ObjectMeta meta;
    meta.name = pod.meta.name;
    meta.ns = pod.meta.ns;
    const LabelsRead own(pod.spec, symbols_);
    for (const auto& [key, value] : pod.meta.labels) {
      if (spreads || read_.decides(key, value) || own.decides(key, value)) meta.labels.set(key, value);
    }
    if (spreads) meta.owners = pod.meta.owners;
    pod.meta = std::move(meta);
    pod.status = {};
    PodSpec& spec = pod.spec;
    spec.containers = reduced(spec.containers);
    spec.init_containers = reduced(spec.init_containers);
    spec.ephemeral_containers.clear();
    spec.overhead = without(spec.overhead, varied_);
    if (spec.resources) {
      spec.resources->requests = without(spec.resources->requests, varied_);
      spec.resources->limits.clear();
      spec.resources->has_claims = false;
      if (spec.resources->requests.empty()) spec.resources.reset();
    }
    spec.node_name = spec.priority_class_name = spec.preemption_policy = {};
    spec.priority = 0;
    spec.has_priority = false;
    spec.termination_grace_seconds.reset();
    spec.active_deadline_seconds.reset();
    spec.scheduling_gates.clear();
    reduce_affinity(spec.affinity, of_daemons && daemons_ == DaemonNodes::any);
    reduce_spread(spec.topology_spread, spreads);
    SharedList<Volume> volumes;
    for (const Volume& each : std::as_const(spec.volumes)) {
      if (each.is_storage()) volumes.push_back(each);
    }
    spec.volumes = std::move(volumes);
    return pod;
  }

  [[nodiscard]] auto reduced(const SharedList<Container>& containers) const -> SharedList<Container> {
    SharedList<Container> out;
    for (const Container& each : containers) {
      Container kept;
      kept.name = each.name;
      kept.restart_policy = each.restart_policy;
      kept.restart_rules = each.restart_rules;
      kept.resources.requests = without(each.resources.requests, varied_);
      // The API server requires that they equal the requests.
      for (const auto& [name, amount] : kept.resources.requests) {
        if (needs_limit(symbols_.text(name))) kept.resources.limits.set(name, amount);
      }
      for (const ContainerPort& port : each.ports) {
        if (port.host_port > 0) kept.ports.push_back(port);
      }
      for (const VolumeMount& mount : each.mounts) {
        if (mount.has_bind_mount_options) kept.mounts.push_back(mount);
      }
      const bool decides = !kept.resources.requests.empty() || !kept.ports.empty() || !kept.mounts.empty() ||
                           !kept.restart_rules.empty();
      if (decides) out.push_back(std::move(kept));
    }
    return out;
  }

  void reduce_affinity(Affinity& affinity, bool any_node) const {
    affinity.node.preferred.reset();
    affinity.pod.preferred.clear();
    affinity.pod_anti.preferred.clear();
    affinity.pod.required = as_created(affinity.pod.required);
    affinity.pod_anti.required = as_created(affinity.pod_anti.required);
    if (any_node && affinity.node.required) forget_own_node(affinity.node.required);
    affinity.given = affinity.node.required || !affinity.pod.required.empty() || !affinity.pod_anti.required.empty();
  }

  // The DaemonSet's controller adds the name of the node to each term, or a term with it.
  void forget_own_node(std::optional<NodeSelector>& required) const {
    for (NodeSelectorTerm& term : required->terms) {
      std::erase_if(term.match_fields,
                    [&](const Requirement& each) { return each.key == cluster_.known().metadata_name; });
    }
    // A term without requirements stands for the one that only had the name: then every node is allowed.
    const bool any = std::any_of(required->terms.begin(), required->terms.end(), [](const NodeSelectorTerm& term) {
      return term.match_fields.empty() && term.match_expressions.empty();
    });
    if (any) required.reset();
  }

  // With any constraint of its own, a pod has no default constraints.
  void reduce_spread(SharedList<TopologySpreadConstraint>& constraints, bool spreads) const {
    SharedList<TopologySpreadConstraint> out;
    for (TopologySpreadConstraint each : std::as_const(constraints)) {
      if (!spreads && !is_hard(each, symbols_)) continue;
      each.match_label_keys = not_merged(each.match_label_keys, each.selector);
      out.push_back(std::move(each));
    }
    constraints = std::move(out);
  }

  // The namespace decides where the pod refers to objects of it, or where selectors of pods read it.
  [[nodiscard]] auto depends_on_namespace(const Pod& pod, bool spreads) const -> bool {
    const PodSpec& spec = pod.spec;
    return spreads || read_.keeps_away() || spec.has_storage() || !spec.resource_claims.empty() ||
           !spec.topology_spread.empty() || !spec.affinity.pod.required.empty() ||
           !spec.affinity.pod_anti.required.empty() || spec.workload_ref.workload || spec.scheduling_group.pod_group;
  }

  // Forms with the same key are decided alike.
  [[nodiscard]] auto key_of(Pod pod, bool spreads) const -> std::string {
    // The claims of generic ephemeral volumes are named after the pod.
    const auto& volumes = std::as_const(pod.spec.volumes);
    if (std::none_of(volumes.begin(), volumes.end(), [](const Volume& each) { return each.ephemeral; }))
      pod.meta.name = {};
    if (!depends_on_namespace(pod, spreads)) pod.meta.ns = {};
    SharedList<Container> containers;
    for (Container each : std::as_const(pod.spec.containers)) {
      each.name = {};
      containers.push_back(std::move(each));
    }
    pod.spec.containers = std::move(containers);
    return as_written("v1", "Pod", std::move(pod), symbols_);
  }

  const Snapshot& cluster_;
  const Symbols& symbols_;
  const Question& question_;
  DaemonNodes daemons_;
  LabelsRead read_;
  std::set<Symbol> varied_;
  std::map<std::string, bool, std::less<>> spreads_;  // by schedulerName
  std::map<std::string, std::size_t> places_;         // in forms_, by key
  std::vector<Form> forms_;
};

// ---- words

class Traits {
 public:
  Traits(const Form& form, const Symbols& symbols) : pod_(form.pod), symbols_(symbols) {}

  auto run() -> std::vector<std::string> {
    const PodSpec& spec = pod_.spec;
    if (!pod_.meta.labels.empty()) labels();
    if (!spec.node_selector.empty()) words_.emplace_back("node selector");
    if (spec.affinity.node.required) words_.emplace_back("node affinity");
    if (!spec.tolerations.empty()) words_.emplace_back("tolerations");
    if (!spec.affinity.pod.required.empty()) words_.emplace_back("pod affinity");
    if (!spec.affinity.pod_anti.required.empty()) words_.emplace_back("pod anti-affinity");
    for (const TopologySpreadConstraint& each : spec.topology_spread) {
      if (is_hard(each, symbols_)) words_.push_back(fmt::format("spread over {}", symbols_.text(each.topology_key)));
    }
    ports(spec.containers);
    ports(spec.init_containers);
    for (const Volume& each : spec.volumes) volume(each);
    if (!spec.resource_claims.empty()) words_.emplace_back("resource claims");
    requests(spec.containers);
    requests(spec.init_containers);
    if (!spec.overhead.empty()) words_.emplace_back("overhead");
    return std::move(words_);
  }

 private:
  void labels() {
    std::string text = pod_.meta.labels.size() == 1 ? "label" : "labels";
    for (const auto& [key, value] : pod_.meta.labels) {
      text += fmt::format("{} {}={}", text.starts_with("label ") || text.starts_with("labels ") ? "," : "",
                          symbols_.text(key), symbols_.text(value));
    }
    words_.push_back(std::move(text));
  }

  void ports(const SharedList<Container>& containers) {
    for (const Container& each : containers) {
      for (const ContainerPort& port : each.ports) words_.push_back(fmt::format("host port {}", port.host_port));
    }
  }

  void volume(const Volume& volume) {
    if (volume.claim.claim_name) {
      words_.push_back(fmt::format("volume claim {}", symbols_.text(volume.claim.claim_name)));
    } else {
      words_.emplace_back(volume.ephemeral ? "ephemeral volume" : "disk");
    }
  }

  void requests(const SharedList<Container>& containers) {
    for (const Container& each : containers) {
      for (const auto& [name, amount] : each.resources.requests) {
        const std::string resource(symbols_.text(name));
        words_.push_back(fmt::format("{} {}", resource, amount_text(resource, in_units(resource, amount))));
      }
    }
  }

  const Pod& pod_;
  const Symbols& symbols_;
  std::vector<std::string> words_;
};

}  // namespace

auto forms_of(const Snapshot& cluster, const Question& question, std::span<const PodId> pods,
              std::span<const Requested> varied, DaemonNodes daemons) -> Result<std::vector<Form>> {
  Forms forms(cluster, question, varied, daemons);
  for (const PodId pod : pods) PREVICT_CHECK(forms.add(pod));
  return forms.take();
}

auto pods_to_be_like(const Snapshot& cluster, const Engine& engine) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const PodId pod : cluster.pods().ids()) {
    const bool of_kubelet = controlled_by(cluster.pod(pod), "Node", cluster.symbols());
    if (!cluster.finished(pod) && !of_kubelet && engine_of(engines(), cluster, pod) == &engine) pods.push_back(pod);
  }
  return pods;
}

auto like_words(const std::vector<Form>& forms) -> std::string {
  constexpr std::size_t kNamed = 3;
  if (forms.empty()) return "";
  if (forms.size() > kNamed) return fmt::format(" like one of {} pods", forms.size());
  std::vector<std::string> names;
  for (const Form& form : forms) names.push_back(form.name);
  return " like " + joined(names, " or ");
}

auto traits_of(const Form& form, const Symbols& symbols) -> std::vector<std::string> {
  return Traits(form, symbols).run();
}

}  // namespace previct::prove
