#include "tell/yunikorn/messages.h"

#include "api/amount_text.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::yunikorn {
namespace {

auto in_bytes(std::string_view type) -> bool {
  return type == "memory" || type == "ephemeral-storage" || type.substr(0, 10) == "hugepages-";
}

}  // namespace

auto class_word(VictimClass cls) -> std::string_view {
  switch (cls) {
    case VictimClass::regular: return "regular";
    case VictimClass::opted_out: return "opted-out";
    case VictimClass::originator: return "originator";
  }
  return "regular";
}

auto design_outcome_word(Rule rule) -> std::string_view {
  if (rule == Rule::design_fits) return "fits";
  if (rule == Rule::design_waits) return "waiting";
  if (rule == Rule::design_preempts) return "preempted";
  if (rule == Rule::design_no_selection) return "no-selection";
  return "not-applicable";
}

auto certain_victims(const ReleaseDecision& decision) -> std::vector<PodId> {
  if (decision.outcome != ReleaseOutcome::preempted) return {};
  if (decision.required) return decision.required->victims;
  if (decision.queue && decision.queue->solutions.size() == 1) return decision.queue->solutions[0].victims;
  return {};
}

auto amount_text(std::string_view type, std::int64_t amount) -> std::string {
  if (type == "vcore") return amount % 1000 == 0 ? fmt::format("{}", amount / 1000) : fmt::format("{}m", amount);
  if (!in_bytes(type)) return fmt::format("{}", amount);
  constexpr std::array<std::string_view, 6> kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  double value = static_cast<double>(amount);
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && (value >= 1024 || value <= -1024); ++unit) value /= 1024;
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return fmt::format("{}{}", text, kUnits[unit]);
}

auto amount_texts(std::string_view type, const std::vector<std::int64_t>& amounts) -> std::vector<std::string> {
  if (in_bytes(type)) return readable_amounts(type, amounts);
  std::vector<std::string> texts;
  for (const std::int64_t amount : amounts) texts.push_back(amount_text(type, amount));
  return texts;
}

auto amounts_text(const TypeNames& types, const Resources& amounts) -> std::string {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : types.by_name(amounts)) {
    parts.push_back(fmt::format("{} {}", name, amount_text(name, amount)));
  }
  return parts.empty() ? "-" : joined(parts, ", ");
}

auto exact_amounts_text(const TypeNames& types, const Resources& amounts) -> std::string {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : types.by_name(amounts))
    parts.push_back(
        fmt::format("{} {}", name, in_bytes(name) ? previct::amount_text(name, amount) : amount_text(name, amount)));
  return parts.empty() ? "-" : joined(parts, ", ");
}

namespace {

auto percent_text(double percent) -> std::string {
  std::string text = fmt::format("{:.2f}", percent);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " %";
}

}  // namespace

auto percent_text(const Fraction& fraction) -> std::string {
  return percent_text(fraction.percent());
}

auto percent_text(const Decimal& percent) -> std::string {
  return percent_text(static_cast<double>(percent.scaled) / static_cast<double>(Decimal::kScale));
}

auto trial_words(const Snapshot& cluster, const DesignSettings& settings, const DesignTrial& trial) -> std::string {
  using Outcome = DesignTrial::Outcome;
  switch (trial.outcome) {
    case Outcome::selected: return counted(trial.victims.size(), "victim", "victims");
    case Outcome::none_enough: return "no candidate suffices alone";
    case Outcome::none_within:
      return fmt::format("{} has the smallest deviation of those that suffice alone, {}, which is more than {}",
                         cluster.key(trial.nearest), percent_text(trial.nearest_deviation),
                         percent_text(settings.deviation_percent));
    case Outcome::too_many:
      return fmt::format("{} would suffice, which is more than {}", counted(trial.needed, "victim", "victims"),
                         settings.max_victims);
    case Outcome::not_together: return "all candidates together do not suffice";
  }
  return "";
}

auto design_verdict(const Snapshot& cluster, const DesignDecision& decision, Instant now) -> std::string {
  constexpr std::string_view kWarning = " (1.5.1 design document, not in any release)";
  const std::string node = decision.node ? std::string(cluster.name(decision.node)) : std::string();
  std::string text;
  if (decision.rule == Rule::design_fits) {
    text = fmt::format("fits on its node {}; no preemption needed", node);
  } else if (decision.rule == Rule::design_waits) {
    const bool known = decision.settings.reservation_created.has_value();
    text = fmt::format("waits for its node {}: preemption starts after {}{}", node,
                       *decision.starts_after == now ? "this moment" : format_moment(*decision.starts_after, now),
                       known ? "" : " at the earliest: the reservation is younger than the pod");
  } else if (decision.rule == Rule::design_preempts) {
    const std::size_t deleting = decision.deleting_victims();
    const bool all = deleting == decision.victims.size();
    text = fmt::format(
        "{} {}{} on its node {} by strategy {}{}{}", all ? "needs no new victim: it would select" : "would preempt",
        describe_pods(cluster, decision.victims),
        all            ? ", already being deleted,"
        : deleting > 0 ? fmt::format(", {} of them already being deleted,", deleting)
                       : "",
        node, decision.strategy, decision.readings_differ() ? "; by the other reading of the document, other pods" : "",
        decision.may_start_after
            ? fmt::format("; the start delay is assumed to have passed, and will have passed by {}",
                          format_moment(*decision.may_start_after, now))
            : "");
  } else if (decision.rule == Rule::design_no_selection) {
    std::vector<std::string> why;
    for (const DesignTrial& trial : decision.selection.trials)
      why.push_back(fmt::format("{}: {}", trial.strategy, trial_words(cluster, decision.settings, trial)));
    text = fmt::format("stays pending for its node {}: {}{}", node,
                       decision.order.empty() ? "it has no candidate" : joined(why, "; "),
                       decision.readings_differ() ? "; by the other reading of the document, there are victims" : "");
  } else {
    text = "is not covered by this algorithm: it is not a DaemonSet pod bound to a node in the input";
  }
  return text + std::string(kWarning);
}

}  // namespace previct::yunikorn
