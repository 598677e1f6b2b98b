#include "analysis/timeline.h"
#include "base/text.h"
#include "cluster/claim_users.h"
#include "cluster/controlled_pods.h"
#include "cluster/eviction_api.h"
#include "cluster/matching.h"
#include "cluster/pod_ends.h"
#include "cluster/pod_request.h"
#include "fit/fit.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::fit {
namespace {

constexpr std::int64_t kHorizon = 24LL * 60 * 60;  // seconds of waiting that are searched
constexpr std::size_t kMostMoves = 200;            // pods that are removed, one at a time
constexpr std::size_t kMostHopeless = 32;          // of these, pods whose requests are not what their nodes lack
constexpr std::size_t kShown = 3;                  // solutions per kind
constexpr std::size_t kMostPairs = 400;
constexpr std::size_t kMostVisits = 10'000'000;  // objects, in all runs together
constexpr std::size_t kMostRunsEver = 2'000;
constexpr std::size_t kMostJumps = 10'000;      // from one change to the next, while waiting
constexpr std::uint64_t kMostWork = 1'000'000;  // of engines that count it, in all runs except full answers

/// Some remedies with their degrees, in their listed order.
struct Setting {
  std::vector<const Remedy*> remedies;
  std::vector<std::int64_t> degrees;
};

/// A pod that might be moved away, and how promising that is.
struct Mover {
  PodId pod;
  bool covers = false;            ///< its requests cover what its node lacks
  std::vector<Symbol> lacking{};  ///< what its node lacks; empty: something other than a resource
  std::int32_t priority = 0;
  std::int64_t size = 0;
  std::string name;
};

auto is_overdue(const Pod& pod, Instant now) -> bool {
  return pod.meta.deleting && *pod.meta.deleting <= now;
}

class Search {
 public:
  explicit Search(const Task& task) : task_(task), objects_(task.objects), most_runs_(most_runs(task.objects)) {}

  auto run() -> Result<Fit> {
    PREVICT_TRY(fit_.answer, as_it_is());
    fit_.in = is_schedulable_within(fit_.answer, task_.limits);
    if (fit_.in && evicts_in_vain(fit_.answer, task_.cluster, task_)) {
      fit_.in = false;
      fit_.in_vain = fit_.answer.victims;
    }
    if (task_.replicas > 0 && (fit_.in || fit_.answer.outcome == Outcome::scheduled)) {
      PREVICT_TRY(fit_.replicas, replicate(task_, fit_.tried));
      return std::move(fit_);
    }
    if (task_.replicas > 0)
      fit_.replicas = Replicas{.asked = task_.replicas,
                               .copies = {},
                               .ending = fit_.answer.sentence,
                               .undecided = fit_.answer.outcome == Outcome::unknown};
    const bool can_be_let_in = fit_.answer.outcome != Outcome::scheduled && fit_.answer.outcome != Outcome::deleting &&
                               fit_.answer.outcome != Outcome::waits && !is_not_covered(fit_.answer);
    if (fit_.in || !can_be_let_in) return std::move(fit_);
    PREVICT_CHECK(search());
    return std::move(fit_);
  }

 private:
  [[nodiscard]] auto asked() const -> Question {
    Question question = task_.question;
    question.brief = true;
    question.only_if_schedulable = true;
    question.follows_assumptions = false;
    return question;
  }

  auto as_it_is() -> Result<Answer> { return explain(task_.engine, task_.cluster, task_.question); }

  // ---- evaluating settings

  static void turn(const Setting& setting, ChangedCluster& changed) {
    for (std::size_t i = setting.remedies.size(); i-- > 0;) {
      if (setting.degrees[i] > 0) setting.remedies[i]->turn(changed, setting.degrees[i]);
    }
  }

  [[nodiscard]] auto exhausted() const -> bool { return fit_.tried >= most_runs_ || work_ >= kMostWork; }

  // A change is of no use for pods that are terminating anyway.
  [[nodiscard]] auto lets_in(const Verdict& verdict, const Snapshot& cluster) const -> bool {
    if (!is_schedulable_within(verdict, task_.limits) || evicts_in_vain(verdict, cluster, task_)) return false;
    return verdict.victims.empty() || !task_.engine.preempts_by_priority_class() ||
           std::any_of(verdict.victims.begin(), verdict.victims.end(),
                       [&](const Victim& victim) { return !cluster.pod(victim.pod).meta.deleting; });
  }

  // A cluster that the engine cannot evaluate does not help.
  auto lets_in_with(const Setting& setting) -> bool {
    if (exhausted()) return false;
    ++fit_.tried;
    ChangedCluster changed(objects_);
    turn(setting, changed);
    const Snapshot cluster(objects_);
    task_.engine.take_over(task_.cluster, changed, cluster);
    const Result<Verdict> verdict = task_.engine.decide(cluster, asked());
    if (verdict) work_ += verdict->work;
    return verdict && lets_in(*verdict, cluster);
  }

  // Reduces the degree of each remedy in order, as far as the pod stays schedulable.
  void turn_back(Setting& setting) {
    for (std::int64_t& degree : setting.degrees) {
      std::int64_t enough = degree;
      for (std::int64_t too_little = 0; enough - too_little > 1;) {
        const std::int64_t middle = too_little + (enough - too_little) / 2;
        degree = middle;
        (lets_in_with(setting) ? enough : too_little) = middle;
      }
      degree = enough;
    }
  }

  // Calls `use` with the full answer for this setting, and with the changed cluster.
  template <class Use>
  auto with_full_answer(const Setting& setting, Use use) {
    ChangedCluster changed(objects_);
    turn(setting, changed);
    const Snapshot cluster(objects_);
    task_.engine.take_over(task_.cluster, changed, cluster);
    Question question = task_.question;
    question.next_change = false;
    ++fit_.tried;
    return use(explain(task_.engine, cluster, question), cluster);
  }

  // Verifies a setting by a full answer, and returns the solution.
  auto way_of(const Setting& setting) -> std::optional<Solution> {
    return with_full_answer(
        setting, [&](const Result<Answer>& answer, const Snapshot& cluster) -> std::optional<Solution> {
          if (!answer || !lets_in(*answer, cluster)) return {};
          Solution solution{
              .steps = {}, .decision = decision_of(*answer, cluster), .nodes = nodes_of(*answer, cluster)};
          for (std::size_t i = 0; i < setting.remedies.size(); ++i)
            solution.steps.push_back(setting.remedies[i]->step(setting.degrees[i]));
          // It changes the cluster, so it comes last.
          if (Result<SecondStep> step = second_step(objects_, *answer, task_.question))
            solution.step = *std::move(step);
          return solution;
        });
  }

  auto try_out(std::vector<const Remedy*> remedies) -> bool {
    Setting setting{std::move(remedies), {}};
    for (const Remedy* remedy : setting.remedies) setting.degrees.push_back(remedy->most);
    if (!lets_in_with(setting)) return false;
    turn_back(setting);
    auto solution = way_of(setting);
    if (!solution) return false;
    fit_.solutions.push_back(*std::move(solution));
    return true;
  }

  // ---- the search

  auto search() -> Result<void> {
    PREVICT_CHECK(wait());
    std::vector<Remedy> own;
    std::vector<Remedy> others;
    std::vector<Mover> movers;
    {
      const Snapshot& cluster = task_.cluster;
      if (!task_.pod) return search_for_workload(cluster);
      own = remedies_of_pod(cluster, task_.pod, fit_.not_searched);
      others = remedies_of_nodes(cluster, task_.pod, fit_.not_searched);
      const std::vector<Remedy> cordons = remedies_of_cordons(cluster, task_.pod, fit_.not_searched);
      others.insert(others.end(), cordons.begin(), cordons.end());
      if (task_.limits.victims && !task_.limits.violations) {
        const std::vector<Remedy> budgets = remedies_of_budgets(cluster);
        others.insert(others.end(), budgets.begin(), budgets.end());
      }
      movers = find_movers(cluster);
    }
    const std::size_t before = fit_.solutions.size();
    alone(own, others);
    if (task_.engine.preempts_by_priority_class()) resize_one(movers);
    move_one(movers);
    force_one();
    if (task_.limits.victims) scale_one(movers);
    if (fit_.solutions.size() == before) together(own, others);
    least_first();
    if (!task_.engine.preempts_by_priority_class())
      fit_.not_searched.emplace_back("quotas, limits and priorities of queues");
    if (task_.engine.decides_about_groups())
      fit_.not_searched.emplace_back("the priority class of its group, and changes to the other pods of the group");
    fit_.not_searched.emplace_back(
        "several running pods moved at once, volumes and claims, host ports, tolerations of other classes");
    return {};
  }

  auto search_for_workload(const Snapshot& cluster) -> Result<void> {
    const std::vector<Remedy> remedies =
        remedies_of_workload(cluster, task_.question.ns, task_.question.name, fit_.not_searched);
    alone(remedies, {});
    if (fit_.solutions.empty()) together(remedies, {});
    least_first();
    fit_.not_searched.emplace_back("changes to other ClusterQueues, cohorts and flavors");
    return {};
  }

  void least_first() {
    std::stable_sort(fit_.solutions.begin(), fit_.solutions.end(), [](const Solution& a, const Solution& b) {
      const auto order = [](const Solution& of) {
        return std::tuple(of.step.leaves_pending(), of.steps.size(), of.steps.front().kind);
      };
      return order(a) < order(b);
    });
    if (exhausted()) {
      fit_.not_searched.push_back(
          fmt::format("anything after the first {} runs, the limit for a cluster of this size", most_runs_));
    }
  }

  auto wait() -> Result<void> {
    const Snapshot& cluster = task_.cluster;
    // Time ends tolerations, which requires victims, and terminating pods.
    const bool tolerated = !fit_.answer.next_change.is_never() && task_.limits.victims;
    if (!tolerated && cluster.derived<PodEnds>().after(task_.question.now).empty()) return {};
    Question question = asked();
    const Instant end = question.now.plus_seconds(kHorizon);
    const auto enough = [&](const Answer& answer) { return is_schedulable_within(answer, task_.limits); };
    PREVICT_TRY(const std::vector<Interval> intervals,
                timeline(task_.engine, objects_, cluster, question, end, kMostJumps, enough));
    fit_.tried += intervals.size();
    const auto found =
        std::find_if(intervals.begin(), intervals.end(), [&](const Interval& i) { return enough(i.answer); });
    if (found == intervals.end()) {
      if (quota_returns(intervals))
        fit_.not_searched.emplace_back("waiting until evicted workloads return their quota");
      const Instant known = intervals.empty() ? end : std::min(end, intervals.back().until);
      fit_.not_searched.push_back(
          fmt::format("waiting longer than {}", format_age(seconds_between(question.now, known))));
      return {};
    }
    Step step{.kind = Kind::wait,
              .what = fmt::format("until {}", format_moment(found->from, question.now)),
              .after = format_instant(found->from),
              .note = "if only time passes"};
    fit_.solutions.push_back({.steps = {std::move(step)},
                              .decision = decision_of(found->answer, cluster),
                              .nodes = nodes_of(found->answer, cluster)});
    return {};
  }

  // The bare priority number is tried only to find whether a lower value than a class of the input suffices.
  void alone(const std::vector<Remedy>& own, const std::vector<Remedy>& others) {
    std::map<Kind, std::size_t> found;
    for (const auto* remedies : {&own, &others}) {
      for (const Remedy& remedy : *remedies) {
        const bool many = remedy.kind == Kind::node || remedy.kind == Kind::finish;
        const std::size_t most = many ? kShown : SIZE_MAX;
        if (found[remedy.kind] < most && try_out({&remedy})) ++found[remedy.kind];
      }
    }
  }

  // ---- combinations of remedies

  void together(const std::vector<Remedy>& own, const std::vector<Remedy>& others) {
    std::vector<const Remedy*> all;
    for (const auto* remedies : {&own, &others}) {
      for (const Remedy& remedy : *remedies) all.push_back(&remedy);
    }
    if (!all_at_once(all)) return;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t j = 1; j < all.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) pairs.emplace_back(i, j);
    }
    // Ordered by the larger impact of the two.
    if (pairs.size() > kMostPairs) {
      fit_.not_searched.push_back(fmt::format("{} of {} pairs of changes", pairs.size() - kMostPairs, pairs.size()));
      pairs.resize(kMostPairs);
    }
    std::size_t found = 0;
    std::vector<std::pair<Kind, Kind>> kinds;
    for (const auto& [i, j] : pairs) {
      const std::pair of{all[i]->kind, all[j]->kind};
      const bool seen = of.first != of.second && std::find(kinds.begin(), kinds.end(), of) != kinds.end();
      if (seen || of == std::pair(Kind::priority, Kind::priority)) continue;
      if (!try_out({all[i], all[j]})) continue;
      kinds.push_back(of);
      if (++found == kShown) return;
    }
    if (found == 0) irreducible(all);
  }

  // Applies all remedies at their highest degree; if the pod is still not schedulable, records what blocks it.
  auto all_at_once(const std::vector<const Remedy*>& all) -> bool {
    Setting setting{all, {}};
    for (const Remedy* remedy : all) setting.degrees.push_back(remedy->most);
    return with_full_answer(setting, [&](const Result<Answer>& answer, const Snapshot& cluster) {
      if (answer && lets_in(*answer, cluster)) return true;
      fit_.blocked = answer ? blocked_by(*answer) : Blocked{.node = {}, .why = answer.error().message};
      return false;
    });
  }

  // The first finding is the node that comes closest.
  static auto blocked_by(const Answer& answer) -> Blocked {
    Blocked blocked{.node = {}, .why = answer.sentence};
    if (answer.findings.empty()) return blocked;
    const NodeFinding& nearest = answer.findings.front();
    blocked.node = nearest.node;
    if (!nearest.why.empty()) blocked.why = nearest.why;
    return blocked;
  }

  // Drops one change at a time, largest impact first, as long as the rest makes the pod schedulable.
  void irreducible(const std::vector<const Remedy*>& all) {
    Setting setting{all, {}};
    for (const Remedy* remedy : all) setting.degrees.push_back(remedy->most);
    for (std::size_t i = all.size(); i-- > 0;) {
      const std::int64_t most = setting.degrees[i];
      setting.degrees[i] = 0;
      if (!lets_in_with(setting)) setting.degrees[i] = most;
    }
    Setting rest;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (setting.degrees[i] == 0) continue;
      rest.remedies.push_back(all[i]);
      rest.degrees.push_back(setting.degrees[i]);
    }
    turn_back(rest);
    if (auto solution = way_of(rest)) fit_.solutions.push_back(*std::move(solution));
  }

  // ---- shrinking, moving or removing one running pod

  // What the subject lacks on each possible node, counting pods that stay there. Only determines the order of the
  // tries.
  auto find_movers(const Snapshot& cluster) -> std::vector<Mover> {
    const Pod& subject = cluster.pod(task_.pod);
    const ResourceList wanted = pod_request(cluster, subject, RequestOf::incoming);
    const bool takes_any =
        task_.limits.victims && task_.limits.violations && subject.spec.preemption_policy != cluster.known().never;
    std::vector<char> tolerating(cluster.pods().size(), 0);
    for (const Tolerating& line : fit_.answer.tolerating) tolerating[line.pod.index] = 1;
    std::vector<Mover> movers;
    for (const NodeId node : cluster.nodes().ids()) {
      const Node& of = cluster.node(node);
      if (!matches_required_affinity(subject.spec, of, cluster) ||
          first_untolerated_taint(subject.spec, of, cluster.known()) != nullptr) {
        continue;
      }
      std::vector<std::pair<PodId, ResourceList>> staying;
      ResourceList lacking = wanted;
      for (auto& [resource, amount] : std::vector(lacking.begin(), lacking.end())) {
        const Quantity has = of.status.allocatable.get(resource).value_or(Quantity());
        lacking.set(resource, Quantity::of_nanos(amount.nanos() - has.nanos()));
      }
      for (const PodId pod : cluster.pods_on(node)) {
        if (is_overdue(cluster.pod(pod), task_.question.now) && !cluster.finished(pod)) overdue_.push_back(pod);
        const bool goes =
            takes_any && cluster.pod(pod).spec.priority < subject.spec.priority && tolerating[pod.index] == 0;
        // No preemption frees the devices of a pod.
        if (goes && !uses_claims(cluster.pod(pod), cluster.objects())) continue;
        staying.emplace_back(pod, pod_request(cluster, cluster.pod(pod), RequestOf::placed));
        for (const auto& [resource, amount] : staying.back().second) {
          if (lacking.get(resource)) lacking.add(resource, amount);
        }
      }
      for (const auto& [pod, request] : staying) {
        if (can_be_moved(cluster.pod(pod), cluster)) movers.push_back(mover(cluster, pod, request, lacking));
      }
    }
    add_repelling(cluster, movers);
    std::sort(movers.begin(), movers.end(), [](const Mover& a, const Mover& b) {
      return std::tuple(!a.covers, a.priority, a.size, a.name) < std::tuple(!b.covers, b.priority, b.size, b.name);
    });
    const auto covering =
        static_cast<std::size_t>(std::count_if(movers.begin(), movers.end(), [](const Mover& m) { return m.covers; }));
    const std::size_t most = std::min({movers.size(), kMostMoves, covering + kMostHopeless});
    if (movers.size() > most) {
      fit_.not_searched.push_back(fmt::format("moving any of {} other running pods", movers.size() - most));
      movers.resize(most);
    }
    return movers;
  }

  static auto can_be_moved(const Pod& pod, const Snapshot& cluster) -> bool {
    return !belongs_to_node(pod, cluster) && !pod.meta.deleting;
  }

  // Anti-affinity covers a zone: the pod that repels the subject may be on a node that is not possible for the subject
  // itself.
  void add_repelling(const Snapshot& cluster, std::vector<Mover>& movers) const {
    const Pod& subject = cluster.pod(task_.pod);
    const auto keeps_out = [&](const Pod& of, const Pod& other) {
      const auto& terms = of.spec.affinity.pod_anti.required;
      return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
        return matches(term.selector, other.meta.labels, cluster.symbols());
      });
    };
    for (const PodId id : cluster.pods().ids()) {
      const Pod& other = cluster.pod(id);
      if (id == task_.pod || !cluster.node_of(id) || cluster.finished(id) || !can_be_moved(other, cluster)) continue;
      if (!keeps_out(subject, other) && !keeps_out(other, subject)) continue;
      const auto listed = std::find_if(movers.begin(), movers.end(), [&](const Mover& m) { return m.pod == id; });
      if (listed == movers.end()) movers.push_back(mover(cluster, id, {}, {}));
    }
  }

  static auto mover(const Snapshot& cluster, PodId pod, const ResourceList& request, const ResourceList& lacking)
      -> Mover {
    Mover mover{
        .pod = pod, .covers = true, .priority = cluster.pod(pod).spec.priority, .size = 0, .name = cluster.key(pod)};
    for (const auto& [resource, amount] : lacking) {
      if (amount <= Quantity()) continue;
      const Quantity has = request.get(resource).value_or(Quantity());
      mover.covers = mover.covers && has >= amount;
      mover.lacking.push_back(resource);
      mover.size = std::max(mover.size, has.value());
    }
    return mover;
  }

  // Pods that hold enough of the scarce resources, if these are cpu and memory.
  void resize_one(const std::vector<Mover>& movers) {
    std::size_t found = 0;
    for (const Mover& mover : movers) {
      if (!mover.covers || found == kShown) break;
      std::vector<Remedy> remedies;
      {
        const Snapshot cluster(objects_);
        for (const Symbol resource : mover.lacking) {
          const bool sizes = resource == cluster.known().cpu || resource == cluster.known().memory;
          if (auto remedy = sizes ? remedy_of_resize(cluster, mover.pod, resource) : std::nullopt)
            remedies.push_back(*std::move(remedy));
        }
      }
      if (remedies.empty() || remedies.size() != mover.lacking.size()) continue;
      std::vector<const Remedy*> setting;
      for (const Remedy& remedy : remedies) setting.push_back(&remedy);
      if (try_out(setting)) ++found;
    }
  }

  void scale_one(const std::vector<Mover>& movers) {
    std::vector<PodId> pods;
    for (const Mover& mover : movers) pods.push_back(mover.pod);
    const std::vector<Remedy> remedies =
        remedies_of_scale(Snapshot(objects_), task_.pod, pods, task_.question.now, fit_.not_searched);
    std::size_t found = 0;
    for (const Remedy& remedy : remedies) {
      if (found < kShown && try_out({&remedy})) ++found;
    }
  }

  // A pod that cannot be moved may be deleted, unless evictions are excluded.
  void move_one(const std::vector<Mover>& movers) {
    if (shares_gpu(task_.pod)) fit_.not_searched.emplace_back("moving pods off a shared GPU");
    std::vector<Solution> moves;
    std::vector<Solution> removals;
    std::vector<std::string> replaced;
    for (const Mover& mover : movers) {
      if (exhausted() || moves.size() == kShown) break;
      auto without = without_pod(mover.pod);
      if (!without) continue;
      if (auto move = moved(mover.pod, *without)) {
        moves.push_back(*std::move(move));
      } else if (is_replaced_first(mover.pod)) {
        replaced.push_back(mover.name);
      } else if (task_.limits.victims && removals.size() < kShown) {
        Step& step = without->steps.front();
        if (new_pod_after(task_.cluster, task_.cluster.pod(mover.pod)) != NewPod::no)
          step.note += fmt::format("{}its controller creates a new pod", step.note.empty() ? "" : "; ");
        removals.push_back(*std::move(without));
      }
    }
    if (moves.empty() && !replaced.empty()) {
      fit_.not_searched.push_back(
          fmt::format("deleting {}, whose controller creates a new pod that may take the node before this one",
                      joined_up_to(kShown, replaced)));
    }
    for (Solution& solution : moves.empty() ? removals : moves) fit_.solutions.push_back(std::move(solution));
  }

  // Neither its kubelet nor the removal of its finalizers has ended a pod whose grace period is over.
  void force_one() {
    std::size_t found = 0;
    for (const PodId id : overdue_) {
      if (found == kShown) return;
      auto without = without_pod(id);
      if (!without) continue;
      ++found;
      Step& step = without->steps.front();
      step.what += " with --force";
      step.note = "it is terminating and its grace period is over; see first that its containers have stopped";
      for (const Symbol finalizer : objects_.pods[id].meta.finalizers)
        step.note += fmt::format("; remove its finalizer {} too", objects_.symbols.text(finalizer));
      fit_.solutions.push_back(*std::move(without));
    }
  }

  [[nodiscard]] auto shares_gpu(PodId id) const -> bool {
    const SymbolMap& annotations = objects_.pods[id].meta.annotations;
    return std::any_of(annotations.begin(), annotations.end(), [&](const auto& each) {
      const std::string_view key = objects_.symbols.text(each.first);
      return key == "gpu-fraction" || key == "gpu-memory";
    });
  }

  [[nodiscard]] auto name_of(PodId id) const -> std::string {
    const ObjectMeta& meta = objects_.pods[id].meta;
    return fmt::format("{}/{}", objects_.symbols.text(meta.ns), objects_.symbols.text(meta.name));
  }

  [[nodiscard]] auto step_about(PodId id, Kind kind, std::string what) const -> Step {
    return {
        .kind = kind, .what = std::move(what), .object = "Pod/" + name_of(id), .source = objects_.pods[id].meta.source};
  }

  // What a reader has to know before the pod is deleted or evicted.
  [[nodiscard]] auto what_follows(PodId id, const std::optional<EvictionRefusal>& refusal) const -> std::string {
    std::vector<std::string> notes;
    if (refusal && refusal->why == EvictionRefusal::Why::several_budgets) {
      notes.push_back(fmt::format("its eviction is refused, because {} PDBs select it", refusal->budgets));
    } else if (refusal) {
      const std::string_view refuses = refusal->is_known() ? "refuses its eviction" : "may refuse its eviction";
      notes.push_back(fmt::format("PDB {}/{} {}", objects_.symbols.text(refusal->budget->meta.ns),
                                  objects_.symbols.text(refusal->budget->meta.name), refuses));
    }
    if (controller_of(objects_.pods[id].meta) == nullptr) notes.emplace_back("no owner, so not recreated");
    return joined(notes, "; ");
  }

  // Returns true if the new pod of its controller may be placed before the subject. The queue of kube-scheduler is
  // sorted by priority; among equal ones, the order depends on when both are tried.
  // Source: plugins/queuesort/priority_sort.go Less.
  [[nodiscard]] auto is_replaced_first(PodId id) const -> bool {
    if (new_pod_after(task_.cluster, task_.cluster.pod(id)) == NewPod::no) return false;
    return !task_.engine.preempts_by_priority_class() ||
           task_.cluster.pod(id).spec.priority >= task_.cluster.pod(task_.pod).spec.priority;
  }

  auto without_pod(PodId id) -> std::optional<Solution> {
    const auto refusal = refusal_to_evict(task_.cluster, id);
    if (!task_.limits.violations && refusal && refusal->is_known()) return {};
    const std::string note = what_follows(id, refusal);
    const Remedy remedy{.kind = Kind::remove,
                        .most = 1,
                        .turn = [id](ChangedCluster& changed, std::int64_t) { changed.remove(id); },
                        .step =
                            [this, id, note](std::int64_t) {
                              Step step = step_about(id, Kind::remove, name_of(id));
                              step.note = note;
                              return step;
                            }};
    const Setting setting{{&remedy}, {1}};
    if (!lets_in_with(setting)) return {};
    return way_of(setting);
  }

  // Tries to place the moved pod elsewhere, after the subject has taken its resources.
  auto moved(PodId id, const Solution& without) -> std::optional<Solution> {
    if (without.nodes.empty() || without.steps.empty()) return {};
    if (shares_gpu(task_.pod)) return {};  // its share of a device is not tied to a known device of the node
    const Symbol here = objects_.pods[id].spec.node_name;
    const std::string home(objects_.symbols.text(here));
    const bool at_home = std::find(without.nodes.begin(), without.nodes.end(), home) != without.nodes.end();
    ChangedCluster changed(objects_);
    for (const PodId victim : pods_of(without.decision.victims)) changed.evict(victim);
    changed.bind(task_.pod, objects_.symbols.intern(at_home ? home : without.nodes.front()), task_.question.now);
    changed.release(id);
    ++fit_.tried;
    const Snapshot cluster(objects_);
    const Subject subject{"pod", std::string(cluster.text(cluster.pod(id).meta.ns)),
                          std::string(cluster.text(cluster.pod(id).meta.name)), id};
    const auto engine = choose_engine(engines(), task_.engine_name, cluster, subject);
    if (!engine) return {};
    (*engine)->take_over(task_.cluster, changed, cluster);
    Question question = task_.question;
    question.ns = subject.ns;
    question.name = subject.name;
    question.next_change = false;
    // Most pods find no other place, which costs less to know than the full answer.
    Question brief = question;
    brief.brief = brief.only_if_schedulable = true;
    brief.follows_assumptions = false;
    const Result<Verdict> verdict = (*engine)->decide(cluster, brief);
    if (!verdict || (verdict->outcome != Outcome::fits && verdict->outcome != Outcome::unknown)) return {};
    const Result<Answer> answer = explain(**engine, cluster, question);
    if (!answer || answer->outcome != Outcome::fits) return {};
    std::vector<std::string> elsewhere = nodes_of(*answer, cluster);
    if (std::erase(elsewhere, home) > 0 && elsewhere.empty()) return {};
    const auto unusable = [&](const std::string& name) -> std::string_view {
      const NodeId node = cluster.find_node(cluster.symbol(name));
      return node ? unusable_words(cluster.node(node), cluster) : std::string_view();
    };
    std::stable_partition(elsewhere.begin(), elsewhere.end(),
                          [&](const std::string& name) { return unusable(name).empty(); });
    Solution solution = without;
    Step& step = solution.steps.front();
    step.kind = Kind::move;
    step.before = home;
    if (!elsewhere.empty()) step.after = elsewhere.front();
    const std::string more = elsewhere.size() > 1 ? fmt::format(" or {} more", elsewhere.size() - 1) : "";
    const std::string_view but = elsewhere.empty() ? std::string_view() : unusable(elsewhere.front());
    step.what = fmt::format("{} to another node (it fits on {}{}{})", name_of(id),
                            elsewhere.empty() ? "another node" : elsewhere.front(),
                            but.empty() ? "" : fmt::format(", which is {}", but), more);
    // Its controller creates the new pod at once, and the scheduler may prefer this node.
    if (new_pod_after(task_.cluster, task_.cluster.pod(id)) != NewPod::no)
      step.note += fmt::format("{}cordon {} until its new pod runs elsewhere", step.note.empty() ? "" : "; ", home);
    return solution;
  }

  // Ids of the keys; a pod that exists only in this try is skipped.
  [[nodiscard]] auto pods_of(const std::vector<std::string>& keys) const -> std::vector<PodId> {
    if (keys.empty()) return {};
    const Snapshot cluster(objects_);
    std::vector<PodId> pods;
    for (const std::string& key : keys) {
      const std::size_t slash = key.find('/');
      if (const PodId pod = cluster.find_pod(key.substr(0, slash), key.substr(slash + 1))) pods.push_back(pod);
    }
    return pods;
  }

  const Task& task_;
  Objects& objects_;
  std::size_t most_runs_;
  std::uint64_t work_ = 0;
  std::vector<PodId> overdue_;  // on possible nodes: terminating past their grace periods
  Fit fit_;
};

}  // namespace

auto is_schedulable_within(const Verdict& verdict, const Limits& limits) -> bool {
  if (verdict.outcome == Outcome::fits) return true;
  if (!is_schedulable(verdict) || !limits.victims) return false;
  if (limits.violations) return true;
  const auto violates = [](const Orders::OnNode& each) { return each.most_pdb_violations > 0; };
  if (verdict.orders && std::any_of(verdict.orders->nodes.begin(), verdict.orders->nodes.end(), violates)) return false;
  if (!verdict.odds) return verdict.pdb_violations == 0;
  return std::all_of(verdict.odds->nodes.begin(), verdict.odds->nodes.end(),
                     [](const PossibleNode& each) { return each.pdb_violations == 0; });
}

auto evicts_in_vain(const Verdict& verdict, const Snapshot& cluster, const Task& task) -> bool {
  return task.engine.preempts_by_priority_class() &&
         std::any_of(verdict.victims.begin(), verdict.victims.end(), [&](const Victim& victim) {
           const Pod& pod = cluster.pod(victim.pod);
           return is_static(pod, cluster) || is_overdue(pod, task.question.now);
         });
}

auto nodes_of(const Verdict& verdict, const Snapshot& cluster) -> std::vector<std::string> {
  if (verdict.orders && !verdict.orders->nodes.empty()) {
    std::vector<std::string> nodes;
    for (const Orders::OnNode& each : verdict.orders->nodes) nodes.push_back(each.node);
    return nodes;
  }
  if (!verdict.tied.empty()) return cluster.names(verdict.tied);
  if (!verdict.node.empty()) return {verdict.node};
  return cluster.names(verdict.feasible);
}

auto unusable_words(const Node& node, const Snapshot& cluster) -> std::string_view {
  if (node.meta.deleting) return "being deleted";
  const auto& conditions = node.status.conditions;
  const bool unready = std::any_of(conditions.begin(), conditions.end(), [&](const NodeCondition& each) {
    return cluster.text(each.type) == "Ready" && each.status != cluster.known().true_status;
  });
  return unready ? "not ready" : "";
}

auto most_runs(const Objects& objects) -> std::size_t {
  const std::size_t size = objects.pods.size() + objects.nodes.size() + objects.kueue_workloads.size() + 1;
  return std::min(kMostRunsEver, kMostVisits / size + 1);
}

auto fit(const Task& task) -> Result<Fit> {
  return Search(task).run();
}

}  // namespace previct::fit
