#include "overlay/templates.h"

#include "api/decode.h"
#include "cluster/matching.h"
#include "cluster/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace previct {
namespace {

constexpr std::array<std::string_view, 2> kSpecTemplate = {"spec", "template"};
constexpr std::array<std::string_view, 4> kJobTemplate = {"spec", "jobTemplate", "spec", "template"};

struct WorkloadKind {
  std::string_view kind;
  std::string_view owner;  // kind of the pod's controller
  std::span<const std::string_view> path;
};
constexpr std::array kWorkloads = {WorkloadKind{"Deployment", "ReplicaSet", kSpecTemplate},
                                   WorkloadKind{"ReplicaSet", "ReplicaSet", kSpecTemplate},
                                   WorkloadKind{"StatefulSet", "StatefulSet", kSpecTemplate},
                                   WorkloadKind{"DaemonSet", "DaemonSet", kSpecTemplate},
                                   WorkloadKind{"ReplicationController", "ReplicationController", kSpecTemplate},
                                   WorkloadKind{"Job", "Job", kSpecTemplate},
                                   WorkloadKind{"CronJob", "Job", kJobTemplate}};

auto find_workload(const Tape& tape, std::uint32_t object) -> const WorkloadKind* {
  const std::string_view kind = tape.string(tape.find(object, "kind"));
  const std::string_view version = tape.string(tape.find(object, "apiVersion"));
  const std::string_view group = version.substr(0, version.find('/'));
  if (group != "apps" && group != "batch" && version != "v1") return nullptr;
  const auto* found =
      std::find_if(kWorkloads.begin(), kWorkloads.end(), [&](const WorkloadKind& w) { return w.kind == kind; });
  return found == kWorkloads.end() ? nullptr : found;
}

auto has_pod(const Objects& objects, Symbol ns, Symbol name) -> bool {
  return std::any_of(objects.pods.begin(), objects.pods.end(),
                     [&](const Pod& p) { return p.meta.ns == ns && p.meta.name == name; });
}

/// StatefulSets count their pods from 0; for the others any name that is not taken will do.
auto free_name(const WorkloadKind& workload, std::string_view name, Symbol ns, Objects& objects) -> Symbol {
  const bool numbered = workload.kind == "StatefulSet";
  for (std::size_t i = 0;; ++i) {
    const std::string candidate = numbered ? fmt::format("{}-{}", name, i)
                                  : i == 0 ? fmt::format("{}-new", name)
                                           : fmt::format("{}-new-{}", name, i);
    const Symbol symbol = objects.symbols.intern(candidate);
    if (!has_pod(objects, ns, symbol)) return symbol;
  }
}

/// The tolerations that the DaemonSet controller adds. Kubernetes: pkg/controller/daemon/util/daemonset_util.go.
void tolerate_as_daemon(PodSpec& spec, Symbols& symbols) {
  struct Added {
    std::string_view taint;
    std::string_view effect;
  };
  constexpr std::array kAdded = {Added{"not-ready", "NoExecute"},      Added{"unreachable", "NoExecute"},
                                 Added{"disk-pressure", "NoSchedule"}, Added{"memory-pressure", "NoSchedule"},
                                 Added{"pid-pressure", "NoSchedule"},  Added{"unschedulable", "NoSchedule"}};
  for (const Added& each : kAdded) {
    spec.tolerations.push_back({symbols.intern(fmt::format("node.kubernetes.io/{}", each.taint)),
                                symbols.intern("Exists"),
                                {},
                                symbols.intern(each.effect)});
  }
}

/// The controller pins a pod to its node by an affinity to the node's name, in place of other required terms.
void pin(PodSpec& spec, Symbol node, Symbols& symbols) {
  Requirement name{symbols.intern("metadata.name"), symbols.intern("In"), SelectorOperator::in, {node}};
  spec.affinity.node.required.emplace().terms.push_back({{}, {std::move(name)}});
}

auto owned_by(const Pod& pod, Symbol kind, Symbol name) -> bool {
  return std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(),
                     [&](const OwnerReference& o) { return o.kind == kind && o.name == name; });
}

/// The nodes that want a pod of this DaemonSet and have none. Kubernetes: pkg/controller/daemon/daemon_controller.go,
/// NodeShouldRunDaemonPod.
auto nodes_without(const Pod& daemon, Symbol kind, Symbol name, Objects& objects) -> std::vector<Symbol> {
  const Snapshot cluster(objects);
  std::vector<Symbol> wanted;
  for (const NodeId id : cluster.nodes().ids()) {
    const Node& node = cluster.node(id);
    const std::span<const PodId> there = cluster.pods_on(id);
    const bool has_one = std::any_of(there.begin(), there.end(), [&](PodId pod) {
      return cluster.pod(pod).meta.ns == daemon.meta.ns && owned_by(cluster.pod(pod), kind, name);
    });
    if (!has_one && matches_required_affinity(daemon.spec, node, cluster) &&
        first_untolerated_taint(daemon.spec, node, cluster.known()) == nullptr) {
      wanted.push_back(node.meta.name);
    }
  }
  return wanted;
}

}  // namespace

auto template_of(const FoundObject& found) -> std::optional<std::uint32_t> {
  const WorkloadKind* workload = find_workload(found.tape, found.index);
  if (workload == nullptr) return {};
  std::uint32_t at = found.index;
  for (const std::string_view key : workload->path) at = found.tape.find(at, key);
  if (at >= found.tape.size()) return {};
  return at;
}

auto add_pods_of_template(const FoundObject& found, FileId file, Objects& objects) -> Result<bool> {
  const Tape& tape = found.tape;
  const WorkloadKind* workload = find_workload(tape, found.index);
  if (workload == nullptr) return false;
  const Tape::Entry& start = tape[found.index];
  std::uint32_t at = found.index;
  for (const std::string_view key : workload->path) at = tape.find(at, key);
  if (at >= tape.size()) {
    return fail(fmt::format("a {} without {}", workload->kind, fmt::join(workload->path, ".")),
                {file, start.line, start.column});
  }
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  const std::string name(tape.string(tape.find(metadata, "name")));
  const std::string ns(tape.string(tape.find(metadata, "namespace")));
  if (name.empty()) return fail("an object without metadata.name", {file, start.line, start.column});

  Pod pod;
  Decoder decoder(tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(at, pod));
  pod.meta.source = {file, tape[at].line, tape[at].column};
  pod.meta.ns = objects.symbols.intern(ns.empty() ? "default" : ns);
  const Symbol owner = objects.symbols.intern(workload->owner);
  const Symbol owner_name = objects.symbols.intern(name);
  pod.meta.owners = {{owner, owner_name, {}, true}};
  if (workload->kind != "DaemonSet") {
    pod.meta.name = free_name(*workload, name, pod.meta.ns, objects);
    objects.pods.add(std::move(pod));
    return true;
  }
  tolerate_as_daemon(pod.spec, objects.symbols);
  for (const Symbol node : nodes_without(pod, owner, owner_name, objects)) {
    Pod daemon = pod;
    daemon.meta.name =
        free_name(*workload, fmt::format("{}-{}", name, objects.symbols.text(node)), pod.meta.ns, objects);
    pin(daemon.spec, node, objects.symbols);
    objects.pods.add(std::move(daemon));
  }
  return true;
}

}  // namespace previct
