#include "analysis/equivalence.h"
#include "api/load.h"
#include "api/scheduler_words.h"
#include "base/text.h"
#include "capture/capture.h"
#include "capture/field_count.h"
#include "capture/renaming.h"
#include "cli/capture.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/question.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

using capture::Renaming;

constexpr std::array kAnonymizeTakes = {Group::state,    Group::reading,   Group::capture, Group::anonymize,
                                        Group::question, Group::scheduler, Group::output,  Group::help};

struct Verified {
  std::size_t pods = 0;
  std::vector<Disagreement> differences;
};

// Reads the capture again, before it is in its place, and compares the answers for every pending pod and all
// protections.
auto verify(Objects& objects, const std::string& engine, const Question& question, const std::string& path,
            const Renaming& renaming) -> Result<Verified> {
  const auto rename = [&](std::string_view text) { return renaming.name_of(text); };
  const std::vector<std::string> pods = pending_names(objects, "");
  std::vector<std::string> new_pods;
  for (const std::string& pod : pods) new_pods.push_back(renamed_key(pod, rename));
  PREVICT_TRY(const ClusterDecisions before, evaluate_cluster(objects, question, engine, pods));

  Objects written;
  Question again = question;
  PREVICT_TRY(static_cast<Configurations&>(again), load({path}, {}, written));
  again.shard = renaming.name_of(question.shard);
  PREVICT_TRY(const ClusterDecisions after, evaluate_cluster(written, again, engine, new_pods));
  return Verified{pods.size(), disagreements(before, after, rename)};
}

/// The fields of the input, and how many of them were written.
struct Kept {
  std::size_t fields = 0;
  std::size_t of = 0;
};

// Counting reads both again; nullopt if they are large or cannot be read again.
auto count_kept(Session& session, const Objects& objects, const std::string& path) -> Result<std::optional<Kept>> {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  const std::vector<std::string>& inputs = session.options.filenames;
  std::uint64_t size = 0;
  for (const InputRecord& input : objects.inputs) size += input.unpacked;
  if (size > kMost || std::count(inputs.begin(), inputs.end(), "-") > 0 || path.empty()) return std::nullopt;
  PREVICT_TRY(LoadOptions options, load_options_of(session));
  options.arrivals = nullptr;  // these files are not the session's
  PREVICT_TRY(const std::size_t all, capture::count_fields(inputs, options));
  PREVICT_TRY(const std::size_t written, capture::count_fields({path}, options));
  return Kept{written, all};
}

auto map_json(const Renaming& renaming) -> Json {
  Json names = Json::object();
  for (const auto& [old, now] : renaming.pairs()) names[old] = now;
  return {{"apiVersion", "previct/v1alpha1"}, {"kind", "NameMap"}, {"names", std::move(names)}};
}

auto renamed_words(const Renaming::Counts& counts) -> std::string {
  return fmt::format("{}, {} and {} renamed consistently", counted(counts.names - counts.nodes, "name", "names"),
                     counted(counts.labels, "label", "labels"), counted(counts.nodes, "node", "nodes"));
}

auto report_of(const Capture& manifest, const CaptureFile& file, std::size_t bytes, const Renaming::Counts& counts,
               const std::optional<Kept>& kept, const std::optional<Verified>& verified) -> Report {
  Report report = capture_report(manifest, file, bytes);
  const std::string fields = kept ? fmt::format("kept {} of {} fields; ", kept->fields, kept->of) : std::string();
  const bool differ = verified && !verified->differences.empty();
  const std::string decisions =
      !verified ? std::string("decisions not verified (--verify)")
      : differ  ? fmt::format("{} decided differently", counted(verified->differences.size(), "pod is", "pods are"))
                : fmt::format("decisions about {} identical", counted(verified->pods, "pending pod", "pending pods"));
  report.blocks.insert(report.blocks.begin() + 1, Line{{{fields + renamed_words(counts) + "; "},
                                                        {decisions, differ ? Tone::danger : Tone::plain}}});
  if (differ) report.blocks.emplace_back(table_of(verified->differences, disagreement_row));
  report.data["kind"] = "AnonymizeReport";
  report.data["renamed"] = {{"names", counts.names - counts.nodes}, {"labels", counts.labels}, {"nodes", counts.nodes}};
  if (kept) report.data["fields"] = {{"kept", kept->fields}, {"of", kept->of}};
  if (verified) {
    report.data["verified"] = {{"pods", verified->pods},
                               {"identical", !differ},
                               {"differences", list_of(verified->differences, disagreement_row)}};
  }
  return report;
}

auto run_anonymize(Session& session) -> Result<CommandResult> {
  Options& options = session.options;
  if (options.filenames.empty())
    return fail("no input: pass a dump or a capture", {}, "previct anonymize dump.yaml --to safe.jsonl.zst");
  PREVICT_TRY(const CaptureFile file, capture_file_of(options));
  if (options.verify && is_special(file.path)) {
    return fail(fmt::format("--verify needs a regular file to read again, and {} is not one", file.path));
  }
  PREVICT_CHECK(check_names_file(options.map, "--map "));
  if (!options.map.empty() && !options.force) PREVICT_CHECK(check_free(options.map, "--force"));
  PREVICT_TRY(Loaded & loaded, load_state(session));
  // A scheduler's message may contain any name; decisions only use its known words.
  for (Pod& pod : loaded.objects.pods) {
    for (Condition& condition : pod.status.conditions) {
      const std::string part = release_words_of(loaded.objects.symbols.text(condition.message));
      condition.message = part.empty() ? Symbol{} : loaded.objects.symbols.intern(part);
    }
  }
  const Objects& objects = loaded.objects;
  // Without a time, any moment works, if both use the same.
  if (objects.newest == Instant{} && options.now.empty()) options.now = format_instant(Instant{});
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, Snapshot(loaded.objects)));

  Capture manifest = capture::manifest_of(objects, nullptr, {});
  capture::mark_anonymized(manifest);
  PREVICT_TRY(const Renaming renaming, Renaming::of(objects, asked.question));
  PREVICT_TRY(const std::string text, capture::text_of(objects, asked.question, manifest, renaming));
  PREVICT_CHECK(session.targets.check());
  std::optional<StagedFile> map;
  if (!options.map.empty()) {
    PREVICT_TRY(map, StagedFile::write(options.map, map_json(renaming).dump(1) + '\n',
                                       {.for_owner_only = true, .replace = options.force}));
  }
  PREVICT_TRY(StagedCapture staged, stage_capture(file, text));
  PREVICT_TRY(const std::optional<Kept> kept, count_kept(session, objects, staged.file.staged_path()));
  std::optional<Verified> verified;
  if (options.verify) {
    PREVICT_TRY(verified, verify(loaded.objects, options.engine, asked.question, staged.file.staged_path(), renaming));
  }
  // A file that cannot be verified is not written.
  PREVICT_CHECK(staged.file.put_in_place());
  if (map) PREVICT_CHECK(map->put_in_place());
  const bool differ = verified && !verified->differences.empty();
  return CommandResult{report_of(manifest, file, staged.bytes, renaming.counts(), kept, verified),
                       differ ? kFindings : kAnswered};
}

}  // namespace

const Command& anonymize_command = Command{
    .name = "anonymize",
    .task = Task::files,
    .what = "rename the objects in a dump, to share it",
    .arguments = "FILE...",
    .most_arguments = SIZE_MAX,
    .groups = kAnonymizeTakes,
    .examples =
        "anonymize dump.yaml --to safe.jsonl.zst --verify            and check that no decision changes\n"
        "anonymize dump.yaml --to safe2.jsonl.zst --map names.json   and save the original names",
    .more =
        "Writes a capture, as previct capture does, with new names for everything that users named: namespaces, pods, "
        "nodes, "
        "classes, queues, drivers of volumes, labels and their values, values of annotations, types and reasons of "
        "conditions, settings of KAI's shards, UIDs. The same text always gets the same new name, and new names sort "
        "in the order of the old ones.\n"
        "Not changed: quantities, priorities and times; names that Kubernetes or a scheduler defines, such as "
        "kubernetes.io/hostname, kube-system, nvidia.com/gpu or root: all keys and resources of these domains, and of "
        "hugepages- and attachable-volumes-, even if users chose them, and namespaces that begin with kube- or "
        "openshift-; numbers and durations in annotations and "
        "settings; numbers of up to five digits in labels, and all numbers if a selector compares them; kinds of "
        "owners; versions and features of kubelets, without the suffix of a build of one's own. For devices (DRA), "
        "previct also keeps the names of drivers, attributes, "
        "capacities and counters; numbers and versions; whole CEL selectors; and the string values of attributes that "
        "a selector names.\n"
        "Exit status: 0 written; 1 with --verify: a decision differs, do not use the file; 2 not written.",
    .run = run_anonymize,
    .takes_inputs = true};

}  // namespace previct::cli
