#include "overlay/templates.h"

#include "api/decode.h"
#include "api/names_to_come.h"
#include "api/upstream.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/matching.h"
#include "cluster/snapshot.h"
#include "overlay/claims.h"
#include "overlay/limits.h"
#include "overlay/node_copies.h"
#include "overlay/pod_template.h"
#include "overlay/rollout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
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
  std::string_view count;       // field next to the template with the number of pods; empty: one for each node
  std::string_view revision{};  // label by which its controller distinguishes pods of different templates
};
constexpr std::array kWorkloads = {
    WorkloadKind{"Deployment", "ReplicaSet", kSpecTemplate, "replicas", "pod-template-hash"},
    WorkloadKind{"ReplicaSet", "ReplicaSet", kSpecTemplate, "replicas"},
    WorkloadKind{"StatefulSet", "StatefulSet", kSpecTemplate, "replicas", "controller-revision-hash"},
    WorkloadKind{"DaemonSet", "DaemonSet", kSpecTemplate, "", "controller-revision-hash"},
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

// The number of pods that the workload specifies.
struct Wanted {
  std::int64_t pods = 1;  // that run at once
  std::string none_because{};
};

// `beside`: the object that contains the template. `existing`: the number of its pods, which kubectl apply leaves as it
// is if the manifest does not say.
auto wanted_by(const WorkloadKind& workload, const Tape& tape, std::uint32_t object, std::uint32_t beside,
               std::int64_t existing) -> Wanted {
  if (is_true(tape, beside, "suspend") || is_true(tape, tape.find(object, "spec"), "suspend"))
    return {0, "it is suspended"};
  if (workload.owner == "Job") {
    const std::string_view manager = tape.string(tape.find(beside, "managedBy"));
    if (!manager.empty() && manager != "kubernetes.io/job-controller")
      return {0, fmt::format("{} manages it", manager)};
  }
  // A paused Deployment has no ReplicaSet until it is resumed.
  // Source: kubernetes: pkg/controller/deployment/sync.go sync; v1.36.
  if (workload.kind == "Deployment" && existing == 0 && is_true(tape, beside, "paused")) return {0, "it is paused"};
  const std::int64_t usual = workload.count == "replicas" ? std::max<std::int64_t>(1, existing) : 1;
  Wanted wanted{integer(tape, beside, workload.count).value_or(usual)};
  if (workload.owner == "Job")
    wanted.pods = std::min(wanted.pods, integer(tape, beside, "completions").value_or(INT64_MAX));
  if (wanted.pods <= 0 && workload.count == "replicas") return {0, "its spec.replicas is 0"};
  if (wanted.pods <= 0) return {0, "its parallelism or completions is 0"};
  return wanted;
}

// Returns true if the pod is placed together with others of its group.
auto is_grouped(const Pod& pod, std::string_view owner, const Symbols& symbols) -> bool {
  if (owner == "Job" && symbols.text(pod.spec.scheduler_name) == schedulers::kai.scheduler_name) return true;
  const Symbol group = symbols.find("pod-group-name");
  return (group && pod.meta.annotations.has(group)) || pod.spec.scheduling_group.pod_group ||
         pod.spec.workload_ref.workload;
}

// Unused names for pods of a namespace.
class FreeNames {
 public:
  FreeNames(Objects& objects, Symbol ns) : symbols_(objects.symbols) {
    for (const Pod& pod : objects.pods) {
      if (pod.meta.ns == ns) taken_.insert(pod.meta.name);
    }
  }

  /// StatefulSets number their pods from 0; for other workloads any name is fine.
  auto next(const WorkloadKind& workload, std::string_view name) -> Symbol {
    const bool numbered = workload.kind == "StatefulSet";
    for (std::size_t& i = tried_[std::string(name)];; ++i) {
      const std::string candidate = numbered ? fmt::format("{}-{}", name, i)
                                    : i == 0 ? fmt::format("{}-new", name)
                                             : fmt::format("{}-new-{}", name, i);
      const Symbol symbol = symbols_.intern(candidate);
      if (taken_.insert(symbol).second) return symbol;
    }
  }

 private:
  Symbols& symbols_;
  std::set<Symbol> taken_;
  std::map<std::string, std::size_t> tried_;
};

/// The tolerations that the DaemonSet controller adds. Kubernetes: pkg/controller/daemon/util/daemonset_util.go.
void tolerate_as_daemon(PodSpec& spec, Symbols& symbols) {
  struct Added {
    std::string_view taint;
    std::string_view effect;
  };
  constexpr std::array kAdded = {Added{"not-ready", "NoExecute"},      Added{"unreachable", "NoExecute"},
                                 Added{"disk-pressure", "NoSchedule"}, Added{"memory-pressure", "NoSchedule"},
                                 Added{"pid-pressure", "NoSchedule"},  Added{"unschedulable", "NoSchedule"}};
  std::vector<Added> all(kAdded.begin(), kAdded.end());
  if (spec.host_network) all.push_back({"network-unavailable", "NoSchedule"});
  for (const Added& each : all) {
    spec.tolerations.push_back({symbols.intern(fmt::format("node.kubernetes.io/{}", each.taint)),
                                symbols.intern("Exists"),
                                {},
                                symbols.intern(each.effect)});
  }
}

auto owned_by(const Pod& pod, Symbol kind, Symbol name) -> bool {
  return std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(),
                     [&](const OwnerReference& o) { return o.kind == kind && o.name == name; });
}

// The active pods of a workload that are in the input.
struct Existing {
  std::int64_t active = 0;
  std::optional<Pod> one{};  // if possible, one that is on no node
};

auto pods_of_workload(const WorkloadKind& workload, Symbol ns, std::string_view name, Objects& objects) -> Existing {
  const Snapshot cluster(objects);
  Existing found;
  for (const PodId id : active_pods({workload.kind, workload.owner}, ns, name, cluster)) {
    ++found.active;
    if (!found.one || !found.one->spec.node_name) found.one = cluster.pod(id);
  }
  return found;
}

// Returns true if the strategy creates a new pod before it deletes an old one.
// Source: kubernetes: pkg/apis/apps/v1/defaults.go SetDefaults_Deployment; deployment_util.go ResolveFenceposts.
auto exceeds_replicas(const WorkloadKind& workload, const Tape& tape, std::uint32_t spec) -> bool {
  if (workload.kind != "Deployment") return false;
  const std::uint32_t strategy = tape.find(spec, "strategy");
  if (tape.string(tape.find(strategy, "type")) == "Recreate") return false;
  const std::uint32_t surge = tape.find(tape.find(strategy, "rollingUpdate"), "maxSurge");
  const std::string_view text = surge < tape.size() ? tape.text(tape[surge]) : "25%";
  return text != "0" && text != "0%";  // a percentage is rounded up
}

// Returns false if the workload keeps its pods when its template changes, until others delete them: OnDelete, or a
// partition above all ordinals; a ReplicaSet or ReplicationController never compares pods with its template. Source:
// kubernetes v1.35 pkg/controller/daemon/daemon_controller.go updateDaemonSet;
// pkg/controller/statefulset/stateful_set_control.go updateStatefulSet; pkg/controller/replicaset/replica_set.go
// manageReplicas.
auto rolls_out(const WorkloadKind& workload, const Tape& tape, std::uint32_t spec, std::int64_t active) -> bool {
  if (workload.kind == "ReplicaSet" || workload.kind == "ReplicationController") return false;
  if (workload.kind != "DaemonSet" && workload.kind != "StatefulSet") return true;
  const std::uint32_t strategy = tape.find(spec, "updateStrategy");
  if (tape.string(tape.find(strategy, "type")) == "OnDelete") return false;
  if (workload.kind == "DaemonSet") return true;
  const std::int64_t replicas = integer(tape, spec, "replicas").value_or(active);
  const auto partition = integer(tape, tape.find(strategy, "rollingUpdate"), "partition");
  return partition.value_or(0) < replicas || replicas > active;  // a new pod below it gets the old template
}

// Returns the fields in which the template differs from a pod of the workload, as far as they are read.
auto changes_of_template(const WorkloadKind& workload, const Pod& made, const Pod& existing, Objects& objects)
    -> std::vector<std::string> {
  if (!webhooks_of_pods(objects).empty()) return {};
  Pod pod = existing;
  // Its controller has replaced the affinity of a DaemonSet's pod.
  if (workload.kind == "DaemonSet") pod.spec.affinity = made.spec.affinity;
  return follow_template(made.spec, false, false, pod, objects);
}

/// The nodes that should run a pod of this DaemonSet and have none. Kubernetes:
/// pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod.
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

void carry_over(const ObjectMeta& workload, Pod& pod, Symbols& symbols) {
  if (symbols.text(pod.spec.scheduler_name) != schedulers::kai.scheduler_name) return;
  const auto carry = [&](const SymbolMap& from, SymbolMap& to) {
    for (const auto& [key, value] : from) {
      if (symbols.text(key).starts_with("kai.scheduler/") && !to.has(key)) to.set(key, value);
    }
  };
  carry(workload.labels, pod.meta.labels);
  carry(workload.annotations, pod.meta.annotations);
}

auto template_of(const FoundObject& found) -> std::optional<std::uint32_t> {
  const WorkloadKind* workload = find_workload(found.tape, found.index);
  if (workload == nullptr) return {};
  std::uint32_t at = found.index;
  for (const std::string_view key : workload->path) at = found.tape.find(at, key);
  if (at >= found.tape.size()) return {};
  return at;
}

namespace {

// Adds the pod's claims, and makes its volumes of these names refer to them. A claim that is in the input stays
// unchanged.
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
    volume.claim.claim_name = claim.meta.name;
    volumes.push_back(volume);
    add_claim(std::move(claim), objects);
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

// A workload's template as its controller reads it, without a name.
struct Template {
  const WorkloadKind* workload = nullptr;
  std::uint32_t beside = 0;  // the object that contains it
  std::string name;          // name of the workload
  Pod pod;
};

auto read_template(const FoundObject& found, const WorkloadKind& workload, FileId file, Objects& objects)
    -> Result<Template> {
  const Tape& tape = found.tape;
  const Place start{file, tape[found.index].line, tape[found.index].column};
  Template out{.workload = &workload, .beside = found.index, .name = {}, .pod = {}};
  std::uint32_t at = found.index;
  for (const std::string_view key : workload.path) {
    out.beside = at;
    at = tape.find(at, key);
  }
  if (at >= tape.size())
    return fail(fmt::format("a {} without {}", workload.kind, fmt::join(workload.path, ".")), start);
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  out.name = name_or_prefix(tape, metadata);
  if (out.name.empty()) return fail("an object without metadata.name", start);

  Symbols& symbols = objects.symbols;
  Pod& pod = out.pod;
  PREVICT_CHECK(Decoder(tape, file, symbols, objects.diagnostics).decode(at, pod));
  pod.meta.source = {file, tape[at].line, tape[at].column};
  const std::string_view ns = tape.string(tape.find(metadata, "namespace"));
  pod.meta.ns = symbols.intern(ns.empty() ? "default" : ns);
  // The uid of a Job distinguishes its pods from those of other Jobs.
  const Symbol uid = workload.owner == "Job" ? symbols.intern(out.name + "-new") : Symbol{};
  pod.meta.owners = {{symbols.intern(workload.owner), symbols.intern(out.name), uid, true}};
  // Hashes have no vowels, so that no pod of the input has this value: a new template has its own pods.
  if (!workload.revision.empty())
    pod.meta.labels.set(symbols.intern(workload.revision), symbols.intern(out.name + "-new"));
  ObjectMeta meta;
  PREVICT_CHECK(Decoder(tape, file, symbols, objects.diagnostics).decode(metadata, meta));
  carry_over(meta, pod, symbols);
  return out;
}

// A Job of the input that has ended creates no pods, and one that runs none for the completions that it has.
void deduct_ended(Symbol ns, std::string_view name, const Objects& objects, Wanted& wanted) {
  const auto found = std::find_if(objects.jobs.begin(), objects.jobs.end(), [&](const Job& job) {
    return job.meta.ns == ns && objects.symbols.text(job.meta.name) == name;
  });
  if (found == objects.jobs.end() || wanted.pods == 0) return;
  const auto& conditions = found->status.conditions;
  const bool has_ended = std::any_of(conditions.begin(), conditions.end(), [&](const Condition& each) {
    const std::string_view type = objects.symbols.text(each.type);
    return (type == "Complete" || type == "Failed") && objects.symbols.text(each.status) == "True";
  });
  if (has_ended) {
    wanted = {0, "it has ended"};
  } else if (found->spec.completions) {
    wanted.pods = std::clamp<std::int64_t>(*found->spec.completions - found->status.succeeded, 0, wanted.pods);
    if (wanted.pods == 0) wanted.none_because = "all its completions are done";
  }
}

void add_daemons(Template from, Objects& objects) {
  const OwnerReference owner = from.pod.meta.owners.front();
  FreeNames names(objects, from.pod.meta.ns);
  tolerate_as_daemon(from.pod.spec, objects.symbols);
  for (const Symbol node : nodes_without(from.pod, owner.kind, owner.name, objects)) {
    Pod daemon = from.pod;
    daemon.meta.name = names.next(*from.workload, fmt::format("{}-{}", from.name, objects.symbols.text(node)));
    pin_to_node(daemon.spec, node, objects.symbols);
    objects.pods.add(std::move(daemon));
  }
}

}  // namespace

auto add_pods_of_template(const FoundObject& found, FileId file, NewPods pods, Objects& objects)
    -> Result<TemplatePods> {
  const Tape& tape = found.tape;
  const WorkloadKind* workload = find_workload(tape, found.index);
  if (workload == nullptr) return TemplatePods{};
  PREVICT_TRY(Template from, read_template(found, *workload, file, objects));
  TemplatePods out{.of_workload = true};
  const std::string what = fmt::format("{} {}/{}", workload->kind, objects.symbols.text(from.pod.meta.ns), from.name);
  const bool is_cron = workload->kind == "CronJob";  // it creates another Job
  const Existing existing = is_cron ? Existing() : pods_of_workload(*workload, from.pod.meta.ns, from.name, objects);
  std::vector<std::string> changes;
  std::string for_new_ones;  // a changed template that replaces no pods
  if (existing.one && workload->owner != "Job") {
    changes = changes_of_template(*workload, from.pod, *existing.one, objects);
    if (!changes.empty() && !rolls_out(*workload, tape, from.beside, existing.active)) {
      for_new_ones = fmt::format("; only new ones follow the changed template ({})", joined(changes, ", "));
      changes.clear();
    }
  }
  const bool is_updated = workload->kind == "Deployment" || workload->kind == "StatefulSet";
  if (pods == NewPods::all && is_updated && existing.one) {
    if (!changes.empty() && shows_rollout(workload->kind, from.pod.meta.ns, from.name, objects)) {
      out.remark = fmt::format("{} rolls out its template (changed: {})", what, joined(changes, ", "));
      out.rolls_out = true;
      return out;
    }
    objects.overlaid.unknown_rollouts.insert(what);
  }
  if (!changes.empty()) {
    out.unknown =
        Gap{GapRule::rollout_of_change,
            {fmt::format("the rollout of {} (changed in its template: {})", what, joined(changes, ", ")),
             fmt::format("{} not replaced",
                         existing.active == 1 ? "its pod is" : fmt::format("its {} pods are", existing.active))}};
  }
  if (workload->kind == "DaemonSet") {
    add_daemons(std::move(from), objects);
    return out;
  }
  Wanted wanted = wanted_by(*workload, tape, found.index, from.beside, existing.active);
  const std::int64_t at_once = wanted.pods;
  if (workload->kind == "Job") deduct_ended(from.pod.meta.ns, from.name, objects, wanted);
  const std::int64_t all = wanted.pods;
  if (wanted.pods > 0 && existing.active > 0) {
    wanted.pods = std::max<std::int64_t>(0, all - existing.active);
    if (wanted.pods == 0 && !changes.empty() && exceeds_replicas(*workload, tape, from.beside)) wanted.pods = 1;
    if (wanted.pods == 0)
      wanted.none_because = changes.empty() ? fmt::format("{} of {} exist{}", existing.active, all, for_new_ones)
                                            : "it deletes an old one first";
  }
  const bool has_ended = at_once > 0 && all == 0;  // a Job has no pods then, whatever --with says
  if (existing.active > at_once && !has_ended && changes.empty()) {
    out.scaled_down = ScaledDown{{workload->kind, workload->owner}, from.pod.meta.ns, from.name, at_once};
    return out;
  }
  if (wanted.pods == 0) {
    out.remark = fmt::format("{} creates no pods: {}", what, wanted.none_because);
    return out;
  }
  constexpr std::int64_t kMostTogether = 10'000;
  constexpr std::int64_t kMostSimulated = 1'000;
  // A StatefulSet creates one pod after the other; a simulation of its controller adds the others.
  const bool one_by_one = workload->kind == "StatefulSet";
  const bool simulated = pods == NewPods::all && !one_by_one;
  const bool together = is_grouped(from.pod, workload->owner, objects.symbols);
  const std::int64_t asked = std::min(wanted.pods, together ? kMostTogether : simulated ? kMostSimulated : 1);
  const std::uint32_t claims =
      workload->kind == "StatefulSet" ? tape.find(from.beside, "volumeClaimTemplates") : tape.size();
  FreeNames names(objects, from.pod.meta.ns);
  for (std::int64_t made = 0; made < asked; ++made) {
    Pod next = from.pod;
    next.meta.name = names.next(*workload, from.name);
    PREVICT_CHECK(add_claims(tape, claims, file, next, objects));
    objects.pods.add(std::move(next));
  }
  if (asked < wanted.pods && !(pods == NewPods::all && one_by_one))
    out.remark = fmt::format("{} creates {} pods, of which {} {}", what, wanted.pods,
                             asked == 1 ? "one is" : fmt::format("{} are", asked),
                             pods == NewPods::all ? "simulated" : "explained");
  return out;
}

}  // namespace previct
