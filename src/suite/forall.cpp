#include "suite/forall.h"

#include "analysis/subject.h"
#include "api/fields.h"
#include "api/toleration_annotations.h"
#include "api/units.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/pod_request.h"
#include "overlay/admission.h"
#include "suite/proof_of_forall.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::suite {
namespace {

constexpr std::size_t kMostAmounts = 24;    // amounts that are tried per interval
constexpr std::size_t kMostMoments = 1000;  // moments that are tried per pod
constexpr std::size_t kMostPods = 100'000;

/// One pod that is evaluated.
struct Probe {
  std::vector<Quantity> amounts;  // for each of Forall::requests
  std::optional<std::int64_t> priority;
  std::string priority_class;
  std::string node;  // empty: the scheduler chooses
};

class Prober {
 public:
  Prober(const Forall& forall, TestedCluster& tested, Coverage& coverage)
      : forall_(forall), tested_(tested), coverage_(coverage) {}

  auto run() -> Result<ForallResult> {
    result_.scheduler = forall_.preemptor.scheduler_name;
    if (result_.scheduler.empty()) {
      auto obvious = scheduler_for_new_pods(Snapshot(tested_.objects), tested_.question);
      if (!obvious) return fail(fmt::format("forall: {}; name it: preemptor.schedulerName", obvious.error().message));
      result_.scheduler = *std::move(obvious);
    }
    PREVICT_CHECK(ask_all());
    if (!result_.failed.empty()) return std::move(result_);
    if (result_.asked == 0) return fail("forall: no pod can be tested, because the state has no nodes");
    if (result_.asked == untried_) {
      return fail(fmt::format("forall: no pod was tried: each of the {} {}", counted(result_.asked, "pod", "pods"),
                              why_untried_));
    }
    PREVICT_CHECK(prove_exactly());
    return std::move(result_);
  }

 private:
  // The questions are samples; the proof is not.
  auto prove_exactly() -> Result<void> {
    const std::optional<prove::Proof> proof = proof_of(forall_, tested_, result_.scheduler);
    if (!proof) return {};
    if (!proof->broken) {
      result_.regions = proof->regions;
      return {};
    }
    const prove::Region& region = proof->broken->region;
    Probe probe{
        .amounts = {}, .priority = region.preemptor.priority, .priority_class = "", .node = proof->broken->node};
    for (std::size_t i = 0; i < region.requests.size(); ++i) {
      probe.amounts.push_back(of_units(forall_.preemptor.requests[i].resource, region.requests[i].least));
    }
    // If equal pods leave open how many are evicted, the answer may not break the expectation.
    PREVICT_CHECK(breaks(probe));
    return {};
  }

  auto ask_all() -> Result<void> {
    for (const std::string& name : forall_.nodes) {
      const auto named = [&](const Node& node) { return tested_.objects.symbols.text(node.meta.name) == name; };
      if (std::none_of(tested_.objects.nodes.begin(), tested_.objects.nodes.end(), named))
        return fail(fmt::format("forall: the state has no node {}", name));
    }
    std::size_t pods = pods_like({}).size();
    for (const Amounts& amounts : forall_.preemptor.requests)
      pods *= std::min(samples_of(amounts).size(), kMostPods / std::max<std::size_t>(pods, 1) + 1);
    if (pods > kMostPods) {
      return fail(
          fmt::format("forall: more than {} pods to test; narrow the intervals, or name fewer nodes", kMostPods));
    }
    std::vector<std::vector<Quantity>> vectors = {{}};
    for (const Amounts& amounts : forall_.preemptor.requests) {
      std::vector<std::vector<Quantity>> longer;
      for (const auto& vector : vectors) {
        for (const Quantity amount : samples_of(amounts)) {
          longer.push_back(vector);
          longer.back().push_back(amount);
        }
      }
      vectors = std::move(longer);
    }
    for (const auto& amounts : vectors) {
      for (const Probe& like : pods_like(amounts)) {
        PREVICT_TRY(const bool broken, breaks(like));
        if (!broken) continue;
        return shrink(like);
      }
    }
    return {};
  }

  [[nodiscard]] auto pods_like(const std::vector<Quantity>& amounts) const -> std::vector<Probe> {
    std::vector<Probe> probes;
    std::vector<std::string> nodes = forall_.nodes;
    if (forall_.every_node) {
      for (const Node& node : tested_.objects.nodes) nodes.emplace_back(tested_.objects.symbols.text(node.meta.name));
    }
    // Last, because an example on one node is more specific.
    if (forall_.nodes.empty()) nodes.emplace_back();
    const auto add = [&](std::optional<std::int64_t> priority, const std::string& name) {
      for (const std::string& node : nodes) probes.push_back({amounts, priority, name, node});
    };
    for (const std::string& name : forall_.preemptor.priority_classes) add({}, name);
    if (forall_.preemptor.priority) {
      for (const std::int64_t priority : priorities()) add(priority, "");
    }
    return probes;
  }

  [[nodiscard]] auto priorities() const -> std::set<std::int64_t> {
    const auto [low, high] = *forall_.preemptor.priority;
    std::set<std::int64_t> turning = {low, high};
    const auto note = [&, lowest = low, highest = high](std::int64_t value) {
      if (value < INT32_MIN || value > INT32_MAX) return;  // an annotation may contain any number
      for (const std::int64_t near : {value - 1, value, value + 1}) {
        if (near >= lowest && near <= highest) turning.insert(near);
      }
    };
    const Objects& objects = tested_.objects;
    constexpr std::int64_t kKaiPreemptible = 100;  // KAI: groups of at least this priority are not preemptible
    note(kKaiPreemptible);
    for (const Pod& pod : objects.pods) note(pod.spec.priority);
    const Symbol minimum = objects.symbols.find(kep205::kMinimum);
    for (const PriorityClass& each : objects.priority_classes) {
      note(each.value);
      const Symbol text = minimum ? each.meta.annotations.get(minimum) : Symbol{};
      if (const auto value = go::parse_int(objects.symbols.text(text), 64)) note(*value);
    }
    return turning;
  }

  [[nodiscard]] auto samples_of(const Amounts& amounts) const -> std::vector<Quantity> {
    const Quantity from = Quantity::parse(amounts.from).value_or(Quantity());
    if (amounts.to.empty()) return {from};
    const Quantity to = Quantity::parse(amounts.to).value_or(from);
    std::set<Quantity> found = {from, to};
    const auto note = [&](Quantity amount) {
      if (amount > from && amount < to) found.insert(amount);
    };
    const Snapshot cluster(tested_.objects);
    const Symbol resource = cluster.symbol(amounts.resource);
    for (const NodeId id : cluster.nodes().ids()) {
      if (!resource) break;
      __int128 free = cluster.node(id).status.allocatable.get(resource).value_or(Quantity()).nanos();
      std::vector<std::pair<std::int32_t, Quantity>> held;
      for (const PodId pod : cluster.pods_on(id)) {
        const Quantity sum =
            pod_request(cluster, cluster.pod(pod), RequestOf::placed).get(resource).value_or(Quantity());
        held.emplace_back(cluster.pod(pod).spec.priority, sum);
        free -= sum.nanos();
      }
      std::sort(held.begin(), held.end());
      note(Quantity::of_nanos(free));
      for (const auto& [priority, sum] : held) {
        free += sum.nanos();
        note(Quantity::of_nanos(free));
      }
    }
    std::vector<Quantity> samples(found.begin(), found.end());
    if (samples.size() <= kMostAmounts) return samples;
    std::vector<Quantity> some;
    for (std::size_t i = 0; i < kMostAmounts; ++i)
      some.push_back(samples[i * (samples.size() - 1) / (kMostAmounts - 1)]);
    return some;
  }

  // ---- evaluation

  /// Returns true if the expectation fails at some moment; the result then holds the details.
  auto breaks(const Probe& probe) -> Result<bool> {
    Objects& objects = tested_.objects;
    PREVICT_TRY(Pod pod, made(probe));
    objects.pods.add(std::move(pod));
    auto broken = ask(probe);
    objects.pods.items().pop_back();
    return broken;
  }

  auto made(const Probe& probe) -> Result<Pod> {
    Objects& objects = tested_.objects;
    Symbols& symbols = objects.symbols;
    Pod pod;
    pod.meta.ns = symbols.intern(forall_.preemptor.ns);
    pod.meta.name = symbols.intern("preemptor-of-forall");
    pod.meta.uid = pod.meta.name;
    for (const auto& [key, value] : forall_.preemptor.labels)
      pod.meta.labels.set(symbols.intern(key), symbols.intern(value));
    pod.spec.scheduler_name = symbols.intern(result_.scheduler);
    ResourceList& requests = pod.spec.containers.emplace_back().resources.requests;
    for (std::size_t i = 0; i < probe.amounts.size(); ++i) {
      requests.set(symbols.intern(forall_.preemptor.requests[i].resource), probe.amounts[i]);
    }
    if (!probe.node.empty()) {
      Requirement name{
          symbols.intern("metadata.name"), symbols.intern("In"), SelectorOperator::in, {symbols.intern(probe.node)}};
      pod.spec.affinity.node.required.emplace().terms.push_back({{}, {std::move(name)}});
    }
    if (!probe.priority_class.empty()) pod.spec.priority_class_name = symbols.intern(probe.priority_class);
    if (probe.priority) {
      // The priority may belong to no class: admission only handles pods that name one.
      pod.spec.priority = static_cast<std::int32_t>(*probe.priority);
      pod.spec.has_priority = true;
      pod.status.phase = symbols.intern("Pending");
      pod.meta.created = tested_.question.now;
    } else if (auto admitted = admit(pod, tested_.question.now, objects); !admitted) {
      return tl::unexpected(std::move(admitted).error());
    }
    return pod;
  }

  auto ask(const Probe& probe) -> Result<bool> {
    const Snapshot cluster(tested_.objects);
    PREVICT_TRY(const Subject subject,
                find_subject(cluster, fmt::format("{}/preemptor-of-forall", forall_.preemptor.ns), ""));
    PREVICT_TRY(const Engine* engine, choose_engine(engines(), tested_.question.engine, cluster, subject));
    Question question = tested_.question;
    question.ns = subject.ns;
    question.name = subject.name;
    question.now = moment_of(forall_.from, tested_.question.now);
    const Instant end = forall_.to.empty() ? question.now : moment_of(forall_.to, tested_.question.now);
    for (std::size_t i = 0; i < kMostMoments; ++i) {
      PREVICT_TRY(const Answer answer, explain(*engine, cluster, question));
      ++result_.asked;
      if (answer.never_tried) {
        ++untried_;
        why_untried_ = answer.sentence;
      }
      coverage_.see(answer, cluster);
      std::vector<Failed> failed = judge(forall_.expect, answer, cluster, question.now);
      if (!failed.empty()) {
        result_.failed = std::move(failed);
        result_.example = words(probe, question.now);
        return true;
      }
      if (answer.next_change.is_never() || answer.next_change > end) return false;
      question.now = answer.next_change;
    }
    return fail(fmt::format("forall: more than {} changes from {} to {}; narrow the interval", kMostMoments,
                            forall_.from, forall_.to));
  }

  // ---- reducing the example

  auto shrink(Probe probe) -> Result<void> {
    for (std::size_t i = 0; i < probe.amounts.size(); ++i) {
      if (forall_.preemptor.requests[i].to.empty()) continue;
      const __int128 unit = of_units(forall_.preemptor.requests[i].resource, 1).nanos();
      __int128 good = Quantity::parse(forall_.preemptor.requests[i].from).value_or(Quantity()).nanos() / unit;
      __int128 bad = probe.amounts[i].nanos() / unit;
      while (bad - good > 1) {
        const __int128 middle = good + (bad - good) / 2;
        Probe smaller = probe;
        smaller.amounts[i] = Quantity::of_nanos(middle * unit);
        PREVICT_TRY(const bool broken, breaks(smaller));
        (broken ? bad : good) = middle;
        if (broken) probe = smaller;
      }
    }
    return {};
  }

  [[nodiscard]] auto words(const Probe& probe, Instant at) const -> std::string {
    std::vector<std::string> parts;
    if (probe.priority) parts.push_back(fmt::format("priority {}", *probe.priority));
    if (!probe.priority_class.empty()) parts.push_back("class " + probe.priority_class);
    for (std::size_t i = 0; i < probe.amounts.size(); ++i) {
      parts.push_back(fmt::format("{} {}", forall_.preemptor.requests[i].resource, format_quantity(probe.amounts[i])));
    }
    if (!probe.node.empty()) parts.push_back("node " + probe.node);
    parts.push_back("at " + format_instant(at));
    return joined(parts, ", ");
  }

  const Forall& forall_;
  TestedCluster& tested_;
  Coverage& coverage_;
  ForallResult result_;
  std::size_t untried_ = 0;  // number of questions without a scheduler's answer
  std::string why_untried_;
};

}  // namespace

auto run_forall(const Forall& forall, TestedCluster& tested, Coverage& coverage) -> Result<ForallResult> {
  return Prober(forall, tested, coverage).run();
}

}  // namespace previct::suite
