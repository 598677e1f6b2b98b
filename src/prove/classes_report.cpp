#include "prove/classes_report.h"

#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

using Toleration = ClassEffect::Toleration;

class ClassesReport {
 public:
  ClassesReport(const Classes& classes, const Space& space, const ReportContext& context)
      : classes_(classes), space_(space), context_(context), provenance_(context, classes) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    report.blocks.emplace_back(Line{{{scope()}}});
    report.blocks.emplace_back(table_of(classes_.all, [&](Row& row, const auto& each) { describe(row, each); }));
    report.data = data();
    return report;
  }

 private:
  [[nodiscard]] auto sentence() const -> std::string {
    std::vector<std::string> harmless;
    for (const ClassEffect& each : classes_.all) {
      if (!each.evicts && !each.doubt) harmless.push_back(each.name);
    }
    if (harmless.empty()) return "No PriorityClass is proved to evict no pod.";
    constexpr std::size_t kNamed = 5;
    return fmt::format("Proved: no pod{} of {} {} evicts another pod until {}.{}", like_words(space_.forms),
                       harmless.size() == 1 ? "class" : "the classes", joined_up_to(kNamed, harmless),
                       format_moment(space_.to, space_.from), not_covered(space_));
  }

  // As in a proof of --at-most-victims 0.
  [[nodiscard]] auto scope() const -> std::string {
    const std::string resources = range_words(space_.requests);
    if (!space_.forms.empty()) {
      return fmt::format(
          "covered: pods{} but with any request of {}, of these classes, every moment until then, on {}; not covered: "
          "other pods, groups, and changes of the cluster",
          like_words(space_.forms), resources, counted(space_.nodes.size(), "node", "nodes"));
    }
    return fmt::format(
        "covered: every request of {}, toleration, node selector and moment until then, on {}; not covered: pods with "
        "host ports, volumes, pod affinity or spread constraints, groups, and changes of the cluster",
        resources, counted(space_.nodes.size(), "node", "nodes"));
  }

  void describe(Row& row, const ClassEffect& each) const {
    row.text("CLASS", each.name).key("name");
    row.number("PRIORITY", each.value).key("priority");
    row.number("PODS", each.pods).key("pods");
    row.text("CAN EVICT", can_evict(each)).key("canEvict", present(Json(word_of(each))));
    row.text("FOR EXAMPLE", example(each)).unless_empty();
    row.text("TOLERATION", toleration(each)).unless_empty().key("toleration", present(Json(toleration_word(each))));
    if (each.evicts) row.key("example", example_json(*each.evicts));
  }

  static auto word_of(const ClassEffect& each) -> std::string {
    return each.evicts ? "yes" : each.doubt ? "unknown" : "no";
  }

  static auto can_evict(const ClassEffect& each) -> Cell {
    if (each.evicts) return {std::string("yes"), Tone::danger};
    if (each.doubt) return std::string("not known");
    return std::string(each.never_preempts ? "no: preemptionPolicy Never" : "no");
  }

  [[nodiscard]] auto example(const ClassEffect& each) const -> std::string {
    if (!each.evicts) return "";
    const Counterexample& found = *each.evicts;
    const std::string victim =
        found.answer.victim_lines.empty() ? "a pod" : context_.cluster.key(found.answer.victim_lines.front().pod);
    std::string requests =
        joined(request_words(space_.requests, corner_of(found.region.requests, From::smallest)), ", ");
    if (requests.empty()) requests = "no requests";
    if (!space_.forms.empty())
      requests = fmt::format("a pod like {} with {}", space_.forms[found.region.preemptor.kind].name, requests);
    if (!found.node.empty()) requests += " on node " + found.node;
    return fmt::format("{} evicts {} at {}", requests, victim, format_moment(found.region.preemptor.at, space_.from));
  }

  static auto toleration_word(const ClassEffect& each) -> std::string {
    if (!each.toleration) return "";
    switch (*each.toleration) {
      case Toleration::protects: return "protects";
      case Toleration::no_pods: return "no-pods";
      case Toleration::no_preemptors: return "no-preemptors";
      case Toleration::over: return "over";
    }
    return "";
  }

  static auto toleration(const ClassEffect& each) -> std::string {
    if (!each.toleration) return "";
    switch (*each.toleration) {
      case Toleration::protects: return "protects pods now";
      case Toleration::no_pods: return "without effect: no pod of the class runs";
      case Toleration::no_preemptors: return "without effect: no class is above it and below its minimum";
      case Toleration::over: return "without effect: it has ended for each pod";
    }
    return "";
  }

  static auto example_json(const Counterexample& found) -> Json {
    Json example = Json::object();
    if (!found.node.empty()) example["node"] = found.node;
    example["at"] = format_instant(found.region.preemptor.at);
    example["manifest"] = found.manifest;
    return example;
  }

  [[nodiscard]] auto data() const -> Json {
    Json data = provenance_.document("ClassesReport");
    data["sentence"] = sentence();
    data["until"] = format_instant(space_.to);
    data["scope"] = scope();
    data["items"] = list_of(classes_.all, [&](Row& row, const auto& each) { describe(row, each); });
    return data;
  }

  const Classes& classes_;
  const Space& space_;
  const ReportContext& context_;
  Provenance provenance_;
};

}  // namespace

auto classes_report(const Classes& classes, const Space& space, const ReportContext& context) -> Report {
  return ClassesReport(classes, space, context).run();
}

}  // namespace previct::prove
