#include "suite/proof_of_forall.h"

#include "analysis/subject.h"
#include "api/units.h"
#include "base/contains.h"
#include "cluster/label_query.h"
#include "prove/always_fits.h"
#include "prove/invariants/at_most_victims.h"
#include "prove/invariants/budgets_hold.h"
#include "prove/invariants/never_victim.h"
#include "prove/invariants/outcome_in.h"

#include <algorithm>
#include <set>

namespace previct::suite {
namespace {

using prove::Invariant;

// All that a Forall expects, as invariants.
class Expected final : public Invariant {
 public:
  Expected(const Expectation& expect, const Snapshot& cluster) {
    if (expect.never_victim) add(never_victim(*expect.never_victim, cluster));
    if (expect.victims && expect.victims->count)
      add(std::make_unique<prove::AtMostVictims>(cluster, static_cast<std::size_t>(*expect.victims->count->max)));
    if (!expect.outcome.empty()) add(std::make_unique<prove::OutcomeIn>(outcomes_of(expect)));
    if (expect.pdb_violations) add(std::make_unique<prove::BudgetsHold>(cluster));
  }

  [[nodiscard]] auto violation() const -> std::string override { return "breaks the expectation"; }
  [[nodiscard]] auto pods_on(NodeId node) const -> std::size_t override {
    std::size_t most = 0;
    for (const auto& each : all_) most = std::max(most, each->pods_on(node));
    return most;
  }
  [[nodiscard]] auto holds_among(std::span<const PodId> potential_victims) const -> bool override {
    return std::all_of(all_.begin(), all_.end(),
                       [&](const auto& each) { return each->holds_among(potential_victims); });
  }
  [[nodiscard]] auto is_broken_by(const Verdict& verdict) const -> bool override {
    return std::any_of(all_.begin(), all_.end(), [&](const auto& each) { return each->is_broken_by(verdict); });
  }

 private:
  void add(std::unique_ptr<Invariant> invariant) { all_.push_back(std::move(invariant)); }

  static auto never_victim(const Spared& spared, const Snapshot& cluster) -> std::unique_ptr<Invariant> {
    const auto query = LabelQuery::parse(spared.selector);
    return std::make_unique<prove::NeverVictim>(cluster, "them", [&](PodId id) {
      const Pod& pod = cluster.pod(id);
      return (!query || query->matches(pod.meta.labels, cluster.symbols())) &&
             (spared.pods.empty() || contains(spared.pods, cluster.key(id))) &&
             (spared.priority_class.empty() || cluster.text(pod.spec.priority_class_name) == spared.priority_class);
    });
  }

  static auto outcomes_of(const Expectation& expect) -> std::vector<Outcome> {
    std::vector<Outcome> allowed;
    for (const Outcome each : kOutcomes) {
      if (contains(expect.outcome, outcome_name(each))) allowed.push_back(each);
    }
    return allowed;
  }

  std::vector<std::unique_ptr<Invariant>> all_;
};

auto has_provable_expectation(const Expectation& expect) -> bool {
  const bool others = expect.nodes || !expect.tolerates.empty() || !expect.not_tolerating.empty() ||
                      !expect.next_change.empty() || expect.protected_for;
  const auto at_most = [](const Range& range) { return range.max && *range.max >= 0 && range.min.value_or(0) <= 0; };
  const auto& victims = expect.victims;
  const bool counts = !victims || (!victims->exactly && victims->includes.empty() && victims->excludes.empty() &&
                                   victims->count && at_most(*victims->count));
  const bool budgets = !expect.pdb_violations || (at_most(*expect.pdb_violations) && *expect.pdb_violations->max == 0);
  return !others && counts && budgets;
}

// Without a node, the scheduler chooses one: then only whether it finds one can be proved.
auto expects_a_node(const Expectation& expect) -> bool {
  const std::set<std::string> wanted(expect.outcome.begin(), expect.outcome.end());
  const std::set<std::string> found = {std::string(outcome_name(Outcome::fits)),
                                       std::string(outcome_name(Outcome::preempts))};
  return wanted == found && !expect.never_victim && !expect.victims && !expect.pdb_violations;
}

auto amount_of(const std::string& resource, const std::string& text) -> std::int64_t {
  return in_units(resource, Quantity::parse(text).value_or(Quantity()));
}

auto space_of(const Forall& forall, const Snapshot& cluster, Instant now) -> prove::Space {
  const Preemptor& preemptor = forall.preemptor;
  prove::Space space{.priorities = {preemptor.priority->first, preemptor.priority->second}};
  for (const Amounts& each : preemptor.requests) {
    const std::int64_t least = amount_of(each.resource, each.from);
    space.requests.push_back({each.resource, least, each.to.empty() ? least : amount_of(each.resource, each.to)});
  }
  space.from = moment_of(forall.from, now);
  space.to = forall.to.empty() ? space.from : moment_of(forall.to, now);
  for (const NodeId node : cluster.nodes().ids()) {
    if (forall.every_node || forall.nodes.empty() || contains(forall.nodes, cluster.name(node)))
      space.nodes.push_back(node);
  }
  space.tolerates_taints = false;
  space.ns = preemptor.ns;
  return space;
}

}  // namespace

auto proof_of(const Forall& forall, TestedCluster& tested, const std::string& scheduler)
    -> std::optional<prove::Proof> {
  const Preemptor& preemptor = forall.preemptor;
  const bool on_nodes = forall.every_node || !forall.nodes.empty();
  const bool plain = preemptor.priority && preemptor.labels.empty() && (on_nodes || expects_a_node(forall.expect));
  if (!plain || !has_provable_expectation(forall.expect)) return {};
  const Snapshot cluster(tested.objects);
  const auto engine = main_engine(engines(), tested.question.engine, cluster);
  if (!engine || !(*engine)->preempts_by_priority_class() || !(*engine)->preempts_on_one_node()) return {};
  const prove::Space space = space_of(forall, cluster, tested.question.now);
  Question question = tested.question;
  question.now = space.from;
  question.preemptor_scheduler = scheduler;
  const prove::Task task{.engine = **engine,
                         .objects = tested.objects,
                         .cluster = cluster,
                         .question = question,
                         .space = space,
                         .make = [&](const Snapshot& with_probes) -> Result<std::unique_ptr<Invariant>> {
                           return std::make_unique<Expected>(forall.expect, with_probes);
                         }};
  auto proof = on_nodes ? prove::prove(task) : prove::prove_always_fits(task);
  if (!proof || proof->doubt) return {};
  return *std::move(proof);
}

}  // namespace previct::suite
