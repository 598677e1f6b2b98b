#include "api/fast_load.h"

#include "api/field_reader.h"
#include "api/kinds.h"
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
    each_field([&](std::string_view key) {
      if (!reader.field(key, object)) cursor_.skip();
    });
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
    cursor_.each_entry([&](std::string_view key) { visit(key); });
  }
  [[nodiscard]] auto outcome() const -> Result<void> {
    if (cursor_.stopped() || cursor_.column() > 0) return fail({});
    return {};
  }

  Cursor& cursor_;
  const TypeMeta& type_;
  Source source_;
  Objects& objects_;
};

/// Events with other line numbers.
class ShiftedSource final : public EventSource {
 public:
  ShiftedSource(std::unique_ptr<EventSource> source, std::uint32_t lines) : source_(std::move(source)), lines_(lines) {}
  auto next() -> Result<Event> override {
    PREVICT_TRY(Event event, source_->next());
    event.line += lines_;
    return event;
  }

 private:
  std::unique_ptr<EventSource> source_;
  std::uint32_t lines_;
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

/// False if what `item` means may depend on the rest of the document, or if lines end in it that cannot be seen.
auto stands_alone(std::string_view item) -> bool {
  constexpr std::array<std::string_view, 9> kNever = {"&", "*", "!", "<<", "\r", "\t", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  return std::none_of(kNever.begin(), kNever.end(),
                      [&](std::string_view never) { return item.find(never) != std::string_view::npos; });
}

class YamlListReader {
 public:
  YamlListReader(Window window, FileId file, Objects& objects, ObjectSink& sink)
      : window_(std::move(window)), file_(file), objects_(objects), sink_(sink) {}

  auto read() -> std::optional<std::size_t>;

 private:
  auto head() -> bool;
  auto item() -> bool;
  auto read_item() -> bool;
  auto read_item_generally() -> bool;
  auto tail() -> bool;
  [[nodiscard]] auto more() -> bool { return !window_.whole() && window_.more().has_value(); }

  Window window_;
  FileId file_;
  Objects& objects_;
  ObjectSink& sink_;
  YamlCursor cursor_;
  std::uint32_t line_ = 1;
  std::size_t count_ = 0;
};

auto YamlListReader::read() -> std::optional<std::size_t> {
  if (!window_.more()) return {};
  do {
    if (!head()) return {};
    for (;;) {
      if (window_.text().empty() && !more()) return {};
      if (*window_.begin() != '-') break;
      if (!item()) return {};
    }
    if (!tail()) return {};
  } while (!window_.text().empty());
  return count_;
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
  TypeMeta type;
  YamlCursor& cursor = cursor_;
  const Source source{file_, line_, 3};
  const auto enter = [&] {
    cursor.enter(window_.begin(), window_.end(), window_.whole(), line_);
    cursor.enter_element();
  };
  enter();
  bool complete = false;
  cursor.each_entry([&](std::string_view key) {
    std::string_view* const text = key == "kind" ? &type.kind : key == "apiVersion" ? &type.api_version : nullptr;
    if (text == nullptr) return cursor.skip();
    const Scalar scalar = cursor.peek();
    // A view of the text, not of the cursor's buffer.
    const bool simple = scalar.scalar && scalar.type == ScalarType::string && scalar.text.data() >= window_.begin() &&
                        scalar.text.data() < window_.end();
    if (!simple) return cursor.unknown();
    *text = scalar.text;
    complete = !type.kind.empty() && !type.api_version.empty();
    if (complete) cursor.unknown();
  });
  if (!complete) return false;
  const bool list = type.kind.size() >= 4 && type.kind.substr(type.kind.size() - 4) == "List";
  if (list || type.kind == "Status") return false;
  enter();
  BytesReader<YamlCursor> reader(cursor, type, source, objects_);
  return !cursor.stopped() && add_of_kind(reader, type.api_version, type.kind, true, objects_);
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
  ShiftedSource source(yaml_source(text, file_), line_ - 1 - kHeadLines);
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

}  // namespace

auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink, std::size_t window)
    -> std::optional<std::size_t> {
  return YamlListReader(Window(source, window), file, objects, sink).read();
}

}  // namespace previct
