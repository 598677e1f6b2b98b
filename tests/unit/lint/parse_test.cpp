#include "lint/parse.h"

#include "unit/lint/scopes.h"

#include <catch2/catch.hpp>

#include <array>

// Which texts are read as manifests, and which broken ones are reported.

namespace previct::lint::together {

TEST_CASE("lint: a list of operations begins with a list, after comments", "[lint]") {
  // RFC 6902 has a list of objects. In YAML, an item may begin on the line after its dash (YAML 1.2, 8.2.1).
  // Each one replaces what the budget allows by nothing.
  const std::string objects = deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}");
  const std::string lines = "  path: /spec/maxUnavailable\n  value: 0\n";
  for (const std::string& text :
       {std::string("[{\"op\": \"replace\", \"path\": \"/spec/maxUnavailable\", \"value\": 0}]"),
        "- op: replace\n" + lines, "-\n  op: replace\n" + lines, "-\r\n  op: replace\r\n" + lines,
        "\n# of web\n---\n- op: replace\n" + lines}) {
    INFO(text);
    CHECK(may_hold_manifests(text, "ops.yaml"));
    CHECK(found({{"kustomization.yaml",
                  "resources: [web.yaml]\npatches: [{path: ops.yaml, target: {kind: PodDisruptionBudget}}]\n"},
                 {"web.yaml", objects},
                 {"ops.yaml", text}},
                "PD002")
              .size() == 1);
  }
  for (const std::string_view text :
       {"", "# op path", "a: {op: remove, path: /a}\n", "{\"op\": \"remove\", \"path\": \"/a\"}", "-op: path\n",
        "- path: /a\n", "- op: remove\n", "--- \nstop: path\n"}) {
    INFO(text);
    CHECK_FALSE(may_hold_manifests(text, "ops.yaml"));
  }
}

TEST_CASE("lint: a broken text is meant as a manifest if it has the keys of one", "[lint]") {
  struct Row {
    std::string_view text;
    bool meant;
    std::string_view file = "a.yaml";
  };
  constexpr std::array kRows = {
      Row{"apiVersion: v1\nkind: Pod\n", true},
      Row{"- \"apiVersion\": v1\n  \"kind\": Pod\n", true},
      Row{"kind: Pod\n", false},
      Row{"apiVersion: v1\n", false},
      Row{"text: apiVersion and kind\n", false},
      Row{"text: {\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n", false},  // no object of its own
      Row{"{\"apiVersion\": \"v1\", \"kind\": \"Pod\"", true},
      Row{"{\"a\": 1, \"apiVersion\" : \"v1\", \"kind\":\"Pod\"", true},
      Row{"{\"a\": 1, \"otherapiVersion\": \"v1\", \"anykind\": \"Pod\"", false},
      Row{"{\"a\": 1, \"apiVersions\": \"v1\", \"kinds\": \"Pod\"", false},
      Row{"{\"a\": \"apiVersion\", \"b\": \"kind\", \"c\"", false},
      Row{"{\"a\": \"apiVersion1: b\", \"c\": \"kind1: d\"", false},
      Row{"{\"a\": 1, \"apiVersion", false},
      Row{"partitions:\n- name: default\n", true, "conf/queues.yaml"},
      Row{"partitions:\n- name: default\n", false},
      Row{"text: partitions\n", false, "queues.yaml"}};
  for (const Row& row : kRows) {
    INFO(row.text);
    CHECK(means_manifests(row.text, row.file) == row.meant);
  }
}

}  // namespace previct::lint::together
