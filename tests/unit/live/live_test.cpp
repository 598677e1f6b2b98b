#include "input/json_source.h"
#include "live/cluster.h"
#include "live/follow.h"
#include "live/kubectl.h"
#include "live/page.h"
#include "support/input.h"
#include "support/scratch.h"
#include "system/process.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include <poll.h>

using namespace previct;
using namespace previct::live;
using previct::test::Scratch;

namespace {

auto lines_of(const std::string& text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The cluster of fixtures/manual, served by tests/live/kubectl, in its own folder.
class FakeCluster {
 public:
  FakeCluster() {
    std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", scratch_.path());
    setenv("FAKE_CLUSTER", scratch_.path().c_str(), 1);
  }
  void put(const std::string& name, const std::string& text) const { (void)scratch_.file(name, text); }
  void forbid(const std::string& name) const {
    put(name + ".forbidden", "");
    std::filesystem::remove(std::filesystem::path(scratch_.path()) / name);
  }
  [[nodiscard]] auto read(Objects& objects, std::uint32_t page_size = 500) const -> Result<Reading> {
    const Kubectl kubectl{.program = PREVICT_SOURCE_DIR "/tests/live/kubectl",
                          .connection = {"--context=a;touch pwned"},
                          .patience = {.silence = std::chrono::milliseconds(3000)}};
    return load_cluster(kubectl, page_size, "auto", {}, objects);
  }
  /// Returns the arguments of every call, with `--` after each.
  [[nodiscard]] auto argv() const -> std::vector<std::string> {
    std::ifstream stream(scratch_.path() + "/argv", std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return lines_of(text.str());
  }

 private:
  Scratch scratch_;
};

auto failure_of(const std::string& trouble) -> std::string {
  const FakeCluster cluster;
  cluster.put("trouble", trouble);
  Objects objects;
  const auto reading = cluster.read(objects);
  return reading ? "" : reading.error().message;
}

}  // namespace

TEST_CASE("live: a program gets its arguments unchanged, with a time limit", "[live]") {
  const auto printed = system::run_program("/usr/bin/printf", {"%s|", "a b", "$(touch x)", "", ";'\""}, {});
  REQUIRE(printed);
  CHECK(printed->out == "a b|$(touch x)||;'\"|");
  CHECK(printed->status == 0);

  const auto ended = system::run_program("/bin/sh", {"-c", "echo out; echo no >&2; exit 7"}, {});
  REQUIRE(ended);
  CHECK(ended->status == 7);
  CHECK(ended->out == "out\n");
  CHECK(ended->errors == "no\n");
  CHECK(system::run_program("/bin/sh", {"-c", "kill -9 $$"}, {})->status == 128 + 9);

  CHECK_FALSE(system::run_program("/bin/sleep", {"30"}, {.silence = std::chrono::milliseconds(50)}));
  CHECK_FALSE(system::run_program("/usr/bin/yes", {}, {.most_bytes = 1000}));
  CHECK_FALSE(system::run_program("/nonexistent", {}, {}));
  CHECK(system::run_program("/bin/cat", {}, {})->out.empty());  // standard input is empty
}

TEST_CASE("live: child processes of a program are ended with it", "[live]") {
  const Scratch scratch;
  const std::string file = scratch.path() + "/started";
  const std::string inner = "sleep 300 & echo $! > " + file + ".new; mv " + file + ".new " + file + "; wait";
  const auto is_running = [&] {
    std::ifstream stream(file);
    std::string number;
    stream >> number;
    REQUIRE(!number.empty());
    std::ifstream stat("/proc/" + number + "/stat");
    std::string words;
    std::getline(stat, words);
    return !words.empty() && words.find(") Z ") == std::string::npos;  // Z as long as no process has waited for it
  };
  const auto wait_until = [](const auto& holds) {
    for (int i = 0; i < 2000 && !holds(); ++i) ::poll(nullptr, 0, 5);
    return holds();
  };
  const std::string script = "sh -c '" + inner + "' & ";
  const std::string flood = "while ! [ -e " + file + " ]; do sleep 0.01; done; yes";
  CHECK_FALSE(system::run_program("/bin/sh", {"-c", script + flood}, {.most_bytes = 1000}));
  CHECK(wait_until([&] { return !is_running(); }));
  std::filesystem::remove(file);
  {
    const auto running = system::Running::start("/bin/sh", {"-c", script + "wait"});
    REQUIRE(running);
    REQUIRE(wait_until([&] { return std::filesystem::exists(file); }));
    CHECK(is_running());
  }
  CHECK(wait_until([&] { return !is_running(); }));
}

TEST_CASE("live: the output of a program is limited", "[live]") {
  const auto shared = std::make_shared<system::SharedBytes>(100'000);
  const auto alone = system::run_program("/bin/sh", {"-c", "head -c 100000 /dev/zero"}, {.shared = shared});
  REQUIRE(alone);
  CHECK(alone->out.size() == 100'000);
  CHECK(alone->bytes.left() == 0);
  CHECK_FALSE(system::run_program("/bin/echo", {}, {.shared = shared}));
  CHECK(system::run_program("/bin/sh", {"-c", "head -c 1000 /dev/zero"}, {.most_bytes = 1000})->out.size() == 1000);
  CHECK_FALSE(system::run_program("/bin/sh", {"-c", "head -c 1001 /dev/zero"}, {.most_bytes = 1000}));
}

TEST_CASE("live: errors shorten long texts of kubectl", "[live]") {
  const Scratch scratch;
  const auto said = [&](const std::string& script) {
    const std::string program = scratch.file("kubectl", "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const Kubectl kubectl{
        .program = program, .connection = {}, .patience = {.silence = std::chrono::milliseconds(1000)}};
    const auto got = get_raw(kubectl, "/api/v1/pods?continue=" + std::string(100'000, 'x'));
    return got ? got->text : got.error().message;
  };
  CHECK(said("sleep 300\n").size() < 1000);
  CHECK(said("head -c 9000 /dev/zero | tr '\\0' e >&2; exit 1\n").size() < 1000);
  CHECK(said("printf 'Error from server (Forbidden): %09000d' 1 >&2; exit 1\n").size() < 1000);
}

TEST_CASE("live: a program is not taken from the working folder", "[live]") {
  const Scratch scratch;
  const std::string file = scratch.file("bin/kubectl", "#!/bin/sh\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const std::string folder = scratch.path() + "/bin";
  CHECK(system::find_program("kubectl", folder).value() == file);
  CHECK(system::find_program("kubectl", "::/nonexistent:" + folder + ":").value() == file);
  CHECK(system::find_program(file, "").value() == file);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  CHECK_FALSE(system::find_program("kubectl", ""));
  CHECK_FALSE(system::find_program("kubectl", ":/nonexistent:"));
  std::filesystem::current_path(here);
  CHECK_FALSE(system::find_program(scratch.file("bin/data", ""), folder));  // not executable
}

TEST_CASE("live: a page is read as a whole list, and its token is returned", "[live]") {
  for (
      const std::string text :
      {R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"abc"},"items":[{"metadata":{"continue":"no"}}]})",
       R"({"items":[{"metadata":{"continue":"no"}}],"kind":"PodList","metadata":{"continue":"abc","resourceVersion":"7"}})"}) {
    std::vector<ListMeta> told;
    const auto source = page_source(json_source(text, FileId{}), [&](const ListMeta& meta) { told.push_back(meta); });
    std::string tokens;
    for (auto event = source->next(); event && event->type != EventType::end_stream; event = source->next()) {
      if (event->type == EventType::scalar && (event->text == "abc" || event->text == "no")) tokens += event->text;
    }
    CHECK(tokens == "no");
    REQUIRE(told.size() == 1);
    CHECK(told[0].continue_token == "abc");
    CHECK(told[0].resource_version == "7");
  }
}

TEST_CASE("live: a token before the items is removed from the text", "[live]") {
  std::string text =
      R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"abc"},"items":[{"metadata":{"name":"abc"}}]})";
  const auto meta = take_meta(text, FileId{});
  REQUIRE(meta);
  CHECK(meta->continue_token == "abc");
  CHECK(meta->resource_version == "7");
  CHECK(text ==
        R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":""},"items":[{"metadata":{"name":"abc"}}]})");

  // The token may be the text of another value.
  std::string alike = R"({"metadata":{"resourceVersion":"1","continue":"1"},"items":[]})";
  REQUIRE(take_meta(alike, FileId{}));
  CHECK(alike == R"({"metadata":{"resourceVersion":"1","continue":""},"items":[]})");

  for (const std::string left : {R"({"items":[],"metadata":{"continue":"abc"}})",                   // too late
                                 R"({"metadata":{"continue":"a\u0062c"},"items":[{"name":"x"}]})",  // other spelling
                                 R"({"metadata":{"continue":"abc)", "", "[]"}) {
    std::string same = left;
    CHECK_FALSE(take_meta(same, FileId{}));
    CHECK(same == left);
  }
}

TEST_CASE("live: a cluster is read page by page, and only what is needed", "[live]") {
  const FakeCluster cluster;
  Objects objects;
  const auto reading = cluster.read(objects);
  REQUIRE(reading);
  CHECK(objects.pods.size() == 7);
  CHECK(objects.nodes.size() == 4);
  CHECK(objects.disruption_budgets.size() == 1);
  CHECK(objects.listed.at("Pod") == 7);
  // A pending pod requests an extended resource; this API server does not know the devices that may provide it.
  REQUIRE(reading->refused.size() == 4);
  for (const Refused& refused : reading->refused) CHECK_FALSE(refused.forbidden);
  CHECK(reading->pages == 6);  // five kinds, two pages of pods
  CHECK(objects.read.fast > 0);
  CHECK(objects.read.general == 0);
  // They are requested concurrently, in any order; the arguments of each call are together.
  auto argv = cluster.argv();
  REQUIRE(argv.size() == 40);
  std::vector<std::string> asked;
  for (std::size_t i = 0; i < argv.size(); i += 4) {
    CHECK(argv[i] == "get");
    asked.push_back(argv[i + 1]);
    CHECK(argv[i + 2] == "--context=a;touch pwned");
    CHECK(argv[i + 3] == "--");
  }
  std::sort(asked.begin(), asked.end());
  CHECK(asked == std::vector<std::string>{"--raw=/api/v1/namespaces?limit=500", "--raw=/api/v1/nodes?limit=500",
                                          "--raw=/api/v1/pods?limit=500", "--raw=/api/v1/pods?limit=500&continue=p2",
                                          "--raw=/apis/policy/v1/poddisruptionbudgets?limit=500",
                                          "--raw=/apis/resource.k8s.io/v1/deviceclasses?limit=500",
                                          "--raw=/apis/resource.k8s.io/v1/devicetaintrules?limit=500",
                                          "--raw=/apis/resource.k8s.io/v1/resourceclaims?limit=500",
                                          "--raw=/apis/resource.k8s.io/v1/resourceslices?limit=500",
                                          "--raw=/apis/scheduling.k8s.io/v1/priorityclasses?limit=500"});
}

TEST_CASE("live: pages of two states are not combined", "[live]") {
  const FakeCluster cluster;
  cluster.put("api.v1.pods_continue=p2",
              R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"4712"},"items":[]})");
  Objects objects;
  const auto reading = cluster.read(objects);
  REQUIRE_FALSE(reading);
  CHECK(reading.error().message == "pods: the pages of the list have different versions (4711 and 4712)");
}

TEST_CASE("live: a list whose continuation has expired is read again, once and in one piece", "[live]") {
  const FakeCluster cluster;
  cluster.put("api.v1.pods_continue=p2.expired", "");
  Objects objects;
  {
    const auto twice = cluster.read(objects);
    REQUIRE_FALSE(twice);
    CHECK(twice.error().message == "pods: the list expired twice during reading");
  }
  cluster.put("api.v1.pods.whole",
              R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"4800"},"items":[)"
              R"({"metadata":{"namespace":"ml","name":"only"},"spec":{"schedulerName":"default-scheduler"}}]})");
  Objects anew;
  const auto reading = cluster.read(anew);
  REQUIRE(reading);
  CHECK(anew.pods.size() == 1);  // nothing is left of the first attempt
  CHECK(anew.listed.at("Pod") == 1);
  CHECK(anew.counts.at("Pod") == 1);
  CHECK(anew.nodes.size() == 4);
  CHECK(reading->restarted == std::vector<std::string>{"pods"});
  CHECK(reading->lists.front().first->kind == &kinds::pods);
  CHECK(reading->lists.front().second == "4800");
  const auto argv = cluster.argv();
  CHECK(std::find(argv.begin(), argv.end(), "--raw=/api/v1/pods") != argv.end());
}

TEST_CASE("live: completion reads one page of one kind", "[live]") {
  const FakeCluster cluster;
  const Kubectl kubectl{.program = PREVICT_SOURCE_DIR "/tests/live/kubectl", .connection = {}, .patience = {}};
  Objects objects;
  REQUIRE(load_some(kubectl, kinds::nodes, "", 100, objects));
  CHECK(objects.nodes.size() == 4);
  CHECK_FALSE(load_some(kubectl, kinds::pods, "m/l?x", 100, objects));
  CHECK(cluster.argv() == std::vector<std::string>{"get", "--raw=/api/v1/nodes?limit=100", "--", "get",
                                                   "--raw=/api/v1/namespaces/m%2Fl%3Fx/pods?limit=100", "--"});
}

TEST_CASE("live: kinds that a user may not list are omitted and reported; pods and nodes are required", "[live]") {
  const FakeCluster cluster;
  cluster.forbid("apis.policy.v1.poddisruptionbudgets");
  Objects objects;
  const auto reading = cluster.read(objects);
  REQUIRE(reading);
  std::vector<std::string> forbidden;
  for (const Refused& refused : reading->refused) {
    if (refused.forbidden) forbidden.emplace_back(refused.resource->kind->store_name);
  }
  CHECK(forbidden == std::vector<std::string>{"PodDisruptionBudget"});
  CHECK_FALSE(objects.listed.contains("policy/PodDisruptionBudget"));

  cluster.forbid("api.v1.nodes");
  Objects none;
  const auto refused = cluster.read(none);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("nodes cannot be listed: Error from server (Forbidden)") == 0);
}

TEST_CASE("live: for a user of one namespace, its objects are read", "[live]") {
  const FakeCluster cluster;
  cluster.forbid("api.v1.pods");
  cluster.forbid("api.v1.nodes");
  cluster.put("api.v1.namespaces.ml.pods",
              R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[)"
              R"({"metadata":{"namespace":"ml","name":"mine"},"spec":{"schedulerName":"default-scheduler"}}]})");
  const Kubectl kubectl{
      .program = PREVICT_SOURCE_DIR "/tests/live/kubectl", .connection = {}, .patience = {}, .ns = "ml"};
  Objects objects;
  const auto reading = load_cluster(kubectl, 500, "auto", {}, objects);
  REQUIRE(reading);
  CHECK(objects.pods.size() == 1);
  CHECK(reading->ns == "ml");
  CHECK(reading->of_one_namespace.size() == 1);
  REQUIRE(reading->refused.size() == 1);  // nodes have no namespace
  CHECK(reading->refused[0].resource->kind == &kinds::nodes);
}

TEST_CASE("live: for a user of one namespace, the controllers of its pods are read", "[live]") {
  const FakeCluster cluster;
  cluster.put("apis.batch.v1.jobs.forbidden", "");
  cluster.put("api.v1.limitranges.forbidden", "");
  cluster.put("apis.batch.v1.namespaces.ml.jobs",
              R"({"kind":"JobList","apiVersion":"batch/v1","metadata":{"resourceVersion":"9"},"items":[)"
              R"({"metadata":{"namespace":"ml","name":"mine"},"spec":{"backoffLimit":1}},)"
              R"({"metadata":{"namespace":"ml","name":"other"},"spec":{"backoffLimit":1}}]})");
  const Kubectl kubectl{
      .program = PREVICT_SOURCE_DIR "/tests/live/kubectl", .connection = {}, .patience = {}, .ns = "ml"};
  Objects objects;
  Job known;
  known.meta.ns = objects.symbols.intern("ml");
  known.meta.name = objects.symbols.intern("mine");
  objects.jobs.push_back(known);
  const auto refused = load_controllers(kubectl, 500, objects);
  REQUIRE(refused);
  // A Job that is there is not added again.
  std::vector<std::string> seen;
  for (const Job& job : objects.jobs) seen.emplace_back(objects.symbols.text(job.meta.name));
  CHECK(seen == std::vector<std::string>{"mine", "other"});
  CHECK_FALSE(objects.jobs[0].spec.backoff_limit);
  std::vector<std::string> forbidden;
  for (const Refused& each : *refused) {
    if (each.forbidden)
      forbidden.push_back(std::string(each.resource->kind->store_name) + (each.own_listed ? " of ml" : ""));
  }
  CHECK(forbidden == std::vector<std::string>{"Job of ml", "LimitRange"});
}

TEST_CASE("live: for a pod that is gone, its events are requested", "[live]") {
  const FakeCluster cluster;
  cluster.put(
      "api.v1.namespaces.ml.events_fieldSelector=involvedObject.kind%3DPod%2CinvolvedObject.name%3Dgone",
      R"({"kind":"EventList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"namespace":"ml","name":"e"},)"
      R"("involvedObject":{"kind":"Pod","namespace":"ml","name":"gone"},"reason":"Preempted","message":"by x"}]})");
  const Kubectl kubectl{.program = PREVICT_SOURCE_DIR "/tests/live/kubectl", .connection = {}, .patience = {}};
  Objects objects;
  REQUIRE(load_events_of(kubectl, "ml", "gone", objects));
  REQUIRE(objects.events.size() == 1);
  CHECK(objects.symbols.text(objects.events[0].note) == "by x");
}

TEST_CASE("live: a watch keeps the state, and lists again only if its version has expired", "[live]") {
  const FakeCluster cluster;
  Objects objects;
  const Kubectl kubectl{.program = PREVICT_SOURCE_DIR "/tests/live/kubectl", .connection = {}, .patience = {}};
  auto reading = load_cluster(kubectl, 500, "kube", {}, objects);
  REQUIRE(reading);
  const std::size_t pods = objects.pods.size();
  const std::string watch = "?watch=1&allowWatchBookmarks=true&resourceVersion=";
  // One of the pods of version 4711 is new, and an old one is gone; the nodes' version has expired.
  const Symbol name = objects.pods[PodId{0}].meta.name;
  const std::string first(objects.symbols.text(name));
  cluster.put(
      "api.v1.pods_watch=1_allowWatchBookmarks=true_resourceVersion=4711",
      R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"ml","name":"new",)"
      R"("resourceVersion":"4801"},"spec":{}}})"
      "\n"
      R"({"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":")" +
          std::string(objects.symbols.text(objects.pods[PodId{0}].meta.ns)) + R"(","name":")" + first +
          R"(","resourceVersion":"4802"},"spec":{}}})"
          "\n"
          R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"4900"}}})"
          "\n");
  Follower follower(kubectl, 500, "kube", {}, objects, *reading);
  const auto news = follower.wait(std::chrono::seconds(20));
  REQUIRE(news);
  CHECK(news->changed);
  CHECK(objects.pods.size() == pods);  // one more, one less
  const auto has = [&](const std::string& pod) {
    return std::any_of(objects.pods.begin(), objects.pods.end(),
                       [&](const Pod& each) { return objects.symbols.text(each.meta.name) == pod; });
  };
  CHECK(has("new"));
  CHECK_FALSE(has(first));
  CHECK(follower.may_watch());
}

TEST_CASE("live: every failure of kubectl is reported", "[live]") {
  CHECK(failure_of("unauthorized") ==
        "kubectl get failed (exit 1): error: You must be logged in to the server (Unauthorized)");
  CHECK(failure_of("half-failing") == "kubectl get failed (exit 1): unexpected EOF");
  CHECK(failure_of("killed") == "kubectl get failed (exit 137): it does not say why");
  CHECK(failure_of("silent").find("no output for 3 s") != std::string::npos);
  CHECK_FALSE(failure_of("half").empty());
}

TEST_CASE("live: events are requested only for questions about the past, and only relevant ones", "[live]") {
  const auto wanted = needed_for(Objects{}, "kube", {.volumes = false, .history = true});
  std::string selectors;
  for (const Resource& resource : resources()) {
    if (wanted(resource) && resource.kind == &kinds::events) selectors += std::string(resource.selector) + ' ';
  }
  CHECK(selectors ==
        "reason%3DPreempted reason%3DEvict reason%3DInformational reason%3DEvicted reason%3DPreempting "
        "reason%3DTaintManagerEviction reason%3DDisrupted reason%3DScaleDown reason%3DEvictedByVPA "
        "reason%3DFailedScheduling reason%3DScheduled reason%3DNotSet reason%3DHighNodeUtilization "
        "reason%3DLowNodeUtilization reason%3DPodLifeTime reason%3DRemoveDuplicates reason%3DRemoveFailedPods "
        "reason%3DRemovePodsHavingTooManyRestarts reason%3DRemovePodsViolatingInterPodAntiAffinity "
        "reason%3DRemovePodsViolatingNodeAffinity reason%3DRemovePodsViolatingNodeTaints "
        "reason%3DRemovePodsViolatingTopologySpreadConstraint ");
}

TEST_CASE("live: kinds are requested only if pods need them", "[live]") {
  const auto kinds = [](const std::string& spec, const std::string& engine) {
    Objects objects;
    REQUIRE(
        test::read_text(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":)" + spec + "}", objects));
    const auto wanted = needed_for(objects, engine, {});
    std::string names;
    for (const Resource& resource : resources()) {
      if (wanted(resource) && resource.need != Need::always) names += std::string(resource.kind->plural) + ' ';
    }
    return names;
  };
  CHECK(kinds(R"({"containers":[]})", "auto") == "poddisruptionbudgets ");
  CHECK(kinds(R"({"containers":[],"schedulerName":"yunikorn"})", "auto") == "configmaps configmaps ");
  CHECK(kinds(R"({"containers":[],"schedulerName":"kai-scheduler"})", "auto") ==
        "podgroups queues bindrequests schedulingshards configs topologies poddisruptionbudgets ");
  CHECK(kinds(R"({"containers":[],"schedulerName":"kai-scheduler"})", "kube") == "poddisruptionbudgets ");
  CHECK(kinds(R"({"containers":[],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]})", "kube") ==
        "poddisruptionbudgets persistentvolumeclaims persistentvolumes storageclasses csinodes csidrivers "
        "csistoragecapacities volumeattachments ");
  // A DeviceClass may provide an extended resource; KAI does not support this.
  const std::string gpu = R"({"containers":[{"name":"c","resources":{"limits":{"cpu":"1","nvidia.com/gpu":"1"}}}])";
  CHECK(kinds(gpu + "}", "auto") ==
        "poddisruptionbudgets resourceclaims deviceclasses resourceslices devicetaintrules ");
  CHECK(kinds(gpu + R"(,"schedulerName":"kai-scheduler"})", "auto").find("deviceclasses") == std::string::npos);
  CHECK(kinds(R"({"containers":[{"name":"c","resources":{"limits":{"cpu":"1","hugepages-2Mi":"2Mi"}}}]})", "auto") ==
        "poddisruptionbudgets ");
}

TEST_CASE("live: a background program that keeps the output open is not waited for", "[live]") {
  const auto begin = std::chrono::steady_clock::now();
  const auto ended = system::run_program("/bin/sh", {"-c", "sleep 20 & echo all"}, {});
  REQUIRE(ended);
  CHECK(ended->out == "all\n");
  CHECK(ended->held);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("live: an unexpected or endless list is refused", "[live]") {
  const auto read = [](const std::string& pods) {
    const FakeCluster cluster;
    cluster.put("api.v1.pods", pods);
    Objects objects;
    const auto reading = cluster.read(objects);
    return reading ? "" : reading.error().message;
  };
  const std::string pod = R"({"metadata":{"name":"a"},"spec":{"containers":[]}})";
  CHECK(read("") == "pods: expected a PodList, found no list");
  CHECK(read(R"({"kind":"SecretList","apiVersion":"v1","metadata":{},"items":[]})") ==
        "pods: expected a PodList, found SecretList");
  CHECK(read(R"({"metadata":{},"items":[]})") == "pods: expected a PodList, found a list without a kind");
  CHECK(
      read(
          R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"kind":"Secret","metadata":{"name":"s"}}]})") ==
      "pods: expected a PodList, found an item of kind Secret");
  const FakeCluster endless;
  const std::string page =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":"A"},"items":[)" + pod + "]}";
  endless.put("api.v1.pods", page);
  endless.put("api.v1.pods_continue=A", page);
  Objects objects;
  const auto reading = endless.read(objects);
  REQUIRE_FALSE(reading);
  CHECK(reading.error().message == "pods: the list does not end: the same page comes again");
}

TEST_CASE("live: an object that a cluster lists twice counts once, with a warning", "[live]") {
  const FakeCluster cluster;
  const std::string node = R"({"metadata":{"name":"n"},"status":{}})";
  cluster.put("api.v1.nodes", R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[)" +
                                  node + "," + node + "]}");
  Objects objects;
  REQUIRE(cluster.read(objects));
  CHECK(objects.nodes.size() == 1);
  CHECK_FALSE(objects.diagnostics.empty());
}

TEST_CASE("live: running programs are ended when previct is interrupted", "[live]") {
  auto sleeping = system::Running::start("/bin/sleep", {"60"});
  REQUIRE(sleeping);
  system::kill_running_programs();
  CHECK(sleeping->status() == 128 + SIGKILL);
  system::kill_running_programs();  // ended programs are left alone: their PID may belong to another process
}
