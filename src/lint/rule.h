#pragma once

#include "lint/found.h"
#include "lint/repository.h"

#include <fmt/format.h>  // nearly every rule words its findings with it

#include <string_view>
#include <vector>

namespace previct::lint {

/// One thing that is wrong, or works otherwise than it reads: one file in src/lint/rules, named `<id>_<name>.cpp`,
/// holding one object named `<file>_rule`, which the build finds by itself. Its two manifests are its tests.
struct Rule {
  std::string_view id;      ///< `PT004`: stable, as users write it into their files
  std::string_view name;    ///< `no-seconds`
  Severity severity;        ///< error: certainly broken; warning: works otherwise than it reads; info: worth knowing
  std::string_view title;   ///< one line
  std::string_view why;     ///< why it hurts
  std::string_view mend;    ///< what to do
  std::string_view source;  ///< where upstream does what is said here
  std::string_view bad;     ///< a manifest with at least one such finding
  std::string_view good;    ///< and one without
  void (*check)(const Repository& repository, Found& found);
};

/// All rules, by id.
[[nodiscard]] auto rules() -> const std::vector<const Rule*>&;

/// Null if there is none. Ids are read in either case.
[[nodiscard]] auto find_rule(std::string_view id) -> const Rule*;

}  // namespace previct::lint
