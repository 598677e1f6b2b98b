#include "base/instant.h"
#include "base/text.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/source.h"
#include "system/process.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using previct::test::Scratch;

namespace {

// A pod of fixtures/manual/cluster, changed, as a watch sends it.
auto event(const std::string& type, const std::string& name, int version, const std::string& spec) -> std::string {
  return fmt::format(
      R"({{"type":"{}","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{}","namespace":"ml","resourceVersion":"{}",)"
      R"("uid":"{}-uid"}},"spec":{{"containers":[{{"name":"c","resources":{{"requests":{{"nvidia.com/gpu":"4"}}}}}}],{}}}}}}})",
      type, name, version, name, spec);
}

}  // namespace

TEST_CASE("watch: answers again when victims change, and after an error", "[live][watch]") {
  const Scratch scratch;
  const std::string cluster = scratch.path() + "/cluster";
  std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", cluster);
  const std::string pending = R"("priority":10000,"schedulerName":"default-scheduler","tolerations":[])";
  const std::string on_gpu_4 =
      R"("priority":7000,"nodeName":"gpu-4","schedulerName":"default-scheduler","tolerations":[])";
  // The victim on gpu-4 is replaced by another pod of the same size and lower priority; then the pending pod is deleted
  // and created again.
  const std::string victims_change =
      event("DELETED", "epoch-run-4", 5001, on_gpu_4) + "\n" + event("ADDED", "epoch-run-9", 5002, on_gpu_4) + "\n";
  (void)scratch.file("victims", victims_change);
  (void)scratch.file("goes", event("DELETED", "train-big-0", 5003, pending) + "\n");
  (void)scratch.file("comes", event("ADDED", "train-big-0", 5004, pending) + "\n");
  const std::string script = fmt::format(
      R"sh(cd '{0}' && events=cluster/api.v1.pods.events && : > $events
export FAKE_CLUSTER='{0}/cluster'
'{1}/previct' explain -n ml train-big-0 --engine kube --watch --kubectl '{2}/tests/live/kubectl' > out 2> err & pid=$!
answers() {{
  for i in $(seq 200); do [ "$(grep -c 'would preempt' out)" -ge $1 ] && return; sleep 0.1; done
  echo "no answer $1"
}}
answers 1; cat victims >> $events
answers 2; cat goes >> $events
for i in $(seq 200); do [ -s err ] && break; sleep 0.1; done
cat comes >> $events
answers 3; kill $pid; wait $pid
grep -o 'would preempt.*' out; grep -o '^ml/epoch-run-.' out; grep -c '^previct: error: no pod ml/train-big-0' err)sh",
      scratch.path(), previct::test::program_folder(), PREVICT_SOURCE_DIR);
  const auto ended = previct::system::run_program("/bin/sh", {"-c", script}, {});
  REQUIRE(ended);
  CHECK(ended->out ==
        "would preempt ml/epoch-run-4 on gpu-4.\nwould preempt ml/epoch-run-9 on gpu-4.\n"
        "would preempt ml/epoch-run-9 on gpu-4.\n"
        "ml/epoch-run-4\nml/epoch-run-9\nml/epoch-run-9\n1\n");
}

TEST_CASE("watch: answers again when a toleration ends", "[live][watch]") {
  const Scratch scratch;
  const std::string cluster = scratch.path() + "/cluster";
  std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", cluster);
  // The class tolerates for half an hour. The toleration of resize-img-2kq8x is over, that of epoch-run-3 ends soon,
  // and that of epoch-run-4 later. One victim on gpu-3 is then better than two on gpu-2.
  const previct::Instant now{std::time(nullptr), 0};
  std::string pods = previct::test::read_all(cluster + "/api.v1.pods_continue=p2");
  for (const auto& [before, seconds] :
       {std::pair("2026-11-20T22:06:55Z", -2400), {"2026-11-20T22:28:30Z", -1800 + 10}, {"2026-11-20T22:40:10Z", 0}}) {
    REQUIRE(pods.find(before) != std::string::npos);
    for (std::size_t at = pods.find(before); at != std::string::npos; at = pods.find(before, at))
      pods.replace(at, std::strlen(before), previct::format_instant(now.plus_seconds(seconds)));
  }
  (void)scratch.file("cluster/api.v1.pods_continue=p2", pods);
  (void)scratch.file("cluster/api.v1.pods.events", "");
  const std::string script = fmt::format(
      R"sh(cd '{0}' && export FAKE_CLUSTER='{0}/cluster'
'{1}/previct' explain -n ml train-big-0 --engine kube --watch --kubectl '{2}/tests/live/kubectl' > out 2> err & pid=$!
for i in $(seq 400); do [ "$(grep -c 'would preempt' out)" -ge 2 ] && break; sleep 0.1; done
kill $pid; wait $pid
grep -o 'would preempt.*' out)sh",
      scratch.path(), previct::test::program_folder(), PREVICT_SOURCE_DIR);
  const auto ended = previct::system::run_program("/bin/sh", {"-c", script}, {});
  REQUIRE(ended);
  CHECK(ended->out == "would preempt 2 pods on gpu-2.\nwould preempt ml/epoch-run-3 on gpu-3.\n");
}

// `poddisruptionbudgets` may not be listed, which each of the two answers warns of; that pods may not be watched is
// said once between them.
TEST_CASE("watch: each answer has its own warnings, and formats for programs have no other lines", "[live][watch]") {
  const Scratch scratch;
  const std::string cluster = scratch.path() + "/cluster";
  std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", cluster);
  const std::string script = fmt::format(
      R"sh(cd '{0}' && : > cluster/api.v1.pods.unwatched && export FAKE_CLUSTER='{0}/cluster'
mv cluster/apis.policy.v1.poddisruptionbudgets cluster/apis.policy.v1.poddisruptionbudgets.forbidden
'{1}/previct' explain -n ml train-big-0 --engine kube --now 2026-11-20T22:41:07Z -o name -o text=answer --watch \
  --interval 100ms --kubectl '{2}/tests/live/kubectl' > out 2> err & pid=$!
for i in $(seq 200); do grep -q 'cannot watch' err && break; sleep 0.1; done
sed -i s/9000/1/g 'cluster/api.v1.pods_continue=p2'
for i in $(seq 200); do grep -q 'stays pending' answer && break; sleep 0.1; done
kill $pid; wait $pid
cat out; grep -o 'cannot [a-z]*' err; grep -c 'the answer has changed' answer)sh",
      scratch.path(), previct::test::program_folder(), PREVICT_SOURCE_DIR);
  const auto ended = previct::system::run_program("/bin/sh", {"-c", script}, {});
  REQUIRE(ended);
  // The victims on gpu-2; with priority 1, the pod has none.
  CHECK(ended->out == "ml/nightly-eval-7f9c4\nbatch/resize-img-2kq8x\ncannot list\ncannot watch\ncannot list\n0\n");
}

// Watches of pods fail, so that each is started again after 1 s; their reason is said at the first time only.
TEST_CASE("watch: says why a watch ended, once for each reason", "[live][watch]") {
  const Scratch scratch;
  const std::string cluster = scratch.path() + "/cluster";
  std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", cluster);
  (void)scratch.file("cluster/api.v1.pods.unwatched", "error: unexpected EOF\n");
  const std::string script = fmt::format(
      R"sh(cd '{0}' && : > cluster/argv && export FAKE_CLUSTER='{0}/cluster'
'{1}/previct' explain -n ml train-big-0 --engine kube --toleration-plugin off --watch --kubectl '{2}/tests/live/kubectl' > out 2> err & pid=$!
for i in $(seq 200); do [ "$(grep -c 'v1/pods?watch' cluster/argv)" -ge 3 ] && break; sleep 0.1; done
kill $pid; wait $pid
cat err; grep -c 'would preempt' out)sh",
      scratch.path(), previct::test::program_folder(), PREVICT_SOURCE_DIR);
  const auto ended = previct::system::run_program("/bin/sh", {"-c", script}, {});
  REQUIRE(ended);
  CHECK(ended->out == "previct: error: error: unexpected EOF\nprevict: interrupted\n1\n");
}
