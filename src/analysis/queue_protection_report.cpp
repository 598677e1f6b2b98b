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
constexpr std::size_t kNamedSubjects = 4;
constexpr std::size_t kNamedObjects = 6;
constexpr std::size_t kNamedPairs = 4;

auto is_protected(const QueueProtection& row) -> bool {
  return row.nanos > 0;
}

auto cell(const QueueProtection& row) -> Span {
  return {row.length, is_protected(row) ? Tone::safe : Tone::danger};
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
    Table table;
    table.columns = {{"VICTIM"}, {"PREEMPTOR"}, {"ACTION"}, {upper_case(found_.setting), true}, {"SET BY"}};
    for (const QueueProtection& row : found_.rows)
      table.rows.push_back(
          {{row.victim}, {joined_up_to(kNamedPreemptors, row.preemptors)}, {row.action}, cell(row), {row.path}});
    return table;
  }

  // ---- which users may change that
  static void add_editors(const Editors& editors, Report& report) {
    if (!editors.objects.empty()) report.blocks.emplace_back(changes(editors));
    if (!editors.grants.empty()) report.blocks.emplace_back(grants(editors));
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
    Table table{{{"QUEUE"}, {"MAY BE CHANGED BY"}, {"ITS SETTINGS CAN END"}, {"ANOTHER PARENT CAN END"}}, {}, {}};
    for (const EditableObject& each : editors.objects) {
      table.rows.push_back({{object_words(each.kind, each.name)},
                            {joined_up_to(kNamedSubjects, each.subjects)},
                            {weakened_words(each.by_value)},
                            {weakened_words(each.by_moving)}});
    }
    table.footer.push_back(
        {{{"the protection of the pods of one leaf queue from those of others, where it holds now", Tone::dim}}});
    return table;
  }

  [[nodiscard]] static auto grants(const Editors& editors) -> Table {
    Table table{{{"GRANTED TO"}, {"VERBS"}, {"ON"}, {"BY"}}, {}, {}};
    for (const EditGrant& each : editors.grants) {
      std::vector<std::string> names;
      for (const std::string& name : each.names) names.push_back(object_words(each.kind, name));
      table.rows.push_back({{each.subject},
                            {joined(each.verbs, ", ")},
                            {names.empty() ? fmt::format("every {}", each.kind) : joined_up_to(kNamedObjects, names)},
                            {fmt::format("ClusterRoleBinding {} (ClusterRole {})", each.binding, each.role)}});
    }
    return table;
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

  [[nodiscard]] auto editors_json(const Editors& editors) const -> Json {
    Json json{{"objects", Json::array()}, {"grants", Json::array()}, {"remarks", editors.remarks}};
    for (const EditableObject& each : editors.objects) {
      json["objects"].push_back({{"kind", each.kind},
                                 {"name", each.name},
                                 {"subjects", each.subjects},
                                 {"bySettings", weakened_json(each.by_value)},
                                 {"byAnotherParent", weakened_json(each.by_moving)}});
    }
    for (const EditGrant& each : editors.grants) {
      Json grant{{"subject", each.subject}, {"verbs", each.verbs},     {"kind", each.kind},
                 {"names", each.names},     {"binding", each.binding}, {"role", each.role}};
      for (const Evidence& evidence : each.evidence) {
        if (const Place place = places_.of(evidence); place.file) grant["place"] = place_json(places_.files(), place);
      }
      json["grants"].push_back(std::move(grant));
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
    if (found_.editors) json["editors"] = editors_json(*found_.editors);
    return json;
  }

  const QueueProtections& found_;
  Provenance provenance_;
  SourceLocations places_;
};

}  // namespace

auto queue_protection_matrix(const QueueProtections& protections, std::string head) -> std::optional<Table> {
  if (protections.leaves.size() < 2 || protections.leaves.size() > kMostLeavesInMatrix) return {};
  Table table;
  table.columns.push_back({std::move(head)});
  std::map<std::string, std::size_t> column;
  for (const std::string& leaf : protections.leaves) {
    column[leaf] = table.columns.size();
    table.columns.push_back({leaf, true});
  }
  std::map<std::string, std::vector<Span>> rows;
  for (const QueueProtection& each : protections.rows) {
    std::vector<Span>& row = rows[each.victim];
    row.resize(table.columns.size());
    row.front() = {each.victim};
    for (const std::string& preemptor : each.preemptors) row[column[preemptor]] = cell(each);
  }
  for (auto& [victim, row] : rows) table.rows.push_back(std::move(row));
  return table;
}

auto queue_protection_json(const QueueProtection& row) -> Json {
  return {{"victim", row.victim}, {"preemptors", row.preemptors},
          {"action", row.action}, {"seconds", static_cast<double>(row.nanos) / 1e9},
          {"setBy", row.set_by},  {"path", row.path}};
}

auto queue_protection_report(const QueueProtections& protections, const ReportContext& context) -> Report {
  return QueueProtectionReport(protections, context).run();
}

}  // namespace previct
