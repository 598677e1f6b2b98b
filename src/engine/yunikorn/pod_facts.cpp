#include "engine/yunikorn/pod_facts.h"

#include "api/yunikorn_annotations.h"
#include "base/go.h"
#include "engine/kube/claims.h"
#include "engine/required_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace previct::yunikorn {
namespace {

constexpr std::size_t kLongestId = 63;
constexpr std::size_t kLongestNamespace = 26;
constexpr std::string_view kUniqueSuffix = "-uniqueautogen";

/// Returns the value of a label or annotation; empty if absent, which upstream does not distinguish.
auto value_of(const Snapshot& cluster, const SymbolMap& map, Symbol key) -> std::string_view {
  return key ? cluster.text(map.get(key)) : std::string_view();
}

void raise_to(Resources& list, const Resources& other) {
  for (const auto& [type, amount] : other) {
    const auto have = list.get(type);
    if (!have || amount > *have) list.set(type, amount);
  }
}

auto resize_infeasible(const Keys& keys, const Pod& pod) -> bool {
  if (!keys.infeasible) return false;
  return pod.status.resize == keys.infeasible ||
         std::any_of(pod.status.conditions.begin(), pod.status.conditions.end(), [&](const Condition& c) {
           return keys.resize_pending && c.type == keys.resize_pending && c.reason == keys.infeasible;
         });
}

auto status_of(const Pod& pod, Symbol name) -> const ContainerStatus* {
  // Upstream adds both lists to one map, the init containers last.
  for (const auto* statuses : {&pod.status.init_container_statuses, &pod.status.container_statuses}) {
    for (const ContainerStatus& status : *statuses) {
      if (status.name == name) return &status;
    }
  }
  return nullptr;
}

/// For releases that only support proposed resizes, of containers but not init containers; they find the status by its
/// index.
auto container_size_before_resize(const Keys& keys, const Pod& pod, std::size_t at, TypeNames& types) -> Resources {
  Resources size = types.read(pod.spec.containers[at].resources.requests);
  const auto& statuses = pod.status.container_statuses;
  if (at >= statuses.size() || statuses[at].allocated_resources.empty()) return size;
  const Resources allocated = types.read(statuses[at].allocated_resources);
  if (!keys.proposed || pod.status.resize != keys.proposed) return allocated;
  raise_to(size, allocated);
  return size;
}

auto container_size(const Pod& pod, const Container& container, bool infeasible, TypeNames& types) -> Resources {
  Resources size = types.read(container.resources.requests);
  const ContainerStatus* status = status_of(pod, container.name);
  if (status == nullptr) return size;
  if (infeasible && status->resources) return types.read(status->resources->requests);
  raise_to(size, types.read(status->allocated_resources));
  if (status->resources) raise_to(size, types.read(status->resources->requests));
  return size;
}

}  // namespace

Keys::Keys(const Snapshot& cluster, const Release& of)
    : release(of),
      yunikorn(cluster.symbol("yunikorn")),
      canonical_app_id(cluster.symbol("yunikorn.apache.org/app-id")),
      label_app_id(cluster.symbol("applicationId")),
      spark_app_id(cluster.symbol("spark-app-selector")),
      canonical_queue(cluster.symbol("yunikorn.apache.org/queue")),
      label_queue(cluster.symbol("queue")),
      allow_preemption(cluster.symbol("yunikorn.apache.org/allow-preemption")),
      placeholder(cluster.symbol("internal.yunikorn.apache.org/placeholder")),
      old_placeholder(cluster.symbol("yunikorn.apache.org/placeholder")),
      label_placeholder(cluster.symbol("placeholder")),
      task_group_name(cluster.symbol("yunikorn.apache.org/task-group-name")),
      task_groups(cluster.symbol("yunikorn.apache.org/task-groups")),
      policy_parameters(cluster.symbol("yunikorn.apache.org/schedulingPolicyParameters")),
      user_info(cluster.symbol("yunikorn.apache.org/user.info")),
      user_name(cluster.symbol("yunikorn.apache.org/username")),
      parent_queue(cluster.symbol("yunikorn.apache.org/parentqueue")),
      namespace_quota(cluster.symbol("yunikorn.apache.org/namespace.quota")),
      namespace_guaranteed(cluster.symbol("yunikorn.apache.org/namespace.guaranteed")),
      namespace_max_cpu(cluster.symbol("yunikorn.apache.org/namespace.max.cpu")),
      namespace_max_memory(cluster.symbol("yunikorn.apache.org/namespace.max.memory")),
      namespace_max_apps(cluster.symbol("yunikorn.apache.org/namespace.maxApps")),
      true_text(cluster.symbol("true")),
      false_text(cluster.symbol("false")),
      daemon_set(cluster.symbol("DaemonSet")),
      resize_pending(cluster.symbol("PodResizePending")),
      infeasible(cluster.symbol("Infeasible")),
      proposed(cluster.symbol("Proposed")) {}

auto placeholder_timeout(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::int64_t {
  constexpr std::int64_t kDefault = 15 * 60;
  constexpr std::int64_t kMost = INT64_MAX / 1'000'000'000;
  std::int64_t seconds = 0;
  for (const auto part : std::views::split(value_of(cluster, pod.meta.annotations, keys.policy_parameters), ' ')) {
    const std::string_view parameter(part.begin(), part.end());
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    if (parameter.substr(0, equals) != "placeholderTimeoutInSeconds" || equals == parameter.size() ||
        value.find('=') != std::string_view::npos)
      continue;
    seconds = go::parse_int(value, 64).value_or(0);
  }
  return seconds > 0 && seconds <= kMost ? seconds : kDefault;
}

auto written_application(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view {
  const SymbolMap& labels = pod.meta.labels;
  const SymbolMap& annotations = pod.meta.annotations;
  std::string_view id;
  if (keys.release.has(Change::canonical_labels)) id = value_of(cluster, labels, keys.canonical_app_id);
  if (id.empty()) id = value_of(cluster, annotations, keys.canonical_app_id);
  if (id.empty()) id = value_of(cluster, labels, keys.label_app_id);
  if (id.empty()) id = value_of(cluster, labels, keys.spark_app_id);
  return id;
}

auto application_id(const Snapshot& cluster, const Pod& pod, std::string_view written, bool unique) -> std::string {
  const std::string_view uid = cluster.text(pod.meta.uid);
  const std::string_view ns = cluster.text(pod.meta.ns);
  if (written.size() >= kUniqueSuffix.size() &&
      written.substr(written.size() - kUniqueSuffix.size()) == kUniqueSuffix) {
    return fmt::format("{}-{}", written.substr(0, written.size() - kUniqueSuffix.size()), uid);
  }
  if (!written.empty()) return std::string(written);
  std::string id =
      unique ? fmt::format("{}-{}", ns.substr(0, kLongestNamespace), uid) : fmt::format("yunikorn-{}-autogen", ns);
  if (id.size() > kLongestId) id.resize(kLongestId);
  return id;
}

auto requested_queue(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view {
  const std::string_view by_label = value_of(cluster, pod.meta.labels, keys.label_queue);
  const std::string_view by_annotation = value_of(cluster, pod.meta.annotations, keys.canonical_queue);
  if (!keys.release.has(Change::canonical_labels)) return by_label.empty() ? by_annotation : by_label;
  const std::string_view canonical = value_of(cluster, pod.meta.labels, keys.canonical_queue);
  if (!canonical.empty()) return canonical;
  return by_annotation.empty() ? by_label : by_annotation;
}

auto opted_out(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool {
  if (!keys.allow_preemption) return false;
  const Symbol own = pod.meta.annotations.get(keys.allow_preemption);
  if (own && (own == keys.true_text || own == keys.false_text)) return own == keys.false_text;
  const PriorityClass* cls = cluster.priority_class(pod.spec.priority_class_name);
  return cls != nullptr && keys.false_text && cls->meta.annotations.get(keys.allow_preemption) == keys.false_text;
}

auto is_placeholder(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool {
  const bool internal = keys.release.has(Change::internal_placeholder_flag);
  for (const std::string_view flag :
       {internal ? value_of(cluster, pod.meta.annotations, keys.placeholder) : std::string_view(),
        value_of(cluster, pod.meta.annotations, keys.old_placeholder),
        value_of(cluster, pod.meta.labels, keys.label_placeholder)}) {
    if (const auto is = go::parse_bool(flag)) return *is;
  }
  return false;
}

auto task_group(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view {
  return value_of(cluster, pod.meta.annotations, keys.task_group_name);
}

auto gang_size(const Snapshot& cluster, const Keys& keys, const Pod& pod, TypeNames& types) -> MaybeResources {
  const std::string_view text = value_of(cluster, pod.meta.annotations, keys.task_groups);
  const auto groups = yunikorn_annotations::read_task_groups(text);
  if (!groups) return {};
  Resources sum;
  for (const yunikorn_annotations::TaskGroup& group : *groups) {
    Resources size{{TypeNames::kPods, group.members}};
    for (const auto& [type, amount] : group.each) {
      const bool cpu = type == "cpu";
      size.add(cpu ? TypeNames::kVcore : types.id(type),
               go::multiply(group.members, cpu ? amount.milli() : amount.value()));
    }
    sum += size;
  }
  return sum;
}

auto unusable_claim(const Snapshot& cluster, const Pod& pod) -> std::optional<UnusableClaim> {
  const bool may_exist = may_hold_more(cluster.objects(), kinds::persistent_volume_claims);
  std::optional<UnusableClaim> doubtful;
  for (const kube::PodClaim& ref : kube::claims_of(cluster, pod)) {
    if (ref.ephemeral) continue;
    const PersistentVolumeClaim* claim = cluster.claim(pod.meta.ns, ref.name);
    const std::string name(cluster.text(ref.name));
    if (claim == nullptr && may_exist) {
      if (!doubtful) doubtful = UnusableClaim{.name = name, .certain = false};
    } else if (claim == nullptr || claim->meta.deleting) {
      return UnusableClaim{.name = name, .deleting = claim != nullptr};
    }
  }
  return doubtful;
}

auto required_node(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> Symbol {
  Symbol node;
  if (!keys.daemon_set || !pod.spec.affinity.node.required) return node;
  if (std::none_of(pod.meta.owners.begin(), pod.meta.owners.end(),
                   [&](const OwnerReference& owner) { return owner.kind == keys.daemon_set; })) {
    return node;
  }
  for (const NodeSelectorTerm& term : pod.spec.affinity.node.required->terms) {
    for (const Requirement& field : term.match_fields) {
      if (field.key == cluster.known().metadata_name && !field.values.empty()) node = field.values[0];
    }
  }
  return node;
}

auto pod_size(const Keys& keys, const Pod& pod, TypeNames& types) -> Resources {
  const bool infeasible = resize_infeasible(keys, pod);
  const bool resizes = keys.release.has(Change::allocated_resources_count);
  const bool count_sidecars = keys.release.has(Change::sidecars_count);
  const bool twice = !keys.release.has(Change::sidecars_count_once);
  Resources total{{TypeNames::kPods, 1}};
  for (std::size_t i = 0; i < pod.spec.containers.size(); ++i) {
    total += resizes ? container_size(pod, pod.spec.containers[i], infeasible, types)
                     : container_size_before_resize(keys, pod, i, types);
  }
  if (!pod.spec.init_containers.empty()) {
    Resources peak;
    Resources sidecars;  // sidecars that run already
    for (const Container& c : pod.spec.init_containers) {
      const Resources size = resizes ? container_size(pod, c, infeasible, types) : types.read(c.resources.requests);
      const bool sidecar = count_sidecars && types.is_always(c.restart_policy);
      if (sidecar && twice) sidecars += size;
      raise_to(peak, size + sidecars);
      if (sidecar && !twice) sidecars += size;
    }
    total += sidecars;
    raise_to(total, peak);
  }
  if (pod.spec.resources && resizes) {
    for (const auto& [type, amount] : types.read(pod.spec.resources->requests)) {
      if (types.pod_level(type)) total.set(type, amount);
    }
  }
  if (!pod.spec.overhead.empty()) total += types.read(pod.spec.overhead);
  return total;
}

auto user_of(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> User {
  User user;
  if (const std::string_view note = value_of(cluster, pod.meta.annotations, keys.user_info); !note.empty()) {
    if (auto noted = yunikorn_annotations::read_user_info(note)) {
      if (!noted->user.empty()) user.name = std::move(noted->user);
      user.groups = std::move(noted->groups);
    }
  } else if (const std::string_view name = value_of(cluster, pod.meta.labels, keys.user_name); !name.empty()) {
    user.name = name;
  }
  user.groups_noted = !user.groups.empty();
  if (!user.groups_noted) user.groups.push_back(user.name);
  return user;
}

}  // namespace previct::yunikorn
