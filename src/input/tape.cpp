#include "input/tape.h"

namespace previct {

void Tape::add(const Event& event) {
  if (event.type == EventType::end) {
    entries_[open_.back()].next = size();
    open_.pop_back();
    return;
  }
  const std::uint32_t index = size();
  entries_.push_back({event.type, event.scalar, event.line, event.column, static_cast<std::uint32_t>(text_.size()),
                      static_cast<std::uint32_t>(event.text.size()), index + 1});
  if (event.type == EventType::scalar) {
    text_ += event.text;
  } else {
    open_.push_back(index);
  }
}

void Tape::add(const Tape& from, std::uint32_t index) {
  // The texts of a value are contiguous, too.
  const std::uint32_t end = from[index].next;
  const Entry& last = from[end - 1];
  const std::uint32_t text = from[index].text;
  const std::uint32_t text_shift = static_cast<std::uint32_t>(text_.size()) - text;
  const std::uint32_t shift = size() - index;
  text_.append(from.text_, text, last.text + last.size - text);
  if (entries_.empty()) entries_.reserve(end - index);
  for (std::uint32_t i = index; i < end; ++i) {
    Entry entry = from[i];
    entry.text += text_shift;
    entry.next += shift;
    entries_.push_back(entry);
  }
}

auto Tape::string(std::uint32_t index) const -> std::string_view {
  const bool is_string =
      index < size() && entries_[index].type == EventType::scalar && entries_[index].scalar == ScalarType::string;
  return is_string ? text(entries_[index]) : std::string_view();
}

auto Tape::find(std::uint32_t map, std::string_view key) const -> std::uint32_t {
  std::uint32_t found = size();
  if (map >= size() || entries_[map].type != EventType::begin_map) return found;
  for (std::uint32_t i = map + 1; i < entries_[map].next;) {
    const std::uint32_t value = i + 1;
    if (text(entries_[i]) == key) found = value;
    i = entries_[value].next;
  }
  return found;
}

auto record(EventSource& source, const Event& first, Tape& tape) -> Result<void> {
  tape.add(first);
  while (!tape.complete()) {
    PREVICT_TRY(const Event event, source.next());
    if (tape.full()) return fail("an object of more than 4 GiB");
    tape.add(event);
  }
  return {};
}

}  // namespace previct
