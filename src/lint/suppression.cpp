#include "lint/suppression.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "input/layout.h"
#include "lint/linter.h"
#include "lint/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace previct::lint {
namespace {

constexpr std::string_view kAnnotation = "previct/ignore";
constexpr std::string_view kComment = "previct:ignore";

/// A request to ignore a rule somewhere.
struct IgnoreRequest {
  std::string rule = {};
  std::string reason = {};
  bool in_source = true;
  TextRange place = {};
  const Manifest* object = nullptr;  // for an annotation, or a comment above the object
  const SourceText* source = nullptr;
  std::uint32_t line = 0;  // line in `source`, for a comment
  Value within = {};       // for a comment in a configuration within an object: the text that holds it
  const Ignore* ignore = nullptr;
  const BaselineEntry* baseline = nullptr;
  bool used = false;
};

auto is_held_by(const Manifest& manifest, const Value& text) -> bool {
  return manifest.held_by && &manifest.held_by.manifest() == &text.manifest() &&
         manifest.held_by.index() == text.index();
}

auto covers(const IgnoreRequest& wish, const FindingSink::Item& item) -> bool {
  const Finding& finding = item.finding;
  if (wish.rule != finding.rule) return false;
  if (wish.baseline != nullptr) return wish.baseline->fingerprint == finding.fingerprint;
  if (wish.ignore != nullptr) {
    const Ignore& ignore = *wish.ignore;
    const auto in_file = [&](const std::string& file) { return matches_glob(ignore.file, file); };
    return (ignore.object.empty() || matches_glob(ignore.object, finding.object)) &&
           (ignore.file.empty() || in_file(finding.place.file) || (item.written && in_file(item.written->file)));
  }
  const bool of_object = wish.object != nullptr && item.manifest != nullptr &&
                         (item.manifest == wish.object || item.manifest->wrapper == wish.object);
  if (of_object) return true;
  // A comment in a text within an object speaks of what this text holds, and of nothing around it.
  if (wish.within && (item.manifest == nullptr || !is_held_by(*item.manifest, wish.within))) return false;
  return wish.source == item.source && wish.line == finding.place.line;
}

class Wishes {
 public:
  explicit Wishes(const Tree& tree) : tree_(tree) {}

  auto all() -> std::vector<IgnoreRequest>& { return wishes_; }

  void of_annotations() {
    for (const Manifest& manifest : tree_.manifests()) {
      const Value value = manifest.in("metadata.annotations")[kAnnotation];
      if (!value) continue;
      std::string_view rest = value.text();
      while (!rest.empty()) {
        const std::size_t end = rest.find_first_of(";\n");
        const std::string_view part = trimmed(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (part.empty()) continue;
        const std::size_t colon = part.find(':');
        add(part.substr(0, colon), colon == std::string_view::npos ? "" : part.substr(colon + 1),
            {.place = range_of(value, Part::value), .object = &manifest});
      }
    }
  }

  void of_comments() {
    for (const SourceText& source : tree_.texts()) {
      if (source.json) continue;
      for (const std::size_t hash : comments_with(source.text, kComment)) of_comment(source, hash, {});
    }
    // Comments of configurations within objects, whose lines are lines of the source.
    std::set<std::pair<const Manifest*, std::uint32_t>> read;
    for (const Manifest& manifest : tree_.manifests()) {
      if (manifest.lines_before == 0 || !manifest.exact) continue;
      if (!read.emplace(&manifest.held_by.manifest(), manifest.held_by.index()).second) continue;
      const std::string_view text = manifest.held_by.text();
      for (const std::size_t hash : comments_with(text, kComment)) {
        const std::string_view before = text.substr(0, hash);
        const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
        const auto column = static_cast<std::uint32_t>(hash - (before.rfind('\n') + 1)) + 1;  // npos + 1 is 0
        const SourceText& source = *manifest.source;
        const std::size_t at = source.offset(line + manifest.lines_before, column + manifest.columns_before);
        if (at != std::string::npos) of_comment(source, at, manifest.held_by);
      }
    }
  }

  void of_settings(const Settings& settings) {
    for (const Ignore& ignore : settings.ignores) {
      if (ignore.expires && tree_.now >= *ignore.expires) {
        expired_.push_back(&ignore);
      } else {
        add(ignore.rule, ignore.reason, {.in_source = false, .place = ignore.place, .ignore = &ignore});
      }
    }
  }

  void of_baseline(const std::vector<BaselineEntry>& entries) {
    for (const BaselineEntry& entry : entries) {
      add(entry.rule, "in the baseline", {.in_source = false, .place = entry.place, .baseline = &entry});
    }
  }

  [[nodiscard]] auto expired() const -> const std::vector<const Ignore*>& { return expired_; }

 private:
  void add(std::string_view rules, std::string_view reason, IgnoreRequest wish) {
    wish.reason = trimmed(reason);
    while (!rules.empty()) {
      const std::size_t comma = rules.find(',');
      wish.rule = upper_case(trimmed(rules.substr(0, comma)));
      rules.remove_prefix(comma == std::string_view::npos ? rules.size() : comma + 1);
      wishes_.push_back(wish);
    }
  }

  // `# previct:ignore ID[,ID] reason` at this offset
  void of_comment(const SourceText& source, std::size_t at, const Value& within) {
    const auto after = std::upper_bound(source.line_starts.begin(), source.line_starts.end(), at);
    const auto line = static_cast<std::uint32_t>(after - source.line_starts.begin());
    const std::string_view text = source.line(line);
    const std::size_t hash = at - source.line_starts[line - 1];
    const std::size_t word = text.find(kComment, hash);
    if (word == std::string_view::npos) return;
    const std::string_view rest = trimmed(text.substr(word + kComment.size()));
    const std::size_t blank = rest.find_first_of(" \t");
    const std::uint32_t column = character_count(text.substr(0, hash)) + 1;
    IgnoreRequest wish{.place = {source.name, line, column, line, character_count(text) + 1},
                       .source = &source,
                       .line = line,
                       .within = within};
    if (trimmed(text.substr(0, hash)).empty()) {
      do {
        ++wish.line;
      } while (wish.line <= source.line_starts.size() && is_empty(source.line(wish.line)));
      if (!within) wish.object = object_at(source, wish.line);
    }
    add(rest.substr(0, blank), blank == std::string_view::npos ? "" : rest.substr(blank), std::move(wish));
  }

  static auto is_empty(std::string_view line) -> bool {
    const std::string_view text = trimmed(line);
    return text.empty() || text.front() == '#' || text == "---";
  }

  [[nodiscard]] auto object_at(const SourceText& source, std::uint32_t line) const -> const Manifest* {
    for (const Manifest& manifest : tree_.manifests()) {
      if (manifest.source == &source && manifest.wrapper == nullptr && manifest.tape[0].line == line) return &manifest;
    }
    return nullptr;
  }

  const Tree& tree_;
  std::vector<IgnoreRequest> wishes_;
  std::vector<const Ignore*> expired_;
};

auto about(const IgnoreRequest& wish, std::string_view rule, std::string message) -> Finding {
  return {
      .rule = std::string(rule),
      .severity = find_rule(rule)->severity,
      .message = std::move(message),
      .place = wish.place,
      .object = wish.object != nullptr ? wish.object->identity() : std::string(),
      .fingerprint = wish.baseline != nullptr ? gone(*wish.baseline) : fmt::format("{} {}", wish.rule, wish.reason)};
}

/// The object that an entry of .previct.yaml probably means: one with this name and a finding of this rule, in any
/// namespace or of any kind.
auto object_meant(const IgnoreRequest& wish, const std::deque<FindingSink::Item>& items) -> std::string {
  if (wish.ignore == nullptr || wish.ignore->object.empty()) return {};
  const std::string& object = wish.ignore->object;
  const std::string_view name = std::string_view(object).substr(object.find_last_of(" /") + 1);
  for (const FindingSink::Item& item : items) {
    const std::string& found = item.finding.object;
    if (item.finding.rule == wish.rule && found.substr(found.find_last_of(" /") + 1) == name)
      return fmt::format("; did you mean the object {}?", found);
  }
  return {};
}

auto faults_of(const IgnoreRequest& wish, const Settings& settings, const std::deque<FindingSink::Item>& items)
    -> std::vector<Finding> {
  std::vector<Finding> faults;
  const auto fault = [&](std::string_view rule, std::string message) {
    if (selected(rule, settings)) faults.push_back(about(wish, rule, std::move(message)));
  };
  if (find_rule(wish.rule) == nullptr) {
    std::vector<std::string> ids;
    for (const Rule* rule : rules()) ids.emplace_back(rule->id);
    const auto meant = nearest(wish.rule, ids);
    fault("LI003",
          fmt::format("\"{}\" is not a rule{}", wish.rule, meant ? fmt::format("; did you mean {}?", *meant) : ""));
    return faults;
  }
  if (wish.reason.empty()) fault("LI001", fmt::format("{} is ignored without a reason", wish.rule));
  // If the rule was not applied, whether its ignore has an effect is unknown.
  if (!wish.used && selected(wish.rule, settings)) {
    const auto of = [&] { return wish.baseline->object.empty() ? "" : fmt::format(" of {}", wish.baseline->object); };
    fault("LI002", wish.baseline != nullptr
                       ? fmt::format("{}{} is gone: take it out of the baseline", wish.rule, of())
                       : fmt::format("nothing here to ignore {} for{}", wish.rule, object_meant(wish, items)));
  }
  return faults;
}

}  // namespace

auto suppress(std::deque<FindingSink::Item>& items, const Tree& tree, const Settings& settings,
              const std::vector<BaselineEntry>& baseline) -> std::vector<Finding> {
  Wishes wishes(tree);
  wishes.of_annotations();
  wishes.of_comments();
  wishes.of_settings(settings);
  const std::size_t written = wishes.all().size();
  wishes.of_baseline(baseline);
  std::multimap<std::string_view, IgnoreRequest*> by_fingerprint;  // a baseline may hold as many as there are findings
  for (std::size_t i = written; i < wishes.all().size(); ++i)
    by_fingerprint.emplace(wishes.all()[i].baseline->fingerprint, &wishes.all()[i]);
  for (FindingSink::Item& item : items) {
    const auto take = [&](IgnoreRequest& wish) {
      if (!covers(wish, item)) return;
      wish.used = true;
      if (!item.finding.suppression) item.finding.suppression = Suppression{wish.in_source, wish.reason, wish.place};
    };
    for (std::size_t i = 0; i < written; ++i) take(wishes.all()[i]);
    const auto [first, last] = by_fingerprint.equal_range(item.finding.fingerprint);
    for (auto each = first; each != last; ++each) take(*each->second);
    for (const Ignore* ignore : wishes.expired()) {
      if (covers({.rule = ignore->rule, .ignore = ignore}, item)) {
        item.finding.notes.push_back(fmt::format("was ignored until {} ({}): {}",
                                                 format_instant(*ignore->expires).substr(0, 10),
                                                 described(ignore->place), ignore->reason));
      }
    }
  }
  // Findings about ignores may be in the baseline, too; those about the baseline itself are not.
  std::deque<FindingSink::Item> faults;
  const auto add_faults = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      for (Finding& fault : faults_of(wishes.all()[i], settings, items))
        faults.push_back({.finding = std::move(fault)});
    }
  };
  add_faults(0, written);
  set_fingerprints(faults);
  for (FindingSink::Item& fault : faults) {
    const auto [first, last] = by_fingerprint.equal_range(fault.finding.fingerprint);
    for (auto each = first; each != last; ++each) {
      IgnoreRequest& wish = *each->second;
      if (wish.rule != fault.finding.rule) continue;
      wish.used = true;
      fault.finding.suppression = Suppression{wish.in_source, wish.reason, wish.place};
    }
  }
  add_faults(written, wishes.all().size());
  std::vector<Finding> all;
  for (FindingSink::Item& fault : faults) all.push_back(std::move(fault.finding));
  return all;
}

}  // namespace previct::lint
