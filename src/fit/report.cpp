#include "api/locate.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "fit/fit.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace previct::fit {
namespace {

constexpr std::size_t kNamed = 3;  // victims and nodes in a cell

auto named(const std::vector<std::string>& names, std::size_t most = kNamed) -> std::string {
  return joined_up_to(most, names);
}

class Reporting {
 public:
  Reporting(const Fit& fit, const Task& task, const ReportContext& context)
      : fit_(fit), task_(task), context_(context) {
    find_places();
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{headline(), Tone::verdict}}});
    for (Line& line : Provenance(context_, fit_.answer).lines()) report.blocks.emplace_back(std::move(line));
    if (!fit_.solutions.empty()) report.blocks.emplace_back(way_table());
    if (fit_.replicas && !fit_.replicas->copies.empty()) report.blocks.emplace_back(replica_table());
    if (auto end = closing(); !end.lines.empty()) report.blocks.emplace_back(std::move(end));
    report.data = data();
    return report;
  }

 private:
  // ---- text

  [[nodiscard]] auto under_limits() const -> std::string {
    if (!task_.limits.victims) return " without evicting a pod";
    return task_.limits.violations ? "" : " without violating a PodDisruptionBudget";
  }

  [[nodiscard]] auto headline() const -> std::string {
    const std::string subject = subject_words(fit_.answer, context_.cluster);
    if (fit_.replicas) return replicas_headline(subject);
    const std::string_view done = task_.pod && fit_.answer.releases.empty() ? "scheduled" : "admitted";
    if (fit_.in) return fmt::format("{} can be {} without changes: it {}.", subject, done, fit_.answer.sentence);
    const Outcome outcome = fit_.answer.outcome;
    if (is_not_covered(fit_.answer)) return fmt::format("Cannot tell: {} {}.", subject, fit_.answer.sentence);
    if (outcome == Outcome::scheduled || outcome == Outcome::deleting || outcome == Outcome::waits) {
      return fmt::format("{} {}.", subject, fit_.answer.sentence);
    }
    if (fit_.solutions.empty() && outcome == Outcome::unknown)
      return fmt::format("{}: {}. None of the changes tried makes it certain.", subject, fit_.answer.sentence);
    if (fit_.solutions.empty()) {
      return fmt::format("{} cannot be {}{}, and none of the changes tried helps.", subject, done, under_limits());
    }
    if (fit_.solutions.front().steps.size() == 1) {
      return fmt::format("{} can be {}{} if one of these changes is made; each was verified by a full run.", subject,
                         done, under_limits());
    }
    return fmt::format("{} cannot be {}{} with any single change, but with {} together; verified by a full run.",
                       subject, done, under_limits(),
                       fit_.solutions.front().steps.size() == 2 ? "these two" : "all of these");
  }

  [[nodiscard]] auto replicas_headline(const std::string& subject) const -> std::string {
    const Replicas& r = *fit_.replicas;
    if (r.copies.empty() && fit_.answer.outcome == Outcome::unknown)
      return fmt::format("{}: {}.", subject, fit_.answer.sentence);
    const std::size_t preempting = preempting_copies();
    std::size_t victims = 0;
    for (const Copy& copy : r.copies) victims += copy.victims.size();
    std::string text = fmt::format("{} of {} {}of {} can be scheduled{}", r.copies.size(), r.asked,
                                   r.asked == 1 ? "copy " : "copies ", subject, under_limits());
    if (preempting > 0) {
      text += fmt::format(": {} without evictions, {} by preempting {}", r.copies.size() - preempting, preempting,
                          counted(victims, "pod", "pods"));
    }
    return text + '.';
  }
  [[nodiscard]] auto preempting_copies() const -> std::size_t {
    return static_cast<std::size_t>(std::count_if(fit_.replicas->copies.begin(), fit_.replicas->copies.end(),
                                                  [](const Copy& copy) { return !copy.victims.empty(); }));
  }

  [[nodiscard]] auto nodes_of(const Solution& solution) const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const std::string& name : solution.nodes) {
      const bool there = static_cast<bool>(context_.cluster.find_node(context_.cluster.symbol(name)));
      names.push_back(there ? name : "new");
    }
    return names;
  }

  // A scheduler does not look at the condition, but its pods do not start there.
  [[nodiscard]] auto node_words(std::vector<std::string> names) const -> std::string {
    for (std::string& name : names) {
      const NodeId node = context_.cluster.find_node(context_.cluster.symbol(name));
      const std::string_view unusable =
          node ? unusable_words(context_.cluster.node(node), context_.cluster) : std::string_view();
      if (!unusable.empty()) name += fmt::format(" ({})", unusable);
    }
    return named(names);
  }

  // `fits, but 0 of 1 pod gets a node`, `fits, but its pods cannot be created`
  [[nodiscard]] static auto then(const Solution& solution) -> std::string {
    const auto& sets = solution.step.sets;
    const auto pending = std::find_if(sets.begin(), sets.end(), [](const SecondStep::Placed& each) {
      return each.placed < each.asked && !each.unknown && !each.cut;
    });
    if (pending == sets.end()) return decided(solution);
    if (pending->refused && pending->placed == 0)
      return fmt::format("{}, but its pods cannot be created", decided(solution));
    return fmt::format("{}, but {} of {} {} a node", decided(solution), pending->placed,
                       counted(pending->asked, "pod", "pods"), pending->asked == 1 ? "gets" : "get");
  }

  // Why the API server does not create the pods that the first such change releases; empty: it creates them.
  [[nodiscard]] auto refusal_of_pods() const -> std::string {
    for (const Solution& solution : fit_.solutions) {
      for (const SecondStep::Placed& each : solution.step.sets) {
        if (each.refused) return fmt::format("once it is admitted: {}: a pod {}", each.what, each.ending);
      }
    }
    return {};
  }

  [[nodiscard]] static auto decided(const Solution& solution) -> std::string {
    const Decision& decision = solution.decision;
    const std::vector<std::string>& victims = decision.victims;
    if (victims.empty()) return std::string(outcome_name(decision.outcome));
    // One choice of several: `preempts 2 of 8 possible pods`.
    const std::size_t taken = decision.one_end.empty() ? victims.size() : decision.one_end.size();
    if (decision.possible.size() > taken)
      return fmt::format("preempts {} of {} possible pods", taken, decision.possible.size());
    return fmt::format("preempts {}",
                       victims.size() <= kNamed ? joined(victims, ", ") : counted(victims.size(), "pod", "pods"));
  }

  // Looks up all steps at once, because each lookup reads a file.
  void find_places() {
    std::vector<FieldOf> fields;
    std::vector<const Step*> steps;
    for (const Solution& solution : fit_.solutions) {
      for (const Step& step : solution.steps) {
        places_[&step] = step.source;
        if (!step.source.file || step.field.empty()) continue;
        fields.push_back({step.source, step.field});
        steps.push_back(&step);
      }
    }
    const std::vector<Place> places = locate(context_.cluster.objects().sources, fields);
    for (std::size_t i = 0; i < steps.size(); ++i) places_[steps[i]] = places[i];
  }

  [[nodiscard]] auto place_of(const Step& step) const -> Place { return places_.at(&step); }

  // Objects read from a cluster have no file to open.
  [[nodiscard]] auto place_words(const Step& step) const -> std::string {
    const Files& files = context_.cluster.objects().files;
    if (!files.live(step.source.file)) return files.describe(place_of(step));
    return step.field.empty() ? step.object : fmt::format("{} {}", step.object, step.field);
  }

  // Kubernetes: pkg/apis/core/validation/validation.go ValidatePodUpdate, v1.35: tolerations may be added, gates
  // removed; cpu and memory change through the resize subresource.
  static auto needs_new_pod(const Step& step) -> bool {
    if (!step.object.starts_with("Pod/")) return false;
    switch (step.kind) {
      case Kind::request: return !step.what.starts_with("cpu ") && !step.what.starts_with("memory ");
      case Kind::node_selector:
      case Kind::node_affinity:
      case Kind::pod_affinity:
      case Kind::pod_anti_affinity:
      case Kind::topology_spread:
      case Kind::preemption_policy:
      case Kind::priority: return true;
      default: return false;
    }
  }

  struct Change {
    const Solution& solution;
    const Step& step;
  };

  void change_row(Row& row, const Change& change) const {
    const Solution& solution = change.solution;
    const Step& step = change.step;
    const bool first = &step == &solution.steps.front();
    const bool evicts = !solution.decision.victims.empty() || step.kind == Kind::remove || step.kind == Kind::scale;
    const std::vector<std::string> nodes = nodes_of(solution);
    const std::string place = place_words(step);
    row.text("CHANGE", fmt::format("{}{}", first ? "" : "+ ", kind_name(step.kind))).key("kind", kind_name(step.kind));
    row.text("WHAT", step.note.empty() ? step.what : fmt::format("{} ({})", step.what, step.note));
    row.key("what", step.what).key("object", present(step.object)).key("field", present(step.field));
    row.key("before", present(step.before)).key("after", present(step.after)).key("note", present(step.note));
    row.text("RESULT", first ? then(solution) : "", evicts ? Tone::danger : Tone::safe);
    row.text("NODE", !first ? "" : nodes.empty() ? "-" : node_words(nodes));
    row.text("PLACE", place.empty() ? "-" : place).optional();
    row.key("source", place_of(step).file ? place_json(context_.cluster.objects().files, place_of(step)) : Json());
  }

  [[nodiscard]] auto way_table() const -> Table {
    bool new_pod = false;
    std::vector<Change> changes;
    for (const Solution& solution : fit_.solutions) {
      for (const Step& step : solution.steps) {
        changes.push_back({solution, step});
        new_pod = new_pod || needs_new_pod(step);
      }
    }
    Table table = table_of(changes, std::bind_front(&Reporting::change_row, this));
    if (new_pod) {
      table.footer.push_back(
          {{{"a pod's class, policy, selectors, affinities and devices cannot be changed: the pod must be deleted and "
             "recreated",
             Tone::dim}}});
    }
    return table;
  }

  // `-o json` has all pods.
  static auto some_of(const std::vector<std::string>& pods) -> std::string {
    constexpr std::size_t kShown = 10;
    return named(pods, kShown) + (pods.size() > kShown ? " (-o json)" : "");
  }

  [[nodiscard]] auto replica_table() const -> Table {
    std::vector<std::string> order;
    std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> by_node;
    for (const Copy& copy : fit_.replicas->copies) {
      if (!by_node.contains(copy.node)) order.push_back(copy.node);
      auto& [copies, victims] = by_node[copy.node];
      ++copies;
      victims.insert(victims.end(), copy.victims.begin(), copy.victims.end());
    }
    Table table = table_of(order, [&](Row& row, const std::string& node) {
      const auto& [copies, victims] = by_node.at(node);
      row.text("NODE", node);
      row.number("COPIES", copies);
      row.text("VICTIMS", victims.empty() ? "-" : some_of(victims), Tone::danger);
    });
    if (std::any_of(fit_.replicas->copies.begin(), fit_.replicas->copies.end(),
                    [](const Copy& copy) { return !copy.instead_of_some.empty(); })) {
      table.footer.push_back(
          {{{"the scheduler may evict other pods in place of some of these; one choice is simulated", Tone::dim}}});
    }
    return table;
  }

  [[nodiscard]] auto closing() const -> Paragraph {
    Paragraph paragraph;
    const auto add = [&](std::string text, Tone tone = Tone::plain) {
      paragraph.lines.push_back({{{std::move(text), tone}}});
    };
    const char* const pod = fit_.answer.outcome == Outcome::unknown ? "without a change:"
                            : task_.pod                             ? "without a change, the pod"
                                                                    : "without a change, the workload";
    if (fit_.tried > 0 && !fit_.replicas) add(fmt::format("{} {}", pod, fit_.answer.sentence));
    if (!fit_.in_vain.empty()) {
      const bool of_static = std::any_of(fit_.in_vain.begin(), fit_.in_vain.end(), [&](const Victim& each) {
        return is_static(context_.cluster.pod(each.pod), context_.cluster);
      });
      add(of_static ? "evicting static pods does not help: the kubelet keeps them running"
                    : "evicting terminating pods does not help: they are deleted already",
          Tone::soon);
    }
    if (const std::string why = refusal_of_pods(); !why.empty()) add(why, Tone::soon);
    if (fit_.blocked) {
      add(fmt::format("with all these changes together{}: {}",
                      fit_.blocked->node.empty() ? "" : fmt::format(", on {}", fit_.blocked->node), fit_.blocked->why));
    }
    if (fit_.replicas) {
      const Replicas& r = *fit_.replicas;
      if (!r.ending.empty()) add(fmt::format("the next copy{} {}", r.undecided ? ":" : "", r.ending));
      if (r.cut)
        add(fmt::format("stopped after {} runs, the limit for a cluster of this size; more copies may fit", fit_.tried),
            Tone::soon);
      if (!r.copies.empty()) {
        add("copies are added one at a time, each on the node that the scheduler would choose; if several nodes are "
            "possible, on the likeliest, or the first by name. Another order may give another number",
            Tone::dim);
      }
    }
    if (fit_.tried > 0 && !fit_.replicas)
      add(fmt::format("{} with a changed cluster", counted(fit_.tried, "run", "runs")), Tone::dim);
    if (!fit_.not_searched.empty()) add("not searched: " + joined(fit_.not_searched, "; "), Tone::dim);
    return paragraph;
  }

  // ---- JSON

  [[nodiscard]] auto replicas_json() const -> Json {
    const Replicas& r = *fit_.replicas;
    Json json{{"asked", r.asked},
              {"placed", r.copies.size()},
              {"free", r.copies.size() - preempting_copies()},
              {"preempting", preempting_copies()},
              {"copies", Json::array()}};
    for (const Copy& copy : r.copies) {
      Json& added = json["copies"].emplace_back(Json{{"node", copy.node}, {"victims", copy.victims}});
      if (copy.instead_of_some.empty()) continue;
      added["certain"] = false;
      added["insteadOfSome"] = copy.instead_of_some;
    }
    if (!r.ending.empty()) json["next"] = r.ending;
    json["cut"] = r.cut;
    return json;
  }

  [[nodiscard]] auto data() const -> Json {
    Json json = document_about(fit_.answer, context_, "FitReport");
    json["limits"] = {{"victims", task_.limits.victims}, {"violations", task_.limits.violations}};
    json["getsIn"] = fit_.in;
    json["ways"] = Json::array();
    for (const Solution& solution : fit_.solutions) {
      Json changes = Json::array();
      for (const Step& step : solution.steps)
        changes.push_back(object_of(Change{solution, step}, std::bind_front(&Reporting::change_row, this)));
      const Decision& decision = solution.decision;
      const bool one_of_several = decision.possible.size() > decision.one_end.size() && !decision.one_end.empty();
      Json way{{"changes", std::move(changes)},
               {"outcome", outcome_name(decision.outcome)},
               {"nodes", nodes_of(solution)},
               {"victims", one_of_several ? decision.one_end : decision.victims},
               {"summary", decision.sentence}};
      if (!solution.step.sets.empty()) way["secondStep"] = solution.step.json();
      if (one_of_several) {
        way["certain"] = false;
        way["oneOf"] = decision.possible;
      }
      json["ways"].push_back(std::move(way));
    }
    if (fit_.blocked) {
      json["blocked"] = {{"why", fit_.blocked->why}};
      if (!fit_.blocked->node.empty()) json["blocked"]["node"] = fit_.blocked->node;
    }
    if (fit_.replicas) json["replicas"] = replicas_json();
    json["search"] = {{"runs", fit_.tried}, {"notSearched", fit_.not_searched}};
    return json;
  }

  const Fit& fit_;
  const Task& task_;
  const ReportContext& context_;
  std::map<const Step*, Place> places_;
};

}  // namespace

auto fit_report(const Fit& fit, const Task& task, const ReportContext& context) -> Report {
  return Reporting(fit, task, context).run();
}

}  // namespace previct::fit
