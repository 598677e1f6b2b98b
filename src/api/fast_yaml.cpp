#include "api/fast_item.h"
#include "api/fast_readers.h"
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

/// False if what `item` means may depend on the rest of the document, or if lines end in it that cannot be seen.
auto stands_alone(std::string_view item) -> bool {
  constexpr std::array<std::string_view, 9> kNever = {
      "&", "*", "!", "<<", "\r", "\t", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
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

  Window window_;
  FileId file_;
  Objects& objects_;
  ObjectSink& sink_;
  TextPart part_;
  Recent recent_;
  YamlCursor cursor_;
  std::uint32_t line_ = 1;
  std::size_t count_ = 0;
};

auto YamlListReader::read() -> std::optional<PartRead> {
  for (bool begun = !part_.from_front;; begun = false) {
    if (!begun && !head()) return {};
    for (;;) {
      if (window_.text().empty() && !window_.whole() && !window_.more()) return {};
      if (window_.text().empty()) return ended(!part_.to_end);
      if (*window_.begin() != '-') break;
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
  while (window_.text().size() < kHead.size() + 2) {
    if (!window_.more()) return false;
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
    if (!window_.more()) return false;
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
  BytesReader<YamlCursor> reader(cursor_, type, source, objects_, recent_);
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
        if (!window_.more()) return false;
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
  // A key of the list itself may begin with a dash, too.
  if (!item.starts_with("- ") && !item.starts_with("-\n")) return false;
  if (!stands_alone(item)) return false;
  std::string text(kHead);
  text += item;
  text += kTail;
  ShiftedSource source(yaml_source(text, file_), kHeadLines + 1, {file_, line_, 1});
  ItemSink sink(sink_, false);
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

auto yaml_shape(Window window) -> std::optional<ListShape> {
  if (!window.text().starts_with(kHead) || window.text().substr(kHead.size(), 2) != "- ") return {};
  return ListShape{.before_item = "\n- ", .first_item = kHead.size()};
}

}  // namespace previct::fast
