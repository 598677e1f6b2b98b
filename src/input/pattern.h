#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A field of an object that was read whole: where it stands in the bytes of the object, and how to read it again.
struct Part {
  enum class Use : std::uint8_t {
    fixed,    ///< is not replaced by reading it again: what holds other fields mostly, and what has no place of its own
    read,     ///< a member of the object, or of an element of a list in it
    skipped,  ///< nobody wants it
    text,     ///< the same, but it must be a string
    element   ///< a scalar in a list, which `read` passes if nobody wants it either; has no key
  };
  using Read = void (*)(void* reader, std::string_view key, void* holder);
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::uint32_t begin = 0;  ///< of the key, or of the line that it is on, as the cursor counts
  std::uint32_t value = 0;
  std::uint32_t end = 0;          ///< where the cursor stands behind the value
  std::uint32_t begin_lines = 0;  ///< line ends before `begin`
  std::uint32_t end_lines = 0;
  std::uint32_t outer = kNone;    ///< the part that holds it
  std::uint32_t offset = 0;       ///< in the object, or in the element, of what holds the member
  std::uint32_t element = kNone;  ///< that holds the member; kNone: the object
  std::int32_t column = 0;        ///< of the key, where that counts
  std::uint32_t key = 0;          ///< where its text begins
  std::uint32_t key_size = 0;     ///< 0: it does not stand there as it is
  Use use = Use::fixed;
  Read read = nullptr;

  [[nodiscard]] auto is_skipped() const -> bool { return use == Use::skipped || use == Use::text; }
  /// Can it be read by its key?
  [[nodiscard]] auto is_read_alone() const -> bool { return use == Use::read || is_skipped(); }
};

/// An element of a list that is a member of an object, or of another element.
struct Element {
  static constexpr std::uint32_t kDropped = 0xffff'ffff;
  /// The element, to be changed.
  using At = auto(*)(void* list, std::uint32_t index) -> void*;
  /// Reads a member again. False if the element would be dropped by it, or would not.
  using Read = auto(*)(void* reader, std::string_view key, void* list, std::uint32_t index, const Part& part) -> bool;

  std::uint32_t outer = Part::kNone;  ///< the element that holds the list; kNone: the object
  std::uint32_t list = 0;             ///< its offset there
  std::uint32_t index = kDropped;     ///< in what is kept of the list
  At at = nullptr;
  Read read = nullptr;
};

/// The bytes of an object and its parts: an object with the same bytes but for the values of some parts has all other
/// values of it.
class Pattern {
 public:
  static constexpr std::size_t kMaxText = std::size_t{128} << 10U;
  static constexpr std::size_t kMaxParts = 4096;

  void clear();
  [[nodiscard]] auto empty() const -> bool { return text_.empty(); }
  [[nodiscard]] auto text() const -> std::string_view { return text_; }
  /// Line ends in it.
  [[nodiscard]] auto lines() const -> std::uint32_t { return lines_; }

  // --- Made while an object is read: parts open and close as their values nest.

  auto open(const Part& part) -> std::uint32_t;
  [[nodiscard]] auto parts() const -> const std::vector<Part>& { return parts_; }
  [[nodiscard]] auto part(std::uint32_t index) -> Part& { return parts_[index]; }
  [[nodiscard]] auto part(std::uint32_t index) const -> const Part& { return parts_[index]; }
  void close(std::uint32_t index) { open_ = parts_[index].outer; }
  /// Parts refer to it by its index.
  auto add(const Element& element) -> std::uint32_t;
  [[nodiscard]] auto element(std::uint32_t index) -> Element& { return elements_[index]; }
  [[nodiscard]] auto element(std::uint32_t index) const -> const Element& { return elements_[index]; }
  /// The object was passed, and these are its bytes. Objects that are too large are not kept.
  void keep(std::string_view text, std::uint32_t lines);

  // --- Used while the next one is read.

  /// The innermost part whose value holds byte `at`, or ends there; kNone if that is in no value. `last`: what was
  /// returned for an `at` before this one.
  [[nodiscard]] auto part_at(std::uint32_t at, std::uint32_t last) const -> std::uint32_t;
  /// What differed in an object read by this pattern, in its order: parts that are scalars, and words in parts that
  /// nobody wants, from `part.value` to `part.end`. Copies, which stand close together for the sake of the cache.
  struct Varying {
    Part part;
    std::uint32_t index;  ///< of the part; kNone: a word

    [[nodiscard]] auto is_word() const -> bool { return index == Part::kNone; }
  };
  [[nodiscard]] auto varying() const -> const std::vector<Varying>& { return varying_; }
  /// Adds a part; returns the place in the list behind it.
  auto varies(std::uint32_t part) -> std::size_t;
  /// Adds the word of which bytes `at` to `end` are the rest, if it is one for word_instead(). Returns the place in the
  /// list of what stands behind `at`.
  auto word_varies(std::uint32_t at, std::uint32_t end) -> std::size_t;
  /// It is about to be compared.
  void prefetch() const;

 private:
  std::string text_;
  std::uint32_t lines_ = 0;
  std::vector<Part> parts_;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> begins_;  // of the parts: what is searched
  std::vector<Varying> varying_;
  auto add_varying(const Varying& varying) -> std::size_t;

  std::uint32_t open_ = Part::kNone;
  std::size_t words_ = 0;  // among those that vary
};

/// The size of the rest of a word in two texts that are the same up to there; 0: it is none.
struct WordRest {
  std::size_t now = 0;
  std::size_t then = 0;

  explicit operator bool() const { return now != 0 || then != 0; }
};

/// Two texts that differ from `now` and `then` on: if only in the rest of a word of letters, digits and what means
/// nothing among them, then that is as much as differs for whom the word means nothing. The bytes before and behind
/// both must be readable up to one that is of no word.
[[nodiscard]] auto rest_of_word(const char* now, const char* then) -> WordRest;

/// The size of the word at `now`, where another text that is the same up to there has a word that varies; 0: there is
/// none, or its end has to be looked at. The same of bytes as for rest_of_word().
[[nodiscard]] auto word_instead(const char* now) -> std::size_t;

}  // namespace previct
