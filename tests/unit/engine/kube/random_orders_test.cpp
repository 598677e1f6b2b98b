// Random nodes with pods of equal importance, compared with all orders in which the scheduler may keep them.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace previct::test {
namespace {

class RandomNode {
 public:
  struct Run {
    std::set<std::string> victims{};
    std::size_t violations = 0;

    friend auto operator<=>(const Run&, const Run&) = default;
  };

  explicit RandomNode(std::uint32_t seed) : random_(seed) {
    const std::size_t count = 2 + below(4);
    budgets_ = below(2);
    allowed_ = static_cast<int>(below(3));
    for (std::size_t i = 0; i < count; ++i) {
      Placed each;
      each.name = fmt::format("v{}", i);
      each.priority = static_cast<int>(below(3) == 0 ? 5 : below(2));
      each.cpu = 1 + static_cast<int>(below(3) == 0 ? 1 + below(2) : 0);
      each.late = below(4) == 0;
      each.guarded = budgets_ > 0 && below(2) == 0;
      total_ += each.cpu;
      pods_.push_back(each);
    }
    free_ = static_cast<int>(below(2));
    wanted_ = free_ + 1 + static_cast<int>(below(static_cast<std::size_t>(total_)));
  }

  [[nodiscard]] auto documents() const -> std::vector<std::string> {
    std::vector<std::string> all = {a_node("n1", std::to_string(total_ + free_)),
                                    a_pod("ns/new").priority(3).cpu(std::to_string(wanted_)).yaml()};
    for (const Placed& each : pods_) {
      all.push_back(a_pod("ns/" + each.name)
                        .on("n1")
                        .priority(each.priority)
                        .cpu(std::to_string(each.cpu))
                        .labels(fmt::format("{{app: {}}}", each.guarded ? "web" : "other"))
                        .started(each.late ? "2026-03-02T11:00:00Z" : "2026-03-02T10:00:00Z")
                        .yaml());
    }
    if (budgets_ > 0) all.push_back(a_budget("ns/web", "web", allowed_));
    return all;
  }

  // The results for all orders of the pods; none: preemption does not help.
  [[nodiscard]] auto runs() const -> std::set<Run> {
    std::set<Run> all;
    std::vector<std::size_t> order(pods_.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      if (auto run = select(order); !run.victims.empty()) all.insert(std::move(run));
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
  }

 private:
  struct Placed {
    std::string name;
    int priority = 0;
    int cpu = 1;
    bool late = false;
    bool guarded = false;
  };

  auto below(std::size_t n) -> std::size_t { return random_() % n; }

  // Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go SelectVictimsOnNode,
  // filterPodsWithPDBViolation; pkg/scheduler/util/utils.go MoreImportantPod; v1.35.
  [[nodiscard]] auto select(const std::vector<std::size_t>& order) const -> Run {
    std::vector<const Placed*> potential;
    int left = total_ + free_ - wanted_;
    for (const std::size_t i : order) {
      if (pods_[i].priority < 3) {
        potential.push_back(&pods_[i]);
      } else {
        left -= pods_[i].cpu;
      }
    }
    if (left < 0) return {};
    std::stable_sort(potential.begin(), potential.end(), [](const Placed* a, const Placed* b) {
      return std::tuple(-a->priority, a->late) < std::tuple(-b->priority, b->late);
    });
    std::vector<const Placed*> violating;
    std::vector<const Placed*> others;
    int allowed = allowed_;
    for (const Placed* each : potential) (each->guarded && --allowed < 0 ? violating : others).push_back(each);
    Run run;
    const auto reprieve = [&](const Placed* each) {
      const bool stays = each->cpu <= left;
      if (stays) {
        left -= each->cpu;
      } else {
        run.victims.insert("ns/" + each->name);
      }
      return stays;
    };
    for (const Placed* each : violating) run.violations += reprieve(each) ? 0U : 1U;
    for (const Placed* each : others) reprieve(each);
    return run;
  }

  std::mt19937 random_;
  std::vector<Placed> pods_;
  int total_ = 0;
  int free_ = 0;
  int wanted_ = 0;
  std::size_t budgets_ = 0;
  int allowed_ = 0;
};

auto keys(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::set<std::string> {
  std::set<std::string> all;
  for (const PodId pod : pods) all.insert(cluster.key(pod));
  return all;
}

}  // namespace

// What is said to be certain is true in all orders, and what is true in some order is said to be possible.
TEST_CASE("random orders: which equal pods are evicted is that of all orders", "[kube]") {
  for (std::uint32_t seed = 0; seed < 1200; ++seed) {
    const RandomNode node(seed);
    const auto cluster = a_cluster(node.documents());
    const Answer answer = ask_kube(*cluster, "ns/new");
    INFO(seed);
    INFO(fmt::format("{}", fmt::join(node.documents(), "---\n")));
    INFO(answer.sentence);
    const std::set<RandomNode::Run> runs = node.runs();
    CHECK((answer.outcome == Outcome::preempts) == !runs.empty());
    if (runs.empty()) continue;
    std::set<std::string> always = runs.begin()->victims;
    std::set<std::string> ever;
    std::set<std::size_t> sizes;
    std::set<std::size_t> violations;
    for (const RandomNode::Run& run : runs) {
      std::erase_if(always, [&](const std::string& each) { return !run.victims.contains(each); });
      ever.insert(run.victims.begin(), run.victims.end());
      sizes.insert(run.victims.size());
      violations.insert(run.violations);
    }
    const std::set<std::string> certain = keys(*cluster->snapshot, certain_victims(answer));
    const std::set<std::string> possible = keys(*cluster->snapshot, possible_victims(answer));
    CHECK(std::includes(always.begin(), always.end(), certain.begin(), certain.end()));
    CHECK(std::includes(possible.begin(), possible.end(), ever.begin(), ever.end()));
    CHECK(sizes.contains(answer.victims.size()));
    // If the order decides which pods violate a budget, the orders are not tried.
    if (answer.orders && answer.orders->nodes.empty()) continue;
    CHECK(certain == always);
    CHECK(bool{answer.orders} == (sizes.size() > 1 || violations.size() > 1));
    if (!answer.orders) continue;
    REQUIRE(answer.orders->nodes.size() == 1);
    const Orders::OnNode& on = answer.orders->nodes.front();
    CHECK(on.fewest == *sizes.begin());
    CHECK(on.most == *sizes.rbegin());
    CHECK(static_cast<std::size_t>(on.fewest_pdb_violations) == *violations.begin());
    CHECK(static_cast<std::size_t>(on.most_pdb_violations) == *violations.rbegin());
    CHECK(keys(*cluster->snapshot, on.ever) == ever);
  }
}

}  // namespace previct::test
