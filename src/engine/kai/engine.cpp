#include "engine/engine.h"

#include "api/locate.h"
#include "base/text.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/needs.h"
#include "engine/kai/words/explain.h"
#include "engine/kai/words/protections.h"
#include "engine/kai/words/undecided.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace previct {
namespace {

/// The KAI Scheduler: PodGroups in a tree of queues, min-runtime, reclaim, preempt and consolidation.
class KaiEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kai"; }
  [[nodiscard]] auto rank() const -> int override { return 20; }
  [[nodiscard]] auto needs() const -> std::span<const Need> override { return kai::kNeeds; }
  // Pods that name a group are ignored without it.
  [[nodiscard]] auto needed_for(const Snapshot& cluster, const Need& need) const -> bool override {
    if (need.always || short_kind(need.kind) != "PodGroup") return need.always;
    for (const PodId pod : cluster.pods().ids()) {
      if (!kai::group_name_of(cluster, pod).empty()) return true;
    }
    return false;
  }
  [[nodiscard]] auto decides_about_groups() const -> bool override { return true; }

  [[nodiscard]] auto forgotten_between_cycles() const -> std::vector<Gap> override {
    return {{Gap::Kind::unmodelled,
             "what KAI writes and keeps between cycles (start times of groups it places, pipelined pods)",
             "pods placed here are not protected by min-runtime afterwards"},
            {Gap::Kind::unmodelled, "new pods in place of those that consolidation moves",
             "they do not ask for room again"}};
  }

  [[nodiscard]] auto takes(const Snapshot& cluster, PodId pod) const -> bool override {
    const std::string_view scheduler = cluster.text(cluster.pod(pod).spec.scheduler_name);
    if (scheduler == "kai-scheduler") return true;
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

  // KAI drops such queues, with all that is below them, and says so in its log alone.
  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& /*question*/) const
      -> Result<void> override {
    const auto& queues = cluster.objects().kai_queues;
    std::map<Symbol, const kai::Queue*> by_name;
    for (const kai::Queue& queue : queues) by_name.emplace(queue.meta.name, &queue);
    const auto parent_of = [&](const kai::Queue* queue) -> const kai::Queue* {
      const auto found = by_name.find(queue->spec.parent_queue);
      return found == by_name.end() ? nullptr : found->second;
    };
    const auto warn = [&](std::string_view id, const kai::Queue& queue, std::string words) {
      cluster.diagnostics().warn(std::string(id), std::move(words),
                                 locate(cluster.objects().sources, queue.meta.source, "spec.parentQueue"));
    };
    for (const kai::Queue& queue : queues) {
      const std::string_view name = cluster.text(queue.meta.name);
      if (queue.spec.parent_queue && parent_of(&queue) == nullptr) {
        warn("queue-parent-missing", queue,
             fmt::format("queue {}: its parent {} is not in the input, so KAI leaves it out with all below it", name,
                         cluster.text(queue.spec.parent_queue)));
      }
      const kai::Queue* above = parent_of(&queue);
      for (std::size_t steps = 0; above != nullptr && above != &queue && steps < queues.size(); ++steps)
        above = parent_of(above);
      if (above == &queue) {
        warn("queue-cycle", queue,
             fmt::format("queue {} is above itself: {} leads back to it", name, cluster.text(queue.spec.parent_queue)));
      }
    }
    return {};
  }

  [[nodiscard]] auto decide(const Snapshot& cluster, const Question& question) const -> Result<Answer> override {
    PREVICT_TRY(Asked asked, find(cluster, question));
    PREVICT_TRY(const kai::Settings settings, kai::effective_settings(cluster, shard_for(cluster, question, asked)));
    const kai::AssumedGroup* assumed = asked.assumed ? &*asked.assumed : nullptr;
    const auto decision = kai::decide(cluster, settings, question.now, question.now, assumed);
    const kai::GroupId group = decision->pool.find_group(asked.ns, asked.name);
    const kai::Explained explained{cluster, settings, question, *decision, {group, asked.pod, assumed}};
    if (!group) {
      for (const kai::PodGroup* each : decision->pool.backing_off()) {
        if (cluster.text(each->meta.name) == asked.name && cluster.text(each->meta.ns) == asked.ns)
          return kai::backing_off(explained, *each);
      }
      return not_in_shard(cluster, settings, asked);
    }
    Answer answer = kai::answer(explained);
    if (const auto unknown = kai::unknown_config_maps(explained); !unknown.empty()) {
      if_they_exist(explained, unknown, answer);
    }
    return answer;
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const kai::Settings settings, kai::effective_settings(cluster, question.shard));
    return kai::protections(cluster, settings, question);
  }

  [[nodiscard]] auto takers(const Snapshot& cluster, const Question& question) const -> Result<Takers> override {
    PREVICT_TRY(Asked asked, find(cluster, question));
    PREVICT_TRY(const kai::Settings settings, kai::effective_settings(cluster, shard_for(cluster, question, asked)));
    Moment moment(question.now);
    const kai::Pool pool(cluster, settings, moment, asked.assumed ? &*asked.assumed : nullptr);
    const kai::GroupId group = pool.find_group(asked.ns, asked.name);
    if (!group) return not_in_shard(cluster, settings, asked);
    return kai::takers(cluster, settings, question, group, asked.pod, pool);
  }

 private:
  // Of ConfigMaps that the input cannot tell of, both answers: there, and not there.
  static void if_they_exist(const kai::Explained& e, const std::vector<std::string>& names, Answer& answer) {
    kai::Settings settings = e.settings;
    settings.config_maps_exist = true;
    const auto decision = kai::decide(e.cluster, settings, e.question.now, e.question.now, e.subject.assumed);
    kai::Subject subject = e.subject;
    subject.group = decision->pool.find_group(e.group().ns, e.group().name);
    const kai::Fate fate = kai::fate_of(*decision, subject.group);
    const std::string words = kai::config_maps_words(names);
    const std::string exist = names.size() == 1 ? "exists" : "exist";
    const std::string missing = names.size() == 1 ? "does not exist" : "do not exist";
    answer.assuming = {{fmt::format("if {} {}", words, exist), fate.outcome,
                        fate.nodes.size() == 1 ? fate.nodes.front() : std::string(),
                        kai::sentence({e.cluster, settings, e.question, *decision, subject}, fate)},
                       {fmt::format("if {} {}", words, missing), answer.outcome, answer.node, answer.sentence}};
  }

  // The group asked about, by whichever name the question has for it.
  struct Asked {
    std::string ns;
    std::string name;
    PodId pod;
    std::optional<kai::AssumedGroup> assumed;
    const SymbolMap* labels = nullptr;  // of the group, or of the pod it would be made for
  };

  static auto not_in_shard(const Snapshot& cluster, const kai::Settings& settings, const Asked& asked)
      -> tl::unexpected<Failure> {
    return fail(fmt::format("podgroup {}/{} does not belong to shard {} (partition \"{}\")", asked.ns, asked.name,
                            settings.shard, cluster.text(settings.pool)),
                {}, "--shard NAME asks another SchedulingShard");
  }

  static auto find(const Snapshot& cluster, const Question& question) -> Result<Asked> {
    if (question.kind == "podgroup") return find_group(cluster, question.ns, question.name, {});
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (!pod) return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
    if (const std::string_view group = kai::group_name_of(cluster, pod); !group.empty()) {
      return find_group(cluster, question.ns, std::string(group), pod);
    }
    Asked asked{.ns = {},
                .name = {},
                .pod = pod,
                .assumed = kai::assumed_group(cluster, pod),
                .labels = &cluster.pod(pod).meta.labels};
    asked.ns = asked.assumed->ns;
    asked.name = asked.assumed->name;
    return asked;
  }

  static auto find_group(const Snapshot& cluster, const std::string& ns, const std::string& name, PodId pod)
      -> Result<Asked> {
    std::vector<std::string> names;
    const kai::PodGroup* found = nullptr;
    for (const kai::PodGroup& group : cluster.objects().kai_pod_groups) {
      if (cluster.text(group.meta.name) == name) {
        // Pods find their group by name alone, whatever its namespace.
        if (found == nullptr || cluster.text(group.meta.ns) == ns) found = &group;
      }
      names.push_back(fmt::format("{}/{}", cluster.text(group.meta.ns), cluster.text(group.meta.name)));
    }
    const std::string wanted = fmt::format("{}/{}", ns, name);
    const bool exact = found != nullptr && cluster.text(found->meta.ns) == ns;
    if (found != nullptr && (exact || pod)) {
      return Asked{.ns = std::string(cluster.text(found->meta.ns)),
                   .name = name,
                   .pod = pod,
                   .assumed = {},
                   .labels = &found->meta.labels};
    }
    const auto meant = nearest(wanted, names);
    return fail(fmt::format(
        "no podgroup {} in the input{} ({}){}", wanted, meant ? fmt::format("; did you mean {}?", *meant) : "",
        counted(names.size(), "group", "groups"),
        pod ? fmt::format("; pod {} names it, and the scheduler ignores pods whose group is missing", cluster.key(pod))
            : ""));
  }

  // The shard named, else the one whose partition the group belongs to.
  static auto shard_for(const Snapshot& cluster, const Question& question, const Asked& asked) -> std::string {
    if (!question.shard.empty()) return question.shard;
    const Symbol key = cluster.symbol("kai.scheduler/node-pool");
    const Symbol pool = key ? asked.labels->get(key) : Symbol{};
    if (!pool) return {};
    for (const kai::SchedulingShard& shard : cluster.objects().kai_shards) {
      if (shard.spec.partition_label_value == pool) return std::string(cluster.text(shard.meta.name));
    }
    return {};
  }
};

const KaiEngine kEngine;

}  // namespace

const Engine& kai_engine = kEngine;

}  // namespace previct
