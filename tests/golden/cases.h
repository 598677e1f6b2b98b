#pragma once

#include "engine/engine.h"
#include "report/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace previct::test {

/// A dump with the answer of a real scheduler: a folder with dump.yaml, case.json and expected.json.
struct Case {
  std::string suite;  ///< `kube/pdb`, `cluster`
  std::filesystem::path folder;

  /// `kube`, `kube-config`, `kube-versions`, `cluster`, `kai`, `kueue`, `yunikorn`
  [[nodiscard]] auto family() const -> std::string {
    const std::string name = suite.starts_with("next/") ? suite.substr(5) : suite;
    return name.substr(0, name.find('/'));
  }
};

/// Returns every case below `root`, sorted by folder.
[[nodiscard]] auto cases_below(const std::filesystem::path& root) -> std::vector<Case>;
/// Return the cases in the project, and those next to it (PREVICT_CASES overrides their location).
[[nodiscard]] auto cases_in_fixtures() -> std::vector<Case>;
[[nodiscard]] auto cases_beside() -> std::vector<Case>;
/// Returns newer cases next to the project, of suites `next/…` (PREVICT_CASES_NEXT overrides their location).
[[nodiscard]] auto newer_cases_beside() -> std::vector<Case>;

/// Returns true if this suite must agree in full. See full_suites.txt.
[[nodiscard]] auto must_be_full(const std::string& suite) -> bool;

[[nodiscard]] auto text_of(const std::filesystem::path& path) -> std::string;
[[nodiscard]] auto json_of(const std::filesystem::path& path) -> Json;

/// Returns a case's question without its subject, as from the command line. Files that it names are added to `objects`.
[[nodiscard]] auto question_of(const Case& c, const Json& asked, Objects& objects) -> Question;

/// Asks the engine of a case its question, as the command line would, and returns the document that it would print.
[[nodiscard]] auto document_of(const Case& c, const Json& asked, Objects& objects) -> Result<Json>;

}  // namespace previct::test
