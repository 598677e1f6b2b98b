#include "analysis/second_step.h"

#include "analysis/subject.h"
#include "base/text.h"
#include "cluster/changed_cluster.h"
#include "cluster/controlled_pods.h"
#include "overlay/claims.h"
#include "overlay/creation.h"
#include "overlay/limits.h"
#include "overlay/other_deciders.h"
#include "overlay/templates.h"
#include "tell/gap_words.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace previct {
namespace {

// Each pod is a separate question on its own snapshot.
constexpr std::size_t kMostAsked = 100;

class PlacingReleased {
 public:
  PlacingReleased(Objects& objects, const Verdict& verdict, const Question& question)
      : changed_(objects), verdict_(verdict), question_(question), quotas_(objects.resource_quotas) {
    question_.kind = "pod";
    question_.brief = true;
  }

  auto run() -> Result<SecondStep> {
    if (!quotas_.empty() && !(verdict_.victims.empty() && verdict_.ending.empty())) {
      const Snapshot before(changed_.objects());
      for (const Victim& victim : verdict_.victims) count_in_quotas(before.pod(victim.pod), false, quotas_, before);
      for (const PodId pod : verdict_.ending) count_in_quotas(before.pod(pod), false, quotas_, before);
    }
    for (const Victim& victim : verdict_.victims) changed_.evict(victim.pod);
    for (const PodId pod : verdict_.ending) changed_.evict(pod);
    find_waiting();
    SecondStep step;
    for (const ReleasedPods& each : verdict_.releases) {
      PREVICT_TRY(SecondStep::Placed placed, place(each));
      step.sets.push_back(std::move(placed));
    }
    step.gaps = std::move(gaps_);
    return step;
  }

 private:
  auto place(const ReleasedPods& released) -> Result<SecondStep::Placed> {
    SecondStep::Placed placed{.what = released.what, .asked = released.count};
    if (released.placed_elsewhere) {
      cannot_tell(*released.placed_elsewhere, placed);
      return placed;
    }
    while (placed.placed < placed.asked) {
      placed.cut = ++asked_ > kMostAsked;
      if (placed.cut) break;
      const PodId id = placed.placed < released.existing.size() ? release(released.existing[placed.placed])
                                                                : create(released, placed);
      if (!id) break;
      if (!place_waiting(changed_.pod(id).spec.priority, placed)) {
        placed.unknown = true;
        placed.ending = fmt::format("cannot tell, because more than {} pending pods come first", kMostAsked);
        break;
      }
      const Snapshot cluster(changed_.objects());
      const Engine* const engine = engine_of(engines(), cluster, id);
      if (engine == nullptr) {
        placed.ending = "names a scheduler that previct does not know";
        break;
      }
      placed.engine = engine->name();
      PREVICT_TRY(Verdict verdict, decide(*engine, cluster, id));
      add_assumptions(verdict);
      const std::string node = node_of(verdict, cluster);
      if (verdict_.more_end && verdict.outcome != Outcome::fits) {
        cannot_tell(*verdict_.more_end, placed);
        break;
      }
      if (!is_schedulable(verdict) || node.empty()) {
        placed.unknown = verdict.outcome == Outcome::unknown;
        placed.ending = tell(cluster, question_, std::move(verdict)).sentence;
        break;
      }
      if (verdict_.more_come) {
        cannot_tell(*verdict_.more_come, placed);
        break;
      }
      if (std::any_of(verdict.victims.begin(), verdict.victims.end(),
                      [&](const Victim& each) { return is_static(cluster.pod(each.pod), cluster); })) {
        cannot_tell({GapRule::static_victims}, placed);
        break;
      }
      for (const Victim& victim : verdict.victims) {
        placed.victims.push_back(cluster.key(victim.pod));
        if (!quotas_.empty()) count_in_quotas(cluster.pod(victim.pod), false, quotas_, cluster);
        changed_.evict(victim.pod);
      }
      changed_.bind(id, changed_.objects().symbols.intern(node), question_.now);
      if (std::find(placed.nodes.begin(), placed.nodes.end(), node) == placed.nodes.end()) placed.nodes.push_back(node);
      ++placed.placed;
    }
    return placed;
  }

  // Pods that exist wait longer than those that are released only now. Source: kubernetes
  // pkg/scheduler/framework/plugins/queuesort/priority_sort.go Less.
  void find_waiting() {
    const Snapshot cluster(changed_.objects());
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      if (!cluster.pending(id) || pod.meta.deleting || !pod.spec.scheduling_gates.empty()) continue;
      const Engine* const engine = engine_of(engines(), cluster, id);
      if (engine != nullptr && engine->preempts_by_priority_class()) waiting_.push_back(id);
    }
    const auto order = [&](PodId id) {
      const Pod& pod = cluster.pod(id);
      return std::tuple(-std::int64_t{pod.spec.priority}, pod.meta.created.value_or(Instant{}), id);
    };
    std::sort(waiting_.begin(), waiting_.end(), [&](PodId a, PodId b) { return order(b) < order(a); });
  }

  // Places the waiting pods that come before a pod of this priority and fit without preemption. Returns false if they
  // are too many.
  auto place_waiting(std::int32_t priority, SecondStep::Placed& placed) -> bool {
    while (!waiting_.empty() && changed_.pod(waiting_.back()).spec.priority >= priority) {
      if (++asked_first_ > kMostAsked) return false;
      const PodId id = waiting_.back();
      waiting_.pop_back();
      const Snapshot cluster(changed_.objects());
      const Result<Verdict> verdict = decide(*engine_of(engines(), cluster, id), cluster, id);
      if (!verdict || verdict->outcome != Outcome::fits) continue;
      const std::string node = node_of(*verdict, cluster);
      if (node.empty()) continue;
      placed.earlier.push_back(cluster.key(id));
      changed_.bind(id, changed_.objects().symbols.intern(node), question_.now);
    }
    return true;
  }

  auto decide(const Engine& engine, const Snapshot& cluster, PodId pod) -> Result<Verdict> {
    question_.ns = cluster.text(cluster.pod(pod).meta.ns);
    question_.name = cluster.text(cluster.pod(pod).meta.name);
    return engine.decide(cluster, question_);
  }

  static auto node_of(const Verdict& verdict, const Snapshot& cluster) -> std::string {
    if (!verdict.node.empty() || verdict.feasible.empty()) return verdict.node;
    return std::string(cluster.text(cluster.node(verdict.feasible.front()).meta.name));
  }

  // What is assumed about the whole cluster although the input shows otherwise.
  void add_assumptions(const Verdict& verdict) {
    for (const Gap& gap : verdict.gaps) {
      if (gap.rule == GapRule::deleting_nodes || gap.rule == GapRule::scheduler_not_ready ||
          gap.rule == GapRule::scheduler_scaled_down)
        add_gaps({gap}, gaps_);
    }
  }

  void cannot_tell(const Gap& gap, SecondStep::Placed& placed) {
    placed.unknown = true;
    placed.ending = "cannot tell, because " + because_words(gap);
    add_gaps({gap}, gaps_);
  }

  auto release(const std::pair<PodId, PodSpec>& existing) -> PodId {
    changed_.pod(existing.first).spec = existing.second;
    return existing.first;
  }

  // Returns the next pod of the template; none if it cannot be created, or if that is not known.
  auto create(const ReleasedPods& released, SecondStep::Placed& placed) -> PodId {
    Objects& objects = changed_.objects();
    Symbols& symbols = objects.symbols;
    Pod pod = released.pod;
    pod.meta.name = symbols.intern(fmt::format("{}-{}", symbols.text(pod.meta.name), placed.placed));
    if (released.admitted && pod.spec.has_priority) return changed_.add(std::move(pod));
    const auto ends_with = [&](bool unknown, std::string words) {
      placed.unknown = unknown;
      placed.refused = !unknown;
      placed.ending = std::move(words);
      return PodId{};
    };
    if (std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                    [](const Volume& each) { return each.ephemeral; }))
      return ends_with(true, "cannot tell, because the claims of its ephemeral volumes are not modeled");
    carry_over_from_job(pod);
    if (!pod.spec.resource_claims.empty()) static_cast<void>(changed_.resource_claims());  // to be restored
    Result<void> created =
        create_pod(pod, released.runtime_class, has_all_runtime_classes(objects), question_.now, objects)
            .map([](const auto&) {});
    if (created) created = claim_devices(pod, question_.now, objects);
    if (!created) {
      const Failure& failure = created.error();
      if (!failure.refusal.empty()) return ends_with(false, "cannot be created: " + failure.refusal);
      const std::string& message = failure.message;
      const std::size_t subject = message.find(": ");
      return ends_with(
          true, "cannot tell, because " + (subject == std::string::npos ? message : message.substr(subject + 2)));
    }
    if (!quotas_.empty()) {
      const Snapshot cluster(objects);
      if (const std::string why = quota_refusal(pod, quotas_, cluster); !why.empty())
        return ends_with(false, "cannot be created: " + why);
      count_in_quotas(pod, true, quotas_, cluster);
    }
    if (const std::string other = why_yunikorn_decides(pod, objects); !other.empty())
      pod.spec.other_decides = symbols.intern(other);
    if (const std::vector<std::string> webhooks = webhooks_of_pods(objects); !webhooks.empty())
      add_gaps({{GapRule::webhooks, {joined(webhooks, ", "), std::to_string(webhooks.size())}}}, gaps_);
    return changed_.add(std::move(pod));
  }

  void carry_over_from_job(Pod& pod) {
    const OwnerReference* const owner = controller_of(pod.meta);
    Objects& objects = changed_.objects();
    if (owner == nullptr || objects.symbols.text(owner->kind) != kinds::jobs.name) return;
    for (const Job& job : objects.jobs) {
      if (job.meta.ns == pod.meta.ns && job.meta.name == owner->name) return carry_over(job.meta, pod, objects.symbols);
    }
  }

  ChangedCluster changed_;
  const Verdict& verdict_;
  Question question_;
  std::vector<ResourceQuota> quotas_;  // with the pods that are gone or created
  std::vector<Gap> gaps_;
  std::vector<PodId> waiting_;  // pods that are pending already, the first one last
  std::size_t asked_ = 0;
  std::size_t asked_first_ = 0;  // of the waiting pods
};

}  // namespace

auto SecondStep::leaves_pending() const -> bool {
  return std::any_of(sets.begin(), sets.end(),
                     [](const Placed& each) { return each.placed < each.asked && !each.unknown && !each.cut; });
}

auto SecondStep::is_open() const -> bool {
  return std::any_of(sets.begin(), sets.end(), [](const Placed& each) { return each.unknown || each.cut; });
}

auto SecondStep::words() const -> std::vector<std::string> {
  std::vector<std::string> lines;
  for (const Placed& each : sets) {
    constexpr std::size_t kNamed = 4;
    if (each.placed == 0 && (each.unknown || each.engine.empty())) {
      lines.push_back(fmt::format("{}: {}{}", each.what, each.unknown ? "" : "the first of its pods ", each.ending));
      continue;
    }
    const Teller* const teller = teller_of(each.engine);
    std::string words =
        fmt::format("{}: {} places {} of {}", each.what, teller == nullptr ? "the scheduler" : teller->scheduler(),
                    each.placed, counted(each.asked, "pod", "pods"));
    if (!each.nodes.empty()) words += fmt::format(" (on {})", joined_up_to(kNamed, each.nodes));
    if (!each.earlier.empty())
      words += fmt::format("; {} before them ({})",
                           counted(each.earlier.size(), "pending pod is placed", "pending pods are placed"),
                           joined_up_to(kNamed, each.earlier));
    if (!each.victims.empty())
      words += fmt::format("; {} would be preempted for them ({})", counted(each.victims.size(), "pod", "pods"),
                           joined_up_to(kNamed, each.victims));
    if (!each.ending.empty()) words += fmt::format("; the next one{} {}", each.unknown ? ":" : "", each.ending);
    if (each.cut) words += "; the others were not tried";
    lines.push_back(std::move(words));
  }
  return lines;
}

auto SecondStep::without_node() const -> std::size_t {
  std::size_t pods = 0;
  for (const Placed& each : sets) pods += each.ending.empty() || each.unknown ? 0 : each.asked - each.placed;
  return pods;
}

auto SecondStep::json() const -> Json {
  Json list = Json::array();
  for (const Placed& each : sets) {
    Json json{{"what", each.what}, {"engine", each.engine}, {"pods", each.asked}, {"placed", each.placed}};
    if (!each.nodes.empty()) json["nodes"] = each.nodes;
    if (!each.victims.empty()) json["victims"] = each.victims;
    if (!each.earlier.empty()) json["earlier"] = each.earlier;
    if (!each.ending.empty()) json["ending"] = each.ending;
    if (each.cut) json["cut"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

void add_second_step(const SecondStep& step, Report& report) {
  if (step.sets.empty()) return;
  // Below the verdict, as the second half of the answer.
  const Line line{{{fmt::format("Once it is admitted: {}.", joined(step.words(), "; "))}}};
  if (!report.blocks.empty()) report.blocks.insert(report.blocks.begin() + 1, line);
  if (!report.brief.empty()) report.brief.insert(report.brief.begin() + 1, line);
  if (report.data.is_object()) report.data["secondStep"] = step.json();
}

auto second_step(Objects& objects, const Verdict& verdict, const Question& question) -> Result<SecondStep> {
  if (verdict.releases.empty()) return SecondStep{};
  return PlacingReleased(objects, verdict, question).run();
}

}  // namespace previct
