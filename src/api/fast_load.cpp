#include "api/fast_load.h"

#include "api/field_reader.h"
#include "api/kinds.h"
#include "input/json_cursor.h"
#include "input/json_source.h"
#include "input/yaml_cursor.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <array>
#include <string>

namespace previct {
namespace {

constexpr std::string_view kHead = "apiVersion: v1\nitems:\n";
constexpr std::string_view kNoItems = "apiVersion: v1\nitems: []\n";
constexpr std::string_view kTail = "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
constexpr std::uint32_t kHeadLines = 2;

/// What an object says of itself.
struct TypeMeta {
  std::string_view api_version;
  std::string_view kind;
  bool of_list = false;  ///< taken from the list that it is in: the object names no kind
  bool alone = false;    ///< in no list
};

/// An object in the bytes of a dump.
template <class Cursor>
class BytesReader {
 public:
  BytesReader(Cursor& cursor, const TypeMeta& type, const Source& source, Objects& objects)
      : cursor_(cursor), type_(type), source_(source), objects_(objects) {}

  template <class T>
  auto decode(T& object) -> Result<void> {
    FieldReader<Cursor> reader(cursor_, objects_.symbols);
    const auto begin = cursor_.here();
    if (cursor_.read_alike(object, &reader)) return {};
    if (cursor_.stop() == Stop::more) return fail({});
    object = T();
    cursor_.enter_object(begin);
    cursor_.record(object, [&] { each_field([&](std::string_view key) { reader.entry(key, object); }); });
    return outcome();
  }
  auto skip() -> Result<void> {
    each_field([&](std::string_view) { cursor_.skip(); });
    return outcome();
  }
  [[nodiscard]] auto source() const -> Source { return source_; }

 private:
  template <class Visit>
  void each_field(Visit visit) {
    cursor_.each_entry([&](std::string_view key) {
      const bool kind = key == "kind";
      if (type_.alone && key == "items") return cursor_.unknown();
      if (!kind && key != "apiVersion") return visit(key);
      const Scalar scalar = cursor_.peek();
      const std::string_view known = kind ? type_.kind : type_.api_version;
      if (!scalar.scalar || scalar.text != known || (kind && type_.of_list)) cursor_.unknown();
    });
  }
  [[nodiscard]] auto outcome() const -> Result<void> {
    if (cursor_.stopped() || !cursor_.item_ended()) return fail({});
    return {};
  }

  Cursor& cursor_;
  const TypeMeta& type_;
  Source source_;
  Objects& objects_;
};

/// Events of a text whose line `line` is line `real.line` of the input, from column `real.column` on.
class ShiftedSource final : public EventSource {
 public:
  ShiftedSource(std::unique_ptr<EventSource> source, std::uint32_t line, Place real)
      : source_(std::move(source)), line_(line), real_(real) {}
  auto next() -> Result<Event> override {
    PREVICT_TRY(Event event, source_->next());
    if (event.line == line_) event.column += real_.column - 1;
    event.line += real_.line - line_;
    return event;
  }

 private:
  std::unique_ptr<EventSource> source_;
  std::uint32_t line_;
  Place real_;
};

/// Passes objects on, and leaves out the list that was made up around them.
class ItemSink final : public ObjectSink {
 public:
  explicit ItemSink(ObjectSink& sink) : sink_(sink) {}
  auto take(const FoundObject& object) -> Result<void> override { return sink_.take(object); }
  void take_list(const EnclosingList& /*list*/) override { ++lists_; }
  [[nodiscard]] auto lists() const -> std::size_t { return lists_; }

 private:
  ObjectSink& sink_;
  std::size_t lists_ = 0;
};

/// What the object at the cursor is. It stands in front, unless keys that sort before `kind` precede it: then the object
/// is read twice. Views of the text; empty if that cannot be told.
template <class Cursor, class Enter>
auto type_of(Cursor& cursor, const Window& window, Enter enter) -> TypeMeta {
  TypeMeta type;
  enter();
  bool complete = false;
  cursor.each_entry([&](std::string_view key) {
    std::string_view* const text = key == "kind" ? &type.kind : key == "apiVersion" ? &type.api_version : nullptr;
    if (text == nullptr) return cursor.skip();
    const Scalar scalar = cursor.peek();
    // Not in the cursor's buffer.
    const bool stays = scalar.text.data() >= window.begin() && scalar.text.data() < window.end();
    if (cursor.stopped() || !scalar.scalar || scalar.type != ScalarType::string || !stays) return cursor.unknown();
    *text = scalar.text;
    complete = !type.kind.empty() && !type.api_version.empty();
    if (complete) cursor.leave();
  });
  return complete ? type : TypeMeta{};
}

/// Lists within lists, what the API server says instead of objects, and configurations are left to the general path.
auto is_read_fast(const TypeMeta& type) -> bool {
  return !type.kind.empty() && !is_list_kind(type.kind) && type.kind != "Status" && type.kind != "KubeSchedulerConfiguration" &&
         type.kind != "Assumptions";
}

/// False if what `item` means may depend on the rest of the document, or if lines end in it that cannot be seen.
auto stands_alone(std::string_view item) -> bool {
  constexpr std::array<std::string_view, 9> kNever = {"&", "*", "!", "<<", "\r", "\t", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  return std::none_of(kNever.begin(), kNever.end(),
                      [&](std::string_view never) { return item.find(never) != std::string_view::npos; });
}

class YamlListReader {
 public:
  YamlListReader(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
      : window_(std::move(window)), file_(file), objects_(objects), sink_(sink), part_(part) {}

  auto read() -> std::optional<PartRead>;

 private:
  auto head() -> bool;
  auto item() -> bool;
  auto read_item() -> bool;
  auto read_item_generally() -> bool;
  auto tail() -> bool;
  [[nodiscard]] auto ended(bool well) const -> std::optional<PartRead> {
    return well ? std::optional(PartRead{count_, {file_, line_, 1}}) : std::nullopt;
  }
  [[nodiscard]] auto more() -> bool { return !window_.whole() && window_.more().has_value(); }

  Window window_;
  FileId file_;
  Objects& objects_;
  ObjectSink& sink_;
  TextPart part_;
  YamlCursor cursor_;
  std::uint32_t line_ = 1;
  std::size_t count_ = 0;
};

auto YamlListReader::read() -> std::optional<PartRead> {
  for (bool begun = !part_.from_front;; begun = false) {
    if (!begun && !head()) return {};
    for (;;) {
      if (window_.text().empty() && !window_.whole() && !more()) return {};
      if (window_.text().empty()) return ended(!part_.to_end);
      if (*window_.begin() != '-') break;
      if (!item()) return {};
    }
    if (!tail()) return {};
    if (window_.text().empty()) return ended(part_.to_end);
  }
}

auto YamlListReader::head() -> bool {
  while (window_.text().size() < kHead.size() + 2) {
    if (!more()) return false;
  }
  if (window_.text().substr(0, kHead.size()) != kHead || window_.text()[kHead.size()] != '-') return false;
  window_.advance(window_.begin() + kHead.size());
  line_ += kHeadLines;
  return true;
}

auto YamlListReader::item() -> bool {
  for (;;) {
    cursor_.enter(window_.begin(), window_.end(), window_.whole(), line_);
    if (read_item()) {
      ++objects_.read.fast;
      ++count_;
      window_.advance(cursor_.at());
      line_ = cursor_.line();
      return true;
    }
    if (cursor_.stop() != Stop::more) return read_item_generally();
    if (!more()) return false;
  }
}

auto YamlListReader::read_item() -> bool {
  if (!cursor_.at_element() || cursor_.column() != 0) return false;
  // What it is stands in front, unless keys that sort before `kind` precede it: then it is read twice.
  const Source source{file_, line_, 3};
  const auto enter = [&] {
    cursor_.enter(window_.begin(), window_.end(), window_.whole(), line_);
    cursor_.enter_element();
  };
  const TypeMeta type = type_of(cursor_, window_, enter);
  if (!is_read_fast(type)) return false;
  enter();
  BytesReader<YamlCursor> reader(cursor_, type, source, objects_);
  return !cursor_.stopped() && add_of_kind(reader, type.api_version, type.kind, true, objects_);
}

auto YamlListReader::read_item_generally() -> bool {
  // To the next line that begins with anything but a blank.
  std::size_t size = 0;
  std::uint32_t lines = 0;
  for (std::size_t at = 0;; at = size) {
    const std::size_t feed = window_.text().find('\n', at);
    if (feed == std::string_view::npos || feed + 1 == window_.text().size()) {
      if (!window_.whole()) {
        if (!more()) return false;
        size = at;
        continue;
      }
      if (feed == std::string_view::npos) return false;
    }
    size = feed + 1;
    ++lines;
    const char next = size < window_.text().size() ? window_.text()[size] : '-';
    if (next != ' ' && next != '\n') break;
  }
  const std::string_view item = window_.text().substr(0, size);
  if (!stands_alone(item)) return false;
  std::string text(kHead);
  text += item;
  text += kTail;
  ShiftedSource source(yaml_source(text, file_), kHeadLines + 1, {file_, line_, 1});
  ItemSink sink(sink_);
  const auto count = read_documents(source, file_, sink);
  if (!count || sink.lists() != 1) return false;
  objects_.read.general += *count;
  count_ += *count;
  line_ += lines;
  window_.advance(window_.begin() + size);
  return true;
}

/// What stands behind the items: of kubectl the kind and an empty resourceVersion; then perhaps another list.
auto YamlListReader::tail() -> bool {
  constexpr std::size_t kMaxTail = std::size_t{64} << 10U;
  constexpr std::string_view kBreak = "\n---\n";
  while (!window_.whole() && window_.text().size() < kMaxTail) {
    if (!more()) return false;
  }
  std::string_view rest = window_.text();
  const std::size_t cut = rest.find(kBreak);
  if (cut != std::string_view::npos) rest = rest.substr(0, cut + 1);
  if (rest.empty() || rest.size() >= kMaxTail || rest.back() != '\n') return false;
  if (cut == std::string_view::npos && !window_.whole()) return false;
  if (rest.find("\n...") != std::string_view::npos || rest.find("\n---") != std::string_view::npos) return false;
  std::string text(kNoItems);
  text += rest;
  const auto source = yaml_source(text, file_);
  const auto count = read_documents(*source, file_, sink_);
  if (!count || *count != 0) return false;
  const std::size_t size = rest.size() + (cut == std::string_view::npos ? 0 : 4);
  line_ += static_cast<std::uint32_t>(std::count(rest.begin(), rest.end(), '\n')) + (cut == std::string_view::npos ? 0 : 1);
  window_.advance(window_.begin() + size);
  return cut == std::string_view::npos || !window_.text().empty() || more();
}

/// JSON from front to back.
class JsonText {
 public:
  JsonText(Window window, FileId file) : window_(std::move(window)), file_(file) {}

  auto shape() -> std::optional<ListShape>;

 protected:
  /// Of the document at hand: what stands in front of the items, with the bracket; empty for an object.
  struct Head {
    std::string text;
    EnclosingList list;
  };
  auto head() -> bool;

  /// Calls `pass` with the cursor where the window begins, until it does not run out of text. False if it stops at
  /// anything else.
  template <class Pass>
  auto with_cursor(Pass pass) -> bool;
  /// The next byte that is no blank; 0 at the end.
  auto ahead() -> char;
  void enter() { cursor_.enter(window_.begin(), window_.end(), window_.whole(), lines_); }
  [[nodiscard]] auto passed() const -> std::string_view { return window_.text().substr(0, static_cast<std::size_t>(cursor_.at() - window_.begin())); }
  /// Where the window begins.
  [[nodiscard]] auto place() const -> Place {
    return {file_, lines_ + 1, static_cast<std::uint32_t>(offset_ - line_start_ + 1)};
  }
  /// Lets go of what the cursor has passed.
  void advance();
  [[nodiscard]] auto more() -> bool { return !window_.whole() && window_.more().has_value(); }

  Window window_;
  FileId file_;
  JsonCursor cursor_;
  Head head_;

 private:
  std::uint32_t lines_ = 0;        // before the window
  std::uint64_t offset_ = 0;       // of the window in the text
  std::uint64_t line_start_ = 0;   // of the line that the window begins in
};

/// Documents of JSON: lists with `items`, typed or not, and objects behind each other.
class JsonReader final : JsonText {
 public:
  JsonReader(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
      : JsonText(std::move(window), file), objects_(objects), sink_(sink), part_(part) {}

  auto read() -> std::optional<PartRead>;

 private:
  auto document() -> bool;
  auto rest_of_list() -> bool;
  auto items() -> bool;
  auto item() -> bool;
  auto read_item() -> bool;
  auto read_item_generally() -> bool;
  auto read_alone_generally() -> bool;
  auto tail() -> bool;

  Objects& objects_;
  ObjectSink& sink_;
  TextPart part_;
  std::size_t count_ = 0;
  bool goes_on_ = false;  // the part ended, but not the list
};

void JsonText::advance() {
  if (cursor_.line_begin() != nullptr) {
    line_start_ = offset_ + static_cast<std::uint64_t>(cursor_.line_begin() - window_.begin());
  }
  offset_ += passed().size();
  lines_ = cursor_.lines();
  window_.advance(cursor_.at());
}

template <class Pass>
auto JsonText::with_cursor(Pass pass) -> bool {
  for (;;) {
    enter();
    if (pass()) return true;
    cursor_.unknown();
    if (cursor_.stop() != Stop::more || !more()) return false;
  }
}

auto JsonText::ahead() -> char {
  for (;;) {
    enter();
    advance();
    if (!window_.text().empty()) return *window_.begin();
    if (!more()) return '\0';
  }
}

auto JsonReader::read() -> std::optional<PartRead> {
  const std::string_view list = part_.shape == nullptr ? std::string_view() : part_.shape->head;
  if (!part_.from_front && !list.empty()) {
    head_ = {part_.shape->head, part_.shape->list};
    if (!rest_of_list()) return {};
  }
  while (ahead() != '\0') {
    if (!document()) return {};
  }
  if (count_ == 0 || !window_.text().empty() || !window_.whole()) return {};
  // What comes next takes itself for the next item.
  const bool as_expected = part_.to_end ? !goes_on_ : (goes_on_ ? head_.text : "") == list;
  return as_expected ? std::optional(PartRead{count_, place()}) : std::nullopt;
}

auto JsonReader::document() -> bool {
  const bool behind_list = !head_.text.empty();
  if (!with_cursor([&] { return head(); })) return false;
  // An object alone is read a little differently from an item, and an item as its list says.
  if (behind_list || !head_.text.empty()) cursor_.forget_pattern();
  if (head_.text.empty()) return item();
  advance();
  return rest_of_list();
}

auto JsonReader::rest_of_list() -> bool {
  return items() && (goes_on_ || tail());
}

// Up to the items of a list, or to the kind of an object that is none.
auto JsonText::head() -> bool {
  head_ = {};
  bool known = false;
  cursor_.each_entry([&](std::string_view key) {
    if (key == "items") {
      if (!cursor_.take('[')) return cursor_.unknown();
      known = true;
      head_.text = passed();
      return cursor_.leave();
    }
    if (key != "kind" && key != "apiVersion") return cursor_.skip();
    const Scalar scalar = cursor_.peek();
    if (cursor_.stopped() || !scalar.scalar || scalar.type != ScalarType::string) return cursor_.unknown();
    (key == "kind" ? head_.list.kind : head_.list.api_version) = scalar.text;
    known = key == "kind" && !is_list_kind(scalar.text);
    if (known) cursor_.leave();
  });
  return known;
}

// The items after the first look as it does: in a line of its own, or, without lines, by its first key.
auto JsonText::shape() -> std::optional<ListShape> {
  if (ahead() == '\0' || !with_cursor([&] { return head(); })) return {};
  if (head_.text.empty()) return ListShape{.before_item = "\n{", .first_item = offset_};
  advance();
  const std::string_view text = window_.text();
  const std::size_t brace = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t feed = text.substr(0, brace).rfind('\n');
  const std::size_t key_end = text.find("\":", brace);
  if (text.substr(brace, 1) != "{" || key_end == std::string_view::npos) return {};
  return ListShape{.before_item = feed == std::string_view::npos
                                      ? "," + std::string(text.substr(brace, key_end + 2 - brace))
                                      : std::string(text.substr(feed, brace + 1 - feed)),
                   .first_item = offset_ + brace,
                   .head = head_.text,
                   .list = head_.list};
}

auto JsonReader::items() -> bool {
  const auto pass = [&](char c) { return ahead() == c && with_cursor([&] { return cursor_.take(c); }); };
  if (pass(']')) {
    advance();
    return true;
  }
  for (;;) {
    if (!item()) return false;
    const bool end = ahead() == ']';
    if (!pass(end ? ']' : ',')) return false;
    advance();
    if (end) return true;
    goes_on_ = !part_.to_end && ahead() == '\0';
    if (goes_on_) return true;
  }
}

auto JsonReader::item() -> bool {
  if (ahead() != '{') return false;
  if (with_cursor([&] { return read_item(); })) {
    ++objects_.read.fast;
    ++count_;
    advance();
    return true;
  }
  return head_.text.empty() ? read_alone_generally() : read_item_generally();
}

auto JsonReader::read_item() -> bool {
  const std::string_view kind = item_kind(head_.list);
  const bool in_list = !head_.text.empty();
  TypeMeta type{head_.list.api_version, kind, true};
  if (!in_list || kind.empty()) {
    type = type_of(cursor_, window_, [&] { enter(); });
    if (type.kind.empty()) return false;
    enter();
  }
  if (!is_read_fast(type)) return false;
  type.alone = !in_list;
  const Place at = place();
  BytesReader<JsonCursor> reader(cursor_, type, {file_, at.line, at.column}, objects_);
  return add_of_kind(reader, type.api_version, type.kind, in_list, objects_).has_value();
}

auto JsonReader::read_alone_generally() -> bool {
  const auto pass = [&] {
    cursor_.skip();
    return !cursor_.stopped();
  };
  if (!with_cursor(pass)) return false;
  const std::string text(passed());
  ShiftedSource source(json_source(text, file_), 1, place());
  const auto count = read_documents(source, file_, sink_);
  if (!count || *count != 1) return false;
  ++objects_.read.general;
  ++count_;
  advance();
  return true;
}

auto JsonReader::read_item_generally() -> bool {
  const auto pass = [&] {
    cursor_.skip();
    return !cursor_.stopped();
  };
  if (!with_cursor(pass)) return false;
  std::string text = head_.text;
  const auto line = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 2);
  text += '\n';
  text += passed();
  text += head_.list.kind.empty() ? "],\"kind\":\"List\"}" : "]}";
  ShiftedSource source(json_source(text, file_), line, place());
  ItemSink sink(sink_);
  const auto count = read_documents(source, file_, sink);
  if (!count || sink.lists() != 1) return false;
  objects_.read.general += *count;
  count_ += *count;
  advance();
  return true;
}

/// The rest of a list behind its items, which tells whether it is whole.
auto JsonReader::tail() -> bool {
  const auto pass = [&] {
    cursor_.pass_rest_of_map();
    return !cursor_.stopped();
  };
  if (!with_cursor(pass)) return false;
  const std::string text = head_.text + "]" + std::string(passed());
  const auto count = read_documents(*json_source(text, file_), file_, sink_);
  if (!count || *count != 0) return false;
  advance();
  return true;
}

}  // namespace

auto list_shape(ByteSource& source) -> std::optional<ListShape> {
  Window text(source, std::size_t{64} << 10U);
  if (!text.more()) return {};
  if (looks_like_json(text.text())) return JsonText(std::move(text), FileId{}).shape();
  if (!text.text().starts_with(kHead) || text.text().substr(kHead.size(), 2) != "- ") return {};
  return ListShape{.before_item = "\n- ", .first_item = kHead.size()};
}

auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part, std::size_t window)
    -> std::optional<PartRead> {
  Window text(source, window);
  if (!text.more()) return {};
  // In the midst of a list, YAML has the dash of an item.
  const bool json = part.from_front ? looks_like_json(text.text()) : !text.text().starts_with('-');
  if (json) return JsonReader(std::move(text), file, objects, sink, part).read();
  return YamlListReader(std::move(text), file, objects, sink, part).read();
}

}  // namespace previct
