#include "prove/counterexample.h"

#include "api/amount_text.h"
#include "api/units.h"
#include "api/upstream.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr std::string_view kName = "previct-counterexample";

// The pod of a counterexample, as an object and as a manifest.
class Example {
 public:
  Example(const Task& task, const Decider& decider, const Counterexample& example)
      : space_(task.space),
        region_(example.region),
        scheduler_(decider.schedulers()[example.region.preemptor.scheduler]),
        node_(decider.cluster().text(decider.cluster().node(example.region.preemptor.node).meta.name)) {}

  [[nodiscard]] auto node() const -> const std::string& { return node_; }

  [[nodiscard]] auto pod(Symbols& symbols, Instant created) const -> Pod {
    Pod pod;
    pod.meta.ns = symbols.intern(space_.ns);
    pod.meta.name = symbols.intern(kName);
    pod.meta.uid = pod.meta.name;
    pod.meta.created = created;
    pod.status.phase = symbols.intern("Pending");
    pod.spec.scheduler_name = symbols.intern(scheduler_);
    pod.spec.priority = static_cast<std::int32_t>(region_.preemptor.priority);
    pod.spec.has_priority = true;
    if (space_.tolerates_taints)
      pod.spec.tolerations.push_back({.key = {}, .op = symbols.intern("Exists"), .value = {}, .effect = {}});
    Requirement name{
        symbols.intern("metadata.name"), symbols.intern("In"), SelectorOperator::in, {symbols.intern(node_)}};
    pod.spec.affinity.node.required.emplace().terms.push_back({{}, {std::move(name)}});
    ResourceList& requests = pod.spec.containers.emplace_back().resources.requests;
    for (std::size_t i = 0; i < space_.requests.size(); ++i) {
      if (amount(i) == 0) continue;
      const std::string& resource = space_.requests[i].resource;
      requests.set(symbols.intern(resource), of_units(resource, amount(i)));
    }
    return pod;
  }

  // Names from the input are quoted as JSON strings, which are YAML.
  [[nodiscard]] auto manifest() const -> std::string {
    std::string text;
    if (!system_class()) {
      text +=
          fmt::format("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: {}\nvalue: {}\n---\n",
                      kName, region_.preemptor.priority);
    }
    text += fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\n  namespace: {}\nspec:\n  schedulerName: {}\n"
        "  priorityClassName: {}\n",
        kName, Json(space_.ns).dump(), Json(scheduler_).dump(), system_class() ? *system_class() : kName);
    if (space_.tolerates_taints) text += "  tolerations:\n  - operator: Exists\n";
    text += fmt::format(
        "  affinity:\n    nodeAffinity:\n"
        "      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n        - matchFields:\n"
        "          - key: metadata.name\n            operator: In\n            values:\n            - {}\n",
        Json(node_).dump());
    return text + containers();
  }

 private:
  [[nodiscard]] auto amount(std::size_t resource) const -> std::int64_t { return region_.requests[resource].least; }

  [[nodiscard]] auto system_class() const -> std::optional<std::string_view> {
    for (const upstream::SystemClass& each : upstream::kSystemClasses) {
      if (each.value == region_.preemptor.priority) return each.name;
    }
    return {};
  }

  // The API server requires that limits of extended resources equal the requests.
  [[nodiscard]] auto containers() const -> std::string {
    std::string text = "  containers:\n  - name: main\n    image: registry.k8s.io/pause:3.10\n";
    std::string lists[2];
    for (std::size_t i = 0; i < space_.requests.size(); ++i) {
      if (amount(i) == 0) continue;
      const std::string& resource = space_.requests[i].resource;
      const std::string line =
          fmt::format("        {}: {}\n", Json(resource).dump(), Json(amount_text(resource, amount(i))).dump());
      lists[0] += line;
      if (upstream::is_extended_resource(resource)) lists[1] += line;
    }
    if (!lists[0].empty()) text += "    resources:\n      requests:\n" + lists[0];
    if (!lists[1].empty()) text += "      limits:\n" + lists[1];
    return text;
  }

  const Space& space_;
  const Region& region_;
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
  task.objects.pods.add(made.pod(task.objects.symbols, question.now));
  Result<Answer> answer = explain(task.engine, Snapshot(task.objects), question);
  task.objects.pods.items().pop_back();
  if (!answer) return tl::unexpected(std::move(answer).error());
  example.answer = *std::move(answer);
  example.answer.account.reset();  // refers to the snapshot
  for (Assumption& each : example.answer.assumed) each.account.reset();
  if (example.answer.outcome == Outcome::preempts && invariant.is_broken_by(example.answer)) return {};
  return fail(fmt::format("the counterexample is not confirmed: it {} (a bug in previct)", example.answer.sentence));
}

}  // namespace previct::prove
