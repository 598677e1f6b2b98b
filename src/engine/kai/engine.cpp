#include "engine/engine.h"

#include "api/locate.h"
#include "cluster/changed_cluster.h"
#include "engine/kai/account.h"
#include "engine/kai/asked.h"
#include "engine/kai/parameters.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/needs.h"
#include "engine/kai/snapshot/shard_values.h"
#include "engine/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace previct {
namespace {

/// The KAI Scheduler: PodGroups in a queue hierarchy, min-runtime, reclaim, preempt and consolidation.
class KaiEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kai"; }
  [[nodiscard]] auto rank() const -> int override { return 20; }
  [[nodiscard]] auto scheduler_name() const -> std::string_view override { return schedulers::kai.scheduler_name; }
  [[nodiscard]] auto causes() const -> std::span<const std::string_view> override {
    static constexpr std::array<std::string_view, 3> kCauses = {"kai.preemption", "kai.reclaim", "kai.consolidation"};
    return kCauses;
  }
  [[nodiscard]] auto needs() const -> std::span<const RequiredKind> override { return kai::kNeeds; }
  // Pods that name a PodGroup are ignored if it does not exist.
  [[nodiscard]] auto needed_for(const Snapshot& cluster, const RequiredKind& need) const -> bool override {
    if (need.always || need.kind != &kinds::kai_pod_groups) return need.always;
    for (const PodId pod : cluster.pods().ids()) {
      if (!kai::group_name_of(cluster, pod).empty()) return true;
    }
    return false;
  }
  [[nodiscard]] auto asked_kind() const -> std::string_view override { return "podgroup"; }
  [[nodiscard]] auto decides_about_groups() const -> bool override { return true; }

  [[nodiscard]] auto is_being_bound(const Snapshot& cluster, PodId pod) const -> bool override {
    return kai::is_being_bound(cluster, pod);
  }

  [[nodiscard]] auto group_of(const Snapshot& cluster, PodId pod) const -> std::string_view override {
    return kai::group_name_of(cluster, pod);
  }

  // The group's min-runtime counts from the start of its first pod.
  void note_start(const Snapshot& cluster, PodId id, Instant at, const Verdict& verdict,
                  ChangedCluster& objects) const override {
    label_gpus(id, at, verdict, objects);
    const std::string_view group = group_of(cluster, id);
    if (group.empty()) return;
    const Symbol ns = cluster.pod(id).meta.ns;
    for (const PodId other : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(other);
      const bool runs = other != id && pod.spec.node_name && !pod.meta.deleting && !cluster.finished(other);
      if (runs && pod.meta.ns == ns && group_of(cluster, other) == group) return;
    }
    const auto& groups = cluster.objects().kai_pod_groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].meta.ns != ns || cluster.text(groups[i].meta.name) != group) continue;
      Symbols& symbols = objects.objects().symbols;
      objects.kai_group(i).meta.annotations.set(symbols.intern(kai::kLastStart),
                                                symbols.intern(format_instant(Instant{at.seconds, 0})));
    }
  }

  // The longest min-runtime of a queue or a shard.
  [[nodiscard]] auto longest_protection(const Snapshot& cluster) const -> Duration override {
    std::int64_t longest = 0;
    const auto add = [&](const std::optional<Duration>& length) {
      if (length) longest = std::max(longest, length->nanos);
    };
    for (const kai::Queue& queue : cluster.objects().kai_queues) {
      add(queue.spec.preempt_min_runtime);
      add(queue.spec.reclaim_min_runtime);
    }
    for (const kai::SchedulingShard& shard : cluster.objects().kai_shards) {
      for (const auto& text : {shard.spec.min_runtime.preempt, shard.spec.min_runtime.reclaim}) {
        if (text) longest = std::max(longest, parse_go_duration(cluster.text(*text)).value_or(0));
      }
    }
    return {longest};
  }

  [[nodiscard]] auto parameters() const -> std::span<const FieldParameter> override { return kai::parameters(); }

  [[nodiscard]] auto state_lost_between_cycles() const -> std::vector<Gap> override {
    return {{GapRule::kai_pipelined}, {GapRule::kai_moved_pods}};
  }

  [[nodiscard]] auto owns_pod(const Snapshot& cluster, PodId pod) const -> bool override {
    const std::string_view scheduler = cluster.text(cluster.pod(pod).spec.scheduler_name);
    if (scheduler == scheduler_name()) return true;
    const Symbol args = cluster.symbol("scheduler-name");
    const auto& shards = cluster.objects().kai_shards;
    const auto& configs = cluster.objects().kai_configs;
    const bool configured = std::any_of(configs.begin(), configs.end(), [&](const kai::Config& config) {
      return config.spec.global.scheduler_name && cluster.text(config.spec.global.scheduler_name) == scheduler;
    });
    if (configured) return true;
    return args && std::any_of(shards.begin(), shards.end(), [&](const kai::SchedulingShard& shard) {
             return shard.spec.args.has(args) && cluster.text(shard.spec.args.get(args)) == scheduler;
           });
  }

  // KAI drops such queues, with everything below them, and only logs it, as unreadable values of shards.
  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& /*question*/) const
      -> Result<void> override {
    kai::warn_of_shard_values(cluster);
    const auto& queues = cluster.objects().kai_queues;
    std::map<Symbol, const kai::Queue*> by_name;
    for (const kai::Queue& queue : queues) by_name.emplace(queue.meta.name, &queue);
    const auto parent_of = [&](const kai::Queue* queue) -> const kai::Queue* {
      const auto found = by_name.find(queue->spec.parent_queue);
      return found == by_name.end() ? nullptr : found->second;
    };
    const auto warn = [&](std::string_view id, const kai::Queue& queue, std::string words,
                          std::string_view field = "spec.parentQueue") {
      cluster.diagnostics().warn(std::string(id), std::move(words),
                                 locate(cluster.objects().sources, queue.meta.source, field));
    };
    const auto check_min_runtime = [&](const kai::Queue& queue, const std::optional<Duration>& length, bool hyphenated,
                                       std::string_view action) {
      const std::string field = fmt::format("{}MinRuntime", action);
      const std::string_view name = cluster.text(queue.meta.name);
      if (length && length->nanos < 0)
        warn("min-runtime-negative", queue, fmt::format("queue {}: a negative {} protects no pod", name, field),
             "spec." + field);
      if (hyphenated)
        warn("min-runtime-not-read", queue,
             fmt::format("queue {}: KAI does not read {}-min-runtime; the field is {}", name, action, field),
             fmt::format("spec.{}-min-runtime", action));
    };
    for (const kai::Queue& queue : queues) {
      const std::string_view name = cluster.text(queue.meta.name);
      check_min_runtime(queue, queue.spec.reclaim_min_runtime, queue.spec.hyphenated_reclaim, "reclaim");
      check_min_runtime(queue, queue.spec.preempt_min_runtime, queue.spec.hyphenated_preempt, "preempt");
      if (queue.spec.parent_queue && parent_of(&queue) == nullptr) {
        warn("queue-parent-missing", queue,
             fmt::format("queue {}: its parent {} is not in the input, so KAI ignores it and all its descendants", name,
                         cluster.text(queue.spec.parent_queue)));
      }
      const kai::Queue* above = parent_of(&queue);
      for (std::size_t steps = 0; above != nullptr && above != &queue && steps < kDeepest; ++steps)
        above = parent_of(above);
      if (above == &queue) {
        warn("queue-cycle", queue,
             fmt::format("queue {} is its own ancestor, through {}", name, cluster.text(queue.spec.parent_queue)));
      }
    }
    return {};
  }

  [[nodiscard]] auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> override {
    PREVICT_TRY(kai::Asked asked, kai::find_asked(cluster, question));
    const std::string shard = kai::shard_for(cluster, question, asked);
    PREVICT_TRY(const std::shared_ptr<kai::Cycles> cycles,
                kai::cycles_of(cluster, {shard, question.kai_version}, question.now, asked.assumed));
    const std::uint64_t work_before = cycles->work();
    const auto account = account_of(cluster, cycles, asked);
    if (!account->subject.group && account->backing_off == nullptr)
      return kai::not_in_shard(cluster, account->settings(), asked);
    Verdict verdict = kai::verdict_of(account, cluster, question);
    verdict.work = cycles->work() - work_before;
    if (account->backing_off != nullptr) return verdict;
    const kai::Explained explained{cluster, account->settings(), question, account->decision, account->subject};
    if (const auto unknown = kai::unknown_config_maps(explained); !unknown.empty()) {
      PREVICT_TRY(auto with_them,
                  kai::cycles_of(cluster, {shard, question.kai_version, true}, question.now, asked.assumed));
      add_config_map_assumption(account_of(cluster, std::move(with_them), asked), unknown, verdict);
    }
    return verdict;
  }

 private:
  // Labels the pod with the GPUs that it shares. The name of a GPU that no pod shared before contains the time, because
  // each cycle numbers its new GPUs from the same number on. For a pod on several GPUs, the labels stand in for its
  // BindRequest, because the scheduler does not read what that function writes for such a pod.
  // Source: pkg/binder/binding/resourcereservation/resource_reservation.go updatePodGPUGroup.
  static void label_gpus(PodId pod, Instant at, const Verdict& verdict, ChangedCluster& objects) {
    if (verdict.account == nullptr) return;
    const auto& account = static_cast<const kai::EngineTrace&>(*verdict.account);
    const kai::ClusterInfo& cluster_info = account.decision.cluster_info;
    const kai::TaskId task = account.subject.group ? kai::task_of(cluster_info, account.subject) : kai::TaskId();
    if (!task) return;
    const kai::Session& session = account.decision.cycle.session();
    std::vector<std::string> names;
    for (const kai::GpuGroupId gpu : session.copy(session.current(task)).gpus) {
      names.push_back(gpu.index < kai::kFirstNewGpuGroup ? std::string(cluster_info.gpu_group_name(gpu))
                                                         : fmt::format("new-{}-{}", at.seconds, gpu.index));
    }
    if (!names.empty()) kai::set_gpu_groups(names, objects.pod(pod), objects.objects().symbols);
  }

  static auto account_of(const Snapshot& cluster, std::shared_ptr<kai::Cycles> cycles, const kai::Asked& asked)
      -> std::shared_ptr<kai::EngineTrace> {
    const kai::Decision& decision = cycles->in_order(0);
    auto account = std::make_shared<kai::EngineTrace>(std::move(cycles), decision);
    account->subject.pod = asked.pod;
    account->subject.assumed = account->cycles->assumed();
    const kai::ClusterInfo& cluster_info = decision.cluster_info;
    account->subject.group = kai::group_in(cluster_info, asked);
    if (account->subject.group) return account;
    for (const kai::PodGroup* each : cluster_info.backing_off()) {
      if (cluster.text(each->meta.name) == asked.name && cluster.text(each->meta.ns) == asked.ns)
        account->backing_off = each;
    }
    return account;
  }

  // Adds both verdicts if it is unknown whether ConfigMaps exist: one if they exist, one if they do not.
  static void add_config_map_assumption(const std::shared_ptr<kai::EngineTrace>& there,
                                        const std::vector<std::string>& names, Verdict& verdict) {
    there->fate = kai::fate_of(there->decision, there->subject);
    const std::vector<std::string> operands = {kai::config_maps_words(names), std::to_string(names.size())};
    verdict.assumed = {
        {Gap{GapRule::if_config_maps_exist, operands}, there->fate.outcome,
         there->fate.nodes.size() == 1 ? there->fate.nodes.front() : std::string(), there},
        {Gap{GapRule::if_no_config_maps_exist, operands}, verdict.outcome, verdict.node, verdict.account}};
  }
};

const KaiEngine kEngine;

}  // namespace

const Engine& kai_engine = kEngine;

}  // namespace previct
