#include "cli/options.h"

#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/settings_file.h"
#include "report/text_layout.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace previct;
using namespace previct::cli;

namespace {

constexpr Group kAll[] = {Group::state,  Group::question,   Group::nodes, Group::scheduler,
                          Group::output, Group::strictness, Group::help};

auto no_variables(const char* /*name*/) -> const char* {
  return nullptr;
}

auto parsed(const std::vector<std::string>& words) -> Options {
  const auto options = parse("explain", kAll, 1, words, no_variables);
  INFO((options ? "" : options.error().message));
  REQUIRE(options);
  return *options;
}

auto refused(const std::vector<std::string>& words) -> std::string {
  const auto options = parse("explain", kAll, 1, words, no_variables);
  return options ? "accepted" : options.error().message;
}

}  // namespace

TEST_CASE("options: a variable sets what the command line does not set", "[cli]") {
  const auto variables = [](const char* name) -> const char* {
    const std::string_view asked = name;
    return asked == "PREVICT_FILES"    ? "a,b"
           : asked == "PREVICT_WIDTH"  ? "72"
           : asked == "PREVICT_STRICT" ? "true"
           : asked == "PREVICT_ENGINE" ? ""
           : asked == "PREVICT_COLOR"  ? "always"
                                       : nullptr;
  };
  const auto options = parse("explain", kAll, 1, {"ml/pod", "--color", "never"}, variables);
  REQUIRE(options);
  CHECK(options->filenames == std::vector<std::string>{"a", "b"});
  CHECK(options->width == 72U);
  CHECK(options->strict);
  CHECK(options->engine == "auto");  // an empty variable has no effect
  CHECK(options->color == "never");  // the command line has precedence
  CHECK((by_variable(*options, "filename") && by_variable(*options, "width") && !by_variable(*options, "color")));
  CHECK(parse("explain", kAll, 1, {"-f", "c"}, variables)->filenames == std::vector<std::string>{"c"});

  const auto wrong = [](const char* name) -> const char* {
    return std::string_view(name) == "PREVICT_WIDTH" ? "wide" : nullptr;
  };
  CHECK(parse("explain", kAll, 1, {}, wrong).error().message ==
        "PREVICT_WIDTH=\"wide\" is not a valid value of --width");
  const auto unknown = [](const char* name) -> const char* {
    return std::string_view(name) == "PREVICT_COLOR" ? "red" : nullptr;
  };
  CHECK(parse("explain", kAll, 1, {}, unknown).error().message ==
        "PREVICT_COLOR=\"red\" is not one of auto, always, never");
}

TEST_CASE("options: the cluster's settings apply after command line and variables", "[cli]") {
  const auto settings = read_cluster_settings(
      "skip: [PC013]\ncluster:\n  k8s-version: 1.30\n  toleration-plugin: on\n  engine: kube\n"
      "  scheduler-config: conf/s.yaml\n  assume: none=Node\n",
      "../.previct.yaml", FileId{});
  REQUIRE(settings);
  const auto variables = [](const char* name) -> const char* {
    return std::string_view(name) == "PREVICT_TOLERATION_PLUGIN" ? "off" : nullptr;
  };
  const auto options = parse("explain", kAll, 1, {"--engine", "kai"}, variables, &*settings);
  REQUIRE(options);
  CHECK(options->k8s_version == "1.30");
  CHECK(options->toleration_plugin == "off");
  CHECK(options->engine == "kai");
  CHECK(options->scheduler_config == "../conf/s.yaml");
  CHECK(options->assume == "none=Node");
  CHECK(options->from_settings == std::vector<std::string>{"scheduler-config", "k8s-version", "assume"});
  CHECK(settings->words(options->from_settings) ==
        "scheduler-config ../conf/s.yaml, k8s-version 1.30, assume none=Node");
  constexpr Group kOfOthers[] = {Group::state, Group::output};
  CHECK(parse("inspect", kOfOthers, 1, {}, no_variables, &*settings)->from_settings.empty());
}

TEST_CASE("options: unknown settings of the cluster are refused at their position", "[cli]") {
  const auto refusal = [](std::string_view text) {
    const auto settings = read_cluster_settings(text, ".previct.yaml", FileId{});
    if (settings) return std::string("accepted");
    const Failure& f = settings.error();
    return fmt::format("{}:{}: {}{}{}", f.place.line, f.place.column, f.message, f.help.empty() ? "" : "; ", f.help);
  };
  CHECK(refusal("cluster: {k8s-versio: 1.35}") ==
        "1:11: cluster: unknown key \"k8s-versio\"; did you mean \"k8s-version\"?");
  CHECK(
      refusal("cluster:\n  token: abc").starts_with("2:3: cluster: unknown key; the keys are engine, scheduler-confi"));
  CHECK(refusal("cluster: {assume: /etc/passwd}").starts_with("1:19: assume is a file outside "));
  CHECK(refusal("cluster: {assume: none=Node}") == "accepted");
  CHECK(refusal("cluster: kube") == "1:10: cluster: expected flags with their values");
  CHECK(refusal("cluster: {engine: kube, engine: kai}") ==
        "1:25: cluster: key \"engine\" occurs twice; remove one of the two; the first is at line 1");
  CHECK(refusal("cluster: {engine: [kube]}") == "1:19: cluster.engine: expected a single value, found a list");
  CHECK(refusal("cluster:\n  engine: kube\n  shard:\n") ==
        "3:3: cluster.shard: expected a single value, found no value; give it a value, or remove it");
  CHECK(refusal("cluster:\n") ==
        "1:1: cluster: expected flags with their values, found no value; give it a value, or remove it");
  CHECK(refusal("cluster: {") == "1:10: not valid YAML: end of map flow not found");
  CHECK(refusal("cluster: {engine: kube}\ncluster: {engine: kai}") ==
        "2:1: key occurs twice; remove one of the two; the first is at line 1");
  CHECK(refusal("only: nonsense") == "accepted");  // lint reads it
}

TEST_CASE("options: flags are parsed as kubectl parses them", "[cli]") {
  const Options options =
      parsed({"-f", "a,b", "ml/pod", "-f=c", "--filename", "-", "-Rqn", "ml", "--now=clock", "--width=0"});
  CHECK(options.filenames == std::vector<std::string>{"a", "b", "c", "-"});
  CHECK(options.arguments == std::vector<std::string>{"ml/pod"});
  CHECK((options.recursive && options.quiet));
  CHECK(options.ns == "ml");
  CHECK(options.now == "clock");
  CHECK(options.width == 0U);
}

TEST_CASE("options: the last value of a flag counts, and repeatable flags add up", "[cli]") {
  const Options options = parsed(
      {"--color", "never", "--color", "always", "-o", "json=a", "-o", "text", "--node", "n1", "--node", "n2,n3"});
  CHECK(options.color == "always");
  CHECK(options.outputs == std::vector<std::string>{"json=a", "text"});
  CHECK(options.nodes == std::vector<std::string>{"n1", "n2", "n3"});
}

TEST_CASE("options: an invalid command line gets one line with the most similar word", "[cli]") {
  CHECK(refused({"--namspace", "ml"}) == "unknown flag --namspace; did you mean --namespace?");
  CHECK(refused({"--namspace=ml"}) == "unknown flag --namspace; did you mean --namespace?");
  CHECK(refused({"-Z"}) == "unknown flag -Z");
  CHECK(refused({"--frobnicate"}) == "unknown flag --frobnicate");
  CHECK(refused({"-o"}) == "--output needs a value");
  CHECK(refused({"--color", "alway"}) == "--color \"alway\" is not one of auto, always, never; did you mean always?");
  CHECK(refused({"--toleration-plugin", "maybe"}) == "--toleration-plugin \"maybe\" is not one of auto, on, off");
  CHECK(refused({"a", "b"}) == "unexpected argument \"b\"");
  CHECK(refused({"--width", "many"}) == "--width \"many\" is not an integer in range");
  CHECK(refused({"--width", "-1"}) == "--width \"-1\" is not an integer in range");
  CHECK(refused({"--strict=maybe"}) == "--strict \"maybe\" is not true or false");
  CHECK(refused({"--utc"}) == "unknown flag --utc");
  CHECK(refused({"--v"}) == "unknown flag --v; did you mean -v?");
}

TEST_CASE("options: a flag of other commands is reported as theirs", "[cli]") {
  constexpr Group kOfSequence[] = {Group::state, Group::sequence, Group::output, Group::help};
  const auto refused_by_sequence = [&](const std::string& word) {
    const auto done = parse("sequence", kOfSequence, 0, {word}, no_variables);
    REQUIRE_FALSE(done);
    return done.error().message;
  };
  const std::string with = refused_by_sequence("--with=x");
  CHECK(with.starts_with("sequence has no --with; it is a flag of "));
  CHECK(with.find("explain") != std::string::npos);
  CHECK(refused_by_sequence("--widht=8") == "unknown flag --widht; did you mean --width?");
}

TEST_CASE("options: command line and variables are distinguished", "[cli]") {
  const Options options = parsed({"-f", "a", "--now=clock"});
  CHECK(options.given == std::vector<std::string>{"filename", "now"});
  CHECK((is_given(options, "now") && !is_given(options, "engine")));
}

TEST_CASE("help: -h is one screen of 80 columns, and --help has the rest", "[cli]") {
  for (const Command* command : commands()) {
    INFO(command->name);
    const std::string page = text_of(help_on(*command, "previct", false), {.width = 80}, false);
    CHECK(std::count(page.begin(), page.end(), '\n') <= 60);
    const std::string whole = text_of(help_on(*command, "previct", true), {.width = 80}, false);
    for (const Flag& flag : flags()) {
      const bool takes = std::find(command->groups.begin(), command->groups.end(), flag.group) != command->groups.end();
      if (takes && !flag.name.empty()) CHECK(whole.find(fmt::format("--{}", flag.name)) != std::string::npos);
    }
  }
}

TEST_CASE("help: each command lists a flag once", "[cli]") {
  for (const Command* command : commands()) {
    std::set<std::string> seen;
    for (const Flag& flag : flags()) {
      if (std::find(command->groups.begin(), command->groups.end(), flag.group) == command->groups.end()) continue;
      INFO(command->name << ' ' << flag.name);
      if (flag.letter != 0) CHECK(seen.insert(std::string(1, flag.letter)).second);
      if (!flag.name.empty()) CHECK(seen.insert(std::string(flag.name)).second);
    }
  }
  for (const Flag& flag : flags()) {
    CHECK_FALSE(flag.what.empty());
    CHECK(flag.what.size() <= 110);
  }
}

TEST_CASE("help: as JSON, it lists the flags of the command, each with what it has", "[cli]") {
  for (const Command* command : commands()) {
    for (const bool longer : {false, true}) {
      const Json data = help_on(*command, "previct", longer).data;
      CHECK(data["command"] == command->name);
      CHECK(data["what"] == command->what);
      std::size_t at = 0;
      for (const Group group : command->groups) {
        for (const Flag& flag : flags()) {
          if (flag.group != group) continue;
          INFO(command->name << ' ' << flag.name << ' ' << flag.letter);
          REQUIRE(at < data["flags"].size());
          const Json& shown = data["flags"][at++];
          const auto is = [&](const char* key, const std::string& text) {
            return text.empty() ? !shown.contains(key) : shown.value(key, "") == text;
          };
          CHECK(is("letter", flag.letter == 0 ? "" : std::string(1, flag.letter)));
          CHECK(is("name", std::string(flag.name)));
          CHECK(is("value", std::string(flag.value)));
          CHECK(is("what", meaning_of(flag, *command)));
        }
      }
      CHECK(at == data["flags"].size());
    }
  }
}

TEST_CASE("options: at most one format is printed to stdout", "[cli]") {
  CHECK(outputs_of({})->front().format->name == "text");
  CHECK(outputs_of({"json", "yaml=x"})->size() == 2);
  CHECK(outputs_of({"json=x"})->front().file == "x");
  CHECK_FALSE(outputs_of({"json", "yaml"}));
  CHECK_FALSE(outputs_of({"json="}));
  CHECK(outputs_of({"json=-"}).error().message == "-o json=-: expected a file, not standard output");
  CHECK(outputs_of({"jsn"}).error().message == "unknown output format \"jsn\"; did you mean json?");
}

TEST_CASE("options: a format for findings is refused where there are none", "[cli]") {
  for (const char* name : {"sarif", "junit", "github"}) {
    const auto outputs = outputs_of({name});
    REQUIRE(outputs);
    CHECK(check_formats(*outputs, true));
    CHECK(check_formats(*outputs, false).error().message ==
          fmt::format("-o {} writes findings or test results, which this command does not have", name));
  }
  CHECK(check_formats(*outputs_of({"md", "json=x"}), false));
}

namespace {

auto failing_on(const std::vector<std::string>& words) -> Options {
  Options options;
  options.command = "sequence";
  options.fail_on = words;
  return options;
}

}  // namespace

TEST_CASE("options: --fail-on accepts outcomes and thresholds", "[cli]") {
  const auto read = [](const std::vector<std::string>& words) {
    return fail_on_of(failing_on(words), ResultKind::decisions);
  };
  const auto fail_on = read({"pending", "incomplete", "victim-priority>=1000", "changes-within=1h30m"});
  REQUIRE(fail_on);
  CHECK(fail_on->outcomes == std::vector<std::string>{"pending"});
  CHECK(fail_on->incomplete);
  CHECK(fail_on->victim_priority == 1000);
  CHECK(fail_on->changes_within == 5'400'000'000'000);
  CHECK(read({"pendig"}).error().message == "--fail-on \"pendig\" is not a condition; did you mean pending?");
  CHECK(read({"pdb-violation"})->pdb_violation);
  CHECK(fail_on_of(failing_on({"pdb-violation"}), ResultKind::brief_decisions).error().message ==
        "--fail-on pdb-violation: PodDisruptionBudgets are evaluated for one pod at one time");
  CHECK_FALSE(read({"victim-priority>=high"}));
  CHECK_FALSE(read({"changes-within=soon"}));
  CHECK_FALSE(read({"changes-within=-5m"}));
}

TEST_CASE("options: without a single pod, --fail-on accepts only incomplete; a variable's other values are ignored",
          "[cli]") {
  Options options = failing_on({"incomplete", "preempts"});
  CHECK(fail_on_of(options, ResultKind::others).error().message ==
        "--fail-on preempts: previct sequence does not decide about a single pod; it accepts only incomplete");
  options.from_environment = {"fail-on"};
  const auto fail_on = fail_on_of(options, ResultKind::others);
  REQUIRE(fail_on);
  CHECK(fail_on->incomplete);
  CHECK(fail_on->outcomes.empty());
  CHECK_FALSE(fail_on_of(failing_on({"pendig"}), ResultKind::others));
}
