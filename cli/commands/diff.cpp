#include "analysis/diff.h"

#include "api/load.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/kinds_as_none.h"
#include "cli/live.h"
#include "cli/load.h"
#include "cli/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace previct::cli {
namespace {

constexpr std::array kDiffTakes = {Group::state,  Group::reading,    Group::live,     Group::connection,
                                   Group::sides,  Group::overlay,    Group::question, Group::scheduler,
                                   Group::output, Group::strictness, Group::help};

// Creates one side from the stores: `paths` are applied to the state of -f, or are the state themselves. What `earlier`
// has and `paths` lack is removed from the state.
auto make_side(Session& session, const std::vector<std::string>& paths, const LoadOptions& reading, Loaded& loaded,
               const std::vector<std::string>& earlier = {}) -> Result<void> {
  if (paths.empty()) return {};
  if (session.options.filenames.empty()) {
    PREVICT_CHECK(read_files(session, paths, reading, loaded));
    PREVICT_TRY(const std::vector<Gap> none, assume_absent_kinds(session.options, loaded.objects));
    add_gaps(none, loaded.taken_as_none);
    return {};
  }
  Overlay overlay;
  overlay.with = paths;
  overlay.now = moment_given(session, loaded);
  if (!earlier.empty()) {
    PREVICT_TRY(overlay.gone, removed_between(earlier, paths, reading));
  }
  PREVICT_TRY(loaded.overlaid, apply_overlay(overlay, reading, loaded.objects));
  return {};
}

auto label(const std::string& state, const std::vector<std::string>& over) -> std::string {
  if (state.empty()) return joined(over, ", ");
  return state + (over.empty() ? "" : " with " + joined(over, ", "));
}

// Fails if the subject is not in the current state.
auto check_there(const Options& options, Objects& objects) -> Result<void> {
  const Snapshot cluster(objects);
  if (options.arguments.empty()) return check_namespace(options, cluster);
  PREVICT_CHECK(find_subject(cluster, options.arguments.front(), options.ns.empty() ? "default" : options.ns));
  return {};
}

// The pods that are pending on either side, or the given pod.
auto subjects_of(const Options& options, Stores& before, Objects& objects) -> Result<std::vector<std::string>> {
  Stores& stores = objects;
  const std::string ns = namespace_of(options);
  const Result<void> later = check_there(options, objects);
  std::vector<std::string> names = pending_names(objects, ns);
  std::swap(stores, before);
  const Result<void> earlier = check_there(options, objects);
  for (std::string& name : pending_names(objects, ns)) names.push_back(std::move(name));
  std::swap(stores, before);
  if (!later && !earlier) return tl::unexpected(later.error());
  if (!options.arguments.empty()) {
    PREVICT_TRY(const Subject subject,
                read_subject(options.arguments.front(), options.ns.empty() ? "default" : options.ns));
    if (subject.kind != "pod") return fail("diff works only for pods, not for groups");
    return std::vector{fmt::format("{}/{}", subject.ns, subject.name)};
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

auto run_diff(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  if (options.from.empty() != options.to.empty()) return fail("--from and --to must be used together");
  PREVICT_TRY(Overlay overlay, overlay_of(options));
  if (options.from.empty() && overlay.empty()) {
    return fail("nothing to compare", {},
                "use --with FILE with a cluster or -f DUMP, or --from DUMP --to DUMP, or -f DUMP --from DIR --to DIR");
  }
  PREVICT_TRY(const LoadOptions reading, load_options_of(session));
  const LoadRequest request{.pods_optional = options.arguments.empty()};
  // Without --from, both sides are based on one state; that is the cluster if no dump is given.
  const bool live = options.filenames.empty() && options.from.empty();
  const bool dumps = options.filenames.empty() && !live;
  PREVICT_TRY(Loaded & loaded, load_inputs(session, request, dumps ? StateOf::flags_only : StateOf::inputs));
  Stores& stores = loaded.objects;
  Stores base = stores;

  PREVICT_CHECK(make_side(session, options.from, reading, loaded));
  PREVICT_TRY(Asked earlier, asked_by(session, loaded, Snapshot(loaded.objects)));
  Stores before = std::exchange(stores, std::move(base));

  PREVICT_CHECK(make_side(session, options.to, reading, loaded, options.from));
  OverlayResult last;
  if (!overlay.empty()) {
    overlay.now = moment_given(session, loaded);
    if (live) {
      PREVICT_TRY(overlay.around, surroundings_live(options, loaded.objects, loaded.overlaid.unknown));
    }
    PREVICT_TRY(last, apply_overlay(overlay, reading, loaded.objects));
    add(last, loaded.overlaid);
  }
  PREVICT_TRY(Asked later, asked_by(session, loaded, Snapshot(loaded.objects)));
  // One state has one moment; only two dumps have two.
  const std::string state = live ? "the cluster" : joined(options.filenames, ", ");
  if (!state.empty()) later.question.now = earlier.question.now;

  earlier.question.ns = later.question.ns = options.all_namespaces ? "" : options.ns;
  PREVICT_TRY(const std::vector<std::string> subjects, subjects_of(options, before, loaded.objects));
  if (!options.arguments.empty()) earlier.question.ns = later.question.ns = "";
  std::vector<std::string> laid_over = options.to;
  laid_over.insert(laid_over.end(), options.with.begin(), options.with.end());
  // They describe the later state, and are no gaps.
  const std::vector<std::string> remarks = std::exchange(loaded.overlaid.remarks, {});
  const Snapshot cluster(loaded.objects);
  ReportContext context = context_of(session, loaded, cluster, later);
  note_namespace(session, context);
  const DiffInput input{
      .objects = loaded.objects,
      .before = before,
      .sides = {{label(state, options.from), earlier.question}, {label(state, laid_over), later.question}},
      .engine = options.engine,
      .subjects = subjects,
      .remarks = remarks,
      .now_source = context.now_source,
      .input_gaps = context.input_gaps,
      .arrivals = context.arrivals};
  PREVICT_TRY(Diff result, diff(input));
  const ExitCode status = result.decisions_differ ? kFindings : kAnswered;
  return CommandResult{std::move(result.report),
                       status_of(fail_on, options.strict, result.provenance, {}, context, status)};
}

}  // namespace

const Command& diff_command = Command{
    .name = "diff",
    .task = Task::plan,
    .what = "compare the decisions of two states or policies",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kDiffTakes,
    .examples =
        "diff -f dump.yaml --with classes.yaml              the effect of these PriorityClasses\n"
        "diff --with classes.yaml                           the same on the live cluster\n"
        "diff -f dump.yaml --from main/policies --to policies   two versions of policies, on the same state\n"
        "diff --from monday.yaml --to tuesday.yaml -o json  two dumps, for programs",
    .more =
        "Decides every pod that is pending on either side on both sides, each pod separately. A change is reported as "
        "a cause if reverting it alone reverts a difference. If more than 100 pods are pending, only the first 100 "
        "that differ are decided in full: for the others, whether another release decides differently is not checked.\n"
        "Exit status: 0 no decision differs; 1 a decision differs; 2 not answered, nothing on stdout; 3 with --strict: "
        "answered from incomplete input.",
    .run = run_diff,
    .read_only = true};

}  // namespace previct::cli
