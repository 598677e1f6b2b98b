#include "base/ascii.h"
#include "base/text.h"
#include "report/aligned.h"
#include "report/escape.h"
#include "report/format.h"
#include "report/headings.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kRowsInSight = 12;

// Shows the verdict, its basis and the first table; everything after that is folded, each part under a title.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  // Consecutive lines form one paragraph: two trailing blanks break a line in rendered Markdown, and are invisible
  // otherwise.
  void block(const Line& line) {
    if (in_lines_) {
      out_.insert(out_.size() - 1, "  ");
    } else {
      separate();
    }
    out_ += text(line) + '\n';
    in_lines_ = true;
  }

  void block(const Table& table) {
    if (table.rows.empty() && table.footer.empty()) return;
    const bool in_sight = !seen_table_ && table.rows.size() <= kRowsInSight;
    seen_table_ = true;
    if (in_sight) heading(table);
    if (in_sight || table.rows.empty()) return whole(table);
    begin_fold(fmt::format("{} ({})", heading_of(table), counted(table.rows.size(), "row", "rows")));
    whole(table);
    end_fold();
  }

  void block(const Paragraph& paragraph) {
    const bool aligned = is_aligned(paragraph);
    if (paragraph.heading.empty()) {
      in_lines_ = false;
      if (aligned) {
        separate();
        return code(paragraph.lines);
      }
      for (const Line& line : paragraph.lines) block(line);
      in_lines_ = false;
      return;
    }
    begin_fold(in_sentence_case(paragraph.heading));
    separate();
    if (aligned) {
      code(paragraph.lines);
    } else {
      for (const Line& line : paragraph.lines) out_ += fmt::format("- {}\n", text(line));
    }
    end_fold();
  }

  // The place of the finding leads to it; pictures repeat the tables.
  void block(const Excerpt& /*excerpt*/) {}
  void block(const Picture& /*picture*/) {}

  void findings(const Findings& findings) {
    std::vector<const Finding*> shown;
    Paragraph more{"why it matters, and how to fix it", {}};
    for (const Finding& finding : findings.items) {
      if (finding.suppression) continue;
      shown.push_back(&finding);
      for (const std::string& note : finding.notes) {
        more.lines.push_back({{{described(finding.place), Tone::code}, {fmt::format(" {}: {}", finding.rule, note)}}});
      }
    }
    block(table_of(shown, [](Row& row, const Finding* finding) {
      row.text("SEVERITY", severity_name(finding->severity));
      row.text("RULE", finding->rule);
      row.text("PLACE", described(finding->place), Tone::code);
      row.text("FINDING", finding->message);
    }));
    if (!more.lines.empty()) block(more);
  }

 private:
  void separate() {
    if (!out_.empty()) out_ += '\n';
    in_lines_ = false;
  }

  void begin_fold(std::string_view title) {
    separate();
    out_ += fmt::format("<details><summary>{}</summary>\n", xml_text(title));
  }
  void end_fold() {
    out_ += "\n</details>\n";
    in_lines_ = false;
  }

  // The smallest heading that readers of a pull request distinguish from text; the title of a fold needs none.
  void heading(const Table& table) {
    if (table.rows.empty()) return;
    separate();
    out_ += fmt::format("#### {}\n", markdown_text(heading_of(table), false));
  }

  void whole(const Table& table) {
    if (!table.rows.empty()) {
      separate();
      std::string heads = "|";
      std::string rule = "|";
      for (const Column& column : table.columns) {
        if (column.only_terminal || column.only_wide) continue;
        heads += fmt::format(" {} |", markdown_text(column.head, false));
        rule += column.numeric ? " ---: |" : " --- |";
      }
      out_ += heads + '\n' + rule + '\n';
      for (const auto& row : table.rows) {
        out_ += '|';
        for (std::size_t c = 0; c < row.size(); ++c) {
          if (table.columns[c].only_terminal || table.columns[c].only_wide) continue;
          out_ += fmt::format(" {} |", text(row[c], false, true));
        }
        out_ += '\n';
      }
    }
    for (const Line& line : table.footer) block(line);
    in_lines_ = false;
  }

  // Within a fence only a fence of the same length has a meaning.
  void code(const std::vector<Line>& lines) {
    std::vector<std::string> texts;
    std::size_t longest = 2;
    for (const Line& line : lines) {
      const std::string& text = texts.emplace_back(escaped(text_of(line)));
      for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
        const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
        longest = std::max(longest, end - at);
        at = end;
      }
    }
    const std::string fence(longest + 1, '`');
    out_ += fmt::format("{0}text\n{1}\n{0}\n", fence, joined(texts, "\n"));
  }

  static auto text(const Span& span, bool begins_line, bool in_table) -> std::string {
    if (span.tone == Tone::code) return markdown_code(span.text, in_table);
    const std::string escaped = markdown_text(span.text, begins_line);
    const bool bold = span.tone == Tone::verdict && !escaped.empty() && escaped.front() != ' ' && escaped.back() != ' ';
    return bold ? fmt::format("**{}**", escaped) : escaped;
  }

  // Joins adjacent spans of one tone: two bold texts in a row would show their marks.
  static auto text(const Line& line) -> std::string {
    std::vector<Span> spans;
    for (const Span& span : line.spans) {
      if (span.text.empty()) continue;
      if (!spans.empty() && spans.back().tone == span.tone && span.tone != Tone::code) {
        spans.back().text += span.text;
      } else {
        spans.push_back(span);
      }
    }
    std::string out;
    for (const Span& span : spans) out += text(span, out.empty(), false);
    return out;
  }

  std::string& out_;
  bool in_lines_ = false;
  bool seen_table_ = false;
};

auto render_md(const Report& report, const Style& /*style*/) -> std::string {
  std::string out;
  Writer writer(out);
  if (report.findings && !report.tests) {
    // The text ends with its total; a page begins with it.
    if (!report.blocks.empty()) std::visit([&](const auto& part) { writer.block(part); }, report.blocks.back());
    writer.findings(*report.findings);
  } else {
    for (const Block& block : report.blocks) std::visit([&](const auto& part) { writer.block(part); }, block);
  }
  if (!report.origin.empty()) writer.block(Paragraph{"", report.origin});
  return without_ci_commands(std::move(out));
}

}  // namespace

const Format& md_format = Format{.name = "md",
                                 .ending = "md",
                                 .what = "Markdown, for pull requests and chats",
                                 .render = render_md,
                                 .blocks = true,
                                 .origin = true};

}  // namespace previct
