#pragma once

#include "api/described.h"
#include "base/diagnostics.h"
#include "base/instant.h"
#include "engine/scheduler_options.h"
#include "lint/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Policy tests: the content of a file of `kind: TestSuite`, and the result of running it.
namespace previct::suite {

/// What the scalars of a suite may be.
[[nodiscard]] auto path_form() -> Form<std::string>;     ///< relative to the suite's file
[[nodiscard]] auto time_form() -> Form<std::string>;     ///< RFC 3339
[[nodiscard]] auto moment_form() -> Form<std::string>;   ///< `+20m` from now, or RFC 3339
[[nodiscard]] auto ending_form() -> Form<std::string>;   ///< a moment, or `never`
[[nodiscard]] auto outcome_form() -> Form<std::string>;  ///< the outcomes of a verdict
[[nodiscard]] auto quantity_form() -> Form<std::string>;

/// The cluster of a test, and how it is evaluated. Defaults come from `defaults` of the file.
struct Setting : SchedulerOptions {
  std::vector<std::string> state;
  std::vector<std::string> policies;  ///< applied as overlay/overlay.h says
  std::vector<std::string> without;
  std::string now;  ///< RFC 3339; empty: the newest time in the state

  template <class Field>
  friend void describe(Field& field, Setting& self) {
    field("state", one_or_list_of(self.state, path_form()),
          "dumps or objects written by hand; paths relative to this file");
    field("policies", one_or_list_of(self.policies, path_form()), "policies under test, applied to the state");
    field("without", one_or_list_of(self.without, text_form()), "KIND/NAME to remove from the state");
    field("now", as(self.now, time_form()), "the current time; default: the newest time in the state");
    describe(field, static_cast<SchedulerOptions&>(self));
  }
};

/// A number of things: one integer, or the bounds.
struct Range {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  [[nodiscard]] auto holds(std::int64_t n) const -> bool { return (!min || n >= *min) && (!max || n <= *max); }

  friend auto short_form(Range& self) -> As<std::int64_t> {
    return {integer_form(), [&self](std::int64_t value, const Place&) { self.min = self.max = value; }};
  }
  template <class Field>
  friend void describe(Field& field, Range& self) {
    field("min", as(self.min, integer_form()), "at least");
    field("max", as(self.max, integer_form()), "at most");
  }
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

  template <class Field>
  friend void describe(Field& field, ExpectedVictims& self) {
    ListOf<As<std::string>> exactly{[&self] { return appended_to(self.exactly->pods, namespaced_name_form()); }};
    exactly.begin = [&self](const Place& place) { self.exactly.emplace().place = place; };
    exactly.or_single = true;
    field("exactly", exactly, "these and no others");
    field("includes", one_or_list_of(self.includes, namespaced_name_form()), "these among them");
    field("excludes", one_or_list_of(self.excludes, namespaced_name_form()), "none of these");
    field("count", self.count, "how many: a number, or min and max");
  }
};

struct ExpectedToleration {
  std::string pod;
  std::string until;  ///< as `ending_form`; empty: any duration

  friend auto short_form(ExpectedToleration& self) -> As<std::string> { return as(self.pod, namespaced_name_form()); }
  template <class Field>
  friend void describe(Field& field, ExpectedToleration& self) {
    field("pod", as(self.pod, namespaced_name_form()), {}, Need::required);
    field("until", as(self.until, ending_form()), "+30m from now, RFC 3339, or never");
  }
};

/// Pods that must never be victims: by label, by name, by class. All given criteria must match.
struct Spared {
  static constexpr std::size_t kLeastKeys = 1;

  std::string selector;  ///< `app=license-sim,tier!=test`
  std::vector<std::string> pods;
  std::string priority_class;

  template <class Field>
  friend void describe(Field& field, Spared& self) {
    field("selector", as(self.selector, text_form()), "a selector of labels");
    field("pods", one_or_list_of(self.pods, namespaced_name_form()), "these pods");
    field("priorityClass", as(self.priority_class, text_form()), "pods of this class");
  }
};

/// Durations, in nanoseconds.
struct Lengths {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;

  friend auto short_form(Lengths& self) -> As<std::int64_t> {
    return {duration_form("3m"), [&self](std::int64_t value, const Place&) { self.min = self.max = value; }};
  }
  template <class Field>
  friend void describe(Field& field, Lengths& self) {
    field("min", as(self.min, duration_form("3m")), "at least");
    field("max", as(self.max, duration_form("3m")), "at most");
  }
};

struct Expectation {
  static constexpr std::size_t kLeastKeys = 1;
  static constexpr std::string_view kDefinition = "expectation";

  std::vector<std::string> outcome;               ///< one of these must be the outcome
  std::optional<std::vector<std::string>> nodes;  ///< exactly the nodes that the scheduler may choose
  std::optional<ExpectedVictims> victims;
  std::vector<ExpectedToleration> tolerates;
  std::vector<std::string> not_tolerating;
  std::optional<Range> pdb_violations;
  std::optional<Spared> never_victim;
  std::string next_change;               ///< as `ending_form`
  std::optional<Lengths> protected_for;  ///< duration for Test::between

  template <class Field>
  friend void describe(Field& field, Expectation& self) {
    field("outcome", one_or_list_of(self.outcome, outcome_form()), "one of these");
    ListOf<As<std::string>> nodes{[&self] { return appended_to(*self.nodes, text_form()); }};
    nodes.begin = [&self](const Place&) { self.nodes.emplace(); };
    nodes.or_single = true;
    field("node", nodes, "the scheduler may choose these and no others");
    field("victims", self.victims, "the victims");
    field("tolerates", records(self.tolerates),
          "pods that tolerate the preemption, optionally with the end of the toleration");
    field("notTolerating", one_or_list_of(self.not_tolerating, namespaced_name_form()), "pods that are not protected");
    field("pdbViolations", self.pdb_violations, "number of PDB violations: a number, or min and max");
    field("neverVictim", self.never_victim, "pods that must not be victims; all criteria must match");
    field("nextChange", as(self.next_change, ending_form()),
          "when the answer changes: +30m from now, RFC 3339, or never");
    field("protectedFor", self.protected_for, "how long the min-runtime between the queues is: 3m, or min and max");
  }
};

struct Case {
  std::string at;  ///< as `moment_form`; empty: now
  Expectation expect;
  Place place;

  template <class Field>
  friend void describe(Field& field, Case& self) {
    field("at", as(self.at, moment_form()), "+20m from now, or RFC 3339");
    field("expect", self.expect, "the expected result", Need::required);
  }
};

/// A quantity, or a closed interval of them.
struct Amounts {
  std::string resource;
  std::string from;
  std::string to;  ///< empty: only `from`
};

/// Pods that try to preempt.
struct Preemptor {
  std::string ns = "default";
  std::optional<std::pair<std::int64_t, std::int64_t>> priority;
  std::vector<std::string> priority_classes;
  std::vector<Amounts> requests;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string scheduler_name;

  template <class Field>
  friend void describe(Field& field, Preemptor& self) {
    field("namespace", as(self.ns, text_form()), "default without it");
    field("schedulerName", as(self.scheduler_name, text_form()),
          "the scheduler; without it default-scheduler, or the only profile of the scheduler configuration");
    field("priority", priorities(self), "a number, or an interval [FROM, TO]");
    field("priorityClass", one_or_list_of(self.priority_classes, text_form()), "a class, or a list of them");
    field("request", request(self), "RESOURCE: QUANTITY, or an interval [FROM, TO]");
    field("labels", label(self), "its labels");
  }
  friend auto finish(Preemptor& self, const Place& /*place*/) -> std::string {
    return self.priority || !self.priority_classes.empty() ? "" : "priority or priorityClass is missing";
  }

 private:
  static auto priorities(Preemptor& self) -> IntervalOf<std::int64_t>;
  static auto request(Preemptor& self) -> MapTo<IntervalOf<std::string>>;
  static auto label(Preemptor& self) -> MapTo<As<std::string>>;
};

/// All pods of this form, on each of these nodes, at each moment.
struct Forall {
  Preemptor preemptor;
  bool every_node = false;         ///< each node separately, and the scheduler's own choice
  std::vector<std::string> nodes;  ///< each of these separately
  std::string from = "+0m";
  std::string to;  ///< empty: only `from`
  Expectation expect;

  template <class Field>
  friend void describe(Field& field, Forall& self) {
    field("preemptor", self.preemptor, "the preemptor", Need::required);
    field("nodes",
          WordOr<ListOf<As<std::string>>>{"all", [&self] { self.every_node = true; },
                                          one_or_list_of(self.nodes, text_form())},
          "all: each node alone, and the choice of the scheduler; or a list of nodes");
    field("at",
          IntervalOf<std::string>{moment_form(),
                                  [&self](std::string from, std::optional<std::string> to) {
                                    self.from = std::move(from);
                                    self.to = std::move(to).value_or("");
                                    return std::string();
                                  }},
          "a moment, or an interval [FROM, TO]");
  }
};

/// The policies must have no lint finding of this severity or above.
struct Linting {
  Severity fail_on = Severity::error;

  template <class Field>
  friend void describe(Field& field, Linting& self) {
    field("failOn", as(self.fail_on, lint::severity_form()), "it fails at this severity or above");
  }
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
  std::optional<Linting> lint;
  /// A single case as written; once the test is read, it is in `cases` or `forall`.
  std::string at;
  std::optional<Expectation> expect;

  template <class Field>
  friend void describe(Field& field, Test& self) {
    field("name", as(self.name, text_form()), "the promises", Need::required);
    describe(field, self.setting);
    field("pod", as(self.pod, text_form()), "NAMESPACE/NAME or podgroup/NAMESPACE/NAME");
    field("against", as(self.against, text_form()), "without a pod: the preemptor from which pods are protected");
    ListOf<As<std::string>> queues = list_of(self.between, text_form(), "two leaf queues, [VICTIM, PREEMPTOR]");
    queues.least = queues.most = 2;
    field("between", queues, "two leaf queues of KAI: the victim and the preemptor; expects protectedFor");
    field("at", as(self.at, moment_form()), "+20m from now, or RFC 3339");
    field("expect", self.expect, "the expected result; with forall: for each");
    field("cases", records(self.cases, 1), "several cases of one test");
    field("forall", self.forall,
          "every pod like this, on every node, at every time; counter-examples are as small as possible");
    field("lint", self.lint, "the policies have no lint findings");
  }
  friend auto finish(Test& self, const Place& place) -> std::string;
};

struct Suite {
  std::string name;
  std::string path;  ///< path of the file
  FileId file;
  Setting defaults;
  std::vector<Test> tests;

  template <class Field>
  friend void describe(Field& field, Suite& self) {
    field("apiVersion", constant("previct/v1alpha1"), "the version of the format", Need::for_editors);
    field("kind", constant("TestSuite"), "the kind of the document", Need::required);
    field("metadata", group([&self](auto& metadata) {
            metadata("name", as(self.name, text_form()), "the name of the suite; without it that of its file");
          }),
          "of the suite");
    field("defaults", self.defaults, "for all tests of the file");
    ListOf<Test&> tests = records(self.tests, 1);
    tests.add = [&self]() -> Test& {
      Test& test = self.tests.emplace_back();
      test.setting = self.defaults;
      return test;
    };
    field("tests", tests, "in the order in which they run", Need::required);
  }
};

/// Parses the text of a suite's file strictly (api/strict_reader.h).
[[nodiscard]] auto read(const std::string& text, const std::string& path, FileId file) -> Result<Suite>;

/// The suites' files in `path`: the file itself, or all files below a folder that are named `previct-test.yaml` or
/// `*.previct-test.yaml` (or `.yml`), sorted. `DIR/...` means DIR.
[[nodiscard]] auto find_files(const std::string& path) -> Result<std::vector<std::string>>;

}  // namespace previct::suite
