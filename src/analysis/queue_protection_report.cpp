#include "analysis/queue_protection_report.h"

#include "analysis/source_locations.h"
#include "base/ascii.h"
#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

/// A wider matrix is unreadable; the list has the same content.
constexpr std::size_t kMostLeavesInMatrix = 12;
constexpr std::size_t kNamedPreemptors = 4;
constexpr std::size_t kNamedSubjects = 4;
constexpr std::size_t kNamedObjects = 6;
constexpr std::size_t kNamedPairs = 4;

auto is_protected(const QueueProtection& row) -> bool {
  return row.nanos > 0;
}

auto cell(const QueueProtection& row) -> Span {
  return {row.length, is_protected(row) ? Tone::safe : Tone::danger};
}

void protection_row(Row& row, const QueueProtection& each, const std::string& setting) {
  row.text("VICTIM", each.victim).key("victim");
  row.text("PREEMPTOR", joined_up_to(kNamedPreemptors, each.preemptors)).key("preemptors", each.preemptors);
  row.text("ACTION", each.action).key("action");
  row.number(upper_case(setting), cell(each)).key("seconds", static_cast<double>(each.nanos) / 1e9);
  row.key("setBy", each.set_by);
  row.text("SET BY", each.path).key("path");
}

class QueueProtectionReport {
 public:
  QueueProtectionReport(const QueueProtections& found, const ReportContext& context)
      : found_(found), provenance_(context, found), places_(context) {
    for (const QueueProtection& row : found.rows) places_.want(row.evidence);
    if (found.editors) {
      for (const EditGrant& grant : found.editors->grants) places_.want(grant.evidence);
    }
    places_.look_up();
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (!is_pair()) {
      if (auto matrix = queue_protection_matrix(found_, "VICTIM \\ PREEMPTOR"))
        report.blocks.emplace_back(*std::move(matrix));
    }
    if (!found_.rows.empty()) report.blocks.emplace_back(list());
    if (found_.editors) add_editors(*found_.editors, report);
    report.data = data();
    report.names = found_.leaves;
    return report;
  }

 private:
  [[nodiscard]] auto is_pair() const -> bool {
    return found_.rows.size() == 1 && found_.rows.front().preemptors.size() == 1;
  }

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

  [[nodiscard]] auto list() const -> Table {
    return table_of(found_.rows,
                    [&](Row& row, const QueueProtection& each) { protection_row(row, each, found_.setting); });
  }

  // ---- which users may change that
  [[nodiscard]] auto grant_row() const {
    return [this](Row& row, const EditGrant& each) {
      std::vector<std::string> names;
      for (const std::string& name : each.names) names.push_back(object_words(each.kind, name));
      row.text("GRANTED TO", each.subject).key("subject");
      row.text("VERBS", joined(each.verbs, ", ")).key("verbs", each.verbs);
      row.text("ON", names.empty() ? fmt::format("every {}", each.kind) : joined_up_to(kNamedObjects, names));
      row.key("kind", each.kind).key("names", each.names);
      row.text("BY", fmt::format("ClusterRoleBinding {} (ClusterRole {})", each.binding, each.role));
      row.key("binding", each.binding).key("role", each.role);
      for (const Evidence& evidence : each.evidence) {
        if (const Place place = places_.of(evidence); place.file) row.key("place", place_json(places_.files(), place));
      }
    };
  }

  void add_editors(const Editors& editors, Report& report) const {
    if (!editors.objects.empty()) report.blocks.emplace_back(changes(editors));
    if (!editors.grants.empty()) report.blocks.emplace_back(table_of(editors.grants, grant_row()));
    Paragraph remarks;
    if (editors.grants.empty())
      remarks.lines.push_back({{{"no ClusterRoleBinding of the input lets a user change queues"}}});
    for (const std::string& remark : editors.remarks) remarks.lines.push_back({{{remark}}});
    if (!remarks.lines.empty()) report.blocks.emplace_back(std::move(remarks));
  }

  [[nodiscard]] static auto weakened_words(const std::vector<WeakenedProtection>& all) -> std::string {
    if (all.empty()) return "-";
    std::vector<std::string> parts;
    for (const WeakenedProtection& each : all) {
      const bool own = each.preemptors.size() == 1 && each.preemptors.front() == each.victim;
      std::string part =
          fmt::format("{} from {}", each.victim, own ? "itself" : joined_up_to(kNamedPreemptors, each.preemptors));
      if (each.lowest > 0) part += fmt::format(" (down to {})", each.lowest_length);
      parts.push_back(std::move(part));
    }
    const std::size_t more = parts.size() > kNamedPairs ? parts.size() - kNamedPairs : 0;
    parts.resize(parts.size() - more);
    return joined(parts, "; ") + (more > 0 ? fmt::format("; {} more", more) : std::string());
  }

  [[nodiscard]] static auto object_words(std::string_view kind, std::string_view name) -> std::string {
    return kind == "Queue" ? std::string(name) : fmt::format("{} {}", kind, name);
  }

  [[nodiscard]] static auto changes(const Editors& editors) -> Table {
    Table table = table_of(editors.objects, object_row);
    table.footer.push_back(
        {{{"the protection of the pods of one leaf queue from those of others, where it holds now", Tone::dim}}});
    return table;
  }

  static void object_row(Row& row, const EditableObject& each) {
    row.key("kind", each.kind).key("name", each.name);
    row.text("QUEUE", object_words(each.kind, each.name));
    row.text("MAY BE CHANGED BY", joined_up_to(kNamedSubjects, each.subjects)).key("subjects", each.subjects);
    row.text("ITS SETTINGS CAN END", weakened_words(each.by_value)).key("bySettings", weakened_json(each.by_value));
    row.text("ANOTHER PARENT CAN END", weakened_words(each.by_moving));
    row.key("byAnotherParent", weakened_json(each.by_moving));
  }

  [[nodiscard]] static auto weakened_json(const std::vector<WeakenedProtection>& all) -> Json {
    Json json = Json::array();
    for (const WeakenedProtection& each : all) {
      json.push_back({{"victim", each.victim},
                      {"preemptors", each.preemptors},
                      {"action", each.action},
                      {"lowestSeconds", static_cast<double>(each.lowest) / 1e9}});
    }
    return json;
  }

  [[nodiscard]] auto data() const -> Json {
    Json json = provenance_.document("QueueTolerationReport");
    json["summary"] = sentence();
    json["protections"] = Json::array();
    for (const QueueProtection& row : found_.rows) {
      Json out = queue_protection_json(row);
      for (const Evidence& each : row.evidence) {
        Json evidence{{"object", each.object}, {"field", each.field}};
        if (const Place place = places_.of(each); place.file) evidence["place"] = place_json(places_.files(), place);
        out["evidence"].push_back(std::move(evidence));
      }
      json["protections"].push_back(std::move(out));
    }
    if (found_.editors) {
      const Editors& editors = *found_.editors;
      json["editors"] = {{"objects", list_of(editors.objects, object_row)},
                         {"grants", list_of(editors.grants, grant_row())},
                         {"remarks", editors.remarks}};
    }
    return json;
  }

  const QueueProtections& found_;
  Provenance provenance_;
  SourceLocations places_;
};

}  // namespace

auto queue_protection_matrix(const QueueProtections& protections, std::string head) -> std::optional<Table> {
  if (protections.leaves.size() < 2 || protections.leaves.size() > kMostLeavesInMatrix) return {};
  std::map<std::string, std::map<std::string, Span>> rows;
  for (const QueueProtection& each : protections.rows) {
    std::map<std::string, Span>& row = rows[each.victim];
    for (const std::string& preemptor : each.preemptors) row[preemptor] = cell(each);
  }
  return table_of(rows, [&](Row& row, const auto& victim) {
    row.text(head, victim.first);
    for (const std::string& leaf : protections.leaves) {
      const auto found = victim.second.find(leaf);
      row.number(leaf, found == victim.second.end() ? Span{} : found->second);
    }
  });
}

auto queue_protection_json(const QueueProtection& protection) -> Json {
  return object_of(protection, [](Row& row, const QueueProtection& each) { protection_row(row, each, {}); });
}

auto queue_protection_report(const QueueProtections& protections, const ReportContext& context) -> Report {
  return QueueProtectionReport(protections, context).run();
}

}  // namespace previct
