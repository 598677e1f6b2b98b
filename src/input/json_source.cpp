#include "input/json_source.h"

#include "base/text.h"
#include "input/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace previct {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kLogLine = "\n==== START logs for container ";  // a line feed never occurs within a JSON
                                                                           // string
constexpr std::string_view kLog = kLogLine.substr(1);

/// Describes the text without quoting it, because it may be a secret.
auto kind_of(std::string_view rest) -> std::string_view {
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity", "True", "False", "None", "undefined"}) {
    if (rest.starts_with(word)) return word;
  }
  const char c = rest.front();
  if (std::string_view("{}[],:").find(c) != std::string_view::npos) return rest.substr(0, 1);
  if (c == '"' || c == '\'') return "a quoted text";
  const std::string_view token = rest.substr(0, rest.find_first_of(" \t\r\n,:]}"));
  const bool digits = token.find_first_of("0123456789") != std::string_view::npos;
  return digits && token.find_first_not_of("+-.0123456789eE") == std::string_view::npos ? "a number" : "other text";
}

class JsonSource final : public EventSource {
 public:
  JsonSource(std::string_view text, FileId file) : text_(text), positions_(text, file) {}

  auto next() -> Result<Event> override;
  [[nodiscard]] auto half_pair() const -> Place override { return half_pair_; }

 private:
  enum class Expect : std::uint8_t { value, value_or_end, key, key_or_end, comma_or_end, end_of_document };

  auto check_encoding() -> Result<void>;
  auto skip_logs() -> Result<void>;
  void skip_farewell();
  void skip_marks();
  void skip_blanks();
  auto value() -> Result<Event>;
  auto key() -> Result<Event>;
  auto open(EventType type) -> Result<Event>;
  auto close() -> Event;
  auto string(Event& event) -> Result<void>;
  auto escape() -> Result<void>;
  auto hex4(char32_t& value) -> Result<void>;
  auto number(Event& event) -> Result<void>;
  auto word(Event& event) -> Result<void>;
  auto digits() -> std::size_t;
  void value_done();
  [[nodiscard]] auto at(std::size_t offset) const -> char { return offset < text_.size() ? text_[offset] : '\0'; }
  [[nodiscard]] auto event_here(EventType type) -> Event;
  [[nodiscard]] auto unexpected(std::string_view wanted) -> tl::unexpected<Failure>;

  std::string_view text_;
  Positions positions_;
  std::size_t at_ = 0;
  Place half_pair_;
  bool checked_ = false;
  Expect expect_ = Expect::value;
  std::vector<bool> maps_;  // for each open container: true if it is a map
  std::string scratch_;
  std::set<std::string> logs_;  // the containers whose logs were skipped
};

// Checks the encoding up to the next container log, which may be in any encoding.
auto JsonSource::check_encoding() -> Result<void> {
  checked_ = true;
  const std::string_view rest = text_.substr(at_);
  const auto log =
      std::search(rest.begin(), rest.end(), std::boyer_moore_horspool_searcher(kLogLine.begin(), kLogLine.end()));
  const std::string_view json = rest.substr(0, static_cast<std::size_t>(log - rest.begin()));
  const std::size_t valid = valid_utf8_size(json);
  if (valid == json.size()) return {};
  return fail("not valid UTF-8", positions_.at_byte(at_ + valid));
}

// `kubectl cluster-info dump` prints the log of each container between its lists. A log can contain anything, including
// text that looks like its own end and objects after it. Then some log has two beginnings or two ends, and the dump is
// refused.
auto JsonSource::skip_logs() -> Result<void> {
  for (; text_.substr(at_).starts_with(kLog); skip_blanks()) {
    const std::size_t feed = std::min(text_.find('\n', at_), text_.size());
    const std::string name(text_.substr(at_ + kLog.size(), feed - at_ - kLog.size()));
    const bool first = logs_.insert(name).second;
    const std::string end_mark = fmt::format("==== END logs for container {}", name);
    const std::size_t end = text_.find(end_mark, feed);
    if (!first || end == std::string_view::npos) {
      return fail(first ? fmt::format("cut short: the log of container {} has no end", name.substr(0, name.find(' ')))
                        : fmt::format("the log of container {} begins twice", name.substr(0, name.find(' '))),
                  positions_.at_byte(at_),
                  "kubectl cluster-info dump --output-directory=DIR writes logs to separate files");
    }
    at_ = end + end_mark.size();
    checked_ = false;
  }
  return checked_ ? Result<void>{} : check_encoding();
}

// Skips the last message of kubectl cluster-info dump, which older releases print after the dump itself.
void JsonSource::skip_farewell() {
  constexpr std::string_view kFarewell = "Cluster info dumped to standard output";
  if (!text_.substr(at_).starts_with(kFarewell)) return;
  const std::size_t rest = text_.find_first_not_of(kBlanks, at_ + kFarewell.size());
  if (rest == std::string_view::npos) at_ = text_.size();
}

// Skips lines of `---`. Kubernetes' own reader accepts them between JSON documents as between YAML documents, and
// scripts that join files write them. Source: apimachinery: pkg/util/yaml/decoder.go NewYAMLOrJSONDecoder.
void JsonSource::skip_marks() {
  constexpr std::string_view kMark = "---";
  while (text_.substr(at_).starts_with(kMark) && (at_ == 0 || text_[at_ - 1] == '\n')) {
    const std::size_t behind = at_ + kMark.size();
    if (behind < text_.size() && kBlanks.find(text_[behind]) == std::string_view::npos) return;
    at_ = behind;
    skip_blanks();
  }
}

void JsonSource::skip_blanks() {
  const std::size_t next = text_.find_first_not_of(kBlanks, at_);
  at_ = next == std::string_view::npos ? text_.size() : next;
}

auto JsonSource::event_here(EventType type) -> Event {
  const Place place = positions_.at_byte(at_);
  Event event;
  event.type = type;
  event.line = place.line;
  event.column = place.column;
  return event;
}

auto JsonSource::unexpected(std::string_view wanted) -> tl::unexpected<Failure> {
  const Place place = positions_.at_byte(at_);
  if (at_ >= text_.size()) {
    return fail(fmt::format("expected {}; unexpected end of the input, so it seems to be cut short", wanted), place);
  }
  const std::string_view rest = text_.substr(at_);
  if (rest.front() == '/' || rest.front() == '#') {
    return fail(fmt::format("expected {}, found a comment, which JSON does not have", wanted), place);
  }
  if (rest.front() == '\0') return fail(fmt::format("expected {}, found a NUL byte", wanted), place);
  return fail(fmt::format("expected {}, found {}", wanted, kind_of(rest)), place);
}

auto JsonSource::next() -> Result<Event> {
  if (!checked_) PREVICT_CHECK(check_encoding());
  if (expect_ == Expect::end_of_document) {
    expect_ = Expect::value;
    return event_here(EventType::end_document);
  }
  skip_blanks();
  if (maps_.empty()) {
    skip_marks();
    PREVICT_CHECK(skip_logs());
    skip_farewell();
  }
  if (maps_.empty()) return at_ == text_.size() ? Result<Event>(event_here(EventType::end_stream)) : value();
  const char end = maps_.back() ? '}' : ']';
  if (expect_ == Expect::comma_or_end) {
    if (at(at_) == end) return close();
    if (at(at_) != ',') return unexpected(maps_.back() ? "`,` or `}`" : "`,` or `]`");
    ++at_;
    skip_blanks();
    if (at(at_) == end) return unexpected(maps_.back() ? "a key after the comma" : "a value after the comma");
    expect_ = maps_.back() ? Expect::key : Expect::value;
  }
  const bool may_end = expect_ == Expect::key_or_end || expect_ == Expect::value_or_end;
  if (may_end && at(at_) == end) return close();
  if (expect_ == Expect::key || expect_ == Expect::key_or_end) return key();
  return value();
}

void JsonSource::value_done() {
  expect_ = maps_.empty() ? Expect::end_of_document : Expect::comma_or_end;
}

auto JsonSource::open(EventType type) -> Result<Event> {
  const Event event = event_here(type);
  if (maps_.size() == kMaxDepth) {
    return fail(fmt::format("nested more than {} levels deep", kMaxDepth), positions_.at_byte(at_));
  }
  maps_.push_back(type == EventType::begin_map);
  expect_ = type == EventType::begin_map ? Expect::key_or_end : Expect::value_or_end;
  ++at_;
  return event;
}

auto JsonSource::close() -> Event {
  const Event event = event_here(EventType::end);
  ++at_;
  maps_.pop_back();
  value_done();
  return event;
}

auto JsonSource::key() -> Result<Event> {
  if (at(at_) != '"') return unexpected("a quoted key");
  Event event = event_here(EventType::scalar);
  PREVICT_CHECK(string(event));
  skip_blanks();
  if (at(at_) != ':') return unexpected("`:` after the key");
  ++at_;
  expect_ = Expect::value;
  return event;
}

auto JsonSource::value() -> Result<Event> {
  const char first = at(at_);
  if (first == '{') return open(EventType::begin_map);
  if (first == '[') return open(EventType::begin_list);
  Event event = event_here(EventType::scalar);
  if (first == '"') {
    PREVICT_CHECK(string(event));
  } else if (first == '-' || (first >= '0' && first <= '9')) {
    PREVICT_CHECK(number(event));
  } else {
    PREVICT_CHECK(word(event));
  }
  value_done();
  return event;
}

// The text is a view of the input unless it has escapes.
auto JsonSource::string(Event& event) -> Result<void> {
  event.scalar = ScalarType::string;
  ++at_;
  std::size_t run = at_;
  bool copied = false;
  for (;; ++at_) {
    if (at_ >= text_.size()) return unexpected("the closing quote of a text");
    const char c = text_[at_];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) {
      return fail("a control character in a string; JSON requires an escape such as \\n", positions_.at_byte(at_));
    }
    if (c != '\\') continue;
    if (!copied) scratch_.clear();
    copied = true;
    scratch_ += text_.substr(run, at_ - run);
    ++at_;
    PREVICT_CHECK(escape());
    run = at_ + 1;
  }
  event.text = text_.substr(run, at_ - run);
  if (copied) {
    scratch_ += event.text;
    event.text = scratch_;
  }
  ++at_;
  return {};
}

// Decodes the escape whose letter is at the cursor; leaves the cursor on its last byte.
auto JsonSource::escape() -> Result<void> {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = at(at_);
  if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
    scratch_ += kMeanings[known];
    return {};
  }
  if (letter != 'u') return unexpected("an escape that JSON knows after the backslash");
  char32_t value = 0;
  PREVICT_CHECK(hex4(value));
  if (value >= 0xd800 && value < 0xdc00 && text_.substr(at_ + 1, 2) == "\\u") {
    const std::size_t first = at_;
    char32_t low = 0;
    at_ += 2;
    PREVICT_CHECK(hex4(low));
    if (low >= 0xdc00 && low < 0xe000) {
      value = 0x10000 + ((value - 0xd800) << 10U) + (low - 0xdc00);
    } else {
      at_ = first;
    }
  }
  // Half of a surrogate pair becomes the replacement character, as in Go.
  if (const bool half = value >= 0xd800 && value < 0xe000; half) {
    value = 0xfffd;
    if (half_pair_.line == 0) half_pair_ = positions_.at_byte(at_);
  }
  append_utf8(scratch_, value);
  return {};
}

auto JsonSource::hex4(char32_t& value) -> Result<void> {
  const std::string_view hex = text_.substr(at_ + 1, 4);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
  value = number;
  if (hex.size() != 4 || error != std::errc() || end != hex.data() + 4) {
    return unexpected("four hexadecimal digits in the escape");
  }
  at_ += 4;
  return {};
}

auto JsonSource::digits() -> std::size_t {
  const std::size_t begin = at_;
  while (at(at_) >= '0' && at(at_) <= '9') ++at_;
  return at_ - begin;
}

auto JsonSource::number(Event& event) -> Result<void> {
  const std::size_t begin = at_;
  event.scalar = ScalarType::integer;
  if (at(at_) == '-') ++at_;
  const bool zero = at(at_) == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) {
    at_ = begin;
    return unexpected(whole == 0 ? "a value" : "a number without leading zeros");
  }
  if (at(at_) == '.') {
    event.scalar = ScalarType::floating;
    ++at_;
    if (digits() == 0) return unexpected("digits after the point of a number");
  }
  if (at(at_) == 'e' || at(at_) == 'E') {
    event.scalar = ScalarType::floating;
    ++at_;
    if (at(at_) == '+' || at(at_) == '-') ++at_;
    if (digits() == 0) return unexpected("digits in the exponent of a number");
  }
  event.text = text_.substr(begin, at_ - begin);
  if (at_ < text_.size() && (kBlanks.find(text_[at_]) == std::string_view::npos) &&
      std::string_view(",]}{[\"").find(text_[at_]) == std::string_view::npos) {
    at_ = begin;
    return unexpected("a number");
  }
  return {};
}

auto JsonSource::word(Event& event) -> Result<void> {
  struct Word {
    std::string_view text;
    ScalarType type;
  };
  constexpr std::array<Word, 3> kWords = {
      {{"true", ScalarType::boolean}, {"false", ScalarType::boolean}, {"null", ScalarType::null}}};
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
  for (const Word& known : kWords) {
    if (text_.substr(at_, end - at_) != known.text) continue;
    event.scalar = known.type;
    event.text = known.text;
    at_ = end;
    return {};
  }
  return unexpected("a value");
}

}  // namespace

auto json_source(std::string_view text, FileId file) -> std::unique_ptr<EventSource> {
  return std::make_unique<JsonSource>(text, file);
}

}  // namespace previct
