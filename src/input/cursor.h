#pragma once

#include "base/symbols.h"
#include "input/events.h"
#include "input/handover.h"
#include "input/line_scan.h"
#include "input/pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {
// NOLINTBEGIN(misc-no-recursion): as deep as the described types

/// A scalar as a cursor presents it.
struct Scalar {
  ScalarType type = ScalarType::null;
  std::string_view text;  ///< as Event::text
  bool scalar = true;     ///< false: the value is a list or a map
};

/// The reason why a cursor in the bytes of a dump has stopped.
enum class Stop : std::uint8_t {
  no,
  more,    ///< the end of the available text, but not of the input
  unknown  ///< text that only the general reader can read reliably
};

/// The keys of the open maps, for the detection of duplicate keys.
class OpenKeys {
 public:
  class Map {
   public:
    explicit Map(OpenKeys& open) : open_(open), begin_(open.keys_.size()) {}
    Map(const Map&) = delete;
    auto operator=(const Map&) -> Map& = delete;
    ~Map() { open_.keys_.resize(begin_); }

    /// Returns false if `key` was added before, or if the map has too many keys to search. Most keys are distinguished
    /// by one bit, a hash of their length and their first, middle and last characters.
    [[nodiscard]] auto add(std::string_view key) -> bool {
      if (size() == kMost) return false;
      const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(key[i])); };
      const unsigned hash = key.empty() ? 0
                                        : at(0) * 5 + at(key.size() / 2) * 11 + at(key.size() - 1) +
                                              static_cast<unsigned>(key.size()) * 7;
      const std::uint64_t bit = std::uint64_t{1} << (hash & 63U);
      if ((seen_ & bit) != 0 && contains(key)) return false;
      seen_ |= bit;
      open_.keys_.push_back(key);
      return true;
    }
    [[nodiscard]] auto size() const -> std::size_t { return open_.keys_.size() - begin_; }

   private:
    static constexpr std::size_t kMost = 512;

    [[nodiscard]] auto contains(std::string_view key) const -> bool {
      for (std::size_t i = begin_; i < open_.keys_.size(); ++i) {
        if (open_.keys_[i] == key) return true;
      }
      return false;
    }

    OpenKeys& open_;
    std::size_t begin_;
    std::uint64_t seen_ = 0;
  };

 private:
  std::vector<std::string_view> keys_;
};

/// A value in the bytes of a dump that was read without errors.
struct RepeatedText {
  std::string_view text;
  std::uint32_t lines = 0;  ///< number of line ends in it
  int context = 0;          ///< what else its meaning depends on
};

/// Reads objects that are similar to earlier ones. Replicas differ in little more than names and times, so
/// read_by_pattern() compares a whole object with the last one of the same shape, and reads only the fields whose bytes
/// differ. An unread value is compared with the last value of the same key.
///
/// A derived cursor provides
///   begin_repeat() -> mark           the start of a value
///   repeated(mark) -> RepeatedText   the value from the mark to the current position; empty if it is not to be kept
///   pass_same(text)                  skips the current value if it equals this one byte by byte
///   here() -> Here                   the current position, between values
///   enter_object(here)               moves to the object that begins there
///   key_at(key) -> Part              the part of a key that was just read and of its value
///   element_at() -> Part             the part of a list element that is read next
///   resume(part, here) -> key        reads the key of the part, which begins there
///   finish(here, begin)              moves to the end of the object that begins at `begin` and ends at `here`
///   simple_end(value, text)          the end of a scalar that is easy to delimit; null: not one; `text`: a string only
///   one_scalar(part, first)          true if the value of this part, with first character `first`, is such a scalar
///   scalar_text(value, end) -> text  the probable text of such a scalar
///   enter_scalar(value, end) -> bool     moves to a simple scalar, in order to read it alone; false if it is null
///   start_again()                    clears the stop; the position is undefined
///   ends_word(at)                    true if a scalar that ends in a word may end there
///   shape() -> number                a hash that objects with the same fields probably share; stops if the text ends
///                                   within the object
template <class Cursor>
class PatternReader {
 public:
  // --- What only the general reader reads, or reports with its place.

  void mismatch(std::string_view /*what*/) { leave(FallbackReason::other_type); }
  void large_quantity(std::string_view /*text*/) { leave(FallbackReason::other_type); }
  template <class T>
  void embedded(T& /*out*/) {
    leave(FallbackReason::embedded);
  }
  template <class T>
  void remember(T& /*out*/) {
    leave(FallbackReason::embedded);
  }
  void misspelt_field(std::string_view /*meant*/) { leave(FallbackReason::syntax); }
  template <class T>
  void unknown_field(std::string_view /*key*/, T& /*out*/) {}

  // --- Patterns.

  /// Reads every object in full from now on, for comparison.
  void use_no_patterns() { enabled_ = false; }
  /// Reads `object` with `read`, and keeps it as the pattern for later objects.
  template <class T, class Read>
  void record(T& object, Read read) {
    if (!enabled_) return read();
    if (pause_ > 0) --pause_;
    if (pause_ > 0 || !is_worth_keeping(tag_of<T>())) return read();
    Cursor& cursor = static_cast<Cursor&>(*this);
    pattern_ = &pattern_for<T>(shape_);
    pattern_->clear();
    pattern_->stale = false;
    const Here begin = cursor.here();
    origin_ = begin;
    open_ = {{Part::kNone, reinterpret_cast<const std::byte*>(&object), sizeof object}};
    recording_ = true;
    read();
    recording_ = false;
    if (cursor.stopped() || !cursor.item_ended()) return pattern_->clear();
    const Here end = cursor.here();
    pattern_->keep({begin.at, static_cast<std::size_t>(end.at - begin.at)}, end.line - begin.line);
    static_cast<PatternOf<T>&>(*pattern_).object = object;
  }
  void forget_patterns() {
    patterns_.clear();
    shapes_.clear();
  }

  /// Reads `object` as a copy of the pattern's object, and then reads the parts whose bytes differ. Returns false if
  /// that is not possible, or if the cursor stopped; then the contents of `object` and the position of the cursor are
  /// undefined. `symbols`: the symbols of the objects that are read.
  template <class T>
  [[nodiscard]] auto read_by_pattern(T& object, void* reader, const Symbols& symbols) -> bool {
    if (!enabled_) return false;
    symbols_ = &symbols;
    shape_ = static_cast<Cursor&>(*this).shape();
    if (static_cast<Cursor&>(*this).stopped()) return false;
    pattern_ = known_pattern(tag_of<T>(), shape_);
    if (pattern_ == nullptr || pattern_->empty() || pattern_->stale) return false;
    pattern_->prefetch();
    object = static_cast<const PatternOf<T>&>(*pattern_).object;
    if (read_parts(reinterpret_cast<std::byte*>(&object), reader)) {
      misses_ = 0;
      return true;
    }
    if (static_cast<Cursor&>(*this).stop() == Stop::more) return false;
    // If objects of the same shape are rarely similar, patterns cost more than they save.
    pattern_->stale = true;
    pause_ = ++misses_ < 2 ? 0 : 1U << std::min(misses_, 5U);
    return false;
  }

  /// Records that a key of an object was read and its value follows. Call close_part() after the value.
  [[nodiscard]] auto open_part(std::string_view key) -> std::uint32_t {
    if (!recording_) return Part::kNone;
    return pattern_->open(static_cast<Cursor&>(*this).key_at(key, origin_));
  }
  /// As open_part(), for an element of a list.
  [[nodiscard]] auto open_scalar() -> std::uint32_t {
    if (!recording_) return Part::kNone;
    return pattern_->open(static_cast<Cursor&>(*this).element_at(origin_));
  }
  void close_part(std::uint32_t index, Part::Use use, const void* holder, Part::Read read) {
    if (index == Part::kNone) return;
    const Here here = static_cast<Cursor&>(*this).here();
    Part& part = pattern_->part(index);
    part.end = static_cast<std::uint32_t>(here.at - origin_.at);
    part.end_lines = here.line - origin_.line;
    part.use = use;
    const auto offset = offset_in(open_.back(), holder);
    if (!offset && !part.is_skipped()) part.use = Part::Use::fixed;
    part.element = open_.back().element;
    part.offset = offset.value_or(0);
    part.read = read;
    pattern_->close(index);
  }

  /// Records that an element of `list` is being read into `element`.
  [[nodiscard]] auto open_element(const void* list, const void* element, std::size_t size) -> std::uint32_t {
    const auto offset = recording_ ? offset_in(open_.back(), list) : std::nullopt;
    if (!offset) return Part::kNone;
    const std::uint32_t index = pattern_->add({.outer = open_.back().element, .list = *offset});
    open_.push_back({index, static_cast<const std::byte*>(element), size});
    return index;
  }
  /// `index`: its position in the list, or kDropped.
  void close_element(std::uint32_t element, std::size_t index, Element::At at, Element::Read read) {
    if (element == Part::kNone) return;
    Element& closed = pattern_->element(element);
    closed.index = static_cast<std::uint32_t>(index);
    closed.at = at;
    closed.read = read;
    open_.pop_back();
  }

 protected:
  /// A position, and the number of line ends before it, counted from an arbitrary line.
  struct Here {
    const char* at = nullptr;
    std::uint32_t line = 0;
  };

  void begin_item() { recording_ = false; }
  /// Stops recording, because what follows is not read from the bytes of the object. Pass the result to
  /// go_on_recording().
  [[nodiscard]] auto pause_recording() -> bool { return std::exchange(recording_, false); }
  void go_on_recording(bool recording) { recording_ = recording; }

  /// Skips a value by `skip`, or by comparison with the last value of the same key. `key`: a hash of that key.
  template <class Skip>
  void skip_repeated(std::size_t key, Skip skip) {
    Cursor& cursor = static_cast<Cursor&>(*this);
    Text& last = skipped_[key % kMostSkipped];
    if (!last.text.empty() && cursor.pass_same(last.view())) return;
    const auto mark = cursor.begin_repeat();
    skip();
    last.keep(cursor.repeated(mark));
  }

 private:
  static constexpr std::size_t kMostSkipped = 64;  // number of keys
  static constexpr std::size_t kMaxText = 8192;    // bytes of a value

  void leave(FallbackReason why) { static_cast<Cursor&>(*this).unknown(why); }

  struct Text {
    std::string text;
    std::uint32_t lines = 0;
    int context = 0;

    [[nodiscard]] auto view() const -> RepeatedText { return {text, lines, context}; }
    auto keep(const RepeatedText& last) -> bool {
      text.clear();
      if (last.text.empty() || last.text.size() > kMaxText) return false;
      text = last.text;
      lines = last.lines;
      context = last.context;
      return true;
    }
  };
  struct AnyPattern : Pattern {
    explicit AnyPattern(const void* of) : tag(of) {}
    AnyPattern(const AnyPattern&) = delete;
    auto operator=(const AnyPattern&) -> AnyPattern& = delete;
    virtual ~AnyPattern() = default;
    const void* tag;
    bool stale = false;  ///< other objects are more similar to what follows
  };
  template <class T>
  struct PatternOf final : AnyPattern {
    using AnyPattern::AnyPattern;
    T object;
  };

  /// The object, or the list element in it, that is being read.
  struct Open {
    std::uint32_t element;
    const std::byte* at;
    std::size_t size;
  };
  static auto offset_in(const Open& open, const void* address) -> std::optional<std::uint32_t> {
    const auto* const at = static_cast<const std::byte*>(address);
    if (std::less<>()(at, open.at) || !std::less<>()(at, open.at + open.size)) return {};
    return static_cast<std::uint32_t>(at - open.at);
  }

  auto read_parts(std::byte* object, void* reader) -> bool;
  /// Skips the parts of Pattern::varying(), from `next` on, that are simple scalars or words and have no difference
  /// before them. Returns the index of the first part that was not skipped.
  auto pass_varying(std::size_t next, std::byte* object, void* reader, std::uint32_t& last) -> std::size_t;
  /// Fills `found_` with the parts for pass_varying().
  auto find_varying(std::size_t next) -> std::size_t;
  /// The start, in the new bytes, of a part that contains or follows the compared bytes.
  [[nodiscard]] auto begin_of(const Part& part) const -> Here;
  void pass_to_end(const Part& part, const Here& here) { passed_.push_back({part.end, part.end_lines, here}); }

  /// Reads one part again. Returns false if the part alone is not enough.
  auto read_part(const Part& part, std::byte* object, void* reader, const Here& begin) -> bool;
  auto read_member(const Part& part, std::string_view key, std::byte* object, void* reader) -> bool;
  /// As read_part(), for a part whose value is a simple scalar, which ends at `scalar_end_`; unread values are skipped.
  /// Returns false if the new value is of another kind.
  auto pass_scalar(const Part& part, std::string_view text, std::byte* object, void* reader, const char* begin) -> bool;
  auto read_scalar(const Part& part, std::string_view text, std::byte* object, void* reader, const char* value,
                   const char* end) -> bool;
  /// The list that holds the element; null if it is in an element that was dropped.
  auto list_of(const Element& element, std::byte* object) const -> std::byte*;
  [[nodiscard]] auto is_in_dropped(const Element& element) const -> bool {
    if (element.outer == Part::kNone) return false;
    const Element& outer = pattern_->element(element.outer);
    return outer.index == Element::kDropped || is_in_dropped(outer);
  }

  template <class T>
  static auto tag_of() -> const void* {
    static constexpr char kTag = 0;
    return &kTag;
  }

  auto known_pattern(const void* tag, std::uint32_t shape) const -> AnyPattern* {
    for (auto at = shapes_.begin(); (at = std::find(at, shapes_.end(), shape)) != shapes_.end(); ++at) {
      AnyPattern* const known = patterns_[static_cast<std::size_t>(at - shapes_.begin())].get();
      if (known->tag == tag) return known;
    }
    return nullptr;
  }
  /// The pattern for this type and shape; creates one, which replaces the oldest if there are many.
  template <class T>
  auto pattern_for(std::uint32_t shape) -> AnyPattern& {
    if (AnyPattern* const known = known_pattern(tag_of<T>(), shape)) return *known;
    auto added = std::make_unique<PatternOf<T>>(tag_of<T>());
    if (patterns_.size() < kMostPatterns) {
      shapes_.push_back(shape);
      return *patterns_.emplace_back(std::move(added));
    }
    const std::size_t place = replaced_++ % kMostPatterns;
    shapes_[place] = shape;
    patterns_[place] = std::move(added);
    return *patterns_[place];
  }
  /// Returns true if the pattern is worth keeping: shapes that occur only once gain nothing from it.
  auto is_worth_keeping(const void* tag) -> bool {
    if (patterns_.size() < kMostAtOnce || known_pattern(tag, shape_) != nullptr) return true;
    return std::exchange(seen_[shape_ % seen_.size()], shape_) == shape_;
  }

  static constexpr std::size_t kMostPatterns = 128;
  static constexpr std::size_t kMostAtOnce = 16;  // patterns of shapes that were not seen before
  std::array<Text, kMostSkipped> skipped_;
  std::vector<std::unique_ptr<AnyPattern>> patterns_;
  std::vector<std::uint32_t> shapes_;  // the shapes of `patterns_`
  std::size_t replaced_ = 0;
  std::array<std::uint32_t, 256> seen_{};  // shapes that have no pattern
  AnyPattern* pattern_ = nullptr;          // the pattern of the current object
  std::uint32_t shape_ = 0;
  unsigned misses_ = 0;  // number of misses in a row
  unsigned pause_ = 0;   // number of objects to read before the next one becomes a pattern
  bool enabled_ = true;
  bool recording_ = false;
  Here origin_;             // while a pattern is recorded: where its object begins
  std::vector<Open> open_;  // … and what is being read, the innermost last
  // While a pattern is used: positions after what was read, in both texts. From there, the new text continues like the
  // pattern.
  struct Passed {
    std::uint32_t at;  // position in the pattern, like `lines`
    std::uint32_t lines;
    Here here;
  };
  std::vector<Passed> passed_;
  struct Found {
    std::uint32_t varying;  // index into Pattern::varying()
    bool changed;           // … and the value is read
    const char* value;
    const char* end;
  };
  std::vector<Found> found_;
  const Symbols* symbols_ = nullptr;
  const char* scalar_end_ = nullptr;
};

// The bytes between two parts that differ are equal in both texts, and with them everything that determines where the
// preceding values end and how the following ones are read. Parts that differed once are likely to differ again, so
// they are read without searching for the difference.
template <class Cursor>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): runs for every object
auto PatternReader<Cursor>::read_parts(std::byte* object, void* reader) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  Pattern& pattern = *pattern_;
  const std::string_view text = pattern.text();
  const Here begin = cursor.here();
  passed_.assign(1, {0, 0, begin});
  std::uint32_t searched = Part::kNone;
  std::uint32_t last = Part::kNone;  // the part that was read last, if it ends here
  std::size_t again = 0;             // number of bytes that were read again
  std::size_t next = 0;              // the next of the parts that differed before
  // All indexes refer to the pattern.
  const Part* const parts = pattern.parts().data();
  for (;;) {
    next = pass_varying(next, object, reader, last);
    const auto [at, lines, here] = passed_.back();
    const std::size_t left = std::min<std::size_t>(text.size() - at, static_cast<std::size_t>(cursor.end() - here.at));
    const std::size_t same = same_size(here.at, text.data() + at, left);
    if (same == text.size() - at) {
      // The following objects may be more similar to this one.
      if (again > text.size() / 2) pattern_->stale = true;
      return cursor.finish({here.at + same, here.line + (pattern.lines() - lines)}, begin);
    }
    if (here.at + same == cursor.end()) {
      cursor.out_of_text();
      return false;
    }
    searched = pattern.part_at(static_cast<std::uint32_t>(at + same), searched);
    std::uint32_t index = searched;
    if (same == 0 && last != Part::kNone) {
      index = parts[last].outer;  // reading that part again was not enough
    } else if (index != Part::kNone && at + same < parts[index].end) {
      const Part& part = parts[index];
      if (cursor.one_scalar(part, text[part.value]) && pass_scalar(part, text, object, reader, begin_of(part).at)) {
        pass_to_end(part, {scalar_end_, here.line + (part.end_lines - lines)});
        last = part.is_skipped() ? Part::kNone : index;
        next = pattern.varies(index);
        continue;
      }
      const char* const now = here.at + same;
      const char* const then = text.data() + at + same;
      const WordRest rest = part.is_skipped() ? rest_of_word(now, then) : WordRest{};
      const bool anything = part.use == Part::Use::skipped || !cursor.one_scalar(part, text[part.value]);
      if (rest && anything && cursor.ends_word(now + rest.now) && cursor.ends_word(then + rest.then)) {
        const auto differs = static_cast<std::uint32_t>(at + same);
        const auto behind = static_cast<std::uint32_t>(differs + rest.then);
        passed_.push_back({behind, lines, {now + rest.now, here.line}});
        last = Part::kNone;
        next = pattern.word_varies(differs, behind);
        continue;
      }
    }
    Here from;
    for (;; index = parts[index].outer) {
      while (index != Part::kNone && !parts[index].is_read_alone()) index = parts[index].outer;
      if (index == Part::kNone) return false;
      from = begin_of(parts[index]);
      if (read_part(parts[index], object, reader, from)) break;
      if (cursor.stop() == Stop::more) return false;
    }
    pass_to_end(parts[index], cursor.here());
    again += static_cast<std::size_t>(cursor.here().at - from.at);
    last = index;
  }
}

// First finds all of the parts and then reads them, so that their symbols are prefetched in the meantime.
template <class Cursor>
auto PatternReader<Cursor>::pass_varying(std::size_t next, std::byte* object, void* reader, std::uint32_t& last)
    -> std::size_t {
  next = find_varying(next);
  const std::string_view text = pattern_->text();
  auto [at, lines, here] = passed_.back();
  for (const Found& found : found_) {
    const auto& [part, index] = pattern_->varying()[found.varying];
    const bool read = index != Part::kNone && !part.is_skipped();
    if (read && found.changed && !read_scalar(part, text, object, reader, found.value, found.end)) return found.varying;
    here.at = found.end;
    if (index != Part::kNone) {
      here.line += part.end_lines - lines;
      lines = part.end_lines;
    }
    at = part.end;
    last = read ? index : Part::kNone;
    passed_.push_back({at, lines, here});
  }
  return next;
}

template <class Cursor>
auto PatternReader<Cursor>::find_varying(std::size_t next) -> std::size_t {
  Cursor& cursor = static_cast<Cursor&>(*this);
  found_.clear();
  const std::string_view text = pattern_->text();
  const std::span<const Pattern::Varying> varying = pattern_->varying();
  const char* const text_end = cursor.end();
  std::size_t at = passed_.back().at;
  const char* here = passed_.back().here.at;
  for (; next < varying.size(); ++next) {
    const Part& part = varying[next].part;
    if (part.value < at) continue;  // inside a part that was already read
    const std::size_t same = part.value - at;
    if (static_cast<std::size_t>(text_end - here) <= same) break;
    if (std::memcmp(here, text.data() + at, same) != 0) break;
    const char* const value = here + same;
    const char* end = nullptr;
    bool changed = false;
    if (varying[next].is_word()) {
      // The text before the word is the same.
      const std::size_t size = same == 0 ? 0 : varying_word_size(value);
      if (size == 0 || !cursor.ends_word(value + size)) break;
      end = value + size;
    } else {
      end = cursor.simple_end(value, part.use == Part::Use::text);
      if (end == nullptr) break;
      const auto size = static_cast<std::size_t>(end - value);
      changed = !part.is_skipped() &&
                (size != part.end - part.value || std::memcmp(value, text.data() + part.value, size) != 0);
      if (changed) symbols_->expect(cursor.scalar_text(value, end));
    }
    found_.push_back({static_cast<std::uint32_t>(next), changed, value, end});
    here = end;
    at = part.end;
  }
  return next;
}

template <class Cursor>
auto PatternReader<Cursor>::begin_of(const Part& part) const -> Here {
  const auto before =
      std::find_if(passed_.rbegin(), passed_.rend(), [&](const Passed& passed) { return passed.at <= part.begin; });
  return {before->here.at + (part.begin - before->at), before->here.line + (part.begin_lines - before->lines)};
}

template <class Cursor>
auto PatternReader<Cursor>::read_part(const Part& part, std::byte* object, void* reader, const Here& begin) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  cursor.start_again();
  const std::string_view key = cursor.resume(part, begin);
  if (cursor.stopped()) return false;
  if (part.is_skipped()) {
    part.use == Part::Use::text ? cursor.skip_string() : cursor.skip();
    return !cursor.stopped();
  }
  // A null value would leave the copied value in place.
  return !cursor.is_null() && read_member(part, key, object, reader);
}

template <class Cursor>
auto PatternReader<Cursor>::read_member(const Part& part, std::string_view key, std::byte* object, void* reader)
    -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  if (part.element == Part::kNone) {
    part.read(reader, key, object + part.offset);
    return !cursor.stopped();
  }
  const Element& element = pattern_->element(part.element);
  // A dropped element has no data in the list. The list stays as it is, because others may share it.
  if (element.index == Element::kDropped) {
    return !is_in_dropped(element) && element.read(reader, key, nullptr, element.index, part) && !cursor.stopped();
  }
  std::byte* const list = list_of(element, object);
  return list != nullptr && element.read(reader, key, list, element.index, part) && !cursor.stopped();
}

template <class Cursor>
auto PatternReader<Cursor>::pass_scalar(const Part& part, std::string_view text, std::byte* object, void* reader,
                                        const char* begin) -> bool {
  if (part.use == Part::Use::fixed) return false;
  const char* const value = begin + (part.value - part.begin);
  scalar_end_ = static_cast<Cursor&>(*this).simple_end(value, part.use == Part::Use::text);
  if (scalar_end_ == nullptr || part.is_skipped()) return scalar_end_ != nullptr;
  return read_scalar(part, text, object, reader, value, scalar_end_);
}

template <class Cursor>
auto PatternReader<Cursor>::read_scalar(const Part& part, std::string_view text, std::byte* object, void* reader,
                                        const char* value, const char* end) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  cursor.start_again();
  return (part.key_size != 0 || part.use == Part::Use::element) && cursor.enter_scalar(value, end) &&
         read_member(part, text.substr(part.key, part.key_size), object, reader);
}

template <class Cursor>
auto PatternReader<Cursor>::list_of(const Element& element, std::byte* object) const -> std::byte* {
  if (element.outer == Part::kNone) return object + element.list;
  const Element& outer = pattern_->element(element.outer);
  std::byte* const list = outer.index == Element::kDropped ? nullptr : list_of(outer, object);
  return list == nullptr ? nullptr : static_cast<std::byte*>(outer.at(list, outer.index)) + element.list;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct
