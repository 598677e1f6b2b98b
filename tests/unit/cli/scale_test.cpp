// Twice the input is twice the work: a step that examines all pods for each pod would need four times as much. The unit
// is allocated memory, which is the same in every run; a loop that allocates nothing is not noticed.

#include "api/load.h"
#include "cli/command.h"
#include "support/cluster.h"
#include "support/scratch.h"
#include "support/work.h"
#include "support/workloads.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <functional>
#include <map>

using namespace previct;
using namespace previct::cli;
using previct::test::Scratch;

namespace {

// Lists that double their capacity may do so once more or once less.
constexpr double kTwice = 2.6;

auto work_of(const std::function<void()>& run) -> test::Work {
  const test::Work before = test::work();
  run();
  const test::Work after = test::work();
  return {after.blocks - before.blocks, after.bytes - before.bytes};
}

auto growth(std::uint64_t once, std::uint64_t twice) -> double {
  return static_cast<double>(twice) / static_cast<double>(once);
}

/// `run(n)` does the work for an input of size n.
void check_twice(std::size_t size, const std::function<void(std::size_t)>& run) {
  run(size);  // one-time initialization
  const test::Work once = work_of([&] { run(size); });
  const test::Work twice = work_of([&] { run(size * 2); });
  INFO(fmt::format("{} and {} blocks, {} and {} bytes", once.blocks, twice.blocks, once.bytes, twice.bytes));
  CHECK(once.blocks > 0);
  CHECK(growth(once.blocks, twice.blocks) < kTwice);
  CHECK(growth(once.bytes, twice.bytes) < kTwice);
}

/// Full nodes, half of them with pods of each of two classes; pending pods that would preempt those of one class.
auto cluster(std::size_t nodes, std::size_t pending) -> std::string {
  constexpr std::size_t kPodsPerNode = 8;
  std::string text = test::a_class("low", 10) + "---\n" + test::a_class("high", 1000) + "---\n";
  for (std::size_t n = 0; n < nodes; ++n) {
    text += test::a_node(fmt::format("node-{}", n), "8") + "---\n";
    for (std::size_t p = 0; p < kPodsPerNode; ++p) {
      text += test::a_pod(fmt::format("team-{}/run-{}-{}", p, n, p))
                  .on(fmt::format("node-{}", n))
                  .priority_class(p % 2 == 0 ? "low" : "high")
                  .priority(p % 2 == 0 ? 10 : 1000)
                  .started(fmt::format("2026-03-01T{:02}:{:02}:{:02}Z", n / 3600 % 24, n / 60 % 60, n % 60))
                  .yaml() +
              "---\n";
    }
  }
  for (std::size_t p = 0; p < pending; ++p) {
    text +=
        test::a_pod(fmt::format("team-0/wait-{}", p)).priority_class("high").priority(1000).cpu("2").yaml() + "---\n";
  }
  return text;
}

void run_command(std::string_view name, const std::string& path, std::vector<std::string> words) {
  const Command* const command = find_command(name).value();
  words.insert(words.end(), {"-f", path});
  Session session;
  session.program = "previct";
  session.clock = parse_instant("2026-03-02T12:00:00Z").value();
  session.options =
      parse(command->name, command->groups, command->most_arguments, words, [](const char*) -> const char* {
        return nullptr;
      }).value();
  const Result<CommandResult> done = command->run(session);
  INFO(name);
  REQUIRE(done.has_value());
}

}  // namespace

TEST_CASE("scaling: twice the pods take twice the work to load", "[scale]") {
  const Scratch scratch;
  constexpr std::size_t kPods = 600;
  const auto file = [&](std::size_t pods) {
    return scratch.file(fmt::format("{}.yaml", pods), test::WorkloadMaker(7, false).list(pods));
  };
  const std::map<std::size_t, std::string> paths = {{kPods, file(kPods)}, {2 * kPods, file(2 * kPods)}};
  for (const bool general : {false, true}) {
    INFO((general ? "general" : "fast"));
    check_twice(kPods, [&](std::size_t pods) {
      Objects objects;
      REQUIRE(load({paths.at(pods)}, {.general = general}, objects).has_value());
      REQUIRE(objects.pods.size() == pods);
    });
  }
}

TEST_CASE("scaling: explain, list, survey and sequence are linear in the size of the cluster", "[scale]") {
  const Scratch scratch;
  constexpr std::size_t kNodes = 60;
  constexpr std::size_t kPending = 6;
  const auto file = [&](std::size_t nodes, std::size_t pending) {
    return scratch.file(fmt::format("{}-{}.yaml", nodes, pending), cluster(nodes, pending));
  };
  const std::map<std::size_t, std::string> by_nodes = {{kNodes, file(kNodes, kPending)},
                                                       {2 * kNodes, file(2 * kNodes, kPending)}};
  const std::map<std::size_t, std::string> by_pending = {{kPending, file(kNodes, kPending)},
                                                         {2 * kPending, file(kNodes, 2 * kPending)}};
  const std::vector<std::pair<std::string_view, std::vector<std::string>>> calls = {
      {"explain", {"team-0/wait-0"}}, {"explain", {}}, {"fleet", {}}, {"sequence", {}}};
  for (const auto& call : calls) {
    const auto command = call.first;
    const auto& words = call.second;
    INFO(command << (words.empty() ? " of all" : ""));
    check_twice(kNodes, [&](std::size_t nodes) { run_command(command, by_nodes.at(nodes), words); });
    check_twice(kPending, [&](std::size_t pending) { run_command(command, by_pending.at(pending), words); });
  }
}
