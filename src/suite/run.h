#pragma once

#include "report/report.h"
#include "suite/forall.h"
#include "tell/answer.h"

#include <functional>

namespace previct::suite {

/// One case that was run, or could not be.
struct CaseResult {
  std::string name;  ///< of the test, and ` / at +20m` where it has several cases
  Place place;
  std::optional<Failure> broken{};  ///< why it says nothing: its state cannot be read, its pod is not there
  std::vector<Failed> failed{};
  std::string note{};               ///< `5 questions asked`; may be empty
  std::optional<Exactly> pinned{};  ///< the list that --update would rewrite, and what should stand there
  std::vector<std::string> victims{};
  bool open = false;  ///< which pods go is up to chance or not known, so that no list can hold them

  [[nodiscard]] auto passed() const -> bool { return !broken && failed.empty(); }
};

struct SuiteResult {
  std::string name;
  std::string path;
  std::vector<CaseResult> cases;

  [[nodiscard]] auto failures() const -> std::size_t;
};

/// What is left of a suite that cannot be read: one broken case.
[[nodiscard]] auto unread(const std::string& path, Failure failure) -> SuiteResult;

/// Why nothing at all could be tested: the first reason, if every case is broken.
[[nodiscard]] auto why_nothing_ran(const std::vector<SuiteResult>& results) -> std::optional<Failure>;

/// Which cases are wanted: `suite/test / at +20m`.
using Wanted = std::function<bool(const std::string&)>;

/// Runs the cases of a suite. A test whose state cannot be read or whose question cannot be put is broken; the others
/// run all the same.
[[nodiscard]] auto run(const Suite& suite, const Wanted& wanted, Coverage& coverage) -> SuiteResult;

/// All of it, verdict first (`kind: TestReport`); `coverage` may be null. At least `percent` of it is asked for.
[[nodiscard]] auto report(const std::vector<SuiteResult>& results, const Coverage* coverage, std::uint32_t percent = 0)
    -> Report;

/// `text`, the suite's file, with every `exactly` list that does not hold as it should be; `changes` gets `-` and `+`
/// lines of what differs.
[[nodiscard]] auto updated(std::string text, const SuiteResult& result, std::vector<std::string>& changes)
    -> std::string;

/// A suite (as JSON) that pins today's answer about one pod.
[[nodiscard]] auto pinned(const Answer& answer, const Snapshot& cluster, const Setting& setting) -> Json;

}  // namespace previct::suite
