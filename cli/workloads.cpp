#include "cli/workloads.h"

#include "api/kinds_asked.h"
#include "cli/flag_echo.h"
#include "cli/load.h"
#include "engine/required_kind.h"
#include "overlay/surroundings.h"
#include "overlay/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace previct::cli {
namespace {

constexpr std::array kWorkloads = {
    &kinds::deployments,  &kinds::stateful_sets,          &kinds::jobs, &kinds::cron_jobs, &kinds::daemon_sets,
    &kinds::replica_sets, &kinds::replication_controllers};

auto number_of(const std::map<std::string, std::size_t>& counts, std::string_view kind) -> std::size_t {
  const auto found = counts.find(std::string(kind));
  return found == counts.end() ? 0 : found->second;
}

/// Finds the first workload without a uid.
class FirstManifest final : public InputSink {
 public:
  auto take(const FoundObject& found, FileId file) -> Result<void> override {
    const Tape& tape = found.tape;
    const std::uint32_t metadata = tape.find(found.index, "metadata");
    if (!name.empty() || tape.find(metadata, "uid") < tape.size() || !template_of(found)) return {};
    const std::string_view ns = tape.string(tape.find(metadata, "namespace"));
    name = fmt::format("{} {}/{}", tape.string(tape.find(found.index, "kind")), ns.empty() ? "default" : ns,
                       tape.string(tape.find(metadata, "name")));
    of = file;
    return {};
  }
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}

  std::string name;  // `Deployment ml/web`; empty: not found
  FileId of;
};

}  // namespace

auto dump_command() -> std::string {
  return fmt::format("kubectl get {} -A -o yaml > dump.yaml", kDocumentedKinds);
}

auto instead_of_pods(const Objects& objects) -> std::string {
  for (const KindInfo* const workload : kWorkloads) {
    if (number_of(objects.counts, workload->key) == 0) continue;
    return fmt::format(
        "to explain the pod of a {}, apply its manifest to a dump of the cluster: -f dump.yaml --with FILE",
        workload->name);
  }
  if (number_of(objects.counts, "Node") > 0)
    return "to explain a new pod, pass its requests: --request cpu=2,memory=4Gi";
  return dump_command();
}

auto hint_at_workload(Session& session, Objects& objects) -> Result<std::string> {
  // Lists come from an API server: only objects outside of lists may be manifests, for which the input is read again.
  const bool outside = std::any_of(kWorkloads.begin(), kWorkloads.end(), [&](const KindInfo* kind) {
    return number_of(objects.counts, kind->key) > number_of(objects.listed, kind->key);
  });
  if (!outside || session.options.filenames.empty()) return std::string();
  FirstManifest first;
  PREVICT_TRY(const LoadOptions reading, load_options_of(session));
  PREVICT_CHECK(read_again(session.options.filenames, reading, objects, first));
  if (first.name.empty()) return std::string();
  return fmt::format("to explain the pods that {} would create, apply its manifest with --with {}", first.name,
                     cli::quoted(objects.files.name(first.of)));
}

}  // namespace previct::cli
