#include "support/workloads.h"

#include <fmt/format.h>

#include <array>

namespace previct::test {
namespace {

constexpr std::array<std::string_view, 40> kOdd = {
    "12",     "\"12\"",   "0x1f",     "1e3",      "7e21f",        "-x",   "- x",  "--",    "--a=b,c", ":80",
    ":",      "?x",       "? x",      "yes",      "\"yes\"",      "null", "~",    "\"\"",  "''",      "'a'",
    "'a''b'", "\"a\\n\"", "\"a\\q\"", "\"a\" b",  "a: b",         "a:",   "a #b", "a#b",   "a  b",    "a b ",
    "{}",     "{a: b}",   "[a, b]",   "\xc3\xa9", "\xe2\x80\xa8", "&a b", "*a",   "|-\nx", ">\nx",    "a\nb"};

}  // namespace

auto WorkloadMaker::word() -> std::string {
  constexpr std::string_view kLetters = "0123456789abcdef";
  std::string text = odd_ ? "" : "x";  // not a number
  for (std::size_t n = 1 + below(odd_ ? 12 : 40); n > 0; --n) text += kLetters[below(kLetters.size())];
  return text;
}

auto WorkloadMaker::time() -> std::string {
  return fmt::format("\"2026-{:02}-{:02}T{:02}:{:02}:{:02}Z\"", 1 + below(12), 1 + below(28), below(24), below(60),
                     below(60));
}

auto WorkloadMaker::quantity() -> std::string {
  constexpr std::array<std::string_view, 6> kQuantities = {"100m", "\"2\"", "1536Mi", "4Gi", "1500m", "\"0.5\""};
  return std::string(kQuantities[below(kQuantities.size())]);
}

auto WorkloadMaker::value(std::string usual, std::size_t column) -> std::string {
  if (!odd_ || below(20) > 0) return usual;
  std::string text(kOdd[below(kOdd.size())]);
  // A text on several lines is indented as the position requires, or by one more or less.
  if (const std::size_t feed = text.find('\n'); feed != std::string::npos) {
    text.insert(feed + 1, column + 1 + below(3), ' ');
  }
  return text;
}

void WorkloadMaker::container(std::string& out, std::string_view name, std::size_t workload) {
  const auto line = [&](std::string_view key, std::string text, std::size_t column) {
    out += fmt::format("{}{}\n", key, value(std::move(text), column));
  };
  out += "    - args:\n";
  line("      - ", "--config=" + word(), 6);
  line("      - ", odd_ && below(8) == 0 ? "--feature-gates=" + word() : ":8080", 6);
  if (workload != 2) {
    out += "      env:\n      - name: A\n";
    line("        value: ", fmt::format("'{{\"n\":{}}}'", below(100)), 8);
    out += "      - name: B\n        valueFrom:\n          configMapKeyRef:\n            key: k\n";
    line("            name: ", "config-" + word(), 12);
  }
  line("      image: ", fmt::format("registry/{}:v1.{}", word(), below(40)), 6);
  out += fmt::format("      name: {}\n", name);
  if (workload == 1) out += "      ports:\n      - containerPort: 80\n        hostPort: 8080\n        protocol: TCP\n";
  out += "      resources:\n        limits:\n";
  line("          cpu: ", quantity(), 10);
  line("          memory: ", quantity(), 10);
  out += "        requests:\n";
  line("          memory: ", quantity(), 10);
  out += "      volumeMounts:\n      - mountPath: /data\n";
  line("        name: ", "data-" + word(), 8);
}

void WorkloadMaker::conditions(std::string& out) {
  const std::string at = time();
  for (const std::string_view type : {"Initialized", "Ready"}) {
    out += "    - lastProbeTime: null\n";
    out += fmt::format("      lastTransitionTime: {}\n      status: {}\n      type: {}\n", value(at, 6),
                       value("\"True\"", 6), type);
  }
}

auto WorkloadMaker::pod() -> std::string {
  const std::size_t workload = below(6);
  std::string out = "- apiVersion: v1\n  kind: Pod\n  metadata:\n    annotations:\n";
  const auto line = [&](std::string_view key, std::string text, std::size_t column) {
    out += fmt::format("{}{}\n", key, value(std::move(text), column));
  };
  line("      checksum/config: ", word(), 6);
  if (workload == 3)
    out += fmt::format("      network: |-\n        [\n\n          \"10.0.0.{}\"\n        ]\n", below(256));
  line("    creationTimestamp: ", time(), 4);
  out += "    labels:\n";
  line("      app: ", fmt::format("app-{}", below(9)), 6);
  line("      team: ", word(), 6);
  out += fmt::format("    name: w{}-{}\n    namespace: team-{}\n", workload, random_(), below(5));
  if (workload > 0) {
    out += "    ownerReferences:\n    - apiVersion: apps/v1\n      controller: true\n      kind: ReplicaSet\n";
    line("      name: ", "owner-" + word(), 6);
    line("      uid: ", word(), 6);
  }
  line("    uid: ", word(), 4);
  out += "  spec:\n";
  if (workload == 4) {
    out +=
        "    affinity:\n      podAntiAffinity:\n        requiredDuringSchedulingIgnoredDuringExecution:\n"
        "        - labelSelector:\n            matchLabels:\n";
    line("              app: ", fmt::format("app-{}", below(9)), 14);
    out += "          topologyKey: kubernetes.io/hostname\n";
  }
  out += "    containers:\n";
  container(out, "main", workload);
  if (workload % 2 == 1) container(out, "sidecar", workload);
  line("    nodeName: ", fmt::format("node-{}", below(100)), 4);
  line("    priority: ", fmt::format("{}", below(1000)), 4);
  out += "    tolerations:\n    - effect: NoExecute\n      key: not-ready\n      operator: Exists\n";
  line("      tolerationSeconds: ", fmt::format("{}", below(400)), 6);
  out += "    volumes:\n";
  if (workload == 5) out += fmt::format("    - emptyDir: {{}}\n      name: scratch-{}\n", word());
  out += "    - name: data\n      persistentVolumeClaim:\n";
  line("        claimName: ", "data-" + word(), 8);
  out += "  status:\n    conditions:\n";
  conditions(out);
  out += "    containerStatuses:\n    - allocatedResources:\n";
  line("        cpu: ", quantity(), 8);
  line("      containerID: ", "containerd://" + word(), 6);
  out += "      name: main\n";
  line("    phase: ", "Running", 4);
  line("    podIP: ", fmt::format("10.0.{}.{}", below(256), below(256)), 4);
  line("    startTime: ", time(), 4);
  return out;
}

auto WorkloadMaker::list(std::size_t pods) -> std::string {
  std::string text = "apiVersion: v1\nitems:\n";
  for (; pods > 0; --pods) text += pod();
  return text + "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

}  // namespace previct::test
