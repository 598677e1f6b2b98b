#include "lint/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace previct::lint {
namespace {

/// Bytes of a text and what is to stand there.
struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text = {};
};

// Columns count characters.
auto offset_of(const SourceText& source, std::uint32_t line, std::uint32_t column) -> std::size_t {
  std::size_t at = source.offset(line, 1);
  if (at == std::string::npos) return at;
  const auto continues = [&] { return (static_cast<unsigned char>(source.text[at]) & 0xc0U) == 0x80; };
  for (std::uint32_t i = 1; i < column && at < source.text.size(); ++i) {
    do {
      ++at;
    } while (at < source.text.size() && continues());
  }
  return at;
}

auto changes_of(const Fix& fix, const SourceText& source) -> std::vector<Change> {
  std::vector<Change> changes;
  for (const Fix::Edit& edit : fix.edits) {
    const std::size_t begin = offset_of(source, edit.place.line, edit.place.column);
    const std::size_t end = offset_of(source, edit.place.end_line, edit.place.end_column);
    if (edit.place.file != source.name || begin == std::string::npos || end == std::string::npos || end < begin)
      return {};
    changes.push_back({begin, end, edit.text});
  }
  return changes;
}

auto overlap(const Change& a, const Change& b) -> bool {
  return a.begin < b.end && b.begin < a.end;
}

auto lines_of(std::string_view text) -> std::vector<std::string_view> {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

auto fixed_texts(const Findings& findings, const Tree& tree) -> std::vector<FixedText> {
  std::map<std::string_view, const SourceText*> sources;
  for (const SourceText& source : tree.texts()) sources.emplace(source.name, &source);
  struct Work {
    std::vector<Change> changes;
    std::size_t fixes = 0;
  };
  std::map<std::string_view, Work> works;
  for (const Finding& finding : findings.items) {
    const auto source = sources.find(finding.place.file);
    if (finding.suppression || finding.fixes.empty() || source == sources.end()) continue;
    const std::vector<Change> changes = changes_of(finding.fixes[0], *source->second);
    Work& work = works[source->first];
    const bool free = std::none_of(changes.begin(), changes.end(), [&](const Change& change) {
      return std::any_of(work.changes.begin(), work.changes.end(),
                         [&](const Change& other) { return overlap(change, other) || change.begin == other.begin; });
    });
    if (changes.empty() || !free) continue;
    work.changes.insert(work.changes.end(), changes.begin(), changes.end());
    ++work.fixes;
  }
  std::vector<FixedText> texts;
  for (auto& [name, work] : works) {
    if (work.fixes == 0) continue;
    std::sort(work.changes.begin(), work.changes.end(),
              [](const Change& a, const Change& b) { return a.begin > b.begin; });
    FixedText& text = texts.emplace_back(FixedText{.source = sources.find(name)->second, .fixes = work.fixes});
    text.after = text.source->text;
    for (const Change& change : work.changes) text.after.replace(change.begin, change.end - change.begin, change.text);
  }
  return texts;
}

auto diff_of(const FixedText& text) -> std::vector<std::string> {
  // Fixes put no line ends in and take none away: lines stay beside each other.
  constexpr std::size_t kContext = 3;
  const std::vector<std::string_view> before = lines_of(text.source->text);
  const std::vector<std::string_view> after = lines_of(text.after);
  const std::string& name = text.source->name;
  std::vector<std::string> diff = {"--- " + name, "+++ " + name};
  const std::size_t count = std::min(before.size(), after.size());
  std::size_t at = 0;
  const auto next_change = [&](std::size_t from) {
    while (from < count && before[from] == after[from]) ++from;
    return from;
  };
  for (std::size_t change = next_change(at); change < count; change = next_change(at)) {
    const std::size_t begin = change > kContext ? std::max(change - kContext, at) : at;
    std::size_t end = change + 1;
    for (std::size_t more = next_change(end); more < count && more - end <= 2 * kContext; more = next_change(end)) {
      end = more + 1;
    }
    const std::size_t behind = std::min(end + kContext, count);
    diff.push_back(fmt::format("@@ -{0},{1} +{0},{1} @@", begin + 1, behind - begin));
    for (std::size_t i = begin; i < behind;) {
      std::size_t stop = i;
      while (stop < behind && before[stop] != after[stop]) ++stop;
      for (std::size_t k = i; k < stop; ++k) diff.push_back(fmt::format("-{}", before[k]));
      for (std::size_t k = i; k < stop; ++k) diff.push_back(fmt::format("+{}", after[k]));
      if (stop == i) diff.push_back(fmt::format(" {}", before[stop++]));
      i = stop;
    }
    at = behind;
  }
  return diff;
}

}  // namespace previct::lint
