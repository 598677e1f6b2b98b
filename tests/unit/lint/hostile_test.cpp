#include "base/text.h"
#include "lint/lint_report.h"
#include "lint/linter.h"
#include "report/format.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;

namespace {

auto report_of(const std::string& text) -> Report {
  lint::Tree tree;
  tree.read_text("m.yaml", text);
  CHECK(tree.broken().empty());
  tree.finish({}, true);
  return lint::lint_report(lint::lint(tree, {}, {}), tree, {}, true);
}

// Returns every format, with everything that a terminal would interpret except colors.
auto outputs_of(const Report& report) -> std::vector<std::string> {
  std::vector<std::string> outputs;
  for (const Format* format : formats())
    outputs.push_back(format->render(report, {.pictures = true, .excerpts = true}));
  return outputs;
}

}  // namespace

TEST_CASE("lint output: names in manifests are never printed raw", "[lint]") {
  for (const char* name : {"\\e[31mred", "a\\nb", "\\r::error::x", "\\u202Eevil", "x]]><script>alert(1)</script>",
                           "\\u2066iso", "=cmd|' /C calc'!A0", "@everyone"}) {
    const std::string text =
        std::string("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: \"") + name +
        "\"\n  annotation: {\"" + name + "\": 1}\nvalue: -20\npreemptionPolicy: \"" + name + "\"\n";
    const Report report = report_of(text);
    CHECK(report.findings->items.size() >= 3);
    for (const std::string& out : outputs_of(report)) {
      std::string flat = out;
      std::replace(flat.begin(), flat.end(), '\n', ' ');
      INFO(escaped(out));
      CHECK(escaped(flat) == flat);
      CHECK(out.find("\n::error::") == std::string::npos);
    }
    for (const char* marked_up : {"md", "junit"}) {
      CHECK(find_format(marked_up)->render(report, {}).find("<script>") == std::string::npos);
    }
  }
}

TEST_CASE("lint output: text next to a finding is not printed with it", "[lint]") {
  const Report report = report_of(
      "{apiVersion: v1, kind: Pod, metadata: {name: a, annotation: {b: c}}, spec: {preemptionPolicy: never, "
      "containers: [{name: c, image: i, args: [PASSWORD], env: [{name: T, value: PASSWORD}]}]}}\n");
  CHECK(report.findings->items.size() >= 2);
  for (const std::string& out : outputs_of(report)) CHECK(out.find("PASSWORD") == std::string::npos);
}
