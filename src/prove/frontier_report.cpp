#include "prove/frontier_report.h"

#include "api/amount_text.h"
#include "api/upstream.h"
#include "base/contains.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "report/rows.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

class FrontierReport {
 public:
  FrontierReport(const Frontier& frontier, const Space& space, const ReportContext& context)
      : frontier_(frontier),
        space_(space),
        context_(context),
        provenance_(context, frontier),
        several_(std::any_of(frontier.threats.begin(), frontier.threats.end(),
                             [&](const Threat& each) { return each.scheduler != frontier.threats[0].scheduler; })) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{verdict(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (!space_.forms.empty() && !frontier_.threats.empty()) {
      report.blocks.emplace_back(Line{{{fmt::format("such a preemptor evicts it if kube-scheduler chooses node {}",
                                                    context_.cluster.name(frontier_.node))}}});
    }
    if (space_.forms_left_out > 0)
      report.blocks.emplace_back(Line{{{fmt::format("left out: {} more forms of pods", space_.forms_left_out)}}});
    for (const std::string& fault : frontier_.faults)
      report.blocks.emplace_back(Line{{{fmt::format("left out: {}", fault)}}});
    if (!frontier_.threats.empty()) report.blocks.emplace_back(table());
    report.data = data();
    return report;
  }

 private:
  [[nodiscard]] auto verdict() const -> std::string {
    const std::string beside =
        frontier_.own_engine.empty()
            ? ""
            : fmt::format(
                  " These are preemptors of kube-scheduler; what {}, which schedules the pod, evicts is not known.",
                  frontier_.own_engine);
    return preemptors() + not_covered(space_) + beside;
  }

  [[nodiscard]] auto preemptors() const -> std::string {
    const std::string pod = context_.cluster.key(frontier_.pod);
    const std::string doubt = known() ? "" : ", as far as is known";
    const std::string like = like_words(space_.forms);
    const std::string until = format_moment(space_.to, space_.from);
    if (frontier_.threats.empty()) return fmt::format("No preemptor{} evicts {} until {}{}.", like, pod, until, doubt);
    const auto by_priority = [](const Threat& a, const Threat& b) { return a.priorities.least < b.priorities.least; };
    const Threat& lowest = *std::min_element(frontier_.threats.begin(), frontier_.threats.end(), by_priority);
    const auto by_time = [](const Threat& a, const Threat& b) { return a.from < b.from; };
    const Threat& first = *std::min_element(frontier_.threats.begin(), frontier_.threats.end(), by_time);
    return fmt::format("Preemptors{} of priority {} and above may evict {}, the first {}{}.", like,
                       lowest.priorities.least, pod, from_words(first), doubt);
  }

  [[nodiscard]] auto known() const -> bool {
    return !frontier_.doubt && frontier_.faults.empty() && space_.forms_left_out == 0;
  }

  [[nodiscard]] auto from_words(const Threat& threat) const -> std::string {
    return threat.from <= space_.from ? "now" : "from " + format_moment(threat.from, space_.from);
  }

  [[nodiscard]] auto until_words(const Threat& threat) const -> std::string {
    return threat.until > space_.to ? "-" : format_moment(threat.until, space_.from);
  }

  static auto priority_words(const Priorities& priorities) -> std::string {
    if (next_possible(priorities.most) == 0) return fmt::format("{} and above", priorities.least);
    if (priorities.least == priorities.most) return std::to_string(priorities.least);
    return fmt::format("{} to {}", priorities.least, priorities.most);
  }

  [[nodiscard]] auto words_of(const std::vector<std::int64_t>& amounts) const -> std::string {
    const std::vector<std::string> words = request_words(space_.requests, amounts);
    return words.empty() ? "any request" : joined(words, " and ");
  }

  // `cpu 1m or memory 1`
  [[nodiscard]] auto smallest_words(const Threat& threat) const -> std::string {
    constexpr std::size_t kShown = 6;
    std::vector<std::string> words;
    for (const auto& amounts : threat.smallest) words.push_back(words_of(amounts));
    const std::size_t more = context_.show_all ? 0 : words.size() - std::min(words.size(), kShown);
    words.resize(words.size() - more);
    std::string text = joined(words, ", or ");
    if (more > 0) text += fmt::format(", or {}", counted(more, "other set", "other sets"));
    return threat.all ? text : text + ", or less (not all regions were searched)";
  }

  [[nodiscard]] auto classes_in(const Priorities& priorities) const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const PriorityClass& each : context_.cluster.objects().priority_classes) {
      if (each.value >= priorities.least && each.value <= priorities.most)
        names.emplace_back(context_.cluster.text(each.meta.name));
    }
    for (const upstream::SystemClass& each : upstream::kSystemClasses) {
      const bool inside = each.value >= priorities.least && each.value <= priorities.most;
      if (inside && !contains(names, each.name)) names.emplace_back(each.name);
    }
    return names;
  }

  void describe(Row& row, const Threat& threat) const {
    row.text("PRIORITY", priority_words(threat.priorities));
    row.key("leastPriority", threat.priorities.least).key("mostPriority", threat.priorities.most);
    const std::vector<std::string> classes = classes_in(threat.priorities);
    row.text("CLASSES", joined_up_to(4, classes)).unless_empty().key("classes", Json(classes));
    row.text("LIKE", threat.like).unless_empty().key("like", present(Json(threat.like)));
    row.text("SCHEDULER", several_ ? threat.scheduler : "").unless_empty().key("schedulerName", threat.scheduler);
    row.text("FROM", from_words(threat)).key("from", format_instant(threat.from));
    row.text("UNTIL", until_words(threat))
        .key("until", threat.until > space_.to ? Json() : Json(format_instant(threat.until)));
    row.text("SMALLEST REQUESTS", smallest_words(threat)).key("smallestRequests", smallest_json(threat));
    row.key("exact", threat.all);
  }

  [[nodiscard]] auto smallest_json(const Threat& threat) const -> Json {
    Json list = Json::array();
    for (const auto& amounts : threat.smallest) {
      Json& one = list.emplace_back(Json::object());
      for (std::size_t i = 0; i < amounts.size(); ++i) {
        const std::string& resource = space_.requests[i].resource;
        if (amounts[i] > 0) one[resource] = amount_text(resource, amounts[i]);
      }
    }
    return list;
  }

  [[nodiscard]] auto table() const -> Table {
    return table_of(frontier_.threats, [&](Row& row, const Threat& threat) { describe(row, threat); });
  }

  [[nodiscard]] auto data() const -> Json {
    Json data = provenance_.document("FrontierReport");
    data["pod"] = context_.cluster.key(frontier_.pod);
    data["node"] = context_.cluster.name(frontier_.node);
    data["until"] = format_instant(space_.to);
    data["regions"] = frontier_.regions;
    data["known"] = known();
    data["notCovered"] = present(Json(std::string(trimmed(not_covered(space_)))));
    data["items"] = list_of(frontier_.threats, [&](Row& row, const Threat& threat) { describe(row, threat); });
    return data;
  }

  const Frontier& frontier_;
  const Space& space_;
  const ReportContext& context_;
  Provenance provenance_;
  bool several_;  // schedulers
};

}  // namespace

auto frontier_report(const Frontier& frontier, const Space& space, const ReportContext& context) -> Report {
  return FrontierReport(frontier, space, context).run();
}

}  // namespace previct::prove
