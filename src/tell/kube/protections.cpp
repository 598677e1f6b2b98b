#include "tell/kube/protections.h"

#include "base/go.h"
#include "base/text.h"
#include "engine/kube/needs.h"
#include "engine/kube/tolerance.h"
#include "tell/kube/evidence_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace previct::kube {
namespace {

/// A protection before it is put into words.
struct FoundProtection {
  PodId pod;
  PodId fails;  // the pod whose missing class fails the preemption on its node
  bool ended = false;
  Tolerance tolerance;
};

struct Against {
  std::string name;
  std::optional<std::int32_t> priority;  // none: one above each pod
  bool never_preempts = false;
};

// Parses the name of a class, or a number.
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
      fmt::format("--against \"{}\": neither a PriorityClass in the input nor a priority (an integer)", against), {},
      meant ? fmt::format("did you mean {}?", *meant) : std::string());
}

// For a listing, every profile that may preempt counts, with its assumptions.
auto gaps_of(const NodeInfoSnapshot& node_infos, const std::vector<Preemptors>& preemptors) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  const auto any = [&](Preempting how) {
    return std::any_of(preemptors.begin(), preemptors.end(), [&](const Preemptors& each) { return each.how == how; });
  };
  for (const Preemptors& each : preemptors) {
    for (const Profile* profile : each.profiles) {
      add_gaps(profile->gaps, gaps);
      for (const PostFilter& plugin : profile->post_filters) {
        if (plugin.kind == PostFilter::Kind::unmodelled) add_gaps({{GapRule::post_filter, {plugin.name}}}, gaps);
      }
    }
  }
  // Budgets do not protect pods against a priority: violations are only counted.
  for (const std::string_view kind : {"Pod", "Node", "PriorityClass"}) {
    add_gaps(missing_kind(node_infos.cluster().objects(), kNeeds, kind), gaps);
  }
  for (const Preemptors& each : preemptors) {
    if (each.how == Preempting::never) gaps.push_back({GapRule::preempts_nothing, {joined(each.schedulers, ", ")}});
    if (each.how != Preempting::by_priority) continue;
    if (any(Preempting::with_tolerations)) {
      gaps.push_back(
          {GapRule::tolerates_not_all, {joined(each.schedulers, ", "), std::to_string(each.schedulers.size())}});
    } else {
      gaps.push_back({GapRule::tolerates_nothing});
    }
  }
  return gaps;
}

// ` + DefaultPreemption (default-scheduler) + PreemptionToleration (batch)`; without the scheduler names if all preempt
// in the same way.
auto words_of(const std::vector<Preemptors>& preemptors) -> std::string {
  std::string text;
  for (const Preemptors& each : preemptors) {
    text += preemption_words(*each.profiles.front());
    if (preemptors.size() > 1) text += fmt::format(" ({})", joined(each.schedulers, ", "));
  }
  return text;
}

auto find(const std::vector<Preemptors>& preemptors, Preempting how) -> const Preemptors* {
  const auto found =
      std::find_if(preemptors.begin(), preemptors.end(), [&](const Preemptors& each) { return each.how == how; });
  return found == preemptors.end() ? nullptr : &*found;
}

auto all_configured(const std::vector<Preemptors>& preemptors) -> bool {
  return std::all_of(preemptors.begin(), preemptors.end(), [](const Preemptors& each) {
    return std::all_of(each.profiles.begin(), each.profiles.end(),
                       [](const Profile* profile) { return profile->configured; });
  });
}

}  // namespace

auto protections(SharedState& known, const RunningRelease& running, const Question& question) -> Result<Protections> {
  const NodeInfoSnapshot& node_infos = known.node_infos;
  const Snapshot& cluster = node_infos.cluster();
  PREVICT_TRY(const Against preemptor, find_preemptor(cluster, question.against));
  PREVICT_TRY(const std::vector<Preemptors> preemptors, known_preemptors(known, question));
  const Preemptors* const tolerant = find(preemptors, Preempting::with_tolerations);
  const Preemptors* const others = find(preemptors, Preempting::by_priority);
  Protections out;
  out.engine = "kube";
  out.behaves = behaves(running, words_of(preemptors));
  out.against = preemptor.name;
  out.gaps = gaps_of(node_infos, preemptors);
  if (preemptor.never_preempts) {
    out.never_preempts = "its preemptionPolicy is Never";
  } else if (preemptors.empty()) {
    out.never_preempts = fmt::format("no profile is named {}", question.preemptor_scheduler);
  } else if (tolerant == nullptr && others == nullptr) {
    out.never_preempts = "no preemption plugin runs";
  }
  const Objects& objects = cluster.objects();
  out.unknown = first_missing(objects, kNeeds, {"Pod", "Node"});
  const bool plugins_known = question.toleration_switch() != Switch::automatic || all_configured(preemptors);
  if (!out.unknown && (tolerant != nullptr || !plugins_known))
    out.unknown = first_missing(objects, kNeeds, {"PriorityClass"});
  if (tolerant == nullptr || preemptor.never_preempts) return out;
  const std::string only_against =
      others == nullptr ? "" : fmt::format("pods of {}", joined(tolerant->schedulers, ", "));

  Moment now(question.now);
  std::vector<FoundProtection> found_rows;
  std::map<std::int32_t, Tolerances> tolerances;  // by the preemptor's priority: each one reads all classes
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
      const bool ended = is_ended_tolerance(t.reason.rule);
      if (t.answer == Tolerance::Answer::no && !ended) continue;
      found_rows.push_back({placed.pod, fails == nullptr ? PodId{} : fails->pod, ended, t});
    }
  }
  std::vector<std::uint32_t> order(found_rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const FoundProtection& x = found_rows[a];
    const FoundProtection& y = found_rows[b];
    return std::tuple(x.ended, x.tolerance.until) < std::tuple(y.ended, y.tolerance.until);
  });
  out.rows.reserve(order.size());
  for (const std::uint32_t i : order) {
    const FoundProtection& each = found_rows[i];
    const Reason& reason = each.tolerance.reason;
    Protection& row = out.rows.emplace_back();
    row.line = {{each.pod, info(reason.rule).id, each.tolerance.since, each.tolerance.until}};
    row.partial = !only_against.empty();
    row.only_against = only_against;
    row.ended = each.ended;
    row.node_fails = static_cast<bool>(each.fails);
    if (!only_against.empty()) row.own.push_back({"ONLY AGAINST", "ONLY AGAINST", only_against});
    const std::size_t index = out.rows.size() - 1;
    if (!question.tables || !(index < kProtectedInShortForm || question.extent.may_show(index))) continue;
    row.line.why = Words(node_infos, each.pod, question.now).ours(reason);
    if (question.evidence) row.line.evidence = evidence_of(cluster, each.fails ? each.fails : each.pod, reason);
  }
  return out;
}

auto possible_preemptors(SharedState& known, const RunningRelease& running, PodId pod, const Question& question)
    -> Result<PossiblePreemptors> {
  const NodeInfoSnapshot& node_infos = known.node_infos;
  const Snapshot& cluster = node_infos.cluster();
  const Pod& subject = cluster.pod(pod);
  const Words words(node_infos, pod, question.now);
  PREVICT_TRY(const std::vector<Preemptors> preemptors, known_preemptors(known, question));
  PossiblePreemptors out;
  out.engine = "kube";
  out.behaves = behaves(running, words_of(preemptors));
  out.subject = pod;
  out.gaps = gaps_of(node_infos, preemptors);

  const auto judge = [&](PossiblePreemptor possible_preemptor, std::int32_t priority, bool never_preempts,
                         Preempting how) {
    Moment now(question.now);
    if (priority <= subject.spec.priority) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::not_lower).id;
      possible_preemptor.why = "its priority is not higher";
    } else if (never_preempts) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::policy_never).id;
      possible_preemptor.why = words.ours({Rule::policy_never});
    } else if (how == Preempting::never) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::no_preemption).id;
      possible_preemptor.why = words.ours({Rule::no_preemption});
    } else if (how == Preempting::by_priority) {
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
    for (const Preemptors& each : preemptors) {
      PossiblePreemptor possible_preemptor;
      possible_preemptor.who = fmt::format("class {}", cluster.text(c->meta.name));
      if (preemptors.size() > 1) possible_preemptor.who += fmt::format(", pods of {}", joined(each.schedulers, ", "));
      possible_preemptor.rank = fmt::format("{}", c->value);
      judge(std::move(possible_preemptor), c->value, c->preemption_policy == cluster.known().never, each.how);
    }
  }
  for (const PodId id : cluster.pods().ids()) {
    const Pod& other = cluster.pod(id);
    if (!cluster.pending(id) || id == pod) continue;
    // These rules do not decide which pods a scheduler of another kind evicts.
    if (!question.engine_is_chosen() && engine_of(engines(), cluster, id)->name() != out.engine) continue;
    PossiblePreemptor possible_preemptor;
    possible_preemptor.who = cluster.key(id);
    possible_preemptor.rank = fmt::format("{}", other.spec.priority);
    possible_preemptor.pending = true;
    const std::string scheduler = scheduler_of(cluster, id);
    PREVICT_TRY(const std::optional<Profile>* profile, known_profile(known, scheduler, question));
    if (!*profile) {
      possible_preemptor.from = Instant::never();
      possible_preemptor.rule = info(Rule::no_preemption).id;
      possible_preemptor.why = words_of_no_profile(scheduler);
      out.rows.push_back(std::move(possible_preemptor));
      continue;
    }
    add_gaps((*profile)->gaps, out.gaps);
    judge(std::move(possible_preemptor), other.spec.priority, other.spec.preemption_policy == cluster.known().never,
          (*profile)->preempting());
  }
  return out;
}

}  // namespace previct::kube
