#include "analysis/message.h"

#include "base/ascii.h"
#include "base/go.h"
#include "base/text.h"
#include "tell/tell.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace previct {
namespace {

// ---- all patterns that the tellers know, compiled once

constexpr std::size_t kTooShort = 10;  // bytes; short texts such as `not found` occur anywhere

struct Compiled {
  const Messages* writer = nullptr;
  const KnownMessage* known = nullptr;
  WordsPattern pattern;
};

class Catalogue {
 public:
  Catalogue() {
    for (const Teller* teller : tellers()) {
      for (Messages& each : teller->messages()) writers_.push_back(std::move(each));
    }
    for (const Messages& writer : writers_) {
      for (const KnownMessage& known : writer.known) {
        Compiled compiled{&writer, &known, WordsPattern(known.pattern)};
        const std::string_view front = compiled.pattern.front();
        const bool introduces = known.part == MessagePart::context || known.part == MessagePart::preempting;
        if (!introduces && compiled.pattern.literal_size() < kTooShort) continue;
        by_front_[front.empty() ? '\0' : front.front()].push_back(std::move(compiled));
      }
    }
  }

  struct Found {
    const Compiled* compiled = nullptr;
    WordsPattern::Match match;
  };
  // Returns the longest piece at the start of the text that this writer uses, or that any other writer uses about
  // nodes. Without a writer, all writers are searched; the first by name wins a tie.
  [[nodiscard]] auto longest(std::string_view text, const Messages* writer) const -> Found {
    Found best;
    if (text.empty()) return best;
    for (const char front : {text.front(), '\0'}) {
      const auto found = by_front_.find(front);
      if (found == by_front_.end()) continue;
      for (const Compiled& each : found->second) {
        if (writer != nullptr && each.writer != writer && each.known->part != MessagePart::filter) continue;
        if (writer == nullptr && !names_writer(each)) continue;
        if (!text.starts_with(each.pattern.front())) continue;
        auto match = each.pattern.match(text);
        if (!match) continue;
        const std::size_t length = match->length;
        const bool better = best.compiled == nullptr || length > best.match.length ||
                            (length == best.match.length && each.writer == writer && best.compiled->writer != writer);
        if (better) best = {&each, *std::move(match)};
      }
    }
    return best;
  }

  // Returns true if the text begins with the first bytes of a long piece that may continue on the next lines.
  [[nodiscard]] auto may_begin(std::string_view text) const -> bool {
    if (text.empty()) return false;
    const auto found = by_front_.find(text.front());
    if (found == by_front_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const Compiled& each) {
      const std::string_view front = each.pattern.front();
      if (front.size() < kLong) return false;
      return text.starts_with(front.substr(0, kLong)) || (text.size() >= kLong && front.starts_with(text));
    });
  }

  [[nodiscard]] auto writers() const -> const std::vector<Messages>& { return writers_; }

 private:
  static constexpr std::size_t kLong = 16;

  // Short introductory words do not identify a writer.
  static auto names_writer(const Compiled& each) -> bool {
    return each.known->part != MessagePart::context || each.pattern.literal_size() > kLong;
  }

  std::vector<Messages> writers_;
  std::map<char, std::vector<Compiled>> by_front_;  // key: first byte; \0: patterns that begin with an operand
};

auto catalogue() -> const Catalogue& {
  static const Catalogue kCatalogue;
  return kCatalogue;
}

// ---- one message

auto is_blank(char c) -> bool {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

auto is_plain(char c) -> bool {
  return is_letter(c) || is_digit(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// The text with the escapes of JSON, YAML, logs and web pages removed.
struct PlainText {
  std::string text;
  std::vector<std::size_t> origin;  // position of each byte in the original
};
auto plain_text(std::string_view written) -> PlainText {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWritten = {{{"\\\"", "\""},
                                                                                       {"\\n", " "},
                                                                                       {"\\u003c", "<"},
                                                                                       {"\\u003e", ">"},
                                                                                       {"\\u0026", "&"},
                                                                                       {"\\u0027", "'"},
                                                                                       {"''", "'"},
                                                                                       {"\u2018", "'"},
                                                                                       {"\u2019", "'"},
                                                                                       {"\u201c", "\""},
                                                                                       {"\u201d", "\""},
                                                                                       {"\u00a0", " "},
                                                                                       {"&lt;", "<"},
                                                                                       {"&gt;", ">"}}};
  PlainText plain;
  plain.text.reserve(written.size());
  plain.origin.reserve(written.size());
  for (std::size_t i = 0; i < written.size();) {
    const auto* const other = std::find_if(kWritten.begin(), kWritten.end(),
                                           [&](const auto& each) { return written.substr(i).starts_with(each.first); });
    plain.origin.push_back(i);
    plain.text += other == kWritten.end() ? written[i] : other->second.front();
    i += other == kWritten.end() ? 1 : other->first.size();
  }
  return plain;
}

auto on_one_line(std::string_view text) -> std::string {
  std::string out;
  for (const char c : plain_text(text).text) {
    if (!is_blank(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Removes `12 ` from the start.
auto take_count(std::string_view& text) -> std::optional<std::int64_t> {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || digits >= text.size() || text[digits] != ' ') return {};
  const auto count = go::parse_int(text.substr(0, digits), 32);
  if (!count) return {};
  text.remove_prefix(digits + 1);
  return *count;
}

// Removes ` (12x)` from the start; it follows what it counts.
auto take_times(std::string_view& text) -> std::optional<std::int64_t> {
  if (!text.starts_with(" (")) return {};
  const std::size_t end = text.find("x)");
  if (end == std::string_view::npos) return {};
  const auto count = go::parse_int(text.substr(2, end - 2), 32);
  if (!count) return {};
  text.remove_prefix(end + 2);
  return *count;
}

class Reader {
 public:
  explicit Reader(ParsedMessage& apart) : apart_(apart), text_(apart.text) {}

  void read() {
    while (!text_.empty()) {
      if (at_border_ && take_piece()) continue;
      at_border_ = !is_plain(text_.front());
      ++unknown_;
      text_.remove_prefix(1);
    }
    end_unknown();
  }

 private:
  auto take_piece() -> bool {
    std::string_view behind = text_;
    auto count = take_count(behind);
    Catalogue::Found found = catalogue().longest(behind, apart_.writer);
    if (count && (found.compiled == nullptr || found.compiled->known->part == MessagePart::counts)) {
      count.reset();
      behind = text_;
      found = catalogue().longest(behind, apart_.writer);
    }
    if (found.compiled == nullptr) return false;
    // `not found` ends an unknown entry, unless it stands alone.
    const std::string_view run(text_.data() - unknown_, unknown_);
    if (found.compiled->pattern.literal_size() < kTooShort && std::any_of(run.begin(), run.end(), is_plain))
      return false;
    end_unknown();
    MessagePiece piece;
    piece.known = found.compiled->known;
    piece.text = behind.substr(0, found.match.length);
    piece.operands = std::move(found.match.values);
    behind.remove_prefix(found.match.length);
    if (!count) count = take_times(behind);
    piece.count = count;
    if (apart_.writer == nullptr) apart_.writer = found.compiled->writer;
    place(piece);
    apart_.pieces.push_back(std::move(piece));
    text_ = behind;
    at_border_ = true;
    return true;
  }

  // The first list is about the filters. A scheduler that writes no `preemption:` starts a second list instead.
  void place(MessagePiece& piece) {
    if (piece.known->part == MessagePart::preempting) preemption_ = true;
    if (piece.known->part == MessagePart::counts) {
      preemption_ = preemption_ || counted_;
      counted_ = true;
      if (const auto nodes = go::parse_int(piece.operands['n'], 32); nodes && !apart_.nodes) apart_.nodes = *nodes;
    }
    piece.of_preemption = preemption_ || piece.known->part == MessagePart::preemption;
  }

  // Adds the entries of the unknown text between pieces, without the surrounding punctuation.
  void end_unknown() {
    const char* const end = text_.data();
    std::string_view run(end - unknown_, unknown_);
    unknown_ = 0;
    while (!run.empty()) {
      while (!run.empty() && !is_plain(run.front()) && run.front() != '{') run.remove_prefix(1);
      if (run.empty()) return;
      MessagePiece piece;
      piece.count = take_count(run);
      piece.of_preemption = preemption_;
      const std::size_t size = entry_size(run);
      std::string_view entry = run.substr(0, size);
      while (!entry.empty() && !is_plain(entry.back()) && entry.back() != '}' && entry.back() != ')' &&
             !closes_quote(entry))
        entry.remove_suffix(1);
      piece.text = entry;
      if (!piece.text.empty()) apart_.pieces.push_back(std::move(piece));
      run.remove_prefix(size);
    }
  }

  // Returns true if the entry ends with a quote that it also opens.
  static auto closes_quote(std::string_view entry) -> bool {
    const char last = entry.back();
    return (last == '"' || last == '\'') && std::count(entry.begin(), entry.end(), last) % 2 == 0;
  }

  // Returns the size up to the next entry of a list, or to the end of the sentence.
  static auto entry_size(std::string_view run) -> std::size_t {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const std::string_view behind = run.substr(i);
      if (behind.starts_with(". ")) return i;
      std::string_view next = behind.substr(std::min<std::size_t>(2, behind.size()));
      if (behind.starts_with(", ") && take_count(next)) return i;
    }
    return run.size();
  }

  ParsedMessage& apart_;
  std::string_view text_;
  std::size_t unknown_ = 0;  // bytes before text_ that match no piece
  bool at_border_ = true;
  bool counted_ = false;
  bool preemption_ = false;
};

void find_release(ParsedMessage& apart) {
  if (apart.writer == nullptr) return;
  const auto narrow = [&](int first, int last) {
    apart.first = std::max(apart.first, first);
    if (last != 0) apart.last = apart.last == 0 ? last : std::min(apart.last, last);
  };
  if (apart.writer->written_by != nullptr) {
    const WrittenBy by = apart.writer->written_by(apart.text);
    narrow(by.first, by.last);
    apart.plugin = by.plugin;
  }
  const auto& own = apart.writer->known;
  for (const MessagePiece& piece : apart.pieces) {
    const bool is_own = piece.known != nullptr && piece.known >= own.data() && piece.known < own.data() + own.size();
    if (is_own) narrow(piece.known->first, piece.known->last);
  }
}

// ---- messages of a text

// Returns true if a table cell, or the line, may begin here. Numbers and punctuation do not count.
auto begins_column(std::string_view before) -> bool {
  while (!before.empty() && before.ends_with(' ') && before.size() > 1 && is_digit(before[before.size() - 2])) {
    before.remove_suffix(1);
    while (!before.empty() && is_digit(before.back())) before.remove_suffix(1);
  }
  return before.ends_with("  ") || before.ends_with('\t') || std::none_of(before.begin(), before.end(), is_plain);
}

// Returns the quote that starts a message: `message: '0/3 nodes …'`, `"message": "0/3 nodes …"`, `err="0/3 nodes …"
// pod="ml/a"`. A single quote is escaped by doubling it, a double quote by a backslash.
auto quote_before(std::string_view before) -> char {
  for (const std::string_view front : {"=\"", ": \"", ":\""}) {
    if (before.ends_with(front)) return '"';
  }
  return before.ends_with(": '") ? '\'' : '\0';
}

// Where a message begins in a line, and with which part; npos: nowhere. Words that any program may write begin no
// message.
struct Start {
  std::size_t at = std::string_view::npos;
  std::size_t end = 0;  // end of its first piece
  MessagePart part = MessagePart::context;
  [[nodiscard]] auto found() const -> bool { return at != std::string_view::npos; }
};
// A quoted text after `err=` or `message:` takes precedence over text before it.
auto start_of_message(std::string_view line) -> Start {
  const PlainText plain = plain_text(line);
  const std::string_view text = plain.text;
  Start first;
  bool at_border = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_be = at_border && (is_plain(text[i]) || text[i] == '(');
    const bool in_quotes = may_be && quote_before(line.substr(0, plain.origin[i])) != '\0';
    if (may_be && (in_quotes || !first.found())) {
      const auto found = catalogue().longest(text.substr(i), nullptr);
      if (found.compiled != nullptr) {
        const MessagePart part = found.compiled->known->part;
        const bool bare = found.compiled->known->pattern.find('{') == std::string_view::npos;
        // A reason about nodes in the middle of a sentence was written by another program.
        const bool in_sentence = part == MessagePart::filter && !begins_column(text.substr(0, i));
        if ((part != MessagePart::error || !bare) && !in_sentence) {
          const std::size_t end = i + found.match.length;
          const Start start{plain.origin[i], end < plain.origin.size() ? plain.origin[end] : line.size(), part};
          if (in_quotes) return start;
          first = start;
        }
      }
    }
    at_border = !is_plain(text[i]) && text[i] != '/' && text[i] != '-' && text[i] != '_';
  }
  return first;
}

auto without_blanks(std::string_view text) -> std::string_view {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Removes the mark of a comment or a quotation from a continuation line.
auto without_marks(std::string_view line) -> std::string_view {
  line = without_blanks(line);
  while (!line.empty() && std::string_view("#>*|").find(line.front()) != std::string_view::npos) line.remove_prefix(1);
  if (line.starts_with("//")) line.remove_prefix(2);
  return without_blanks(line);
}

auto unknown_size(const ParsedMessage& apart) -> std::size_t {
  std::size_t size = 0;
  for (const MessagePiece& piece : apart.pieces) size += piece.known == nullptr ? piece.text.size() : 0;
  return size;
}

auto known_count(const ParsedMessage& apart) -> std::size_t {
  return static_cast<std::size_t>(std::count_if(apart.pieces.begin(), apart.pieces.end(),
                                                [](const MessagePiece& piece) { return piece.known != nullptr; }));
}

// Returns true if the message ends where another piece must follow.
auto is_open(const ParsedMessage& apart) -> bool {
  if (apart.pieces.empty() || apart.pieces.back().known == nullptr) return true;
  const MessagePart part = apart.pieces.back().known->part;
  return part == MessagePart::context || part == MessagePart::counts || part == MessagePart::preempting;
}

// Returns where the quotes end; npos: not in this text.
auto end_of_quoted(std::string_view text, char quote) -> std::size_t {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i;
      ++i;
    }
  }
  return std::string_view::npos;
}

class TextReader {
 public:
  explicit TextReader(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines_.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  auto read() -> MessagesOfText {
    for (std::size_t i = 0; i < lines_.size(); ++i) out_.lines += without_blanks(lines_[i]).empty() ? 0U : 1U;
    for (std::size_t i = 0; i < lines_.size();) i = read_line(i);
    if (out_.messages.empty() && out_.lines == 1) {
      out_.passed_over = 0;
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!without_blanks(lines_[i]).empty()) add(not_recognised(lines_[i]), i, 1, {});
      }
    }
    return std::move(out_);
  }

 private:
  static auto not_recognised(std::string_view line) -> ParsedMessage {
    ParsedMessage apart;
    apart.text = on_one_line(line);
    apart.pieces.emplace_back().text = apart.text;
    return apart;
  }

  // Reads the message that begins in line `at`, if any; returns the index of the next line to read.
  auto read_line(std::size_t at) -> std::size_t {
    const std::string_view line = lines_[at];
    if (without_blanks(line).empty()) return at + 1;
    std::size_t start = start_of_message(line).at;
    std::size_t taken = 1;
    if (start == std::string_view::npos) std::tie(start, taken) = start_with_next_lines(at);
    if (start == std::string_view::npos) {
      ++out_.passed_over;
      return at + 1;
    }
    auto [apart, lines] = best_of(line.substr(start), quote_before(line.substr(0, start)), at, taken);
    add(std::move(apart), at, lines, line.substr(0, start));
    return at + lines;
  }

  // Returns true if a piece that may continue on the next line begins in this line. `0/3` at the end counts too.
  static auto may_begin(std::string_view line) -> bool {
    const PlainText plain = plain_text(without_blanks(line));
    line = plain.text;
    const std::size_t slash = line.rfind('/');
    const bool counts = slash != std::string_view::npos && slash > 0 && slash + 1 < line.size() &&
                        is_digit(line[slash - 1]) &&
                        std::all_of(line.begin() + static_cast<std::ptrdiff_t>(slash) + 1, line.end(), is_digit);
    bool at_border = true;
    for (std::size_t i = 0; i < line.size() && !counts; ++i) {
      if (at_border && catalogue().may_begin(line.substr(i))) return true;
      at_border = !is_plain(line[i]);
    }
    return counts;
  }

  // Returns the start of a message whose first piece continues after the end of the line, and the number of its lines.
  auto start_with_next_lines(std::size_t at) const -> std::pair<std::size_t, std::size_t> {
    constexpr std::size_t kMostLines = 6;
    const std::size_t most = may_begin(lines_[at]) ? kMostLines : 2;
    std::string text(lines_[at]);
    for (std::size_t lines = 2; lines <= most && at + lines <= lines_.size(); ++lines) {
      text += " " + std::string(without_marks(lines_[at + lines - 1]));
      const Start start = start_of_message(text);
      if (start.found() && start.at < lines_[at].size() && start.end > lines_[at].size()) return {start.at, lines};
    }
    return {std::string_view::npos, 1};
  }

  // Reads a quoted text over several lines, up to its end; none if it does not end within kMostLines.
  auto quoted(std::string_view message, char quote, std::size_t at) const
      -> std::optional<std::pair<ParsedMessage, std::size_t>> {
    constexpr std::size_t kMostLines = 60;
    std::string text(message);
    for (std::size_t lines = 1; lines <= kMostLines && at + lines <= lines_.size(); ++lines) {
      if (lines > 1) text += " " + std::string(without_blanks(lines_[at + lines - 1]));
      const std::size_t end = end_of_quoted(text, quote);
      if (end != std::string_view::npos) return std::pair(parse_message(std::string_view(text).substr(0, end)), lines);
    }
    return {};
  }

  // YAML folds a message at blanks, a terminal anywhere: joins the number of lines that makes most of the message
  // known.
  auto best_of(std::string_view message, char quote, std::size_t at, std::size_t least) const
      -> std::pair<ParsedMessage, std::size_t> {
    if (quote != '\0') {
      if (auto in_quotes = quoted(message, quote, at)) return *std::move(in_quotes);
    }
    constexpr std::size_t kMostLines = 12;
    ParsedMessage best = parse_message(message);
    std::size_t lines = 1;
    std::string text(message);
    for (std::size_t next = at + 1; next < lines_.size() && next < at + kMostLines; ++next) {
      const std::string_view line = without_marks(lines_[next]);
      if (line.empty() || begins_another(lines_[next], is_open(best))) break;
      std::string longer = text + " " + std::string(line);
      ParsedMessage joined = parse_message(longer);
      // The line may have been broken in the middle of a word.
      std::string closer = text + std::string(line);
      if (ParsedMessage with = parse_message(closer); known_count(with) > known_count(joined)) {
        longer = std::move(closer);
        joined = std::move(with);
      }
      text = std::move(longer);
      const bool better = unknown_size(joined) <= unknown_size(best) && known_count(joined) > known_count(best);
      if (better || unknown_size(joined) < unknown_size(best) || lines < least) {
        best = std::move(joined);
        lines = next - at + 1;
      }
    }
    return {std::move(best), lines};
  }

  // Returns true if the line has a message of its own that does not continue the previous one.
  static auto begins_another(std::string_view line, bool open) -> bool {
    const Start start = start_of_message(line);
    if (!start.found()) return false;
    constexpr std::array kGoesOn = {MessagePart::preempting, MessagePart::filter, MessagePart::preemption,
                                    MessagePart::context};
    return !open && std::find(kGoesOn.begin(), kGoesOn.end(), start.part) == kGoesOn.end();
  }

  void add(ParsedMessage apart, std::size_t line, std::size_t lines, std::string_view before) {
    describe(apart, line, lines, before);
    const std::string key = apart.about + '\n' + apart.text;
    if (const auto known = index_.find(key); known != index_.end()) {
      out_.messages[known->second].lines.push_back(line + 1);
      return;
    }
    if (out_.messages.size() == kMostMessages) {
      ++out_.left_out;
      return;
    }
    apart.lines.push_back(line + 1);
    index_.emplace(key, out_.messages.size());
    out_.messages.push_back(std::move(apart));
  }

  // Adds `pod/train-0` and the reason that stand before the message or in the lines around it.
  void describe(ParsedMessage& apart, std::size_t line, std::size_t lines, std::string_view before) const {
    words_of(before, [&](std::string_view word) {
      const std::size_t slash = word.find('/');
      const std::string_view kind = word.substr(0, slash);
      if (slash != std::string_view::npos && slash + 1 < word.size() && !kind.empty() &&
          std::all_of(kind.begin(), kind.end(), [](char c) { return is_letter(c) || c == '.'; }))
        apart.about = word;
      find_reason(word, apart);
    });
    if (apart.reason != nullptr) return;
    constexpr std::size_t kAround = 4;
    const std::size_t from = line < kAround ? 0 : line - kAround;
    for (std::size_t i = from; i < std::min(lines_.size(), line + lines + kAround) && apart.reason == nullptr; ++i) {
      std::string_view other = without_blanks(lines_[i]);
      for (const std::string_view key : {"reason: ", "\"reason\": "}) {
        if (!other.starts_with(key)) continue;
        words_of(other.substr(key.size()), [&](std::string_view word) { find_reason(word, apart); });
      }
    }
  }

  static void find_reason(std::string_view word, ParsedMessage& apart) {
    for (const Messages& writer : catalogue().writers()) {
      const bool own = apart.writer == &writer;
      if (apart.reason != nullptr && !own) continue;
      for (const KnownReason& reason : writer.reasons) {
        if (reason.word == word) apart.reason = &reason;
      }
    }
  }

  static void words_of(std::string_view text, auto visit) {
    constexpr std::string_view kAround = " \t\r\"',|()[]=";
    while (!text.empty()) {
      const std::size_t begin = text.find_first_not_of(kAround);
      if (begin == std::string_view::npos) return;
      text.remove_prefix(begin);
      const std::size_t end = std::min(text.find_first_of(kAround), text.size());
      visit(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  std::vector<std::string_view> lines_;
  std::map<std::string, std::size_t> index_;
  MessagesOfText out_;
};

}  // namespace

auto ParsedMessage::complete() const -> bool {
  return std::all_of(pieces.begin(), pieces.end(), [](const MessagePiece& piece) { return piece.known != nullptr; });
}

auto parse_message(std::string_view message) -> ParsedMessage {
  constexpr std::size_t kLongest = 1U << 16U;
  ParsedMessage apart;
  apart.text = on_one_line(message.substr(0, kLongest));
  Reader(apart).read();
  find_release(apart);
  return apart;
}

auto messages_of_text(std::string_view text) -> MessagesOfText {
  return TextReader(text).read();
}

}  // namespace previct
