#pragma once

#include "report/report.h"

#include <string>

namespace previct {

/// Where a test case names its file and line. JUnit XML has several dialects:
/// - GitLab (`gitlab-org/gitlab: lib/gitlab/ci/parsers/test/junit.rb`), CircleCI and the reporters of GitHub workflows
///   read the attributes `file` and `line` of a test case.
/// - The xUnit plugin of Jenkins (`jenkinsci/xunit-plugin: …/xsd/junit-10.xsd`) skips a report with these attributes.
/// In both dialects, the text of a failure begins with the place.
enum class JUnitPlaces : std::uint8_t { in_attributes, in_text_only };

/// The findings and test results of a report as JUnit XML: one suite for each family of rules, and each test suite. No
/// two cases of a suite have the same name.
[[nodiscard]] auto junit_xml(const Report& report, JUnitPlaces places) -> std::string;

}  // namespace previct
