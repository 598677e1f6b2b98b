#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "cli/exit_codes.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/settings_file.h"
#include "input/digest.h"
#include "live/cluster.h"
#include "overlay/overlay.h"
#include "report/report.h"
#include "tell/answer.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace previct::cli {

/// What a command works with.
struct Session {
  Options options;
  ClusterSettings settings{};             ///< those of .previct.yaml; Options::from_settings names what is in force
  Targets targets;                        ///< all files that the command line says are to be written
  std::string program;                    ///< as the user calls it: `previct`, `kubectl previct`
  Instant clock;                          ///< the time of the call; used only if asked for
  std::optional<live::Reading> reading;   ///< of a live cluster: how it was read
  std::shared_ptr<Stores> as_read{};      ///< with --watch: the cluster as it was read, before anything is laid over it
  bool ns_of_context = false;             ///< -n was not given: Options::ns is the namespace of kubectl's context
  bool followed = false;                  ///< --watch keeps `objects` up to date: nothing has to be read
  bool history = false;                   ///< set before loading: what tells of past decisions is needed, too
  bool pods_optional = false;             ///< set before loading: there are answers about an input without pods
  Phases phases;                          ///< what -v says
  Configurations configurations;          ///< those among the inputs of -f; filled with the objects
  std::optional<Configurations> named{};  ///< those that flags name, if they were read before the question was made
  Overlaid overlaid;                      ///< the same
  std::vector<Gap> taken_as_none;         ///< kinds that are taken to have no objects, and why; filled with the objects
  bool documents = true;                  ///< a format shows documents: what only they hold is made
  Arrivals arrivals{};                    ///< what came in, if a format shows it
  Objects objects;                        ///< filled by the command; its warnings are printed when the command ends
};

/// What a command leaves: something to say, and the status to end with.
struct CommandResult {
  Report report;
  ExitCode status = kAnswered;
  std::string decision{};                  ///< for --watch: speaks again if it differs
  Instant next_change = Instant::never();  ///< for --watch: asks again then
};

/// What commands are for, in the order in which the overview lists them.
enum class Task : std::uint8_t { explain, plan, guard, review, files, program };
[[nodiscard]] auto task_title(Task task) -> std::string_view;

/// One verb: one file in cli/commands, holding one object named `<file>_command`, which the build finds by
/// itself.
struct Command {
  std::string_view name;
  Task task = Task::program;
  std::string_view what;       ///< one line of at most 56 columns: the question it answers
  std::string_view arguments;  ///< `[POD]`; empty: none
  std::size_t most_arguments = 0;
  std::span<const Group> groups;  ///< of flags it takes
  std::string_view examples;      ///< one a line, without the program's name
  std::string_view more;          ///< paragraphs of the long help
  auto(*run)(Session& session) -> Result<CommandResult>;
  /// Will its report hold findings or test results? Null: never.
  auto(*judges)(const Options& options) -> bool = nullptr;
};

/// All commands, in order of their names.
[[nodiscard]] auto commands() -> const std::vector<const Command*>&;

/// Fails with the nearest name.
[[nodiscard]] auto find_command(std::string_view name) -> Result<const Command*>;

}  // namespace previct::cli
