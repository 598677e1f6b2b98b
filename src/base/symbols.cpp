#include "base/symbols.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace previct {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10U;
constexpr std::size_t kFewBlocks = 32;

auto mixed(std::uint64_t a, std::uint64_t b) -> std::uint64_t {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

template <class T>
auto word_at(const char* at) -> std::uint64_t {
  T word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Hashes eight bytes at a time; the last two reads overlap. Constants and mixing are those of wyhash (public domain).
auto hash_of(std::string_view text) -> std::uint32_t {
  constexpr std::uint64_t kFirst = 0xa0761d6478bd642f;
  constexpr std::uint64_t kSecond = 0xe7037ed1a0b428db;
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = kFirst ^ size;
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) hash = mixed(hash ^ word_at<std::uint64_t>(at + i), kSecond);
    hash = mixed(hash ^ word_at<std::uint64_t>(at + size - 8), kSecond);
  } else if (size >= 4) {
    hash = mixed(hash ^ (word_at<std::uint32_t>(at) << 32U | word_at<std::uint32_t>(at + size - 4)), kSecond);
  } else if (size > 0) {
    hash = mixed(hash ^ (word_at<std::uint8_t>(at) << 16U | word_at<std::uint8_t>(at + size / 2) << 8U |
                         word_at<std::uint8_t>(at + size - 1)),
                 kSecond);
  }
  return static_cast<std::uint32_t>(hash ^ hash >> 32U);
}

}  // namespace

auto Symbols::slot_of(std::string_view text, std::uint32_t hash) const -> std::size_t {
  const std::size_t mask = slots_.size() - 1;
  const Slot* const slots = slots_.data();
  const Entry* const entries = entries_.data();
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots[slot].entry == 0) return slot;
    if (slots[slot].hash != hash) continue;
    const Entry& entry = entries[slots[slot].entry - 1];
    if (std::string_view(entry.text, entry.size) == text) return slot;
  }
}

auto Symbols::intern(std::string_view text) -> Symbol {
  if (entries_.size() * 4 >= slots_.size() * 3 && !shared_) grow();
  const std::uint32_t hash = hash_of(text);
  const std::size_t slot = slot_of(text, hash);
  if (slots_[slot].entry == 0) {
    shared_.before_adding();
    add({stored(text), text.size()}, hash, slot);
  }
  return Symbol{slots_[slot].entry - 1};
}

auto Symbols::take(Symbols&& other) -> std::vector<Symbol> {
  constexpr std::size_t kAhead = 16;  // so many slots are prefetched
  const std::vector<Entry> entries = std::move(other.entries_);
  std::vector<Slot>().swap(other.slots_);
  const auto text_of = [&](std::size_t i) { return std::string_view(entries[i].text, entries[i].size); };
  std::vector<Symbol> symbols;
  symbols.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries_.size() * 4 >= slots_.size() * 3) grow();
    if (i + kAhead < entries.size()) expect(text_of(i + kAhead));
    const std::uint32_t hash = hash_of(text_of(i));
    const std::size_t slot = slot_of(text_of(i), hash);
    if (slots_[slot].entry == 0) add(text_of(i), hash, slot);
    symbols.push_back(Symbol{slots_[slot].entry - 1});
  }
  // The texts are not moved. The last block is the one that is being filled.
  blocks_.insert(blocks_.begin(), std::move_iterator(other.blocks_.begin()), std::move_iterator(other.blocks_.end()));
  if (blocks_.size() == other.blocks_.size()) left_ = other.left_;
  return symbols;
}

void Symbols::add(std::string_view text, std::uint32_t hash, std::size_t slot) {
  if (text.size() > UINT32_MAX || entries_.size() >= Symbol::kNone) throw std::length_error("too many names");
  const auto index = static_cast<std::uint32_t>(entries_.size());
  reserve_with_large_pages(entries_);
  entries_.push_back({text.data(), static_cast<std::uint32_t>(text.size())});
  slots_[slot] = {hash, index + 1};
}

void Symbols::expect([[maybe_unused]] std::string_view text) const {
#if defined(__GNUC__)
  if (!slots_.empty()) __builtin_prefetch(&slots_[hash_of(text) & (slots_.size() - 1)]);
#endif
}

auto Symbols::find(std::string_view text) const -> Symbol {
  if (slots_.empty()) return {};
  const std::uint32_t entry = slots_[slot_of(text, hash_of(text))].entry;
  return entry == 0 ? Symbol{} : Symbol{entry - 1};
}

auto Symbols::stored(std::string_view text) -> const char* {
  if (blocks_.empty() || text.size() > left_) {
    left_ = std::max(blocks_.size() < kFewBlocks ? kBlock : kLargePage, text.size());
    blocks_.push_back(piece_of(left_));
  }
  // The block is filled from its end, so `left_` is also the position.
  left_ -= text.size();
  char* const at = blocks_.back().get() + left_;
  text.copy(at, text.size());
  return at;
}

void Symbols::grow() {
  const std::size_t size = std::max<std::size_t>(1024, slots_.size() * 2);
  const std::vector<Slot> taken = std::exchange(slots_, {});
  slots_.reserve(size);
  use_large_pages(slots_.data(), size * sizeof(Slot));
  slots_.resize(size);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& each : taken) {
    if (each.entry == 0) continue;
    std::size_t slot = each.hash & mask;
    while (slots_[slot].entry != 0) slot = (slot + 1) & mask;
    slots_[slot] = each;
  }
}

}  // namespace previct
