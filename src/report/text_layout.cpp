#include "report/text_layout.h"

#include "base/ascii.h"
#include "base/text.h"
#include "report/aligned.h"
#include "report/escape.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kGap = 3;          // blanks between columns
constexpr std::size_t kComfort = 32;     // width to which columns are wrapped before optional columns are dropped
constexpr std::size_t kRoomToWrap = 16;  // width to which columns are wrapped before the table changes its shape
constexpr std::size_t kIndent = 2;

auto ansi(Tone tone) -> std::string_view {
  switch (tone) {
    case Tone::plain:
    case Tone::code: return "";
    case Tone::danger: return "\x1b[31m";
    case Tone::safe: return "\x1b[32m";
    case Tone::soon: return "\x1b[33m";
    case Tone::verdict: return "\x1b[1m";
    case Tone::dim: return "\x1b[2m";
  }
  return "";
}

// Escaped text with one tone.
struct Word {
  std::string text;
  Tone tone = Tone::plain;
};

class Writer {
 public:
  Writer(const Style& style, bool wide) : style_(style), wide_(wide) {}

  [[nodiscard]] auto take() -> std::string { return std::move(out_); }

  void block(const Line& line) {
    separate(Shape::line);
    running_text(line, 0);
  }

  void block(const Paragraph& paragraph) {
    separate(Shape::part);
    if (!paragraph.heading.empty()) running_text({{{paragraph.heading, Tone::verdict}}}, 0);
    const bool as_is = is_aligned(paragraph) && !paragraph.broken;
    for (const Line& line : paragraph.lines) running_text(line, paragraph.heading.empty() ? 0 : 2, as_is);
  }

  // Excerpts are in the style of compilers, and only shown on request.
  void block(const Excerpt& excerpt) {
    if (!style_.excerpts || excerpt.empty()) return;
    separate(Shape::line);
    const std::string number = fmt::format("{}", excerpt.line);
    const std::string_view text = excerpt.text;
    const std::string before = shown(text.substr(0, excerpt.from));
    const std::string marked = shown(text.substr(excerpt.from, excerpt.length));
    put(fmt::format("{} | ", number), Tone::dim);
    out_ += before + marked + shown(text.substr(excerpt.from + excerpt.length));
    out_ += '\n';
    put(fmt::format("{:{}} | ", "", number.size()), Tone::dim);
    out_.append(display_width(before), ' ');
    put(std::string(std::max<std::size_t>(display_width(marked), 1), '^'), Tone::soon);
    if (!excerpt.note.empty()) out_ += ' ' + shown(excerpt.note);
    out_ += '\n';
  }

  void block(const Picture& /*picture*/) {}

  void block(const Table& table) {
    if (table.rows.empty() && table.footer.empty()) return;
    separate(Shape::part);
    if (!table.rows.empty()) rows_of(table);
    for (const Line& line : table.footer) running_text(line, 0);
  }

 private:
  enum class Shape : std::uint8_t { none, line, part };

  // Consecutive lines are not separated; tables and paragraphs are.
  void separate(Shape next) {
    if (last_ != Shape::none && (last_ == Shape::part || next == Shape::part)) out_ += '\n';
    last_ = next;
  }

  [[nodiscard]] auto shown(std::string_view raw) const -> std::string {
    std::string text = escaped(raw);
    if (style_.utf8) return text;
    std::string ascii;
    for (std::string_view rest = text; !rest.empty();) {
      const auto [c, length] = decode_utf8(rest);
      if (c < 0x80) {
        ascii += rest.front();
      } else {
        const auto code = static_cast<std::uint32_t>(c);
        ascii += code > 0xffff ? fmt::format("\\U{:08x}", code) : fmt::format("\\u{:04x}", code);
      }
      rest.remove_prefix(length);
    }
    return ascii;
  }

  void put(std::string_view text, Tone tone) {
    const bool painted = style_.color && tone != Tone::plain && !text.empty();
    if (painted) out_ += ansi(tone);
    out_ += text;
    if (painted) out_ += "\x1b[0m";
  }

  // A command is text to copy: it has its own line, and is not wrapped.
  void running_text(const Line& line, std::size_t indent, bool as_is = false) {
    const bool ends_in_command = !line.spans.empty() && line.spans.back().tone == Tone::code;
    if (!ends_in_command) return words_of(line, indent, as_is);
    if (line.spans.size() == 1) return words_of(line, indent, true);
    Line before = line;
    before.spans.pop_back();
    std::string& last = before.spans.back().text;
    last.erase(last.find_last_not_of(' ') + 1);
    words_of(before, indent, as_is);
    words_of({{line.spans.back()}}, indent + kIndent, true);
  }

  // Breaks at blanks; continuation lines have the indentation of the first line.
  void words_of(const Line& line, std::size_t indent, bool as_is) {
    std::vector<Word> spans;
    std::size_t width = 0;
    for (const Span& span : with_hints(line, true).spans) {
      spans.push_back({shown(span.text), span.tone});
      width += display_width(spans.back().text);
    }
    const bool whole = style_.width == 0 || indent + width <= style_.width || as_is;
    if (width > 0) out_.append(indent, ' ');
    if (!whole) {
      std::string& first = spans.front().text;
      const std::string before = first.substr(0, set_in(first));
      first.erase(0, before.size());
      out_ += before;
      indent += display_width(before);
    }
    const std::size_t room = style_.width > indent ? style_.width - indent : 1;
    if (whole) {
      for (const Word& span : spans) put(span.text, span.tone);
    } else {
      broken(spans, indent, room);
    }
    out_ += '\n';
  }

  // The width before the text of a line: blanks, and possibly a label (`    because     `).
  static auto set_in(std::string_view text) -> std::size_t {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t label_end = std::min(text.find(' ', blanks), text.size());
    const std::size_t after = std::min(text.find_first_not_of(' ', label_end), text.size());
    const bool labelled = blanks > 0 && after < text.size() && after - label_end > 1;
    return labelled ? after : blanks;
  }

  void broken(const std::vector<Word>& spans, std::size_t indent, std::size_t room) {
    std::vector<Word> runs;  // current line: adjacent words of one tone are joined
    std::size_t used = 0;
    bool blank = false;  // a blank is pending before the next word
    const auto end_line = [&] {
      for (const Word& run : runs) put(run.text, run.tone);
      runs.clear();
      used = 0;
      blank = false;
    };
    for (std::size_t i = 0; i < spans.size(); ++i) {
      std::string_view rest = spans[i].text;
      while (!rest.empty()) {
        if (rest.front() == ' ') {
          blank = used > 0;
          rest.remove_prefix(1);
          continue;
        }
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(word.size());
        if (blank && used + 1 + display_width(word) + attached(spans, i, rest) > room) {
          end_line();
          out_ += '\n';
          out_.append(indent, ' ');
        }
        if (blank) runs.back().text += ' ';
        used += (blank ? 1U : 0U) + display_width(word);
        blank = false;
        if (runs.empty() || runs.back().tone != spans[i].tone) runs.push_back({"", spans[i].tone});
        runs.back().text += word;
      }
    }
    end_line();
  }

  // The width of the text that directly follows the last word of span `i` in the next spans, and must stay with it.
  static auto attached(const std::vector<Word>& spans, std::size_t i, std::string_view rest) -> std::size_t {
    std::size_t width = 0;
    while (rest.empty() && ++i < spans.size()) {
      const std::size_t end = spans[i].text.find(' ');
      width += display_width(std::string_view(spans[i].text).substr(0, end));
      if (end != std::string::npos) break;
    }
    return width;
  }

  struct Cells {
    std::vector<const Column*> columns;
    std::vector<std::string> heads;  // escaped: heads may be names too
    std::vector<std::size_t> widths;
    std::vector<std::size_t> least;  // width of the longest word: words are never broken
    std::vector<std::vector<Word>> rows;

    [[nodiscard]] auto width() const -> std::size_t { return width_of(widths); }
    [[nodiscard]] static auto width_of(const std::vector<std::size_t>& widths) -> std::size_t {
      std::size_t sum = widths.empty() ? 0 : (widths.size() - 1) * kGap;
      for (const std::size_t width : widths) sum += width;
      return sum;
    }

    void drop(std::size_t column) {
      const auto at = static_cast<std::ptrdiff_t>(column);
      columns.erase(columns.begin() + at);
      heads.erase(heads.begin() + at);
      widths.erase(widths.begin() + at);
      least.erase(least.begin() + at);
      for (auto& row : rows) row.erase(row.begin() + at);
    }

    [[nodiscard]] auto says_nothing(std::size_t column) const -> bool {
      return std::all_of(rows.begin(), rows.end(), [&](const std::vector<Word>& row) {
        return row[column].text.empty() || row[column].text == "-";
      });
    }

    // The rows with only columns [begin, end), after the first column if `with_first`.
    [[nodiscard]] auto part(std::size_t begin, std::size_t end, bool with_first) const -> Cells {
      Cells out = *this;
      for (std::size_t c = columns.size(); c-- > 0;) {
        const bool kept = (c >= begin && c < end) || (with_first && c == 0);
        if (!kept) out.drop(c);
      }
      return out;
    }

    // Wraps columns that are wider than `room`, widest first, until all fit into `limit`; returns false if they do not.
    auto squeeze(std::size_t limit, std::size_t room) -> bool {
      std::vector<std::size_t> now = widths;
      std::vector<std::size_t> end;
      for (std::size_t c = 0; c < widths.size(); ++c) {
        end.push_back(std::max(least[c], std::min(widths[c], room)));
        now[c] = std::max(end[c], std::min(now[c], limit));
      }
      if (width_of(end) > limit) return false;
      while (width_of(now) > limit) {
        std::size_t widest = now.size();
        for (std::size_t c = 0; c < now.size(); ++c) {
          if (now[c] > end[c] && (widest == now.size() || now[c] >= now[widest])) widest = c;
        }
        --now[widest];
      }
      widths = std::move(now);
      return true;
    }
  };

  // Names the columns that a narrow table has dropped, if they have content.
  void tell_hidden(const Cells& all, const Cells& left) {
    std::string names;
    for (std::size_t c = 0; c < all.columns.size(); ++c) {
      const bool kept = std::find(left.columns.begin(), left.columns.end(), all.columns[c]) != left.columns.end();
      if (!kept && !all.says_nothing(c)) names += (names.empty() ? "" : ", ") + all.heads[c];
    }
    if (names.empty() || !style_.heads || style_.brief) return;
    running_text({{{fmt::format("columns hidden: {} (--width 0 shows all)", names), Tone::dim}}}, 0);
  }

  [[nodiscard]] auto cells_of(const Table& table) const -> Cells {
    Cells cells;
    cells.rows.resize(table.rows.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].only_wide && !wide_) continue;
      if (table.columns[c].only_terminal && !style_.pictures) continue;
      cells.columns.push_back(&table.columns[c]);
      cells.heads.push_back(shown(table.columns[c].head));
      std::size_t width = style_.heads ? display_width(cells.heads.back()) : 0;
      std::size_t least = style_.heads ? unbroken(cells.heads.back(), table.columns[c]) : 0;
      for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const Span& span = table.rows[r][c];
        cells.rows[r].push_back({shown(span.text), span.tone});
        width = std::max(width, display_width(cells.rows[r].back().text));
        least = std::max(least, unbroken(cells.rows[r].back().text, table.columns[c]));
      }
      cells.widths.push_back(width);
      cells.least.push_back(least);
    }
    return cells;
  }

  // The width of the longest part that cannot be broken. Drawn or indented text is never broken.
  static auto unbroken(std::string_view text, const Column& column) -> std::size_t {
    if (column.only_terminal || text.starts_with(' ')) return display_width(text);
    std::size_t longest = 0;
    while (!text.empty()) {
      const std::size_t blank = std::min(text.find(' '), text.size());
      longest = std::max(longest, display_width(text.substr(0, blank)));
      text.remove_prefix(std::min(blank + 1, text.size()));
    }
    return longest;
  }

  // Tries in this order: unchanged; wrapped slightly; without optional columns; wrapped; split into several tables;
  // with the first column on separate lines; one block per record.
  void rows_of(const Table& table) {
    Cells cells = cells_of(table);
    const std::size_t limit = style_.width == 0 ? SIZE_MAX : style_.width;
    if (cells.width() <= limit || fit(cells, limit)) {
      whole(cells);
      return tell_hidden(cells_of(table), cells);
    }
    cells = cells_of(table);
    if (panels(cells, limit)) return;
    Cells rest = cells.part(1, cells.columns.size(), false);
    const bool fits = rest.columns.size() > 1 && (rest.width() + kIndent <= limit || fit(rest, limit - kIndent));
    if (limit > kIndent && fits) {
      hanging(cells, rest);
      return tell_hidden(cells.part(1, cells.columns.size(), false), rest);
    }
    records(cells);
  }

  static auto fit(Cells& cells, std::size_t limit) -> bool {
    if (cells.squeeze(limit, kComfort)) return true;
    for (const bool empty : {true, false}) {
      for (std::size_t c = cells.columns.size(); c-- > 1;) {
        if (!cells.columns[c]->optional || (empty && !cells.says_nothing(c))) continue;
        cells.drop(c);
        if (cells.squeeze(limit, kComfort)) return true;
      }
    }
    return cells.squeeze(limit, kRoomToWrap);
  }

  void whole(const Cells& cells, std::size_t indent = 0) {
    heads(cells, indent);
    for (const auto& words : cells.rows) row(cells, words, indent);
  }

  void heads(const Cells& cells, std::size_t indent) {
    if (!style_.heads) return;
    std::vector<Word> words;
    for (const std::string& head : cells.heads) words.push_back({head, Tone::plain});
    row(cells, words, indent, true);
  }

  // Splits a table of numbers that is too wide into several, each with the first column.
  auto panels(const Cells& cells, std::size_t limit) -> bool {
    const bool numbers = std::all_of(cells.columns.begin() + 1, cells.columns.end(),
                                     [](const Column* c) { return c->numeric && !c->optional; });
    if (cells.columns.size() < 3 || !numbers) return false;
    std::vector<Cells> parts;
    for (std::size_t begin = 1; begin < cells.columns.size();) {
      std::size_t end = begin + 1;
      Cells part = cells.part(begin, end, true);
      if (!part.squeeze(limit, kRoomToWrap)) return false;
      for (; end < cells.columns.size(); ++end) {
        Cells more = cells.part(begin, end + 1, true);
        if (!more.squeeze(limit, kRoomToWrap)) break;
        part = std::move(more);
      }
      parts.push_back(std::move(part));
      begin = end;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) out_ += '\n';
      whole(parts[i]);
    }
    return true;
  }

  // Prints long names on separate lines, each followed by the rest of its row.
  void hanging(const Cells& cells, const Cells& rest) {
    if (style_.heads) out_ += cells.heads.front() + '\n';
    heads(rest, kIndent);
    for (std::size_t r = 0; r < cells.rows.size(); ++r) {
      put(cells.rows[r].front().text, cells.rows[r].front().tone);
      out_ += '\n';
      row(rest, rest.rows[r], kIndent);
    }
  }

  // Cells with several lines are aligned at the top, heads at the bottom. No line ends in a blank.
  void row(const Cells& cells, const std::vector<Word>& words, std::size_t indent, bool at_bottom = false) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t c = 0; c < words.size(); ++c) {
      const bool fits = style_.width == 0 || display_width(words[c].text) <= cells.widths[c];
      lines.push_back(fits ? std::vector<std::string>{words[c].text} : wrapped(words[c].text, cells.widths[c]));
      height = std::max(height, lines.back().size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::size_t owed = indent;
      for (std::size_t c = 0; c < words.size(); ++c) {
        const std::size_t above = at_bottom ? height - lines[c].size() : 0;
        const bool has = i >= above && i - above < lines[c].size();
        const std::string_view text = has ? std::string_view(lines[c][i - above]) : std::string_view();
        const std::size_t width = display_width(text);
        const std::size_t pad = cells.widths[c] > width ? cells.widths[c] - width : 0;
        if (cells.columns[c]->numeric) owed += pad;
        if (width > 0) {
          out_.append(owed, ' ');
          owed = 0;
          put(text, words[c].tone);
        }
        owed += kGap + (cells.columns[c]->numeric ? 0 : pad);
      }
      out_ += '\n';
    }
  }

  // One block per record: the first cell, then `head: value` lines below it.
  void records(const Cells& cells) {
    std::size_t longest = 0;
    for (std::size_t c = 1; c < cells.columns.size(); ++c) {
      longest = std::max(longest, display_width(cells.heads[c]));
    }
    if (style_.heads) put(cells.heads.front() + '\n', Tone::plain);
    for (const auto& words : cells.rows) {
      put(words.front().text, words.front().tone);
      out_ += '\n';
      for (std::size_t c = 1; c < words.size(); ++c) {
        if (words[c].text.empty() || words[c].text == "-") continue;
        record_field(lower_case(cells.heads[c]), longest, words[c]);
      }
    }
  }

  void record_field(const std::string& head, std::size_t longest, const Word& word) {
    const std::size_t begin = 2 + longest + 2;
    const std::size_t room = style_.width > begin + 10 ? style_.width - begin : 10;
    out_ += fmt::format("  {:<{}}", head, longest + 2);
    const auto lines = wrapped(word.text, room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0) out_.append(begin, ' ');
      put(lines[i], word.tone);
      out_ += '\n';
    }
  }

  const Style& style_;
  bool wide_;
  Shape last_ = Shape::none;
  std::string out_;
};

}  // namespace

auto text_of(const Report& report, const Style& style, bool wide) -> std::string {
  Writer writer(style, wide);
  for (const Block& block : report.blocks) {
    std::visit([&](const auto& part) { writer.block(part); }, block);
  }
  return without_ci_commands(writer.take());
}

}  // namespace previct
