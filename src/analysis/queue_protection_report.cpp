#include "analysis/queue_protection_report.h"

#include "analysis/source_locations.h"
#include "base/ascii.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

/// A wider matrix is unreadable; the list has the same content.
constexpr std::size_t kMostLeavesInMatrix = 12;
constexpr std::size_t kNamedPreemptors = 4;

class QueueProtectionReport {
 public:
  QueueProtectionReport(const QueueProtections& found, const ReportContext& context)
      : found_(found), provenance_(context, found), places_(context) {
    for (const QueueProtection& row : found.rows) places_.want(row.evidence);
    places_.look_up();
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (!is_pair() && found_.leaves.size() > 1 && found_.leaves.size() <= kMostLeavesInMatrix)
      report.blocks.emplace_back(matrix());
    if (!found_.rows.empty()) report.blocks.emplace_back(list());
    report.data = data();
    report.names = found_.leaves;
    return report;
  }

 private:
  [[nodiscard]] auto is_pair() const -> bool {
    return found_.rows.size() == 1 && found_.rows.front().preemptors.size() == 1;
  }

  [[nodiscard]] static auto is_protected(const QueueProtection& row) -> bool { return row.nanos > 0; }

  [[nodiscard]] auto sentence() const -> std::string {
    if (found_.rows.empty()) return "The input has no leaf queue.";
    if (is_pair()) {
      const QueueProtection& row = found_.rows.front();
      const std::string who = fmt::format(
          "pods of {} ({})",
          row.preemptors.front() == row.victim ? "the same queue" : "queue " + row.preemptors.front(), row.action);
      return is_protected(row)
                 ? fmt::format("{} protects the pods of queue {} from {} for {} from their start (set by: {}).",
                               upper_first(found_.setting), row.victim, who, row.length, row.set_by)
                 : fmt::format("No {} protects the pods of queue {} from {}: it is {} (set by: {}).", found_.setting,
                               row.victim, who, row.length, row.set_by);
    }
    std::size_t pairs = 0;
    std::size_t held = 0;
    for (const QueueProtection& row : found_.rows) {
      pairs += row.preemptors.size();
      if (is_protected(row)) held += row.preemptors.size();
    }
    return fmt::format("{} protects pods in {} of {} pairs of leaf queues, each with itself included.",
                       upper_first(found_.setting), held, pairs);
  }

  [[nodiscard]] static auto upper_first(std::string text) -> std::string {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
      text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
  }

  [[nodiscard]] static auto cell(const QueueProtection& row) -> Span {
    return {row.length, is_protected(row) ? Tone::safe : Tone::danger};
  }

  /// Victims in rows, preemptors in columns.
  [[nodiscard]] auto matrix() const -> Table {
    Table table;
    table.columns.push_back({"VICTIM \\ PREEMPTOR"});
    std::map<std::string, std::size_t> column;
    for (const std::string& leaf : found_.leaves) {
      column[leaf] = table.columns.size();
      table.columns.push_back({leaf, true});
    }
    std::map<std::string, std::vector<Span>> rows;
    for (const QueueProtection& each : found_.rows) {
      std::vector<Span>& row = rows[each.victim];
      row.resize(table.columns.size());
      row.front() = {each.victim};
      for (const std::string& preemptor : each.preemptors) row[column[preemptor]] = cell(each);
    }
    for (auto& [victim, row] : rows) table.rows.push_back(std::move(row));
    return table;
  }

  [[nodiscard]] auto list() const -> Table {
    Table table;
    table.columns = {{"VICTIM"}, {"PREEMPTOR"}, {"ACTION"}, {upper_case(found_.setting), true}, {"SET BY"}};
    for (const QueueProtection& row : found_.rows)
      table.rows.push_back(
          {{row.victim}, {joined_up_to(kNamedPreemptors, row.preemptors)}, {row.action}, cell(row), {row.path}});
    return table;
  }

  [[nodiscard]] auto data() const -> Json {
    Json json = provenance_.document("QueueTolerationReport");
    json["summary"] = sentence();
    json["protections"] = Json::array();
    for (const QueueProtection& row : found_.rows) {
      Json out{{"victim", row.victim}, {"preemptors", row.preemptors},
               {"action", row.action}, {"seconds", static_cast<double>(row.nanos) / 1e9},
               {"setBy", row.set_by},  {"path", row.path}};
      for (const Evidence& each : row.evidence) {
        Json evidence{{"object", each.object}, {"field", each.field}};
        if (const Place place = places_.of(each); place.file) evidence["place"] = place_json(places_.files(), place);
        out["evidence"].push_back(std::move(evidence));
      }
      json["protections"].push_back(std::move(out));
    }
    return json;
  }

  const QueueProtections& found_;
  Provenance provenance_;
  SourceLocations places_;
};

}  // namespace

auto queue_protection_report(const QueueProtections& protections, const ReportContext& context) -> Report {
  return QueueProtectionReport(protections, context).run();
}

}  // namespace previct
