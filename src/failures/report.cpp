#include "failures/report.h"

#include "base/text.h"
#include "engine/required_kind.h"
#include "failures/outcome.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::failures {
namespace {

constexpr std::size_t kRowsShown = 20;

auto has_effect(const Outcome& outcome) -> bool {
  return !is_harmless(outcome) || outcome.loops || outcome.cut;
}

class FailuresReport {
 public:
  FailuresReport(const Failures& found, const ReportContext& context)
      : found_(found), context_(context), claim_(found.claim()), provenance_(context, found) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), claim_ == Claim::broken ? Tone::danger : Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    for (const std::string& each : simulated()) report.blocks.emplace_back(Line{{{each}}});
    if (effects() > 0 || context_.show_all) {
      const auto make = [&](bool show_all) { return failures(show_all); };
      report.blocks.emplace_back(with_full(context_.show_all, context_.keeps_full, make));
    }
    if (effects() > 0) report.blocks.emplace_back(details(found_.outcomes.front()));
    report.data = data();
    return report;
  }

 private:
  // ---- words

  [[nodiscard]] auto sentence() const -> std::string {
    if (!found_.none_out_above) return result();
    const std::string above = fmt::format("with a priority above {} stays out", *found_.none_out_above);
    if (claim_ == Claim::open) {
      return fmt::format("Cannot tell whether a pod {} if {} {}, because {}. {}", above,
                         found_.decisive()->failure.name, fails_itself(), cause(*found_.decisive()), result());
    }
    return fmt::format("{} that no pod {}, whichever {}. {}",
                       claim_ == Claim::broken ? std::string("Not true") : fmt::format("It holds{}", as_simulated()),
                       above, fails(), result());
  }

  // Why it is not known whether a pod stays out that must not.
  [[nodiscard]] auto cause(const Outcome& outcome) const -> std::string {
    if (outcome.highest_known_out() > *found_.none_out_above)
      return "it depends on the choice among equal nodes or victims";
    if (outcome.highest_out() > *found_.none_out_above) {
      return fmt::format("the end of {} is not known: {}", outcome.out.front().name, outcome.out.front().why);
    }
    return outcome.loops ? "pods evict each other without end" : "the simulation ends before that is decided";
  }

  // Not every choice among equals is simulated.
  [[nodiscard]] auto as_simulated() const -> std::string_view {
    const bool chosen =
        std::any_of(found_.outcomes.begin(), found_.outcomes.end(), [](const Outcome& each) { return each.chosen; });
    return chosen ? ", as far as simulated," : "";
  }

  [[nodiscard]] auto result() const -> std::string {
    const std::string all = found_.drains ? counted(found_.outcomes.size(), "drain", "drains")
                                          : counted(found_.outcomes.size(), "failure", "failures");
    const std::string drained = found_.drains ? "all succeed, and " : "";
    if (lacks(context_.cluster.objects(), kinds::disruption_budgets)) {
      const std::string result = effects() == 0 ? drained + "none leaves a pod out or evicts another pod"
                                                : fmt::format("{}{} and {}", kept_words(), left_out(), evicting());
      return fmt::format("Of {}{} {}. The input has no PodDisruptionBudgets, so it is not known which of them break.",
                         all, effects() > 0 || as_simulated().empty() ? "," : as_simulated(), result);
    }
    if (effects() == 0) {
      return fmt::format("Of {}{} {}none leaves a pod out, evicts another pod, or breaks a PodDisruptionBudget.", all,
                         as_simulated().empty() ? "," : as_simulated(), drained);
    }
    return fmt::format(
        "Of {}, {}{}, {}, and {}.", all, kept_words(), left_out(), evicting(),
        counted(count(&Outcome::budgets), "breaks a PodDisruptionBudget", "break a PodDisruptionBudget"));
  }

  [[nodiscard]] auto left_out() const -> std::string {
    const auto always =
        static_cast<std::size_t>(std::count_if(found_.outcomes.begin(), found_.outcomes.end(), [](const Outcome& each) {
          return each.highest_always_out() != kNoPriority;
        }));
    const std::size_t maybe = count(&Outcome::out) - always;
    std::vector<std::string> parts;
    if (always > 0 || maybe == 0) parts.push_back(counted(always, "leaves pods out", "leave pods out"));
    if (maybe > 0) parts.push_back(fmt::format("{} may leave pods out", maybe));
    return joined(parts, ", ") + worst_words();
  }
  [[nodiscard]] auto evicting() const -> std::string {
    return counted(count(&Outcome::evicted), "evicts other pods", "evict other pods");
  }

  [[nodiscard]] auto kept_words() const -> std::string {
    if (!found_.drains) return "";
    const std::size_t kept = count(&Outcome::kept);
    return kept == 0 ? "none is refused an eviction, " : fmt::format("{} cannot evict all pods, ", kept);
  }

  [[nodiscard]] auto worst_words() const -> std::string {
    const Outcome& worst = found_.outcomes.front();
    if (worst.out.empty()) return "";
    return fmt::format(" (the worst, {}: {}, the highest of priority {})", worst.failure.name,
                       counted(worst.out.size(), "pod", "pods"), worst.highest_out());
  }

  [[nodiscard]] auto fails() const -> std::string_view {
    if (found_.drains) {
      if (found_.domain.empty()) return found_.at_once == 1 ? "node is drained" : "two nodes are drained";
      return found_.at_once == 1 ? "domain is drained" : "two domains are drained";
    }
    if (found_.domain.empty()) return found_.at_once == 1 ? "node fails" : "two nodes fail";
    return found_.at_once == 1 ? "domain fails" : "two domains fail";
  }

  // What happens to the nodes of one failure.
  [[nodiscard]] auto fails_itself() const -> std::string_view {
    const bool several = found_.at_once > 1;
    if (found_.drains) return several ? "are drained" : "is drained";
    return several ? "fail" : "fails";
  }

  template <class List>
  [[nodiscard]] auto count(List Outcome::*list) const -> std::size_t {
    return static_cast<std::size_t>(std::count_if(found_.outcomes.begin(), found_.outcomes.end(),
                                                  [&](const Outcome& each) { return !(each.*list).empty(); }));
  }

  [[nodiscard]] auto effects() const -> std::size_t {
    return static_cast<std::size_t>(std::count_if(found_.outcomes.begin(), found_.outcomes.end(), has_effect));
  }

  [[nodiscard]] auto simulated() const -> std::vector<std::string> {
    std::vector<std::string> lines = found_.drains ? of_drains() : of_failures();
    if (found_.without_label > 0)
      lines.push_back(fmt::format("left out: {} without the label {}", counted(found_.without_label, "node", "nodes"),
                                  found_.domain));
    return lines;
  }

  static auto of_failures() -> std::vector<std::string> {
    return {
        "simulated: the Node objects and their pods are gone at once; not simulated: the time until a failed node is "
        "noticed and its pods are deleted, detaching volumes, new nodes of an autoscaler",
        "simulated: one course of events for each failure, and others where nodes or victims are equal; "
        "previct sequence --lose NODE lists more"};
  }

  static auto of_drains() -> std::vector<std::string> {
    return {
        "simulated: the nodes are cordoned, and kubectl drain --ignore-daemonsets --delete-emptydir-data --force "
        "evicts "
        "their pods at once, by name, and tries again while a PodDisruptionBudget refuses; not simulated: a timeout of "
        "kubectl, detaching volumes, new nodes of an autoscaler",
        "simulated: one course of events for each drain, and others where nodes or victims are equal; "
        "previct sequence --drain NODE lists more"};
  }

  // ---- tables

  void describe(Row& row, const Outcome& outcome) const {
    row.text(found_.drains ? "DRAIN" : "FAILURE", outcome.failure.name).key("name");
    row.key("nodes", context_.cluster.names(outcome.failure.nodes));
    row.number(found_.drains ? "PODS TO EVICT" : "PODS LOST", outcome.lost).key("lost");
    if (found_.drains) {
      row.key("ended", outcome.ended);
      row.number("NOT EVICTED", Cell(outcome.kept.size(), outcome.kept.empty() ? Tone::plain : Tone::danger));
    } else {
      row.number("END WITH IT", outcome.ended).optional().key("ended");
    }
    row.number("RUN AGAIN", outcome.again).key("again");
    row.number("STAY OUT", Cell(outcome.out.size(), outcome.out.empty() ? Tone::plain : Tone::danger));
    row.number("HIGHEST PRIORITY", highest(outcome)).unless_empty();
    row.number("EVICTED", Cell(outcome.evicted.size()));
    row.number("BUDGETS BROKEN", Cell(outcome.budgets.size()));
    row.text("REMARK", remark(outcome)).unless_empty();
  }

  static auto highest(const Outcome& outcome) -> Cell {
    return outcome.out.empty() ? Cell("") : Cell(outcome.highest_out());
  }

  static auto remark(const Outcome& outcome) -> std::string {
    std::vector<std::string> words;
    if (!outcome.flags.empty()) words.push_back(fmt::format("needs {}", joined(outcome.flags, " ")));
    if (outcome.other) words.push_back(fmt::format("another choice among equals: {} out", outcome.other->out));
    if (outcome.loops) words.emplace_back("pods evict each other without end");
    if (outcome.cut) words.emplace_back("not simulated to the end");
    return joined(words, "; ");
  }

  [[nodiscard]] auto failures(bool show_all) const -> Table {
    std::vector<Outcome> shown;
    for (const Outcome& each : found_.outcomes) {
      if (show_all || (has_effect(each) && shown.size() < kRowsShown)) shown.push_back(each);
    }
    Table table = table_of(shown, [&](Row& row, const Outcome& each) { describe(row, each); });
    const std::size_t with_effect = effects();
    const std::size_t harmless = found_.outcomes.size() - with_effect;
    if (!show_all && shown.size() < with_effect)
      table.footer.push_back(folded_line(fmt::format("+ {} more {} with an effect", with_effect - shown.size(),
                                                     found_.drains ? "drains" : "failures")));
    if (!show_all && harmless > 0)
      table.footer.push_back(
          folded_line(fmt::format("+ {} without an effect", found_.drains ? counted(harmless, "drain", "drains")
                                                                          : counted(harmless, "failure", "failures"))));
    return table;
  }

  // Something that happens in a failure.
  struct Detail {
    std::string_view what;
    std::string name;
    std::optional<std::int64_t> priority;
    std::string why;
  };

  static auto details_of(const Outcome& outcome) -> std::vector<Detail> {
    std::vector<Detail> all;
    for (const Kept& each : outcome.kept) all.push_back({"not evicted", each.name, each.priority, each.why});
    for (const PodOut& each : outcome.out)
      all.push_back({each.known ? "stays out" : "not known", each.name, each.priority, each.why});
    for (const Evicted& each : outcome.evicted)
      all.push_back({"evicted", each.name, each.priority, fmt::format("for {}", each.by)});
    for (const BrokenBudget& each : outcome.budgets) all.push_back({"budget", each.name, std::nullopt, words_of(each)});
    return all;
  }

  static auto words_of(const BrokenBudget& budget) -> std::string {
    std::vector<std::string> words;
    if (budget.violated) words.emplace_back("an eviction violates it");
    if (budget.is_short) words.emplace_back("fewer pods are healthy at the end than desired");
    return joined(words, "; ");
  }

  [[nodiscard]] auto details(const Outcome& outcome) const -> Table {
    const auto make = [&](bool show_all) {
      std::vector<Detail> all = details_of(outcome);
      const std::size_t more = show_all || all.size() <= kRowsShown ? 0 : all.size() - kRowsShown;
      all.resize(all.size() - more);
      Table table = table_of(all, [&](Row& row, const Detail& each) {
        row.text(fmt::format("THE WORST: {}", outcome.failure.name), Cell(each.what));
        row.text("NAME", each.name, each.what == "stays out" ? Tone::danger : Tone::plain);
        row.number("PRIORITY", each.priority ? Cell(*each.priority) : Cell("-"));
        row.text("WHY", each.why);
      });
      if (more > 0) table.footer.push_back(folded_line(fmt::format("+ {} more", more)));
      return table;
    };
    return with_full(context_.show_all, context_.keeps_full, make);
  }

  // ---- JSON

  [[nodiscard]] auto data() const -> Json {
    Json data = provenance_.document("FailuresReport");
    data["sentence"] = sentence();
    data["atOnce"] = found_.at_once;
    data["drains"] = found_.drains;
    if (!found_.domain.empty()) data["domain"] = found_.domain;
    if (found_.none_out_above) {
      data["noneOutAbove"] = *found_.none_out_above;
      data["holds"] = claim_ == Claim::open ? Json() : Json(claim_ == Claim::holds);
    }
    data["simulated"] = simulated();
    data["failures"] = Json::array();
    for (const Outcome& each : found_.outcomes) data["failures"].push_back(json_of(each));
    return data;
  }

  [[nodiscard]] auto json_of(const Outcome& outcome) const -> Json {
    Json json = Json::object();
    Row row(json);
    describe(row, outcome);
    json["out"] = list_of(outcome.out, [](Row& each, const PodOut& pod) {
      each.key("pod", pod.name).key("priority", pod.priority).key("known", pod.known).key("why", pod.why);
    });
    json["evicted"] = list_of(outcome.evicted, [](Row& each, const Evicted& pod) {
      each.key("pod", pod.name).key("priority", pod.priority).key("by", pod.by);
    });
    json["budgets"] = list_of(outcome.budgets, [](Row& each, const BrokenBudget& budget) {
      each.key("name", budget.name).key("violated", budget.violated).key("short", budget.is_short);
    });
    if (found_.drains) {
      json["kept"] = list_of(outcome.kept, [](Row& each, const Kept& pod) {
        each.key("pod", pod.name).key("priority", pod.priority).key("why", pod.why);
      });
      json["flags"] = outcome.flags;
    }
    json["varies"] = outcome.other.has_value();
    const std::size_t of_other = outcome.other ? outcome.other->out : outcome.out.size();
    json["mostOut"] = std::max(outcome.out.size(), of_other);
    json["leastOut"] = std::min(outcome.out.size(), of_other);
    json["loops"] = outcome.loops;
    json["cut"] = outcome.cut;
    return json;
  }

  const Failures& found_;
  const ReportContext& context_;
  Claim claim_;
  Provenance provenance_;
};

}  // namespace

auto failures_report(const Failures& found, const ReportContext& context) -> Report {
  return FailuresReport(found, context).run();
}

}  // namespace previct::failures
