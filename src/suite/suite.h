#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"
#include "report/finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Policy tests: the content of a file of `kind: TestSuite`, and the result of running it.
namespace previct::suite {

/// The cluster of a test, and how it is evaluated. Defaults come from `defaults` of the file.
struct Setting {
  std::vector<std::string> state;     ///< dumps or handwritten objects; paths relative to the suite's file
  std::vector<std::string> policies;  ///< policies under test, applied over the state (overlay/overlay.h)
  std::vector<std::string> without;   ///< `KIND/NAME` removed from the state
  std::string now;                    ///< RFC 3339; empty: the newest time in the state
  std::string engine = "auto";
  std::string toleration_plugin = "auto";
  std::string kubernetes_version;
  std::string kai_version;
  std::string yunikorn_version;
  std::string feature_gates;
  std::string yunikorn_mode = "release";
  std::string shard;
};

struct Range {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  [[nodiscard]] auto holds(std::int64_t n) const -> bool { return (!min || n >= *min) && (!max || n <= *max); }
};

/// A list and its place in the suite's file, for --update.
struct Exactly {
  std::vector<std::string> pods;
  Place place;
};

struct ExpectedVictims {
  std::optional<Exactly> exactly;
  std::vector<std::string> includes;
  std::vector<std::string> excludes;
  std::optional<Range> count;
};

struct ExpectedToleration {
  std::string pod;
  std::string until;  ///< RFC 3339, `+30m` from now, `never`; empty: any duration
};

/// Pods that must never be victims: by label, by name, by class. All given criteria must match.
struct Spared {
  std::string selector;  ///< `app=license-sim,tier!=test`
  std::vector<std::string> pods;
  std::string priority_class;
};

/// Durations, in nanoseconds.
struct Lengths {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
};

struct Expectation {
  std::vector<std::string> outcome;               ///< one of these must be the outcome
  std::optional<std::vector<std::string>> nodes;  ///< exactly the nodes that the scheduler may choose
  std::optional<ExpectedVictims> victims;
  std::vector<ExpectedToleration> tolerates;
  std::vector<std::string> not_tolerating;
  std::optional<Range> pdb_violations;
  std::optional<Spared> never_victim;
  std::string next_change;               ///< in the form of ExpectedToleration::until
  std::optional<Lengths> protected_for;  ///< duration for Test::between
};

struct Case {
  std::string at;  ///< `+20m` or RFC 3339; empty: now
  Expectation expect;
  Place place;
};

/// A quantity, or a closed interval of them.
struct Amounts {
  std::string resource;
  std::string from;
  std::string to;  ///< empty: only `from`
};

/// All pods of this form, on each of these nodes, at each moment.
struct Forall {
  std::string ns = "default";
  std::optional<std::pair<std::int64_t, std::int64_t>> priority;
  std::vector<std::string> priority_classes;
  std::vector<Amounts> requests;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string scheduler_name;
  bool every_node = false;         ///< each node separately, and the scheduler's own choice
  std::vector<std::string> nodes;  ///< each of these separately
  std::string from = "+0m";
  std::string to;  ///< empty: only `from`
  Expectation expect;
};

struct Test {
  std::string name;
  Place place;
  Setting setting;
  std::string pod;      ///< `NAMESPACE/NAME`, `podgroup/NAMESPACE/NAME`; empty: the test is about protections
  std::string against;  ///< without a pod: the preemptor, in the form of `previct tolerations --against`
  std::vector<std::string> between;  ///< two leaf queues, the victim's first, for the duration of protection
  std::vector<Case> cases;
  std::optional<Forall> forall;
  std::optional<Severity> lint_fail_on;  ///< linting the policies must give no finding of this severity or above
};

struct Suite {
  std::string name;
  std::string path;  ///< path of the file
  FileId file;
  std::vector<Test> tests;
};

/// Parses the text of a suite's file. Keys are strict: an unknown key fails with the nearest name and its place, and so
/// does an invalid value.
[[nodiscard]] auto read(const std::string& text, const std::string& path, FileId file) -> Result<Suite>;

/// The suites' files in `path`: the file itself, or all files below a folder that are named `previct-test.yaml` or
/// `*.previct-test.yaml` (or `.yml`), sorted. `DIR/...` means DIR.
[[nodiscard]] auto find_files(const std::string& path) -> Result<std::vector<std::string>>;

}  // namespace previct::suite
