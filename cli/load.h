#pragma once

#include "api/load.h"
#include "cli/command.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The number of threads of --threads; by default, one for each processor.
[[nodiscard]] auto threads_of(const Options& options) -> unsigned;

/// The option with which the command line names a configuration of this kind.
[[nodiscard]] auto option_of(const ConfigurationKind& kind) -> std::string Options::*;

/// A configuration that a flag may name.
struct NamedConfiguration {
  std::optional<ConfigFile> Configurations::*member = nullptr;
  std::string path{};  ///< empty: the flag is not given
};
/// All of them.
[[nodiscard]] auto configurations_named_by(const Options& options) -> std::vector<NamedConfiguration>;

/// How to read inputs, and where to record them.
[[nodiscard]] auto load_options_of(Session& session) -> Result<LoadOptions>;

/// Keeps only the condition messages that are used: those of kube-scheduler on a pending pod, and those of schedulers
/// and kubelets on a pod that they evict, also in a capture; deletes all others.
void drop_other_condition_messages(Objects& objects);

/// Adds these inputs to the state, and shows progress on the terminal.
[[nodiscard]] auto read_files(Session& session, const std::vector<std::string>& names, LoadOptions reading,
                              Loaded& loaded) -> Result<void>;

/// The overlay of --with and related flags; it applies to the given pod.
[[nodiscard]] auto overlay_of(const Options& options) -> Result<Overlay>;

/// The time of the question, if the flags or a live cluster give one; none: the newest time of the input, or an error.
[[nodiscard]] auto moment_given(const Session& session, const Loaded& loaded) -> std::optional<Instant>;

/// Which inputs a state is made of.
enum class StateOf : std::uint8_t {
  inputs,      ///< the files of -f, or without -f the cluster
  flags_only,  ///< no input: a command adds what its own flags name, and then calls assume_absent_kinds()
  cluster      ///< everything that any scheduler reads from the cluster
};

/// Loads the inputs and the configurations that flags name, without the overlay. The session keeps the result.
[[nodiscard]] auto load_inputs(Session& session, LoadRequest request, StateOf of = StateOf::inputs)
    -> Result<std::reference_wrapper<Loaded>>;

/// Loads the inputs, and applies the overlay of --with and related flags.
[[nodiscard]] auto load_state(Session& session, LoadRequest request = {}) -> Result<std::reference_wrapper<Loaded>>;

/// Parses a size in bytes, such as 512Mi; 0 if the text is empty. The error names `flag`.
[[nodiscard]] auto size_from(std::string_view text, std::string_view flag) -> Result<std::uint64_t>;

}  // namespace previct::cli
