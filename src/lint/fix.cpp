#include "lint/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace previct::lint {
namespace {

/// The layouts of texts, each computed once.
class Layouts {
 public:
  /// The layout of a text that may be JSON, or YAML in the style of JSON.
  auto of(std::string_view text, bool json) -> const std::vector<WrittenNode>& {
    const auto [known, added] = layouts_.try_emplace(text.data());
    if (added) {
      if (json) known->second = layout_of(text, true);
      if (known->second.empty()) known->second = layout_of(text, false);
    }
    return known->second;
  }

 private:
  std::map<const char*, std::vector<WrittenNode>> layouts_;  // texts keep their addresses while findings are made
};

/// The scalar that a fix may change, and how it is written.
struct Spot {
  const SourceText* source = nullptr;
  std::string_view text;  // the whole source, or a literal block scalar in it
  const WrittenNode* node = nullptr;
  std::uint32_t lines_before = 0;
  std::uint32_t columns_before = 0;

  /// Converts an offset in `text` to an offset in the source.
  [[nodiscard]] auto in_source(std::size_t offset) const -> std::size_t {
    if (text.data() == source->text.data()) return offset;
    const std::string_view before = text.substr(0, offset);
    const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return source->offset(line + 1 + lines_before, static_cast<std::uint32_t>(offset - begin) + 1 + columns_before);
  }
};

/// The scalar that begins at a line and a column; null if there is none.
auto scalar_at(std::string_view text, const std::vector<WrittenNode>& nodes, const Tape::Entry& entry)
    -> const WrittenNode* {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < entry.line; ++line) {
    begin = text.find('\n', begin) + 1;
    if (begin == 0) return nullptr;
  }
  begin += entry.column - 1;
  auto node = std::lower_bound(nodes.begin(), nodes.end(), begin,
                               [](const WrittenNode& each, std::size_t at) { return each.begin < at; });
  while (node != nodes.end() && node->begin == begin && node->kind != WrittenNode::Kind::scalar) ++node;
  return node == nodes.end() || node->begin != begin ? nullptr : &*node;
}

auto is_within(const Manifest& manifest) -> bool {
  return manifest.lines_before != 0;
}

auto text_around(const Manifest& manifest) -> std::string_view {
  return is_within(manifest) ? manifest.held_by.text() : std::string_view(manifest.source->text);
}

auto layout_around(const Manifest& manifest, Layouts& layouts) -> const std::vector<WrittenNode>& {
  return layouts.of(text_around(manifest), manifest.source->json && !is_within(manifest));
}

/// Returns true if an alias refers to the text that holds the manifest, or to an enclosing text.
auto is_held_by_aliased(const Manifest& manifest, Layouts& layouts) -> bool {
  const Manifest* inner = &manifest;
  while (is_within(*inner)) {
    const Value& holder = inner->held_by;
    inner = &holder.manifest();
    const WrittenNode* node =
        scalar_at(text_around(*inner), layout_around(*inner, layouts), inner->tape[holder.index()]);
    if (node == nullptr || node->aliased) return true;
  }
  return false;
}

auto spot_of(const FindingSink::Wanted& wanted, Layouts& layouts) -> std::optional<Spot> {
  const Value value = as_written(wanted.value);
  const Manifest& manifest = value.manifest();
  // A generated value has a place, but its text is different there.
  if (!manifest.exact || value.text() != wanted.value.text() || value.key() != wanted.value.key()) return {};
  const std::uint32_t index = wanted.of_key ? value.key_index() : value.index();
  if (index == Value::kNone || manifest.tape[index].type != EventType::scalar) return {};
  Spot spot{.source = manifest.source,
            .text = text_around(manifest),
            .lines_before = manifest.lines_before,
            .columns_before = manifest.columns_before};
  const WrittenNode* node = scalar_at(spot.text, layout_around(manifest, layouts), manifest.tape[index]);
  if (node == nullptr || node->end == node->content) return {};
  if (node->key != wanted.of_key || node->foreign || node->aliased || is_held_by_aliased(manifest, layouts)) return {};
  const bool lines = spot.text.substr(node->content, node->end - node->content).find('\n') != std::string_view::npos;
  if (node->key && lines) return {};
  spot.node = node;
  return spot;
}

/// The text that a fix writes. Returns nullopt if the value that the rule read is not the text that is written, as YAML
/// reads 1.10 as 1.1 and 00420 as 272: the fix would be based on the wrong text.
auto scalar_of(const FindingSink::Wanted& wanted, const Spot& spot) -> std::optional<std::string> {
  const WrittenNode& node = *spot.node;
  const bool json = spot.source->json;
  const std::string_view written = spot.text.substr(node.content, node.end - node.content);
  if (wanted.as_written) {
    if (node.style != WrittenNode::Style::plain) return {};
    return scalar_text(written, ScalarType::string, WrittenNode::Style::double_quoted, json);
  }
  const bool made = wanted.type == ScalarType::string && !wanted.of_key && !wanted.value.is_string();
  if (made && written != wanted.value.text()) return {};
  return scalar_text(wanted.text, wanted.type, node.style, json);
}

auto overlap(const TextChange& a, const TextChange& b) -> bool {
  return (a.begin < b.end && b.begin < a.end) || a.begin == b.begin;
}

auto changes_of(const Fix& fix, const SourceText& source) -> std::vector<TextChange> {
  std::vector<TextChange> changes;
  for (const Fix::Edit& edit : fix.edits) {
    const std::size_t begin = offset_at(source, edit.place.line, edit.place.column);
    const std::size_t end = offset_at(source, edit.place.end_line, edit.place.end_column);
    if (edit.place.file != source.name || begin == std::string::npos || end == std::string::npos || end < begin)
      return {};
    changes.push_back({begin, end, edit.text});
  }
  return changes;
}

/// Returns true for JSON, and false for YAML in the style of JSON.
auto is_json(const SourceText& source) -> bool {
  return source.json && !layout_of(source.text, true).empty();
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

/// A range of different lines in both texts: [from, to) of each.
struct Differing {
  std::size_t before_from, before_to;
  std::size_t after_from, after_to;
};

auto differing_lines(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after)
    -> std::vector<Differing> {
  std::vector<Differing> all;
  std::size_t b = 0;
  std::size_t a = 0;
  while (b < before.size() || a < after.size()) {
    if (b < before.size() && a < after.size() && before[b] == after[a]) {
      ++b;
      ++a;
      continue;
    }
    // Fixes change and remove lines, but add none: the next line of the new text is a line of the old one.
    Differing each{b, std::min(b + 1, before.size()), a, std::min(a + 1, after.size())};
    if (each.after_to == after.size()) {
      each.before_to = before.size();
    } else {
      while (each.before_to < before.size() && before[each.before_to] != after[each.after_to]) ++each.before_to;
      if (each.before_to == before.size()) each.before_to = std::min(b + 1, before.size());
    }
    b = each.before_to;
    a = each.after_to;
    all.push_back(each);
  }
  return all;
}

/// The key by which findings are counted: a fix must reduce their number.
using FindingKey = std::tuple<std::string, std::string, std::string>;  // file, rule, object

auto key_of(const Finding& finding) -> FindingKey {
  return {finding.place.file, finding.rule, finding.object};
}

auto counts_of(const Findings& findings) -> std::map<FindingKey, std::size_t> {
  std::map<FindingKey, std::size_t> counts;
  for (const Finding& finding : findings.items) ++counts[key_of(finding)];
  return counts;
}

/// The expected effect of a round of fixes on one file.
struct Promise {
  std::string text_before;
  std::size_t fixes_before = 0;
  std::map<FindingKey, std::size_t> most;  // the most findings that may remain
};

}  // namespace

void offer_fixes(std::deque<FindingSink::Item>& items) {
  Layouts layouts;
  for (FindingSink::Item& item : items) {
    for (const FindingSink::Wanted& wanted : item.wanted) {
      const std::optional<Spot> spot = spot_of(wanted, layouts);
      if (!spot) continue;
      const std::optional<std::string> scalar = scalar_of(wanted, *spot);
      if (!scalar) continue;
      const bool hidden = !wanted.of_key && is_private(wanted.value);
      Fix fix{
          .what = hidden ? "write it as a string" : fmt::format("write {}", *scalar), .edits = {}, .hidden = hidden};
      for (TextChange& change : replacing(spot->text, *spot->node, *scalar)) {
        const std::size_t begin = spot->in_source(change.begin);
        const std::size_t end = spot->in_source(change.end);
        fix.edits.push_back({range_between(*spot->source, begin, end), std::move(change.text)});
      }
      item.finding.fixes.push_back(std::move(fix));
    }
    item.wanted.clear();
  }
}

auto fixed_texts(const Findings& findings, const Tree& tree) -> std::vector<FixedText> {
  std::map<std::string_view, const SourceText*> sources;
  for (const SourceText& source : tree.texts()) sources.emplace(source.name, &source);
  struct Work {
    std::vector<TextChange> changes;
    std::vector<const Finding*> fixed;
  };
  std::map<std::string_view, Work> works;
  for (const Finding& finding : findings.items) {
    const auto source = sources.find(finding.place.file);
    if (finding.suppression || finding.fixes.empty() || source == sources.end()) continue;
    const std::vector<TextChange> changes = changes_of(finding.fixes[0], *source->second);
    Work& work = works[source->first];
    const bool free = std::none_of(changes.begin(), changes.end(), [&](const TextChange& change) {
      return std::any_of(work.changes.begin(), work.changes.end(),
                         [&](const TextChange& other) { return overlap(change, other); });
    });
    if (changes.empty() || !free) continue;
    work.changes.insert(work.changes.end(), changes.begin(), changes.end());
    work.fixed.push_back(&finding);
  }
  std::vector<FixedText> texts;
  for (auto& [name, work] : works) {
    if (work.fixed.empty()) continue;
    std::sort(work.changes.begin(), work.changes.end(),
              [](const TextChange& a, const TextChange& b) { return a.begin < b.begin; });
    FixedText& text =
        texts.emplace_back(FixedText{.source = sources.find(name)->second, .fixed = std::move(work.fixed)});
    text.after = changed_text(text.source->text, work.changes);
    if (!changes_only(text.source->text, work.changes, is_json(*text.source)))
      text.left = "its objects would change elsewhere, too";
  }
  return texts;
}

auto fixed_files(const FindAgain& find) -> Result<std::vector<FixedFile>> {
  constexpr int kMostRounds = 10;
  std::map<std::string, FixedFile> files;
  std::map<std::string, Promise> promises;  // of the previous round
  TextsByName now;
  for (int round = 0; round <= kMostRounds; ++round) {
    Tree tree;
    PREVICT_TRY(const Findings findings, find(now, tree));
    const std::map<FindingKey, std::size_t> counts = counts_of(findings);
    bool taken_back = false;
    for (const auto& [name, promise] : promises) {
      const auto kept = [&](const auto& each) {
        const auto count = counts.find(each.first);
        return count == counts.end() || count->second <= each.second;
      };
      const auto broken = std::find_if_not(promise.most.begin(), promise.most.end(), kept);
      if (broken == promise.most.end()) continue;
      FixedFile& file = files[name];
      file.left = fmt::format("{} would still be found after its fix", std::get<1>(broken->first));
      file.after = now[name] = promise.text_before;
      file.fixes = promise.fixes_before;
      taken_back = true;
    }
    promises.clear();
    if (taken_back) continue;
    if (round == kMostRounds) break;
    for (FixedText& text : fixed_texts(findings, tree)) {
      const SourceText& source = *text.source;
      const auto [known, added] = files.try_emplace(source.name);
      FixedFile& file = known->second;
      if (added) file = {source.name, source.path, source.marked, source.text, source.text};
      if (!file.left.empty()) continue;
      file.left = text.left;
      if (!file.left.empty()) continue;
      Promise& promise = promises[source.name] = {file.after, file.fixes, {}};
      for (const Finding* finding : text.fixed) {
        const auto [most, first] = promise.most.try_emplace(key_of(*finding), counts.at(key_of(*finding)));
        --most->second;
      }
      file.after = now[source.name] = std::move(text.after);
      file.fixes += text.fixed.size();
    }
    if (promises.empty()) break;
  }
  std::vector<FixedFile> all;
  for (auto& [name, file] : files) all.push_back(std::move(file));
  return all;
}

// Without the lines around the changes, which may hold secrets.
auto diff_of(const std::string& name, std::string_view before, std::string_view after) -> std::vector<std::string> {
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  // A side without lines is given by the line before it.
  const auto side = [](std::size_t from, std::size_t to) {
    return fmt::format("{},{}", from + (to > from ? 1 : 0), to - from);
  };
  std::vector<std::string> diff = {"--- " + name, "+++ " + name};
  for (const Differing& each : differing_lines(old_lines, new_lines)) {
    diff.push_back(
        fmt::format("@@ -{} +{} @@", side(each.before_from, each.before_to), side(each.after_from, each.after_to)));
    for (std::size_t i = each.before_from; i < each.before_to; ++i) diff.push_back(fmt::format("-{}", old_lines[i]));
    for (std::size_t i = each.after_from; i < each.after_to; ++i) diff.push_back(fmt::format("+{}", new_lines[i]));
  }
  return diff;
}

}  // namespace previct::lint
