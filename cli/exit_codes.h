#pragma once

namespace previct::cli {

/// A contract: scripts rely on it. Where several apply, not_answered beats incomplete beats findings.
enum ExitCode : int {
  kAnswered = 0,
  kFindings = 1,     ///< a --fail-on condition, findings, failed tests, decisions that differ
  kNotAnswered = 2,  ///< usage, unreadable or broken input, no such pod; nothing on stdout
  kIncomplete = 3,   ///< only with --strict: answered, but from incomplete input
  kBug = 70,         ///< an exception that nothing foresaw: our mistake
};

}  // namespace previct::cli
