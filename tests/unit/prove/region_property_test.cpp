#include "engine/engine.h"
#include "prove/always_fits.h"
#include "prove/cells.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

namespace previct::prove {
namespace {

constexpr std::string_view kStart = "2026-03-02T12:00:00Z";

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  auto upto(std::int64_t most) -> std::int64_t {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most + 1));
  }
  template <class T>
  auto of(const std::vector<T>& all) -> const T& {
    return all[static_cast<std::size_t>(upto(static_cast<std::int64_t>(all.size()) - 1))];
  }
  auto one_in(std::int64_t n) -> bool { return upto(n - 1) == 0; }

 private:
  std::mt19937_64 engine_;
};

// The documents of a small cluster: full nodes, tolerations that end, budgets, equal pods, a nominated pod.
auto random_documents(Random& random) -> std::vector<std::string> {
  std::vector<std::string> documents;
  constexpr std::string_view kPrefix = "preemption-toleration.scheduling.x-k8s.io/";
  const bool tolerations = random.one_in(2);
  for (int i = 0; i < 3; ++i) {
    std::string annotations = "{}";
    if (tolerations && i > 0) {
      annotations = fmt::format("{{{0}minimum-preemptable-priority: \"{1}\", {0}toleration-seconds: \"{2}\"}}", kPrefix,
                                random.upto(6) * 5, random.one_in(4) ? -1 : random.upto(3) * 1800);
    }
    documents.push_back(test::a_class(fmt::format("c{}", i), static_cast<int>(i * 5), annotations));
  }
  const auto nodes = 1 + random.upto(1);
  for (int node = 0; node < nodes; ++node) {
    documents.push_back(
        fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: n{}}}\n{}status:\n"
                    "  allocatable: {{cpu: \"{}\", memory: {}Mi, example.com/gpu: \"{}\", pods: \"{}\"}}\n",
                    node, random.one_in(3) ? "spec: {taints: [{key: a, effect: NoSchedule}]}\n" : "",
                    1 + random.upto(7), 256 * (1 + random.upto(7)), random.upto(4), 2 + random.upto(6)));
    for (std::int64_t pod = random.upto(5); pod >= 0; --pod) {
      const std::int64_t rank = random.upto(2);
      std::string started;
      if (!random.one_in(12)) started = fmt::format("startTime: \"2026-03-02T1{}:00:00Z\", ", random.upto(1));
      documents.push_back(fmt::format(
          "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: p{0}-{1}, labels: {{app: a{2}}}}}\n"
          "spec:\n  priorityClassName: c{3}\n  priority: {4}\n  nodeName: n{0}\n  containers:\n  - name: main\n"
          "    resources: {{requests: {{cpu: {5}m, memory: {6}Mi, example.com/gpu: \"{7}\"}}}}\n"
          "status: {{phase: Running, {8}conditions: [{{type: PodScheduled, status: \"True\", "
          "lastTransitionTime: \"2026-03-02T11:{9}:00Z\"}}]}}\n",
          node, pod, random.upto(1), rank, rank * 5, random.upto(4) * 400, random.upto(4) * 128, random.upto(1),
          started, 10 + random.upto(49)));
    }
  }
  for (int i = 0; i < 2; ++i) {
    if (random.one_in(2))
      documents.push_back(
          test::a_budget(fmt::format("x/b{}", i), fmt::format("a{}", i), static_cast<int>(random.upto(2))));
  }
  if (random.one_in(2)) documents.push_back(test::a_pod("x/waiting").priority(7).cpu("500m").nominated("n0").yaml());
  return documents;
}

// A node that two zones and a taint tell apart.
auto a_zoned_node(Random& random, std::int64_t index) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: n{0}, labels: {{kubernetes.io/hostname: n{0}, zone: z{1}}}}}\n{2}"
      "status:\n  allocatable: {{cpu: \"{3}\", memory: {4}Mi, pods: \"{5}\"}}\n",
      index, random.upto(1), random.one_in(4) ? "spec: {taints: [{key: a, effect: NoSchedule}]}\n" : "",
      1 + random.upto(5), 512 * (1 + random.upto(4)), 2 + random.upto(5));
}

// What pods have besides requests, as fields of a spec, and the host port of their container.
auto random_form(Random& random) -> std::pair<std::string, std::string> {
  std::string spec;
  std::string affinity;
  const auto term = [&] {
    return fmt::format("[{{topologyKey: {}, labelSelector: {{matchLabels: {{app: a{}}}}}}}]",
                       random.one_in(2) ? "zone" : "kubernetes.io/hostname", random.upto(2));
  };
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution: ";
  if (random.one_in(4)) affinity += "podAntiAffinity: {" + required + term() + "}, ";
  if (random.one_in(5)) affinity += "podAffinity: {" + required + term() + "}, ";
  if (random.one_in(6))
    affinity += "nodeAffinity: {" + required +
                "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [z0]}]}, "
                "{matchFields: [{key: metadata.name, operator: In, values: [n0]}]}]}}, ";
  if (!affinity.empty()) spec += "  affinity: {" + affinity + "}\n";
  if (random.one_in(4)) {
    spec += fmt::format(
        "  topologySpreadConstraints: [{{topologyKey: {}, maxSkew: 1, whenUnsatisfiable: DoNotSchedule{}{}, "
        "labelSelector: {{matchLabels: {{app: a{}}}}}}}]\n",
        random.one_in(2) ? "zone" : "kubernetes.io/hostname", random.one_in(2) ? ", nodeAffinityPolicy: Ignore" : "",
        random.one_in(4) ? ", minDomains: 2" : "", random.upto(2));
  }
  if (random.one_in(5)) spec += fmt::format("  nodeSelector: {{zone: z{}}}\n", random.upto(1));
  if (random.one_in(2)) spec += "  tolerations: [{key: a, operator: Exists}]\n";
  if (random.one_in(4))
    spec += fmt::format("  volumes: [{{name: v, persistentVolumeClaim: {{claimName: c{}}}}}]\n", random.upto(2));
  else if (random.one_in(8))
    spec += "  volumes: [{name: v, gcePersistentDisk: {pdName: d}}]\n";
  const std::string port =
      random.one_in(3) ? fmt::format("\n    ports: [{{containerPort: 80, hostPort: {}}}]", 80 + random.upto(1)) : "";
  return {spec, port};
}

// A cluster whose pods have what a form may have; the last document is the pod that preemptors are like.
auto documents_with_forms(Random& random) -> std::vector<std::string> {
  std::vector<std::string> documents = {
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: p\n"};
  for (int i = 0; i < 3; ++i) {
    documents.push_back(test::a_class(fmt::format("c{}", i), i * 5));
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: x, name: c{0}, uid: c{0}, annotations: "
        "{{pv.kubernetes.io/bind-completed: \"yes\"}}}}\n"
        "spec: {{accessModes: [{1}], storageClassName: s, volumeName: v{0}}}\nstatus: {{phase: Bound}}\n",
        i, i == 0 ? "ReadWriteOncePod" : "ReadWriteOnce"));
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: v{0}}}\nspec: {{accessModes: [{1}], "
        "storageClassName: s, claimRef: {{namespace: x, name: c{0}, uid: c{0}}}{2}}}\nstatus: {{phase: Bound}}\n",
        i, i == 0 ? "ReadWriteOncePod" : "ReadWriteOnce",
        i < 2 ? ""
              : ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: "
                "[z0]}]}]}}"));
  }
  const auto pod = [&](const std::string& name, const std::string& node) {
    const std::int64_t rank = random.upto(2);
    const auto [form, port] = random_form(random);
    return fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: {0}, uid: {0}, labels: {{app: a{1}}}}}\n"
        "spec:\n  priorityClassName: c{2}\n  priority: {3}\n{4}{5}  containers:\n  - name: main\n"
        "    resources: {{requests: {{cpu: {6}m, memory: {7}Mi}}}}{8}\nstatus: {{phase: {9}}}\n",
        name, random.upto(2), rank, rank * 5, node.empty() ? "" : "  nodeName: " + node + "\n", form,
        random.upto(4) * 400, random.upto(4) * 128, port,
        node.empty() ? "Pending" : "Running, startTime: \"2026-03-02T10:00:00Z\"");
  };
  const auto nodes = 1 + random.upto(2);
  for (int node = 0; node < nodes; ++node) {
    documents.push_back(a_zoned_node(random, node));
    for (std::int64_t i = random.upto(4); i >= 0; --i)
      documents.push_back(pod(fmt::format("p{}-{}", node, i), fmt::format("n{}", node)));
  }
  if (random.one_in(2)) documents.push_back(test::a_budget("x/b", "a1", static_cast<int>(random.upto(1))));
  documents.push_back(pod("like", ""));
  return documents;
}

struct Known {
  Region region;
  Outcome outcome;
  std::set<PodId> victims;
  std::int32_t violations;
};

auto set_of(const std::vector<PodId>& pods) -> std::set<PodId> {
  return {pods.begin(), pods.end()};
}

auto all_regions(Decider& decider, const Space& space) -> std::vector<Known> {
  std::vector<Known> all;
  for (const NodeId node : space.nodes) {
    for_each_cell(decider, space, node, [&](const Region& cell, const std::vector<PodId>& potential) {
      const auto decide = [&](kube::RequestBounds& requests) -> const Verdict& {
        return decider.decide(cell.preemptor, requests);
      };
      return for_each_region(decider.all_requests(), From::largest, decide, [&](const Box& box, const Verdict& v) {
        Known known{cell, v.outcome, set_of(possible_victims(v)), v.pdb_violations};
        known.region.requests = box;
        for (const PodId victim : known.victims)
          CHECK(std::find(potential.begin(), potential.end(), victim) != potential.end());
        all.push_back(std::move(known));
        return true;
      });
    });
  }
  return all;
}

struct Point {
  NodeId node;
  std::int64_t priority;
  std::vector<std::int64_t> amounts;
  Instant at;
};

auto contains(const Region& region, const Point& point) -> bool {
  bool inside = region.preemptor.node == point.node && region.priorities.least <= point.priority &&
                point.priority <= region.priorities.most && region.preemptor.at <= point.at && point.at < region.until;
  for (std::size_t i = 0; inside && i < point.amounts.size(); ++i) {
    inside = region.requests[i].least <= point.amounts[i] && point.amounts[i] <= region.requests[i].most;
  }
  return inside;
}

// Points at the borders of regions, and others.
auto random_point(Random& random, const std::vector<Known>& regions, const Space& space) -> Point {
  const auto any = [&]() -> const Region& { return random.of(regions).region; };
  Point point{random.of(space.nodes), any().priorities.least, {}, any().preemptor.at};
  point.priority = std::min(point.priority + random.upto(2), space.priorities.most);
  for (std::size_t i = 0; i < space.requests.size(); ++i) {
    std::int64_t amount = any().requests[i].least + random.upto(2) - 1;
    if (random.one_in(3)) amount = random.upto(space.requests[i].most);
    point.amounts.push_back(std::clamp<std::int64_t>(amount, 0, space.requests[i].most));
  }
  if (random.one_in(2)) point.at = std::min(point.at.plus_seconds(random.upto(120)), space.to);
  return point;
}

// Asks the engine about a pod that is in the cluster. With a node, it may run there only and, without a form, tolerates
// all taints.
auto decide_in_full(test::TestCluster& cluster, const Space& space, const Point& point) -> Verdict {
  Symbols& symbols = cluster.objects.symbols;
  Pod pod;
  if (space.forms.empty()) {
    pod.meta.ns = symbols.intern("default");
    if (point.node)
      pod.spec.tolerations.push_back({.key = {}, .op = symbols.intern("Exists"), .value = {}, .effect = {}});
  } else {
    pod = space.forms.front().pod;
  }
  pod.meta.name = pod.meta.uid = symbols.intern("asked");
  pod.status.phase = symbols.intern("Pending");
  pod.spec.priority = static_cast<std::int32_t>(point.priority);
  pod.spec.has_priority = true;
  if (point.node) {
    const Symbol name = cluster.objects.nodes[point.node].meta.name;
    auto& required = pod.spec.affinity.node.required;
    if (!required) required.emplace().terms.emplace_back();
    for (NodeSelectorTerm& term : required->terms) {
      term.match_fields.push_back(
          {symbols.intern("metadata.name"), symbols.intern("In"), SelectorOperator::in, {name}});
    }
    pod.spec.affinity.given = true;
  }
  if (pod.spec.containers.empty()) pod.spec.containers.emplace_back();
  ResourceList& requests = pod.spec.containers[0].resources.requests;
  for (std::size_t i = 0; i < space.requests.size(); ++i) {
    const std::string& resource = space.requests[i].resource;
    const __int128 unit = resource == "cpu" ? 1'000'000 : 1'000'000'000;
    requests.set(symbols.intern(resource), Quantity::of_nanos(point.amounts[i] * unit));
  }
  Question question;
  question.ns = symbols.text(pod.meta.ns);
  cluster.objects.pods.add(std::move(pod));
  const Snapshot snapshot(cluster.objects);
  question.name = "asked";
  question.now = point.at;
  Verdict verdict = find_engine("kube")->decide(snapshot, question).value();
  verdict.account.reset();
  cluster.objects.pods.items().pop_back();
  return verdict;
}

// Pods of the space, with amounts at its ends more often.
auto random_pod(Random& random, const Space& space) -> Point {
  Point point{{}, space.priorities.least + random.upto(10), {}, space.from.plus_seconds(random.upto(7200))};
  for (const Requested& each : space.requests)
    point.amounts.push_back(random.one_in(2) ? each.most : random.upto(each.most));
  return point;
}

}  // namespace

TEST_CASE("prove: the engine decides about each pod as the only region that contains it says", "[prove]") {
  const char* const asked = std::getenv("PREVICT_PROVE_POINTS");
  const std::size_t points = asked == nullptr ? 3'000 : std::strtoull(asked, nullptr, 10);
  constexpr std::size_t kOfEach = 100;
  std::size_t preempting = 0;
  std::size_t unlike = 0;
  for (std::uint32_t seed = 1; seed <= points / kOfEach; ++seed) {
    Random random(seed);
    const auto cluster = test::a_cluster(random_documents(random));
    Space space{.priorities = {-1, 40},
                .requests = {{"cpu", 0, 12'000}, {"memory", 0, 4LL << 30}, {"example.com/gpu", 0, 6}}};
    space.from = *parse_instant(kStart);
    space.to = space.from.plus_seconds(7200);
    for (const NodeId node : cluster->snapshot->nodes().ids()) space.nodes.push_back(node);
    Question question;
    question.now = space.from;
    const auto decider = Decider::of(cluster->objects, *cluster->snapshot, question, space);
    REQUIRE(decider);
    const std::vector<Known> regions = all_regions(**decider, space);
    for (std::size_t i = 0; i < kOfEach; ++i) {
      const Point point = random_point(random, regions, space);
      const auto inside = [&](const Known& known) { return contains(known.region, point); };
      REQUIRE(std::count_if(regions.begin(), regions.end(), inside) == 1);
      const Known& known = *std::find_if(regions.begin(), regions.end(), inside);
      const Verdict verdict = decide_in_full(*cluster, space, point);
      preempting += verdict.outcome == Outcome::preempts ? 1U : 0U;
      const bool alike = verdict.outcome == known.outcome && set_of(possible_victims(verdict)) == known.victims &&
                         verdict.pdb_violations == known.violations;
      unlike += alike ? 0U : 1U;
      INFO("seed " << seed << ", node " << point.node.index << ", priority " << point.priority << ", cpu "
                   << point.amounts[0] << "m, memory " << point.amounts[1] << ", gpu " << point.amounts[2] << ", at "
                   << format_instant(point.at));
      CHECK(alike);
      if (unlike > 3) return;
    }
  }
  CHECK(preempting > points / 10);
}

// The pod may run on one node only, or on each that its form allows. A pod that a hard spread constraint tells apart by
// the nodes on which it may run is only compared in the second way.
TEST_CASE("prove: the engine decides about each pod of a form as the only region that contains it says", "[prove]") {
  const char* const asked = std::getenv("PREVICT_PROVE_POINTS");
  const std::size_t points = asked == nullptr ? 3'000 : std::strtoull(asked, nullptr, 10);
  constexpr std::size_t kOfEach = 50;
  std::size_t preempting = 0;
  std::size_t pinned = 0;
  std::size_t unlike = 0;
  for (std::uint32_t seed = 1; seed <= points / kOfEach; ++seed) {
    Random random(seed);
    const auto cluster = test::a_cluster(documents_with_forms(random));
    Space space{.priorities = {-1, 40}, .requests = {{"cpu", 0, 8'000}, {"memory", 0, 4LL << 30}}};
    space.from = *parse_instant(kStart);
    space.to = space.from.plus_seconds(600);
    for (const NodeId node : cluster->snapshot->nodes().ids()) space.nodes.push_back(node);
    Question question;
    question.now = space.from;
    const std::vector<PodId> like = {cluster->snapshot->find_pod("x", "like")};
    space.forms = forms_of(*cluster->snapshot, question, like, space.requests, DaemonNodes::any).value();
    const auto decider = Decider::of(cluster->objects, *cluster->snapshot, question, space);
    INFO("seed " << seed);
    if (!decider) FAIL(decider.error().message);
    REQUIRE_FALSE((*decider)->kinds().front().fault);
    const std::vector<Known> regions = all_regions(**decider, space);
    const auto known_of = [&](const Point& point) -> const Known& {
      const auto inside = [&](const Known& known) { return contains(known.region, point); };
      REQUIRE(std::count_if(regions.begin(), regions.end(), inside) == 1);
      return *std::find_if(regions.begin(), regions.end(), inside);
    };
    for (std::size_t i = 0; i < kOfEach; ++i) {
      Point point = random_point(random, regions, space);
      INFO("node " << point.node.index << ", priority " << point.priority << ", cpu " << point.amounts[0]
                   << "m, memory " << point.amounts[1]);
      if (!(*decider)->kinds().front().pin_matters) {
        const Known& known = known_of(point);
        const Verdict verdict = decide_in_full(*cluster, space, point);
        const bool alike = verdict.outcome == known.outcome && set_of(possible_victims(verdict)) == known.victims &&
                           verdict.pdb_violations == known.violations;
        pinned += 1;
        unlike += alike ? 0U : 1U;
        CHECK(alike);
      }
      std::map<std::string, const Known*> on_nodes;
      for (const NodeId node : space.nodes) {
        point.node = node;
        on_nodes[std::string(cluster->snapshot->name(node))] = &known_of(point);
      }
      point.node = {};
      const Verdict verdict = decide_in_full(*cluster, space, point);
      const auto any = [&](Outcome outcome) {
        return std::any_of(on_nodes.begin(), on_nodes.end(),
                           [&](const auto& each) { return each.second->outcome == outcome; });
      };
      preempting += verdict.outcome == Outcome::preempts ? 1U : 0U;
      bool alike = any(Outcome::error)      ? verdict.outcome == Outcome::error
                   : any(Outcome::fits)     ? verdict.outcome == Outcome::fits
                   : any(Outcome::preempts) ? verdict.outcome == Outcome::preempts
                                            : verdict.outcome == Outcome::pending;
      if (verdict.outcome == Outcome::preempts && verdict.tied.size() == 1 && !verdict.orders)
        alike = alike && set_of(possible_victims(verdict)) ==
                             on_nodes.at(std::string(cluster->snapshot->name(verdict.tied.front())))->victims;
      unlike += alike ? 0U : 1U;
      for (const auto& [name, known] : on_nodes)
        UNSCOPED_INFO(name << ": " << outcome_name(known->outcome) << " " << known->victims.size());
      UNSCOPED_INFO("engine " << outcome_name(verdict.outcome) << " on " << verdict.node << " "
                              << verdict.victims.size());
      CHECK(alike);
      if (unlike > 3) return;
    }
  }
  CHECK(preempting > points / 10);
  CHECK(pinned > points / 2);
}

TEST_CASE("prove: the engine finds a node for each pod of a form that always fits", "[prove]") {
  constexpr std::uint32_t kClusters = 200;
  constexpr int kOfEach = 20;
  std::size_t proved = 0;
  std::size_t broken = 0;
  for (std::uint32_t seed = 1; seed <= kClusters; ++seed) {
    Random random(seed);
    const auto cluster = test::a_cluster(documents_with_forms(random));
    Space space{.priorities = {random.upto(14), INT32_MAX},
                .requests = {{"cpu", 0, random.upto(6) * 300}, {"memory", 0, random.upto(8) * (128LL << 20)}}};
    space.from = *parse_instant(kStart);
    space.to = space.from.plus_seconds(600);
    for (const NodeId node : cluster->snapshot->nodes().ids()) space.nodes.push_back(node);
    Question question;
    question.now = space.from;
    const std::vector<PodId> like = {cluster->snapshot->find_pod("x", "like")};
    space.forms = forms_of(*cluster->snapshot, question, like, space.requests, DaemonNodes::its_own).value();
    const Task task{.engine = *find_engine("kube"),
                    .objects = cluster->objects,
                    .cluster = *cluster->snapshot,
                    .question = question,
                    .space = space,
                    .make = nullptr};
    const auto proof = prove_always_fits(task);
    INFO("seed " << seed);
    if (!proof) FAIL(proof.error().message);
    broken += proof->broken ? 1U : 0U;
    if (!proof->proved()) continue;
    ++proved;
    for (int i = 0; i < kOfEach; ++i) {
      const Verdict verdict = decide_in_full(*cluster, space, random_pod(random, space));
      CHECK((verdict.outcome == Outcome::fits || verdict.outcome == Outcome::preempts));
    }
  }
  CHECK(proved > kClusters / 10);
  CHECK(broken > kClusters / 10);
}

TEST_CASE("prove: the engine finds a node for each pod of a space whose pods always fit", "[prove]") {
  constexpr std::uint32_t kClusters = 150;
  constexpr int kOfEach = 20;
  std::size_t proved = 0;
  std::size_t broken = 0;
  for (std::uint32_t seed = 1; seed <= kClusters; ++seed) {
    Random random(seed);
    const auto cluster = test::a_cluster(random_documents(random));
    Space space{.priorities = {random.upto(14), INT32_MAX},
                .requests = {{"cpu", 0, random.upto(6) * 500}, {"memory", 0, random.upto(8) * (256LL << 20)}}};
    space.from = *parse_instant(kStart);
    space.to = space.from.plus_seconds(7200);
    space.tolerates_taints = false;
    for (const NodeId node : cluster->snapshot->nodes().ids()) space.nodes.push_back(node);
    Question question;
    question.now = space.from;
    const Task task{.engine = *find_engine("kube"),
                    .objects = cluster->objects,
                    .cluster = *cluster->snapshot,
                    .question = question,
                    .space = space,
                    .make = nullptr};
    const auto proof = prove_always_fits(task);
    INFO("seed " << seed);
    if (!proof) FAIL(proof.error().message);
    if (proof->broken) {
      ++broken;
      CHECK(proof->broken->answer.outcome != Outcome::fits);
      CHECK(proof->broken->answer.outcome != Outcome::preempts);
    }
    if (!proof->proved()) continue;
    ++proved;
    for (int i = 0; i < kOfEach; ++i) {
      const Verdict verdict = decide_in_full(*cluster, space, random_pod(random, space));
      CHECK((verdict.outcome == Outcome::fits || verdict.outcome == Outcome::preempts));
    }
  }
  CHECK(proved > kClusters / 10);
  CHECK(broken > kClusters / 10);
}

}  // namespace previct::prove
