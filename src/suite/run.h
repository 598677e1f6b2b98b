#pragma once

#include "report/report.h"
#include "suite/forall.h"
#include "tell/answer.h"

#include <functional>

namespace previct::suite {

/// A case that was run, or could not be run.
struct CaseResult {
  std::string name;  ///< name of the test, with ` / at +20m` if it has several cases
  Place place;
  std::optional<Failure> broken{};  ///< why it has no result: the state is unreadable, the pod does not exist
  std::vector<Failed> failed{};
  std::string note{};               ///< `5 questions asked`; may be empty
  std::optional<Exactly> pinned{};  ///< the list that --update would rewrite, and its correct content
  std::vector<std::string> victims{};
  bool open = false;  ///< the victims are random or unknown, so that no list can contain them

  [[nodiscard]] auto passed() const -> bool { return !broken && failed.empty(); }
};

struct SuiteResult {
  std::string name;
  std::string path;
  std::vector<CaseResult> cases;

  [[nodiscard]] auto failures() const -> std::size_t;
};

/// The result of an unreadable suite: one broken case.
[[nodiscard]] auto unread(const std::string& path, Failure failure) -> SuiteResult;

/// Why nothing could be tested: the first reason, if every case is broken.
[[nodiscard]] auto why_nothing_ran(const std::vector<SuiteResult>& results) -> std::optional<Failure>;

/// Selects cases by name: `suite/test / at +20m`.
using Wanted = std::function<bool(const std::string&)>;

/// Runs the cases of a suite. A test whose state is unreadable or whose question is invalid is broken; the other tests
/// still run.
[[nodiscard]] auto run(const Suite& suite, const Wanted& wanted, Coverage& coverage) -> SuiteResult;

/// The report, verdict first (`kind: TestReport`); `coverage` may be null. `percent`: minimum coverage.
[[nodiscard]] auto report(const std::vector<SuiteResult>& results, const Coverage* coverage, std::uint32_t percent = 0)
    -> Report;

/// What --update makes of a suite's file.
struct Update {
  std::string text;                // with every failing `exactly` list corrected
  std::vector<std::string> lines;  // the differences, with `-` and `+`, and what is left, with the reason
  std::size_t rewritten = 0;       // lists
  std::size_t left = 0;            // what still fails: other expectations, undecided cases, lists that stay
};
[[nodiscard]] auto updated(std::string text, const SuiteResult& result) -> Update;

/// A suite (as JSON) that pins the current answer about one pod.
[[nodiscard]] auto pinned(const Answer& answer, const Snapshot& cluster, const Setting& setting) -> Json;

}  // namespace previct::suite
