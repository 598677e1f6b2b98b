#pragma once

#include "base/diagnostics.h"
#include "cli/terminal.h"
#include "engine/scheduler_options.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace previct::cli {

/// The command line as written; it is interpreted where it is used.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): there is only one, in the order of the help
struct Options : SchedulerOptions {
  std::string command;
  std::vector<std::string> arguments;  ///< POD, or other arguments of the command

  std::vector<std::string> filenames;
  bool recursive = false;
  bool keep_going = false;
  std::string max_input;
  std::string max_memory;
  std::uint32_t threads = 0;  ///< 0: one per core
  bool stats = false;

  std::string run;
  bool update = false;
  std::string new_test;
  bool coverage = false;
  std::uint32_t min_coverage = 0;
  // flags of kubectl
  std::string kubeconfig;
  std::string kube_context;
  std::string cluster;
  std::string user;
  std::string server;
  std::string token;
  std::string as;
  std::vector<std::string> as_group;
  std::string as_uid;
  std::string request_timeout;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;

  bool offline = false;
  std::string kubectl = "kubectl";
  std::uint32_t page_size = 10'000;
  bool watch = false;
  std::string interval = "15s";

  std::string series;  ///< folder of a series of captures
  std::string every;   ///< capture: the interval between two states
  std::string keep;    ///< capture: how long states stay in the series

  std::vector<std::string> merge;  ///< backtest: outputs of its parts

  std::string target;  ///< --to of commands that write a capture
  bool force = false;
  bool verify = false;
  std::string map;
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::vector<std::string> with;
  std::vector<std::string> without;
  std::string node_template;
  std::optional<std::uint32_t> node_count;
  std::string priority_class;
  std::vector<std::string> requests;

  bool no_victims = false;
  bool no_violations = false;
  std::optional<std::uint32_t> replicas;

  std::string ns;
  bool all_namespaces = false;
  std::string selector;
  std::vector<std::string> nodes;
  std::string now;  ///< empty: the clock for a live cluster, the newest time for a dump
  std::vector<std::string> at;
  std::string horizon;
  std::string flush;
  std::string against;
  std::vector<std::string> between;
  std::string by;
  bool ended = false;
  bool hide_foreign = false;
  std::vector<std::string> pods;
  std::vector<std::string> arrive;
  std::vector<std::string> failures;
  std::uint32_t seed = 1;
  std::vector<std::string> rates;
  bool no_controllers = false;
  std::vector<std::string> lasting;
  std::vector<std::string> recurring;
  std::vector<std::string> epochs;
  std::vector<std::string> lose;
  std::vector<std::string> drain;
  std::optional<std::uint32_t> at_once;
  std::string domain;
  std::string none_out_above;
  std::string who_can_evict;
  std::string never_victim;
  std::optional<std::uint32_t> at_most_victims;
  bool budgets_hold = false;
  std::string always_fits;
  bool which_classes = false;
  std::string smallest_set;
  std::vector<std::string> like;
  std::string below;
  std::string resource;
  std::vector<std::string> up_to;
  std::vector<std::string> vary;
  std::optional<std::uint32_t> steps;
  std::string api_latency = "5ms";
  std::optional<std::uint32_t> qps;
  std::optional<std::uint32_t> burst;
  bool pending = false;
  std::string scheduler_config;
  std::string yunikorn_config;
  std::string kueue_config;
  std::string assume;
  bool complete = false;

  std::vector<std::string> outputs;
  bool list_outputs = false;
  std::string show = "candidates";
  bool no_headers = false;
  std::string color = "auto";
  std::optional<std::uint32_t> width;  ///< 0: no limit
  bool ascii = false;
  bool context = false;
  bool quiet = false;
  bool verbose = false;
  bool brief = false;

  std::vector<std::string> roots;
  bool live = false;
  std::string time_limit = "30s";

  std::string message;

  bool possible = false;
  bool strict = false;
  std::vector<std::string> fail_on;
  std::vector<std::string> only;
  std::vector<std::string> skip;
  std::vector<std::string> severity;
  std::string config;
  std::string baseline;
  std::string write_baseline;
  bool scopes = false;
  bool render = false;
  bool fix = false;
  bool dry_run = false;

  std::vector<std::string> from_environment;  ///< names of flags that a variable set
  std::vector<std::string> from_settings;     ///< names of flags that the settings of the cluster set
  std::vector<std::string> given;             ///< names of flags on the command line

  bool short_help = false;
  bool long_help = false;
};

/// A set of related flags; a command takes some of the groups.
enum class Group : std::uint8_t {
  message,
  state,
  reading,
  tests,
  live,
  connection,
  watch,
  capture,
  series,
  backtest,
  anonymize,
  sides,
  overlay,
  fit,
  proof,
  question,
  selection,
  nodes,
  time,
  protection,
  history,
  rows,
  sequence,
  sweep,
  failures,
  inspection,
  scheduler,
  lint,
  server,
  output,
  strictness,
  help
};

[[nodiscard]] auto group_title(Group group) -> std::string_view;

/// One flag: parsing, help, completion and the check against the manual all use this row.
struct Flag {
  using Field = std::variant<bool Options::*, std::string Options::*, std::uint32_t Options::*,
                             std::optional<std::uint32_t> Options::*, std::vector<std::string> Options::*>;

  Group group;
  char letter = 0;        ///< 0: none
  std::string_view name;  ///< without dashes
  /// The value in the help; empty: a switch. Lower-case words are literal, upper-case words are a kind of value, which
  /// completion knows by that name: `FILE`, `auto|on|off`, `auto|ENGINE`.
  std::string_view value;
  std::string_view what;  ///< one line for the short help
  std::string_view more;  ///< continues `what` in the long help; may be empty
  Field field;
  bool rare = false;    ///< only in `--help`, not in `-h`
  bool acts = false;    ///< writes a file, or runs a program: agents may not use it
  bool secret = false;  ///< its value is never shown

  /// Returns true if only the values in `value` are valid.
  [[nodiscard]] auto closed() const -> bool;
};

/// The variable that sets the flag if the command line does not: `PREVICT_PAGE_SIZE`, for -f `PREVICT_FILES`; empty:
/// none, as for flags that only make sense once.
[[nodiscard]] auto variable_of(const Flag& flag) -> std::string;

/// Returns true if only its variable set the flag `name`.
[[nodiscard]] auto by_variable(const Options& options, std::string_view name) -> bool;

/// Returns true if its variable, or the settings of the cluster, set the flag.
[[nodiscard]] auto by_default(const Options& options, std::string_view name) -> bool;

/// For commands whose arguments are files, not pods: each counts as a -f, which overrides PREVICT_FILES.
void take_files(Options& options);

/// Returns true if the flag `name` is on the command line.
[[nodiscard]] auto is_given(const Options& options, std::string_view name) -> bool;

/// The parts of `a|b|KIND`.
[[nodiscard]] auto alternatives(std::string_view value) -> std::vector<std::string_view>;

/// Returns true if the word is a kind of value, not a literal.
[[nodiscard]] auto is_placeholder(std::string_view alternative) -> bool;

[[nodiscard]] auto flags() -> std::span<const Flag>;

struct ClusterSettings;

/// Parses the arguments after the command's name. `groups`: the groups of the command; `most_arguments`: maximum number
/// of words besides flags; `environment`: looks up variables. `settings` set what neither of them sets; null: no
/// settings.
[[nodiscard]] auto parse(std::string_view command, std::span<const Group> groups, std::size_t most_arguments,
                         const std::vector<std::string>& words, Environment environment,
                         const ClusterSettings* settings = nullptr) -> Result<Options>;

}  // namespace previct::cli
