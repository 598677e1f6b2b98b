#include "tell/kube/protections.h"

#include "base/go.h"
#include "base/text.h"
#include "engine/kube/needs.h"
#include "tell/kube/evidence_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

struct Against {
  std::string name;
  std::optional<std::int32_t> priority;  // none: one above each pod
  bool never_preempts = false;
};

// A class by name, or a number.
auto find_preemptor(const Snapshot& cluster, const std::string& against) -> Result<Against> {
  if (against.empty()) return Against{"a pod of slightly higher priority", {}};
  if (const PriorityClass* c = cluster.priority_class(cluster.symbol(against))) {
    return Against{fmt::format("{} ({})", against, c->value), c->value, c->preemption_policy == cluster.known().never};
  }
  if (const auto number = go::parse_int(against, 32)) {
    return Against{fmt::format("priority {}", *number), static_cast<std::int32_t>(*number)};
  }
  std::vector<std::string> names;
  for (const PriorityClass& c : cluster.objects().priority_classes) names.emplace_back(cluster.text(c.meta.name));
  const auto meant = nearest(against, names);
  return fail(
      fmt::format("--against \"{}\": neither a PriorityClass of the input nor a priority (a whole number)", against),
      {}, meant ? fmt::format("did you mean {}?", *meant) : std::string());
}

auto gaps_of(const NodeInfoSnapshot& node_infos, const Profile& profile) -> std::vector<Gap> {
  std::vector<Gap> gaps = profile.gaps;
  // Budgets protect nobody against a priority: they only count as violated.
  for (const std::string_view kind : {"Pod", "Node", "PriorityClass"}) {
    add_gaps(missing_kind(node_infos.cluster().objects(), kNeeds, kind), gaps);
  }
  if (!profile.tolerates()) gaps.push_back({GapRule::tolerates_nothing});
  return gaps;
}

}  // namespace

auto protections(const NodeInfoSnapshot& node_infos, const RunningRelease& running, const Profile& profile,
                 const Question& question) -> Result<Protections> {
  const Snapshot& cluster = node_infos.cluster();
  PREVICT_TRY(const Against preemptor, find_preemptor(cluster, question.against));
  Protections out;
  out.engine = "kube";
  out.behaves = behaves(running, &profile);
  out.against = preemptor.name;
  out.never_preempts = preemptor.never_preempts;
  out.gaps = gaps_of(node_infos, profile);
  if (!profile.tolerates() || out.never_preempts) return out;

  Moment now(question.now);
  std::map<std::int32_t, Tolerances> tolerances;  // by the preemptor's priority: each reads all classes
  for (const NodeId node : node_infos.nodes()) {
    std::map<std::int32_t, const PodInfo*> failing;  // by the preemptor's priority
    for (const PodInfo& placed : node_infos.pods_on(node)) {
      if (!question.ns.empty() && cluster.text(cluster.pod(placed.pod).meta.ns) != question.ns) continue;
      const std::int32_t priority = preemptor.priority.value_or(static_cast<std::int32_t>(go::add(placed.priority, 1)));
      if (placed.priority >= priority) continue;
      const Tolerances& all = tolerances.try_emplace(priority, cluster, priority).first->second;
      const auto [found, fresh] = failing.try_emplace(priority, nullptr);
      if (fresh) found->second = all.failing(node_infos.pods_on(node));
      const PodInfo* fails = found->second;
      const Tolerance t = all.of(fails != nullptr ? *fails : placed, now);
      const bool ended = t.reason.rule == Rule::tolerance_ended;
      if (t.answer == Tolerance::Answer::no && !ended) continue;
      const Words words(node_infos, placed.pod, question.now);
      out.rows.push_back({.line = {{placed.pod, info(t.reason.rule).id, t.since, t.until},
                                   words.ours(t.reason),
                                   evidence_of(cluster, fails != nullptr ? fails->pod : placed.pod, t.reason),
                                   {}},
                          .ended = ended,
                          .node_fails = fails != nullptr,
                          .extra = {}});
    }
  }
  std::stable_sort(out.rows.begin(), out.rows.end(), [](const Protection& a, const Protection& b) {
    return std::tuple(a.ended, a.line.until) < std::tuple(b.ended, b.line.until);
  });
  return out;
}

auto possible_preemptors(const NodeInfoSnapshot& node_infos, const RunningRelease& running, const Profile& profile,
                         PodId pod, const Question& question) -> PossiblePreemptors {
  const Snapshot& cluster = node_infos.cluster();
  const Pod& subject = cluster.pod(pod);
  const Words words(node_infos, pod, question.now);
  PossiblePreemptors out;
  out.engine = "kube";
  out.behaves = behaves(running, &profile);
  out.subject = pod;
  out.gaps = gaps_of(node_infos, profile);

  const auto judge = [&](PossiblePreemptor possible_preemptor, std::int32_t priority, bool never_preempts) {
    Moment now(question.now);
    if (priority <= subject.spec.priority) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::not_lower).id;
      possible_preemptor.why = "its priority is not higher";
    } else if (never_preempts) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::policy_never).id;
      possible_preemptor.why = words.ours({Rule::policy_never});
    } else if (!profile.tolerates()) {
      possible_preemptor.rule = info(Rule::must_go).id;
      possible_preemptor.why = "lower priority";
    } else {
      const Tolerances all(cluster, priority);
      const NodeId node = cluster.node_of(pod);
      const PodInfo* fails = node ? all.failing(node_infos.pods_on(node)) : nullptr;
      const PodId decides = fails != nullptr ? fails->pod : pod;
      const Tolerance t = all.of(decides, now);
      const bool tolerates = t.answer == Tolerance::Answer::yes;
      possible_preemptor.from = t.answer == Tolerance::Answer::no ? Instant{} : t.until;
      possible_preemptor.rule = info(t.reason.rule).id;
      possible_preemptor.why = fails != nullptr ? words.ours(t.reason)
                               : tolerates      ? "tolerates " + words.ours(t.reason)
                                                : why_no_toleration(words, cluster, pod, t.reason);
      possible_preemptor.evidence = evidence_of(cluster, decides, t.reason);
    }
    out.rows.push_back(std::move(possible_preemptor));
  };

  std::vector<const PriorityClass*> classes;
  for (const PriorityClass& c : cluster.objects().priority_classes) {
    if (c.value > subject.spec.priority) classes.push_back(&c);
  }
  std::stable_sort(classes.begin(), classes.end(), [](const auto* a, const auto* b) { return a->value < b->value; });
  for (const PriorityClass* c : classes) {
    PossiblePreemptor possible_preemptor;
    possible_preemptor.who = fmt::format("class {}", cluster.text(c->meta.name));
    possible_preemptor.rank = fmt::format("{}", c->value);
    judge(std::move(possible_preemptor), c->value, c->preemption_policy == cluster.known().never);
  }
  for (const PodId id : cluster.pods().ids()) {
    const Pod& other = cluster.pod(id);
    if (!cluster.pending(id) || id == pod) continue;
    PossiblePreemptor possible_preemptor;
    possible_preemptor.who = cluster.key(id);
    possible_preemptor.rank = fmt::format("{}", other.spec.priority);
    possible_preemptor.pending = true;
    judge(std::move(possible_preemptor), other.spec.priority, other.spec.preemption_policy == cluster.known().never);
  }
  return out;
}

}  // namespace previct::kube
