#include "base/text.h"
#include "report/aligned.h"
#include "report/escape.h"
#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  // Lines that follow each other stay one paragraph.
  void block(const Line& line) {
    if (in_lines_) {
      out_.insert(out_.size() - 1, "\\");
    } else {
      separate();
    }
    out_ += text(line) + '\n';
    in_lines_ = true;
  }

  void block(const Table& table) {
    if (!table.rows.empty()) {
      separate();
      std::string heads = "|";
      std::string rule = "|";
      for (const Column& column : table.columns) {
        if (column.only_terminal || column.only_wide) continue;
        heads += fmt::format(" {} |", markdown_text(column.head));
        rule += column.numeric ? " ---: |" : " --- |";
      }
      out_ += heads + '\n' + rule + '\n';
      for (const auto& row : table.rows) {
        out_ += '|';
        for (std::size_t c = 0; c < row.size(); ++c) {
          if (table.columns[c].only_terminal || table.columns[c].only_wide) continue;
          out_ += fmt::format(" {} |", text(row[c]));
        }
        out_ += '\n';
      }
    }
    for (const Line& line : table.footer) block(line);
    in_lines_ = false;
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
    separate();
    out_ += fmt::format("<details><summary>{}</summary>\n\n", xml_text(paragraph.heading));
    if (aligned) {
      code(paragraph.lines);
    } else {
      for (const Line& line : paragraph.lines) out_ += fmt::format("- {}\n", text(line));
    }
    out_ += "\n</details>\n";
  }

  // The finding's place leads there.
  void block(const Excerpt& /*excerpt*/) {}

  void findings(const Findings& findings) {
    Table table{{{"SEVERITY"}, {"RULE"}, {"PLACE"}, {"FINDING"}}, {}, {}};
    Paragraph more{"what follows, and how to mend it", {}};
    std::size_t suppressed = 0;
    for (const Finding& finding : findings.items) {
      if (finding.suppression) {
        ++suppressed;
        continue;
      }
      table.rows.push_back({{std::string(severity_name(finding.severity))},
                            {finding.rule},
                            {described(finding.place)},
                            {finding.message}});
      for (const std::string& note : finding.notes) {
        more.lines.push_back({{{fmt::format("{} {}: {}", described(finding.place), finding.rule, note)}}});
      }
    }
    block(table);
    if (!more.lines.empty()) block(more);
  }

 private:
  void separate() {
    if (!out_.empty()) out_ += '\n';
    in_lines_ = false;
  }

  // Nothing but a fence of this length has a meaning within one.
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

  static auto text(const Span& span) -> std::string {
    const std::string escaped = markdown_text(span.text);
    const bool bold = span.tone == Tone::verdict && !escaped.empty() && escaped.front() != ' ' && escaped.back() != ' ';
    return bold ? fmt::format("**{}**", escaped) : escaped;
  }
  static auto text(const Line& line) -> std::string {
    std::string out;
    for (const Span& span : line.spans) out += text(span);
    return out;
  }

  std::string& out_;
  bool in_lines_ = false;
};

auto render(const Report& report, const Style& /*style*/) -> std::string {
  std::string out;
  Writer writer(out);
  if (report.findings && !report.tests) {
    // The text ends with its sum, a page begins with it.
    if (!report.blocks.empty()) std::visit([&](const auto& part) { writer.block(part); }, report.blocks.back());
    writer.findings(*report.findings);
    return without_ci_commands(std::move(out));
  }
  for (const Block& block : report.blocks) {
    std::visit([&](const auto& part) { writer.block(part); }, block);
  }
  return without_ci_commands(std::move(out));
}

constexpr Format kFormat = {
    .name = "md", .ending = "md", .what = "Markdown, made for pull requests and job summaries", .render = render};

}  // namespace

const Format& md_format = kFormat;

}  // namespace previct
