#include "base/text.h"
#include "cli/command.h"
#include "lint/lint_report.h"
#include "lint/rule.h"
#include "lint/settings.h"
#include "tell/reason_report.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kRulesTakes = {Group::output, Group::help};

auto run_rules(Session& session) -> Result<CommandResult> {
  if (session.options.arguments.empty()) return CommandResult{lint::rules_report(lint::rules())};
  const std::string& id = session.options.arguments.front();
  if (const lint::Rule* rule = lint::find_rule(id)) return CommandResult{lint::rule_report(*rule)};
  if (std::optional<Report> reason = reason_report(id)) return CommandResult{*std::move(reason)};
  lint::Settings only;
  only.only = {id};
  std::vector<const lint::Rule*> family;
  for (const lint::Rule* rule : lint::rules()) {
    if (lint::selected(rule->id, only)) family.push_back(rule);
  }
  if (!family.empty()) return CommandResult{lint::rules_report(family)};
  std::vector<std::string> ids = reason_ids();
  for (const lint::Rule* rule : lint::rules()) ids.emplace_back(rule->id);
  const auto meant = nearest(id, ids);
  return fail(fmt::format("no rule {}{}", id, meant ? fmt::format("; did you mean {}?", *meant) : ""), {},
              "previct rules lists the rules of lint; docs/words.md lists the reasons of verdicts");
}

}  // namespace

const Command& rules_command = Command{
    .name = "rules",
    .task = Task::guard,
    .what = "explain a rule or a reason by its ID",
    .arguments = "[ID]",
    .most_arguments = 1,
    .groups = kRulesTakes,
    .examples =
        "rules                        all rules of lint, one per line\n"
        "rules PT                     the rules of a family\n"
        "rules PT004                  why it matters, how to fix it, a bad and a good manifest\n"
        "rules kube.tolerance.runs    what a reason in an answer means, and its source",
    .more =
        "Rule IDs never change their meaning. The first two letters are the family: PC PriorityClass, PT preemption "
        "tolerations, PD budgets, SC scheduler configuration, PO pods, KA KAI Scheduler, KQ Kueue, YK YuniKorn, DU "
        "input, LI ignores.",
    .run = run_rules};

}  // namespace previct::cli
