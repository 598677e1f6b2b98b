#pragma once

#include "base/diagnostics.h"
#include "cli/exit_codes.h"
#include "cli/file.h"
#include "cli/loaded.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/settings_file.h"
#include "input/digest.h"
#include "report/packed_rows.h"
#include "report/report.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace previct::cli {

class KeptInputs;

/// What the user asked, and the run's record of what it read.
struct Session {
  Options options;
  ClusterSettings settings{};                ///< from .previct.yaml; Options::from_settings names those in force
  Targets targets;                           ///< all output files of the command line
  std::string program;                       ///< name by which the user calls it: `previct`, `kubectl previct`
  Instant clock;                             ///< the time of the call; only used if requested
  auto(*read_clock)() -> Instant = nullptr;  ///< for commands that answer several questions; null: there is only one
  bool ns_of_context = false;                ///< -n was not given: Options::ns is the namespace of kubectl's context
  bool documents = true;                     ///< a format shows documents: data that only they contain is computed
  bool evidence = true;                      ///< of documents, also Answer::evidence
  bool blocks = true;                        ///< a format shows Report::blocks
  bool brief = false;                        ///< a format shows Report::brief
  bool may_pack = false;                     ///< a long list may be in CommandResult::items
  Extent extent{};                           ///< of long lists in documents: see ReportContext
  bool places = true;                        ///< false: places are those of objects; fields need the files again
  Phases phases;                             ///< output of -v
  InputDigests arrivals{};                   ///< records the inputs, if a format shows them
  std::vector<std::string> roots{};          ///< settings and the files that they name count only below these folders
  KeptInputs* kept = nullptr;                ///< what earlier sessions have read; null: this is the only one
  std::optional<Loaded> followed{};          ///< with --watch: the cluster without the overlay, kept up to date
  /// The names of all files and the warnings about them; warnings are printed when the command ends.
  std::shared_ptr<InputTables> inputs = std::make_shared<InputTables>();
  /// Every state that the command has loaded. They live as long as the program, because releasing the memory of each
  /// object would take a tenth of the time of reading it.
  std::deque<std::shared_ptr<Loaded>> loaded{};
};

/// The result of a command: a report, and the exit status.
struct CommandResult {
  Report report;
  ExitCode status = kAnswered;
  std::string decision{};                     ///< for --watch: a new report is printed if this differs
  Instant next_change = Instant::never();     ///< for --watch: time of the next evaluation
  bool wrote_itself = false;                  ///< the command has written to standard output; there is no report
  std::shared_ptr<const PackedRows> items{};  ///< of the report's list, which is empty there; null: the list is there
};

/// Categories of commands, in the order of the overview.
enum class Task : std::uint8_t { explain, plan, guard, review, files, program };
[[nodiscard]] auto task_title(Task task) -> std::string_view;

/// One verb: one file in cli/commands with one object named `<file>_command`, which the build finds automatically.
struct Command {
  std::string_view name;
  Task task = Task::program;
  std::string_view what;       ///< one line of at most 56 columns: the question that the command answers
  std::string_view arguments;  ///< `[POD]`; empty: none
  std::size_t most_arguments = 0;
  std::span<const Group> groups;  ///< groups of flags that it takes
  std::string_view examples;      ///< one per line, without the program's name
  std::string_view more;          ///< paragraphs of the long help
  auto(*run)(Session& session) -> Result<CommandResult>;
  /// Returns true if its report will have findings or test results. Null: never.
  auto(*judges)(const Options& options) -> bool = nullptr;
  /// Answers a question from its inputs, so that agents may use it (cli/mcp); flags that act are not offered to them.
  bool read_only = false;
  /// Its arguments are inputs, as those of -f.
  bool takes_inputs = false;
};

/// All commands, by name.
[[nodiscard]] auto commands() -> const std::vector<const Command*>&;

/// Fails with the nearest name if there is no such command.
[[nodiscard]] auto find_command(std::string_view name) -> Result<const Command*>;

}  // namespace previct::cli
