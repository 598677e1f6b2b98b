#include "lint/found.h"

#include "lint/placeholder.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace previct::lint {
namespace {

// Identifies a finding independently of line numbers: by the keys that lead to the field, and its value.
auto fingerprint_text(const Value& value) -> std::string {
  const Tape& tape = value.manifest().tape;
  std::string path;
  for (std::uint32_t at = 0; at < value.index();) {
    // Descends into the child that contains the value.
    const bool map = tape[at].type == EventType::begin_map;
    std::uint32_t child = at + 1;
    std::size_t position = 0;
    while (true) {
      const std::uint32_t content = map ? child + 1 : child;
      if (value.index() >= content && value.index() < tape[content].next) {
        path += map ? fmt::format(".{}", tape.text(tape[child])) : fmt::format("[{}]", position);
        at = content;
        break;
      }
      child = tape[content].next;
      ++position;
    }
  }
  return fmt::format("{}={}", path, value.text());
}

/// Returns true if the map that contains the value also has `key`.
auto stands_beside(const Value& value, std::string_view key) -> bool {
  if (!value || value.key_index() == Value::kNone) return false;
  const Tape& tape = value.manifest().tape;
  return tape.find(map_around(value), key) != tape.size();
}

}  // namespace

auto and_more(std::size_t count) -> std::string {
  return count > 1 ? fmt::format(" (and {} more)", count - 1) : std::string();
}

auto FindingSink::FindingBuilder::note(std::string text) -> FindingBuilder& {
  item_.finding.notes.push_back(std::move(text));
  return *this;
}

auto FindingSink::FindingBuilder::say(std::string message) -> FindingBuilder& {
  item_.finding.message = std::move(message);
  return *this;
}

auto FindingSink::FindingBuilder::mark(std::string text) -> FindingBuilder& {
  item_.finding.excerpt.note = std::move(text);
  return *this;
}

auto FindingSink::FindingBuilder::related(const Value& value, std::string message) -> FindingBuilder& {
  if (value) item_.finding.related.push_back({range_of(value, Part::field), std::move(message)});
  return *this;
}

auto FindingSink::FindingBuilder::fix_value(std::string text) -> FindingBuilder& {
  item_.wanted.push_back({.value = value_, .text = std::move(text)});
  return *this;
}

auto FindingSink::FindingBuilder::fix_quotes() -> FindingBuilder& {
  item_.wanted.push_back({.value = value_, .as_written = true});
  return *this;
}

auto FindingSink::FindingBuilder::fix_key(std::string text) -> FindingBuilder& {
  if (stands_beside(value_, text)) return *this;  // the key would occur twice
  item_.wanted.push_back({.value = value_, .of_key = true, .text = std::move(text)});
  return *this;
}

auto FindingSink::failure(const Manifest& manifest, const Failure& failure) -> FindingBuilder {
  const Value value = manifest.at(failure.place.line, failure.place.column);
  const bool of_key = value.key_index() != Value::kNone &&
                      manifest.tape[value.key_index()].line == failure.place.line &&
                      manifest.tape[value.key_index()].column == failure.place.column;
  FindingBuilder note = add(value, of_key ? Part::key : Part::value, failure.message);
  if (!failure.help.empty()) note.note(failure.help);
  return note;
}

auto FindingSink::item_for(const Value& value) -> Item& {
  if (value.manifest().original == nullptr) return items_.emplace_back();
  const Value written = as_written(value);
  Copies& copies = copies_[{&written.manifest(), written.index()}];
  if (++copies.count == kMostCopies + 1)
    copies.last->finding.notes.push_back(
        "more objects that kustomizations generate have the same finding; they are not listed");
  if (copies.count > kMostCopies) return one_too_many_ = {};
  return *(copies.last = &items_.emplace_back());
}

auto FindingSink::add(const Value& value, Part part, std::string message) -> FindingBuilder {
  if (!value) return {one_too_many_ = {}, value};  // it speaks of what is not there, and so of no place
  Item& item = item_for(value);
  if (&item == &one_too_many_) return {item, value};
  const Manifest& manifest = value.manifest();
  item.manifest = &manifest.as_read();
  item.source = item.manifest->source;
  // A wrong key is wrong whatever its value is.
  item.unknown = is_placeholder(value.key()) || (part != Part::key && is_unknown(value));
  item.finding = {.message = std::move(message),
                  .place = range_of(value, part),
                  .excerpt = excerpt_of(value, part),
                  .object = manifest.identity(),
                  .fingerprint = fingerprint_text(value)};
  return {item, value};
}

void FindingSink::text(const SourceText& source, std::uint32_t line, std::uint32_t column, std::string message) {
  Item& item = items_.emplace_back();
  item.source = &source;
  item.finding.fingerprint = message;
  item.finding.message = std::move(message);
  item.finding.place.file = source.name;
  if (line == 0) return;
  item.finding.place.line = item.finding.place.end_line = line;
  const std::string_view text = source.line(line);
  const std::size_t from = std::min<std::size_t>(std::max<std::uint32_t>(column, 1) - 1, text.size());
  item.finding.place.column = character_count(text.substr(0, from)) + 1;
  item.finding.place.end_column = character_count(text) + 1;
}

auto FindingSink::object(const Manifest& manifest, std::string message) -> FindingBuilder {
  for (const char* path : {"metadata.name", "metadata.generateName", "kind"}) {
    if (const Value at = manifest.in(path)) return add(at, Part::value, std::move(message));
  }
  return add(manifest.root(), Part::value, std::move(message));
}

}  // namespace previct::lint
