#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"
#include "report/finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Tests of policies: what stands in a file of `kind: TestSuite`, and what running it gives.
namespace previct::suite {

/// The cluster that is asked, and how. What a test leaves out is as in `defaults` of its file.
struct Setting {
  std::vector<std::string> state;     ///< dumps or objects written by hand; paths relative to the suite's file
  std::vector<std::string> policies;  ///< what is under test, laid over the state (overlay/overlay.h)
  std::vector<std::string> without;   ///< `KIND/NAME` taken away from the state
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

/// Where a list stands in the suite's file, for --update.
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
  std::string until;  ///< RFC 3339, `+30m` from now, `never`; empty: at all
};

/// Pods that must never be among the victims: by label, by name, by class. All that are given must match.
struct Spared {
  std::string selector;  ///< `app=license-sim,tier!=test`
  std::vector<std::string> pods;
  std::string priority_class;
};

/// Lengths of time, in nanoseconds.
struct Lengths {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
};

struct Expectation {
  std::vector<std::string> outcome;               ///< one of these
  std::optional<std::vector<std::string>> nodes;  ///< the scheduler may choose these and no others
  std::optional<ExpectedVictims> victims;
  std::vector<ExpectedToleration> tolerates;
  std::vector<std::string> not_tolerating;
  std::optional<Range> pdb_violations;
  std::optional<Spared> never_victim;
  std::string next_change;               ///< as ExpectedToleration::until
  std::optional<Lengths> protected_for;  ///< of Test::between
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

/// For every pod like this, on every one of these nodes, at every moment.
struct Forall {
  std::string ns = "default";
  std::optional<std::pair<std::int64_t, std::int64_t>> priority;
  std::vector<std::string> priority_classes;
  std::vector<Amounts> requests;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string scheduler_name;
  bool every_node = false;         ///< each node alone, beside the scheduler's own choice
  std::vector<std::string> nodes;  ///< each of these alone
  std::string from = "+0m";
  std::string to;  ///< empty: only `from`
  Expectation expect;
};

struct Test {
  std::string name;
  Place place;
  Setting setting;
  std::string pod;      ///< `NAMESPACE/NAME`, `podgroup/NAMESPACE/NAME`; empty: protections are asked for
  std::string against;  ///< without a pod: whom the protection is against, as for `previct tolerations --against`
  std::vector<std::string> between;  ///< two leaf queues, the victim's first: how long is it protected?
  std::vector<Case> cases;
  std::optional<Forall> forall;
  std::optional<Severity> lint_fail_on;  ///< the policies lint without a finding of this severity or above
};

struct Suite {
  std::string name;
  std::string path;  ///< of the file
  FileId file;
  std::vector<Test> tests;
};

/// Reads the text of a suite's file. Keys are strict: one that is unknown fails with the nearest name and its place,
/// and so does a value that cannot be meant.
[[nodiscard]] auto read(const std::string& text, const std::string& path, FileId file) -> Result<Suite>;

/// The suites' files in `path`: itself if it is a file, else all below it that are named `previct-test.yaml` or
/// `*.previct-test.yaml` (or `.yml`), sorted. `DIR/...` is DIR.
[[nodiscard]] auto find_files(const std::string& path) -> Result<std::vector<std::string>>;

}  // namespace previct::suite
