#include "cli/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "api/load.h"
#include "api/quantity.h"
#include "input/bytes.h"

namespace previct::cli {
namespace {

auto config_file(Session& session, const std::string& path) -> Result<std::optional<ConfigFile>> {
  if (path.empty()) return std::nullopt;
  const FileId file = session.objects.files.add(path);
  PREVICT_TRY(Input input, read_input(path, file, 0));
  if (input.members.size() != 1) return fail("expected one file, not an archive", {file});
  return ConfigFile{file, std::move(input.members.front().text)};
}

auto moment_of(const Session& session, Asked& asked) -> Result<void> {
  const std::string& text = session.options.now;
  if (text == "clock") {
    asked.question.now = session.clock;
    asked.now_source = "clock";
    return {};
  }
  if (text == "dump") {
    if (session.objects.newest == Instant{}) {
      return fail("the input holds no timestamp to take for now", {}, "--now 2026-05-01T12:00:00Z, or --now clock");
    }
    asked.question.now = session.objects.newest;
    asked.now_source = "newest-in-input";
    return {};
  }
  const auto at = parse_instant(text);
  if (!at) return fail(fmt::format("--now \"{}\" is no time; expected RFC 3339 as 2026-05-01T12:00:00Z, dump or clock", text));
  asked.question.now = *at;
  asked.now_source = "flag";
  return {};
}

auto switch_of(const std::string& text) -> Switch {
  return text == "on" ? Switch::on : text == "off" ? Switch::off : Switch::automatic;
}

}  // namespace

auto load_state(Session& session) -> Result<void> {
  const Options& options = session.options;
  if (options.filenames.empty()) {
    return fail("no input: name a dump with -f", {},
                "kubectl get pods,nodes,priorityclasses,poddisruptionbudgets,namespaces -A -o yaml > dump.yaml");
  }
  LoadOptions load_options{.recursive = options.recursive, .keep_going = options.keep_going};
  if (!options.max_input.empty()) {
    const auto size = Quantity::parse(options.max_input);
    if (!size || size->value() <= 0) {
      return fail(fmt::format("--max-input \"{}\" is no size; expected one as 512Mi or 8Gi", options.max_input));
    }
    load_options.max_input = static_cast<std::uint64_t>(size->value());
  }
  return load(options.filenames, load_options, session.objects);
}

auto asked_by(Session& session) -> Result<Asked> {
  const Options& options = session.options;
  Asked asked;
  PREVICT_CHECK(moment_of(session, asked));
  Question& question = asked.question;
  PREVICT_TRY(question.scheduler_config, config_file(session, options.scheduler_config));
  PREVICT_TRY(question.yunikorn_config, config_file(session, options.yunikorn_config));
  PREVICT_TRY(question.assumptions, config_file(session, options.assume));
  question.toleration_plugin = switch_of(options.toleration_plugin);
  question.k8s_version = options.k8s_version;
  question.feature_gates = options.feature_gates;
  question.yunikorn_mode = options.yunikorn_mode;
  question.shard = options.shard;
  question.only_nodes = options.nodes;
  question.show_all = options.show == "all";
  question.show_chosen_only = options.show == "chosen";
  question.threads = options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  return asked;
}

}  // namespace previct::cli
