#include "lint/linter.h"

#include "lint/rule.h"
#include "lint/suppression.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::lint {
namespace {

// FNV-1a, 64 bits: short, stable on every machine, and nobody gains by a collision.
auto hash_of(std::string_view text) -> std::uint64_t {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x0000'0100'0000'01b3;
  }
  return hash;
}

// Lines may move, files be renamed: only the rule, the object and what is written there count. Equal ones are numbered.
void set_fingerprints(std::deque<Found::Item>& items) {
  std::map<std::string, std::size_t> seen;
  for (Found::Item& item : items) {
    Finding& finding = item.finding;
    const std::string text = fmt::format("{}\n{}\n{}", finding.rule, finding.object, finding.fingerprint);
    finding.fingerprint = fmt::format("{:016x}", hash_of(text));
    if (const std::size_t n = ++seen[text]; n > 1) finding.fingerprint += fmt::format(":{}", n);
  }
}

auto in_order(const Finding& a, const Finding& b) -> bool {
  return std::tie(a.place.file, a.place.line, a.place.column, a.rule, a.message) <
         std::tie(b.place.file, b.place.line, b.place.column, b.rule, b.message);
}

}  // namespace

auto text_of(const Rule& rule) -> RuleText {
  const std::string_view family = rule.id.substr(0, 2);
  return {.id = std::string(rule.id),
          .name = std::string(rule.name),
          .severity = rule.severity,
          .title = std::string(rule.title),
          .why = std::string(rule.why),
          .mend = std::string(rule.mend),
          .source = std::string(rule.source),
          .bad = std::string(rule.bad),
          .good = std::string(rule.good),
          .tags = {std::string(family)}};
}

auto lint(const Repository& repository, const Settings& settings, const std::vector<BaselineEntry>& baseline)
    -> Findings {
  Found found;
  Findings result;
  for (const Rule* rule : rules()) {
    if (!selected(rule->id, settings)) continue;
    result.rules.push_back(text_of(*rule));
    if (rule->check == nullptr) continue;  // about the linting itself
    const std::size_t before = found.items().size();
    rule->check(repository, found);
    const auto severity = settings.severity.find(std::string(rule->id));
    for (std::size_t i = before; i < found.items().size(); ++i) {
      Finding& finding = found.items()[i].finding;
      finding.rule = rule->id;
      finding.severity = severity == settings.severity.end() ? rule->severity : severity->second;
    }
  }
  std::stable_sort(found.items().begin(), found.items().end(),
                   [](const Found::Item& a, const Found::Item& b) { return in_order(a.finding, b.finding); });
  set_fingerprints(found.items());
  std::vector<Finding> faults = suppress(found.items(), repository, settings, baseline);
  for (Found::Item& item : found.items()) result.items.push_back(std::move(item.finding));
  for (Finding& fault : faults) {
    if (const auto severity = settings.severity.find(fault.rule); severity != settings.severity.end())
      fault.severity = severity->second;
    result.items.push_back(std::move(fault));
  }
  std::stable_sort(result.items.begin(), result.items.end(), in_order);
  return result;
}

auto find_rule(std::string_view id) -> const Rule* {
  std::string wanted(id);
  for (char& c : wanted) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  for (const Rule* rule : rules()) {
    if (rule->id == wanted) return rule;
  }
  return nullptr;
}

}  // namespace previct::lint
