#include "support/cluster.h"

#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {
namespace {

auto split(const std::string& key) -> std::pair<std::string, std::string> {
  const std::size_t slash = key.find('/');
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

auto PodBuilder::yaml() const -> std::string {
  const auto [ns, name] = split(key_);
  std::string out = fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  namespace: {}\n  name: {}\n  uid: uid-{}-{}\n",
                                ns, name, ns, name);
  if (!labels_.empty()) out += fmt::format("  labels: {}\n", labels_);
  if (!deleting_.empty()) out += fmt::format("  deletionTimestamp: \"{}\"\n", deleting_);
  out += fmt::format(
      "spec:\n  priority: {}\n  containers:\n  - name: main\n    resources: {{requests: {{cpu: \"{}\"}}}}\n", priority_,
      cpu_);
  if (!node_.empty()) out += fmt::format("  nodeName: \"{}\"\n", node_);
  if (!priority_class_.empty()) out += fmt::format("  priorityClassName: {}\n", priority_class_);
  if (!policy_.empty()) out += fmt::format("  preemptionPolicy: {}\n", policy_);
  if (!spec_.empty()) out += fmt::format("  {}\n", spec_);
  out += fmt::format("status:\n  phase: {}\n", node_.empty() ? "Pending" : "Running");
  if (!nominated_.empty()) out += fmt::format("  nominatedNodeName: \"{}\"\n", nominated_);
  if (!started_.empty()) out += fmt::format("  startTime: \"{}\"\n", started_);
  if (!scheduled_.empty()) {
    out += fmt::format("  conditions:\n  - {{type: PodScheduled, status: \"True\", lastTransitionTime: \"{}\"}}\n",
                       scheduled_);
  }
  return out;
}

auto a_node(const std::string& name, const std::string& cpu, int pods) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata:\n  name: \"{0}\"\n  labels: {{kubernetes.io/hostname: \"{0}\"}}\n"
      "status:\n  allocatable: {{cpu: \"{1}\", memory: 16Gi, pods: \"{2}\"}}\n",
      name, cpu, pods);
}

auto a_class(const std::string& name, int value, const std::string& annotations) -> std::string {
  return fmt::format(
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: {}\n  annotations: {}\nvalue: {}\n",
      name, annotations, value);
}

auto a_budget(const std::string& key, const std::string& app, int allowed) -> std::string {
  const auto [ns, name] = split(key);
  return fmt::format(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  namespace: {}\n  name: {}\n"
      "spec:\n  selector: {{matchLabels: {{app: {}}}}}\nstatus:\n  disruptionsAllowed: {}\n",
      ns, name, app, allowed);
}

auto a_cluster(const std::vector<std::string>& documents) -> std::unique_ptr<TestCluster> {
  auto cluster = std::make_unique<TestCluster>();
  std::string text;
  for (const std::string& document : documents) text += "---\n" + document;
  const auto read = read_text(text, cluster->objects);
  if (!read) FAIL(fmt::format("{}:{}: {}", read.error().place.line, read.error().place.column, read.error().message));
  cluster->snapshot = std::make_unique<Snapshot>(cluster->objects);
  return cluster;
}

auto ask_kube(const TestCluster& cluster, const std::string& pod, const std::string& now, std::string_view plugin)
    -> Answer {
  Question question;
  std::tie(question.ns, question.name) = split(pod);
  question.now = parse_instant(now).value();
  question.toleration_plugin = plugin;
  for (const Engine* engine : engines()) {
    if (engine->name() != "kube") continue;
    auto answer = explain(*engine, *cluster.snapshot, question);
    if (!answer) FAIL(answer.error().message);
    return *std::move(answer);
  }
  FAIL("no kube engine");
  return {};
}

}  // namespace previct::test
