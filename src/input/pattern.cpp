#include "input/pattern.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

constexpr std::size_t kLongWord = 256;
constexpr std::size_t kMostWords = 128;  // words that vary

enum : std::uint8_t { kFirst = 1, kLater = 2 };  // where in a word a character is allowed

constexpr auto word_characters() -> std::array<std::uint8_t, 256> {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) table[c] = kFirst | kLater;
  }
  for (const char c : {'-', '.', '_', '/', ':', '@'}) table[static_cast<unsigned char>(c)] = kLater;
  return table;
}

constexpr std::array<std::uint8_t, 256> kWordCharacters = word_characters();

auto in_word(char c) -> bool {
  return kWordCharacters[static_cast<unsigned char>(c)] != 0;
}

auto begins_word(char c) -> bool {
  return (kWordCharacters[static_cast<unsigned char>(c)] & kFirst) != 0;
}

/// Returns true if a word may follow this character. After other characters, such as a backslash, a word may have a
/// special meaning.
auto stands_before_word(char c) -> bool {
  return std::string_view(" \"'=,({[").find(c) != std::string_view::npos;
}

auto word_size(const char* at) -> std::size_t {
  std::size_t size = 0;
  while (in_word(at[size])) ++size;
  return size;
}

}  // namespace

void Pattern::clear() {
  text_.clear();
  parts_.clear();
  elements_.clear();
  begins_.clear();
  varying_.clear();
  words_ = 0;
  open_ = Part::kNone;
}

auto Pattern::open(const Part& part) -> std::uint32_t {
  const auto index = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back(part);
  parts_.back().outer = open_;
  begins_.push_back(part.begin);
  open_ = index;
  return index;
}

auto Pattern::add(const Element& element) -> std::uint32_t {
  elements_.push_back(element);
  return static_cast<std::uint32_t>(elements_.size() - 1);
}

void Pattern::keep(std::string_view text, std::uint32_t lines) {
  if (text.size() > kMaxText || parts_.size() > kMaxParts) return clear();
  text_ = text;
  lines_ = lines;
}

auto Pattern::part_at(std::uint32_t at, std::uint32_t last) const -> std::uint32_t {
  const std::uint32_t* const begins = begins_.data();
  const std::size_t size = begins_.size();
  std::uint32_t index = last == Part::kNone ? 0 : last;
  if (index >= size) return Part::kNone;
  while (index + 1 < size && begins[index + 1] <= at) ++index;
  const Part* const parts = parts_.data();
  while (index != Part::kNone && (at < parts[index].value || at > parts[index].end)) index = parts[index].outer;
  return index;
}

auto Pattern::varies(std::uint32_t part) -> std::size_t {
  return add_varying({parts_[part], part});
}

auto Pattern::word_varies(std::uint32_t at, std::uint32_t end) -> std::size_t {
  std::uint32_t begin = at;
  while (begin > 0 && in_word(text_[begin - 1])) --begin;
  const bool usual =
      begin > 0 && stands_before_word(text_[begin - 1]) && varying_word_size(text_.data() + begin) == end - begin;
  if (usual && words_ < kMostWords) {
    Part word;
    word.value = begin;
    word.end = end;
    return add_varying({word, Part::kNone});
  }
  const auto behind = [&](const Varying& each) { return each.part.value >= at; };
  return static_cast<std::size_t>(std::find_if(varying_.begin(), varying_.end(), behind) - varying_.begin());
}

auto Pattern::add_varying(const Varying& varying) -> std::size_t {
  const std::uint32_t value = varying.part.value;
  auto at =
      std::find_if(varying_.begin(), varying_.end(), [&](const Varying& each) { return each.part.value >= value; });
  while (at != varying_.end() && at->part.value == value && at->index != varying.index) ++at;
  if (at == varying_.end() || at->part.value != value) {
    at = varying_.insert(at, varying);
    if (varying.is_word()) ++words_;
  }
  return static_cast<std::size_t>(at - varying_.begin()) + 1;
}

void Pattern::prefetch() const {
#if defined(__GNUC__)
  const auto fetch = [](const void* at, std::size_t size) {
    constexpr std::size_t kLine = 64;
    const std::size_t most = std::min(size, std::size_t{16} << 10U);
    for (std::size_t i = 0; i < most; i += kLine) __builtin_prefetch(static_cast<const char*>(at) + i);
  };
  fetch(text_.data(), text_.size());
  fetch(varying_.data(), varying_.size() * sizeof(Varying));
#endif
}

// A colon at the end of a word would make it a key, and a long word in a key would make the key too long.
auto rest_of_word(const char* now, const char* then) -> WordRest {
  const char* begin = now;
  while (in_word(begin[-1])) --begin;
  const WordRest rest{word_size(now), word_size(then)};
  const bool behind = stands_before_word(begin[-1]);
  // The beginnings of both words are equal.
  const bool begins = begin < now || (begins_word(*now) && begins_word(*then));
  // A differing span must be part of a word in both texts, except at the end of a text.
  const auto ends_text = [](char c) { return c == '\n' || c == '"'; };
  const bool both = rest.now > 0 && rest.then > 0;
  const bool one = rest.now + rest.then > 0 && ends_text(now[rest.now]) && ends_text(then[rest.then]);
  const bool words = behind && begins && (both || one) && rest.now < kLongWord &&
                     (rest.now == 0 || now[rest.now - 1] != ':') && (rest.then == 0 || then[rest.then - 1] != ':');
  return words && now[-1] != ':' ? rest : WordRest{};
}

auto varying_word_size(const char* now) -> std::size_t {
  if (!begins_word(*now)) return 0;
  const std::size_t size = word_size(now);
  return size < kLongWord && now[size - 1] != ':' ? size : 0;
}

}  // namespace previct
