#include "base/text.h"
#include "engine/kube/equals.h"
#include "report/rows.h"
#include "tell/kube/evidence.h"
#include "tell/kube/evidence_fields.h"
#include "tell/kube/explain.h"
#include "tell/kube/obstacles.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace previct::kube {
namespace {

// Returns the name in documents, which never changes.
auto standing_name(Standing standing) -> std::string_view {
  switch (standing) {
    case Standing::chosen: return "chosen";
    case Standing::tied: return "chosen (tie)";
    case Standing::candidate: return "candidate";
    case Standing::fits: return "fits";
    case Standing::nominated: return "waits";
    case Standing::later: return "later";
    case Standing::shielded: return "shielded";
    case Standing::no: return "no";
    case Standing::hopeless: return "no help";
  }
  return "";
}

// Returns the text of the VERDICT column.
auto standing_words(Standing standing) -> std::string_view {
  switch (standing) {
    case Standing::later: return "not yet";
    case Standing::shielded: return "protected";
    case Standing::no: return "not possible";
    case Standing::hopeless: return "cannot help";
    default: return standing_name(standing);
  }
}

auto tone_of(Standing standing) -> Tone {
  switch (standing) {
    case Standing::chosen:
    case Standing::tied: return Tone::verdict;
    case Standing::fits: return Tone::safe;
    case Standing::nominated:
    case Standing::later: return Tone::soon;
    case Standing::hopeless: return Tone::dim;
    case Standing::candidate:
    case Standing::shielded:
    case Standing::no: return Tone::plain;
  }
  return Tone::plain;
}

// A step of the decision about one node.
struct Step {
  std::string what;
  Cell result;
};

class Nodes {
 public:
  /// `odds`: null if no choice is random.
  Nodes(const Explained& e, const Odds* odds)
      : e_(e),
        cluster_(e.node_infos.cluster()),
        decision_(e.decision),
        odds_(odds),
        words_(e.node_infos, e.subject, e.question.now),
        telling_(telling()),
        order_(ranked_nodes(e)) {
    if (!decision_.selection) return;
    const Selection& selection = *decision_.selection;
    for (std::size_t i = 0; i < selection.nodes.size(); ++i) place_.emplace(selection.nodes[i], i);
  }

  [[nodiscard]] auto table(bool show_all) const -> Table {
    std::map<Standing, std::size_t> shown;
    std::map<Standing, std::size_t> hidden;
    std::vector<NodeId> rows;
    std::vector<NodeId> hopeless;
    constexpr std::size_t kShown = 10;
    for (const NodeId node : order_) {
      const Standing standing = standing_of(node);
      const bool asked_for = show_all || named(node);
      const bool beside_the_point = (standing == Standing::no && decision_.ending == Ending::scheduled) ||
                                    (e_.question.show_chosen_only && standing > Standing::tied);
      if (standing == Standing::hopeless && !asked_for) {
        hopeless.push_back(node);
      } else if (asked_for || (!beside_the_point && shown[standing]++ < kShown)) {
        rows.push_back(node);
      } else {
        ++hidden[standing];
      }
    }
    Table table = table_of(rows, std::bind_front(&Nodes::node_row, this));
    if (scored()) add_equal_scores(table);
    for (const auto& [standing, count] : hidden) {
      table.footer.push_back(
          folded_line(fmt::format("+ {} more \"{}\"", counted(count, "node", "nodes"), standing_words(standing)),
                      Tone::dim, " (--show all)"));
    }
    if (!hopeless.empty()) table.footer.push_back(folded(hopeless));
    return table;
  }

  [[nodiscard]] auto json() const -> Json {
    return list_of(order_, std::bind_front(&Nodes::node_row, this), e_.question.extent);
  }

  [[nodiscard]] auto findings() const -> std::vector<NodeFinding> {
    std::vector<NodeFinding> out;
    for (const NodeId node : order_) {
      const NodeVerdict& v = decision_.nodes[node];
      const Standing standing = standing_of(node);
      NodeFinding& finding = out.emplace_back();
      finding.node = name(node);
      finding.fits = standing == Standing::fits;
      finding.candidate = v.preemption == NodeVerdict::Preemption::candidate;
      finding.chosen = finding.candidate && is_chosen(node);
      if (!finding.fits && !finding.candidate) finding.why = why(node, standing);
      if (!finding.candidate) continue;
      finding.victims = v.run->victims;
      finding.pdb_violations = v.run->violations;
      finding.interchangeable =
          interchangeable_victims(decision_, e_.node_infos, node, cluster_.pod(e_.subject).spec.priority);
    }
    return out;
  }

  // Why the pod stays pending, with counts: `pods that tolerate preemption use the cpu`, 2 nodes, from 22:58:30 on.
  [[nodiscard]] auto reasons() const -> std::optional<Table> {
    if (!shows_reasons()) return {};
    return table_of(obstacles(e_), [this](Row& row, const Obstacle& obstacle) {
      row.text("REASON", reason_words(obstacle));
      row.number("NODES", obstacle.nodes.size());
      row.text("FIRST CHANGE", first_change(obstacle));
    });
  }

  // Returns the evidence for the steps of a node: its pods' tolerations, and the budgets that were violated.
  [[nodiscard]] auto fields(NodeId node) const -> std::vector<Evidence> {
    std::vector<Evidence> out;
    const auto add = [&](Evidence evidence) {
      const bool there = std::any_of(out.begin(), out.end(), [&](const Evidence& e) {
        return e.object == evidence.object && e.field == evidence.field;
      });
      if (!there) out.push_back(std::move(evidence));
    };
    for (const PodTolerance& t : decision_.tolerances) {
      if (t.node != node) continue;
      for (Evidence& e : evidence_of(cluster_, t.pod, t.tolerance.reason)) add(std::move(e));
    }
    for (const Fate& fate : decision_.nodes[node].run->fates) {
      if (fate.reason.rule == Rule::must_go_violating) add(evidence_of_budget(cluster_, fate.reason));
    }
    return out;
  }

  // For a single node, its row is enough.
  [[nodiscard]] auto shows_reasons() const -> bool {
    return order_.size() >= 2 && e_.account.found == Outcome::pending;
  }

  [[nodiscard]] auto asked_for() const -> std::vector<NodeId> {
    std::vector<NodeId> nodes;
    for (const std::string& name : e_.question.only_nodes) {
      if (const NodeId node = cluster_.find_node(cluster_.symbol(name))) nodes.push_back(node);
    }
    return nodes;
  }

  [[nodiscard]] auto steps(NodeId node) const -> std::vector<Block> {
    const NodeVerdict& v = decision_.nodes[node];
    std::vector<Step> steps{{"1 filters on the node as it is", filter_words(v.filter)}};
    if (place_.contains(node)) steps_of_scores(place_.at(node), steps);
    if (v.preemption == NodeVerdict::Preemption::skipped) {
      steps.push_back({"2 preemption", "not tried: preemption cannot help there"});
    } else if (v.preemption != NodeVerdict::Preemption::not_asked) {
      steps_of_run(v, steps);
    }
    return {Line{{{name(node), Tone::verdict}, {": " + steps_sentence(v)}}},
            table_of(steps, [](Row& row, const Step& step) {
              row.text("STEP", step.what);
              row.text("RESULT", step.result);
            })};
  }

 private:
  // -- scores

  [[nodiscard]] auto scored() const -> bool { return !place_.empty(); }

  // A plugin that gives every node the same score is not shown.
  [[nodiscard]] static auto tells(const Selection::Given& given) -> bool {
    const auto& all = given.normalized;
    return !given.skipped &&
           std::any_of(all.begin(), all.end(), [&](std::int64_t each) { return each != all.front(); });
  }
  [[nodiscard]] auto telling() const -> std::vector<const Selection::Given*> {
    std::vector<const Selection::Given*> telling;
    if (!decision_.selection) return telling;
    for (const Selection::Given& given : decision_.selection->given) {
      if (tells(given)) telling.push_back(&given);
    }
    return telling;
  }

  // Returns the plugin's name without the part that all of them share.
  [[nodiscard]] static auto head_of(const ScorePlugin& plugin) -> std::string {
    static const std::map<std::string_view, std::string_view> kHeads = {
        {"NodeResourcesFit", "RESOURCES"},    {"NodeResourcesBalancedAllocation", "BALANCE"},
        {"ImageLocality", "IMAGES"},          {"TaintToleration", "TAINTS"},
        {"NodeAffinity", "AFFINITY"},         {"PodTopologySpread", "SPREAD"},
        {"InterPodAffinity", "POD AFFINITY"}, {"VolumeBinding", "VOLUMES"},
        {"DynamicResources", "DEVICES"}};
    const auto found = kHeads.find(plugin.name);
    return found == kHeads.end() ? plugin.name : std::string(found->second);
  }

  // `every node gets 300 from TaintToleration and 0 from ImageLocality; InterPodAffinity is skipped`
  void add_equal_scores(Table& table) const {
    std::vector<std::string> equal;
    std::vector<std::string> skipped;
    for (const Selection::Given& given : decision_.selection->given) {
      if (given.skipped) {
        skipped.push_back(given.plugin->name);
      } else if (!tells(given)) {
        equal.push_back(fmt::format("{} from {}", given.normalized.front() * given.plugin->weight, given.plugin->name));
      }
    }
    std::string text;
    if (!equal.empty()) text = fmt::format("each node gets {}", joined(equal, ", "));
    if (!skipped.empty()) {
      text += fmt::format("{}{} {} skipped", text.empty() ? "" : "; ", joined(skipped, ", "),
                          skipped.size() == 1 ? "is" : "are");
    }
    if (!text.empty()) table.footer.push_back({{{text, Tone::dim}}});
  }

  void steps_of_scores(std::size_t place, std::vector<Step>& steps) const {
    const Selection& selection = *decision_.selection;
    const std::int64_t total = selection.totals[place];
    const auto better = std::count_if(selection.totals.begin(), selection.totals.end(),
                                      [&](std::int64_t other) { return other > total; });
    steps.push_back({"2 score", fmt::format("{}; {} of {} get more", total, better,
                                            counted(selection.nodes.size() - 1, "other node", "other nodes"))});
    for (const Selection::Given& given : selection.given) {
      const std::string what = fmt::format("    {}", given.plugin->name);
      if (given.skipped) {
        steps.push_back({what, {"skipped: it does not apply to this pod", Tone::dim}});
        continue;
      }
      const std::int64_t raw = given.scores[place];
      const std::int64_t normalized = given.normalized[place];
      steps.push_back({what, fmt::format("{} (score {}{}, weight {})", normalized * given.plugin->weight, normalized,
                                         raw == normalized ? "" : fmt::format(" from {}", raw), given.plugin->weight)});
    }
  }

  [[nodiscard]] auto name(NodeId node) const -> std::string {
    return std::string(cluster_.text(e_.node_infos.name(node)));
  }
  [[nodiscard]] auto named(NodeId node) const -> bool {
    const auto& only = e_.question.only_nodes;
    return std::find(only.begin(), only.end(), name(node)) != only.end();
  }
  [[nodiscard]] auto is_chosen(NodeId node) const -> bool {
    const auto& chosen = decision_.choice.chosen;
    return std::find(chosen.begin(), chosen.end(), node) != chosen.end();
  }

  [[nodiscard]] auto standing_of(NodeId node) const -> Standing { return kube::standing_of(decision_, node); }

  [[nodiscard]] auto reason_words(const Obstacle& obstacle) const -> std::string {
    const Reason& reason = obstacle.reason;
    const std::string lacking = lacking_resource(reason, e_.node_infos);
    const std::string resource = lacking.empty() ? "node" : lacking;
    switch (obstacle.kind) {
      case Obstacle::Kind::tolerated: return fmt::format("pods that tolerate preemption use the {}", resource);
      case Obstacle::Kind::tolerated_forever:
        return fmt::format("pods that tolerate preemption forever use the {}", resource);
      case Obstacle::Kind::used:
        if (obstacle.without_victims) {
          return fmt::format("pods of lower priority use the {}; without them: {}", resource,
                             words_.ours_of_all(*obstacle.without_victims));
        }
        return fmt::format("pods of priority >= {} use the {}", cluster_.pod(e_.subject).spec.priority, resource);
      case Obstacle::Kind::too_small: return folded_words(decision_.nodes[obstacle.nodes.front()].filter);
      default: return words_.ours_of_all(obstacle.range);
    }
  }

  [[nodiscard]] auto first_change(const Obstacle& obstacle) const -> Span {
    switch (obstacle.kind) {
      case Obstacle::Kind::tolerated:
        return {
            fmt::format("{} {}", format_moment(*obstacle.first_change, e_.question.now), name(obstacle.nodes.front())),
            Tone::soon};
      case Obstacle::Kind::tolerated_forever:
      case Obstacle::Kind::used: return {"when they finish"};
      case Obstacle::Kind::not_kept: return {"when the scheduler's configuration changes"};
      case Obstacle::Kind::other: return {"when the pods there or the node change"};
      case Obstacle::Kind::unresolvable:
      case Obstacle::Kind::too_small: return {"preemption cannot change this", Tone::dim};
    }
    return {};
  }

  // Returns the lowest value for a node that is not scored.
  [[nodiscard]] auto total_of(NodeId node) const -> std::int64_t {
    const auto at = place_.find(node);
    return at == place_.end() ? INT64_MIN : decision_.selection->totals[at->second];
  }

  void node_row(Row& row, NodeId node) const {
    const NodeVerdict& v = decision_.nodes[node];
    const Standing standing = standing_of(node);
    row.text("NODE", name(node)).key("name");
    row.text("VERDICT", verdict_cell(node, standing)).key("verdict", standing_name(standing));
    if (odds_ != nullptr) row.text("CHANCE", [&] { return chance_of(node); }).optional();
    if (scored()) {
      score_cells(row, node);
    } else {
      const bool candidate = v.preemption == NodeVerdict::Preemption::candidate;
      const auto of = [&](auto value) { return candidate ? Cell(value) : Cell("-"); };
      row.number("VICTIMS", of(v.run->victims.size())).optional();
      row.number("TOP PRIORITY", of(v.run->highest_priority)).optional();
      row.number("PDB", of(v.run->violations)).optional();
    }
    row.text("WHY", [&] { return why(node, standing); }).unless_empty(scored());
    row.key("filter", [&] { return filter_json(v); });
    row.key("preemption", [&] { return preemption_json(node, standing); });
  }

  void score_cells(Row& row, NodeId node) const {
    const auto at = place_.find(node);
    const bool has = at != place_.end();
    row.number("SCORE", has ? Cell(total_of(node)) : Cell("-")).key("score", has ? Json(total_of(node)) : Json());
    for (const Selection::Given* given : telling_) {
      row.number(head_of(*given->plugin), has ? Cell(given->normalized[at->second] * given->plugin->weight) : Cell("-"))
          .optional();
    }
  }

  [[nodiscard]] auto verdict_cell(NodeId node, Standing standing) const -> Cell {
    if (!scored()) return {verdict_of(standing), tone_of(standing)};
    const std::vector<NodeId>& best = decision_.selection->best;
    const bool chosen = e_.account.open_node.empty() && std::find(best.begin(), best.end(), node) != best.end();
    if (chosen) return {best.size() == 1 ? "chosen" : "chosen (tie)", Tone::verdict};
    return {standing_words(standing), tone_of(standing)};
  }

  // No node is certain to be chosen if the scheduler looks at a sample only.
  [[nodiscard]] auto verdict_of(Standing standing) const -> std::string_view {
    if (!decision_.choice.sampled || decision_.choice.possible.size() < 2) return standing_words(standing);
    return standing == Standing::chosen ? "best" : standing == Standing::tied ? "best (tie)" : standing_words(standing);
  }

  [[nodiscard]] auto chance_of(NodeId node) const -> std::string {
    for (const PossibleNode& each : odds_->nodes) {
      if (each.node == node) return each.likely > 0 ? chance_words(each.likely) : "unlikely";
    }
    return "-";
  }

  [[nodiscard]] auto why(NodeId node, Standing standing) const -> std::string {
    const NodeVerdict& v = decision_.nodes[node];
    switch (standing) {
      case Standing::chosen: return info(winning_rule(node)).words.data();
      case Standing::tied: return std::string(info(Rule::pick_tie).words);
      case Standing::candidate: return lost(*v.run);
      case Standing::fits: return "";
      case Standing::nominated: return fmt::format("nominated to it; {}", terminating_words(e_, node));
      case Standing::later:
        return fmt::format("from {}; {}", format_clock(*v.candidate_from, e_.question.now), held(node));
      case Standing::shielded:
      case Standing::no: return held(node);
      case Standing::hopeless: return filter_words(v.filter);
    }
    return "";
  }

  // The criterion that left only the chosen node: the last one that was needed against any other candidate.
  [[nodiscard]] auto winning_rule(NodeId node) const -> Rule {
    Rule rule = Rule::pick_only_one;
    for (const NodeId other : decision_.candidates) {
      if (other != node) rule = std::max(rule, deciding_rule(*decision_.nodes[node].run, *decision_.nodes[other].run));
    }
    return rule;
  }

  [[nodiscard]] auto lost(const DryRun& run) const -> std::string {
    if (decision_.choice.chosen.empty()) return {};
    const DryRun& best = *decision_.nodes[decision_.choice.chosen.front()].run;
    const auto start = [&](const DryRun& r) {
      return r.earliest_start.is_never() ? std::string("unknown") : format_clock(r.earliest_start, e_.question.now);
    };
    switch (deciding_rule(best, run)) {
      case Rule::pick_violations:
        return fmt::format("more PDB violations: {} > {}; {}", run.violations, best.violations, violated(run));
      case Rule::pick_highest:
        return fmt::format("higher top victim priority: {} > {}", run.first_priority, best.first_priority);
      case Rule::pick_sum: return "higher sum of victim priorities (plus 2^31 each)";
      case Rule::pick_count: return fmt::format("more victims: {} > {}", run.victims.size(), best.victims.size());
      case Rule::pick_start: return fmt::format("its top victims started earlier: {} < {}", start(run), start(best));
      default: return "";
    }
  }

  // The budgets that an eviction would violate: `ml/eval-pdb (it allows 0 more)`.
  [[nodiscard]] auto violated(const DryRun& run) const -> std::string {
    std::vector<std::string> budgets;
    for (const Fate& fate : run.fates) {
      if (fate.reason.rule != Rule::must_go_violating) continue;
      std::string text = budget_words(cluster_, fate.reason);
      if (std::find(budgets.begin(), budgets.end(), text) == budgets.end()) budgets.push_back(std::move(text));
    }
    return joined(budgets, ", ");
  }

  // Why preemption cannot free the node, and which pods use it.
  [[nodiscard]] auto held(NodeId node) const -> std::string {
    const NodeVerdict& v = decision_.nodes[node];
    if (v.preemption == NodeVerdict::Preemption::not_kept) return words_.ours({Rule::not_kept});
    if (v.preemption != NodeVerdict::Preemption::none) return filter_words(v.filter);
    const bool nobody = lacks_victims(v);
    const Status& shown = status_after_preemption(v);
    std::string text = filter_words(shown);
    if (fails_without_victims(v)) {
      return fmt::format("{}; without the pods of lower priority there: {}", filter_words(v.filter), text);
    }
    const std::set<PodId> stay = tolerating_on(v);
    if (shown.reasons.empty() || shown.reasons.front().rule != Rule::insufficient) {
      return stay.empty() && nobody ? fmt::format("{}; {}", text, words_.ours({Rule::no_victims})) : text;
    }
    std::vector<std::string> holders;
    const ResourceId resource{static_cast<std::uint32_t>(shown.reasons.front().a)};
    for (const PodInfo& p : e_.node_infos.pods_on(node)) {
      if (!stay.contains(p.pod)) continue;
      for (const Amount& a : e_.node_infos.amounts(p)) {
        if (a.resource == resource && a.value > 0) {
          holders.push_back(fmt::format("{} used by {}", words_.amount(resource, a.value), cluster_.key(p.pod)));
        }
      }
    }
    constexpr std::size_t kShown = 3;
    if (holders.size() > kShown) {
      const std::size_t more = holders.size() - kShown;
      holders.resize(kShown);
      holders.push_back(fmt::format("more by {} others that tolerate preemption", more));
    }
    if (holders.empty()) {
      const Reason& lack = shown.reasons.front();
      if (lack.b > lack.d) return fmt::format("{}, which is all that the node has", text);
      const std::vector<std::string> nominated = nominated_before(e_, node);
      const std::string kept_for =
          nominated.empty() ? ""
                            : fmt::format(" or kept for {}, nominated to it", joined_up_to(kNominatedShown, nominated));
      return fmt::format("{} or used by lower priority, the rest used by priority >= {}{}{}", text,
                         cluster_.pod(e_.subject).spec.priority, kept_for, terminating_there(e_, node));
    }
    return fmt::format("{}, {}", text, joined(holders, ", "));
  }

  [[nodiscard]] auto tolerating_on(const NodeVerdict& v) const -> std::set<PodId> {
    std::set<PodId> pods;
    for (const Fate& fate : v.run->fates) {
      if (is_tolerance(fate.reason.rule)) pods.insert(fate.pod);
    }
    return pods;
  }

  [[nodiscard]] auto filter_words(const Status& status) const -> std::string {
    if (status.ok()) return "fits";
    std::vector<std::string> parts;
    for (const Reason& reason : status.reasons) parts.push_back(words_.ours(reason));
    return joined(parts, "; ");
  }

  // "+ 406 nodes preemption cannot help: … (404), … (2)", with equal reasons grouped; without the reasons if a table
  // shows them.
  [[nodiscard]] auto folded(const std::vector<NodeId>& nodes) const -> Line {
    const std::string front = fmt::format("+ {} where preemption cannot help", counted(nodes.size(), "node", "nodes"));
    if (shows_reasons()) return folded_line(front, Tone::dim, " (--show all)");
    std::map<std::string, std::size_t> counts;
    for (const NodeId node : nodes) {
      const Status& status = decision_.nodes[node].filter;
      if (!status.reasons.empty()) ++counts[folded_words(status)];
    }
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [text, count] : counts) sorted.emplace_back(count, text);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> parts;
    for (const auto& [count, text] : sorted)
      parts.push_back(sorted.size() == 1 ? text : fmt::format("{} ({})", text, count));
    constexpr std::size_t kShown = 6;
    if (parts.size() > kShown) {
      parts.resize(kShown);
      parts.emplace_back("…");
    }
    return {{{fmt::format("{}: {}", front, joined(parts, ", ")), Tone::dim}}};
  }

  // A reason without the parts that differ between nodes.
  [[nodiscard]] auto folded_words(const Status& status) const -> std::string {
    for (const Reason& reason : status.reasons) {
      if (reason.rule == Rule::too_many_pods && reason.b == 0) return "status.allocatable allows no pods";
      if (reason.rule != Rule::insufficient || reason.b <= reason.d) continue;
      const ResourceId resource{static_cast<std::uint32_t>(reason.a)};
      return fmt::format("less than {} {}", words_.amount(resource, reason.b),
                         cluster_.text(e_.node_infos.resource_name(resource)));
    }
    return status.reasons.empty() ? std::string() : words_.ours(status.reasons.front());
  }

  [[nodiscard]] auto steps_sentence(const NodeVerdict& v) const -> std::string {
    if (v.filter.ok()) return "the pod fits there without preemption.";
    switch (v.preemption) {
      case NodeVerdict::Preemption::candidate:
        return fmt::format("evicting {} frees enough.", counted(v.run->victims.size(), "pod", "pods"));
      case NodeVerdict::Preemption::skipped: return "preemption cannot help there.";
      case NodeVerdict::Preemption::not_kept:
        return fmt::format("evicting {} would free enough, but the scheduler keeps no candidate.",
                           counted(v.run->victims.size(), "pod", "pods"));
      case NodeVerdict::Preemption::none:
        if (v.candidate_from) {
          return fmt::format("preemption does not help now; it would from {}.",
                             format_moment(*v.candidate_from, e_.question.now));
        }
        return v.shielded ? "preemption does not help: pods there tolerate preemption forever."
                          : "preemption does not help.";
      case NodeVerdict::Preemption::not_asked: break;
    }
    return "preemption was not tried.";
  }

  [[nodiscard]] auto fate_words(const Reason& reason) const -> std::string {
    return (is_tolerance(reason.rule) ? "tolerates " : "") + words_.ours(reason);
  }

  void steps_of_run(const NodeVerdict& v, std::vector<Step>& steps) const {
    std::size_t lower = 0;
    for (const Fate& f : v.run->fates) {
      if (f.reason.rule != Rule::not_lower && !is_tolerance(f.reason.rule)) ++lower;
    }
    steps.push_back(
        {"2 potential victims", fmt::format("{} of {}", lower, counted(v.run->fates.size(), "pod", "pods"))});
    std::size_t others = 0;
    for (const Fate& f : v.run->fates) {
      if (f.reason.rule == Rule::not_lower) {
        ++others;
        continue;
      }
      const bool goes = f.reason.rule == Rule::must_go || f.reason.rule == Rule::must_go_violating;
      steps.push_back({fmt::format("    {} ({})", cluster_.key(f.pod), cluster_.pod(f.pod).spec.priority),
                       {fate_words(f.reason), goes ? Tone::danger : Tone::safe}});
    }
    if (others > 0) {
      steps.push_back({fmt::format("    {} with priority >= {}", counted(others, "pod", "pods"),
                                   cluster_.pod(e_.subject).spec.priority),
                       "not lower: cannot be preempted"});
    }
    steps.push_back(
        {"3 filters without these pods", lower == 0 ? "not tried: no potential victims" : filter_words(v.run->status)});
    if (v.run->status.ok()) {
      steps.push_back(
          {"4 reprieve pods that fit",
           fmt::format("{} left, {}", counted(v.run->victims.size(), "victim", "victims"),
                       counted(static_cast<std::size_t>(v.run->violations), "PDB violation", "PDB violations"))});
    }
  }

  [[nodiscard]] auto filter_json(const NodeVerdict& v) const -> Json {
    if (v.filter.ok()) return {};
    Json reasons = Json::array();
    for (const Reason& r : v.filter.reasons) {
      reasons.push_back({{"rule", info(r.rule).id}, {"message", words_.upstream(r)}, {"detail", words_.ours(r)}});
    }
    return {{"code", code_name(v.filter.code)},
            {"plugin", v.filter.plugin == nullptr ? "" : v.filter.plugin->name},
            {"reasons", std::move(reasons)}};
  }

  [[nodiscard]] auto preemption_json(NodeId node, Standing standing) const -> Json {
    const NodeVerdict& v = decision_.nodes[node];
    if (v.preemption == NodeVerdict::Preemption::candidate) return candidate_json(v, standing);
    if (v.preemption != NodeVerdict::Preemption::none) return {};
    Json json{{"result", "none"}, {"why", held(node)}};
    if (v.candidate_from) json["becomesCandidateAt"] = format_instant(*v.candidate_from);
    return json;
  }

  [[nodiscard]] auto violated_json(const DryRun& run) const -> Json {
    Json list = Json::array();
    for (const Fate& fate : run.fates) {
      if (fate.reason.rule != Rule::must_go_violating) continue;
      list.push_back({{"pod", cluster_.key(fate.pod)}, {"budget", evidence_of_budget(cluster_, fate.reason).object}});
    }
    return list;
  }

  [[nodiscard]] auto candidate_json(const NodeVerdict& v, Standing standing) const -> Json {
    Json victims = Json::array();
    for (const PodId pod : v.run->victims) victims.push_back(cluster_.key(pod));
    Json reprieved = Json::array();
    for (const Fate& f : v.run->fates) {
      if (f.reason.rule == Rule::reprieved) reprieved.push_back(cluster_.key(f.pod));
    }
    Json criteria = {{"pdbViolations", v.run->violations},
                     {"highestVictimPriority", v.run->first_priority},
                     {"sumOfPriorities", v.run->priority_sum},
                     {"victimCount", v.run->victims.size()}};
    if (!v.run->earliest_start.is_never()) criteria["latestStartOfHighest"] = format_instant(v.run->earliest_start);
    Json out = {{"result", "candidate"},
                {"victims", std::move(victims)},
                {"reprieved", std::move(reprieved)},
                {"pdbViolations", v.run->violations},
                {"criteria", std::move(criteria)}};
    if (v.run->violations > 0) out["violates"] = violated_json(*v.run);
    if (standing == Standing::candidate && !decision_.choice.chosen.empty()) {
      const DryRun& best = *decision_.nodes[decision_.choice.chosen.front()].run;
      out["decidedBy"] = info(deciding_rule(best, *v.run)).id;
    }
    return out;
  }

  const Explained& e_;
  const Snapshot& cluster_;
  const Decision& decision_;
  const Odds* odds_;
  Words words_;
  std::map<NodeId, std::size_t> place_;           // index in the selection, for nodes that are scored
  std::vector<const Selection::Given*> telling_;  // plugins that do not give every node the same score
  std::vector<NodeId> order_;
};

}  // namespace

void tell_nodes(const Explained& explained, Answer& answer) {
  const Nodes nodes(explained, answer.odds ? &*answer.odds : nullptr);
  const Question& question = explained.question;
  if (question.findings) answer.findings = nodes.findings();
  if (question.documents) answer.nodes = nodes.json();
  if (!question.tables) return;
  answer.reasons = nodes.reasons();
  answer.node_table = with_full(question.show_all, question.keeps_full, [&](bool all) { return nodes.table(all); });
  for (const NodeId node : nodes.asked_for()) {
    for (Block& block : nodes.steps(node)) answer.details.push_back(std::move(block));
    for (Evidence& field : nodes.fields(node)) answer.fields.push_back(std::move(field));
  }
}

}  // namespace previct::kube
