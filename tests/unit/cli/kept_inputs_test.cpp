#include "cli/kept_inputs.h"

#include "cli/run.h"
#include "support/scratch.h"
#include "support/source.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace previct;  // NOLINT: a test
using cli::KeptInputs;
using cli::Session;
using previct::test::Scratch;

namespace {

const std::string kTolerationsDump = PREVICT_SOURCE_DIR "/fixtures/demo/tolerations.yaml";  // NOLINT: a test

struct KeptAnswer {
  std::string document;
  std::vector<std::string> warnings;

  friend auto operator==(const KeptAnswer&, const KeptAnswer&) -> bool = default;
};

// What the command line says, with the inputs that were kept before, or without any.
auto kept_answer(const std::vector<std::string>& words, KeptInputs* kept) -> KeptAnswer {
  Session session;
  session.program = "previct";
  session.kept = kept;
  std::vector<cli::Output> outputs;
  const auto done = cli::answer(session, words, outputs);
  KeptAnswer answer;
  answer.document = done ? done->report.data.dump() : done.error().message;
  for (const Warning& warning : session.inputs->diagnostics.sorted())
    answer.warnings.push_back(session.inputs->files.describe(warning.place) + ": " + warning.message);
  return answer;
}

auto explain_words(std::vector<std::string> flags, const std::string& file = kTolerationsDump)
    -> std::vector<std::string> {
  std::vector<std::string> words = {"explain", "-f", file, "-o", "json"};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

}  // namespace

TEST_CASE("kept inputs: each question is answered as if it were the first", "[kept-inputs]") {
  KeptInputs kept;
  const std::vector<std::vector<std::string>> questions = {
      explain_words({}),
      explain_words({"--now", "2026-11-20T23:30:00Z"}),
      explain_words({"--without", "node/node-b"}),  // changes what was read
      explain_words({"--priority-class", "none-of-this-name"}),
      explain_words({"--request", "cpu=3"}),
      {"sequence", "-f", kTolerationsDump, "-o", "json"},
      {"fit", "-f", kTolerationsDump, "-o", "json"},
      {"fit", "-f", kTolerationsDump, "-o", "json", "--no-victims"},
      {"why-preempted", "-f", kTolerationsDump, "-o", "json"},
      {"prove", "-f", kTolerationsDump, "-o", "json", "--at-most-victims", "1"},
      {"tolerations", "-f", kTolerationsDump, "-o", "json"},
      {"fleet", "-f", kTolerationsDump, "-o", "json"},
      {"inspect", "-f", kTolerationsDump, "-o", "json"},
      explain_words({"--scheduler-config", PREVICT_SOURCE_DIR "/fixtures/demo/scheduler.yaml"}),
      explain_words({"no-such-pod"}),
      {"explain", "-f", "/nonexistent"},
      explain_words({})};
  for (const auto& words : questions) {
    INFO(words.back());
    CHECK(kept_answer(words, &kept) == kept_answer(words, nullptr));
    CHECK(kept_answer(words, &kept) == kept_answer(words, nullptr));  // now from what was kept
  }
}

TEST_CASE("kept inputs: warnings about the inputs are said for each question", "[kept-inputs]") {
  const Scratch scratch;
  const std::string file = scratch.file("twice.yaml",
                                        "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n"
                                        "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n");
  KeptInputs kept;
  const std::vector<std::string> words = {"inspect", "-f", file, "-o", "json"};
  const KeptAnswer first = kept_answer(words, &kept);
  REQUIRE(!first.warnings.empty());
  CHECK(kept_answer(words, &kept) == first);
  CHECK(kept_answer(words, &kept) == first);
}

TEST_CASE("kept inputs: a changed file is read again, and another list of files replaces what was kept",
          "[kept-inputs]") {
  const Scratch scratch;
  const std::string file = scratch.path() + "/dump.yaml";
  std::filesystem::copy(kTolerationsDump, file);
  KeptInputs kept;
  const KeptAnswer first = kept_answer(explain_words({}, file), &kept);
  CHECK(kept_answer(explain_words({}, file), &kept) == first);
  std::ofstream(file, std::ios::app) << "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-c}\n";
  const KeptAnswer changed = kept_answer(explain_words({}, file), &kept);
  CHECK(changed == kept_answer(explain_words({}, file), nullptr));
  CHECK_FALSE(changed == first);
  CHECK(kept_answer(explain_words({}), &kept) == kept_answer(explain_words({}), nullptr));
  CHECK(kept_answer(explain_words({}, file), &kept) == changed);
}

TEST_CASE("kept inputs: what was read is never overwritten, also by a later question", "[kept-inputs]") {
  const Scratch scratch;
  const std::string file = scratch.path() + "/dump.yaml";
  std::filesystem::copy(kTolerationsDump, file);
  KeptInputs kept;
  const auto clock = [] { return Instant{}; };
  const auto quiet = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "previct");
    return cli::run(words, clock, &kept);
  };
  CHECK(quiet({"explain", "-f", file, "-o", "json=" + scratch.path() + "/one"}) == 0);
  CHECK(quiet({"explain", "-f", file, "-o", "json=" + scratch.path() + "/two"}) == 0);
  CHECK(quiet({"explain", "-f", file, "-o", "json=" + file}) == 2);
  CHECK(std::filesystem::file_size(file) == std::filesystem::file_size(kTolerationsDump));
}

TEST_CASE("kept inputs: a question about all pods, or another configuration, changes no later answer",
          "[kept-inputs]") {
  const std::string dump = PREVICT_SOURCE_DIR "/fixtures/demo/full-cluster.yaml.zst";
  const std::string scheduler = PREVICT_SOURCE_DIR "/fixtures/demo/scheduler.yaml";
  KeptInputs kept;
  const auto check = [&](const std::vector<std::string>& words) {
    INFO(words.back());
    CHECK(kept_answer(words, &kept) == kept_answer(words, nullptr));
  };
  for (int round = 0; round < 2; ++round) {
    check(explain_words({}, dump));  // simulates the pods one after the other
    check({"tolerations", "-f", dump, "-o", "json"});
    check({"fleet", "-f", dump, "-o", "json"});
    check(explain_words({"--scheduler-config", scheduler}, dump));
    check(explain_words({"--k8s-version", "1.33"}, dump));
    check(explain_words({"--complete"}, dump));
    check({"why-preempted", "-f", dump, "-o", "json"});
    check({"inspect", "-f", dump, "-o", "json"});
  }
}

TEST_CASE("kept inputs: the last question gets what was read, and may change it", "[kept-inputs]") {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{}, {"--without", "node/node-b"}}) {
    KeptInputs kept;
    const KeptAnswer first = kept_answer(explain_words({}), &kept);
    kept.end();
    CHECK(kept_answer(explain_words(flags), &kept) == kept_answer(explain_words(flags), nullptr));
  }
}
