#include "api/fast_item.h"
#include "api/fast_readers.h"
#include "input/quick_yaml.h"
#include "input/yaml_cursor.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <array>
#include <string>

namespace previct::fast {
namespace {

constexpr std::string_view kHead = "apiVersion: v1\nitems:\n";
constexpr std::string_view kNoItems = "apiVersion: v1\nitems: []\n";
constexpr std::string_view kTail = "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
constexpr std::uint32_t kHeadLines = 2;

/// Returns false if the meaning of `item` in the list `text` may depend on the rest of the document, or if it has line
/// ends that the fast reader does not recognize.
auto stands_alone(std::string_view item, std::string_view text) -> bool {
  QuickYaml quick(text, ScalarText::resolved);
  Event event;
  while (quick.next(event)) {
    if (event.type == EventType::end_stream) return true;
  }
  constexpr std::array<std::string_view, 9> kNever = {
      "&", "*", "!", "<<", "\r", "\t", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  return std::none_of(kNever.begin(), kNever.end(),
                      [&](std::string_view never) { return item.find(never) != std::string_view::npos; });
}

class YamlListReader {
 public:
  YamlListReader(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
      : window_(std::move(window)),
        file_(file),
        objects_(objects),
        sink_(sink),
        part_(part),
        room_(objects, part.others) {
    if (!part.patterns) cursor_.use_no_patterns();
  }

  auto read() -> std::optional<PartRead>;

 private:
  auto head() -> bool;
  /// Returns true if an item probably begins here: there is a dash in its column.
  auto at_item() -> bool;
  void enter() { cursor_.enter(window_.begin(), window_.end(), window_.whole(), line_, static_cast<int>(base_)); }
  auto item() -> bool;
  auto read_item() -> bool;
  /// Reads the type of the item at the cursor; empty if it cannot be determined. Moves the cursor past the dash.
  auto type_of_item() -> TypeMeta;
  /// Returns true if the current item continues with the line at `at`. None if more text is needed.
  [[nodiscard]] auto goes_on(std::size_t at) const -> std::optional<bool>;
  auto read_item_generally() -> bool;
  auto tail() -> bool;
  [[nodiscard]] auto ended(bool well) const -> std::optional<PartRead> {
    return well ? std::optional(PartRead{count_, {file_, line_, 1}}) : std::nullopt;
  }

  Window window_;
  FileId file_;
  Objects& objects_;
  ObjectSink& sink_;
  TextPart part_;
  PodCapacity room_;
  Recent recent_;
  YamlCursor cursor_;
  FallbackReason why_ = FallbackReason::syntax;  // why the current item is not read by this reader
  std::string type_text_;                        // the beginning of the last item, up to the end of its type
  std::string api_version_;
  std::string kind_;
  std::size_t base_ = 0;  // column of the dashes; some tools indent lists
  std::uint32_t line_ = 1;
  std::size_t count_ = 0;
};

/// The maximum number of blanks before the dash of an item.
constexpr std::size_t kMostIndent = 8;

auto YamlListReader::read() -> std::optional<PartRead> {
  if (!part_.from_front) base_ = part_.shape->before_item.size() - std::string_view("\n- ").size();
  for (bool begun = !part_.from_front;; begun = false) {
    if (!begun && !head()) return {};
    for (;;) {
      if (window_.text().empty() && !window_.whole() && !window_.more()) return {};
      if (window_.text().empty()) return ended(!part_.to_end);
      if (!at_item()) break;
      if (!item()) return {};
    }
    if (!tail()) return {};
    if (window_.text().empty()) return ended(part_.to_end);
  }
}

auto YamlListReader::head() -> bool {
  constexpr std::string_view kMark = "---\n";
  while (window_.text().size() < kMark.size() && window_.more()) {
  }
  if (window_.text().starts_with(kMark)) {
    window_.advance(window_.begin() + kMark.size());
    ++line_;
  }
  while (window_.text().size() < kHead.size() + kMostIndent) {
    if (!window_.more()) return false;
  }
  base_ = window_.text().find_first_not_of(' ', kHead.size()) - kHead.size();
  if (!window_.text().starts_with(kHead) || base_ >= kMostIndent) return false;
  if (window_.text()[kHead.size() + base_] != '-') return false;
  window_.advance(window_.begin() + kHead.size());
  line_ += kHeadLines;
  return true;
}

auto YamlListReader::at_item() -> bool {
  while (window_.text().size() <= base_ && window_.more()) {
  }
  return window_.text().find_first_not_of(' ') == base_ && window_.text()[base_] == '-';
}

auto YamlListReader::item() -> bool {
  for (;;) {
    enter();
    if (read_item()) {
      ++objects_.read.fast;
      objects_.read.of(FallbackReason::flow).values += cursor_.values().flow;
      objects_.read.of(FallbackReason::scalar).values += cursor_.values().scalars;
      objects_.read.of(FallbackReason::syntax).values += cursor_.values().others;
      ++count_;
      window_.advance(cursor_.at());
      line_ = cursor_.line();
      room_.after_item(window_);
      return true;
    }
    if (cursor_.stop() != Stop::more) return read_item_generally();
    if (!window_.more()) return false;
  }
}

auto YamlListReader::read_item() -> bool {
  why_ = FallbackReason::syntax;
  if (!cursor_.at_element() || cursor_.column() != static_cast<int>(base_)) return false;
  why_ = FallbackReason::kind;
  const TypeMeta type = type_of_item();
  if (!is_read_fast(type)) return false;
  const Source source{file_, line_, static_cast<std::uint32_t>(cursor_.column() + 1)};
  BytesReader<YamlCursor> reader(cursor_, type, source, objects_, recent_);
  const bool read = !cursor_.stopped() && add_of_kind(reader, type.api_version, type.kind, true, objects_);
  why_ = cursor_.why();
  return read;
}

// The type is at the beginning, usually with the same text as in the previous item, unless keys that sort before `kind`
// precede it; then the item is read twice.
auto YamlListReader::type_of_item() -> TypeMeta {
  if (!type_text_.empty() && window_.text().starts_with(type_text_)) {
    cursor_.enter_element();
    return {api_version_, kind_};
  }
  const auto enter_item = [&] {
    enter();
    cursor_.enter_element();
  };
  const TypeMeta type = type_of(cursor_, window_, enter_item);
  type_text_.clear();
  if (type.kind.empty()) return {};
  api_version_ = type.api_version;
  kind_ = type.kind;
  // The first character of the next line shows whether the last value continues there, so it is included.
  const char* const behind = cursor_.at() + cursor_.column() + 1;
  if (cursor_.column() >= 0) type_text_.assign(window_.begin(), behind);
  enter_item();
  return {api_version_, kind_};
}

auto YamlListReader::goes_on(std::size_t at) const -> std::optional<bool> {
  const std::size_t token = window_.text().find_first_not_of(' ', at);
  if (token == std::string_view::npos) return window_.whole() ? std::optional(false) : std::nullopt;
  const char first = window_.text()[token];
  return token - at > base_ || first == '\n' || first == '#';
}

auto YamlListReader::read_item_generally() -> bool {
  // Up to the next line that is not indented further than the dash.
  std::size_t size = 0;
  std::uint32_t lines = 0;
  for (std::size_t at = 0;; at = size) {
    const std::size_t feed = window_.text().find('\n', at);
    const auto more = feed == std::string_view::npos ? std::nullopt : goes_on(feed + 1);
    if (!more) {
      if (window_.whole() || !window_.more()) return false;
      size = at;
      continue;
    }
    size = feed + 1;
    ++lines;
    if (!*more) break;
  }
  const std::string_view item = window_.text().substr(0, size);
  // A key of the list itself may begin with a dash, too.
  if (!item.substr(base_).starts_with("- ") && !item.substr(base_).starts_with("-\n")) return false;
  std::string text(kHead);
  text += item;
  text += kTail;
  if (!stands_alone(item, text)) return false;
  ShiftedSource source(yaml_source(text, file_), kHeadLines + 1, {file_, line_, 1});
  ItemSink sink(sink_, false);
  const auto count = read_documents(source, file_, sink);
  if (!count || sink.lists() != 1) return false;
  objects_.read.general += *count;
  objects_.read.of(why_).objects += *count;
  count_ += *count;
  line_ += lines;
  window_.advance(window_.begin() + size);
  return true;
}

/// Reads the text after the items: in kubectl's lists the kind and an empty resourceVersion, and possibly another list.
auto YamlListReader::tail() -> bool {
  constexpr std::size_t kMaxTail = std::size_t{64} << 10U;
  constexpr std::string_view kBreak = "\n---\n";
  while (!window_.whole() && window_.text().size() < kMaxTail) {
    if (!window_.more()) return false;
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
  line_ +=
      static_cast<std::uint32_t>(std::count(rest.begin(), rest.end(), '\n')) + (cut == std::string_view::npos ? 0 : 1);
  window_.advance(window_.begin() + size);
  return cut == std::string_view::npos || !window_.text().empty() || window_.more();
}

}  // namespace

auto read_yaml(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
    -> std::optional<PartRead> {
  return YamlListReader(std::move(window), file, objects, sink, part).read();
}

auto yaml_shape(const Window& window) -> std::optional<ListShape> {
  if (!window.text().starts_with(kHead)) return {};
  const std::size_t dash = window.text().find_first_not_of(' ', kHead.size());
  if (dash == std::string_view::npos || dash - kHead.size() >= kMostIndent) return {};
  if (window.text().substr(dash, 2) != "- ") return {};
  return ListShape{.before_item = "\n" + std::string(dash - kHead.size(), ' ') + "- ", .first_item = dash};
}

}  // namespace previct::fast
