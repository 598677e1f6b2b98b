#include "lint/fix.h"

#include "input/documents.h"
#include "lint/rule.h"

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

/// The keys that fixes would write, by the map that holds them. Which of two keys that mean the same one counts is
/// not known: none of the two is fixed.
class RenamedKeys {
 public:
  void add(const FindingSink::Wanted& wanted) {
    if (wanted.of_key) keys_[place_of(wanted)].insert(as_written(wanted.value).key_index());
  }
  [[nodiscard]] auto clash(const FindingSink::Wanted& wanted) const -> bool {
    return wanted.of_key && keys_.at(place_of(wanted)).size() > 1;
  }

 private:
  using Place = std::tuple<const Manifest*, std::uint32_t, std::string>;  // the map, and the key to write

  static auto place_of(const FindingSink::Wanted& wanted) -> Place {
    const Value value = as_written(wanted.value);
    return {&value.manifest(), map_around(value), wanted.text};
  }

  std::map<Place, std::set<std::uint32_t>> keys_;
};

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
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// One side of a comparison: a text, and the line of the whole file on which it begins.
struct Side {
  std::string_view text;
  std::size_t first_line = 1;

  [[nodiscard]] auto layout() const -> std::vector<WrittenNode> {
    std::vector<WrittenNode> nodes;
    if (looks_like_json(text)) nodes = layout_of(text, true);
    return nodes.empty() ? layout_of(text, false) : nodes;
  }
  [[nodiscard]] auto token(const WrittenNode& node) const -> std::string_view {
    return text.substr(node.content, node.end - node.content);
  }
  [[nodiscard]] auto line(std::size_t offset) const -> std::size_t {
    const std::string_view before = text.substr(0, offset);
    return first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  }
  /// The blanks and dashes before a node that nothing else precedes on its line.
  [[nodiscard]] auto indentation(std::size_t offset) const -> std::string_view {
    const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view before = text.substr(begin, offset - begin);
    return before.find_first_not_of(" -\t") == std::string_view::npos ? before : std::string_view();
  }
};

/// The changed scalars of a file as hunks of a diff.
class Hunks {
 public:
  explicit Hunks(const FixedFile& file) : file_(file), lines_{"--- " + file.name, "+++ " + file.name} {}

  // NOLINTNEXTLINE(misc-no-recursion): each level is a text within a scalar of the one above, and shorter
  void compare(const Side& before, const Side& after) {
    const std::vector<WrittenNode> old_nodes = before.layout();
    const std::vector<WrittenNode> new_nodes = after.layout();
    if (old_nodes.size() != new_nodes.size()) return;  // fixes replace scalars only
    for (std::size_t i = 0; i < old_nodes.size(); ++i) {
      const WrittenNode& was = old_nodes[i];
      const WrittenNode& is = new_nodes[i];
      const auto differ = [&](std::size_t at) {
        return old_nodes[at].kind == WrittenNode::Kind::scalar &&
               before.token(old_nodes[at]) != after.token(new_nodes[at]);
      };
      const bool key_of_scalar = was.key && i + 1 < old_nodes.size() && differ(i + 1);
      if (!differ(i) || key_of_scalar) continue;
      if (is.style == WrittenNode::Style::literal && was.style == is.style) {
        compare({was.text, before.line(was.content) + 1}, {is.text, after.line(is.content) + 1});
        continue;
      }
      const std::size_t first = !was.key && i > 0 && old_nodes[i - 1].key ? i - 1 : i;
      const bool hidden = !was.key && file_.private_texts.contains(std::string(after.token(is)));
      add(hunk_of(before, old_nodes, first, i, hidden ? "(not shown)" : ""),
          hunk_of(after, new_nodes, first, i, hidden ? "(the same as a string)" : ""));
    }
  }

  [[nodiscard]] auto lines() && -> std::vector<std::string> { return std::move(lines_); }

 private:
  struct Hunk {
    std::size_t line;
    std::string text;
  };

  static auto hunk_of(const Side& side, const std::vector<WrittenNode>& nodes, std::size_t first, std::size_t last,
                      std::string_view instead) -> Hunk {
    std::string text(side.indentation(nodes[first].begin));
    if (first != last) text += fmt::format("{}: ", side.token(nodes[first]));
    text += instead.empty() ? side.token(nodes[last]) : instead;
    return {side.line(nodes[first].begin), std::move(text)};
  }

  void add(const Hunk& was, const Hunk& is) {
    const std::vector<std::string_view> old_lines = lines_of(was.text);
    const std::vector<std::string_view> new_lines = lines_of(is.text);
    lines_.push_back(fmt::format("@@ -{},{} +{},{} @@", was.line, old_lines.size(), is.line, new_lines.size()));
    for (const std::string_view line : old_lines) lines_.push_back(fmt::format("-{}", line));
    for (const std::string_view line : new_lines) lines_.push_back(fmt::format("+{}", line));
  }

  const FixedFile& file_;
  std::vector<std::string> lines_;
};

auto key_of(const Finding& finding) -> FindingKey {
  return {finding.place.file, finding.rule, finding.object};
}

auto counts_of(const Findings& findings) -> std::map<FindingKey, std::size_t> {
  std::map<FindingKey, std::size_t> counts;
  for (const Finding& finding : findings.items) ++counts[key_of(finding)];
  return counts;
}

/// The expected effect of a round of fixes on one file: the number of findings must fall.
struct Promise {
  std::string text_before;
  std::size_t fixes_before = 0;
  std::map<FindingKey, std::size_t> most;  // the most findings that may remain
};

/// Returns true for what no fix may cause: an error, or a key that occurs twice, of which one value silently counts.
auto is_grave(const Finding& finding) -> bool {
  if (finding.suppression) return false;
  const Rule* rule = find_rule(finding.rule);
  return finding.severity == Severity::error || (rule != nullptr && rule->severity == Severity::error) ||
         finding.rule == "DU008";
}

struct Graves {
  std::map<FindingKey, std::size_t> counts = {};
  std::map<FindingKey, std::uint32_t> lines = {};  // of the last
};

auto graves_in(const Findings& findings) -> Graves {
  Graves graves;
  for (const Finding& finding : findings.items) {
    if (!is_grave(finding)) continue;
    ++graves.counts[key_of(finding)];
    graves.lines[key_of(finding)] = finding.place.line;
  }
  return graves;
}

/// What fixes of all rounds changed, except for those of `except`.
class Rounds {
 public:
  Rounds(const FindAgain& find, const Settings& settings, const std::set<FindingKey>& except)
      : find_(find), settings_(settings), except_(except) {}

  auto run() -> Result<void> {
    constexpr int kMostRounds = 10;
    for (int round = 0;; ++round) {
      Tree tree;
      PREVICT_TRY(const Findings findings, find_(now_, tree));
      if (round == 0) before_ = graves_in(findings);
      if (round == 0) note_left(findings, tree);
      // After the last round, files are still set back, which makes one more look necessary.
      if (take_back(findings)) continue;
      if (round < kMostRounds) apply(findings, tree);
      if (!promises_.empty()) continue;
      after_ = graves_in(findings);
      return {};
    }
  }

  /// The fixes that probably caused errors: of each error, the nearest fix of the same object, else all of the same
  /// file, else all.
  [[nodiscard]] auto culprits() const -> std::map<FindingKey, std::string> {
    std::map<FindingKey, std::string> culprits;
    for (const auto& [key, count] : after_.counts) {
      const auto then = before_.counts.find(key);
      if (then != before_.counts.end() && count <= then->second) continue;
      const std::string why = fmt::format("would cause {}", std::get<1>(key));
      const std::uint32_t line = after_.lines.at(key);
      const auto distance = [&](const auto& each) {
        return each.second > line ? each.second - line : line - each.second;
      };
      auto nearest = applied_.end();
      for (auto each = applied_.begin(); each != applied_.end(); ++each) {
        const bool same_object =
            std::get<0>(each->first) == std::get<0>(key) && std::get<2>(each->first) == std::get<2>(key);
        if (same_object && (nearest == applied_.end() || distance(*each) < distance(*nearest))) nearest = each;
      }
      if (nearest != applied_.end()) {
        culprits.emplace(nearest->first, why);
        continue;
      }
      const bool in_file = std::any_of(applied_.begin(), applied_.end(),
                                       [&](const auto& each) { return std::get<0>(each.first) == std::get<0>(key); });
      for (const auto& [fixed, at] : applied_) {
        if (!in_file || std::get<0>(fixed) == std::get<0>(key)) culprits.emplace(fixed, why);
      }
    }
    return culprits;
  }

  [[nodiscard]] auto files() -> std::map<std::string, FixedFile>& { return files_; }
  [[nodiscard]] auto applied() const -> const std::map<FindingKey, std::uint32_t>& { return applied_; }

 private:
  auto file_of(const SourceText& source) -> FixedFile& {
    const auto [known, added] = files_.try_emplace(source.name);
    if (added) known->second = {source.name, source.path, source.marked, source.text, source.text};
    return known->second;
  }

  /// Enters the files with fixes that are not applied.
  void note_left(const Findings& findings, const Tree& tree) {
    for (const Finding& finding : findings.items) {
      if (finding.suppression || finding.fixes.empty() || !except_.contains(key_of(finding))) continue;
      for (const SourceText& source : tree.texts()) {
        if (source.name == finding.place.file) static_cast<void>(file_of(source));
      }
    }
  }

  auto take_back(const Findings& findings) -> bool {
    const std::map<FindingKey, std::size_t> counts = counts_of(findings);
    bool taken_back = false;
    for (const auto& [name, promise] : promises_) {
      const auto kept = [&](const auto& each) {
        const auto count = counts.find(each.first);
        return count == counts.end() || count->second <= each.second;
      };
      const auto broken = std::find_if_not(promise.most.begin(), promise.most.end(), kept);
      if (broken == promise.most.end()) continue;
      FixedFile& file = files_[name];
      file.left = fmt::format("{} would still be found after its fix", std::get<1>(broken->first));
      file.after = now_[name] = promise.text_before;
      file.fixes = promise.fixes_before;
      taken_back = true;
    }
    promises_.clear();
    return taken_back;
  }

  void apply(const Findings& findings, const Tree& tree) {
    const std::map<FindingKey, std::size_t> counts = counts_of(findings);
    std::set<FindingKey> except = except_;
    for (const Finding& finding : findings.items) {
      if (!selected(finding.rule, settings_)) except.insert(key_of(finding));
    }
    for (FixedText& text : fixed_texts(findings, tree, except)) {
      const SourceText& source = *text.source;
      FixedFile& file = file_of(source);
      if (!file.left.empty()) continue;
      file.left = text.left;
      if (!file.left.empty()) continue;
      Promise& promise = promises_[source.name] = {file.after, file.fixes, {}};
      for (const Finding* finding : text.fixed) {
        const auto [most, first] = promise.most.try_emplace(key_of(*finding), counts.at(key_of(*finding)));
        --most->second;
        applied_[key_of(*finding)] = finding->place.line;
        if (!finding->fixes[0].hidden) continue;
        for (const Fix::Edit& edit : finding->fixes[0].edits) file.private_texts.insert(edit.text);
      }
      file.after = now_[source.name] = std::move(text.after);
      file.fixes += text.fixed.size();
    }
  }

  const FindAgain& find_;
  const Settings& settings_;
  const std::set<FindingKey>& except_;
  std::map<std::string, FixedFile> files_;
  std::map<std::string, Promise> promises_;  // of the previous round
  TextsByName now_;
  Graves before_;
  Graves after_;
  std::map<FindingKey, std::uint32_t> applied_;  // with the line of the last
};

}  // namespace

void offer_fixes(std::deque<FindingSink::Item>& items) {
  Layouts layouts;
  RenamedKeys renamed;
  for (const FindingSink::Item& item : items) {
    for (const FindingSink::Wanted& wanted : item.wanted) renamed.add(wanted);
  }
  for (FindingSink::Item& item : items) {
    for (const FindingSink::Wanted& wanted : item.wanted) {
      const std::optional<Spot> spot = spot_of(wanted, layouts);
      if (!spot || renamed.clash(wanted)) continue;
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

auto fixed_texts(const Findings& findings, const Tree& tree, const std::set<FindingKey>& except)
    -> std::vector<FixedText> {
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
    if (except.contains(key_of(finding))) continue;
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

auto fixed_files(const FindAgain& find, const Settings& settings) -> Result<std::vector<FixedFile>> {
  constexpr int kMostAttempts = 12;
  std::map<FindingKey, std::string> refused;  // fixes, and why
  for (int attempt = 1;; ++attempt) {
    std::set<FindingKey> except;
    for (const auto& [key, why] : refused) except.insert(key);
    Rounds rounds(find, settings, except);
    PREVICT_CHECK(rounds.run());
    const std::map<FindingKey, std::string> culprits = rounds.culprits();
    if (!culprits.empty()) {
      refused.insert(culprits.begin(), culprits.end());
      // The last attempt applies nothing.
      if (attempt >= kMostAttempts - 1) {
        for (const auto& [key, line] : rounds.applied()) refused.emplace(key, "could cause an error");
      }
      if (attempt < kMostAttempts) continue;
    }
    std::vector<FixedFile> all;
    for (auto& [name, file] : rounds.files()) {
      const auto why = std::find_if(refused.begin(), refused.end(),
                                    [&](const auto& each) { return std::get<0>(each.first) == file.name; });
      if (file.left.empty() && why != refused.end())
        file.left = fmt::format("the fix of {} {}", std::get<1>(why->first), why->second);
      if (!culprits.empty()) {
        file.after = file.before;
        file.fixes = 0;
      }
      all.push_back(std::move(file));
    }
    return all;
  }
}

auto diff_of(const FixedFile& file) -> std::vector<std::string> {
  Hunks hunks(file);
  hunks.compare({file.before}, {file.after});
  return std::move(hunks).lines();
}

}  // namespace previct::lint
