#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/question.h"
#include "history/post_mortem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace previct::cli {
namespace {

constexpr std::array kWhyPreemptedTakes = {Group::state,   Group::reading,    Group::live,    Group::connection,
                                           Group::overlay, Group::question,   Group::history, Group::scheduler,
                                           Group::output,  Group::strictness, Group::help};

// Objects that the report may name although they are not in the input.
auto named_by(const history::PostMortem& post_mortem) -> std::vector<history::Named> {
  std::vector<history::Named> named = post_mortem.others;
  named.push_back(post_mortem.pod);
  if (!post_mortem.disruption) return named;
  if (post_mortem.disruption->by) named.push_back(*post_mortem.disruption->by);
  for (const history::Disruption::Also& also : post_mortem.disruption->also_by) named.push_back(also.by);
  return named;
}

auto any(const std::vector<history::PostMortem>& all, history::Verdict verdict) -> bool {
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.verdict == verdict; });
}

// Two dumps contain the same objects on purpose; only different contents of one version deserve a warning.
void expect_versions(Diagnostics& diagnostics) {
  Diagnostics others;
  for (const Warning& warning : diagnostics.sorted()) {
    const bool version = warning.id == "duplicate-object" &&
                         warning.message.find(" in one version with different content") == std::string::npos;
    if (!version) others.warn(warning.id, warning.message, warning.place);
  }
  diagnostics = others;
}

// The inputs, each read separately. Inputs that cannot be read again, such as standard input, are skipped.
auto dumps_of(Session& session) -> history::Dumps {
  history::Dumps dumps;
  const Options& options = session.options;
  if (options.filenames.size() < 2) return dumps;
  const Result<LoadOptions> reading = load_options_of(session);
  for (const std::string& name : options.filenames) {
    auto objects = std::make_unique<Objects>();
    if (name != "-" && reading && load({name}, *reading, *objects)) dumps.push_back(std::move(objects));
  }
  return dumps;
}

/// Hides which pods are of an earlier dump: their history is part of the search.
class WithoutOvertaken {
 public:
  explicit WithoutOvertaken(Objects& objects) : objects_(objects), before_(std::exchange(objects.overtaken_pods, {})) {}
  ~WithoutOvertaken() { objects_.overtaken_pods = std::move(before_); }
  WithoutOvertaken(const WithoutOvertaken&) = delete;
  auto operator=(const WithoutOvertaken&) -> WithoutOvertaken& = delete;

 private:
  Objects& objects_;
  LeftOut before_;
};

auto run_why_preempted(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  const bool all = options.arguments.empty();
  if (all && options.hide_foreign && options.ns.empty()) {
    return fail("--hide-foreign needs POD or -n, which determine the names that may be shown", {},
                "pass POD, or the namespace with -n");
  }
  PREVICT_TRY(Loaded & loaded, load_state(session, {.history = true, .keeps_objects = true}));
  if (options.filenames.size() > 1) expect_versions(loaded.objects.diagnostics);
  const WithoutOvertaken without(loaded.objects);
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, loaded.cluster()));
  const history::PostMortemInput inquiry{loaded.objects, loaded.cluster(),     asked.question,
                                         options.engine, options.hide_foreign, [&] { return dumps_of(session); }};
  std::vector<history::PostMortem> found;
  if (all) {
    PREVICT_TRY(found, history::post_mortems(inquiry, namespace_of(options)));
  } else {
    PREVICT_TRY(history::PostMortem one,
                history::post_mortem(inquiry, options.arguments.front(), options.ns.empty() ? "default" : options.ns));
    found.push_back(std::move(one));
  }
  const Snapshot& cluster = loaded.cluster_again();
  if (found.empty()) PREVICT_CHECK(check_namespace(options, cluster));
  ReportContext context = context_of(session, loaded, cluster, asked);
  note_namespace(session, context);
  const ExitCode status = any(found, history::Verdict::unexpected) ? kFindings : kAnswered;
  CommandResult done{
      all ? history::post_mortems_report(found, context) : history::post_mortem_report(found.front(), context),
      status_of(fail_on, options.strict, history::provenance_of(found, context), {}, context, status)};
  if (options.strict && any(found, history::Verdict::unclear)) done.status = kIncomplete;
  if (options.hide_foreign) {
    std::vector<history::Named> named;
    for (const history::PostMortem& each : found) {
      const std::vector<history::Named> more = named_by(each);
      named.insert(named.end(), more.begin(), more.end());
    }
    hide_foreign(done.report, cluster, all ? std::string_view(options.ns) : std::string_view(found.front().pod.ns),
                 named);
    // A warning may contain any name of the input.
    loaded.objects.diagnostics = {};
  }
  return done;
}

}  // namespace

const Command& why_preempted_command = Command{
    .name = "why-preempted",
    .task = Task::review,
    .what = "explain a past preemption",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kWhyPreemptedTakes,
    .examples =
        "why-preempted -f incident.yaml ml/nightly-eval-7f9c4                 what happened to the pod, and why\n"
        "why-preempted -f dump.yaml -f incident.yaml ml/nightly-eval-7f9c4    with dumps from before and after it\n"
        "why-preempted -f incident.yaml                                       all preempted pods, one line each",
    .more =
        "POD is NAME, NAMESPACE/NAME or a UID; the input may lack it. The sources are events (Preempted by "
        "kube-scheduler, Evict by KAI, Informational by YuniKorn), the pods' DisruptionTarget condition and the "
        "conditions of Kueue's Workloads (workload/NAMESPACE/NAME). For kube-scheduler, previct then rebuilds the "
        "state of that moment (victims restored, the preemptor pending, later objects removed), and repeats the "
        "decision. A preemption is unexpected only if no state allows it, or if dumps from before and after it (-f "
        "before -f after) determine the state and lead to another result. To restore objects that have changed "
        "since, such as a PriorityClass, use --with.\n"
        "Exit status: 0 expected, not preempted, or unknown; 1 unexpected; 2 not answered; 3 with --strict: unknown, "
        "or the input is incomplete.",
    .run = run_why_preempted,
    .read_only = true};

}  // namespace previct::cli
