#include "cli/next_steps.h"

#include "base/contains.h"
#include "cli/flag_echo.h"
#include "live/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace previct::cli {
namespace {

// The kind that is missing wholly or partly; empty if kubectl cannot get it.
auto lacking(const Gap& gap) -> std::string_view {
  constexpr std::array kPods = {GapRule::no_running_pods, GapRule::one_namespace, GapRule::platform_only,
                                GapRule::pods_of_other_namespaces};
  constexpr std::array kNodes = {GapRule::lost_node, GapRule::lost_nodes, GapRule::lost_own_node,
                                 GapRule::lost_own_nodes};
  if (contains(kPods, gap.rule)) return "Pod";
  if (contains(kNodes, gap.rule)) return "Node";
  return gap.kind() == GapKind::missing_kind && !gap.operands.empty() ? gap.operands.front() : std::string_view();
}

// The commands that get the missing input: lists of whole kinds, and single objects by name if other objects of the
// kind may contain anything. Empty if the answer has other gaps too, which these commands would not close.
auto commands_for_lacking(const Answer& answer) -> std::vector<std::string> {
  const auto is_listed = [](const Gap& gap) {
    const auto all = live::resources();
    return std::any_of(all.begin(), all.end(),
                       [&](const live::Resource& each) { return each.kind->name == lacking(gap); });
  };
  bool open = false;
  for (const Gap& gap : answer.gaps) {
    if (gap.decides && !is_listed(gap)) return {};
    open = open || gap.decides;
  }
  if (!open) return {};
  constexpr std::string_view kByName = "metadata.name%3D";
  std::vector<std::string> kinds;
  std::vector<std::string> objects;
  std::string_view ns;  // of the objects: that of the scheduler's installation
  for (const live::Resource& each : live::resources()) {
    const bool wanted = std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& gap) {
      return (gap.decides || gap.could_change_answer) && lacking(gap) == each.kind->name;
    });
    const bool of_other = each.scheduler != nullptr && each.scheduler->engine != answer.engine;
    if (!wanted || of_other) continue;
    if (each.selector.starts_with(kByName)) {
      objects.push_back(fmt::format("{}/{}", each.kind->resource, each.selector.substr(kByName.size())));
      ns = each.scheduler != nullptr ? each.scheduler->ns : std::string_view();
    } else if (!contains(kinds, each.kind->resource)) {
      kinds.emplace_back(each.kind->resource);
    }
  }
  std::vector<std::string> commands;
  if (!kinds.empty()) commands.push_back(fmt::format("kubectl get {} -A -o yaml", fmt::join(kinds, ",")));
  if (!objects.empty()) {
    commands.push_back(fmt::format("kubectl get {}{} --ignore-not-found -o yaml",
                                   ns.empty() ? "" : fmt::format("-n {} ", ns), fmt::join(objects, " ")));
  }
  return commands;
}

// Names of files that are not inputs, because the shell would overwrite them.
auto new_files(const Options& options, std::size_t count) -> std::vector<std::string> {
  std::vector<std::string> taken;
  for (const std::string& file : options.filenames)
    taken.push_back(std::filesystem::path(file).filename().generic_string());
  std::vector<std::string> files;
  for (int n = 1; files.size() < count; ++n) {
    std::string name = n == 1 ? "missing.yaml" : fmt::format("missing-{}.yaml", n);
    if (!contains(taken, name)) files.push_back(std::move(name));
  }
  return files;
}

// Returns a victim that should be gone; none if the pod does not wait for one.
auto overdue(const Answer& answer, const Snapshot& cluster, Instant now) -> PodId {
  const NodeId node = answer.outcome == Outcome::waits ? cluster.find_node(cluster.symbol(answer.node)) : NodeId{};
  if (!node) return {};
  for (const PodId id : cluster.pods_on(node)) {
    const Pod& pod = cluster.pod(id);
    const bool lower = pod.spec.priority < cluster.pod(answer.subject).spec.priority;
    if (lower && pod.meta.deleting && *pod.meta.deleting < now) return id;
  }
  return {};
}

}  // namespace

auto next_steps(const Session& session, const Loaded& loaded, const Answer& answer, const Snapshot& cluster,
                Instant now) -> std::optional<Paragraph> {
  if (!answer.subject) return {};
  constexpr std::array kOfAll = {Group::state, Group::question, Group::scheduler};
  constexpr std::array kOfPod = {Group::state, Group::overlay, Group::question, Group::scheduler};
  const Options& options = session.options;
  // A pod that was created for this question is created again.
  const bool made = options.arguments.empty() && !loaded.overlaid.pods.empty();
  const std::string flags = written_again(options, kOfPod, made ? "" : "namespace");
  const std::string subject = made ? "" : " " + cli::quoted(cluster.key(answer.subject));
  const std::string pod = flags + subject;
  const bool changed = !written_again(options, std::array{Group::overlay}).empty();

  Paragraph steps{"NEXT STEPS", {}};
  const auto add = [&](std::string_view what, const std::string& command) {
    steps.lines.push_back({{{fmt::format("{}: ", what), Tone::dim}, {command, Tone::code}}});
  };
  const auto ask = [&](std::string_view what, const std::string& command) {
    add(what, fmt::format("{} {}", session.program, command));
  };
  if (const auto lacking = options.filenames.empty() ? std::vector<std::string>() : commands_for_lacking(answer);
      !lacking.empty()) {
    const std::vector<std::string> files = new_files(options, lacking.size());
    std::string with;
    for (std::size_t i = 0; i < lacking.size(); ++i) {
      add("get what is missing", fmt::format("{} > {}", lacking[i], files[i]));
      with += " -f " + files[i];
    }
    ask("ask again with it", fmt::format("explain{}{}{}", flags, with, subject));
  }
  const bool stuck = answer.outcome == Outcome::pending || answer.outcome == Outcome::not_eligible || answer.in_vain;
  if (stuck) ask("find changes that make it schedulable", "fit" + pod);
  if (const PodId late = overdue(answer, cluster, now)) {
    const ObjectMeta& meta = cluster.pod(late).meta;
    add("see why a victim still exists",
        fmt::format("kubectl describe pod -n {} {}", cli::quoted(cluster.text(meta.ns)),
                    cli::quoted(cluster.text(meta.name))));
  }
  if (answer.outcome == Outcome::preempts) {
    ask("find changes that make it schedulable without victims", fmt::format("fit{} --no-victims", pod));
    if (!changed) ask("see the next scheduling cycles", "sequence" + written_again(options, kOfAll, "namespace"));
  }
  constexpr std::int64_t kDay = 86'400;
  const bool soon = !answer.next_change.is_never() && seconds_between(now, answer.next_change) < kDay;
  if (soon) ask("see when the answer changes", fmt::format("explain{} --horizon 24h", pod));
  if (steps.lines.empty()) return {};
  if (!written_again(options, std::array{Group::connection}).empty()) {
    steps.lines.push_back({{{"each with the flags that select the cluster", Tone::dim}}});
  }
  return steps;
}

}  // namespace previct::cli
