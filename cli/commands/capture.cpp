#include "capture/capture.h"

#include "base/text.h"
#include "cli/capture.h"
#include "cli/command.h"
#include "cli/live.h"
#include "cli/state.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state,   Group::reading, Group::live, Group::connection,
                               Group::capture, Group::output,  Group::help};

auto run(Session& session) -> Result<Done> {
  PREVICT_TRY(const CaptureFile file, capture_file_of(session.options));
  PREVICT_CHECK(session.options.filenames.empty() ? read_whole_cluster(session) : load_state(session));
  const Objects& objects = session.objects;
  const Capture manifest = capture::manifest_of(objects, session.reading ? &*session.reading : nullptr, session.clock);
  PREVICT_TRY(const std::string text,
              capture::text_of(objects, session.configurations, manifest, capture::AsRead(objects.symbols)));
  PREVICT_TRY(const std::size_t bytes, write_capture(file, text, objects.files));
  return Done{capture_report(manifest, file, bytes)};
}

constexpr Command kCommand = {
    .name = "capture",
    .what = "take a snapshot of a cluster with the fields that schedulers read, and no others",
    .arguments = "",
    .most_arguments = 0,
    .groups = kTakes,
    .examples =
        "capture --to state.jsonl.zst                       the cluster that kubectl talks to\n"
        "capture -f must-gather.tar.gz --to small.jsonl.gz  what an answer needs of a dump",
    .more =
        "A capture is an input like any other, and gives the answers of what it was made from: about the same moment, "
        "and "
        "with the same remarks on what could not be read.\n"
        "It holds names, labels, requests, conditions and their times; never the values of environment variables, "
        "arguments, "
        "commands, images, Secrets, managedFields or annotations that no scheduler reads, nor of ConfigMaps more than "
        "YuniKorn's queues. A scheduler's configuration among the inputs goes along. previct anonymize takes the names "
        "away, too.",
    .run = run};

}  // namespace

const Command& capture_command = kCommand;

}  // namespace previct::cli
