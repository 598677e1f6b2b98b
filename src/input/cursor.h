#pragma once

#include "base/symbols.h"
#include "input/events.h"
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

/// A scalar as a cursor shows it.
struct Scalar {
  ScalarType type = ScalarType::null;
  std::string_view text;  ///< as Event::text
  bool scalar = true;     ///< false: it is a list or a map
};

/// Why a cursor in the bytes of a dump stands still.
enum class Stop : std::uint8_t {
  no,
  more,    ///< the text ends here, but not the input
  unknown  ///< something that only the general path is trusted to read
};

/// The keys of the maps that are open, to notice one that stands twice.
class OpenKeys {
 public:
  class Map {
   public:
    explicit Map(OpenKeys& open) : open_(open), begin_(open.keys_.size()) {}
    Map(const Map&) = delete;
    auto operator=(const Map&) -> Map& = delete;
    ~Map() { open_.keys_.resize(begin_); }

    /// False if `key` was added before, or if there are so many that looking for it takes long. Most keys are told
    /// apart by one bit of their length and ends.
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

/// A value in the bytes of a dump, found to be in order.
struct RepeatedText {
  std::string_view text;
  std::uint32_t lines = 0;  ///< line ends in it
  int context = 0;          ///< what else its meaning depends on
};

/// Replicas differ in little more than names and times: read_alike() compares a whole object with the last one of the
/// same shape, and reads only the fields whose bytes differ. A value that nobody wants is compared with the last one of
/// its key.
///
/// A cursor derived from it has
///   begin_repeat() -> mark           where it begins
///   repeated(mark) -> RepeatedText   the value that began there and was passed; empty if it is not to be kept
///   pass_same(text)                  passes the value at hand if it is this one, to the byte
///   here() -> Here                   where it stands, between values
///   enter_object(here)               stands on the object that begins there
///   key_at(key) -> Part              of a key just read, and its value to come
///   element_at() -> Part             of an element to come
///   resume(part, here) -> key        reads the key of the part, which begins there
///   finish(here, begin)              stands behind the object that ends there
///   simple_end(value, text)          behind a scalar that is easily told to end there; null: another. `text`: a string
///   one_scalar(part, first)          is the value of this part, which begins with `first`, a scalar for that?
///   scalar_text(value, behind) -> text  what such a scalar says, most likely
///   stand_on(value, behind) -> bool  stands on a simple scalar, to read that alone; not null
///   start_again()                    is no longer stopped, and stands nowhere
///   ends_word(at)                    does a scalar end there, as far as a word in it can tell?
///   shape() -> number                that objects with the same fields are likely to have in common; stops if the text
///                                    ends in the midst of the object
template <class Cursor>
class Repeating {
 public:
  /// Reads `object` by `read`, and keeps it as the pattern of those behind it.
  template <class T, class Read>
  void record(T& object, Read read) {
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

  /// Reads `object` as the pattern's, but for the parts whose bytes differ. False if they differ in more, or if the
  /// cursor stopped; then nothing is known of `object`, and the cursor stands anywhere. `symbols`: of what is read.
  template <class T>
  [[nodiscard]] auto read_alike(T& object, void* reader, const Symbols& symbols) -> bool {
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
    // Where objects of a shape are seldom alike, patterns cost more than they save.
    pattern_->stale = true;
    pause_ = ++misses_ < 2 ? 0 : 1U << std::min(misses_, 5U);
    return false;
  }

  /// A key of an object was read, and its value is to come; close_part() when that is passed.
  [[nodiscard]] auto open_part(std::string_view key) -> std::uint32_t {
    if (!recording_) return Part::kNone;
    return pattern_->open(static_cast<Cursor&>(*this).key_at(key, origin_));
  }
  /// The same of an element of a list.
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

  /// An element of `list` is read into `element`.
  [[nodiscard]] auto open_element(const void* list, const void* element, std::size_t size) -> std::uint32_t {
    const auto offset = recording_ ? offset_in(open_.back(), list) : std::nullopt;
    if (!offset) return Part::kNone;
    const std::uint32_t index = pattern_->add({.outer = open_.back().element, .list = *offset});
    open_.push_back({index, static_cast<const std::byte*>(element), size});
    return index;
  }
  /// `index`: where it is in the list now; or kDropped.
  void close_element(std::uint32_t element, std::size_t index, Element::At at, Element::Read read) {
    if (element == Part::kNone) return;
    Element& closed = pattern_->element(element);
    closed.index = static_cast<std::uint32_t>(index);
    closed.at = at;
    closed.read = read;
    open_.pop_back();
  }

 protected:
  /// A position, and the line ends before it, counted from anywhere.
  struct Here {
    const char* at = nullptr;
    std::uint32_t line = 0;
  };

  void begin_item() { recording_ = false; }
  /// What is read next is no part of the object's bytes as they stand; returns what to go on with behind it.
  [[nodiscard]] auto pause_recording() -> bool { return std::exchange(recording_, false); }
  void go_on_recording(bool recording) { recording_ = recording; }

  /// `key`: a number of the key of the value at hand.
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
  static constexpr std::size_t kMostSkipped = 64;  // keys
  static constexpr std::size_t kMaxText = 8192;    // bytes of a value

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
    bool stale = false;  ///< others have more in common with what comes
  };
  template <class T>
  struct PatternOf final : AnyPattern {
    using AnyPattern::AnyPattern;
    T object;
  };

  /// What is being read: the object, or an element of a list in it.
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
  /// Passes those of Pattern::varying(), from `next` on, that are simple scalars or words and have nothing before them
  /// that differs. Returns the next one.
  auto pass_varying(std::size_t next, std::byte* object, void* reader, std::uint32_t& last) -> std::size_t;
  /// Fills `found_` with them.
  auto find_varying(std::size_t next) -> std::size_t;
  /// Where a part begins, in the new bytes, that holds what was compared or stands behind it.
  [[nodiscard]] auto begin_of(const Part& part) const -> Here;
  void pass_to_end(const Part& part, const Here& here) { passed_.push_back({part.end, part.end_lines, here}); }

  /// Reads one part again. False if that takes more than the part.
  auto read_part(const Part& part, std::byte* object, void* reader, const Here& begin) -> bool;
  auto read_member(const Part& part, std::string_view key, std::byte* object, void* reader) -> bool;
  /// The same of a part whose value is a simple scalar, which ends at `scalar_end_`; what nobody wants is passed. False
  /// if the new value is of another kind.
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
  /// A new one in the place of the oldest, if there are many.
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
  /// Of shapes that come only once there is nothing to be gained.
  auto is_worth_keeping(const void* tag) -> bool {
    if (patterns_.size() < kMostAtOnce || known_pattern(tag, shape_) != nullptr) return true;
    return std::exchange(seen_[shape_ % seen_.size()], shape_) == shape_;
  }

  static constexpr std::size_t kMostPatterns = 128;
  static constexpr std::size_t kMostAtOnce = 16;  // patterns of shapes that were not seen before
  std::array<Text, kMostSkipped> skipped_;
  std::vector<std::unique_ptr<AnyPattern>> patterns_;
  std::vector<std::uint32_t> shapes_;  // of those
  std::size_t replaced_ = 0;
  std::array<std::uint32_t, 256> seen_{};  // shapes that have no pattern
  AnyPattern* pattern_ = nullptr;          // of the object at hand
  std::uint32_t shape_ = 0;
  unsigned misses_ = 0;  // in a row
  unsigned pause_ = 0;   // objects to be read without keeping one as a pattern
  bool recording_ = false;
  Here origin_;             // while it is made: where the object begins
  std::vector<Open> open_;  // and what is being read, the innermost last
  // While it is used: places behind what was read, in both texts; the new one goes on there as the pattern does.
  struct Passed {
    std::uint32_t at;  // in the pattern, as its lines
    std::uint32_t lines;
    Here here;
  };
  std::vector<Passed> passed_;
  struct Found {
    std::uint32_t varying;  // its place in the list
    bool changed;           // and is wanted
    const char* value;
    const char* end;
  };
  std::vector<Found> found_;
  const Symbols* symbols_ = nullptr;
  const char* scalar_end_ = nullptr;
};

// What stands between two parts that differ is the same in both, to the byte, and with it all that decides where the
// values before it end and how those behind it are read. Parts that differed once are likely to do so again: they are
// read without looking for what differs.
template <class Cursor>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): runs for every object
auto Repeating<Cursor>::read_parts(std::byte* object, void* reader) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  Pattern& pattern = *pattern_;
  const std::string_view text = pattern.text();
  const Here begin = cursor.here();
  passed_.assign(1, {0, 0, begin});
  std::uint32_t searched = Part::kNone;
  std::uint32_t last = Part::kNone;  // the part read last, if it ends here
  std::size_t again = 0;             // bytes that were read again
  std::size_t next = 0;              // the next part of those that differed before
  // Indices are those of the pattern.
  const Part* const parts = pattern.parts().data();
  for (;;) {
    next = pass_varying(next, object, reader, last);
    const auto [at, lines, here] = passed_.back();
    const std::size_t left = std::min<std::size_t>(text.size() - at, static_cast<std::size_t>(cursor.end() - here.at));
    const std::size_t same = same_size(here.at, text.data() + at, left);
    if (same == text.size() - at) {
      // What comes next may have more in common with this one.
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
      index = parts[last].outer;  // reading it again was not enough
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

// First all of them are found, then they are read: their symbols come closer meanwhile.
template <class Cursor>
auto Repeating<Cursor>::pass_varying(std::size_t next, std::byte* object, void* reader, std::uint32_t& last)
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
auto Repeating<Cursor>::find_varying(std::size_t next) -> std::size_t {
  Cursor& cursor = static_cast<Cursor&>(*this);
  found_.clear();
  const std::string_view text = pattern_->text();
  const std::span<const Pattern::Varying> varying = pattern_->varying();
  const char* const text_end = cursor.end();
  std::size_t at = passed_.back().at;
  const char* here = passed_.back().here.at;
  for (; next < varying.size(); ++next) {
    const Part& part = varying[next].part;
    if (part.value < at) continue;  // it is in what was read
    const std::size_t same = part.value - at;
    if (static_cast<std::size_t>(text_end - here) <= same) break;
    if (std::memcmp(here, text.data() + at, same) != 0) break;
    const char* const value = here + same;
    const char* end = nullptr;
    bool changed = false;
    if (varying[next].is_word()) {
      // What stands before it is the same.
      const std::size_t size = same == 0 ? 0 : word_instead(value);
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
auto Repeating<Cursor>::begin_of(const Part& part) const -> Here {
  const auto before =
      std::find_if(passed_.rbegin(), passed_.rend(), [&](const Passed& passed) { return passed.at <= part.begin; });
  return {before->here.at + (part.begin - before->at), before->here.line + (part.begin_lines - before->lines)};
}

template <class Cursor>
auto Repeating<Cursor>::read_part(const Part& part, std::byte* object, void* reader, const Here& begin) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  cursor.start_again();
  const std::string_view key = cursor.resume(part, begin);
  if (cursor.stopped()) return false;
  if (part.is_skipped()) {
    part.use == Part::Use::text ? cursor.skip_string() : cursor.skip();
    return !cursor.stopped();
  }
  // It would keep what it was.
  return !cursor.is_null() && read_member(part, key, object, reader);
}

template <class Cursor>
auto Repeating<Cursor>::read_member(const Part& part, std::string_view key, std::byte* object, void* reader) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  if (part.element == Part::kNone) {
    part.read(reader, key, object + part.offset);
    return !cursor.stopped();
  }
  const Element& element = pattern_->element(part.element);
  // Of an element that was dropped nothing is in the list, which is left as it is: others may share it.
  if (element.index == Element::kDropped) {
    return !is_in_dropped(element) && element.read(reader, key, nullptr, element.index, part) && !cursor.stopped();
  }
  std::byte* const list = list_of(element, object);
  return list != nullptr && element.read(reader, key, list, element.index, part) && !cursor.stopped();
}

template <class Cursor>
auto Repeating<Cursor>::pass_scalar(const Part& part, std::string_view text, std::byte* object, void* reader,
                                    const char* begin) -> bool {
  if (part.use == Part::Use::fixed) return false;
  const char* const value = begin + (part.value - part.begin);
  scalar_end_ = static_cast<Cursor&>(*this).simple_end(value, part.use == Part::Use::text);
  if (scalar_end_ == nullptr || part.is_skipped()) return scalar_end_ != nullptr;
  return read_scalar(part, text, object, reader, value, scalar_end_);
}

template <class Cursor>
auto Repeating<Cursor>::read_scalar(const Part& part, std::string_view text, std::byte* object, void* reader,
                                    const char* value, const char* end) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  cursor.start_again();
  return (part.key_size != 0 || part.use == Part::Use::element) && cursor.stand_on(value, end) &&
         read_member(part, text.substr(part.key, part.key_size), object, reader);
}

template <class Cursor>
auto Repeating<Cursor>::list_of(const Element& element, std::byte* object) const -> std::byte* {
  if (element.outer == Part::kNone) return object + element.list;
  const Element& outer = pattern_->element(element.outer);
  std::byte* const list = outer.index == Element::kDropped ? nullptr : list_of(outer, object);
  return list == nullptr ? nullptr : static_cast<std::byte*>(outer.at(list, outer.index)) + element.list;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct
