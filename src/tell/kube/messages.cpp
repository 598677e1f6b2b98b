#include "tell/kube/messages.h"

#include "api/amount_text.h"
#include "base/go.h"
#include "base/text.h"
#include "engine/kube/csi_migration.h"
#include "engine/kube/declared_features.h"
#include "engine/kube/devices/cel.h"
#include "tell/braces.h"
#include "tell/kube/selector_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace previct::kube {
namespace {

template <class IdType>
auto id_of(std::int64_t operand) -> IdType {
  return IdType{static_cast<std::uint32_t>(operand)};
}

// Source: google/cel-go: common/types/err.go, string.go, optional.go; kubernetes/apiserver:
// pkg/cel/library/quantity.go.
auto cel_fault(std::int64_t kind) -> std::string_view {
  using Kind = devices::cel::Fault::Kind;
  switch (static_cast<Kind>(kind)) {
    case Kind::overflow: return "integer overflow";
    case Kind::division: return "division by zero";
    case Kind::remainder: return "modulus by zero";
    case Kind::conversion: return "type conversion error from 'string' to 'int'";
    case Kind::no_integer: return "cannot convert value to integer";
    case Kind::nothing_there: return "optional.none() dereference";
    default: return {};
  }
}

}  // namespace

auto Words::upstream(const Reason& reason) const -> std::string {
  return fill(upstream_words(reason.rule, node_infos_.release().minor()), reason);
}

auto Words::ours(const Reason& reason) const -> std::string {
  return fill(info(reason.rule).words, reason);
}

// Numbers that differ become a range, and what else differs is left out.
auto Words::ours_of_all(const ReasonRange& range) const -> std::string {
  const std::array<std::int64_t, 4> least = {range.least.a, range.least.b, range.least.c, range.least.d};
  const std::array<std::int64_t, 4> most = {range.most.a, range.most.b, range.most.c, range.most.d};
  const std::string words = replace_braced(info(range.least.rule).words, [&](std::string_view operand) -> std::string {
    const bool of_reason = operand.size() > 1 && operand[1] == ':';
    const auto at = static_cast<std::size_t>(operand[0] - 'a');
    if (!of_reason || least[at] == most[at]) return fmt::format("{{{}}}", operand);
    const std::string_view type = operand.substr(2);
    if (type != "number" && type != "devices" && type != "pods") return {};
    return fmt::format("{} to {}", least[at], operand_text(type, most[at], range.most));
  });
  return fill(words, range.least);
}

// Selects singular or plural: `{has|have}`.
auto Words::of_nodes(const Reason& reason, std::size_t nodes) const -> std::string {
  const std::string words = replace_braced(words_of_nodes(reason.rule), [&](std::string_view braced) {
    const std::size_t bar = braced.find('|');
    if (bar == std::string_view::npos) return fmt::format("{{{}}}", braced);
    return std::string(nodes == 1 ? braced.substr(0, bar) : braced.substr(bar + 1));
  });
  return fill(words, reason);
}

auto Words::amount(ResourceId resource, std::int64_t value) const -> std::string {
  return amount_text(cluster_.text(node_infos_.resource_name(resource)), value);
}

auto Words::fill(std::string_view text, const Reason& reason) const -> std::string {
  const std::array<std::int64_t, 4> values = {reason.a, reason.b, reason.c, reason.d};
  return replace_braced(text, [&](std::string_view operand) {
    const bool of_reason = operand.size() > 1 && operand[1] == ':';
    return of_reason ? operand_text(operand.substr(2), values[static_cast<std::size_t>(operand[0] - 'a')], reason)
                     : operand_text(operand, 0, reason);
  });
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one line for each type
auto Words::operand_text(std::string_view type, std::int64_t value, const Reason& reason) const -> std::string {
  if (type == "number" || type == "priority") return fmt::format("{}", value);
  if (type == "taint") {
    const Symbol key = id_of<Symbol>(reason.a);
    return fmt::format("{{{}: {}}}", cluster_.text(key), cluster_.text(id_of<Symbol>(reason.b)));
  }
  if (type == "taintarg") {
    const std::string_view text = cluster_.text(id_of<Symbol>(reason.b));
    return fmt::format("{}{}{}:{}", cluster_.text(id_of<Symbol>(reason.a)), text.empty() ? "" : "=", text,
                       cluster_.text(id_of<Symbol>(reason.c)));
  }
  if (type == "selection") return node_selection();
  if (type == "feature") return std::string(declared_feature(value));
  if (type == "label") {
    const std::string_view key = cluster_.text(id_of<Symbol>(value));
    return std::string(key.substr(key.rfind('/') + 1));
  }
  if (type == "symbol") return std::string(cluster_.text(id_of<Symbol>(value)));
  if (type == "resource") return std::string(cluster_.text(node_infos_.resource_name(id_of<ResourceId>(value))));
  if (type == "amount") {
    // The reader compares the amounts requested, free and in total, so they are formatted together. On a node whose
    // pods request more than it has, nothing is free.
    const std::string_view name = cluster_.text(node_infos_.resource_name(id_of<ResourceId>(reason.a)));
    const std::vector<std::string> texts =
        readable_amounts(name, {reason.b, std::max<std::int64_t>(reason.c, 0), reason.d});
    return value == reason.b ? texts[0] : value == reason.c ? texts[1] : texts[2];
  }
  if (type == "node") return std::string(cluster_.text(node_infos_.name(id_of<NodeId>(value))));
  if (type == "pod") return cluster_.key(id_of<PodId>(value));
  if (type == "podname") return std::string(cluster_.text(cluster_.pod(id_of<PodId>(value)).meta.name));
  if (type == "ephemeral") {
    return fmt::format("{}-{}", cluster_.text(cluster_.pod(subject_).meta.name), cluster_.text(id_of<Symbol>(value)));
  }
  if (type == "budget") {
    const ObjectMeta& budget = cluster_.objects().disruption_budgets[static_cast<std::size_t>(value)].meta;
    return fmt::format("{}/{}", cluster_.text(budget.ns), cluster_.text(budget.name));
  }
  if (type == "podns") return std::string(cluster_.text(cluster_.pod(id_of<PodId>(value)).meta.ns));
  if (type == "claimns") return fmt::format("{}/", cluster_.text(cluster_.pod(subject_).meta.ns));
  if (type == "pods") return counted(static_cast<std::size_t>(value), "pod", "pods");
  if (type == "devices") return counted(static_cast<std::size_t>(value), "device", "devices");
  if (type == "pool") {
    return fmt::format("{}/{}", cluster_.text(id_of<Symbol>(reason.c)), cluster_.text(id_of<Symbol>(reason.d)));
  }
  if (type == "celfault") return std::string(cel_fault(value));
  if (type == "device") return device_name(devices::DevicePlace::of(value));
  if (type == "by") return id_of<PodId>(value) ? fmt::format(" by {}", cluster_.key(id_of<PodId>(value))) : "";
  if (type == "instant") {
    const Instant at{value, 0};
    return fmt::format("{}, {}", format_clock(at, now_), format_distance(at, now_));
  }
  if (type == "seconds") return format_age(value);
  if (type == "gates" || type == "gatelist") {
    std::vector<std::string_view> names;
    for (const Named& gate : cluster_.pod(subject_).spec.scheduling_gates) names.push_back(cluster_.text(gate.name));
    // The scheduler prints a Go slice, separated by spaces.
    return fmt::format("{}", fmt::join(names, type == "gates" ? " " : ", "));
  }
  if (type == "plugin") {
    const auto& all = filters();
    const bool known = value >= 0 && static_cast<std::size_t>(value) < all.size();
    return known ? std::string(all[static_cast<std::size_t>(value)]->name) : std::string();
  }
  if (type == "preferred") return preferred_fault(node_infos_, cluster_.pod(subject_));
  if (type == "podterms") return affinity_fault(node_infos_, cluster_.pod(subject_));
  if (type == "hardspread") return spread_fault(node_infos_, cluster_.pod(subject_), "DoNotSchedule");
  if (type == "softspread") return spread_fault(node_infos_, cluster_.pod(subject_), "ScheduleAnyway");
  if (type == "zones") return region_fault(cluster_.text(id_of<Symbol>(value)));
  if (type == "plugins") {
    std::vector<std::string_view> names;
    for (const FilterInfo* filter : filters()) {
      if ((value >> rank_of(*filter) & 1) != 0) names.push_back(filter->name);
    }
    std::sort(names.begin(), names.end());
    return fmt::format("{}", fmt::join(names, " "));
  }
  return fmt::format("{{{}}}", type);
}

// `the pod's node selector (disk=ssd)`
auto Words::node_selection() const -> std::string {
  const PodSpec& spec = cluster_.pod(subject_).spec;
  const bool by_affinity = spec.affinity.node.required.has_value();
  if (spec.node_selector.empty()) return "the pod's node affinity";
  std::vector<std::string> labels;
  for (const auto& [key, value] : spec.node_selector)
    labels.push_back(fmt::format("{}={}", cluster_.text(key), cluster_.text(value)));
  constexpr std::size_t kNamed = 2;
  return fmt::format("the pod's node selector ({}){}", joined_up_to(kNamed, std::move(labels)),
                     by_affinity ? " or node affinity" : "");
}

auto Words::device_name(const devices::DevicePlace& place) const -> std::string {
  const auto& slices = cluster_.objects().resource_slices;
  if (place.slice >= slices.size()) return {};
  const ResourceSliceSpec& slice = slices[place.slice].spec;
  if (place.device >= slice.devices.size()) return {};
  return fmt::format("{}/{}/{}", cluster_.text(slice.driver), cluster_.text(slice.pool.name),
                     cluster_.text(slice.devices[place.device].name));
}

auto filter_error(const Status& status, const Words& words) -> std::string {
  return fmt::format("running \"{}\" filter plugin: {}", status.plugin == nullptr ? "" : status.plugin->name,
                     status.reasons.empty() ? "" : words.upstream(status.reasons.front()));
}

auto code_name(Code code) -> std::string_view {
  switch (code) {
    case Code::success: return "Success";
    case Code::unschedulable: return "Unschedulable";
    case Code::unresolvable: return "UnschedulableAndUnresolvable";
    case Code::error: return "Error";
  }
  return "Error";
}

namespace {

/// Counts nodes by the scheduler's words for their reasons. Reasons whose words are the same although their operands
/// differ are one: the words for them are made once.
class Histogram {
 public:
  Histogram(const NodeInfoSnapshot& node_infos, const Words& words) : node_infos_(node_infos), words_(words) {}

  void add(const Reason& reason) {
    const auto [shown, is_new] = shown_.try_emplace(reason.rule);
    if (is_new) shown->second = shown_operands(upstream_words(reason.rule, node_infos_.release().minor()));
    const auto& [a, b, c, d] = shown->second;
    ++counts_[{reason.rule, a ? reason.a : 0, b ? reason.b : 0, c ? reason.c : 0, d ? reason.d : 0}];
  }

  /// "3 reason, 10 other." with the entries sorted as strings, as upstream sorts them; "." if no reason has words.
  [[nodiscard]] auto text() const -> std::string {
    std::map<std::string, std::size_t> by_words;
    for (const auto& [of, nodes] : counts_) {
      const auto& [rule, a, b, c, d] = of;
      by_words[words_.upstream({rule, a, b, c, d})] += nodes;
    }
    by_words.erase("");  // rules for which the scheduler writes nothing
    std::vector<std::string> entries;
    for (const auto& [reason, nodes] : by_words) entries.push_back(fmt::format("{} {}", nodes, reason));
    std::sort(entries.begin(), entries.end());
    return fmt::format("{}.", fmt::join(entries, ", "));
  }

 private:
  // Operands of some types show the others, too.
  static auto shown_operands(std::string_view words) -> std::array<bool, 4> {
    std::array<bool, 4> shown{};
    bool all = false;
    static_cast<void>(replace_braced(words, [&](std::string_view operand) {
      const bool alone = operand.substr(1) == ":resource" || operand.substr(1) == ":symbol";
      if (alone) shown[static_cast<std::size_t>(operand[0] - 'a')] = true;
      all = all || !alone;
      return "";
    }));
    if (all) shown.fill(true);
    return shown;
  }

  const NodeInfoSnapshot& node_infos_;
  const Words& words_;
  std::map<Rule, std::array<bool, 4>> shown_;  // whether the words show the operands a to d
  std::map<std::tuple<Rule, std::int64_t, std::int64_t, std::int64_t, std::int64_t>, std::size_t> counts_;
};

// The text that PostFilter adds to the message: the results of the profile's plugins, in order.
class PostFilterText {
 public:
  PostFilterText(const Decision& decision, const NodeInfoSnapshot& node_infos, const Words& words, std::string head)
      : decision_(decision), node_infos_(node_infos), words_(words), head_(std::move(head)) {}

  auto run() -> FitMessage {
    std::vector<std::string> texts;
    for (const PostFilterStep& step : decision_.steps) {
      if (!step.reason) return {head_ + " not found"};
      if (step.plugin == PostFilter::Kind::dynamic_resources) {
        if (std::string said = words_.upstream(*step.reason); !said.empty()) texts.push_back(std::move(said));
        continue;
      }
      const auto& nodes = step.nodes.empty() ? decision_.nodes : step.nodes;
      const std::string_view prefix = step.plugin == PostFilter::Kind::default_preemption ? "preemption: " : "";
      if (!step.eligible()) {
        texts.push_back(fmt::format("{}{}", prefix, words_.upstream(*step.reason)));
        continue;
      }
      const bool candidates = std::any_of(nodes.begin(), nodes.end(), [](const NodeVerdict& node) {
        return node.preemption == NodeVerdict::Preemption::candidate;
      });
      if (candidates) return with_placement(prefix);
      const std::vector<std::string> errors = dry_run_errors(nodes, words_);
      if (errors.size() == 1) return {fmt::format("{} {}{}", head_, prefix, errors[0])};
      if (!errors.empty()) return {fmt::format("{} {}[{}]", head_, prefix, fmt::join(errors, ", ")), true};
      texts.push_back(
          fmt::format("{}0/{} nodes are available: {}", prefix, node_infos_.node_count(), no_candidates(nodes)));
    }
    return {texts.empty() ? head_ : fmt::format("{} {}", head_, fmt::join(texts, ", "))};
  }

 private:
  // Upstream picks one of several nodes at random (ours: the first by name); the number of victims is also random if it
  // depends on the order of equal pods.
  [[nodiscard]] auto with_placement(std::string_view prefix) const -> FitMessage {
    const Choice& choice = decision_.choice;
    if (choice.chosen.empty()) return {head_};
    const NodeId node = choice.chosen.front();
    const auto victims = static_cast<std::int64_t>(decision_.nodes[node].run->victims.size());
    const std::string text = words_.upstream({Rule::placement_found, operand(node), victims});
    if (text.empty()) return {head_};
    const bool open = choice.chosen.size() > 1 || choice.sampled || decision_.orders;
    return {fmt::format("{} {}{}", head_, prefix, text), open};
  }

  [[nodiscard]] auto no_candidates(const IdVector<NodeId, NodeVerdict>& nodes) const -> std::string {
    Histogram counts(node_infos_, words_);
    for (const NodeVerdict& node : nodes) {
      if (node.preemption == NodeVerdict::Preemption::none) {
        for (const Reason& reason : node.run->status.reasons) counts.add(reason);
      } else {
        counts.add({Rule::not_helpful});
      }
    }
    return counts.text();
  }

  const Decision& decision_;
  const NodeInfoSnapshot& node_infos_;
  const Words& words_;
  std::string head_;
};

}  // namespace

auto dry_run_errors(const IdVector<NodeId, NodeVerdict>& nodes, const Words& words) -> std::vector<std::string> {
  std::vector<std::string> errors;
  for (const NodeVerdict& node : nodes) {
    const Status& status = node.run->status;
    if (node.preemption != NodeVerdict::Preemption::none || status.code != Code::error || status.reasons.empty())
      continue;
    errors.push_back(status.plugin != nullptr ? filter_error(status, words) : words.upstream(status.reasons.front()));
  }
  std::sort(errors.begin(), errors.end());
  errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
  return errors;
}

auto attempt_errors(const Decision& decision, const Words& words) -> AttemptErrors {
  if (decision.pre_filter && decision.pre_filter->code == Code::error && decision.pre_filter->plugin != nullptr &&
      !decision.pre_filter->reasons.empty()) {
    return {{fmt::format("running PreFilter plugin \"{}\": {}", decision.pre_filter->plugin->name,
                         words.upstream(decision.pre_filter->reasons.front()))}};
  }
  if (decision.score) return {{words.upstream(*decision.score)}};
  const FilterErrors of_nodes = decision.filter_errors();
  AttemptErrors found;
  found.others_possible = of_nodes.others_possible;
  for (const Status* status : of_nodes.errors) found.texts.push_back(filter_error(*status, words));
  std::sort(found.texts.begin(), found.texts.end());
  found.texts.erase(std::unique(found.texts.begin(), found.texts.end()), found.texts.end());
  return found;
}

auto fit_message(const Decision& decision, const NodeInfoSnapshot& node_infos, const Words& words) -> FitMessage {
  if (decision.ending == Ending::no_nodes) return {"no nodes available to schedule pods"};
  const bool failed = decision.ending == Ending::preempting || decision.ending == Ending::unschedulable ||
                      decision.ending == Ending::preemption_error;
  if (!failed) return {};
  std::string head = fmt::format("0/{} nodes are available:", node_infos.node_count());
  if (decision.pre_filter) {
    std::vector<std::string> reasons;
    for (const Reason& reason : decision.pre_filter->reasons) reasons.push_back(words.upstream(reason));
    head += fmt::format(" {}.", fmt::join(reasons, ", "));
  } else {
    Histogram counts(node_infos, words);
    for (const NodeVerdict& node : decision.nodes) {
      for (const Reason& reason : node.filter.reasons) counts.add(reason);
    }
    if (const std::string text = counts.text(); text != ".") head += fmt::format(" {}", text);
  }
  return PostFilterText(decision, node_infos, words, head).run();
}

}  // namespace previct::kube
