#pragma once

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "api/load.h"
#include "cli/command.h"
#include "engine/engine.h"

#include <string>
#include <vector>

namespace previct::cli {

/// How to read inputs, and where to tell what came in.
[[nodiscard]] auto load_options_of(Session& session) -> Result<LoadOptions>;

/// Of what the conditions of pods say, only the words of kube-scheduler on a pod that waits are of use, and those of
/// schedulers and kubelets on a pod that they evict, here and in a capture; whatever else stands there is forgotten.
void keep_schedulers_words(Objects& objects);

/// Reads these inputs into the session, and says on the terminal how far it is.
[[nodiscard]] auto read_files(Session& session, const std::vector<std::string>& names, LoadOptions reading)
    -> Result<void>;

/// What --with and its like say; the pod named is the one that they are about.
[[nodiscard]] auto overlay_of(const Options& options) -> Result<Overlay>;

/// Reads what -f names, or without it the cluster, into the session, and lays over it what --with and its like say.
[[nodiscard]] auto load_state(Session& session) -> Result<void>;

/// The question of the command line but for its subject. `now_source` says how its moment was found:
/// `newest-in-input`, `flag` or `clock`. The state must be loaded. The engines check their configuration against
/// `cluster`, once a run.
struct Asked {
  Question question;
  std::string now_source;
};
[[nodiscard]] auto asked_by(Session& session, const Snapshot& cluster) -> Result<Asked>;

/// What the question is about: the pod named, or those laid over the input, or every pending one.
[[nodiscard]] auto subjects_of(Session& session, const Snapshot& cluster, const Question& question)
    -> Result<std::vector<Subject>>;

/// Fails if nothing is in the namespace that -n names, with the nearest name: it is more likely misspelt than empty.
[[nodiscard]] auto check_namespace(const Options& options, const Snapshot& cluster) -> Result<void>;

/// The namespace whose pods are asked about, if no POD is named; empty: all.
[[nodiscard]] auto namespace_of(const Options& options) -> std::string;

/// `in the input`, `in namespace ml`
[[nodiscard]] auto where_of(const Session& session) -> std::string;

/// To a list of pods of the namespace of kubectl's context: that it is of no other.
void note_namespace(const Session& session, ReportContext& context);

/// The namespace of namespace_of() for questions about a whole cluster: that of kubectl's context is no limit to them.
[[nodiscard]] auto namespace_given(const Session& session) -> std::string;

/// Bytes, written as 512Mi; 0 if the text is empty. `flag` is named if it is no size.
[[nodiscard]] auto size_from(std::string_view text, std::string_view flag) -> Result<std::uint64_t>;

/// Reads a moment relative to `now` (`+20m`, `24h`) or absolute (RFC 3339). `flag` is named if it is neither.
[[nodiscard]] auto moment_from(std::string_view text, Instant now, std::string_view flag) -> Result<Instant>;

/// Fails if --assume or --scheduler-config is given to an engine that has no use for it.
[[nodiscard]] auto check_files_read(const Options& options, const Engine& engine) -> Result<void>;

/// What an answer rests on, as far as the command line says.
[[nodiscard]] auto context_of(const Session& session, const Snapshot& cluster, const Asked& asked) -> ReportContext;

}  // namespace previct::cli
