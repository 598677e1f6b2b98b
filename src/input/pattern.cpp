#include "input/pattern.h"

#include <array>

namespace previct {
namespace {

constexpr std::size_t kLongWord = 256;

enum : std::uint8_t { kFirst = 1, kLater = 2 };  // where in a word a character may stand

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
  std::uint32_t index = last == Part::kNone ? 0 : last;
  while (index + 1 < begins_.size() && begins_[index + 1] <= at) ++index;
  if (index >= begins_.size()) return Part::kNone;
  while (index != Part::kNone && (at < parts_[index].value || at > parts_[index].end)) index = parts_[index].outer;
  return index;
}

auto Pattern::leaf_of(std::uint32_t index) const -> std::uint32_t {
  const auto within_list = [&](Part::Use use) { return use == Part::Use::inner || use == Part::Use::element; };
  while (index != Part::kNone && within_list(parts_[index].use)) index = parts_[index].outer;
  if (index == Part::kNone || parts_[index].use == Part::Use::fixed) return Part::kNone;
  return index;
}

// A colon at the end of a word would make a key of it; a long word in a key would make too long a key of it.
auto rest_of_word(const char* now, const char* then) -> WordRest {
  const char* begin = now;
  while (in_word(begin[-1])) --begin;
  const WordRest rest{word_size(now), word_size(then)};
  const bool words = (begin[-1] == ' ' || begin[-1] == '"') && begins_word(*begin) && begins_word(then[begin - now]) &&
                     rest.now < kLongWord && now[rest.now - 1] != ':' && then[rest.then - 1] != ':';
  return words ? rest : WordRest{};
}

}  // namespace previct
