#include "base/text.h"
#include "engine/kube/running_release.h"
#include "failures/outcome.h"
#include "sequence/kube_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::failures {
namespace {

constexpr std::size_t kMostFailures = 5'000;

auto nodes_alone(const Snapshot& cluster, const std::vector<NodeId>& nodes) -> std::vector<Failure> {
  std::vector<Failure> all;
  for (const NodeId node : nodes) all.push_back({std::string(cluster.name(node)), {node}});
  return all;
}

auto domains(const Snapshot& cluster, const Task& task) -> std::vector<Failure> {
  const Symbol label = cluster.symbol(task.domain);
  std::map<std::string, Failure> by_value;
  for (const NodeId node : task.nodes) {
    const SymbolMap& labels = cluster.node(node).meta.labels;
    if (!label || !labels.has(label)) continue;
    const std::string name = fmt::format("{}={}", task.domain, cluster.text(labels.get(label)));
    Failure& domain = by_value[name];
    domain.name = name;
    domain.nodes.push_back(node);
  }
  std::vector<Failure> all;
  for (auto& [name, domain] : by_value) all.push_back(std::move(domain));
  return all;
}

auto without(const std::string& domain, const Snapshot& cluster, const std::vector<NodeId>& nodes) -> std::size_t {
  const Symbol label = cluster.symbol(domain);
  return static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(), [&](NodeId node) { return !label || !cluster.node(node).meta.labels.has(label); }));
}

auto both(const Failure& a, const Failure& b) -> Failure {
  Failure pair{fmt::format("{} and {}", a.name, b.name), a.nodes};
  pair.nodes.insert(pair.nodes.end(), b.nodes.begin(), b.nodes.end());
  return pair;
}

auto pairs_of(const std::vector<Failure>& single) -> std::vector<Failure> {
  std::vector<Failure> pairs;
  for (std::size_t i = 0; i < single.size(); ++i) {
    for (std::size_t k = i + 1; k < single.size(); ++k) pairs.push_back(both(single[i], single[k]));
  }
  return pairs;
}

auto failures_of(const Snapshot& cluster, const Task& task) -> Result<std::vector<Failure>> {
  std::vector<Failure> single = task.domain.empty() ? nodes_alone(cluster, task.nodes) : domains(cluster, task);
  const std::size_t count = task.at_once == 1 ? single.size() : single.size() * (single.size() - 1) / 2;
  if (single.size() < task.at_once) {
    if (single.empty() && task.domain.empty()) return fail("the input has no nodes, so none can fail");
    if (single.empty()) return fail(fmt::format("no node has the label {}", task.domain));
    return fail(task.domain.empty() ? fmt::format("the input has fewer than {}", counted(task.at_once, "node", "nodes"))
                                    : fmt::format("the nodes have fewer than {} of label {}",
                                                  counted(task.at_once, "value", "values"), task.domain));
  }
  if (count > kMostFailures)
    return fail(fmt::format("{} failures are too many to simulate (at most {})", count, kMostFailures), {},
                "--node selects nodes, --domain zone fails zones");
  return task.at_once == 1 ? single : pairs_of(single);
}

}  // namespace

auto simulate(Task task) -> Result<Failures> {
  const Snapshot cluster(task.objects);
  Failures found;
  found.at_once = task.at_once;
  found.domain = task.domain;
  found.drains = task.drains;
  PREVICT_TRY(const std::vector<Failure> all, failures_of(cluster, task));
  PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, task.settings.question));
  PREVICT_CHECK(sequence::share_requests(cluster, task.settings));
  PREVICT_TRY(const sequence::SimulationResult calm, sequence::simulate_kube(task.objects, cluster, task.settings, {}));
  found.behaves = sequence::behaves_of(running, calm);
  Trial trial(task, cluster, calm);
  for (const Failure& failure : all) {
    PREVICT_TRY(Outcome outcome, trial.run(failure));
    found.outcomes.push_back(std::move(outcome));
  }
  found.gaps = trial.gaps();
  if (!task.domain.empty()) found.without_label = without(task.domain, cluster, task.nodes);
  std::stable_sort(found.outcomes.begin(), found.outcomes.end(), is_worse);
  return found;
}

}  // namespace previct::failures
