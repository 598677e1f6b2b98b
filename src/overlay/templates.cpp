#include "overlay/templates.h"

#include "api/decode.h"
#include "base/go.h"
#include "cluster/matching.h"
#include "cluster/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace previct {
namespace {

constexpr std::array<std::string_view, 2> kSpecTemplate = {"spec", "template"};
constexpr std::array<std::string_view, 4> kJobTemplate = {"spec", "jobTemplate", "spec", "template"};

struct WorkloadKind {
  std::string_view kind;
  std::string_view owner;  // kind of the pod's controller
  std::span<const std::string_view> path;
  std::string_view count;  // field beside the template that says how many pods it makes; empty: one for each node
};
constexpr std::array kWorkloads = {
    WorkloadKind{"Deployment", "ReplicaSet", kSpecTemplate, "replicas"},
    WorkloadKind{"ReplicaSet", "ReplicaSet", kSpecTemplate, "replicas"},
    WorkloadKind{"StatefulSet", "StatefulSet", kSpecTemplate, "replicas"},
    WorkloadKind{"DaemonSet", "DaemonSet", kSpecTemplate, ""},
    WorkloadKind{"ReplicationController", "ReplicationController", kSpecTemplate, "replicas"},
    WorkloadKind{"Job", "Job", kSpecTemplate, "parallelism"},
    WorkloadKind{"CronJob", "Job", kJobTemplate, "parallelism"}};

auto find_workload(const Tape& tape, std::uint32_t object) -> const WorkloadKind* {
  const std::string_view kind = tape.string(tape.find(object, "kind"));
  const std::string_view version = tape.string(tape.find(object, "apiVersion"));
  const std::string_view group = version.substr(0, version.find('/'));
  if (group != "apps" && group != "batch" && version != "v1") return nullptr;
  const auto* found =
      std::find_if(kWorkloads.begin(), kWorkloads.end(), [&](const WorkloadKind& w) { return w.kind == kind; });
  return found == kWorkloads.end() ? nullptr : found;
}

auto integer(const Tape& tape, std::uint32_t object, std::string_view key) -> std::optional<std::int64_t> {
  const std::uint32_t at = tape.find(object, key);
  if (at >= tape.size()) return {};
  return go::parse_int(tape.text(tape[at]), 32);
}

auto is_true(const Tape& tape, std::uint32_t object, std::string_view key) -> bool {
  const std::uint32_t at = tape.find(object, key);
  return at < tape.size() && tape.text(tape[at]) == "true";
}

// What the workload says of the number of its pods.
struct Wanted {
  std::int64_t pods = 1;  // at once
  std::string_view none_because{};
};

// `beside`: what the template stands in.
auto wanted_by(const WorkloadKind& workload, const Tape& tape, std::uint32_t object, std::uint32_t beside) -> Wanted {
  if (is_true(tape, beside, "suspend") || is_true(tape, tape.find(object, "spec"), "suspend"))
    return {0, "it is suspended"};
  Wanted wanted{integer(tape, beside, workload.count).value_or(1)};
  if (workload.owner == "Job")
    wanted.pods = std::min(wanted.pods, integer(tape, beside, "completions").value_or(INT64_MAX));
  if (wanted.pods <= 0 && workload.count == "replicas") return {0, "its spec.replicas is 0"};
  if (wanted.pods <= 0) return {0, "its parallelism or completions is 0"};
  return wanted;
}

constexpr std::string_view kKaiScheduler = "kai-scheduler";

// KAI's pod-grouper reads of the workload what it makes of its pods: their queue, and how many are placed together.
// Source: kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/defaultgrouper, job.
void carry_over(const ObjectMeta& workload, Pod& pod, Symbols& symbols) {
  if (symbols.text(pod.spec.scheduler_name) != kKaiScheduler) return;
  const auto carry = [&](const SymbolMap& from, SymbolMap& to) {
    for (const auto& [key, value] : from) {
      if (symbols.text(key).starts_with("kai.scheduler/") && !to.has(key)) to.set(key, value);
    }
  };
  carry(workload.labels, pod.meta.labels);
  carry(workload.annotations, pod.meta.annotations);
}

// A pod that is placed together with others of its group.
auto is_grouped(const Pod& pod, std::string_view owner, const Symbols& symbols) -> bool {
  if (owner == "Job" && symbols.text(pod.spec.scheduler_name) == kKaiScheduler) return true;
  const Symbol group = symbols.find("pod-group-name");
  return (group && pod.meta.annotations.has(group)) || pod.spec.scheduling_group.pod_group ||
         pod.spec.workload_ref.workload;
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

namespace {

// The pod's claims, which its volumes of these names are from then on. One that the input holds stays as it is.
auto add_claims(const Tape& tape, std::uint32_t templates, FileId file, Pod& pod, Objects& objects) -> Result<void> {
  if (templates >= tape.size() || tape[templates].type != EventType::begin_list) return {};
  SharedList<Volume> volumes;
  for (std::uint32_t at = templates + 1; at < tape[templates].next; at = tape[at].next) {
    PersistentVolumeClaim claim;
    Decoder decoder(tape, file, objects.symbols, objects.diagnostics);
    PREVICT_CHECK(decoder.decode(at, claim));
    Volume volume;
    volume.name = claim.meta.name;
    claim.meta.name = objects.symbols.intern(
        fmt::format("{}-{}", objects.symbols.text(volume.name), objects.symbols.text(pod.meta.name)));
    claim.meta.ns = pod.meta.ns;
    claim.meta.source = {file, tape[at].line, tape[at].column};
    claim.status.phase = objects.symbols.intern("Pending");
    volume.claim.claim_name = claim.meta.name;
    volumes.push_back(volume);
    const auto& known = objects.persistent_volume_claims;
    if (std::none_of(known.begin(), known.end(), [&](const PersistentVolumeClaim& other) {
          return other.meta.ns == claim.meta.ns && other.meta.name == claim.meta.name;
        }))
      objects.persistent_volume_claims.push_back(std::move(claim));
  }
  const std::size_t own = volumes.size();
  for (const Volume& other : std::as_const(pod.spec.volumes)) {
    const auto of_claim = [&](const Volume& volume) { return volume.name == other.name; };
    const auto* const begin = std::as_const(volumes).begin();
    if (std::none_of(begin, begin + own, of_claim)) volumes.push_back(other);
  }
  pod.spec.volumes = std::move(volumes);
  return {};
}

}  // namespace

auto add_pods_of_template(const FoundObject& found, FileId file, Objects& objects) -> Result<TemplatePods> {
  const Tape& tape = found.tape;
  const WorkloadKind* workload = find_workload(tape, found.index);
  if (workload == nullptr) return TemplatePods{};
  const Tape::Entry& start = tape[found.index];
  std::uint32_t at = found.index;
  std::uint32_t beside = at;
  for (const std::string_view key : workload->path) {
    beside = at;
    at = tape.find(at, key);
  }
  if (at >= tape.size()) {
    return fail(fmt::format("a {} without {}", workload->kind, fmt::join(workload->path, ".")),
                {file, start.line, start.column});
  }
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  std::string name(tape.string(tape.find(metadata, "name")));
  // The API server would add five letters to it.
  if (name.empty()) name = tape.string(tape.find(metadata, "generateName"));
  while (name.ends_with('-')) name.pop_back();
  const std::string ns(tape.string(tape.find(metadata, "namespace")));
  if (name.empty()) return fail("an object without metadata.name", {file, start.line, start.column});

  Pod pod;
  Decoder decoder(tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(at, pod));
  pod.meta.source = {file, tape[at].line, tape[at].column};
  pod.meta.ns = objects.symbols.intern(ns.empty() ? "default" : ns);
  const Symbol owner = objects.symbols.intern(workload->owner);
  const Symbol owner_name = objects.symbols.intern(name);
  // Pods of one Job are told from those of others by its uid.
  const Symbol uid = workload->owner == "Job" ? objects.symbols.intern(name + "-new") : Symbol{};
  pod.meta.owners = {{owner, owner_name, uid, true}};
  ObjectMeta meta;
  if (metadata < tape.size())
    PREVICT_CHECK(Decoder(tape, file, objects.symbols, objects.diagnostics).decode(metadata, meta));
  carry_over(meta, pod, objects.symbols);
  TemplatePods out{.of_workload = true};
  const std::string what = fmt::format("{} {}/{}", workload->kind, objects.symbols.text(pod.meta.ns), name);
  if (workload->kind == "DaemonSet") {
    tolerate_as_daemon(pod.spec, objects.symbols);
    for (const Symbol node : nodes_without(pod, owner, owner_name, objects)) {
      Pod daemon = pod;
      daemon.meta.name =
          free_name(*workload, fmt::format("{}-{}", name, objects.symbols.text(node)), pod.meta.ns, objects);
      pin(daemon.spec, node, objects.symbols);
      objects.pods.add(std::move(daemon));
    }
    return out;
  }
  const Wanted wanted = wanted_by(*workload, tape, found.index, beside);
  if (wanted.pods == 0) {
    out.remark = fmt::format("{} makes no pods: {}", what, wanted.none_because);
    return out;
  }
  const bool together = is_grouped(pod, workload->owner, objects.symbols);
  const std::uint32_t claims = workload->kind == "StatefulSet" ? tape.find(beside, "volumeClaimTemplates")
                                                               : static_cast<std::uint32_t>(tape.size());
  constexpr std::int64_t kMostTogether = 10'000;
  for (std::int64_t made = 0; made < (together ? std::min(wanted.pods, kMostTogether) : 1); ++made) {
    Pod next = pod;
    next.meta.name = free_name(*workload, name, pod.meta.ns, objects);
    PREVICT_CHECK(add_claims(tape, claims, file, next, objects));
    objects.pods.add(std::move(next));
  }
  if (!together && wanted.pods > 1)
    out.remark = fmt::format("{} makes {} pods, of which one is asked about", what, wanted.pods);
  return out;
}

}  // namespace previct
