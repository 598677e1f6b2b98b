#include "overlay/overlay.h"

#include "api/fields.h"
#include "api/known_class.h"
#include "api/names_to_come.h"
#include "api/store_sink.h"
#include "api/upstream.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/claim_users.h"
#include "cluster/unknown_budget.h"
#include "cluster/where_read.h"
#include "engine/engine.h"
#include "engine/required_kind.h"
#include "overlay/admission.h"
#include "overlay/budgets.h"
#include "overlay/claims.h"
#include "overlay/creation.h"
#include "overlay/kai_admission.h"
#include "overlay/limits.h"
#include "overlay/node_copies.h"
#include "overlay/other_deciders.h"
#include "overlay/refusal.h"
#include "overlay/rollout.h"
#include "overlay/sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <unordered_map>

namespace previct {
namespace {

auto name_key(const ObjectMeta& meta) -> std::uint64_t {
  return std::uint64_t{meta.ns.index} << 32U | meta.name.index;
}

auto name_of(const ObjectMeta& meta, const Symbols& symbols) -> std::string {
  const std::string_view ns = symbols.text(meta.ns);
  return fmt::format("{}{}{}", ns, ns.empty() ? "" : "/", symbols.text(meta.name));
}

class Overlaying {
 public:
  Overlaying(const Overlay& overlay, const LoadOptions& options, Objects& objects)
      : overlay_(overlay),
        options_(options),
        objects_(objects),
        around_(overlay.around.value_or(Surroundings{has_all_runtime_classes(objects), {}, {}})),
        sorter_(objects, overlay.over_time ? NewPods::all : NewPods::next),
        now_(overlay.now.value_or(objects.newest)) {}

  auto run() -> Result<OverlayResult> {
    for (const std::string& name : overlay_.without) PREVICT_CHECK(remove_object(name));
    for (const ObjectName& each : overlay_.gone) remove(each);
    // A DaemonSet of the manifests creates pods on new nodes, too.
    if (!overlay_.node_template.empty()) {
      PREVICT_TRY(AddedNodes added, add_nodes(overlay_.node_template, overlay_.node_count, options_, objects_));
      result_.remarks.push_back(std::move(added.remark));
      result_.unknown = std::move(added.unknown);
    }
    if (!overlay_.with.empty()) PREVICT_CHECK(lay());
    if (!overlay_.priority_class.empty() || !overlay_.requests.empty()) PREVICT_CHECK(change_pods());
    for (const Pod& pod : objects_.pods) {
      if (is_added(pod) && !pod.spec.node_name) result_.pods.push_back(name_of(pod.meta, objects_.symbols));
    }
    result_.pods.insert(result_.pods.end(), waiting_.begin(), waiting_.end());
    std::sort(result_.pods.begin(), result_.pods.end());
    return std::move(result_);
  }

 private:
  // ---- without

  // Removes the objects whose metadata `is_gone` accepts; devices of pods are free then. Returns true if there is one.
  template <class Store, class IsGone>
  auto erase(Store& store, IsGone is_gone) -> bool {
    return std::erase_if(store, [&](const auto& object) {
             const bool gone = is_gone(object.meta);
             if constexpr (std::is_same_v<std::decay_t<decltype(object)>, Node>) {
               if (gone) objects_.overlaid.removed_nodes.push_back(object);
             }
             if constexpr (std::is_same_v<std::decay_t<decltype(object)>, Pod>) {
               if (gone) release_claims_of(object, objects_.resource_claims);
               objects_.overlaid.removed_running = objects_.overlaid.removed_running || (gone && object.spec.node_name);
             }
             return gone;
           }) > 0;
  }

  auto remove_object(const std::string& text) -> Result<void> {
    const std::size_t slash = text.find('/');
    const std::string_view kind = std::string_view(text).substr(0, slash);
    std::string_view name = slash == std::string::npos ? std::string_view() : std::string_view(text).substr(slash + 1);
    std::string_view ns;
    if (const std::size_t next = name.find('/'); next != std::string_view::npos) {
      ns = name.substr(0, next);
      name.remove_prefix(next + 1);
    }
    if (name.empty()) {
      return fail(fmt::format("--without \"{}\": expected KIND/NAME or KIND/NAMESPACE/NAME", text));
    }
    bool kind_known = false;
    bool makes_pods = false;
    bool found = false;
    std::vector<std::string> names;
    std::vector<std::string> kinds;
    objects_.each_store([&](std::string_view store_kind, auto& store) {
      kinds.push_back(lower_case(store_kind));
      if (!kind_of_store(store_kind)->is_called(kind)) return;
      kind_known = true;
      makes_pods = kind_of_store(store_kind)->makes_pods;
      const bool erased = erase(store, [&](const ObjectMeta& meta) {
        const std::string_view of = objects_.symbols.text(meta.ns);
        const bool same_ns = of.empty() ? ns.empty() : of == (ns.empty() ? std::string_view(overlay_.ns) : ns);
        if (same_ns) names.emplace_back(objects_.symbols.text(meta.name));
        return same_ns && objects_.symbols.text(meta.name) == name;
      });
      if (erased) drop_counts(store_kind);
      found = found || erased;
    });
    if (!kind_known) {
      const auto meant = nearest(lower_case(kind), kinds);
      return fail(fmt::format("--without \"{}\": objects of kind {} are not read{}", text, kind,
                              meant ? fmt::format("; did you mean {}?", *meant) : ""));
    }
    if (!found) {
      const auto meant = nearest(name, names);
      return fail(fmt::format("--without \"{}\": the object does not exist {}{}", text, where_read(objects_),
                              meant ? fmt::format("; did you mean {}?", *meant) : ""));
    }
    result_.remarks.push_back(fmt::format("without {}{}", text, makes_pods ? ", whose pods stay" : ""));
    return {};
  }

  // The status of ClusterQueues counts the workloads that were there.
  void drop_counts(std::string_view removed) {
    if (removed != kinds::kueue_workloads.store_name) return;
    for (kueue::ClusterQueue& queue : objects_.cluster_queues) queue.status = {};
  }

  void remove(const ObjectName& gone) {
    objects_.each_store([&](std::string_view store_kind, auto& store) {
      if (store_kind != gone.store) return;
      const bool erased = erase(store, [&](const ObjectMeta& meta) {
        return objects_.symbols.text(meta.ns) == gone.ns && objects_.symbols.text(meta.name) == gone.name;
      });
      if (!erased) return;
      drop_counts(store_kind);
      const KindInfo& kind = *kind_of_store(store_kind);
      result_.remarks.push_back(fmt::format("without {}/{}{}{}", kind.name, gone.ns.empty() ? "" : gone.ns + "/",
                                            gone.name, kind.makes_pods ? ", whose pods stay" : ""));
    });
  }

  // ---- with

  auto lay() -> Result<void> {
    const std::vector<std::size_t> marks = store_sizes(objects_);
    const std::size_t first_new_class = objects_.priority_classes.size();
    std::vector<std::size_t> waiting;
    for (const Engine* engine : engines()) waiting.push_back(engine->waiting_without_pods(objects_).size());
    const auto counts = objects_.counts;
    const auto listed = objects_.listed;
    PREVICT_CHECK(read_objects(overlay_.with, options_, objects_, sorter_));
    name_generated_objects(objects_);
    objects_.counts = counts;
    objects_.listed = listed;
    PREVICT_CHECK(check_something_came(marks));
    PREVICT_CHECK(check_classes(first_new_class));
    result_.remarks.insert(result_.remarks.end(), sorter_.remarks().begin(), sorter_.remarks().end());
    result_.unknown.insert(result_.unknown.end(), sorter_.unknown().begin(), sorter_.unknown().end());
    for (const std::string& object : sorter_.unknown_controllers())
      result_.unknown.push_back({GapRule::controller_unknown, {object}});
    PREVICT_TRY(result_.configurations, sorter_.configurations());
    for (const ConfigurationKind& kind : configuration_kinds()) {
      const auto& found = result_.configurations.*kind.member;
      if (!found) continue;
      result_.remarks.push_back(fmt::format("with the {} {}", kind.title, objects_.files.name(found->file)));
    }

    for (std::size_t e = 0; e < waiting.size(); ++e) note_waiting(*engines()[e], waiting[e]);
    const std::size_t first_new_pod = marks.front();
    for (std::size_t i = first_new_pod; i < objects_.pods.size(); ++i) {
      added_pods_.insert(name_key(objects_.pods.items()[i].meta));
    }
    std::size_t i = 0;
    objects_.each_store([&](std::string_view kind, auto& store) { merge(kind, store, marks[i++]); });
    set_status_of_quotas();
    for (const PersistentVolumeClaim& claim : objects_.persistent_volume_claims) {
      if (claim.to_be_made) PREVICT_CHECK(check_claim(claim));
    }
    for (Pod& pod : objects_.pods) {
      const bool created = !pod.meta.uid || !pod.spec.has_priority;
      if (is_added(pod) && created) PREVICT_CHECK(create(pod));
    }
    drop_refused();
    for (const ScaledDown& each : sorter_.scaled_down()) delete_surplus(each);
    for (PodDisruptionBudget& budget : objects_.disruption_budgets) {
      const BudgetSpec* spec = sorter_.budget(budget.meta.source);
      if (spec == nullptr || sorter_.has_status(budget.meta.source)) continue;
      std::string how = work_out(budget, *spec, objects_);
      if (budget.status.disruptions_allowed == kUnknownDisruptions) {
        result_.unknown.push_back({GapRule::budget_not_worked_out, {std::move(how)}});
      } else {
        result_.remarks.push_back(std::move(how));
      }
    }
    return {};
  }

  // A controller creates as many pods as the quotas of the namespace admit.
  void drop_refused() {
    for (const auto& [controller, refused] : refused_) {
      result_.remarks.push_back(
          fmt::format("{} cannot create {}: {}", controller, counted(refused.pods.size(), "pod", "pods"), refused.why));
      erase(items_of(objects_.pods), [&](const ObjectMeta& meta) { return refused.pods.contains(name_key(meta)); });
    }
  }

  // The controllers of a simulation delete the pods of other workloads than Deployments.
  void delete_surplus(const ScaledDown& of) {
    const std::string what = fmt::format("{} {}/{}", of.workload.kind, objects_.symbols.text(of.ns), of.name);
    const bool is_deployment = of.workload.kind == kinds::deployments.name;
    if (overlay_.over_time && (!is_deployment || scale_replica_sets(of, objects_))) {
      result_.remarks.push_back(
          fmt::format("{} wants {}", what,
                      of.wanted == 0 ? "no pods" : counted(static_cast<std::size_t>(of.wanted), "pod", "pods")));
      return;
    }
    constexpr std::size_t kPodsNamed = 4;
    std::set<std::uint64_t> keys;
    {
      const Snapshot cluster(objects_);
      const std::vector<PodId> pods = active_pods(of.workload, of.ns, of.name, cluster);
      const auto deleted = deleted_by(of, pods, now_, cluster);
      if (!deleted) {
        objects_.overlaid.unknown_deletions.push_back({what, std::to_string(pods.size()), std::to_string(of.wanted)});
        return;
      }
      std::vector<std::string> names;
      for (const PodId id : *deleted) {
        keys.insert(name_key(cluster.pod(id).meta));
        names.push_back(cluster.key(id));
      }
      result_.remarks.push_back(fmt::format("{} has deleted {} of its {}: {}", what, deleted->size(),
                                            counted(pods.size(), "pod", "pods"),
                                            joined_up_to(kPodsNamed, std::move(names))));
    }
    erase(items_of(objects_.pods), [&](const ObjectMeta& meta) { return keys.contains(name_key(meta)); });
  }

  [[nodiscard]] auto is_added(const Pod& pod) const -> bool { return added_pods_.contains(name_key(pod.meta)); }

  // Quotas of the overlay that have no status yet. Those that replace a quota have inherited its status.
  void set_status_of_quotas() {
    const auto is_new = [&](const ResourceQuota& quota) {
      return quota.status.hard.empty() && !quota.meta.uid && !sorter_.has_status(quota.meta.source);
    };
    if (std::none_of(objects_.resource_quotas.begin(), objects_.resource_quotas.end(), is_new)) return;
    const Snapshot cluster(objects_);
    for (ResourceQuota& quota : objects_.resource_quotas) {
      if (is_new(quota)) set_status(quota, cluster, [&](const Pod& pod) { return pod.meta.uid || !is_added(pod); });
    }
  }

  // The objects from index `mark` on are new.
  void note_waiting(const Engine& engine, std::size_t mark) {
    const std::vector<AskedObject> all = engine.waiting_without_pods(objects_);
    for (std::size_t i = mark; i < all.size(); ++i)
      waiting_.push_back(fmt::format("{}/{}/{}", engine.asked_kind(), all[i].ns, all[i].name));
  }

  // If no pods are created, they cannot be evaluated, and other pods were not meant.
  [[nodiscard]] auto check_something_came(const std::vector<std::size_t>& marks) const -> Result<void> {
    const auto& unknown = sorter_.unknown_controllers();
    if (unknown.empty() || !sorter_.remarks().empty() || !overlay_.pod.empty()) return {};
    std::size_t i = 0;
    bool some = false;
    objects_.each_store([&](std::string_view, const auto& store) { some = some || store.size() > marks[i++]; });
    PREVICT_TRY(const Configurations found, sorter_.configurations());
    if (some || !found.empty()) return {};
    return fail(fmt::format("--with: previct does not know the controller of {}", joined(unknown, ", ")), {},
                sorter_.kueue_decides() ? "Kueue decides first: pass a manifest of its Workload with --with"
                                        : "pass a manifest of its pods with --with");
  }

  // Source: kubernetes pkg/apis/scheduling/validation/validation.go ValidatePriorityClass, v1.35.
  [[nodiscard]] auto check_classes(std::size_t first) const -> Result<void> {
    for (std::size_t i = first; i < objects_.priority_classes.size(); ++i) {
      const PriorityClass& added = objects_.priority_classes[i];
      const std::string_view name = objects_.symbols.text(added.meta.name);
      if (name.starts_with("system-") || added.value <= upstream::kHighestUserPriority) continue;
      return fail(fmt::format("PriorityClass {} would be refused by the API server: its value is above {}, the highest "
                              "of a class that is not built in",
                              name, upstream::kHighestUserPriority),
                  locate(objects_.sources, added.meta.source, "value"));
    }
    return {};
  }

  // A StatefulSet creates no pod without its claims.
  auto check_claim(const PersistentVolumeClaim& claim) -> Result<void> {
    if (!checked_claims_.insert(name_key(claim.meta)).second) return {};
    if (!claim_quotas_) claim_quotas_ = objects_.resource_quotas;
    const std::string why = claim_refusal(claim, *claim_quotas_, objects_);
    if (why.empty()) return {};
    return fail(
        fmt::format("claim {} would be refused by the API server: {}", name_of(claim.meta, objects_.symbols), why),
        claim.meta.source);
  }

  // Returns why a quota refuses the new pod; otherwise, the quotas count it.
  auto count_or_refuse(const Pod& pod) -> std::string {
    const bool any = std::any_of(objects_.resource_quotas.begin(), objects_.resource_quotas.end(),
                                 [&](const ResourceQuota& quota) { return quota.meta.ns == pod.meta.ns; });
    if (!any) return {};
    const Snapshot cluster(objects_);
    std::string why = quota_refusal(pod, objects_.resource_quotas, cluster);
    if (why.empty() && is_added(pod) && !pod.meta.uid) count_in_quotas(pod, true, objects_.resource_quotas, cluster);
    return why;
  }

  // Applies what the API server does at creation.
  auto create(Pod& pod) -> Result<void> {
    const Symbol runtime_class = sorter_.runtime_class(pod.meta.source);
    PREVICT_TRY(const std::vector<std::string> added,
                create_pod(pod, runtime_class, around_.all_runtime_classes, now_, objects_));
    PREVICT_CHECK(check_gpu_request(pod, objects_));
    const std::string name = name_of(pod.meta, objects_.symbols);
    if (objects_.symbols.text(pod.meta.ns) != around_.ns) {
      result_.unknown.insert(result_.unknown.end(), around_.elsewhere.begin(), around_.elsewhere.end());
      around_.elsewhere.clear();  // reported once
    }
    for (const std::string& what : added) result_.remarks.push_back(fmt::format("Pod {} gets {}", name, what));
    // For a pending pod, its own answer reports it.
    if (pod.spec.missing_runtime_class && pod.spec.node_name)
      result_.unknown.push_back({GapRule::runtime_class_missing, {std::string(objects_.symbols.text(runtime_class))}});
    std::string other = sorter_.other_decider(pod.meta.source);
    if (other.empty()) other = why_yunikorn_decides(pod, objects_);
    if (!other.empty() && !pod.spec.node_name) {
      pod.spec.other_decides = objects_.symbols.intern(other);
      add_gaps({{GapRule::other_decides, {other}}}, result_.unknown);
    }
    PREVICT_CHECK(claim_devices(pod, now_, objects_));
    remark("PersistentVolumeClaim", "added",
           add_ephemeral_claims(pod, sorter_.claims(pod.meta.source), now_, objects_));
    for (const PersistentVolumeClaim& claim : objects_.persistent_volume_claims) {
      const OwnerReference* const owner = claim.to_be_made ? controller_of(claim.meta) : nullptr;
      if (owner != nullptr && owner->name == pod.meta.name && claim.meta.ns == pod.meta.ns)
        PREVICT_CHECK(check_claim(claim));
    }
    if (const std::string why = count_or_refuse(pod); !why.empty()) {
      const OwnerReference* const controller = controller_of(pod.meta);
      if (overlay_.over_time && controller != nullptr) {
        Refused& refused =
            refused_[fmt::format("{} {}/{}", objects_.symbols.text(controller->kind),
                                 objects_.symbols.text(pod.meta.ns), objects_.symbols.text(controller->name))];
        refused.pods.insert(name_key(pod.meta));
        refused.why = why;
        return {};
      }
      return fail(fmt::format("pod {} would be refused by the API server: {}", name, why), pod.meta.source,
                  "--without ResourceQuota/NAMESPACE/NAME ignores the quota");
    }
    const std::vector<std::string> webhooks = webhooks_of_pods(objects_);
    if (!webhooks.empty() && !webhooks_said_) {
      webhooks_said_ = true;
      result_.unknown.push_back({GapRule::webhooks, {joined(webhooks, ", "), std::to_string(webhooks.size())}});
    }
    return {};
  }

  // The objects from index `mark` on are new.
  template <class T>
  void merge(std::string_view kind, std::vector<T>& store, std::size_t mark) {
    std::unordered_map<std::uint64_t, std::size_t> place_of;
    for (std::size_t i = 0; i < mark; ++i) place_of.emplace(name_key(store[i].meta), i);
    std::vector<std::string> added;
    std::vector<std::string> replaced;
    std::size_t kept = mark;
    for (std::size_t i = mark; i < store.size(); ++i) {
      const auto [place, is_new] = place_of.try_emplace(name_key(store[i].meta), kept);
      T& target = store[place->second];
      (is_new ? added : replaced).push_back(name_of(store[i].meta, objects_.symbols));
      set_defaults(store[i]);
      ObjectMeta& meta = store[i].meta;
      if (is_new && !meta.uid && !meta.created && now_ != Instant{}) meta.created = now_;  // set by the API server
      if (!is_new) inherit(target, store[i]);
      if (&target != &store[i]) target = std::move(store[i]);
      if (is_new) ++kept;
    }
    store.erase(store.begin() + static_cast<std::ptrdiff_t>(kept), store.end());
    // Of a workload, the remarks and the answer name the pods.
    if (kind_of_store(kind)->makes_pods) return;
    remark(kind, "replaced", replaced);
    remark(kind, "added", added);
  }

  void remark(std::string_view kind, std::string_view what, const std::vector<std::string>& names) {
    constexpr std::size_t kNamed = 4;
    if (names.empty()) return;
    result_.remarks.push_back(names.size() > kNamed ? fmt::format("{} {} {}", what, names.size(), kind)
                                                    : fmt::format("{} {} {}", what, kind, joined(names, ", ")));
  }

  // Kubernetes: pkg/apis/scheduling/v1/defaults.go.
  template <class T>
  void set_defaults(T& object) {
    if constexpr (std::is_same_v<T, PriorityClass>) {
      if (!object.preemption_policy) object.preemption_policy = objects_.symbols.intern("PreemptLowerPriority");
    }
    if constexpr (std::is_same_v<T, Node>) default_node(object);
    if constexpr (std::is_same_v<T, PersistentVolumeClaim>) {
      object.to_be_made = !object.meta.uid;
      if (object.to_be_made) set_default_class(object, objects_);
    }
  }

  template <class T>
  void inherit(const T& from, T& to) {
    if (!to.meta.uid) {
      to.meta.uid = from.meta.uid;
      to.meta.resource_version = from.meta.resource_version;
      if (!to.meta.created) to.meta.created = from.meta.created;
    }
    if constexpr (requires { to.status; }) {
      if (!sorter_.has_status(to.meta.source)) to.status = from.status;
    }
    if constexpr (std::is_same_v<T, Pod>) {
      if (!to.spec.node_name) to.spec.node_name = from.spec.node_name;
    }
    // The controllers set these fields, which cannot be changed.
    if constexpr (std::is_same_v<T, PersistentVolumeClaim>) {
      to.to_be_made = from.to_be_made;
      if (!to.spec.volume_name) to.spec.volume_name = from.spec.volume_name;
      if (!to.spec.storage_class_name) to.spec.storage_class_name = from.spec.storage_class_name;
    }
    // Its controller copies the limits and keeps the usage.
    // Source: kubernetes: pkg/controller/resourcequota/resource_quota_controller.go syncResourceQuota; v1.35.
    if constexpr (std::is_same_v<T, ResourceQuota>) {
      if (!sorter_.has_status(to.meta.source)) to.status.hard = to.spec.hard;
    }
    if (sorter_.rolls_out(to.meta.source)) {
      if constexpr (std::is_same_v<T, Deployment>) keep_settings(from, to);
      if constexpr (std::is_same_v<T, StatefulSet>) keep_settings(from, to, objects_.symbols);
    }
    if constexpr (std::is_same_v<T, PriorityClass>) remark_value(from, to);
    if constexpr (std::is_same_v<T, Pod>) remark_changes(from, to);
  }

  // Kubernetes: pkg/apis/core/validation/validation.go ValidatePodUpdate, v1.35: of the fields that are read,
  // tolerations may be added and gates removed; cpu and memory of containers change through the resize subresource.
  void remark_changes(const Pod& from, const Pod& to) {
    const auto old = fields_of(from, objects_.symbols);
    std::string fixed;
    bool resized = false;
    for (const auto& [field, text] : fields_of(to, objects_.symbols)) {
      const bool may_change = !field.starts_with("spec.") || field.starts_with("spec.tolerations") ||
                              field.starts_with("spec.schedulingGates") || field.starts_with("spec.terminationGrace");
      const auto before = old.find(field);
      if (may_change || (before != old.end() && before->second == text)) continue;
      const bool resize = field.find(".resources.") != std::string::npos && field.starts_with("spec.containers") &&
                          (field.ends_with(".cpu") || field.ends_with(".memory"));
      resized = resized || resize;
      if (!resize && fixed.empty()) fixed = field;
    }
    remark_fixed(to, fixed, resized);
  }

  void remark_fixed(const Pod& pod, std::string_view fixed, bool resized) {
    if (!pod.meta.uid) return;
    const std::string name = name_of(pod.meta, objects_.symbols);
    if (!fixed.empty()) {
      result_.remarks.push_back(
          fmt::format("Pod {} must be deleted and recreated: {} of a pod cannot be changed", name, fixed));
    } else if (resized) {
      result_.remarks.push_back(fmt::format(
          "Pod {} must be resized (kubectl patch --subresource resize), or deleted and created again", name));
    }
  }

  // Kubernetes: pkg/apis/scheduling/validation/validation.go ValidatePriorityClassUpdate, v1.35.
  void remark_value(const PriorityClass& from, const PriorityClass& to) {
    const std::string_view old = objects_.symbols.text(from.preemption_policy);
    const bool policy = (old.empty() ? "PreemptLowerPriority" : old) != objects_.symbols.text(to.preemption_policy);
    if (from.meta.uid && (from.value != to.value || policy)) {
      result_.remarks.push_back(fmt::format("PriorityClass {} must be deleted and recreated: its {} cannot be changed",
                                            objects_.symbols.text(to.meta.name),
                                            from.value != to.value ? "value" : "preemptionPolicy"));
    }
    if (from.value == to.value) return;
    const auto pods = std::count_if(objects_.pods.begin(), objects_.pods.end(), [&](const Pod& pod) {
      return pod.spec.priority_class_name == from.meta.name && pod.spec.has_priority;
    });
    if (pods == 0) return;
    result_.remarks.push_back(
        fmt::format("the value {} of PriorityClass {} applies to new pods; {} its {}", to.value,
                    objects_.symbols.text(to.meta.name),
                    pods == 1 ? "the pod that has the class keeps" : fmt::format("{} pods keep", pods),
                    fmt::format("priority {}", from.value)));
  }

  // ---- class and requests

  auto change_pods() -> Result<void> {
    if (!overlay_.pod.empty()) {
      const Symbol ns = objects_.symbols.find(overlay_.ns);
      const Symbol name = objects_.symbols.find(overlay_.pod);
      for (Pod& pod : objects_.pods) {
        if (pod.meta.name == name && pod.meta.ns == ns) return change(pod);
      }
      return {};  // the caller reports that there is no such pod
    }
    if (!waiting_.empty()) {
      return fail(fmt::format("--request and --priority-class change pods, and {} has none yet", waiting_.front()), {},
                  "change the manifest that --with names");
    }
    if (added_pods_.empty()) {
      Pod pod;
      pod.meta.ns = objects_.symbols.intern(overlay_.ns);
      pod.meta.name = objects_.symbols.intern("what-if");
      pod.spec.scheduler_name = objects_.symbols.intern(overlay_.scheduler);
      pod.spec.containers.emplace_back();
      added_pods_.insert(name_key(pod.meta));
      objects_.pods.add(std::move(pod));
      result_.remarks.push_back(fmt::format("added Pod {}/what-if, for {}", overlay_.ns, overlay_.scheduler));
    }
    for (Pod& pod : objects_.pods) {
      if (is_added(pod)) PREVICT_CHECK(change(pod));
    }
    return {};
  }

  [[nodiscard]] auto check_class() const -> Result<void> {
    const std::string& name = overlay_.priority_class;
    if (known_class(objects_.symbols.intern(name), objects_)) return {};
    if (lacks(objects_, kinds::priority_classes) && objects_.priority_classes.empty()) {
      return fail(fmt::format("--priority-class {}: the input has no PriorityClasses, so its value is not known", name),
                  {}, "add them to the input (kubectl get priorityclasses -o yaml), or add the class with --with");
    }
    const auto meant = nearest_class(name, objects_);
    return fail(fmt::format("--priority-class {}: the PriorityClass does not exist{}", name,
                            meant ? fmt::format("; did you mean {}?", *meant) : ""));
  }

  // KAI takes the class of the PodGroup, which the pod-grouper derives from a recreated pod: from its label, or else
  // from its spec. Source: kai-scheduler/KAI-Scheduler: pkg/podgrouper/podgrouper/plugins/defaultgrouper
  // CalcPodGroupPriorityClass.
  void change_class_of_group(const Pod& pod) {
    const Symbol key = objects_.symbols.find("pod-group-name");
    const Symbol named = key ? pod.meta.annotations.get(key) : Symbol{};
    if (!named) return;
    for (kai::PodGroup& group : objects_.kai_pod_groups) {
      if (group.meta.name != named || group.meta.ns != pod.meta.ns) continue;
      group.spec.priority_class_name = objects_.symbols.intern(overlay_.priority_class);
      result_.remarks.push_back(fmt::format("PodGroup {} with class {}, which KAI takes for all its pods",
                                            name_of(group.meta, objects_.symbols), overlay_.priority_class));
    }
  }

  // Kueue counts what the Workload requests, and has its priority.
  [[nodiscard]] auto waits_for_kueue(const Pod& pod) const -> bool {
    const Symbol gate = objects_.symbols.find("kueue.x-k8s.io/admission");
    const auto& gates = pod.spec.scheduling_gates;
    return gate && pod.meta.uid &&
           std::any_of(gates.begin(), gates.end(), [&](const Named& each) { return each.name == gate; });
  }

  auto change(Pod& pod) -> Result<void> {
    const Pod old = pod;
    PodSpec& spec = pod.spec;
    if (waits_for_kueue(pod)) {
      return fail(fmt::format("--request and --priority-class change pod {}, and Kueue decides about its Workload",
                              name_of(pod.meta, objects_.symbols)),
                  {}, "pass a changed manifest of the Workload with --with");
    }
    if (!overlay_.priority_class.empty()) {
      PREVICT_CHECK(check_class());
      spec.priority_class_name = objects_.symbols.intern(overlay_.priority_class);
      spec.has_priority = false;
      spec.preemption_policy = {};
      change_class_of_group(pod);
    }
    for (const std::string& text : overlay_.requests) {
      const std::size_t equals = text.find('=');
      const auto amount = Quantity::parse(equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1));
      if (!amount || equals == 0 || *amount < Quantity()) {
        return fail(fmt::format("--request \"{}\": expected RESOURCE=QUANTITY such as cpu=2 or memory=4Gi", text));
      }
      if (*amount >= Quantity::of(INT64_MAX / 1000))
        return fail(fmt::format("--request \"{}\": the quantity is larger than Kubernetes supports", text));
      set_request(spec, objects_.symbols.intern(std::string_view(text).substr(0, equals)), *amount, objects_.symbols);
    }
    std::vector<std::string> changes = overlay_.requests;
    if (!overlay_.priority_class.empty()) changes.insert(changes.begin(), "class " + overlay_.priority_class);
    result_.remarks.push_back(
        fmt::format("Pod {} with {}", name_of(pod.meta, objects_.symbols), joined(changes, ", ")));
    const bool resize = std::all_of(overlay_.requests.begin(), overlay_.requests.end(), [](const std::string& text) {
      return text.starts_with("cpu=") || text.starts_with("memory=");
    });
    remark_fixed(pod,
                 !overlay_.priority_class.empty() ? "spec.priorityClassName"
                 : resize                         ? ""
                                                  : "spec.containers",
                 resize);
    if (!pod.meta.uid) return create(pod);
    PREVICT_CHECK(admit(pod, now_, objects_));
    if (const std::string why = refusal_in_place(old, pod, Snapshot(objects_)); !why.empty())
      return fail(
          fmt::format("pod {} would be refused by the API server: {}", name_of(pod.meta, objects_.symbols), why),
          pod.meta.source);
    PREVICT_TRY(const std::string limits, apply_limits(pod, objects_.limit_ranges, objects_));
    if (!limits.empty())
      result_.remarks.push_back(fmt::format("Pod {} gets {}", name_of(pod.meta, objects_.symbols), limits));
    return {};
  }

  /// New pods of one controller that a quota refuses.
  struct Refused {
    std::set<std::uint64_t> pods;  // by name
    std::string why;
  };

  const Overlay& overlay_;
  const LoadOptions& options_;
  Objects& objects_;
  Surroundings around_;
  Sorter sorter_;
  Instant now_;
  bool webhooks_said_ = false;
  std::optional<std::vector<ResourceQuota>> claim_quotas_;  // with the claims that were checked
  std::set<std::uint64_t> checked_claims_;                  // by name
  std::set<std::uint64_t> added_pods_;                      // names of the pods that the overlay added
  std::map<std::string, Refused> refused_;                  // by controller
  std::vector<std::string> waiting_;  // objects without pods that it added, as in OverlayResult::pods
  OverlayResult result_;
};

}  // namespace

auto apply_overlay(const Overlay& overlay, const LoadOptions& options, Objects& objects) -> Result<OverlayResult> {
  return Overlaying(overlay, options, objects).run();
}

namespace {

auto names_in(const std::vector<std::string>& paths, const LoadOptions& options) -> Result<std::set<ObjectName>> {
  Objects objects;
  Sorter sorter(objects);
  LoadOptions reading = options;
  reading.progress = nullptr;
  reading.arrivals = nullptr;
  PREVICT_CHECK(read_objects(paths, reading, objects, sorter));
  std::set<ObjectName> names;
  objects.each_store([&](std::string_view store_kind, const auto& store) {
    for (const auto& object : store) {
      names.insert({store_kind, std::string(objects.symbols.text(object.meta.ns)),
                    std::string(objects.symbols.text(object.meta.name))});
    }
  });
  return names;
}

}  // namespace

auto removed_between(const std::vector<std::string>& earlier, const std::vector<std::string>& later,
                     const LoadOptions& options) -> Result<std::vector<ObjectName>> {
  // Standard input can be read only once.
  if (contains(earlier, "-") || contains(later, "-")) return std::vector<ObjectName>{};
  PREVICT_TRY(const std::set<ObjectName> before, names_in(earlier, options));
  PREVICT_TRY(const std::set<ObjectName> after, names_in(later, options));
  std::vector<ObjectName> gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
  return gone;
}

void drop_request(PodSpec& spec, Symbol resource) {
  const auto drop = [&](ResourceRequirements& of) {
    for (ResourceList* list : {&of.requests, &of.limits}) {
      ResourceList rest;
      for (const auto& [name, quantity] : *list) {
        if (name != resource) rest.set(name, quantity);
      }
      *list = rest;
    }
  };
  for (Container& container : spec.containers) drop(container.resources);
  for (Container& container : spec.init_containers) drop(container.resources);
  if (spec.resources) drop(*spec.resources);
}

void set_request(PodSpec& spec, Symbol resource, Quantity amount) {
  drop_request(spec, resource);
  if (spec.containers.empty()) spec.containers.emplace_back();
  spec.containers.front().resources.requests.set(resource, amount);
}

void set_request(PodSpec& spec, Symbol resource, Quantity amount, const Symbols& symbols) {
  set_request(spec, resource, amount);
  if (needs_limit(symbols.text(resource))) spec.containers.front().resources.limits.set(resource, amount);
}

void add(OverlayResult later, OverlayResult& earlier) {
  earlier.configurations.replace_by(later.configurations);
  for (auto member : {&OverlayResult::pods, &OverlayResult::remarks}) {
    auto& list = earlier.*member;
    list.insert(list.end(), (later.*member).begin(), (later.*member).end());
  }
  earlier.unknown.insert(earlier.unknown.end(), later.unknown.begin(), later.unknown.end());
}

auto admit_all(Objects& objects) -> Result<void> {
  for (Pod& pod : objects.pods) {
    if (!pod.spec.has_priority) PREVICT_CHECK(admit(pod, objects.newest, objects));
  }
  return {};
}

}  // namespace previct
