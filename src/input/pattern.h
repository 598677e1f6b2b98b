#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A field of an object that was read completely: its position in the bytes of the object, and how to read it again.
struct Part {
  enum class Use : std::uint8_t {
    fixed,    ///< cannot be replaced by reading it again: mostly containers of other fields, and values without a fixed
              ///< address
    read,     ///< a member of the object, or of a list element in it
    skipped,  ///< an unread value
    text,     ///< an unread value that must be a string
    element   ///< a scalar in a list, which `read` skips if it is not needed; has no key
  };
  using Read = void (*)(void* reader, std::string_view key, void* holder);
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::uint32_t begin = 0;  ///< start of the key or of its line, depending on the cursor
  std::uint32_t value = 0;
  std::uint32_t end = 0;          ///< position of the cursor after the value
  std::uint32_t begin_lines = 0;  ///< line ends before `begin`
  std::uint32_t end_lines = 0;
  std::uint32_t outer = kNone;    ///< the enclosing part
  std::uint32_t offset = 0;       ///< offset of the member's holder in the object or in the element
  std::uint32_t element = kNone;  ///< the element that holds the member; kNone: the object
  std::int32_t column = 0;        ///< column of the key, if it matters
  std::uint32_t key = 0;          ///< start of the key's text
  std::uint32_t key_size = 0;     ///< 0: the key is not written literally
  Use use = Use::fixed;
  Read read = nullptr;

  [[nodiscard]] auto is_skipped() const -> bool { return use == Use::skipped || use == Use::text; }
  /// Returns true if the part can be read alone, starting from its key.
  [[nodiscard]] auto is_read_alone() const -> bool { return use == Use::read || is_skipped(); }
};

/// An element of a list that is a member of an object or of another element.
struct Element {
  static constexpr std::uint32_t kDropped = 0xffff'ffff;
  /// Returns the element for modification.
  using At = auto(*)(void* list, std::uint32_t index) -> void*;
  /// Reads a member again. Returns false if this changes whether the element is dropped.
  using Read = auto(*)(void* reader, std::string_view key, void* list, std::uint32_t index, const Part& part) -> bool;

  std::uint32_t outer = Part::kNone;  ///< the element that holds the list; kNone: the object
  std::uint32_t list = 0;             ///< offset of the list in its holder
  std::uint32_t index = kDropped;     ///< position in the list, or kDropped
  At at = nullptr;
  Read read = nullptr;
};

/// The bytes of an object and its parts. If another object has the same bytes except for the values of some parts, all
/// its other values are equal to those of this object.
class Pattern {
 public:
  static constexpr std::size_t kMaxText = std::size_t{128} << 10U;
  static constexpr std::size_t kMaxParts = 4096;

  void clear();
  [[nodiscard]] auto empty() const -> bool { return text_.empty(); }
  [[nodiscard]] auto text() const -> std::string_view { return text_; }
  /// The number of line ends in the text.
  [[nodiscard]] auto lines() const -> std::uint32_t { return lines_; }

  // --- Used while an object is recorded; parts are opened and closed in the nesting order of their values.

  auto open(const Part& part) -> std::uint32_t;
  [[nodiscard]] auto parts() const -> const std::vector<Part>& { return parts_; }
  [[nodiscard]] auto part(std::uint32_t index) -> Part& { return parts_[index]; }
  [[nodiscard]] auto part(std::uint32_t index) const -> const Part& { return parts_[index]; }
  void close(std::uint32_t index) { open_ = parts_[index].outer; }
  /// Adds an element and returns its index, by which parts refer to it.
  auto add(const Element& element) -> std::uint32_t;
  [[nodiscard]] auto element(std::uint32_t index) -> Element& { return elements_[index]; }
  [[nodiscard]] auto element(std::uint32_t index) const -> const Element& { return elements_[index]; }
  /// Keeps the bytes of the object after it was read. Objects that are too large are not kept.
  void keep(std::string_view text, std::uint32_t lines);

  // --- Used while the next object is read.

  /// The innermost part whose value contains byte `at` or ends there; kNone if there is none. `last`: the result for a
  /// smaller `at`.
  [[nodiscard]] auto part_at(std::uint32_t at, std::uint32_t last) const -> std::uint32_t;
  /// A difference of an object that was read with this pattern: a part that is a scalar, or a word in an unread part,
  /// from `part.value` to `part.end`. These are copies, stored together for cache locality, in the order of the text.
  struct Varying {
    Part part;
    std::uint32_t index;  ///< index of the part; kNone: a word

    [[nodiscard]] auto is_word() const -> bool { return index == Part::kNone; }
  };
  [[nodiscard]] auto varying() const -> const std::vector<Varying>& { return varying_; }
  /// Adds a part; returns the index after it in varying().
  auto varies(std::uint32_t part) -> std::size_t;
  /// Adds the word that ends with bytes `at` to `end`, if varying_word_size() can handle it. Returns the index in
  /// varying() of the first entry after `at`.
  auto word_varies(std::uint32_t at, std::uint32_t end) -> std::size_t;
  /// Prefetches the pattern before it is compared.
  void prefetch() const;

 private:
  std::string text_;
  std::uint32_t lines_ = 0;
  std::vector<Part> parts_;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> begins_;  // the `begin` of each part, for searching
  std::vector<Varying> varying_;
  auto add_varying(const Varying& varying) -> std::size_t;

  std::uint32_t open_ = Part::kNone;
  std::size_t words_ = 0;  // number of words in varying_
};

/// The sizes of the rest of a word in two texts that are equal up to there; both 0: not a word.
struct WordRest {
  std::size_t now = 0;
  std::size_t then = 0;

  explicit operator bool() const { return now != 0 || then != 0; }
};

/// Compares two texts that differ from `now` and `then` on. Returns the rest of the word in both if they differ only in
/// that word, which consists of letters, digits and characters without special meaning; then the difference is
/// irrelevant for an unread value. The bytes before and after both positions must be readable up to one that is not
/// part of a word.
[[nodiscard]] auto rest_of_word(const char* now, const char* then) -> WordRest;

/// The size of the word at `now`, where a text that is equal up to there has a word that varies. 0 if there is no such
/// word, or if its end needs a closer look. The same bytes must be readable as for rest_of_word().
[[nodiscard]] auto varying_word_size(const char* now) -> std::size_t;

}  // namespace previct
