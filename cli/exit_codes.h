#pragma once

namespace previct::cli {

/// Stable, because scripts rely on it. If several apply, not_answered takes precedence over incomplete, and that over
/// findings.
enum ExitCode : int {
  kAnswered = 0,
  kFindings = 1,     ///< a --fail-on condition, findings, failed tests, decisions that differ
  kNotAnswered = 2,  ///< usage, unreadable or broken input, no such pod; nothing on stdout
  kIncomplete = 3,   ///< only with --strict: answered, but from incomplete input
  kBug = 70,         ///< an unexpected exception: a bug in previct
};

}  // namespace previct::cli
