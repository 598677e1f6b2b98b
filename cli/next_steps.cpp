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

// The kind of which the input lacks all or some; empty if kubectl could not give it.
auto lacking(const Gap& gap) -> std::string_view {
  constexpr std::array kPods = {GapRule::no_running_pods, GapRule::one_namespace, GapRule::platform_only,
                                GapRule::pods_of_other_namespaces};
  constexpr std::array kNodes = {GapRule::lost_node, GapRule::lost_nodes, GapRule::lost_own_node,
                                 GapRule::lost_own_nodes};
  if (contains(kPods, gap.rule)) return "Pod";
  if (contains(kNodes, gap.rule)) return "Node";
  return gap.kind() == GapKind::missing_kind && !gap.operands.empty() ? gap.operands.front() : std::string_view();
}

// `persistentvolumeclaims,storageclasses.storage.k8s.io`: what kubectl can get of what the answer lacks. Empty if the
// answer is open for other reasons, too: then this would not close it.
auto resources_lacking(const Answer& answer) -> std::string {
  const auto is_listed = [](const Gap& gap) {
    const auto all = live::resources();
    return std::any_of(all.begin(), all.end(),
                       [&](const live::Resource& each) { return plain_kind(each) == lacking(gap); });
  };
  bool open = false;
  for (const Gap& gap : answer.gaps) {
    if (gap.decides && !is_listed(gap)) return {};
    open = open || gap.decides;
  }
  if (!open) return {};
  std::vector<std::string> names;
  for (const live::Resource& each : live::resources()) {
    const bool wanted = std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& gap) {
      return (gap.decides || gap.could_change_answer) && lacking(gap) == plain_kind(each);
    });
    if (wanted && !contains(names, name_of(each))) names.push_back(name_of(each));
  }
  return fmt::format("{}", fmt::join(names, ","));
}

// A file that is none of the inputs: the shell would overwrite it.
auto new_file(const Options& options) -> std::string {
  std::vector<std::string> inputs;
  for (const std::string& file : options.filenames) inputs.push_back(std::filesystem::path(file).filename().string());
  std::string name = "missing.yaml";
  for (int n = 2; contains(inputs, name); ++n) name = fmt::format("missing-{}.yaml", n);
  return name;
}

}  // namespace

auto next_steps(const Session& session, const Answer& answer, const Snapshot& cluster, Instant now)
    -> std::optional<Paragraph> {
  if (!answer.subject) return {};
  constexpr std::array kOfAll = {Group::state, Group::question, Group::scheduler};
  constexpr std::array kOfPod = {Group::state, Group::overlay, Group::question, Group::scheduler};
  const Options& options = session.options;
  // A pod that was made for this question is made again.
  const bool made = options.arguments.empty() && !session.overlaid.pods.empty();
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
  if (const std::string lacking = options.filenames.empty() ? "" : resources_lacking(answer); !lacking.empty()) {
    const std::string file = new_file(options);
    add("get what is missing", fmt::format("kubectl get {} -A -o yaml > {}", lacking, file));
    ask("ask again with it", fmt::format("explain{} -f {}{}", flags, file, subject));
  }
  const bool stuck = answer.outcome == Outcome::pending || answer.outcome == Outcome::not_eligible || answer.in_vain;
  if (stuck) ask("find changes that make it schedulable", "fit" + pod);
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
