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

/// Every case below `root`, by folder.
[[nodiscard]] auto cases_below(const std::filesystem::path& root) -> std::vector<Case>;
/// The cases that are part of the project, and those that lie beside it (PREVICT_CASES names another place for them).
[[nodiscard]] auto cases_in_fixtures() -> std::vector<Case>;
[[nodiscard]] auto cases_beside() -> std::vector<Case>;
/// Newer ones beside it, of suites `next/…` (PREVICT_CASES_NEXT names another place for them).
[[nodiscard]] auto newer_cases_beside() -> std::vector<Case>;

/// Must this suite agree in full? See full_suites.txt.
[[nodiscard]] auto must_be_full(const std::string& suite) -> bool;

[[nodiscard]] auto text_of(const std::filesystem::path& path) -> std::string;
[[nodiscard]] auto json_of(const std::filesystem::path& path) -> Json;

/// What a case asks but for its subject, as the command line would put it. Files it names are added to `objects`.
[[nodiscard]] auto question_of(const Case& c, const Json& asked, Objects& objects) -> Question;

/// Puts the question of a case to its engine as the command line would, and gives the document it would print.
[[nodiscard]] auto document_of(const Case& c, const Json& asked, Objects& objects) -> Result<Json>;

}  // namespace previct::test
