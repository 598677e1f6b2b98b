#include "api/fast_item.h"
#include "api/fast_readers.h"
#include "input/json_cursor.h"
#include "input/json_source.h"

#include <algorithm>
#include <string>

namespace previct::fast {
namespace {

/// Reads JSON sequentially.
class JsonText {
 public:
  JsonText(Window window, FileId file) : window_(std::move(window)), file_(file) {}

  auto shape() -> std::optional<ListShape>;

 protected:
  /// The beginning of the current document up to the items, including the bracket, or all of it; empty for a single
  /// object.
  struct Head {
    std::string text;
    EnclosingList list;

    [[nodiscard]] auto is_array() const -> bool { return text.starts_with('['); }
  };
  auto head() -> bool;

  /// Calls `pass` with the cursor at the beginning of the window, with more text if necessary. Returns false if the
  /// cursor stops for another reason.
  template <class Pass>
  auto with_cursor(Pass pass) -> bool;
  /// The next byte that is not a blank; 0 at the end.
  auto ahead() -> char;
  void enter() {
    const auto column = static_cast<std::size_t>(offset_ - line_start_);
    cursor_.enter(window_.begin(), window_.end(), window_.whole(), lines_, column);
  }
  [[nodiscard]] auto passed() const -> std::string_view {
    return window_.text().substr(0, static_cast<std::size_t>(cursor_.at() - window_.begin()));
  }
  /// The place of the beginning of the window.
  [[nodiscard]] auto place() const -> Place {
    return {file_, lines_ + 1, static_cast<std::uint32_t>(offset_ - line_start_ + 1)};
  }
  /// Releases the text that the cursor has passed.
  void advance();

  Window window_;
  FileId file_;
  JsonCursor cursor_;
  Head head_;

 private:
  std::uint32_t lines_ = 0;       // number of lines before the window
  std::uint64_t offset_ = 0;      // offset of the window in the text
  std::uint64_t line_start_ = 0;  // offset of the line in which the window begins
};

/// Reads documents of JSON: lists with `items`, typed or untyped, and objects in sequence.
class JsonReader final : JsonText {
 public:
  JsonReader(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
      : JsonText(std::move(window), file), objects_(objects), sink_(sink), part_(part), room_(objects, part.others) {
    if (!part.patterns) cursor_.use_no_patterns();
  }

  auto read() -> std::optional<PartRead>;

 private:
  auto document() -> bool;
  auto rest_of_list() -> bool;
  auto items() -> bool;
  auto item() -> bool;
  auto read_item() -> bool;
  auto read_item_generally() -> bool;
  auto pass_value() -> bool;
  auto read_alone_generally() -> bool;
  auto tail() -> bool;

  Objects& objects_;
  ObjectSink& sink_;
  TextPart part_;
  PodCapacity room_;
  Recent recent_;
  std::size_t count_ = 0;
  bool goes_on_ = false;                         // the part has ended, but the list continues
  FallbackReason why_ = FallbackReason::syntax;  // why the current item is not read by this reader
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
    if (cursor_.stop() != Stop::more || !window_.more()) return false;
  }
}

auto JsonText::ahead() -> char {
  for (;;) {
    enter();
    advance();
    if (!window_.text().empty()) return *window_.begin();
    if (!window_.more()) return '\0';
  }
}

auto JsonReader::read() -> std::optional<PartRead> {
  const bool in_list = part_.shape != nullptr && !part_.shape->head.empty();
  if (in_list && !part_.from_front) {
    head_ = {part_.shape->head, part_.shape->list};
    if (!rest_of_list()) return {};
  }
  while (ahead() != '\0') {
    if (!document()) return {};
  }
  if (count_ == 0 || !window_.text().empty() || !window_.whole()) return {};
  // The next part assumes that it begins with another item of the same list.
  const bool as_expected =
      part_.to_end ? !goes_on_ : (goes_on_ ? head_.text : "") == (in_list ? part_.shape->head : "");
  return as_expected ? std::optional(PartRead{count_, place()}) : std::nullopt;
}

auto JsonReader::document() -> bool {
  const bool behind_list = !head_.text.empty();
  if (!with_cursor([&] { return head(); })) return false;
  // Patterns of single objects and of items of different lists are not interchangeable.
  if (behind_list || !head_.text.empty()) cursor_.forget_patterns();
  if (head_.text.empty()) return item();
  advance();
  return rest_of_list();
}

auto JsonReader::rest_of_list() -> bool {
  return items() && (goes_on_ || tail());
}

// Reads up to the items of a list, or to the kind of an object that is not a list.
auto JsonText::head() -> bool {
  head_ = {};
  if (cursor_.take('[')) {
    head_.text = passed();
    return true;
  }
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

// Further items look like the first: on a line of their own or, without lines, starting with the same key.
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
  const bool map = ahead() == '{';
  if (!map && head_.text.empty()) return false;
  if (map && with_cursor([&] { return read_item(); })) {
    ++objects_.read.fast;
    ++count_;
    advance();
    room_.after_item(window_);
    return true;
  }
  if (!map) why_ = FallbackReason::kind;
  return head_.text.empty() ? read_alone_generally() : read_item_generally();
}

auto JsonReader::read_item() -> bool {
  const std::string_view kind = item_kind(head_.list);
  const bool in_list = !head_.text.empty() && !head_.is_array();
  TypeMeta type{head_.list.api_version, kind, true};
  if (!in_list || kind.empty()) {
    type = type_of(cursor_, window_, [&] { enter(); });
    why_ = FallbackReason::kind;
    if (type.kind.empty()) return false;
    enter();
  }
  if (!is_read_fast(type)) return false;
  type.alone = !in_list;
  const Place at = place();
  BytesReader<JsonCursor> reader(cursor_, type, {file_, at.line, at.column}, objects_, recent_);
  const bool read = add_of_kind(reader, type.api_version, type.kind, in_list, objects_).has_value();
  why_ = cursor_.why();
  return read;
}

auto JsonReader::pass_value() -> bool {
  return with_cursor([&] {
    cursor_.skip();
    return !cursor_.stopped();
  });
}

auto JsonReader::read_alone_generally() -> bool {
  if (!pass_value()) return false;
  const std::string text(passed());
  ShiftedSource source(json_source(text, file_), 1, place());
  const auto count = read_documents(source, file_, sink_);
  if (!count || *count != 1 || source.half_pair().line > 0) return false;
  ++objects_.read.general;
  ++objects_.read.of(why_).objects;
  ++count_;
  advance();
  return true;
}

auto JsonReader::read_item_generally() -> bool {
  if (!pass_value()) return false;
  std::string text = head_.text;
  const auto line = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 2);
  text += '\n';
  text += passed();
  text += head_.is_array() ? "]" : head_.list.kind.empty() ? "],\"kind\":\"List\"}" : "]}";
  ShiftedSource source(json_source(text, file_), line, place());
  ItemSink sink(sink_, head_.is_array() || !head_.list.kind.empty());
  const auto count = read_documents(source, file_, sink);
  if (!count || sink.lists() != 1 || source.half_pair().line > 0) return false;
  objects_.read.general += *count;
  objects_.read.of(why_).objects += *count;
  count_ += *count;
  advance();
  return true;
}

/// Reads the rest of a list after its items, which shows whether the list is complete.
auto JsonReader::tail() -> bool {
  const auto pass = [&] {
    if (!head_.is_array()) cursor_.pass_rest_of_map();
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

auto read_json(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
    -> std::optional<PartRead> {
  return JsonReader(std::move(window), file, objects, sink, part).read();
}

auto json_shape(Window window) -> std::optional<ListShape> {
  return JsonText(std::move(window), FileId{}).shape();
}

}  // namespace previct::fast
