#include "prove/counterexample.h"

#include "api/amount_text.h"
#include "api/field_writer.h"
#include "api/units.h"
#include "api/upstream.h"
#include "report/yaml.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr std::string_view kName = "previct-counterexample";

// Writes texts as they are.
class AsWritten final : public Wording {
 public:
  explicit AsWritten(const Symbols& symbols) : symbols_(symbols) {}
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view override { return symbols_.text(symbol); }
  [[nodiscard]] auto embedded(const EmbeddedText& value) const -> std::string override { return value.text; }

 private:
  const Symbols& symbols_;
};

template <class Object>
auto fields_of(std::string_view api_version, std::string_view kind, Object object, const Symbols& symbols) -> Json {
  const AsWritten wording(symbols);
  std::string json;
  FieldWriter(wording, json).write(api_version, kind, std::move(object));
  return Json::parse(json);
}

// The pod of a counterexample, and its PriorityClass, as one applies them.
class Example {
 public:
  Example(const Task& task, const Decider& decider, const Counterexample& example)
      : space_(task.space),
        region_(example.region),
        symbols_(task.objects.symbols),
        scheduler_(decider.schedulers()[example.region.preemptor.scheduler]),
        node_(name_of(example.region.preemptor.node, decider.cluster())) {}

  [[nodiscard]] auto node() const -> const std::string& { return node_; }

  [[nodiscard]] auto manifest() const -> std::string {
    Json fields = fields_of("v1", "Pod", this->pod(), symbols_);
    write_amounts(fields["spec"]["containers"][0]["resources"]);
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
  static auto name_of(NodeId node, const Snapshot& cluster) -> std::string {
    return node ? std::string(cluster.text(cluster.node(node).meta.name)) : "";
  }

  [[nodiscard]] auto pod() const -> Pod {
    Pod pod;
    pod.meta.ns = symbols_.intern(space_.ns);
    pod.meta.name = symbols_.intern(kName);
    pod.spec.scheduler_name = symbols_.intern(scheduler_);
    pod.spec.priority_class_name = symbols_.intern(system_class().value_or(kName));
    if (space_.tolerates_taints)
      pod.spec.tolerations.push_back({.key = {}, .op = symbols_.intern("Exists"), .value = {}, .effect = {}});
    if (!node_.empty()) pin(pod);
    add_container(pod);
    return pod;
  }

  void pin(Pod& pod) const {
    Requirement name{
        symbols_.intern("metadata.name"), symbols_.intern("In"), SelectorOperator::in, {symbols_.intern(node_)}};
    pod.spec.affinity.node.required.emplace().terms.push_back({{}, {std::move(name)}});
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

  // The API server requires that limits of extended resources equal the requests.
  void add_container(Pod& pod) const {
    Container& container = pod.spec.containers.emplace_back();
    container.name = symbols_.intern("main");
    container.image = symbols_.intern("registry.k8s.io/pause:3.10");
    for (std::size_t i = 0; i < space_.requests.size(); ++i) {
      const std::string& resource = space_.requests[i].resource;
      const std::int64_t amount = region_.requests[i].least;
      if (amount == 0) continue;
      const Quantity quantity = of_units(resource, amount);
      container.resources.requests.set(symbols_.intern(resource), quantity);
      if (upstream::is_extended_resource(resource)) container.resources.limits.set(symbols_.intern(resource), quantity);
    }
  }

  [[nodiscard]] auto priority() const -> std::int32_t { return static_cast<std::int32_t>(region_.preemptor.priority); }

  [[nodiscard]] auto system_class() const -> std::optional<std::string_view> {
    for (const upstream::SystemClass& each : upstream::kSystemClasses) {
      if (each.value == region_.preemptor.priority) return each.name;
    }
    return {};
  }

  const Space& space_;
  const Region& region_;
  Symbols& symbols_;
  std::string scheduler_;
  std::string node_;
};

}  // namespace

auto confirm(const Task& task, const Decider& decider, const Invariant& invariant, Counterexample& example)
    -> Result<void> {
  const Example made(task, decider, example);
  example.node = made.node();
  example.manifest = made.manifest();
  Question question = task.question;
  question.kind = "pod";
  question.ns = task.space.ns;
  question.name = kName;
  question.now = example.region.preemptor.at;
  task.objects.pods.add(made.pending(question.now));
  Result<Answer> answer = explain(task.engine, Snapshot(task.objects), question);
  task.objects.pods.items().pop_back();
  if (!answer) return tl::unexpected(std::move(answer).error());
  example.answer = *std::move(answer);
  example.answer.account.reset();  // refers to the snapshot
  for (Assumption& each : example.answer.assumed) each.account.reset();
  if (example.answer.outcome != Outcome::unknown && invariant.is_broken_by(example.answer)) return {};
  return fail(fmt::format("the counterexample is not confirmed: it {} (a bug in previct)", example.answer.sentence));
}

}  // namespace previct::prove
