#pragma once

#include "cluster/snapshot.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <memory>
#include <string>
#include <vector>

namespace previct::test {

/// Builds a pod of a hand-written cluster: `a_pod("ns/name").on("n1").priority(9).cpu("500m")`.
class PodBuilder {
 public:
  explicit PodBuilder(std::string key) : key_(std::move(key)) {}

  auto on(std::string node) -> PodBuilder& { return set(node_, std::move(node)); }
  auto priority(int value) -> PodBuilder& { return set(priority_, std::to_string(value)); }
  auto priority_class(std::string name) -> PodBuilder& { return set(priority_class_, std::move(name)); }
  auto cpu(std::string amount) -> PodBuilder& { return set(cpu_, std::move(amount)); }
  auto started(std::string time) -> PodBuilder& { return set(started_, std::move(time)); }
  auto scheduled(std::string time) -> PodBuilder& { return set(scheduled_, std::move(time)); }
  auto deleting(std::string time) -> PodBuilder& { return set(deleting_, std::move(time)); }
  auto never_preempts() -> PodBuilder& { return set(policy_, "Never"); }
  auto labels(std::string yaml) -> PodBuilder& { return set(labels_, std::move(yaml)); }  ///< flow style: `{app: a}`
  auto nominated(std::string node) -> PodBuilder& { return set(nominated_, std::move(node)); }
  auto spec(std::string yaml) -> PodBuilder& {
    return set(spec_, std::move(yaml));
  }  ///< more of the spec: `hostNetwork: true`

  [[nodiscard]] auto yaml() const -> std::string;

 private:
  auto set(std::string& field, std::string value) -> PodBuilder& {
    field = std::move(value);
    return *this;
  }
  std::string key_, node_, priority_ = "0", priority_class_, cpu_ = "1", started_, scheduled_, deleting_, policy_,
                           labels_, nominated_, spec_;
};
[[nodiscard]] inline auto a_pod(std::string key) -> PodBuilder {
  return PodBuilder(std::move(key));
}

/// Returns a node with `cpu` CPUs, 16Gi of memory, and space for `pods` pods.
[[nodiscard]] auto a_node(const std::string& name, const std::string& cpu, int pods = 110) -> std::string;
/// Returns a priority class; `annotations` in flow style with full keys.
[[nodiscard]] auto a_class(const std::string& name, int value, const std::string& annotations = "{}") -> std::string;
/// Returns a budget of namespace `ns` that allows `allowed` disruptions of pods with label app=`app`.
[[nodiscard]] auto a_budget(const std::string& key, const std::string& app, int allowed) -> std::string;

/// A cluster read from documents. Owns the objects and their snapshot.
struct TestCluster {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
};
/// Fails the test if a document cannot be read.
[[nodiscard]] auto a_cluster(const std::vector<std::string>& documents) -> std::unique_ptr<TestCluster>;

/// Asks the kube engine about a pod (`ns/name`) at `now`.
[[nodiscard]] auto ask_kube(const TestCluster& cluster, const std::string& pod,
                            const std::string& now = "2026-03-02T12:00:00Z", std::string_view plugin = "off") -> Answer;

}  // namespace previct::test
