#include "engine/yunikorn/config.h"

#include "engine/yunikorn/configuration.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <set>

using namespace previct;
using namespace previct::yunikorn;

namespace {

auto failure_of(const std::string& text) -> std::string {
  Files files;
  const auto config = read_queues(text, files.add("queues.yaml"));
  if (config) return "accepted";
  const Failure& failure = config.error();
  return fmt::format("{}:{} {}", failure.place.line, failure.place.column, failure.message);
}

}  // namespace

TEST_CASE("yunikorn queues.yaml: each invalid file gives one error with line and column", "[yunikorn]") {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PREVICT_SOURCE_DIR "/fixtures/yunikorn/invalid")) {
    names.insert(entry.path().filename().string());
  }
  REQUIRE(names.size() >= 15);
  for (const std::string& name : names) {
    INFO(name);
    const std::string text = test::fixture("yunikorn/invalid/" + name);
    // The first line of each file is a comment with the expected error; for syntax errors, only with the place.
    const std::string expected = text.substr(2, text.find('\n') - 2);
    const std::string found = failure_of(text);
    if (expected.back() == ' ') {
      CHECK(found.substr(0, expected.size()) == expected);
    } else {
      CHECK(found == expected);
    }
  }
}

TEST_CASE("yunikorn queues.yaml: an empty file is the built-in configuration, a queue per namespace", "[yunikorn]") {
  Files files;
  const auto config = read_queues("", files.add("queues.yaml"));
  REQUIRE(config);
  const PartitionConfig& partition = *config->default_partition();
  CHECK(partition.rules[0][0].name.value == "tag");
  CHECK(partition.rules[0][0].create);
  CHECK(partition.queues[0].submit_acl.value == "*");
}

// Validate does not require the partition, and comments alone are an empty configuration (ParseAndValidateConfig skips
// EOF).
TEST_CASE("yunikorn queues.yaml: a missing partition default is added, and accepts no application", "[yunikorn]") {
  for (const std::string text : {"# nothing\n", "partitions: [{name: gpu, queues: [{name: a}]}]"}) {
    INFO(text);
    Files files;
    const auto config = read_queues(text, files.add("queues.yaml"));
    REQUIRE(config);
    REQUIRE(config->default_partition() != nullptr);
    CHECK(config->default_partition()->absent);
  }
  Files files;
  CHECK_FALSE(read_queues("partitions: [{name: DEFAULT, queues: [{name: a}]}]", files.add("queues.yaml"))
                  ->default_partition()
                  ->absent);
}

TEST_CASE("yunikorn queues.yaml: a root is added above several top queues", "[yunikorn]") {
  Files files;
  const auto config = read_queues("partitions: [{name: default, queues: [{name: a}, {name: b, queues: [{name: c}]}]}]",
                                  files.add("queues.yaml"));
  REQUIRE(config);
  const std::vector<QueueConfig>& queues = config->default_partition()->queues;
  REQUIRE(queues.size() == 4);
  CHECK(queues[0].name.value == "root");
  CHECK(queues[1].above == 0);
  CHECK(queues[3].name.value == "c");
  CHECK(queues[3].above == 2);
}

TEST_CASE("yunikorn amounts: whole numbers; cores are counted in thousandths", "[yunikorn]") {
  struct Row {
    const char* text;
    std::int64_t plain;  // -1: refused
    std::int64_t vcore;
  };
  // Derived by hand: number times suffix, cores times 1000 unless `m` is given.
  const Row rows[] = {{"10", 10, 10'000},
                      {"500m", -1, 500},
                      {"2Gi", 2'147'483'648, 2'147'483'648'000},
                      {"3k", 3000, 3'000'000},
                      {" 4 M ", 4'000'000, 4'000'000'000},
                      {"1.5", -1, -1},
                      {"5K", -1, -1},
                      {"1ki", -1, -1},
                      {"-1", -1, -1},
                      {"", -1, -1},
                      {"9E", 9'000'000'000'000'000'000, -1},
                      {"10E", -1, -1},
                      {"9223372036854775808", -1, -1},
                      {"8Ei", -1, -1}};
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(parse_amount(row.text, false).value_or(-1) == row.plain);
    CHECK(parse_amount(row.text, true).value_or(-1) == row.vcore);
  }
}

TEST_CASE("yunikorn queues.yaml: a numeric name or value is a text, as for the scheduler", "[yunikorn]") {
  Files files;
  const auto config = read_queues(
      "partitions: [{name: default, queues: [{name: root, queues: [{name: 123, queues: [{name: y}], "
      "resources: "
      "{max: {vcore: 2, memory: 1Gi}}, properties: {priority.offset: 5}}]}]}]",
      files.add("queues.yaml"));
  REQUIRE(config);
  CHECK(config->default_partition()->queues[1].name.value == "123");
  CHECK(config->default_partition()->queues[2].name.value == "y");
  CHECK(config->default_partition()->queues[1].properties[0].value.value == "5");
}

// Decided by yunikorn-core 1.9: objects/queue.go applyConf reads templates of parents; template/template.go FromConf
// takes one with only empty values for none.
TEST_CASE("yunikorn queues.yaml: templates of leaf queues, and without values, are not checked", "[yunikorn]") {
  const auto with = [](const std::string& queue) {
    return failure_of("partitions: [{name: default, queues: [{name: root, queues: [{name: a, " + queue + "}]}]}]");
  };
  CHECK(with("childtemplate: {resources: {max: {vcore: x}}}") == "accepted");
  CHECK(with("parent: true, childtemplate: {resources: {max: {vcore: x}}}") != "accepted");
  CHECK(with("parent: true, childtemplate: {resources: {max: {vcore: ''}}}") == "accepted");
  CHECK(with("parent: true, childtemplate: {maxapplications: 1, resources: {max: {vcore: ''}}}") != "accepted");
}

// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go checkLimitResource, checkLimitMaxApplications,
// checkLimitsStructure.
TEST_CASE("yunikorn limits: limits of lower queues are checked against those above", "[yunikorn]") {
  const auto of = [](const std::string& root, const std::string& leaf, const std::string& partition = "") {
    return failure_of("partitions: [{name: default, " + partition + "queues: [{name: root, limits: [" + root +
                      "], queues: [{name: mid, queues: [{name: a, limits: [" + leaf + "]}]}]}]}]");
  };
  const std::string ann2 = "{users: [ann], maxresources: {vcore: 2}}";
  CHECK(of(ann2, "{users: [ann], maxresources: {vcore: 2, memory: 1G}}") == "accepted");
  CHECK(of(ann2, "{users: [ann], maxresources: {vcore: 3}}")
            .ends_with("limit: user \"ann\": vcore of queue a is larger than that of an ancestor queue"));
  CHECK(of(ann2, "{users: [bob], maxresources: {vcore: 3}}") == "accepted");
  CHECK(of("{users: ['*'], maxresources: {vcore: 2}}", "{users: [bob], maxresources: {vcore: 3}}") != "accepted");
  CHECK(of("{groups: [dev], maxapplications: 2}", "{groups: [dev], maxapplications: 2}") == "accepted");
  CHECK(of("{groups: [dev], maxapplications: 2}", "{groups: [dev], maxapplications: 3}") != "accepted");
  // No limit exceeds a limit of 2.
  CHECK(of("{groups: [dev], maxapplications: 2}", "{groups: [dev], maxresources: {vcore: 1}}") != "accepted");

  // The limits of the partition are those of root, unless root has its own, which must be the same.
  CHECK(of("", "{users: [ann], maxresources: {vcore: 3}}", "limits: [" + ann2 + "], ") != "accepted");
  CHECK(of(ann2, "", "limits: [" + ann2 + "], ") == "accepted");
  CHECK(of("{users: [ann], maxresources: {vcore: 1}}", "", "limits: [" + ann2 + "], ") != "accepted");
}

// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go checkLimit.
TEST_CASE("yunikorn limits: one must limit something", "[yunikorn]") {
  const auto with = [](const std::string& limit) {
    return failure_of("partitions: [{name: default, queues: [{name: root, queues: [{name: a, limits: [{" + limit +
                      "}]}]}]}]");
  };
  CHECK(with("users: [ann], maxresources: {vcore: 0, memory: 0}").ends_with("limit: maxresources has nothing above 0"));
  CHECK(with("users: [ann], maxapplications: 1, maxresources: {vcore: 0}")
            .ends_with("limit: maxresources has nothing above 0"));
  CHECK(with("users: [ann], maxresources: {vcore: 0, memory: 1}") == "accepted");
  CHECK(with("users: [ann], maxapplications: 0").ends_with("limit: neither maxresources nor maxapplications is set"));
  CHECK(with("maxapplications: 1").ends_with("limit: neither users nor groups are named"));
}

// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go checkLimit.
TEST_CASE("yunikorn limits: one may allow as many applications as its queue, and no more", "[yunikorn]") {
  const auto with = [](int most) {
    return failure_of(
        fmt::format("partitions: [{{name: default, queues: [{{name: root, queues: [{{name: a, maxapplications: 3, "
                    "limits: [{{users: [ann], maxapplications: {}}}]}}]}}]}}]",
                    most));
  };
  CHECK(with(3) == "accepted");
  CHECK(with(4).ends_with("limit: maxapplications is larger than the queue's"));
}

// Source: apache/yunikorn-core 1.9 pkg/common/configs/configvalidator.go checkLimit: "should not specify only one group
// limit that is using the wildcard".
TEST_CASE("yunikorn limits: one for all groups must follow one for a named group", "[yunikorn]") {
  const auto with = [](const std::string& limits) {
    return failure_of("partitions: [{name: default, queues: [{name: root, queues: [{name: a, limits: [" + limits +
                      "]}]}]}]");
  };
  const std::string all = "{groups: ['*'], maxapplications: 1}";
  CHECK(with(all).ends_with("limit: the group wildcard is the only group"));
  CHECK(with("{users: [ann], maxapplications: 1}, " + all).ends_with("limit: the group wildcard is the only group"));
  CHECK(with("{groups: [dev], maxapplications: 1}, " + all) == "accepted");
}

// Source: yaml.v3 decode.go, into an unsigned integer: it refuses floats above the range, and NaN.
TEST_CASE("yunikorn maxapplications: neither infinite nor NaN", "[yunikorn]") {
  for (const char* number : {".inf", ".nan"}) {
    INFO(number);
    CHECK(failure_of(fmt::format("partitions: [{{name: default, queues: [{{name: root, queues: [{{name: a, "
                                 "maxapplications: {}}}]}}]}}]",
                                 number))
              .ends_with(fmt::format("maxapplications: expected an integer, 0 or more, found \"{}\"", number)));
  }
}

// Each value was decoded by yaml.v3 3.0.4 into an unsigned integer.
TEST_CASE("yunikorn maxapplications: has the base that YAML gives it, and loses its fraction", "[yunikorn]") {
  for (const auto& [text, number] : {std::pair<const char*, std::uint64_t>{"010", 8},
                                     {"08", 8},
                                     {"1_000", 1000},
                                     {"0b11", 3},
                                     {"0o17", 15},
                                     {"0x10", 16},
                                     {"1.5", 1},
                                     {"1e3", 1000},
                                     {"+5", 5}}) {
    INFO(text);
    Files files;
    const auto config =
        read_queues(fmt::format("partitions: [{{name: default, queues: [{{name: root, maxapplications: {}}}]}}]", text),
                    files.add("queues.yaml"));
    REQUIRE(config);
    CHECK(config->default_partition()->queues[0].max_applications == number);
  }
}
