#pragma once

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "cli/command.h"
#include "engine/engine.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The question of the command line, without its subject. `now_source` says how its moment was determined:
/// `newest-in-input`, `flag` or `clock`. The engines check their configuration against
/// `cluster`, once per run.
struct Asked {
  Question question;
  std::string now_source;
};
[[nodiscard]] auto asked_by(const Session& session, const Loaded& loaded, const Snapshot& cluster) -> Result<Asked>;

/// The subjects of the question: the given pod, or the pods of the overlay, or every pending pod.
[[nodiscard]] auto subjects_of(const Session& session, Loaded& loaded, const Snapshot& cluster,
                               const Question& question) -> Result<std::vector<Subject>>;

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

/// Parses a moment relative to `now` (`+20m`, `24h`) or absolute (RFC 3339). The error names `flag`.
[[nodiscard]] auto moment_from(std::string_view text, Instant now, std::string_view flag) -> Result<Instant>;

/// Fails if --assume or --scheduler-config is given but the engine does not use it.
[[nodiscard]] auto check_files_read(const Options& options, const Engine& engine) -> Result<void>;

/// The context of a report, as far as the command line defines it.
[[nodiscard]] auto context_of(const Session& session, const Loaded& loaded, const Snapshot& cluster, const Asked& asked)
    -> ReportContext;

}  // namespace previct::cli
