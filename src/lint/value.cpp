#include "lint/value.h"

#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by the nesting of lists that are read

auto Value::entry() const -> const Tape::Entry& {
  return manifest_->tape[index_];
}

auto Value::is_map() const -> bool {
  return manifest_ != nullptr && entry().type == EventType::begin_map;
}

auto Value::is_list() const -> bool {
  return manifest_ != nullptr && entry().type == EventType::begin_list;
}

auto Value::is_scalar() const -> bool {
  return manifest_ != nullptr && entry().type == EventType::scalar;
}

auto Value::is_string() const -> bool {
  return is_scalar() && entry().scalar == ScalarType::string;
}

auto Value::text() const -> std::string_view {
  return is_scalar() ? manifest_->tape.text(entry()) : std::string_view();
}

auto Value::key() const -> std::string_view {
  return manifest_ == nullptr || key_ == kNone ? std::string_view() : manifest_->tape.text(manifest_->tape[key_]);
}

auto Value::operator[](std::string_view key) const -> Value {
  if (!is_map()) return {};
  const Tape& tape = manifest_->tape;
  const std::uint32_t found = tape.find(index_, key);
  if (found == tape.size()) return {};
  if (tape[found].type == EventType::scalar && tape[found].scalar == ScalarType::null) return {};
  return {*manifest_, found, found - 1};
}

auto Value::in(std::string_view path) const -> Value {
  Value at = *this;
  while (!path.empty() && at) {
    const std::size_t dot = path.find('.');
    at = at[path.substr(0, dot)];
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return at;
}

auto Value::begin() const -> Iterator {
  return {*this, is_map() || is_list() ? index_ + 1 : 0};
}

auto Value::end() const -> Iterator {
  return {*this, is_map() || is_list() ? entry().next : 0};
}

auto Value::size() const -> std::size_t {
  std::size_t n = 0;
  for (auto at = begin(); at != end(); ++at) ++n;
  return n;
}

auto Value::Iterator::operator*() const -> Value {
  return of_->is_map() ? Value(*of_->manifest_, at_ + 1, at_) : Value(*of_->manifest_, at_);
}

void Value::Iterator::step() {
  const Tape& tape = of_->manifest_->tape;
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): an iterator without a manifest is never advanced
  at_ = tape[of_->is_map() ? at_ + 1 : at_].next;
}

void Value::Iterator::skip_nulls() {
  if (at_ == 0) return;
  const Tape& tape = of_->manifest_->tape;
  const std::uint32_t end = tape[of_->index_].next;
  while (at_ != end) {
    const Tape::Entry& value = tape[of_->is_map() ? at_ + 1 : at_];
    if (value.type != EventType::scalar || value.scalar != ScalarType::null) return;
    step();
  }
}

auto Value::Iterator::operator++() -> Iterator& {
  step();
  skip_nulls();
  return *this;
}

auto SourceText::line(std::uint32_t line) const -> std::string_view {
  if (line == 0 || line > line_starts.size()) return {};
  const std::size_t begin = line_starts[line - 1];
  std::string_view all = text;
  std::string_view rest = all.substr(begin, all.find('\n', begin) - begin);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

auto SourceText::offset(std::uint32_t line, std::uint32_t column) const -> std::size_t {
  if (line == 0 || column == 0 || line > line_starts.size()) return std::string::npos;
  const std::size_t at = line_starts[line - 1] + column - 1;
  return at <= text.size() ? at : std::string::npos;
}

auto Manifest::at(std::uint32_t line, std::uint32_t column) const -> Value {
  // A block mapping begins at its first key: the key is meant.
  std::uint32_t wanted = tape.size();
  while (wanted > 0 && (tape[wanted - 1].line != line || tape[wanted - 1].column != column)) --wanted;
  if (wanted-- == 0) return root();
  Value here = root();
  while (here.index() != wanted) {
    Value next;
    for (const Value& child : here) {
      const bool is_key = child.key_index() == wanted;
      if (!is_key && (wanted < child.index() || wanted >= tape[child.index()].next)) continue;
      if (is_key) return child;
      next = child;
    }
    if (!next) return here;
    here = next;
  }
  return here;
}

auto map_around(const Value& value) -> std::uint32_t {
  const Tape& tape = value.manifest().tape;
  std::uint32_t map = value.key_index();
  while (map > 0 && (tape[map].type != EventType::begin_map || tape[map].next <= value.key_index())) --map;
  return map;
}

auto keys_twice(const Value& map) -> std::vector<std::pair<Value, Value>> {
  std::vector<std::pair<Value, Value>> twice;
  if (!map.is_map()) return twice;
  const Manifest& manifest = map.manifest();
  const Tape& tape = manifest.tape;
  std::map<std::string_view, std::uint32_t> keys;
  for (std::uint32_t key = map.index() + 1; key < tape[map.index()].next; key = tape[key + 1].next) {
    const auto [first, added] = keys.emplace(tape.text(tape[key]), key);
    if (!added) twice.emplace_back(Value(manifest, first->second + 1, first->second), Value(manifest, key + 1, key));
  }
  return twice;
}

auto has_known_api(const Manifest& manifest) -> bool {
  const std::string& group = manifest.group;
  return group.find('.') == std::string::npos || group.ends_with(".k8s.io") || group == "scheduling.run.ai" ||
         group == "kai.scheduler";
}

auto takes_part(const Manifest& manifest) -> bool {
  constexpr std::array<std::string_view, 4> kCore = {"Pod", "Node", "PersistentVolumeClaim", "ReplicationController"};
  constexpr std::array<std::string_view, 9> kGroups = {
      "apps",          "batch",          "policy",         "scheduling.k8s.io",          "scheduling.run.ai",
      "kai.scheduler", "kueue.x-k8s.io", "storage.k8s.io", "kubescheduler.config.k8s.io"};
  return manifest.group.empty() ? contains(kCore, manifest.kind) : contains(kGroups, manifest.group);
}

auto kind_of(const Manifest& manifest) -> std::string {
  return manifest.group.empty() ? manifest.kind : fmt::format("{}.{}", manifest.kind, manifest.group);
}

auto known_kind(const Manifest& manifest) -> const KindInfo* {
  const auto all = all_kinds();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [of = kind_of(manifest)](const KindInfo* kind) { return kind->qualified == of; });
  return found == all.end() ? nullptr : *found;
}

auto Manifest::identity() const -> std::string {
  if (wrapper != nullptr && name.empty()) return wrapper->identity();
  return ns.empty() ? fmt::format("{} {}", kind, name) : fmt::format("{} {}/{}", kind, ns, name);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
