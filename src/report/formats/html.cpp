#include "report/aligned.h"
#include "report/escape.h"
#include "report/format.h"

#include <fmt/format.h>

#include <map>

namespace previct {
namespace {

// The page may use this style and nothing else: no script, no picture, no font, no address. The policy names it
// by its SHA-256, which a test compares.
constexpr std::string_view kStyleHash = "T/FYrBXiiiaNtY8pj/pECLDLUsct3a3ZvugwqYXt52A=";
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --dim: #57606a; --line: #d0d7de; --band: #f6f8fa;
  --goes: #b3261e; --safe: #116329; --soon: #7d4e00; --new: #0550ae; --link: #0550ae;
  --bar-plain: #c9d1d9; --bar-goes: #f2b8b5; --bar-safe: #aceebb; --bar-soon: #fae17d; --bar-new: #a5d0ff; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #3d444d;
  --band: #151b23; --goes: #ff8a80; --safe: #56d364; --soon: #e3b341; --new: #79c0ff; --link: #79c0ff;
  --bar-plain: #3d444d; --bar-goes: #8c1d18; --bar-safe: #1a5c2e; --bar-soon: #6b4f00; --bar-new: #0d4a8f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
:target { outline: 2px solid var(--link); outline-offset: -2px; }
.goes { color: var(--goes); } .safe { color: var(--safe); } .soon { color: var(--soon); }
.verdict { font-weight: 600; } .dim { color: var(--dim); }
.scroll { overflow-x: auto; margin: 2rem 0 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--dim); font-size: .75rem; letter-spacing: .03em; vertical-align: bottom; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: break-word; }
td:first-child { font-weight: 600; white-space: nowrap; }
th.number, td.number { text-align: right; padding-right: 1.5rem; }
figure { margin: 2rem 0 0; }
figcaption { font-weight: 600; margin-bottom: .5rem; overflow-wrap: anywhere; }
.label { font-size: .85rem; color: var(--dim); margin-top: .4rem; overflow-wrap: anywhere; }
svg { display: block; } svg svg { display: inline; }
.bar { background: var(--band); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
text { fill: var(--text); font: 13px system-ui, sans-serif; }
rect { stroke: var(--page); stroke-width: 2; }
.f-plain { fill: var(--bar-plain); } .f-goes { fill: var(--bar-goes); } .f-safe { fill: var(--bar-safe); }
.f-soon { fill: var(--bar-soon); } .f-verdict { fill: var(--bar-new); } .f-dim { fill: none; }
line { stroke: var(--text); stroke-dasharray: 3 3; }
details { font-size: .85rem; margin-top: .5rem; } summary { cursor: pointer; color: var(--dim); }
li { overflow-wrap: anywhere; }
pre { background: var(--band); padding: .5rem .75rem; overflow-x: auto; font-size: .85rem; }
footer { margin-top: 3rem; color: var(--dim); font-size: .8rem; }
@media (max-width: 40rem) {
  table, thead, tbody, tr, th, td { display: block; } th:not(:first-child) { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td, td:first-child { border: 0; padding: .1rem 0; white-space: normal; overflow-wrap: anywhere; }
  td.number { text-align: left; padding: .1rem 0; } td.none { display: none; }
  td:not(:first-child)::before { content: attr(data-head) " "; color: var(--dim); font-size: .75rem; }
}
@media print { main { max-width: none; padding: 0; } body { font-size: 11pt; } figure, tr { break-inside: avoid; } }
)";

auto tone_name(Tone tone) -> std::string_view {
  switch (tone) {
    case Tone::plain: return "plain";
    case Tone::goes: return "goes";
    case Tone::safe: return "safe";
    case Tone::soon: return "soon";
    case Tone::verdict: return "verdict";
    case Tone::dim: return "dim";
  }
  return "plain";
}

constexpr std::uint32_t kRoomForLetters = Picture::kScale / 50;

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
    std::size_t i = 0;
    while (i < report_.blocks.size() && std::holds_alternative<Line>(report_.blocks[i])) {
      const Line& line = std::get<Line>(report_.blocks[i]);
      out_ += i++ == 0 ? fmt::format("<h1>{}</h1>\n", inline_text(line)) : paragraph(line);
    }
    for (const Picture& picture : report_.pictures) figure(picture);
    for (; i < report_.blocks.size(); ++i) {
      std::visit([&](const auto& part) { block(part); }, report_.blocks[i]);
    }
    if (!report_.evidence.empty()) out_ += "<h2>Evidence: what in the input says so</h2>\n";
    for (const Table& table : report_.evidence) evidence(table);
    out_ += "<footer>previct " PREVICT_VERSION "</footer>\n</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void head() {
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; "
        "base-uri 'none'; form-action 'none'\">\n",
        kStyleHash);
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out_ += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n", title(), kStyle);
  }

  [[nodiscard]] auto title() const -> std::string {
    std::string text;
    if (!report_.blocks.empty() && std::holds_alternative<Line>(report_.blocks.front())) {
      for (const Span& span : std::get<Line>(report_.blocks.front()).spans) text += span.text;
    }
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
    if (part.heading.empty()) out_ += "<div class=\"scroll\">\n";
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
    out_ += "<div class=\"scroll\">\n";
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

  // The first row about a pod is where its name leads.
  void evidence(const Table& table) {
    out_ += "<div class=\"scroll\">\n";
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

  void table_begins(const Table& table) {
    if (table.rows.empty()) return;
    out_ += "<table>\n<thead><tr>";
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
      const bool none = row[c].text.empty() || row[c].text == "-";
      std::string classes = column.numeric ? "number" : "";
      if (none) classes += classes.empty() ? "none" : " none";
      const std::string with = classes.empty() ? std::string() : fmt::format(" class=\"{}\"", classes);
      out_ += fmt::format("<td{} data-head=\"{}\">{}</td>", with, xml_text(column.head), inline_text(row[c]));
    }
  }

  // Bars as SVG in percent, so that the letters keep their size however wide the page is; each part is a window of
  // its own, which cuts a name that is longer. The words below say everything in full.
  void figure(const Picture& picture) {
    out_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n", xml_text(picture.title));
    for (const Picture::Row& row : picture.rows) {
      out_ += fmt::format("<div class=\"label\">{}</div>\n", xml_text(row.label));
      out_ += fmt::format("<svg class=\"bar\" width=\"100%\" height=\"28\" role=\"img\" aria-label=\"{}\">\n",
                          xml_text(spoken(row)));
      for (const Picture::Part& part : row.parts) {
        if (part.to <= part.from) continue;
        out_ += fmt::format("<svg x=\"{}\" width=\"{}\" height=\"28\"><title>{} {}</title>", percent(part.from),
                            percent(part.to - part.from), xml_text(part.name), xml_text(part.size));
        out_ += fmt::format("<rect class=\"f-{}\" width=\"100%\" height=\"28\"/>", tone_name(part.tone));
        if (part.to - part.from < kRoomForLetters) {
          out_ += "</svg>\n";
          continue;
        }
        const std::string text = part.name == row.label ? part.size : fmt::format("{} {}", part.name, part.size);
        out_ += fmt::format("<text x=\"6\" y=\"19\">{}</text></svg>\n", xml_text(text));
      }
      for (const Picture::Mark& mark : picture.marks) {
        if (mark.at == 0 || mark.at >= Picture::kScale) continue;
        out_ += fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"0\" y2=\"28\"/>\n", percent(mark.at));
      }
      out_ += "</svg>\n";
    }
    for (const Picture::Mark& mark : picture.marks) this->mark(mark);
    words(picture);
    out_ += "</figure>\n";
  }

  void mark(const Picture::Mark& mark) {
    const std::string_view anchor = mark.at < Picture::kScale * 2 / 3 ? "start" : "end";
    out_ +=
        fmt::format("<svg width=\"100%\" height=\"18\"><text x=\"{}\" y=\"14\" text-anchor=\"{}\">{}</text></svg>\n",
                    percent(mark.at), anchor, xml_text(mark.text));
  }

  void words(const Picture& picture) {
    out_ += "<details><summary>in words</summary>\n<ul>\n";
    for (const Picture::Row& row : picture.rows) out_ += fmt::format("<li>{}</li>\n", xml_text(spoken(row)));
    out_ += "</ul>\n</details>\n";
  }

  static auto spoken(const Picture::Row& row) -> std::string {
    std::string text = row.label;
    std::string_view separator = ": ";
    for (const Picture::Part& part : row.parts) {
      text += separator;
      if (part.name != row.label) text += fmt::format("{} ", part.name);
      text += part.size;
      separator = "; ";
    }
    return text;
  }

  const Report& report_;
  std::map<std::string, std::size_t> anchors_;
  std::string out_;
};

auto render(const Report& report, const Style& /*style*/) -> std::string {
  return Page(report).text();
}

constexpr Format kFormat = {
    .name = "html", .ending = "html", .what = "a page with pictures, to read and to print", .render = render};

}  // namespace

const Format& html_format = kFormat;

}  // namespace previct
