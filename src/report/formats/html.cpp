#include "report/aligned.h"
#include "report/escape.h"
#include "report/format.h"
#include "report/formats/html_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

auto tone_name(Tone tone) -> std::string_view {
  switch (tone) {
    case Tone::plain: return "plain";
    case Tone::goes: return "goes";
    case Tone::safe: return "safe";
    case Tone::soon: return "soon";
    case Tone::verdict: return "verdict";
    case Tone::dim: return "dim";
    case Tone::code: return "code";
  }
  return "plain";
}

constexpr std::uint32_t kRoomForLetters = Picture::kScale / 50;
constexpr std::uint32_t kDeepest = 4;         // of trees, so that labels keep their room
constexpr std::size_t kMostFolded = 500;      // names in a list that is folded
constexpr std::size_t kMostFindings = 2'000;  // in full; a page with more is not read

auto percent(std::uint32_t position) -> std::string {
  return fmt::format("{}.{:02}%", position / 100, position % 100);
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
    if (report_.findings && !report_.tests) {
      findings(*report_.findings);
    } else {
      blocks();
    }
    const auto tells = [](const Table& table) { return !table.rows.empty(); };
    if (std::any_of(report_.evidence.begin(), report_.evidence.end(), tells)) {
      out_ += "<h2>Evidence: what in the input says so</h2>\n";
      for (const Table& table : report_.evidence) evidence(table);
    }
    out_ += "<footer>previct " PREVICT_VERSION "</footer>\n</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  // The lines that a report begins with are its head.
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

  // A text ends with the sum of its findings, a page begins with it.
  [[nodiscard]] auto first_line() const -> const Line* {
    if (report_.blocks.empty()) return nullptr;
    const bool sum_is_last = report_.findings && !report_.tests;
    const Block& block = sum_is_last ? report_.blocks.back() : report_.blocks.front();
    const auto* paragraph = sum_is_last ? std::get_if<Paragraph>(&block) : nullptr;
    if (paragraph != nullptr && !paragraph->lines.empty()) return &paragraph->lines.front();
    return std::get_if<Line>(&block);
  }
  [[nodiscard]] auto title() const -> std::string {
    const Line* line = first_line();
    const std::string text = line == nullptr ? std::string() : text_of(*line);
    return text.empty() ? std::string("previct") : xml_text(text);
  }

  // The name of a pod that has evidence leads to it.
  [[nodiscard]] auto linked(const std::string& text) const -> std::string {
    const auto anchor = anchors_.find(text);
    if (anchor == anchors_.end()) return xml_text(text);
    return fmt::format("<a href=\"#e{}\">{}</a>", anchor->second, xml_text(text));
  }

  [[nodiscard]] auto inline_text(const Span& span) const -> std::string {
    if (span.tone == Tone::plain) return linked(span.text);
    if (span.tone == Tone::code) return fmt::format("<code>{}</code>", xml_text(span.text));
    return fmt::format("<span class=\"{}\">{}</span>", tone_name(span.tone), linked(span.text));
  }
  [[nodiscard]] auto inline_text(const Line& line) const -> std::string {
    std::string text;
    for (const Span& span : line.spans) text += inline_text(span);
    return text;
  }
  [[nodiscard]] auto paragraph(const Line& line) const -> std::string {
    return fmt::format("<p>{}</p>\n", inline_text(line));
  }

  void block(const Line& line) { out_ += paragraph(line); }

  void block(const Paragraph& part) {
    if (!part.heading.empty()) out_ += fmt::format("<h2>{}</h2>\n", xml_text(part.heading));
    if (part.heading.empty()) out_ += "<div class=\"part\">\n";
    const bool aligned = is_aligned(part);
    if (aligned) out_ += "<pre>";
    for (const Line& line : part.lines) aligned ? void(out_ += inline_text(line) + '\n') : block(line);
    if (aligned) out_ += "</pre>\n";
    if (part.heading.empty()) out_ += "</div>\n";
  }

  // A line of the input with a stretch of it marked.
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
    table_begins(table);
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      cells(table, row);
      out_ += "</tr>\n";
    }
    table_ends(table);
    for (const Line& line : table.footer) block(line);
    out_ += "</div>\n";
  }

  // What is to be mended, one after the other; errors first.
  void findings(const Findings& all) {
    const Line* sum = first_line();
    out_ += fmt::format("<header>\n<h1>{}</h1>\n</header>\n", sum == nullptr ? "previct" : inline_text(*sum));
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

  // The first row about a pod is where its name leads.
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
    out_ += "</div>\n";
  }

  static auto shown(const Column& column) -> bool { return !column.only_wide && !column.only_terminal; }

  static auto is_matrix(const Table& table) -> bool {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return std::any_of(row.begin(), row.end(), [](const Span& cell) { return cell.heat > 0; });
    });
  }

  void table_begins(const Table& table) {
    if (table.rows.empty()) return;
    out_ += is_matrix(table) ? "<table class=\"matrix\">\n<thead><tr>" : "<table>\n<thead><tr>";
    for (const Column& column : table.columns) {
      if (!shown(column)) continue;
      out_ += fmt::format("<th{}>{}</th>", column.numeric ? " class=\"number\"" : "", xml_text(column.head));
    }
    out_ += "</tr></thead>\n<tbody>\n";
  }
  void table_ends(const Table& table) {
    if (!table.rows.empty()) out_ += "</tbody>\n</table>\n";
  }

  void cells(const Table& table, const std::vector<Span>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const Column& column = table.columns[c];
      if (!shown(column)) continue;
      std::string classes = column.numeric ? " number" : "";
      if (row[c].text.empty() || row[c].text == "-") classes += " none";
      if (row[c].heat > 0) classes += fmt::format(" h{}", std::min(row[c].heat, kHottest));
      const std::string with = classes.empty() ? std::string() : fmt::format(" class=\"{}\"", classes.substr(1));
      out_ += fmt::format("<td{} data-head=\"{}\">{}</td>", with, xml_text(column.head), inline_text(row[c]));
    }
  }

  // Bars as SVG in percent, so that the letters keep their size however wide the page is; each part is a window of
  // its own, which cuts a name that is longer. The words below say everything in full.
  void block(const Picture& picture) {
    if (picture.rows.empty() && picture.folded.empty()) return;
    out_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n", xml_text(picture.title));
    if (!picture.rows.empty()) legend(picture);
    for (const Picture::Row& row : picture.rows) this->row(row, picture);
    marks(picture.marks);
    if (!picture.rows.empty()) words(picture);
    folded(picture);
    out_ += "</figure>\n";
  }

  void legend(const Picture& picture) {
    if (picture.legend.empty()) return;
    out_ += "<ul class=\"legend\">";
    for (const Picture::Meaning& each : picture.legend) {
      out_ += fmt::format("<li><span class=\"swatch s-{}\"></span>{}</li>", tone_name(each.tone), xml_text(each.text));
    }
    out_ += "</ul>\n";
  }

  void row(const Picture::Row& row, const Picture& picture) {
    const std::uint32_t depth = std::min(row.depth, kDeepest);
    out_ += fmt::format("<div class=\"label{}\">{}</div>\n", depth == 0 ? "" : fmt::format(" d{}", depth),
                        xml_text(row.label));
    out_ += fmt::format("<svg class=\"bar\" width=\"100%\" height=\"28\" role=\"img\" aria-label=\"{}\">\n",
                        xml_text(spoken(row)));
    for (const Picture::Part& part : row.parts) this->part(part, row.label);
    for (const Picture::Mark& mark : picture.marks) {
      if (mark.at > 0 && mark.at < Picture::kScale) line(mark, "");
    }
    for (const Picture::Mark& mark : row.marks) line(mark, " class=\"own\"");
    out_ += "</svg>\n";
  }

  void part(const Picture::Part& part, const std::string& label) {
    if (part.to <= part.from) return;
    const std::string text = joined_words(part.name == label ? "" : part.name, part.size);
    out_ += fmt::format("<svg x=\"{}\" width=\"{}\" height=\"28\"><title>{}</title>", percent(part.from),
                        percent(part.to - part.from), xml_text(joined_words(part.name, part.size)));
    out_ += fmt::format("<rect class=\"f-{}\" width=\"100%\" height=\"28\"/>", tone_name(part.tone));
    if (part.to - part.from >= kRoomForLetters) out_ += fmt::format("<text x=\"6\" y=\"19\">{}</text>", xml_text(text));
    out_ += "</svg>\n";
  }

  void line(const Picture::Mark& mark, std::string_view attributes) {
    out_ += fmt::format("<line{0} x1=\"{1}\" x2=\"{1}\" y1=\"0\" y2=\"28\"><title>{2}</title></line>\n", attributes,
                        percent(mark.at), xml_text(mark.text));
  }

  // The two ends stand in one line, others below each other.
  void marks(const std::vector<Picture::Mark>& marks) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      out_ += "<svg width=\"100%\" height=\"18\">";
      mark(marks[i]);
      if (marks[i].at == 0 && i + 1 < marks.size() && marks[i + 1].at == Picture::kScale) mark(marks[++i]);
      out_ += "</svg>\n";
    }
  }

  void mark(const Picture::Mark& mark) {
    const std::string_view anchor = mark.at < Picture::kScale * 2 / 3 ? "start" : "end";
    out_ += fmt::format("<text x=\"{}\" y=\"14\" text-anchor=\"{}\">{}</text>", percent(mark.at), anchor,
                        xml_text(mark.text));
  }

  void words(const Picture& picture) {
    out_ += "<details><summary>in words</summary>\n<ul>\n";
    for (const Picture::Row& row : picture.rows) out_ += fmt::format("<li>{}</li>\n", xml_text(spoken(row)));
    out_ += "</ul>\n</details>\n";
  }

  void folded(const Picture& picture) {
    if (picture.folded.empty()) return;
    out_ += fmt::format("<details><summary>{}</summary>\n<ul>\n", xml_text(picture.folded_title));
    for (std::size_t i = 0; i < std::min(picture.folded.size(), kMostFolded); ++i)
      out_ += fmt::format("<li>{}</li>\n", linked(picture.folded[i]));
    if (picture.folded.size() > kMostFolded)
      out_ += fmt::format("<li>and {} more</li>\n", picture.folded.size() - kMostFolded);
    out_ += "</ul>\n</details>\n";
  }

  static auto joined_words(std::string_view a, std::string_view b) -> std::string {
    return fmt::format("{}{}{}", a, a.empty() || b.empty() ? "" : " ", b);
  }

  static auto spoken(const Picture::Row& row) -> std::string {
    std::string text = row.label;
    std::string_view separator = ": ";
    for (const Picture::Part& part : row.parts) {
      text += separator;
      text += joined_words(part.name == row.label ? "" : part.name, part.size);
      separator = "; ";
    }
    return text;
  }

  const Report& report_;
  std::map<std::string, std::size_t> anchors_;
  std::string out_;
};

auto render_html(const Report& report, const Style& /*style*/) -> std::string {
  return Page(report).text();
}

}  // namespace

const Format& html_format = Format{
    .name = "html", .ending = "html", .what = "a page with pictures, to read and to print", .render = render_html};

}  // namespace previct
