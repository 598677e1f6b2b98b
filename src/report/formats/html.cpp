#include "base/ascii.h"
#include "report/aligned.h"
#include "report/escape.h"
#include "report/format.h"
#include "report/formats/html_style.h"
#include "report/headings.h"
#include "report/html_columns.h"
#include "report/html_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

constexpr std::size_t kMostFindings = 2'000;  // findings that are shown in full; larger pages are unreadable

// Terminals have no larger letters, so headings are in capitals there; a page does not need them.
auto quiet(std::string heading) -> std::string {
  if (std::any_of(heading.begin(), heading.end(), is_lower)) return heading;
  return in_sentence_case(std::move(heading));
}

class Page {
 public:
  explicit Page(const Report& report) : report_(report) {
    for (const Table& table : report.evidence) {
      for (const auto& row : table.rows) anchors_.try_emplace(row.front().text, anchors_.size() + 1);
    }
  }

  auto text() -> std::string {
    head();
    if (begins_with_findings()) {
      findings(*report_.findings);
    } else {
      blocks();
    }
    const auto tells = [](const Table& table) { return !table.rows.empty(); };
    if (std::any_of(report_.evidence.begin(), report_.evidence.end(), tells)) {
      out_ += "<h2>Evidence in the input</h2>\n";
      for (const Table& table : report_.evidence) evidence(table);
    }
    out_ += "<footer>\n";
    for (const Line& line : report_.origin) out_ += paragraph(line);
    out_ += "<p>previct " PREVICT_VERSION "</p>\n</footer>\n</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] auto begins_with_findings() const -> bool { return report_.findings && !report_.tests; }

  // The first lines of a report form its head.
  void blocks() {
    std::size_t i = 0;
    out_ += "<header>\n";
    while (i < report_.blocks.size() && std::holds_alternative<Line>(report_.blocks[i])) {
      const Line& line = std::get<Line>(report_.blocks[i]);
      out_ += i++ == 0 ? fmt::format("<h1>{}</h1>\n", inline_text(line)) : paragraph(line);
    }
    out_ += "</header>\n";
    for (; i < report_.blocks.size(); ++i) {
      std::visit([&](const auto& part) { block(part); }, report_.blocks[i]);
    }
  }

  void head() {
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; "
        "base-uri 'none'; form-action 'none'\">\n",
        kStyleHash);
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out_ += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n", title(), kStyle);
  }

  // A text ends with the total of its findings and a pointer to more; a page begins with both.
  [[nodiscard]] auto first_line() const -> const Line* {
    if (report_.blocks.empty()) return nullptr;
    const bool sum_is_last = begins_with_findings();
    const Block& block = sum_is_last ? report_.blocks.back() : report_.blocks.front();
    const auto* paragraph = sum_is_last ? std::get_if<Paragraph>(&block) : nullptr;
    if (paragraph != nullptr && !paragraph->lines.empty()) return &paragraph->lines.front();
    return std::get_if<Line>(&block);
  }
  [[nodiscard]] auto title() const -> std::string {
    const Line* line = first_line();
    std::string text = line == nullptr ? std::string() : text_of(*line);
    if (line != nullptr && begins_with_findings()) text = line->spans.front().text;
    return text.empty() ? std::string("previct") : xml_text(text);
  }

  // The name of a pod with evidence links to it.
  [[nodiscard]] auto linked(const std::string& text) const -> std::string {
    const auto anchor = anchors_.find(text);
    if (anchor == anchors_.end()) return xml_text(text);
    return fmt::format("<a href=\"#e{}\">{}</a>", anchor->second, xml_text(text));
  }

  [[nodiscard]] auto inline_text(const Span& span) const -> std::string {
    if (span.tone == Tone::plain) return linked(span.text);
    if (span.tone == Tone::code) return fmt::format("<code>{}</code>", xml_text(span.text));
    return fmt::format("<span class=\"{}\">{}</span>", html_class(span.tone), linked(span.text));
  }
  [[nodiscard]] auto inline_text(const Line& line) const -> std::string {
    std::string text;
    for (const Span& span : with_hints(line, true).spans) text += inline_text(span);
    return text;
  }
  [[nodiscard]] auto paragraph(const Line& line) const -> std::string {
    if (line.full.empty()) return fmt::format("<p>{}</p>\n", inline_text(line));
    return fmt::format(
        "<p>{}</p>\n<details class=\"whole\">\n<summary>The full text</summary>\n<p>{}</p>\n</details>\n",
        inline_text(with_hints(line, false)), xml_text(line.full));
  }

  void block(const Line& line) { out_ += paragraph(line); }

  void block(const Paragraph& part) {
    if (!part.heading.empty()) out_ += fmt::format("<h2>{}</h2>\n", xml_text(quiet(part.heading)));
    if (part.heading.empty()) out_ += "<div class=\"part\">\n";
    const bool aligned = is_aligned(part);
    if (aligned) out_ += "<pre>";
    for (const Line& line : part.lines) aligned ? void(out_ += inline_text(line) + '\n') : block(line);
    if (aligned) out_ += "</pre>\n";
    if (part.heading.empty()) out_ += "</div>\n";
  }

  // A line of the input with a marked range.
  void block(const Excerpt& excerpt) {
    if (excerpt.empty()) return;
    const std::string_view text = excerpt.text;
    out_ += fmt::format("<pre>{} | {}<mark>{}</mark>{}</pre>\n", excerpt.line, xml_text(text.substr(0, excerpt.from)),
                        xml_text(text.substr(excerpt.from, excerpt.length)),
                        xml_text(text.substr(excerpt.from + excerpt.length)));
    if (!excerpt.note.empty()) out_ += fmt::format("<p>{}</p>\n", xml_text(excerpt.note));
  }

  void block(const Table& table) {
    if (table.rows.empty() && table.footer.empty()) return;
    out_ += "<div class=\"part\">\n";
    if (!table.rows.empty()) out_ += fmt::format("<h2>{}</h2>\n", xml_text(heading_of(table)));
    rows(table);
    for (const Table& full : table.full) folded(table, full);
    if (is_matrix(table)) heat_legend();
    for (const Line& line : table.footer) {
      if (table.full.empty() || !has_hint(line)) block(line);
    }
    out_ += "</div>\n";
  }

  void rows(const Table& table) {
    table_begins(table);
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      cells(table, row);
      out_ += "</tr>\n";
    }
    table_ends(table);
  }

  // The whole table, below the one that shows its first rows. On paper it takes the place of that table.
  void folded(const Table& table, const Table& full) {
    std::string title;
    for (const Line& line : table.footer) {
      const std::string rest = text_of(with_hints(line, false));
      if (has_hint(line) && !rest.empty()) title += (title.empty() ? "" : "; ") + rest;
    }
    out_ += fmt::format("<details class=\"whole\">\n<summary>{}</summary>\n<div class=\"part\">\n",
                        xml_text(title.empty() ? fmt::format("All {} rows", full.rows.size()) : title));
    rows(full);
    out_ += "</div>\n</details>\n";
  }

  // Findings to fix, errors first.
  void findings(const Findings& all) {
    const Line* sum = first_line();
    out_ += fmt::format("<header>\n<h1>{}</h1>\n", title());
    if (sum != nullptr && sum->spans.size() > 1) {
      std::string more;
      for (std::size_t i = 1; i < sum->spans.size(); ++i) more += inline_text(sum->spans[i]);
      out_ += fmt::format("<p>{}</p>\n", more.substr(more.starts_with("; ") ? 2 : 0));
    }
    if (const auto* end = report_.blocks.empty() ? nullptr : std::get_if<Paragraph>(&report_.blocks.back())) {
      for (std::size_t i = 1; i < end->lines.size(); ++i) out_ += paragraph(end->lines[i]);
    }
    out_ += "</header>\n";
    std::size_t shown = 0;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
      for (const Finding& each : all.items) {
        if (each.severity == severity && !each.suppression && shown++ < kMostFindings) finding(each);
      }
    }
    if (shown > kMostFindings) out_ += fmt::format("<p>and {} more</p>\n", shown - kMostFindings);
  }

  void finding(const Finding& each) {
    out_ += fmt::format(
        "<div class=\"finding {0}\">\n<h2>{1}</h2>\n<p class=\"place\"><span class=\"dim\">{0} {2} "
        "{3}</span></p>\n",
        severity_name(each.severity), xml_text(each.message), xml_text(each.rule), xml_text(described(each.place)));
    block(each.excerpt);
    for (const std::string& note : each.notes) out_ += fmt::format("<p>{}</p>\n", xml_text(note));
    out_ += "</div>\n";
  }

  // The name of a pod links to its first row.
  void evidence(const Table& table) {
    out_ += "<div class=\"part\">\n";
    table_begins(table);
    for (const auto& row : table.rows) {
      const auto anchor = anchors_.find(row.front().text);
      if (anchor != anchors_.end()) {
        out_ += fmt::format("<tr id=\"e{}\">", anchor->second);
        anchors_.erase(anchor);
      } else {
        out_ += "<tr>";
      }
      cells(table, row);
      out_ += "</tr>\n";
    }
    table_ends(table);
    for (const Table& full : table.full) folded(table, full);
    out_ += "</div>\n";
  }

  static auto shown(const Column& column) -> bool { return !column.only_wide && !column.only_terminal; }
  static auto shown_columns(const Table& table) -> std::vector<bool> {
    std::vector<bool> all;
    for (const Column& column : table.columns) all.push_back(shown(column));
    return all;
  }

  // ` class="number none"`, or nothing if all names are empty.
  template <class... Names>
  static auto classed(const Names&... names) -> std::string {
    std::string all;
    for (const std::string_view name : {std::string_view(names)...}) {
      if (!name.empty()) all += fmt::format("{}{}", all.empty() ? "" : " ", name);
    }
    return all.empty() ? all : fmt::format(" class=\"{}\"", all);
  }

  static auto is_matrix(const Table& table) -> bool {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return std::any_of(row.begin(), row.end(), [](const Span& cell) { return cell.heat > 0; });
    });
  }

  void table_begins(const Table& table) {
    if (table.rows.empty()) return;
    out_ += is_matrix(table) ? "<table class=\"matrix\">\n<thead><tr>" : "<table>\n<thead><tr>";
    broken_ = columns_to_break(table, shown_columns(table));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (!shown(column)) continue;
      out_ += fmt::format("<th{}>{}</th>", classed(column.numeric ? "number" : "", broken_[c] ? "long" : ""),
                          xml_text(column.head));
    }
    out_ += "</tr></thead>\n<tbody>\n";
  }
  void table_ends(const Table& table) {
    if (!table.rows.empty()) out_ += "</tbody>\n</table>\n";
  }

  void heat_legend() {
    out_ += "<p class=\"legend\">few of them ";
    for (int heat = 1; heat <= kHottest; ++heat) out_ += fmt::format("<span class=\"swatch h{}\"></span>", heat);
    out_ += " all of them</p>\n";
  }

  void cells(const Table& table, const std::vector<Span>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const Column& column = table.columns[c];
      if (!shown(column)) continue;
      const std::string& text = row[c].text;
      const std::string classes =
          classed(column.numeric                ? "number"
                  : is_kept_whole(column, text) ? "whole"
                                                : "",
                  text.empty() || text == "-" ? "none" : "", broken_[c] ? "long" : "",
                  row[c].heat > 0 ? fmt::format("h{}", std::min(row[c].heat, kHottest)) : std::string());
      out_ += fmt::format("<td{} data-head=\"{}\">{}</td>", classes, xml_text(column.head), inline_text(row[c]));
    }
  }

  void block(const Picture& picture) {
    out_ += picture_as_html(picture, [this](const std::string& name) { return linked(name); });
  }

  const Report& report_;
  std::map<std::string, std::size_t> anchors_;
  std::vector<bool> broken_;  // the columns of the table that is written
  std::string out_;
};

auto render_html(const Report& report, const Style& /*style*/) -> std::string {
  return Page(report).text();
}

}  // namespace

const Format& html_format = Format{.name = "html",
                                   .ending = "html",
                                   .what = "an HTML page with diagrams, for screen and print",
                                   .render = render_html,
                                   .blocks = true,
                                   .origin = true};

}  // namespace previct
