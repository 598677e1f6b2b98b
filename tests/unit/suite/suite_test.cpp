#include "suite/run.h"
#include "support/scratch.h"
#include "support/source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace previct::suite {
namespace {

namespace fs = std::filesystem;

auto everything() -> Wanted {
  return [](const std::string&) { return true; };
}

// Returns the failed cases of a suite's file, each with everything that is reported about it.
auto run_file(const std::string& path) -> std::vector<std::pair<std::string, std::string>> {
  const auto suite = read(test::read_all(path), path, FileId{0});
  if (!suite) FAIL(fmt::format("{}: {}", suite.error().place.line, suite.error().message));
  Coverage coverage;
  const SuiteResult result = run(*suite, everything(), coverage);
  std::vector<std::pair<std::string, std::string>> failed;
  for (const CaseResult& each : result.cases) {
    if (each.broken) FAIL(each.broken->message);
    if (each.passed()) continue;
    std::string said;
    for (const Failed& f : each.failed) {
      said += fmt::format("{}: want {}, got {}\n", f.what, f.want, f.got);
      for (const std::string& why : f.because) said += why + '\n';
    }
    failed.emplace_back(each.name, said);
  }
  return failed;
}

// Copies the folder of policies, and replaces one text in one file.
void change(const fs::path& root, const std::string& file, const std::string& from, const std::string& to) {
  std::string text = test::read_all(root / file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  text.replace(at, from.size(), to);
  std::ofstream(root / file, std::ios::binary) << text;
}

auto fixtures() -> fs::path {
  return fs::path(PREVICT_SOURCE_DIR) / "fixtures";
}

const char* const kHeader = "apiVersion: previct/v1alpha1\nkind: TestSuite\n";

// Returns `line:column: message` for a suite that cannot be read.
auto refusal(const std::string& rest) -> std::string {
  const auto suite = read(kHeader + rest, "policies/previct-test.yaml", FileId{0});
  if (suite) return "accepted";
  const Failure& f = suite.error();
  return fmt::format("{}:{}: {}{}{}", f.place.line, f.place.column, f.message, f.help.empty() ? "" : "; ", f.help);
}

}  // namespace

TEST_CASE("suite: an invariant that is checked on no pod fails", "[suite]") {
  // n1 is full with a, which anything above 1 can preempt.
  const test::Scratch scratch;
  static_cast<void>(
      scratch.file("state.yaml",
                   "apiVersion: v1\nkind: Pod\nmetadata: {namespace: x, name: a}\nspec: {"
                   "nodeName: n1, priority: 1, containers: [{name: c, resources: {requests: {cpu: \"1\"}}}]}"
                   "\nstatus: {phase: Running}\n---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: x, "
                   "name: p}\nspec: {priority: 9, containers: [{name: c}]}\nstatus: {phase: Pending}\n---\n"
                   "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"1\", "
                   "memory: 8Gi, pods: \"110\"}}\n"));
  const std::string head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n";
  static_cast<void>(scratch.file("one.yaml", head + "- schedulerName: mine\n"));
  static_cast<void>(scratch.file("two.yaml", head + "- schedulerName: mine\n- schedulerName: yours\n"));
  const auto said = [&](const std::string& policy, const std::string& rest) {
    const std::string path =
        scratch.file("s.previct-test.yaml",
                     std::string(kHeader) + fmt::format("defaults: {{state: [state.yaml], policies: [{}], now: "
                                                        "\"2026-03-02T12:00:00Z\"}}\ntests:\n- {{name: one, {}}}\n",
                                                        policy, rest));
    const auto suite = read(test::read_all(path), path, FileId{0});
    REQUIRE(suite);
    Coverage coverage;
    const SuiteResult result = run(*suite, everything(), coverage);
    REQUIRE(result.cases.size() == 1);
    const CaseResult& only = result.cases.front();
    if (only.broken) return "error: " + only.broken->message;
    if (only.passed()) return "passed, " + only.note;
    return fmt::format("{}: want {}, got {}", only.failed[0].what, only.failed[0].want, only.failed[0].got);
  };
  const auto forall = [](const std::string& preemptor, const std::string& expect) {
    return fmt::format("forall: {{preemptor: {{{}priority: 9, request: {{cpu: \"1\"}}}}, nodes: all}}, expect: {}",
                       preemptor, expect);
  };
  const std::string spared = "{neverVictim: {pods: [x/a]}}";
  // The only profile is used.
  CHECK(said("one.yaml", forall("", spared)) == "neverVictim: want x/a, got x/a  on n1");
  // One node, one priority and one request are one region.
  CHECK(said("one.yaml", forall("", "{outcome: preempts}")) ==
        "passed, 2 questions asked; proof: 1 region about pods of mine");
  CHECK(
      said("two.yaml", forall("", spared)) ==
      "error: forall: the scheduler configuration has no profile default-scheduler, and several others (mine, yours): "
      "which one is meant is not known; name it: preemptor.schedulerName");
  const std::string none = "stays pending: the scheduler has no profile named other, so it never tries the pod";
  CHECK(said("one.yaml", forall("schedulerName: other, ", spared)) ==
        "outcome: want a pod that a scheduler tries, got " + none);
  CHECK(said("one.yaml", forall("schedulerName: other, ", "{outcome: pending}")) ==
        "error: forall: no pod was tried: each of the 2 pods " + none);
  // The same for a pod of the state, which belongs to default-scheduler.
  CHECK(
      said("one.yaml", "pod: x/p, expect: {victims: {excludes: [x/a]}}")
          .starts_with("outcome: want a pod that a scheduler tries, got stays pending: the scheduler has no profile"));
  CHECK(said("one.yaml", "pod: x/p, expect: {outcome: pending}") == "passed, ");
}

TEST_CASE("suite: unknown results, chance and missing pods do not satisfy an expectation", "[suite]") {
  // n1 is full with a1 and a2, which are equal to the scheduler: for p, which requests as much as one, either is
  // evicted.
  const test::Scratch scratch;
  const auto pod = [](const std::string& name, const std::string& spec) {
    return fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: {}, labels: {{app: a}}}}\nspec: {{{}, containers: "
        "[{{name: c, resources: {{requests: {{cpu: \"1\"}}}}}}]}}\nstatus: {{startTime: \"2026-03-02T11:00:00Z\", "
        "phase: "
        "{}}}\n---\n",
        name, spec, spec.find("nodeName") == std::string::npos ? "Pending" : "Running");
  };
  const std::string pods =
      pod("a1", "nodeName: n1, priority: 1") + pod("a2", "nodeName: n1, priority: 1") + pod("p", "priority: 9");
  const std::string node =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"2\", memory: 8Gi, pods: "
      "\"110\"}}\n";
  const std::string whole = "whole.yaml";
  const std::string no_nodes = "no-nodes.yaml";
  static_cast<void>(scratch.file(whole, pods + node));
  static_cast<void>(scratch.file(no_nodes, pods));
  const auto failed = [&](const std::string& state, const std::string& rest) {
    const std::string suite =
        std::string(kHeader) +
        fmt::format(
            "defaults: {{state: [{}], now: \"2026-03-02T12:00:00Z\", engine: kube}}\ntests:\n- {{name: one, {}}}\n",
            state, rest);
    const auto result = run_file(scratch.file("s.previct-test.yaml", suite));
    return result.empty() ? std::string() : result.front().second;
  };
  const std::string p = "pod: x/p, expect: ";
  const std::string all = "forall: {preemptor: {priority: 9, request: {cpu: \"1\"}}, nodes: all}, expect: ";
  CHECK(failed(whole, p + "{outcome: preempts, victims: {count: 1}, node: n1}").empty());
  CHECK(failed(whole, p + "{victims: {excludes: [x/a1]}}").find("victims: want excludes  x/a1") == 0);
  // The other one may be evicted, too, whichever is named first.
  const std::string either = failed(whole, p + "{victims: {exactly: [x/a1]}}");
  CHECK(either.find(", or x/a") != std::string::npos);
  CHECK(either.find(" and may be evicted instead") != std::string::npos);
  CHECK_FALSE(failed(whole, all + "{neverVictim: {pods: [x/a1]}}").empty());
  CHECK(failed(no_nodes, p + "{victims: {excludes: [x/a1]}}").find("outcome: want a known outcome, got unknown") == 0);
  CHECK(failed(no_nodes, p + "{outcome: unknown}").empty());
  CHECK(failed(whole, p + "{notTolerating: [x/zz]}") == "pod: want x/zz, got the state has no such pod\n");
  CHECK(failed(whole, p + "{victims: {excludes: [x/zz]}}") == "pod: want x/zz, got the state has no such pod\n");
  CHECK(failed(whole, all + "{neverVictim: {selector: app=zz}}")
            .find("want with app=zz, got the state has no such pod") != std::string::npos);
}

TEST_CASE("suite: the expectations of the three schedulers hold", "[suite]") {
  for (const char* folder : {"kep205", "kai", "yunikorn"}) {
    const auto failed = run_file((fixtures() / "policy" / folder / "previct-test.yaml").string());
    for (const auto& [name, said] : failed) FAIL_CHECK(folder << ": " << name << "\n" << said);
  }
}

// One number of a policy, exactly the cases that it breaks, and the line that the reason names.
TEST_CASE("suite: a policy that breaks an expectation fails the right case and names the line", "[suite]") {
  struct Turned {
    std::string folder, file, from, to, line;
    std::vector<std::string> broken;
  };
  const std::string simulator = "a high pod never preempts the license simulator / at ";
  const std::string below = "nothing below 10000 ever preempts the license simulator";
  const std::string epoch = "an epoch has ten minutes / at ";
  const std::string seconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: ";
  const std::string minimum = "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: ";
  const std::vector<Turned> table = {
      {"kep205",
       "classes.yaml",
       seconds + "\"-1\"",
       seconds + "\"3600\"",
       "classes.yaml:23:5",
       {simulator + "+0m", simulator + "+24h", below}},
      {"kep205",
       "classes.yaml",
       seconds + "\"600\"",
       seconds + "\"300\"",
       "classes.yaml:32:5",
       {epoch + "+0m", epoch + "+5m59s"}},
      {"kep205",
       "classes.yaml",
       "name: low-non-preempted\n  annotations:\n    " + minimum + "\"10000\"",
       "name: low-non-preempted\n  annotations:\n    " + minimum + "\"9000\"",
       "classes.yaml:22:5",
       {simulator + "+0m", simulator + "+24h", below}},
      {"kep205",
       "classes.yaml",
       "value: 9000",
       "value: 8000",
       "classes.yaml:10:1",
       // Pods of the same priority are no victims, so there is nothing to tolerate, either.
       {"low pods give way to high ones", simulator + "+0m", epoch + "+0m", epoch + "+6m"}},
      {"kai",
       "reclaim-queues.yaml",
       "reclaimMinRuntime: 600s",
       "reclaimMinRuntime: 500s",
       "reclaim-queues.yaml:16:3",
       {"leaf3 reclaims from leaf1 after 600s, whatever leaf1 says / at +0m"}},
      {"kai",
       "reclaim-queues.yaml",
       "reclaimMinRuntime: 180s",
       "reclaimMinRuntime: 200s",
       "reclaim-queues.yaml:48:3",
       {"leaf1 reclaims from leaf2 after 180s and from leaf3 after 60s"}},
      {"kai",
       "preempt-queues.yaml",
       "preemptMinRuntime: 300s",
       "preemptMinRuntime: 10s",
       "preempt-queues.yaml:27:3",
       {"within leaf1 a run has 300s"}},
  };
  for (const Turned& turned : table) {
    const test::Scratch scratch;
    fs::copy(fixtures() / "policy", fs::path(scratch.path()) / "policy", fs::copy_options::recursive);
    fs::create_directories(fs::path(scratch.path()) / "kai");
    fs::copy(fixtures() / "kai/seed-trees", fs::path(scratch.path()) / "kai/seed-trees", fs::copy_options::recursive);
    const fs::path folder = fs::path(scratch.path()) / "policy" / turned.folder;
    change(folder, turned.file, turned.from, turned.to);
    std::vector<std::string> broken;
    INFO(turned.file << ": " << turned.from << " -> " << turned.to);
    for (const auto& [name, said] : run_file((folder / "previct-test.yaml").string())) {
      broken.push_back(name);
      INFO(name << "\n" << said);
      CHECK(said.find(turned.line) != std::string::npos);
    }
    CHECK(broken == turned.broken);
  }
}

TEST_CASE("suite: forall finds the smallest counter-example", "[suite]") {
  const test::Scratch scratch;
  // Anything above 8000 may evict low; 4 of 4 CPUs are used, so the smallest request that needs a victim is 1m.
  const std::string path =
      scratch.file("previct-test.yaml", std::string(kHeader) +
                                            "defaults: {now: \"2026-03-02T12:00:00Z\", state: [kep205/state.yaml], "
                                            "policies: [kep205/classes.yaml, kep205/scheduler.yaml]}\n"
                                            "tests:\n- name: never\n  forall: {preemptor: {priority: [0, 9999], "
                                            "request: {cpu: [\"0\", \"4\"]}}, nodes: all}\n"
                                            "  expect: {neverVictim: {priorityClass: low}}\n");
  fs::copy(fixtures() / "policy/kep205", fs::path(scratch.path()) / "kep205", fs::copy_options::recursive);
  const auto failed = run_file(path);
  REQUIRE(failed.size() == 1);
  INFO(failed.front().second);
  CHECK(failed.front().second.find("counter-example: priority 8001, cpu 1m, node plain, at 2026-03-02T12:00:00Z") !=
        std::string::npos);
}

// Node n0 has 10.001 CPUs, all in use: 10 by a pod of priority 5, one thousandth by x/v of priority 1. Preemptors have
// at most priority 5, so only x/v may be evicted, and frees 1m. The other nodes give so many amounts that no sample is
// 1m.
TEST_CASE("suite: forall proves what it has not sampled", "[suite]") {
  const test::Scratch scratch;
  std::string state;
  const auto node = [&](const std::string& name, int milli_cpu) {
    state += fmt::format(
        "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{allocatable: {{cpu: {}m, "
        "memory: 1Gi, pods: \"9\"}}}}\n",
        name, milli_cpu);
  };
  const auto pod = [&](const std::string& name, const std::string& on, int priority, int milli_cpu) {
    state += fmt::format(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: {}}}\nspec:\n"
        "  priority: {}\n  nodeName: {}\n  containers:\n"
        "  - {{name: main, resources: {{requests: {{cpu: {}m}}}}}}\n"
        "status: {{phase: Running, startTime: \"2026-03-02T11:00:00Z\"}}\n",
        name, priority, on, milli_cpu);
  };
  node("n0", 10'001);
  pod("other", "n0", 5, 10'000);
  pod("v", "n0", 1, 1);
  for (int i = 1; i <= 60; ++i) {
    node(fmt::format("m{}", i), i * 100);
    pod(fmt::format("p{}", i), fmt::format("m{}", i), 5, i * 100);
  }
  (void)scratch.file("state.yaml", state);
  const auto said = [&] {
    const auto results = run_file(scratch.file(
        "previct-test.yaml", std::string(kHeader) +
                                 "tests:\n- name: never\n  state: [state.yaml]\n  now: \"2026-03-02T12:00:00Z\"\n"
                                 "  forall: {preemptor: {priority: [0, 5], request: {cpu: [\"0\", \"20\"]}}, "
                                 "nodes: all}\n  expect: {neverVictim: {pods: [x/v]}}\n"));
    return results.empty() ? std::string("passed") : results.front().second;
  };
  INFO(said());
  CHECK(said().find("counter-example: priority 2, cpu 1m, node n0, at") != std::string::npos);
}

TEST_CASE("suite: keys and values are strict", "[suite]") {
  const std::string test = "tests:\n- name: x\n  state: [a.yaml]\n  pod: ml/a\n  ";
  CHECK(refusal("tests: []\n") == "3:8: tests: at least one is needed");
  CHECK(refusal(test + "expct: {outcome: fits}\n") == "7:3: tests[0]: unknown key \"expct\"; did you mean \"expect\"?");
  CHECK(refusal(test + "expect: {outcome: prempts}\n") ==
        "7:21: tests[0].expect.outcome: expected fits, preempts, pending, not-eligible, waits, gated, deleting, "
        "scheduled, error or unknown, found \"prempts\"; did you mean \"preempts\"?");
  CHECK(refusal(test + "expect: {victims: {exact: [ml/b]}}\n") ==
        "7:22: tests[0].expect.victims: unknown key \"exact\"; did you mean \"exactly\"?");
  CHECK(refusal(test + "expect: {victims: {includes: [b]}}\n") ==
        "7:33: tests[0].expect.victims.includes[0]: expected NAMESPACE/NAME, found \"b\"");
  CHECK(refusal(test + "at: 20m\n  expect: {outcome: fits}\n") ==
        "7:7: tests[0].at: expected +20m or a time such as 2026-05-01T12:00:00Z, found \"20m\"");
  CHECK(refusal(test + "forall: {preemptor: {priority: [9, 0]}}\n  expect: {outcome: fits}\n") ==
        "7:34: tests[0].forall.preemptor.priority: the interval is empty");
  CHECK(refusal(test + "forall: {preemptor: {priority: [1, 2, 3]}}\n  expect: {outcome: fits}\n") ==
        "7:34: tests[0].forall.preemptor.priority: expected one value, or an interval [FROM, TO], found a list");
  CHECK(refusal(test + "forall: {preemptor: {priority: 3000000000}}\n  expect: {outcome: fits}\n") ==
        "7:34: tests[0].forall.preemptor.priority: a priority is a 32-bit integer");
  CHECK(refusal(test + "forall: {preemptor: {namespace: ml}}\n  expect: {outcome: fits}\n") ==
        "7:23: tests[0].forall.preemptor: priority or priorityClass is missing");
  CHECK(refusal(test + "forall: {preemptor: {priority: 1, request: {cpu: [\"1\", x]}}}\n  expect: {outcome: fits}\n") ==
        "7:58: tests[0].forall.preemptor.request.cpu[1]: expected a quantity such as 500m, 2 or 4Gi, found \"x\"");
  CHECK(refusal(test + "expect: {}\n") ==
        "7:11: tests[0].expect: at least one key is needed; the keys are outcome, node, victims, tolerates, "
        "notTolerating, pdbViolations, neverVictim, nextChange, protectedFor");
  CHECK(refusal(test + "between: [a]\n  expect: {outcome: fits}\n") ==
        "7:12: tests[0].between: expected two leaf queues, [VICTIM, PREEMPTOR], found a list");
  CHECK(refusal(test + "cases: [{at: +1m}]\n") == "7:11: tests[0].cases[0]: expect is missing");
  CHECK(refusal(test + "expect: {outcome: fits}\n  cases: [{expect: {outcome: fits}}]\n") ==
        "4:3: tests[0]: expected one of cases, expect, forall with expect, lint");
  CHECK(refusal("tests:\n- name: x\n  state: [/etc/a.yaml]\n  expect: {outcome: fits}\n") ==
        "5:11: tests[0].state[0]: expected a path relative to this file, found \"/etc/a.yaml\"");
  CHECK(refusal("tests:\n- name: x\n  state: [a.yaml]\n  expect: {outcome: fits}\n") ==
        "4:3: tests[0]: without a pod, only tolerates and notTolerating are allowed");
  CHECK(refusal("tests:\n- name: x\n  pod: ml/a\n  expect: {outcome: fits}\n") ==
        "4:3: tests[0]: no state, here or in defaults");
}

TEST_CASE("suite: the defaults apply to all tests, wherever they stand in the file", "[suite]") {
  const auto suite = read(std::string(kHeader) +
                              "tests:\n- {name: a, pod: ml/a, expect: {outcome: fits}}\n"
                              "- {name: b, pod: ml/a, engine: kai, kubernetesVersion: 1.30, expect: {outcome: fits}}\n"
                              "defaults: {state: s.yaml, engine: kube, tolerationPlugin: on}\n",
                          "policies/previct-test.yaml", FileId{0});
  REQUIRE(suite);
  REQUIRE(suite->tests.size() == 2);
  CHECK(suite->tests[0].setting.state == std::vector<std::string>{"s.yaml"});
  CHECK(suite->tests[0].setting.engine == "kube");
  CHECK(suite->tests[0].setting.toleration_plugin == "on");
  CHECK(suite->tests[1].setting.engine == "kai");
  CHECK(suite->tests[1].setting.k8s_version == "1.30");
  CHECK(suite->tests[1].setting.state == std::vector<std::string>{"s.yaml"});
  CHECK(suite->name == "policies");
}

TEST_CASE("suite: short forms mean what the mappings mean", "[suite]") {
  const auto expectation = [](const std::string& expect) {
    const auto suite = read(std::string(kHeader) + "tests:\n- {name: a, pod: ml/a, state: s, expect: " + expect + "}\n",
                            "previct-test.yaml", FileId{0});
    REQUIRE((suite ? "" : suite.error().message) == std::string());
    return suite->tests[0].cases[0].expect;
  };
  const Expectation short_one = expectation(
      "{outcome: fits, node: n1, pdbViolations: 2, victims: {exactly: ml/b, count: 1}, tolerates: [ml/c], "
      "notTolerating: ml/d}");
  CHECK(short_one.outcome == std::vector<std::string>{"fits"});
  CHECK(short_one.nodes == std::vector<std::string>{"n1"});
  CHECK((short_one.pdb_violations->min == 2 && short_one.pdb_violations->max == 2));
  CHECK(short_one.victims->exactly->pods == std::vector<std::string>{"ml/b"});
  CHECK((short_one.victims->exactly->place.line == 4 && short_one.victims->exactly->place.column > 1));
  CHECK(short_one.tolerates[0].pod == "ml/c");
  const Expectation long_one = expectation(
      "{outcome: [fits, preempts], pdbViolations: {max: 2}, tolerates: [{pod: ml/c, until: never}], nextChange: +3m}");
  CHECK(long_one.outcome.size() == 2);
  CHECK((!long_one.pdb_violations->min && long_one.pdb_violations->max == 2));
  CHECK(long_one.tolerates[0].until == "never");
  CHECK(long_one.next_change == "+3m");
}

TEST_CASE("suite --update: rewrites exactly the lists that do not hold", "[suite]") {
  const std::string text = std::string(kHeader) +
                           "tests:\n"
                           "- name: flow  # a remark\n  state: [a.yaml]\n  pod: ml/a\n"
                           "  expect: {victims: {exactly: [ml/b, ml/c]}, outcome: preempts}  # stays\n"
                           "- name: block\n  state: [a.yaml]\n  pod: ml/a\n  expect:\n    victims:\n      exactly:\n"
                           "      - ml/b\n      - ml/c  # goes\n    outcome: preempts\n"
                           "- name: kept\n  state: [a.yaml]\n  pod: ml/a\n  expect: {victims: {exactly: [ml/z]}}\n";
  const auto suite = read(text, "previct-test.yaml", FileId{0});
  REQUIRE(suite);
  SuiteResult result;
  result.path = "previct-test.yaml";
  for (const Test& test : suite->tests) {
    CaseResult& one = result.cases.emplace_back();
    one.name = test.name;
    one.pinned = test.cases.front().expect.victims->exactly;
    one.victims = test.name == "kept" ? std::vector<std::string>{"ml/z"} : std::vector<std::string>{"ml/new", "ml/b"};
  }
  const Update update = updated(text, result);
  CHECK(update.rewritten == 2);
  CHECK(update.left == 0);
  CHECK(update.text == std::string(kHeader) +
                           "tests:\n"
                           "- name: flow  # a remark\n  state: [a.yaml]\n  pod: ml/a\n"
                           "  expect: {victims: {exactly: [ml/b, ml/new]}, outcome: preempts}  # stays\n"
                           "- name: block\n  state: [a.yaml]\n  pod: ml/a\n  expect:\n    victims:\n      exactly:\n"
                           "      - ml/b\n      - ml/new\n    outcome: preempts\n"
                           "- name: kept\n  state: [a.yaml]\n  pod: ml/a\n  expect: {victims: {exactly: [ml/z]}}\n");
  CHECK(update.lines == std::vector<std::string>{"previct-test.yaml:7 flow", "- ml/b, ml/c", "+ ml/new, ml/b",
                                                 "previct-test.yaml:14 block", "- ml/b, ml/c", "+ ml/new, ml/b"});
}

namespace {

// Returns a suite with one list, after `exactly`, followed by other keys.
auto suite_with(const std::string& list, const std::string& line_break = "\n") -> std::string {
  std::string text = std::string(kHeader) +
                     "tests:\n- name: one\n  state: [a.yaml]\n  pod: ml/a\n  expect:\n    victims:\n      exactly" +
                     list + "    outcome: preempts  # ünï\n";
  for (std::size_t at = 0; line_break != "\n" && (at = text.find('\n', at)) != std::string::npos;
       at += line_break.size())
    text.replace(at, 1, line_break);
  return text;
}

// Returns the result of --update for these victims; the reason if it leaves the suite unchanged.
auto updated_to(const std::string& text, const std::vector<std::string>& victims) -> std::string {
  const auto suite = read(text, "s.yaml", FileId{0});
  if (!suite) return suite.error().message;
  SuiteResult result;
  result.path = "s.yaml";
  CaseResult& one = result.cases.emplace_back();
  one.name = "one";
  one.pinned = suite->tests.front().cases.front().expect.victims->exactly;
  one.victims = victims;
  Update update = updated(text, result);
  CHECK(update.left == (update.text == text ? 1 : 0));
  return update.left > 0 ? update.lines.back() : update.text;
}

}  // namespace

TEST_CASE("suite --update: edits YAML as YAML", "[suite]") {
  struct Edit {
    std::string before;
    std::vector<std::string> victims;
    std::string after;
  };
  const std::vector<Edit> edits = {
      // Names that stay are kept as written; a comment is removed only with its line.
      {":  # which\n      # first\n      - 'ml/b'  # old\n      # second\n      - ml/c\n",
       {"ml/c", "ml/d"},
       ":  # which\n      # first\n      # second\n      - ml/c\n      - ml/d\n"},
      {": &e [ml/b]\n", {"ml/c"}, ": &e [ml/c]\n"},
      {": !!seq [ml/b, \"ml/c\"]  # x\n", {"ml/c"}, ": !!seq [\"ml/c\"]  # x\n"},
      {": [\n        ml/b,\n        ml/c ]\n", {"ml/c", "ml/x"}, ": [ml/c, ml/x]\n"},
      {":\n      - ml/b\n", {}, ": []\n"},
      {": &e\n      - ml/b\n      # none\n", {}, ": &e []\n      # none\n"},
      {": []\n", {"ml/b"}, ": [ml/b]\n"},
      {": ml/b  # one\n", {"ml/c"}, ": ml/c  # one\n"},
      {": ml/b\n", {"ml/c", "ml/d"}, ": [ml/c, ml/d]\n"},
      {": >-\n        ml/b\n", {"ml/c"}, ": ml/c\n"},
      {":\n      -\n        ml/b\n      - ml/c\n", {"ml/c"}, ":\n      - ml/c\n"},
      {":\n      - ml/b\n", {"ml/0", "1/2"}, ":\n      - ml/0\n      - \"1/2\"\n"},
  };
  for (const Edit& edit : edits) {
    INFO(edit.before);
    CHECK(updated_to(suite_with(edit.before), edit.victims) == suite_with(edit.after));
    CHECK(updated_to(suite_with(edit.before, "\r\n"), edit.victims) == suite_with(edit.after, "\r\n"));
  }
}

TEST_CASE("suite --update: finds a list after letters of several bytes", "[suite]") {
  const auto text = [](const std::string& pods) {
    return std::string(kHeader) + "tests:\n- {name: \"ünï 日本\", state: s, pod: ml/a, expect: {victims: {exactly: [" +
           pods + "]}}}\n";
  };
  CHECK(updated_to(text("ml/b"), {"ml/c"}) == text("ml/c"));
}

TEST_CASE("suite --update: leaves a list that it cannot change safely, and says why", "[suite]") {
  const std::string left = "s.yaml:9 one: left as it is: ";
  const std::string other = "- {name: two, state: [a.yaml], pod: ml/a, expect: {victims: {exactly: *e}}}\n";
  CHECK(updated_to(suite_with(": &e [ml/b]\n") + other, {"ml/c"}) == left + "an alias refers to it");
  CHECK(updated_to(suite_with(": [&e ml/b]\n") + "- {name: two, state: [a.yaml], pod: *e, expect: {outcome: fits}}\n",
                   {"ml/c"}) == left + "an alias refers to a name in it");
  CHECK(updated_to(suite_with(": [ml/b,  # why\n        ml/c]\n"), {"ml/c"}) == left + "it has a comment in it");
  // A carriage return alone ends a line for libyaml, and for yaml-cpp it does not.
  CHECK(updated_to(suite_with(": ml/b\r# why\n"), {"ml/c"}) ==
        left + "the change would affect other places of the file");
}

TEST_CASE("suite: a test that cannot run does not prevent others", "[suite]") {
  const test::Scratch scratch;
  const std::string path = scratch.file("previct-test.yaml", "");
  (void)scratch.file("state.yaml", "{apiVersion: v1, kind: Node, metadata: {name: n1}}\n");
  const std::string state = ", state: [state.yaml], now: \"2026-03-02T12:00:00Z\", expect: {outcome: fits}}\n";
  const auto suite = read(std::string(kHeader) +
                              "tests:\n- {name: lost, pod: ml/a, state: [gone.yaml], expect: {outcome: fits}}\n"
                              "- {name: nobody, pod: ml/a" +
                              state + "- {name: all, forall: {preemptor: {priority: 1}, nodes: [n1, ghost]}" + state +
                              "- {name: kept, forall: {preemptor: {priority: 1}, nodes: [n1]}" + state,
                          path, FileId{0});
  REQUIRE(suite);
  Coverage coverage;
  const SuiteResult result = run(*suite, everything(), coverage);
  REQUIRE(result.cases.size() == 4);
  CHECK(result.cases[0].broken);
  REQUIRE(result.cases[1].broken);
  CHECK(result.cases[1].broken->message.find("ml/a") != std::string::npos);
  REQUIRE(result.cases[2].broken);
  CHECK(result.cases[2].broken->message == "forall: the state has no node ghost");
  CHECK(!result.cases[3].broken);
  CHECK(result.failures() >= 3);
  CHECK(!why_nothing_ran({result}));
  // If nothing ran, the first reason is the command's own error.
  const SuiteResult unread_one = unread("b.previct-test.yaml", {.message = "not YAML", .place = {}, .help = {}});
  REQUIRE(why_nothing_ran({unread_one}));
  CHECK(why_nothing_ran({unread_one})->message == "not YAML");
  CHECK(!why_nothing_ran({unread_one, result}));
}

TEST_CASE("suite: suites are found by their names", "[suite]") {
  const test::Scratch scratch;
  for (const char* name : {"a/previct-test.yaml", "b/ml.previct-test.yml", "b/c/previct-test.yaml", "b/other.yaml",
                           ".git/previct-test.yaml"}) {
    (void)scratch.file(name, "x");
  }
  const auto found = find_files(scratch.path() + "/...");
  REQUIRE(found);
  std::vector<std::string> names;
  for (const std::string& path : *found) names.push_back(path.substr(scratch.path().size() + 1));
  CHECK(names == std::vector<std::string>{"a/previct-test.yaml", "b/c/previct-test.yaml", "b/ml.previct-test.yml"});
  CHECK(!find_files(scratch.path() + "/nowhere"));
  // A broken link is found, too: it is a suite that cannot be read. A link to a folder is not.
  std::filesystem::create_symlink("gone", scratch.path() + "/d.previct-test.yaml");
  std::filesystem::create_symlink("a", scratch.path() + "/e.previct-test.yaml");
  CHECK(find_files(scratch.path())->size() == 4);
}

}  // namespace previct::suite
