// Times the steps of one question: load, join, explain. `bench [DUMP [NAMESPACE/POD]]`; without a dump, it generates a
// cluster of 1,000 full nodes and 20,000 pods. Prints milliseconds, the best of three runs, and bytes per second of
// loading.

#include "analysis/subject.h"
#include "api/load.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace {

using namespace previct;

auto made_up_cluster() -> std::string {
  constexpr int kNodes = 1000;
  constexpr int kPodsPerNode = 20;
  const std::string path = (std::filesystem::temp_directory_path() / "previct-bench.yaml").string();
  std::ofstream out(path);
  out << "apiVersion: v1\nitems:\n";
  for (int n = 0; n < kNodes; ++n) {
    out << fmt::format(
        "- apiVersion: v1\n  kind: Node\n  metadata: {{name: node-{0}}}\n"
        "  status:\n    allocatable: {{cpu: \"16\", memory: 64Gi, pods: \"110\"}}\n",
        n);
    for (int p = 0; p < kPodsPerNode; ++p) {
      out << fmt::format(
          "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: pod-{0}-{1}\n    namespace: team-{1}\n"
          "    creationTimestamp: \"2026-01-01T00:00:00Z\"\n  spec:\n    nodeName: node-{0}\n    priority: "
          "{2}\n"
          "    containers:\n    - name: main\n      resources:\n        requests: {{cpu: 800m, memory: "
          "2Gi}}\n"
          "  status: {{phase: Running, startTime: \"2026-01-01T00:00:{1:02}Z\"}}\n",
          n, p, (n + p) % 10);
    }
  }
  out << "- apiVersion: v1\n  kind: Pod\n  metadata: {name: big, namespace: bench}\n  spec:\n    priority: "
         "100\n"
         "    containers:\n    - name: main\n      resources:\n        requests: {cpu: \"4\", memory: 8Gi}\n"
         "kind: List\nmetadata: {resourceVersion: \"\"}\n";
  return path;
}

// Returns milliseconds, the best of three runs.
template <class Work>
auto best_of_three(Work work) -> double {
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    best = run == 0 ? ms : std::min(best, ms);
  }
  return best;
}

}  // namespace

auto main(int count, char** words) -> int {
  const std::string dump = count > 1 ? words[1] : made_up_cluster();
  const std::string pod = count > 2 ? words[2] : "bench/big";
  std::unique_ptr<Objects> objects;
  const auto fresh_load = [&] {
    objects = std::make_unique<Objects>();
    if (auto loaded = load({dump}, {}, *objects); !loaded) {
      fmt::print(stderr, "bench: {}: {}\n", objects->files.describe(loaded.error().place), loaded.error().message);
      std::exit(1);
    }
  };
  const double load_ms = best_of_three(fresh_load);
  const double megabytes = static_cast<double>(std::filesystem::file_size(dump)) / 1e6;
  fmt::print("load       {:8.1f} ms   {:.1f} MB, {:.0f} MB/s\n", load_ms, megabytes, megabytes / load_ms * 1e3);

  std::unique_ptr<Snapshot> cluster;
  fmt::print("join       {:8.1f} ms   {} pods, {} nodes\n",
             best_of_three([&] { cluster = std::make_unique<Snapshot>(*objects); }), objects->pods.size(),
             objects->nodes.size());
  const auto subject = find_subject(*cluster, pod, "default");
  if (!subject) {
    fmt::print(stderr, "bench: {}\n", subject.error().message);
    return 1;
  }
  Question question;
  question.ns = subject->ns;
  question.name = subject->name;
  question.now = objects->newest;
  for (const Engine* engine : engines()) {
    if (!engine->owns_pod(*cluster, subject->pod)) continue;
    std::string sentence;
    const double ms = best_of_three([&] {
      const auto answer = explain(*engine, *cluster, question);
      sentence = answer ? answer->sentence : answer.error().message;
    });
    fmt::print("{:<10} {:8.1f} ms   {}\n", engine->name(), ms, sentence);
  }
  return 0;
}
