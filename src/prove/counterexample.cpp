#include "prove/counterexample.h"

#include "api/amount_text.h"
#include "api/units.h"
#include "api/upstream.h"
#include "prove/as_written.h"
#include "report/yaml.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr std::string_view kName = "previct-counterexample";

template <class Object>
auto fields_of(std::string_view api_version, std::string_view kind, Object object, const Symbols& symbols) -> Json {
  return Json::parse(as_written(api_version, kind, std::move(object), symbols));
}

// The pod of a counterexample, and its PriorityClass, as one applies them.
class Example {
 public:
  // `node`: the only one on which the pod may run; none: it may run on each that its form allows.
  Example(const Task& task, const Decider& decider, const Counterexample& example, NodeId node)
      : space_(task.space),
        region_(example.region),
        objects_(task.objects),
        symbols_(task.objects.symbols),
        kind_(decider.kinds()[example.region.preemptor.kind]),
        node_(node ? decider.cluster().name(node) : "") {}

  [[nodiscard]] auto node() const -> const std::string& { return node_; }
  [[nodiscard]] auto form() const -> const Form* { return kind_.form; }

  [[nodiscard]] auto manifest() const -> std::string {
    Json fields = fields_of("v1", "Pod", this->pod(), symbols_);
    Json& container = fields["spec"]["containers"][0];
    if (container.contains("resources")) write_amounts(container["resources"]);
    if (form() != nullptr) write_ephemeral_claims(fields["spec"]);
    if (system_class()) return yaml_of(fields);
    PriorityClass own;
    own.meta.name = symbols_.intern(kName);
    own.value = priority();
    return yaml_of(fields_of("scheduling.k8s.io/v1", "PriorityClass", own, symbols_)) + "---\n" + yaml_of(fields);
  }

  // The pod after admission.
  [[nodiscard]] auto pending(Instant created) const -> Pod {
    Pod pod = this->pod();
    pod.spec.priority_class_name = {};
    pod.spec.priority = priority();
    pod.spec.has_priority = true;
    pod.meta.uid = pod.meta.name;
    pod.meta.created = created;
    pod.status.phase = symbols_.intern("Pending");
    return pod;
  }

 private:
  [[nodiscard]] auto pod() const -> Pod {
    Pod pod;
    if (form() != nullptr) {
      pod = form()->pod;
    } else {
      pod.meta.ns = symbols_.intern(space_.ns);
      if (space_.tolerates_taints)
        pod.spec.tolerations.push_back({.key = {}, .op = symbols_.intern("Exists"), .value = {}, .effect = {}});
    }
    pod.meta.name = symbols_.intern(kName);
    pod.spec.scheduler_name = symbols_.intern(kind_.scheduler);
    pod.spec.priority_class_name = symbols_.intern(system_class().value_or(kName));
    if (!node_.empty()) pin(pod);
    add_containers(pod);
    return pod;
  }

  // To each term, because one of them is enough.
  void pin(Pod& pod) const {
    std::optional<NodeSelector>& required = pod.spec.affinity.node.required;
    if (!required) required.emplace();
    if (required->terms.empty()) required->terms.emplace_back();
    for (NodeSelectorTerm& term : required->terms) {
      term.match_fields.push_back(
          {symbols_.intern("metadata.name"), symbols_.intern("In"), SelectorOperator::in, {symbols_.intern(node_)}});
    }
    pod.spec.affinity.given = true;
  }

  // As people write them: `4Gi`.
  void write_amounts(Json& resources) const {
    for (auto& [list, amounts] : resources.items()) {
      for (std::size_t i = 0; i < space_.requests.size(); ++i) {
        const std::string& resource = space_.requests[i].resource;
        if (amounts.contains(resource)) amounts[resource] = amount_text(resource, region_.requests[i].least);
      }
    }
  }

  // The template of a claim is not read with the pod: it is taken from the claim that was made from it.
  void write_ephemeral_claims(Json& spec) const {
    for (const Volume& volume : std::as_const(form()->pod.spec.volumes)) {
      const PersistentVolumeClaim* known = volume.ephemeral ? claim_of_ephemeral(*form(), volume, objects_) : nullptr;
      if (known == nullptr) continue;
      PersistentVolumeClaim claim = *known;
      claim.spec.volume_name = {};
      for (Json& each : spec["volumes"]) {
        if (each["name"] != symbols_.text(volume.name)) continue;
        each["ephemeral"] = Json::object();
        each["ephemeral"]["volumeClaimTemplate"]["spec"] =
            fields_of("v1", "PersistentVolumeClaim", claim, symbols_)["spec"];
      }
    }
  }

  void add_containers(Pod& pod) const {
    if (pod.spec.containers.empty()) pod.spec.containers.emplace_back();
    const auto complete = [&](SharedList<Container>& containers, std::string_view prefix) {
      for (std::size_t i = 0; i < containers.size(); ++i) {
        if (!containers[i].name)
          containers[i].name = symbols_.intern(i == 0 ? std::string(prefix) : fmt::format("{}-{}", prefix, i));
        containers[i].image = symbols_.intern("registry.k8s.io/pause:3.10");
      }
    };
    complete(pod.spec.containers, "main");
    complete(pod.spec.init_containers, "init");
    ResourceRequirements& resources = pod.spec.containers[0].resources;
    for (std::size_t i = 0; i < space_.requests.size(); ++i) {
      const std::string& resource = space_.requests[i].resource;
      const std::int64_t amount = region_.requests[i].least;
      // A LimitRange of the namespace may add what a manifest does not say.
      if (amount == 0 && !has_limits()) continue;
      const Quantity quantity = of_units(resource, amount);
      resources.requests.set(symbols_.intern(resource), quantity);
      // The API server requires that limits of extended resources equal the requests.
      if (upstream::is_extended_resource(resource) || (has_limits() && amount > 0))
        resources.limits.set(symbols_.intern(resource), quantity);
    }
  }

  // A LimitRange has changed the pod that the form is like.
  [[nodiscard]] auto has_limits() const -> bool { return form() != nullptr && form()->has_limits; }

  [[nodiscard]] auto priority() const -> std::int32_t { return static_cast<std::int32_t>(region_.preemptor.priority); }

  [[nodiscard]] auto system_class() const -> std::optional<std::string_view> {
    for (const upstream::SystemClass& each : upstream::kSystemClasses) {
      if (each.value == region_.preemptor.priority) return each.name;
    }
    return {};
  }

  const Space& space_;
  const Region& region_;
  const Objects& objects_;
  Symbols& symbols_;
  const Kind& kind_;
  std::string node_;
};

// Asks the engine about the pod on this node only, or on all nodes. Returns true if the verdict breaks the invariant.
auto try_pod(const Task& task, const Decider& decider, const Invariant& invariant, NodeId node, Counterexample& example)
    -> Result<bool> {
  const Example made(task, decider, example, node);
  Question question = task.question;
  question.kind = "pod";
  question.now = example.region.preemptor.at;
  OwnClaims claims(task.objects);
  Pod pod = made.pending(question.now);
  question.ns = task.objects.symbols.text(pod.meta.ns);
  question.name = kName;
  if (made.form() != nullptr) PREVICT_CHECK(claims.give(pod, *made.form(), question.now));
  task.objects.pods.add(std::move(pod));
  Result<Answer> answer = explain(task.engine, Snapshot(task.objects), question);
  task.objects.pods.items().pop_back();
  if (!answer) return tl::unexpected(std::move(answer).error());
  const bool broken = answer->outcome != Outcome::unknown && invariant.is_broken_by(*answer);
  example.answer = *std::move(answer);
  example.answer.account.reset();  // refers to the snapshot
  for (Assumption& each : example.answer.assumed) each.account.reset();
  example.node = made.node();
  example.manifest = made.manifest();
  return broken;
}

}  // namespace

auto confirm(const Task& task, const Decider& decider, const Invariant& invariant, Counterexample& example)
    -> Result<void> {
  const NodeId node = example.region.preemptor.node;
  if (node && decider.kinds()[example.region.preemptor.kind].form != nullptr &&
      confirm_unpinned(task, decider, invariant, example))
    return {};
  PREVICT_TRY(const bool broken, try_pod(task, decider, invariant, node, example));
  if (broken) return {};
  return fail(fmt::format("the counterexample is not confirmed: it {} (a bug in previct)", example.answer.sentence));
}

auto confirm_unpinned(const Task& task, const Decider& decider, const Invariant& invariant, Counterexample& example)
    -> bool {
  const Result<bool> broken = try_pod(task, decider, invariant, {}, example);
  return broken && *broken;
}

}  // namespace previct::prove
