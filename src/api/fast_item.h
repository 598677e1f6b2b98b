#pragma once

#include "api/field_reader.h"
#include "api/kinds.h"
#include "api/objects.h"
#include "base/pool.h"
#include "input/cursor.h"
#include "input/documents.h"
#include "input/window.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

/// Common parts of the fast readers for YAML and JSON.
namespace previct::fast {

/// The type of an object.
struct TypeMeta {
  std::string_view api_version;
  std::string_view kind;
  bool of_list = false;  ///< taken from the enclosing list, because the object names no kind
  bool alone = false;    ///< the object is not in a list
};

/// Reads an object from the bytes of a dump.
template <class Cursor>
class BytesReader {
 public:
  BytesReader(Cursor& cursor, const TypeMeta& type, const Source& source, Objects& objects, Recent& recent)
      : cursor_(cursor), type_(type), source_(source), objects_(objects), recent_(recent) {}

  template <class T>
  auto decode(T& object) -> Result<void> {
    PREVICT_CHECK(read(object));
    if constexpr (std::is_same_v<T, Pod>) {
      object.spec.containers = recent_.shared(std::move(object.spec.containers));
      object.spec.volumes = recent_.shared(std::move(object.spec.volumes));
    }
    return {};
  }
  auto skip() -> Result<void> {
    each_field([&](std::string_view) { cursor_.skip(); });
    return outcome();
  }
  [[nodiscard]] auto source() const -> Source { return source_; }

 private:
  template <class T>
  auto read(T& object) -> Result<void> {
    FieldReader<Cursor> reader(cursor_, objects_.symbols, &recent_);
    const auto begin = cursor_.here();
    if (cursor_.read_by_pattern(object, &reader, objects_.symbols)) return {};
    if (cursor_.stop() == Stop::more) return fail({});
    object = T();
    cursor_.enter_object(begin);
    cursor_.record(object, [&] { each_field([&](std::string_view key) { reader.entry(key, object); }); });
    return outcome();
  }
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
  Recent& recent_;
};

/// Reserves capacity for the pods that follow, estimated from the pods that were read. Without it, growing their list
/// would temporarily double its memory.
class PodCapacity {
 public:
  /// `others`: as in TextPart.
  PodCapacity(Objects& objects, std::uint64_t others)
      : pods_(objects.pods.items()), before_(pods_.size()), others_(others) {}

  /// Called after each item; other items begin at the start of the window.
  void after_item(const Window& window) {
    const std::size_t count = pods_.size() - before_;
    if (count < 2) begin_ = window.left();
    if (count < kFew || pods_.size() < pods_.capacity()) return;
    const std::uint64_t left = window.left();
    const double each = static_cast<double>(begin_ - std::min(begin_, left)) / static_cast<double>(count - 1);
    const double expected =
        std::min(static_cast<double>(left + others_) / std::max(each, 1.0), static_cast<double>(count) * kMost);
    reserve_with_large_pages(pods_, pods_.size() + static_cast<std::size_t>(expected * kMore));
  }

 private:
  static constexpr std::size_t kFew = 4096;
  static constexpr std::size_t kMost = 128;  // factor on the number of pods that were read
  static constexpr double kMore = 1.02;

  std::vector<Pod>& pods_;
  std::size_t before_;
  std::uint64_t others_;
  std::uint64_t begin_ = 0;  // bytes left after the first item
};

/// The events of a text whose line `line` is line `real.line` of the input, starting at column `real.column`.
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
  [[nodiscard]] auto half_pair() const -> Place override { return source_->half_pair(); }

 private:
  std::unique_ptr<EventSource> source_;
  std::uint32_t line_;
  Place real_;
};

/// Forwards objects, but not the list that was added around them for parsing.
class ItemSink final : public ObjectSink {
 public:
  /// `typed`: the kind of the list is known. If it is not, an object without a kind is refused, because only a reader
  /// of the whole list knows its kind.
  ItemSink(ObjectSink& sink, bool typed) : sink_(sink), typed_(typed) {}
  auto take(const FoundObject& object) -> Result<void> override {
    if (!typed_ && object.tape.string(object.tape.find(object.index, "kind")).empty()) return fail({});
    return sink_.take(object);
  }
  void take_list(const EnclosingList& /*list*/) override { ++lists_; }
  [[nodiscard]] auto lists() const -> std::size_t { return lists_; }

 private:
  ObjectSink& sink_;
  bool typed_;
  std::size_t lists_ = 0;
};

/// The type of the object at the cursor. It is at the beginning of the object unless keys that sort before `kind`
/// precede it; then the object is read twice. The result refers to the text; it is empty if the type cannot be
/// determined.
template <class Cursor, class Enter>
auto type_of(Cursor& cursor, const Window& window, Enter enter) -> TypeMeta {
  TypeMeta type;
  enter();
  bool complete = false;
  cursor.each_entry([&](std::string_view key) {
    std::string_view* const text = key == "kind" ? &type.kind : key == "apiVersion" ? &type.api_version : nullptr;
    if (text == nullptr) return cursor.skip();
    const Scalar scalar = cursor.peek();
    // The text must not be in the cursor's buffer.
    const bool stays = scalar.text.data() >= window.begin() && scalar.text.data() < window.end();
    if (cursor.stopped() || !scalar.scalar || scalar.type != ScalarType::string || !stays) return cursor.unknown();
    *text = scalar.text;
    complete = !type.kind.empty() && !type.api_version.empty();
    if (complete) cursor.leave();
  });
  return complete ? type : TypeMeta{};
}

/// Returns false for nested lists, responses of the API server that are not objects, and configurations, which the
/// general reader handles.
inline auto is_read_fast(const TypeMeta& type) -> bool {
  return !type.kind.empty() && !is_list_kind(type.kind) && type.kind != "Status" && type.kind != "Table" &&
         type.kind != "KubeSchedulerConfiguration" && type.kind != "Configuration" && type.kind != "Assumptions";
}

}  // namespace previct::fast
