#pragma once

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "api/load.h"
#include "cli/command.h"
#include "engine/engine.h"

#include <string>
#include <vector>

namespace previct::cli {

/// How to read inputs, and where to record them.
[[nodiscard]] auto load_options_of(Session& session) -> Result<LoadOptions>;

/// Keeps only the condition messages that are used: those of kube-scheduler on a pending pod, and those of schedulers
/// and kubelets on a pod that they evict, also in a capture; deletes all others.
void drop_other_condition_messages(Objects& objects);

/// Reads these inputs into the session, and shows progress on the terminal.
[[nodiscard]] auto read_files(Session& session, const std::vector<std::string>& names, LoadOptions reading)
    -> Result<void>;

/// The overlay of --with and related flags; it applies to the given pod.
[[nodiscard]] auto overlay_of(const Options& options) -> Result<Overlay>;

/// Reads the inputs of -f, or without -f the cluster, into the session, and applies the overlay of --with and related
/// flags.
[[nodiscard]] auto load_state(Session& session) -> Result<void>;

/// The question of the command line, without its subject. `now_source` says how its moment was determined:
/// `newest-in-input`, `flag` or `clock`. The state must be loaded. The engines check their configuration against
/// `cluster`, once per run.
struct Asked {
  Question question;
  std::string now_source;
};
[[nodiscard]] auto asked_by(Session& session, const Snapshot& cluster) -> Result<Asked>;

/// The subjects of the question: the given pod, or the pods of the overlay, or every pending pod.
[[nodiscard]] auto subjects_of(Session& session, const Snapshot& cluster, const Question& question)
    -> Result<std::vector<Subject>>;

/// Fails if the namespace of -n is empty, with the nearest name: it is more likely misspelt.
[[nodiscard]] auto check_namespace(const Options& options, const Snapshot& cluster) -> Result<void>;

/// The namespace of the pods in question if no POD is given; empty: all.
[[nodiscard]] auto namespace_of(const Options& options) -> std::string;

/// `in the input`, `in namespace ml`
[[nodiscard]] auto where_of(const Session& session) -> std::string;

/// Notes that a list of pods is limited to the namespace of kubectl's context.
void note_namespace(const Session& session, ReportContext& context);

/// The namespace of namespace_of() for questions about a whole cluster, which the namespace of kubectl's context does
/// not limit.
[[nodiscard]] auto namespace_given(const Session& session) -> std::string;

/// Parses a size in bytes, such as 512Mi; 0 if the text is empty. The error names `flag`.
[[nodiscard]] auto size_from(std::string_view text, std::string_view flag) -> Result<std::uint64_t>;

/// Parses a moment relative to `now` (`+20m`, `24h`) or absolute (RFC 3339). The error names `flag`.
[[nodiscard]] auto moment_from(std::string_view text, Instant now, std::string_view flag) -> Result<Instant>;

/// Fails if --assume or --scheduler-config is given but the engine does not use it.
[[nodiscard]] auto check_files_read(const Options& options, const Engine& engine) -> Result<void>;

/// The context of a report, as far as the command line defines it.
[[nodiscard]] auto context_of(const Session& session, const Snapshot& cluster, const Asked& asked) -> ReportContext;

}  // namespace previct::cli
