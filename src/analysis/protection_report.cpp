#include "analysis/protection_report.h"

#include "analysis/charts.h"
#include "analysis/source_locations.h"
#include "base/text.h"
#include "report/rows.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace previct {
namespace {

auto places_json(const std::vector<Evidence>& evidence, const SourceLocations& places) -> Json {
  Json out = Json::array();
  for (const Evidence& each : evidence) {
    if (const Place place = places.of(each); place.file) out.push_back(place_json(places.files(), place));
  }
  return out;
}

/// A bar of the remaining time, over an axis of four equal parts that reaches the last end.
class TimeAxis {
 public:
  TimeAxis(const std::vector<const Protection*>& rows, Instant now) : now_(now) {
    std::int64_t longest = 0;
    for (const Protection* row : rows) {
      if (!row->ended && !row->line.until.is_never())
        longest = std::max(longest, seconds_between(now, row->line.until));
    }
    constexpr std::array<std::int64_t, 8> kSteps = {15, 60, 300, 900, 3'600, 21'600, 86'400, 604'800};
    step_ = kSteps.back();
    for (const std::int64_t step : kSteps) {
      if (step * kParts >= longest) {
        step_ = step;
        break;
      }
    }
  }

  [[nodiscard]] auto head() const -> std::string {
    std::string text;
    for (std::int64_t i = 0; i < kParts; ++i) {
      const std::string clock = format_clock(now_.plus_seconds(i * step_), now_);
      text += fmt::format("{:<8}", clock.substr(clock.size() - 8, 5));
    }
    return text;
  }

  [[nodiscard]] auto bar(const Protection& row) const -> std::string {
    constexpr std::int64_t kCells = kParts * kPartWidth;
    if (row.ended) return "";
    const bool forever = row.line.until.is_never();
    const std::int64_t left = forever ? 0 : seconds_between(now_, row.line.until);
    const std::int64_t cells = forever ? kCells - 1 : std::clamp<std::int64_t>(left * kPartWidth / step_, 1, kCells);
    std::string text;
    for (std::int64_t i = 0; i < cells; ++i) text += "█";
    return forever ? text + "▶" : text;
  }

 private:
  static constexpr std::int64_t kParts = 4;
  static constexpr std::int64_t kPartWidth = 8;
  Instant now_;
  std::int64_t step_;
};

class ProtectionReport {
 public:
  ProtectionReport(const Protections& p, const ReportContext& context, const ProtectionView& view)
      : p_(p), context_(context), cluster_(context.cluster), provenance_(context, p), view_(view), places_(context) {
    for (const Protection& row : p.rows) {
      if (!row.ended || view.ended) rows_.push_back(&row);
    }
    for (const Protection* row : rows_) places_.want(row->line.evidence);
    places_.look_up();
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    std::vector<const ToleratingLine*> lines;
    // A partial protection (against some preemptors, or while other victims suffice) has no endless bar.
    for (const Protection* row : rows_) {
      if (!row->partial || !row->line.until.is_never()) lines.push_back(&row->line);
    }
    if (!lines.empty() && context_.blocks) {
      report.blocks.emplace_back(
          toleration_picture("Protected pods, and until when", std::move(lines), Instant::never(), context_));
    }
    if (!rows_.empty()) report.blocks.emplace_back(view_.by_class ? class_table() : pod_table());
    report.data = data();
    for (const Protection* row : rows_) report.names.push_back(cluster_.key(row->line.pod));
    return report;
  }

 private:
  [[nodiscard]] auto sentence() const -> std::string {
    if (p_.unknown && p_.rows.empty() && p_.never_preempts.empty()) {
      return fmt::format("Cannot tell which pods tolerate preemption by {}, because {}.", p_.against,
                         because_words(*p_.unknown));
    }
    if (!p_.never_preempts.empty()) return fmt::format("{} preempts no pod: {}.", p_.against, p_.never_preempts);
    std::size_t active = 0;
    std::size_t forever = 0;
    std::size_t partial = 0;
    std::size_t node_fails = 0;
    for (const Protection& row : p_.rows) {
      if (row.ended) continue;
      if (row.node_fails) {
        ++node_fails;
        continue;
      }
      ++active;
      if (row.partial) ++partial;
      if (!row.partial && row.line.until.is_never()) ++forever;
    }
    const std::size_t ended = p_.rows.size() - active - node_fails;
    std::string text = fmt::format(
        "{} preemption by {}", active == 1 ? "1 pod tolerates" : fmt::format("{} pods tolerate", active), p_.against);
    const auto of_them = [&](std::size_t pods) { return active == 1 ? "" : fmt::format("{} of them ", pods); };
    if (forever > 0) text += fmt::format(", {}forever", of_them(forever));
    if (partial > 0) text += fmt::format(", {}only partly", of_them(partial));
    if (ended > 0)
      text += fmt::format("; {} ended", ended == 1 ? "the toleration of 1 pod has"
                                                   : fmt::format("the tolerations of {} pods have", ended));
    if (node_fails > 0) text += fmt::format("; preemption fails on the node of {}", counted(node_fails, "pod", "pods"));
    return text + ".";
  }

  [[nodiscard]] auto meta(const Protection& row) const -> const ObjectMeta& { return cluster_.pod(row.line.pod).meta; }
  [[nodiscard]] auto class_of(const Protection& row) const -> std::string {
    const Symbol name = cluster_.pod(row.line.pod).spec.priority_class_name;
    return name ? std::string(cluster_.text(name)) : "-";
  }
  [[nodiscard]] auto clock(Instant at) const -> std::string { return format_clock(at, context_.now); }

  [[nodiscard]] auto left(const Protection& row) const -> std::string {
    if (row.ended) return "ended";
    if (row.line.until.is_never()) return "-";
    return format_age(seconds_between(context_.now, row.line.until));
  }

  [[nodiscard]] auto pod_row() const {
    const TimeAxis of(rows_, context_.now);
    return [this, axis = of, head = of.head()](Row& row, const Protection* protection) {
      const Protection& p = *protection;
      const Instant since = p.line.since;
      const Instant until = p.line.until;
      const bool finite = !until.is_never();
      const bool soon = finite && seconds_between(context_.now, until) < kSoon;
      const Tone tone = p.ended ? Tone::danger : soon ? Tone::soon : Tone::safe;
      const std::string ns(cluster_.text(meta(p).ns));
      const std::string name(cluster_.text(meta(p).name));
      const std::string node(cluster_.text(cluster_.pod(p.line.pod).spec.node_name));
      row.text("NAMESPACE", ns);
      row.text("POD", name).key("pod", [&] { return Json{{"namespace", ns}, {"name", name}}; });
      row.text("NODE", node.empty() ? "-" : node).optional().key("node", present(node));
      row.text("CLASS", class_of(p)).optional().key("class");
      for (const OwnColumn& own : p.own) row.text(own.head, own.value).optional();
      row.key("columns", [&] { return own_columns(p); }).key("tolerates", !p.ended);
      row.key("rule", p.line.rule).key("why", p.line.why);
      row.text("SINCE", since == Instant{} ? "-" : clock(since)).optional();
      row.key("since", [&] { return since == Instant{} ? Json() : Json(format_instant(since)); });
      row.text("UNTIL", finite ? clock(until) : p.partial ? "-" : "forever", tone);
      row.key("forever", !finite).key("partial", only_if(p.partial));
      row.key("until", [&] { return finite ? Json(format_instant(until)) : Json(); });
      row.text("LEFT", left(p), tone);
      row.text("WHY", p.line.why).only_wide();
      row.text("RULE", p.line.rule).only_wide();
      row.text("SOURCE", [&] { return places_.described(p.line.evidence); }).only_wide();
      row.key("evidence", [&] { return places_json(p.line.evidence, places_); });
      row.text(head, [&] { return Cell(axis.bar(p), tone); }).optional().only_terminal();
    };
  }

  [[nodiscard]] static auto own_columns(const Protection& protection) -> Json {
    Json columns;
    for (const OwnColumn& own : protection.own) columns[std::string(own.key)] = own.value;
    return columns;
  }

  [[nodiscard]] auto class_table() const -> Table {
    struct Group {
      std::size_t active = 0;
      std::size_t ended = 0;
      Instant first = Instant::never();
      Instant last{};
    };
    std::map<std::string, Group> groups;
    for (const Protection& row : p_.rows) {
      Group& g = groups[class_of(row)];
      ++(row.ended ? g.ended : g.active);
      if (row.ended) continue;
      g.first = std::min(g.first, row.line.until);
      g.last = std::max(g.last, row.line.until);
    }
    return table_of(groups, [&](Row& row, const std::pair<const std::string, Group>& group) {
      const Group& g = group.second;
      const auto end = [&](Instant at) {
        return g.active == 0 ? std::string("-") : at.is_never() ? "forever" : clock(at);
      };
      row.text("CLASS", group.first);
      row.number("TOLERATING", g.active);
      row.number("ENDED", g.ended);
      row.text("FIRST END", end(g.first));
      row.text("LAST END", end(g.last));
    });
  }

  // The short form shows fewer rows than are made for it, and counts the others.
  [[nodiscard]] auto pod_table() const -> Table {
    const std::size_t made = context_.blocks ? rows_.size() : std::min(rows_.size(), kProtectedInShortForm);
    Table table = table_of(std::span(rows_).first(made), pod_row());
    table.rows.resize(rows_.size());
    return table;
  }

  [[nodiscard]] auto data() const -> Json {
    Json out = provenance_.document("TolerationReport");
    out["against"] = p_.against;
    if (!p_.never_preempts.empty()) out["preempts"] = false;
    out["tolerations"] = list_of(rows_, pod_row(), context_.extent);
    return out;
  }

  const Protections& p_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  Provenance provenance_;
  ProtectionView view_;
  SourceLocations places_;
  std::vector<const Protection*> rows_;
};

}  // namespace

auto protection_report(const Protections& protections, const ReportContext& context, const ProtectionView& view)
    -> Report {
  return ProtectionReport(protections, context, view).run();
}

auto takers_report(const PossiblePreemptors& possible_preemptors, const ReportContext& context) -> Report {
  const std::string subject = context.cluster.key(possible_preemptors.subject);
  // A pod that is not on a node cannot be evicted.
  const bool runs = static_cast<bool>(context.cluster.pod(possible_preemptors.subject).spec.node_name);
  const std::span<const PossiblePreemptor> rows(possible_preemptors.rows.data(),
                                                runs ? possible_preemptors.rows.size() : 0);
  SourceLocations places(context);
  for (const PossiblePreemptor& t : rows) places.want(t.evidence);
  places.look_up();
  const auto at_once = [&](const PossiblePreemptor& t) { return !t.from.is_never() && t.from <= context.now; };
  std::size_t now = 0;
  std::size_t later = 0;
  for (const PossiblePreemptor& t : rows) {
    now += at_once(t) ? 1U : 0U;
    later += !at_once(t) && !t.from.is_never() ? 1U : 0U;
  }
  const auto sentence = [&] {
    if (!runs) return fmt::format("{} is not on a node, so it cannot be preempted.", subject);
    if (possible_preemptors.unknown) {
      return fmt::format("Cannot tell what could preempt {}, because {}.", subject,
                         because_words(*possible_preemptors.unknown));
    }
    return fmt::format("{} could be preempted by {} of {} now, and by {} more later.", subject, now,
                       counted(rows.size(), possible_preemptors.one, possible_preemptors.many), later);
  };
  Report report;
  report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
  const Provenance provenance(context, possible_preemptors);
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));

  const auto describe = [&](Row& row, const PossiblePreemptor& each) {
    const bool never = each.from.is_never();
    const bool now_possible = at_once(each);
    row.text("BY", each.who).key("by");
    row.number("PRIORITY", each.rank).key("priority").key("pending", each.pending).key("possible", !never);
    row.key("rule", each.rule).key("why", each.why);
    row.text("FROM", now_possible ? "now" : format_moment(each.from, context.now),
             now_possible ? Tone::danger
             : never      ? Tone::safe
                          : Tone::soon);
    row.key("from", never ? Json() : Json(format_instant(std::max(each.from, context.now))));
    row.text("WHY", each.why);
    row.text("RULE", each.rule).only_wide();
    row.text("SOURCE", [&] { return places.described(each.evidence); }).only_wide();
    row.key("evidence", [&] { return places_json(each.evidence, places); });
  };
  report.data = provenance.document("TakerReport");
  report.data["subject"] = subject;
  report.data["takers"] = list_of(rows, describe, context.extent);
  if (!rows.empty()) report.blocks.emplace_back(table_of(rows, describe));
  return report;
}

}  // namespace previct
