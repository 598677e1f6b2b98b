#include "tell/yunikorn/messages.h"

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

auto amounts_text(const TypeNames& types, const Resources& amounts) -> std::string {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : types.by_name(amounts)) {
    parts.push_back(fmt::format("{} {}", name, amount_text(name, amount)));
  }
  return parts.empty() ? "-" : joined(parts, ", ");
}

auto design_verdict(const Snapshot& cluster, const DesignDecision& decision, Instant now) -> std::string {
  constexpr std::string_view kWarning = " (1.5.1 design document; no release ever had this)";
  const std::string node =
      decision.node ? std::string(cluster.text(cluster.node(decision.node).meta.name)) : std::string();
  std::string text;
  if (decision.rule == Rule::design_fits) {
    text = fmt::format("fits on its node {}; no preemption needed", node);
  } else if (decision.rule == Rule::design_waits) {
    text = fmt::format("waits for its node {}: preemption starts after {}", node,
                       format_moment(*decision.starts_after, now));
  } else if (decision.rule == Rule::design_preempts) {
    text = fmt::format("would preempt {} on its node {} by strategy {}", pods_words(cluster, decision.victims), node,
                       decision.strategy);
  } else if (decision.rule == Rule::design_no_selection) {
    text = fmt::format("stays pending for its node {}: no strategy finds victims among {}", node,
                       counted(decision.order.size(), "candidate", "candidates"));
  } else {
    text = "is no case for this algorithm: it is not a DaemonSet's pod bound to a node in the input";
  }
  return text + std::string(kWarning);
}

}  // namespace previct::yunikorn
