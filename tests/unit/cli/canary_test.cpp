// Secrets in objects are never printed: no command prints a part of one, in any format, on stdout or stderr, or in a
// file that it writes. fixtures/canary/ has a canary in every place for secrets; commands and formats are those that
// the build contains, so that new ones are covered automatically.

#include "base/files_read.h"
#include "cli/command.h"
#include "cli/run.h"
#include "input/bytes.h"
#include "report/format.h"
#include "support/input.h"
#include "support/program.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

using namespace previct;
using namespace previct::cli;
using previct::test::Scratch;

namespace {

const std::string kFolder = PREVICT_SOURCE_DIR "/fixtures/canary/";
const std::string kDump = kFolder + "dump.yaml";

// `canary7q`, and the parts of its base64 that do not depend on the text around it: with 0, 1 and 2 bytes before it,
// `Y2FuYXJ5N3`, `NhbmFyeTdx`, `jYW5hcnk3c`.
constexpr std::array<std::string_view, 4> kCanaries = {"canary7q", "Y2FuYXJ5N3", "NhbmFyeTdx", "jYW5hcnk3c"};

auto holds_canary(std::string_view text) -> bool {
  return std::any_of(kCanaries.begin(), kCanaries.end(),
                     [&](std::string_view canary) { return text.find(canary) != std::string_view::npos; });
}

auto takes(const Command& command, Group group) -> bool {
  return std::find(command.groups.begin(), command.groups.end(), group) != command.groups.end();
}

// Returns the calls of a command that its flags allow; most of them make no sense for most commands.
auto calls_of(const Command& command, const Scratch& scratch) -> std::vector<std::vector<std::string>> {
  std::vector<std::vector<std::string>> arguments = {{}};
  if (command.most_arguments > 0) {
    for (const char* word : {"ml/big-0", "ml/run-1", "ml/run-2", "PT004", "bash", "explain"})
      arguments.push_back({word});
    arguments.push_back({kDump});
    arguments.push_back({kFolder + "findings.yaml", kDump});
    arguments.push_back({kFolder});
  }
  std::vector<std::vector<std::string>> extras = {{}};
  const auto extra = [&](Group group, std::vector<std::string> words) {
    if (takes(command, group)) extras.push_back(std::move(words));
  };
  extra(Group::overlay, {"--with", kFolder + "job.yaml"});
  extra(Group::nodes, {"--show", "all", "--node", "gpu-1"});
  extra(Group::time, {"--horizon", "1h"});
  extra(Group::sides, {"--from", kDump, "--to", kFolder});
  extra(Group::inspection, {"--pending"});
  extra(Group::backtest, {"--series", kFolder + "states"});
  extra(Group::backtest, {"--series", kFolder + "states", "--with", kFolder + "job.yaml"});
  extra(Group::proof, {"--budgets-hold"});
  extra(Group::proof, {"--which-classes-can-evict"});
  extra(Group::proof, {"--smallest-set", "ml/big-0"});
  extra(Group::failures, {"--drain", "all"});
  extra(Group::proof, {"--always-fits", "0", "--up-to", "cpu=1,memory=1Gi"});
  extra(Group::lint, {"--context"});
  extra(Group::tests, {"--coverage"});
  extra(Group::sweep, {"--vary", "request:ml/big-0:cpu=1..2"});
  extra(Group::anonymize, {"--verify", "--map", scratch.path() + "/names.json"});
  std::vector<std::string> fixed;
  if (takes(command, Group::output)) fixed.push_back("-v");
  if (takes(command, Group::live)) fixed.push_back("--offline");
  if (takes(command, Group::capture))
    fixed.insert(fixed.end(), {"--force", "--to", scratch.path() + "/written.jsonl.zst"});
  std::vector<std::vector<std::string>> calls;
  for (const bool dump : {false, true}) {
    if (dump && !takes(command, Group::state)) continue;
    for (const auto& extra_words : extras) {
      for (const auto& argument_words : arguments) {
        std::vector<std::string> words = argument_words;
        if (dump) words.insert(words.end(), {"-f", kDump});
        words.insert(words.end(), extra_words.begin(), extra_words.end());
        words.insert(words.end(), fixed.begin(), fixed.end());
        calls.push_back(std::move(words));
      }
    }
  }
  return calls;
}

// Returns the whole text of a failure or a warning.
auto said(const Failure& failure, const Files& files) -> std::string {
  return fmt::format("{} {} {}", failure.place.file ? files.describe(failure.place) : "", failure.message,
                     failure.help);
}

auto said(const Diagnostics& diagnostics) -> std::string {
  std::string text;
  for (const Warning& warning : diagnostics.sorted()) text += warning.message + '\n';
  return text;
}

auto files_of(const Scratch& scratch) -> std::string {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path())) {
    const auto bytes = read_text_file(entry.path().string(), FileId{0}, 0);
    REQUIRE(bytes);
    text += *bytes;
  }
  return text;
}

// Returns the output of the program with these arguments, on both streams, and its status.
auto run_previct(const Scratch& scratch, const std::string& words) -> std::pair<int, std::string> {
  const std::string out = scratch.path() + "/out";
  const std::string command =
      fmt::format("cd '{}' && env -i PATH='{}':/usr/bin:/bin FAKE_CLUSTER='{}' previct {} > '{}' 2>&1 < /dev/null",
                  PREVICT_SOURCE_DIR, test::program_folder(), scratch.path(), words, out);
  const int status = std::system(command.c_str());
  const auto bytes = read_text_file(out, FileId{0}, 0);
  REQUIRE(bytes);
  return {status, *bytes};
}

}  // namespace

TEST_CASE("secrets: the fixture holds canaries, and the test finds them", "[canary]") {
  const std::string dump = test::fixture("canary/dump.yaml");
  CHECK(holds_canary(dump));
  for (const char* place :
       {"value: canary7q", "value: Y2FuYXJ5N3", "args: [\"--password=canary7q", "password: Y2FuYXJ5N3",
        "secretName: canary7q", "value: Bearer canary7q", "\"value\": \"canary7q", "example.com/token: canary7q"}) {
    INFO(place);
    CHECK(dump.find(place) != std::string::npos);
  }
  CHECK(holds_canary("xx Y2FuYXJ5N3EtMDE= xx"));    // base64 of canary7q-01
  CHECK(holds_canary("cGFzcz1jYW5hcnk3cS0wMQ=="));  // of pass=canary7q-01
  CHECK(holds_canary("cGFzc3c9Y2FuYXJ5N3EtMDE="));  // of passw=canary7q-01
  CHECK(holds_canary("cGFzc3dkPWNhbmFyeTdxLTAx"));  // of passwd=canary7q-01
}

TEST_CASE("secrets: no command prints one, in any format", "[canary]") {
  const Scratch scratch;
  std::set<std::string_view> rendered;
  for (const Command* command : commands()) {
    std::size_t answered = 0;
    for (const std::vector<std::string>& words : calls_of(*command, scratch)) {
      INFO(command->name << ' ' << fmt::format("{}", fmt::join(words, " ")));
      forget_files_read();
      Session session;
      session.program = "previct";
      session.clock = parse_instant("2026-11-20T22:41:07Z").value();
      const auto options = parse(command->name, command->groups, command->most_arguments, words,
                                 [](const char*) -> const char* { return nullptr; });
      if (!options) {
        CHECK_FALSE(holds_canary(said(options.error(), session.inputs->files)));
        continue;
      }
      session.options = *options;
      const Result<CommandResult> done = command->run(session);
      CHECK_FALSE(holds_canary(said(session.inputs->diagnostics)));
      if (!done) {
        CHECK_FALSE(holds_canary(said(done.error(), session.inputs->files)));
        continue;
      }
      ++answered;
      for (const Format* format : formats()) {
        if (format->judgements && !done->report.findings && !done->report.tests) continue;
        rendered.insert(format->name);
        INFO(format->name);
        CHECK_FALSE(holds_canary(format->render(done->report, {})));
        CHECK_FALSE(holds_canary(
            format->render(done->report, {.width = 80, .color = true, .pictures = true, .excerpts = true})));
      }
    }
    INFO("of what is tried here, nothing is answered by " << command->name);
    CHECK(answered > 0);
  }
  CHECK(rendered.size() == formats().size());
  const std::string written = files_of(scratch);
  CHECK(written.find("big-0") != std::string::npos);
  CHECK_FALSE(holds_canary(written));
}

TEST_CASE("secrets: input that cannot be read is refused without being quoted", "[canary]") {
  const Scratch scratch;
  const std::string dump = test::fixture("canary/dump.yaml");
  // Each case breaks the dump at a secret: the message must give the position, not the text.
  const auto broken = [&](std::string_view what, std::string_view by) {
    std::string text = dump;
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
  };
  const std::vector<std::string> texts = {
      broken("value: canary7q", "value: \"canary7q"),
      broken("value: canary7q", "value: 'canary7q"),
      broken("value: canary7q", "value: \"canary7q\\q\""),
      broken("value: canary7q", "value: canary7q: canary7q"),
      broken("value: canary7q", "value: [canary7q"),
      broken("value: canary7q", "value: {canary7q"),
      broken("value: canary7q", "value: *canary7q"),
      broken("value: canary7q", "value: &canary7q !canary7q *canary7q"),
      broken("value: canary7q", "value: !canary7q canary7q"),
      broken("value: canary7q", "value: \tcanary7q\n\tcanary7q"),
      broken("value: canary7q", "value: @canary7q"),
      broken("value: canary7q", "value: `canary7q`"),
      broken("value: canary7q", "value: |canary7q"),
      broken("value: canary7q", "canary7q"),
      broken("value: canary7q", "value: canary7q\x01"),
      broken("value: canary7q", "value: canary7q\xff"),
      broken("value: canary7q", "? [canary7q]\n        : canary7q"),
      broken("example.com/token: canary7q", "example.com/token:\n      - canary7q"),
      broken("example.com/token: canary7q", "example.com/token:\n        a: canary7q"),
      broken("data:\n    password: Y2", "data: Y2FuYXJ5N3EtMDE=\n    password: Y2"),
      dump.substr(0, dump.find("canary7q-05") + 8),
      dump.substr(0, dump.find("stringData") + 30),
      "canary7q",
      "canary7q canary7q\ncanary7q canary7q\n",
      "password=canary7q\n",
      "apiVersion: v1\nkind: Secret\nstringData: canary7q\n---\ncanary7q\n",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":canary7q}]}]}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":"canary7q)",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":"canary7q\q"}]}]}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":"canary7q\ud800"}]}]}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":"canary7q" "canary7q"}]}]}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"env":[{"value":'canary7q'}]}]}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","annotations":{"token":["canary7q"]}}} canary7q)",
      "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"x\":\"canary7q\ncanary7q\"}}",
  };
  std::size_t refused = 0;
  for (const std::string& text : texts) {
    for (const char* command : {"explain -f", "inspect", "lint --context"}) {
      const Scratch one;
      const std::string path = one.file("broken", text);
      const auto [status, output] = run_previct(one, fmt::format("{} {}", command, path));
      INFO(text.substr(0, 300) << "\n...\n" << command << "\n" << output);
      CHECK_FALSE(output.empty());
      CHECK_FALSE(holds_canary(output));
      refused += status != 0 ? 1U : 0U;
    }
  }
  CHECK(refused > texts.size());
}

TEST_CASE("secrets: values of unread annotations are not quoted, whatever their type", "[canary]") {
  const Scratch scratch;
  for (const char* value : {"8675309123", "true", "867530.9123", "[8675309123]", "{pin: 8675309123}"}) {
    const std::string path = scratch.file(
        "dump.yaml",
        fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n    pin: {}\n", value));
    const auto [status, output] = run_previct(scratch, "explain -f " + path);
    INFO(output);
    CHECK(status != 0);
    CHECK(output.find("metadata.annotations.pin") != std::string::npos);
    CHECK(output.find("8675309") == std::string::npos);
    CHECK(output.find("boolean true") == std::string::npos);
  }
}

TEST_CASE("secrets: those on the command line are not printed", "[canary]") {
  const Scratch scratch;
  const std::string token =
      scratch.file("api.v1.pods", R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})");
  for (const char* words : {"explain a", "explain a -v", "explain -o json", "capture --to /dev/null", "version -v"}) {
    const bool connects = std::string_view(words).substr(0, 7) != "version";
    const auto [status, output] = run_previct(
        scratch, fmt::format("{} {}", words, connects ? "--token=canary7q --kubectl=tests/live/kubectl" : ""));
    INFO(output);
    CHECK_FALSE(output.empty());
    CHECK_FALSE(holds_canary(output));
  }
}
