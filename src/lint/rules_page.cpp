#include "lint/rules_page.h"

#include "base/ascii.h"
#include "engine/kube/plugin_names.h"
#include "lint/rule.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace previct::lint {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFamilies = {
    {{"DU", "Files and dumps"},
     {"KA", "KAI Scheduler"},
     {"KQ", "Kueue"},
     {"LI", "Ignored findings"},
     {"PC", "PriorityClasses"},
     {"PD", "PodDisruptionBudgets"},
     {"PO", "Pods and workloads"},
     {"PT", kube::kPreemptionToleration},
     {"SC", "Configuration of kube-scheduler"},
     {"YK", "Queues of YuniKorn"}}};

auto is_of(const Rule& rule, std::string_view family) -> bool {
  return rule.id.starts_with(family);
}

void add_rule(std::string& page, const Rule& rule) {
  page += fmt::format("### {}\n\n**{}** ({}): {}.\n\n{}\n\n", rule.id, rule.name, severity_name(rule.severity),
                      rule.title, rule.why);
  page += fmt::format("**Fix:** {}\n\n", rule.how_to_fix);
  if (rule.whole_cluster) page += fmt::format("**Applied:** {}\n\n", when_applied(rule));
  const RuleExamples& examples = examples_of(rule);
  page += fmt::format("Bad:\n\n```yaml\n{}```\n\nGood:\n\n```yaml\n{}```\n\n", examples.bad, examples.good);
  page += fmt::format("Source: {}\n\n", rule.source);
}

}  // namespace

auto rules_page() -> std::string {
  std::string page =
      "# Rules of previct lint\n\n"
      "`previct rules` lists the rules, and `previct rules PT004` prints one. Ids never change their meaning.\n\n"
      "<!-- Written from src/lint/rules by PREVICT_UPDATE=1 unit_tests \"[manual]\". -->\n\n"
      "| Rule | Severity | What it finds |\n| --- | --- | --- |\n";
  for (const Rule* rule : rules()) {
    page += fmt::format("| [{}](#{}) | {} | {} |\n", rule->id, lower_case(rule->id), severity_name(rule->severity),
                        rule->title);
  }
  for (const auto& [family, title] : kFamilies) {
    page += fmt::format("\n## {}: {}\n\n", family, title);
    for (const Rule* rule : rules()) {
      if (is_of(*rule, family)) add_rule(page, *rule);
    }
  }
  page.pop_back();  // keep one line end
  return page;
}

}  // namespace previct::lint
