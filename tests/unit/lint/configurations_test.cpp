#include "lint/fix.h"
#include "lint/linter.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::lint;

namespace {

// Returns the errors in one file: `SC014 message`.
auto errors_in(const std::string& text) -> std::vector<std::string> {
  Tree tree;
  tree.read_text("m.yaml", text);
  tree.finish();
  std::vector<std::string> out;
  for (const Finding& finding : lint::lint(tree, {}, {}).items) {
    if (finding.severity == Severity::error) out.push_back(finding.rule + ' ' + finding.message);
  }
  return out;
}

auto scheduler(const std::string& more) -> std::string {
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + more;
}

auto profile(const std::string& more) -> std::string {
  return scheduler("profiles:\n- schedulerName: a\n  " + more + "\n");
}

}  // namespace

// The verdicts are those of kube-scheduler 1.35.4: its loading, its validation and the creation of its frameworks.
TEST_CASE("lint configurations: one with which kube-scheduler does not start is an error", "[lint][configurations]") {
  for (const std::string& refused : {
           scheduler("percentageOfNodesToScore: 150\n"),
           scheduler("parallelism: 0\n"),
           scheduler("podInitialBackoffSeconds: 20\n"),
           scheduler("leaderElection: {leaderElect: true, retryPeriod: null}\n"),
           scheduler("leaderElection: {leaderElect: true, resourceLock: endpoints}\n"),
           scheduler("profiles:\n- {schedulerName: ''}\n"),
           scheduler("profiles:\n- {schedulerName: a}\n- {schedulerName: a}\n"),
           scheduler("profile: []\n"),
           profile("plugins: {filter: {enabled: [{name: NodeAfinity}]}}"),
           profile("plugins: {filter: {enabled: [{name: null}]}}"),
           profile("plugins: {filter: {enabled: [{name: ImageLocality}]}}"),
           profile("plugins: {filter: {enabled: [{name: NodePorts}, {name: NodePorts}]}}"),
           profile("plugins: {queueSort: {disabled: [{name: '*'}]}, multiPoint: {disabled: [{name: '*'}]}}"),
           profile("pluginConfig: [{name: NodeResourcesFit, args: {apiVersion: 10}}]"),
           profile("pluginConfig: [{name: NodeResourcesFitArgs, args: {a: 1}}]"),
           profile(
               "pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: RequestedToCapacityRatio}}}]"),
           profile("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: RequestedToCapacityRatio, "
                   "requestedToCapacityRatio: {shape: null}}}}]"),
           profile("pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesAbsolut: 1}}]"),
           profile("pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 101}}]"),
           profile("pluginConfig: [{name: InterPodAffinity}, {name: InterPodAffinity}]"),
           profile("pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu}, {name: "
                   "cpu}]}}]"),
           scheduler("extenders:\n- {urlPrefix: 'http://x', prioritizeVerb: a, weight: 0}\n"),
           scheduler("extenders:\n- {urlPrefix: 'http://x', httpTimeout: null}\n"),
           scheduler("extenders:\n- {urlPrefix: 'https://x', tlsConfig: {insecure: true, caFile: /ca.pem}}\n"),
           scheduler("extenders:\n- {urlPrefix: 'http://x', tlsConfig: {insecure: true, caData: YQ==}}\n"),
           scheduler("extenders:\n- {urlPrefix: 'https://x', tlsConfig: {serverName: 1.5}}\n"),
           scheduler("extenders:\n- {urlPrefix: 'https://x', tlsConfig: {certData: '?'}}\n"),
           // `*` is allowed only among the disabled plugins.
           profile("plugins: {score: {enabled: [{name: '*'}]}}"),
           // An unknown key, whatever its value is.
           scheduler("leaderElection: {kubeconfig: REPLACE_ME}\n"),
           std::string("apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n"),
           std::string("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfig\n"),
           std::string("apiVersion: v1\nkind: Policy\npriorities: [{name: a}]\n"),
       }) {
    INFO(refused);
    CHECK_FALSE(errors_in(refused).empty());
  }
  for (const std::string& taken : {
           scheduler(""),
           scheduler("percentageOfNodesToScore: null\nprofiles: []\n"),
           scheduler("extenders:\n- {urlPrefix: 'https://x', tlsConfig: {insecure: true, certFile: /c.pem}}\n"),
           scheduler("extenders:\n- {urlPrefix: 'https://x', tlsConfig: {insecure: false, caFile: /ca.pem}}\n"),
           scheduler("leaderElection: {leaderElect: false, resourceLock: endpoints}\n"),
           profile("plugins: {filter: {disabled: [{name: NoSuchPlugin}]}}"),
           profile("plugins: {filter: {enabled: [{name: NoSuchPlugin}]}}"),  // SC018 warns: a build may have it
           profile("pluginConfig: [{name: SomethingElse, args: {a: 1}}]"),
           profile("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]"),
       }) {
    INFO(taken);
    CHECK(errors_in(taken) == std::vector<std::string>{});
  }
}

TEST_CASE("lint configurations: a plugin of another build is no error", "[lint][configurations]") {
  CHECK(errors_in(profile("plugins: {filter: {enabled: [{name: Mine}]}}\n  pluginConfig: [{name: Mine, args: {a: 1}}]"))
            .empty());
  CHECK(errors_in(profile("plugins: {multiPoint: {enabled: [{name: Mine}, {name: Coscheduling}]}}")).size() <= 1);
  // A typo is still an error.
  CHECK_FALSE(
      errors_in(
          profile("plugins: {filter: {enabled: [{name: NodePort}]}}\n  pluginConfig: [{name: Mine, args: {a: 1}}]"))
          .empty());
}

TEST_CASE("lint configurations: found in any position", "[lint][configurations]") {
  const std::string config =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nparallelism: 0\n";
  const auto indented = [](const std::string& text, const std::string& by) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at) + 1;
      out += by + text.substr(at, end - at);
      at = end;
    }
    return out;
  };
  for (const std::string& text : {
           "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  config.yaml: |\n" + indented(config, "    "),
           "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec:\n  values:\n    "
           "config: |\n" +
               indented(config, "      "),
           "replicas: 1\nscheduler:\n  config: |\n" + indented(config, "    "),
           "replicas: 1\nscheduler:\n  config:\n" + indented(config, "    "),
           // Patches of a machine configuration: texts that contain it at a deeper level.
           "controlPlane:\n  patches:\n  - |-\n    cluster:\n      scheduler:\n        config:\n" +
               indented(config, "          "),
           "controlPlane:\n  patches:\n  - |-\n    machine: {}\n  - |-\n    cluster:\n      config: |\n" +
               indented(config, "        "),
           std::string(
               R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"c.json": )"
               R"("{\"apiVersion\": \"kubescheduler.config.k8s.io/v1\", \"kind\": \"KubeSchedulerConfiguration\", )"
               R"(\"parallelism\": 0}"}})"),
       }) {
    INFO(text);
    const auto errors = errors_in(text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].starts_with("SC014 parallelism"));
  }
  const auto queues = errors_in(
      "replicas: 1\ndefaults:\n  queues.yaml: |\n    partitions:\n    - name: default\n      queues: [{name: root, "
      "foo: 1}]\n");
  REQUIRE(queues.size() == 1);
  CHECK(queues[0] == "YK012 partitions[0].queues[0]: unknown key \"foo\"");
  // Unrelated `partitions`.
  CHECK(errors_in("partitions:\n- id: aws\n  regions: {}\nversion: 1\n").empty());
}

// The verdicts are those of yunikorn-core's loader, 2026-07.
TEST_CASE("lint configurations: queues are refused as by YuniKorn", "[lint][configurations]") {
  const auto queues = [](const std::string& more) { return "partitions:\n- name: default\n" + more; };
  CHECK_FALSE(
      errors_in(queues("  nodesortpolicy: {type: fair, resourceweights: {vcore: 10Gi}}\n  queues: [{name: root}]\n"))
          .empty());
  CHECK_FALSE(
      errors_in(queues("  queues: [{name: root, queues: [{name: a, resources: {max: {vcore: null}}}]}]\n")).empty());
  CHECK(errors_in(queues("  queues: [{name: root, queues: [null, {name: a}]}]\n")).empty());
  CHECK(
      errors_in(queues("  queues: [{name: root}]\n  placementrules: [null, {name: tag, value: namespace}]\n")).empty());
}

// Source: kubernetes pkg/apis/policy/validation, apimachinery pkg/apis/meta/v1/validation; KAI's CRD of pod groups.
TEST_CASE("lint: objects that the API server refuses are errors", "[lint][configurations]") {
  const auto budget = [](const std::string& spec) {
    return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {" + spec + "}\n";
  };
  const std::string selector = "selector: {matchLabels: {app: a}}";
  for (const std::string& refused : {
           budget("minAvailable: -1, " + selector),
           budget("minAvailable: 101%, " + selector),
           budget("maxUnavailable: '5', " + selector),
           budget("minAvailable: 1, unhealthyPodEvictionPolicy: Never, " + selector),
           budget("minAvailable: 1, selector: {matchLabels: {app: 'a b'}}"),
           budget("minAvailable: 1, selector: {matchExpressions: [{key: 'a b', operator: Exists}]}"),
           budget("minAvailable: 1, selector: {matchExpressions: [{key: a, operator: In, values: ['-']}]}"),
           std::string(
               "apiVersion: apps/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {minAvailable: 1}\n"),
           std::string("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: A_b}\nvalue: 1\n"),
           std::string("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {labels: {a: b}}\nvalue: 1\n"),
           std::string(
               "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: a}\nspec: {minMember: -3}\n"),
           std::string("apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: a}\nspec: {minMember: "
                       "1, minSubGroup: 1}\n"),
       }) {
    INFO(refused);
    CHECK(errors_in(refused).size() == 1);
  }
  CHECK(errors_in(budget("minAvailable: 0, " + selector)).empty());
  CHECK(errors_in(budget("maxUnavailable: 100%, " + selector)).empty());
}

TEST_CASE("lint fix: changes only what it fixes, and linting again is silent", "[lint][fix]") {
  std::size_t fixed = 0;
  for (const Rule* rule : rules()) {
    Settings settings;
    settings.only = {std::string(rule->id)};
    std::string text(examples_of(*rule).bad);
    Tree tree;
    tree.read_text("m.yaml", text);
    tree.finish({}, true);
    const Findings findings = lint::lint(tree, settings, {});
    const bool fixable =
        std::all_of(findings.items.begin(), findings.items.end(), [](const Finding& f) { return !f.fixes.empty(); });
    const auto texts = fixed_texts(findings, tree);
    if (!fixable || findings.items.empty()) continue;
    ++fixed;
    INFO(rule->id);
    REQUIRE(texts.size() == 1);
    CHECK(std::count(texts[0].after.begin(), texts[0].after.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    Tree again;
    again.read_text("m.yaml", texts[0].after);
    again.finish({}, true);
    CHECK(lint::lint(again, settings, {}).items.empty());
  }
  CHECK(fixed >= 15);
}

TEST_CASE("lint fix: a diff has the changed value without the comment beside it", "[lint][fix]") {
  const std::string text =
      "# ünï\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: low  # the lowest\n  "
      "annotations:\n"
      "    größe: {a: 5}\n    size: 5   # as it is\nvalue: 8000\n";
  Tree tree;
  tree.read_text("m.yaml", text);
  tree.finish();
  Settings settings;
  settings.only = {"PO011"};
  const auto texts = fixed_texts(lint::lint(tree, settings, {}), tree);
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].fixed.size() == 1);
  CHECK(diff_of({.name = "m.yaml", .path = "m.yaml", .before = text, .after = texts[0].after}) ==
        std::vector<std::string>{"--- m.yaml", "+++ m.yaml", "@@ -8,1 +8,1 @@", "-    size: 5", "+    size: \"5\""});
}

TEST_CASE("lint fix: a key is not corrected to a key that exists beside it", "[lint][fix]") {
  Tree tree;
  tree.read_text(
      "m.yaml",
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: low\n  annotation: {a: b}\n  "
      "annotations: {c: d}\nvalue: 1\n");
  tree.finish();
  const Findings findings = lint::lint(tree, {}, {});
  REQUIRE(findings.items.size() == 1);
  CHECK(findings.items[0].rule == "PT008");
  CHECK(fixed_texts(findings, tree).empty());
}

TEST_CASE("a document of the scheduler's group without a kind is named where it begins", "[lint][configurations]") {
  const std::string text = "apiVersion: kubescheduler.config.k8s.io/v1\nkin: KubeSchedulerConfiguration\n";
  CHECK(errors_in(text) == std::vector<std::string>{"SC017 Object 'Kind' is missing"});
}
