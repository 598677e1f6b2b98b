#include "lint/linter.h"

#include "base/ascii.h"
#include "lint/fix.h"
#include "lint/rule.h"
#include "lint/suppression.h"
#include "lint/template_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::lint {
namespace {

// FNV-1a, 64 bits: short, and stable on every machine; a collision is no security risk.
auto hash_of(std::string_view text) -> std::uint64_t {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x0000'0100'0000'01b3;
  }
  return hash;
}

auto in_order(const Finding& a, const Finding& b) -> bool {
  return std::tie(a.place.file, a.place.line, a.place.column, a.rule, a.message) <
         std::tie(b.place.file, b.place.line, b.place.column, b.rule, b.message);
}

// Findings so far. An object may be in several scopes, with different names: a finding is reported where it is written,
// with the wording of the first scope.
class ReportedFindings {
 public:
  auto is_new(const Finding& finding, const Scope& scope) -> bool {
    const TextRange& at = finding.place;
    const auto [first, added] = first_.emplace(std::tuple(finding.rule, at.file, at.line, at.column), &scope);
    return added || first->second == &scope;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>, const Scope*> first_;
};

/// For output of Helm, findings name the template. How to fix the template is unknown.
void name_template(Finding& finding, const TextRange& written, TemplatePlaces& places) {
  finding.notes.push_back(fmt::format("as rendered: {}", described(finding.place)));
  finding.place = written;
  finding.fixes.clear();
  for (RelatedPlace& related : finding.related) {
    if (const auto place = places.of(related.place)) related.place = *place;
  }
}

}  // namespace

void set_fingerprints(std::deque<FindingSink::Item>& items) {
  std::map<std::string, std::size_t> seen;
  for (FindingSink::Item& item : items) {
    Finding& finding = item.finding;
    const std::string text = fmt::format("{}\n{}\n{}", finding.rule, finding.object, finding.fingerprint);
    finding.fingerprint = fmt::format("{:016x}", hash_of(text));
    if (const std::size_t n = ++seen[text]; n > 1) finding.fingerprint += fmt::format(":{}", n);
  }
}

auto text_of(const Rule& rule) -> RuleText {
  const std::string_view family = rule.id.substr(0, 2);
  return {.id = std::string(rule.id),
          .name = std::string(rule.name),
          .severity = rule.severity,
          .title = std::string(rule.title),
          .why = std::string(rule.why),
          .how_to_fix = std::string(rule.how_to_fix),
          .source = std::string(rule.source),
          .bad = std::string(examples_of(rule).bad),
          .good = std::string(examples_of(rule).good),
          .tags = {std::string(family)}};
}

auto lint(const Tree& tree, const Settings& settings, const std::vector<BaselineEntry>& baseline) -> Findings {
  Findings result;
  std::vector<const Rule*> applied;
  for (const Rule* rule : rules()) {
    if (!selected(rule->id, settings)) continue;
    result.rules.push_back(text_of(*rule));
    if (rule->check != nullptr) applied.push_back(rule);  // the other rules are about linting itself
  }
  FindingSink all;
  ReportedFindings told;
  const std::vector<Scope> none(tree.scopes().empty() ? 1 : 0);  // without scopes, still checks the input
  for (const Scope& scope : none.empty() ? tree.scopes() : none) {
    const Repository repository(tree, scope);
    for (const Rule* rule : applied) {
      if (rule->whole_cluster && !repository.is_whole()) continue;
      FindingSink found;
      rule->check(repository, found);
      for (FindingSink::Item& item : found.items()) {
        if (item.unknown) continue;
        item.finding.rule = rule->id;
        const auto severity = settings.severity.find(item.finding.rule);
        item.finding.severity = severity == settings.severity.end() ? rule->severity : severity->second;
        if (told.is_new(item.finding, scope)) all.items().push_back(std::move(item));
      }
    }
  }
  std::deque<FindingSink::Item>& items = all.items();
  std::stable_sort(items.begin(), items.end(), [](const FindingSink::Item& a, const FindingSink::Item& b) {
    return in_order(a.finding, b.finding);
  });
  set_fingerprints(items);
  TemplatePlaces places(tree);
  for (FindingSink::Item& item : items) item.written = places.of(item.finding.place);
  std::vector<Finding> faults = suppress(items, tree, settings, baseline);
  offer_fixes(items);
  for (FindingSink::Item& item : items) {
    if (item.written) name_template(item.finding, *item.written, places);
  }
  for (FindingSink::Item& item : items) result.items.push_back(std::move(item.finding));
  for (Finding& fault : faults) {
    if (const auto severity = settings.severity.find(fault.rule); severity != settings.severity.end())
      fault.severity = severity->second;
    result.items.push_back(std::move(fault));
  }
  std::stable_sort(result.items.begin(), result.items.end(), in_order);
  return result;
}

auto when_applied(const Rule& rule) -> std::string_view {
  return rule.whole_cluster ? "Only if the input is a whole cluster: a dump with running pods, a scope of "
                              ".previct.yaml, or files that you pass with -f (previct lint -f FILE) and not as PATH."
                            : std::string_view();
}

auto examples_of(const Rule& rule) -> const RuleExamples& {
  static constexpr RuleExamples kNone{};  // a test reports rules without examples
  const auto& all = rule_examples();
  const auto found = std::lower_bound(all.begin(), all.end(), rule.id,
                                      [](const RuleExamples& each, std::string_view id) { return each.id < id; });
  return found == all.end() || found->id != rule.id ? kNone : *found;
}

auto find_rule(std::string_view id) -> const Rule* {
  const std::string wanted = upper_case(id);
  for (const Rule* rule : rules()) {
    if (rule->id == wanted) return rule;
  }
  return nullptr;
}

}  // namespace previct::lint
