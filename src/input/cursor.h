#pragma once

#include "input/events.h"
#include "input/line_scan.h"
#include "input/pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

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

/// What an object holds is often the same as what the object before it held in the same place: then its bytes need not
/// be looked at one by one. The places are counted within an object, outermost values only.
///
/// Replicas differ in little more than names and times: read_alike() compares a whole object with the last one of the
/// same shape, and reads only the fields whose bytes differ.
///
/// A cursor derived from it has
///   begin_repeat() -> mark           where it begins
///   repeated(mark) -> RepeatedText   the value that began there and was passed; empty if it is not to be kept
///   pass_same(text)                  passes the value at hand if it is this one, to the byte
///   here() -> Here                   where it stands, between values
///   enter_object(here)               stands on the object that begins there
///   key_at(key) -> Part              of a key just read, and its value to come
///   resume(part, here) -> key        reads the key of the part, which begins there
///   finish(here, begin)              stands behind the object that ends there
///   ends_word(at)                    does a scalar end there, as far as a word in it can tell?
///   shape()                          a number that objects with the same fields are likely to have in common
template <class Cursor>
class Repeating {
 public:
  /// Reads `object` by `read`, and keeps it as the pattern of those behind it.
  template <class T, class Read>
  void record(T& object, Read read) {
    if (pause_ > 0) {
      --pause_;
      return read();
    }
    Cursor& cursor = static_cast<Cursor&>(*this);
    pattern_ = &pattern_for<T>(shape_);
    pattern_->clear();
    pattern_->stale = false;
    object_ = reinterpret_cast<const std::byte*>(&object);
    object_size_ = sizeof object;
    const Here begin = cursor.here();
    origin_ = begin;
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
    pattern_ = nullptr;
  }

  /// Reads `object` as the pattern's, but for the parts whose bytes differ. False if they differ in more, or if the
  /// cursor stopped; then nothing is known of `object`, and the cursor stands anywhere.
  template <class T>
  [[nodiscard]] auto read_alike(T& object, void* reader) -> bool {
    shape_ = static_cast<Cursor&>(*this).shape();
    if (AnyPattern* const known = known_pattern(tag_of<T>(), shape_)) pattern_ = known;
    if (pattern_ == nullptr || pattern_->tag != tag_of<T>() || pattern_->empty() || pattern_->stale) return false;
    object = static_cast<const PatternOf<T>&>(*pattern_).object;
    if (read_parts(reinterpret_cast<std::byte*>(&object), reader)) {
      misses_ = 0;
      return true;
    }
    if (static_cast<Cursor&>(*this).stop() == Stop::more) return false;
    // Where neighbours are seldom alike, patterns cost more than they save.
    pattern_->stale = true;
    pause_ = ++misses_ < 2 ? 0 : 1U << std::min(misses_, 5U);
    return false;
  }

  /// A key of an object was read, and its value is to come; close_part() when that is passed.
  [[nodiscard]] auto open_part(std::string_view key) -> std::uint32_t {
    if (!recording_) return Part::kNone;
    Part part = static_cast<Cursor&>(*this).key_at(key, origin_);
    part.skips = static_cast<std::uint32_t>(skips_);
    return pattern_->open(part);
  }
  void close_part(std::uint32_t index, Part::Use use, const void* holder, Part::Read read) {
    if (index == Part::kNone) return;
    const Here here = static_cast<Cursor&>(*this).here();
    Part& part = pattern_->part(index);
    part.end = static_cast<std::uint32_t>(here.at - origin_.at);
    part.end_lines = here.line - origin_.line;
    part.use = use;
    if (const auto offset = within(object_, object_size_, holder)) {
      part.offset = *offset;
    } else if (use != Part::Use::skipped) {
      const auto inside = within(element_at_, element_size_, holder);
      part.use = use == Part::Use::read && inside ? Part::Use::element : Part::Use::inner;
      part.offset = inside.value_or(0);
      part.element = element_;
    }
    part.read = read;
    pattern_->close(index);
  }

  /// An element of `list` is read into `element`. Elements within it are not told apart.
  [[nodiscard]] auto open_element(const void* list, const void* element, std::size_t size) -> std::uint32_t {
    const auto offset = recording_ ? within(object_, object_size_, list) : std::nullopt;
    if (!offset) return Part::kNone;
    element_at_ = static_cast<const std::byte*>(element);
    element_size_ = size;
    return element_ = pattern_->add({.list = *offset});
  }
  /// `index`: where it is in the list now; or kDropped.
  void close_element(std::uint32_t element, std::size_t index, Element::Read read) {
    if (element == Part::kNone) return;
    pattern_->element(element).index = static_cast<std::uint32_t>(index);
    pattern_->element(element).read = read;
    element_at_ = nullptr;
    element_size_ = 0;
  }

 protected:
  /// A position, and the line ends before it, counted from anywhere.
  struct Here {
    const char* at = nullptr;
    std::uint32_t line = 0;
  };

  void begin_item() {
    skips_ = 0;
    recording_ = false;
  }

  template <class Skip>
  void skip_repeated(Skip skip) {
    Cursor& cursor = static_cast<Cursor&>(*this);
    if (skips_ >= kMost) return skip();
    const std::size_t index = skips_++;
    if (index >= skipped_.size()) skipped_.resize(index + 1);
    if (!skipped_[index].text.empty() && cursor.pass_same(skipped_[index].view())) return;
    const auto mark = cursor.begin_repeat();
    skip();
    skipped_[index].keep(cursor.repeated(mark));
  }

 private:
  static constexpr std::size_t kMost = 256;      // values of an object
  static constexpr std::size_t kMaxText = 8192;  // bytes of one

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
    std::uint32_t shape = 0;
    bool stale = false;  ///< others have more in common with what comes
  };
  template <class T>
  struct PatternOf final : AnyPattern {
    using AnyPattern::AnyPattern;
    T object;
  };

  static auto within(const std::byte* begin, std::size_t size, const void* address) -> std::optional<std::uint32_t> {
    const auto* const at = static_cast<const std::byte*>(address);
    if (std::less<>()(at, begin) || !std::less<>()(at, begin + size)) return {};
    return static_cast<std::uint32_t>(at - begin);
  }

  auto read_parts(std::byte* object, void* reader) -> bool;

  template <class T>
  static auto tag_of() -> const void* {
    static constexpr char kTag = 0;
    return &kTag;
  }

  std::vector<Text> skipped_;
  std::size_t skips_ = 0;

  auto known_pattern(const void* tag, std::uint32_t shape) const -> AnyPattern* {
    for (const auto& each : patterns_) {
      if (each->shape == shape && each->tag == tag) return each.get();
    }
    return nullptr;
  }
  /// A new one in the place of the oldest, if there are many.
  template <class T>
  auto pattern_for(std::uint32_t shape) -> AnyPattern& {
    if (AnyPattern* const known = known_pattern(tag_of<T>(), shape)) return *known;
    auto added = std::make_unique<PatternOf<T>>(tag_of<T>());
    added->shape = shape;
    if (patterns_.size() < kMostPatterns) return *patterns_.emplace_back(std::move(added));
    auto& place = patterns_[replaced_++ % kMostPatterns];
    place = std::move(added);
    return *place;
  }

  static constexpr std::size_t kMostPatterns = 64;
  std::vector<std::unique_ptr<AnyPattern>> patterns_;
  std::size_t replaced_ = 0;
  AnyPattern* pattern_ = nullptr;  // of those
  std::uint32_t shape_ = 0;        // of the object at hand
  unsigned misses_ = 0;            // in a row
  unsigned pause_ = 0;             // objects to be read without looking for likeness
  bool recording_ = false;
  // While it is made: the object, and where its bytes begin.
  const std::byte* object_ = nullptr;
  std::size_t object_size_ = 0;
  Here origin_;
  std::uint32_t element_ = Part::kNone;
  const std::byte* element_at_ = nullptr;
  std::size_t element_size_ = 0;
};

// What stands between two parts that differ is the same in both, to the byte, and with it all that decides where the
// values before it end and how those behind it are read.
template <class Cursor>
auto Repeating<Cursor>::read_parts(std::byte* object, void* reader) -> bool {
  Cursor& cursor = static_cast<Cursor&>(*this);
  const Pattern& pattern = *pattern_;
  const std::string_view text = pattern.text();
  const Here begin = cursor.here();
  Here here = begin;        // in the new bytes, behind what is read
  std::uint32_t at = 0;     // the same place in those of the pattern
  std::uint32_t lines = 0;  // in the pattern, where `here` has its number of lines from
  std::uint32_t searched = Part::kNone;
  std::size_t again = 0;  // bytes that were read again
  // Where the part to be read begins. Those that were passed in part may still have to be read as a whole: one that
  // nobody wants, and the list that it is in.
  struct {
    std::uint32_t part = Part::kNone;
    Here begin;
  } field, skipped, list;
  const auto remember = [&](auto& kept, std::uint32_t index) {
    if (index == Part::kNone || pattern.part(index).begin < at) return;
    const Part& part = pattern.part(index);
    kept.part = index;
    kept.begin = {here.at + (part.begin - at), here.line + (part.begin_lines - lines)};
  };
  for (;;) {
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
    if (searched == Part::kNone) return false;
    std::uint32_t index = searched;
    if (pattern.part(index).use == Part::Use::skipped) {
      remember(skipped, index);
      remember(list, pattern.leaf_of(pattern.part(index).outer));
      const char* const now = here.at + same;
      const char* const then = text.data() + at + same;
      const WordRest rest = rest_of_word(now, then);
      if (rest && cursor.ends_word(now + rest.now) && cursor.ends_word(then + rest.then)) {
        here.at = now + rest.now;
        at += static_cast<std::uint32_t>(same + rest.then);
        continue;
      }
    } else if (pattern.part(index).use == Part::Use::element && pattern.part(index).begin >= at) {
      remember(list, pattern.leaf_of(pattern.part(index).outer));
      remember(field, index);
    } else {
      index = pattern.leaf_of(index);
      if (index == Part::kNone) return false;
      remember(list, index);
    }
    const auto* const kept = index == field.part     ? &field
                             : index == skipped.part ? &skipped
                             : index == list.part    ? &list
                                                     : nullptr;
    const Part& part = pattern.part(index);
    if (kept == nullptr || part.end <= at) return false;
    const Here start = kept->begin;
    skips_ = part.skips;
    const std::string_view key = cursor.resume(part, start);
    if (cursor.stopped()) return false;
    if (part.use == Part::Use::skipped) {
      cursor.skip();
    } else {
      if (cursor.is_null()) return false;
      if (part.use == Part::Use::element) {
        const Element& element = pattern.element(part.element);
        if (!element.read(reader, key, object + element.list, element.index, part)) return false;
      } else {
        part.read(reader, key, object + part.offset);
      }
    }
    if (cursor.stopped()) return false;
    here = cursor.here();
    again += static_cast<std::size_t>(here.at - start.at);
    at = part.end;
    lines = part.end_lines;
  }
}

}  // namespace previct
