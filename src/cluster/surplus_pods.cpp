#include "cluster/surplus_pods.h"

#include "base/go.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

namespace previct {
namespace {

constexpr std::string_view kCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";
// Comparing each pod that is deleted with each that stays takes at most a second.
constexpr std::size_t kMostComparisons = 20'000'000;

/// What is compared of a pod.
struct Candidate {
  PodId id;
  const Pod* pod = nullptr;
  bool assigned = false;
  int phase = 0;
  bool ready = false;
  std::int64_t cost = 0;
  std::size_t rank = 0;
  std::optional<Instant> ready_since{};
};

enum class Order : std::uint8_t { first, second, equal };

// The power of two of the time that has passed, in nanoseconds; -1: none has.
auto magnitude(Instant since, Instant now) -> int {
  constexpr std::int64_t kMostSeconds = 9'000'000'000;
  if (since >= now) return -1;
  const std::int64_t seconds = std::min(now.seconds - since.seconds, kMostSeconds);
  const std::int64_t nanos = seconds * 1'000'000'000 + now.nanos - since.nanos;
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(nanos))) - 1;
}

class Comparison {
 public:
  Comparison(DeletedBy by, Instant now, const Symbols& symbols) : by_(by), now_(now), symbols_(symbols) {}

  // Which of the two is deleted first. `equal`: restarts decide, or nothing.
  [[nodiscard]] auto of(const Candidate& a, const Candidate& b) const -> Order {
    const auto by = [](const auto& x, const auto& y) { return x < y ? Order::first : Order::second; };
    const auto facts = [](const Candidate& c) { return std::tuple(c.assigned, c.phase, c.ready, c.cost); };
    if (facts(a) != facts(b)) return by(facts(a), facts(b));
    if (a.rank != b.rank) return by(b.rank, a.rank);
    if (a.ready && a.ready_since != b.ready_since) return by_time(a, b, a.ready_since, b.ready_since);
    return Order::equal;
  }

 private:
  // A pod without the time counts as the newest, and the newer one is deleted first.
  [[nodiscard]] auto by_time(const Candidate& a, const Candidate& b, std::optional<Instant> at,
                             std::optional<Instant> other) const -> Order {
    if (!at || !other) return at ? Order::second : Order::first;
    if (by_ == DeletedBy::job) return *at > *other ? Order::first : Order::second;
    const int age = magnitude(*at, now_);
    const int other_age = magnitude(*other, now_);
    if (age != other_age) return age < other_age ? Order::first : Order::second;
    const std::string_view uid = symbols_.text(a.pod->meta.uid);
    const std::string_view other_uid = symbols_.text(b.pod->meta.uid);
    if (uid.empty() || uid == other_uid) return Order::equal;
    return uid < other_uid ? Order::first : Order::second;
  }

  DeletedBy by_;
  Instant now_;
  const Symbols& symbols_;
};

auto phase_of(std::string_view phase) -> int {
  if (phase == "Running") return 2;
  return phase == "Unknown" ? 1 : 0;
}

auto cost_of(const Pod& pod, const Symbols& symbols) -> std::int64_t {
  const Symbol key = symbols.find(kCostAnnotation);
  if (!key || !pod.meta.annotations.has(key)) return 0;
  const std::string_view text = symbols.text(pod.meta.annotations.get(key));
  return text.starts_with('+') ? 0 : go::parse_int(text, 32).value_or(0);
}

auto candidate(PodId id, const Pod& pod, const Symbols& symbols) -> Candidate {
  Candidate made{
      .id = id, .pod = &pod, .assigned = bool{pod.spec.node_name}, .phase = phase_of(symbols.text(pod.status.phase))};
  const Symbol ready = symbols.find("Ready");
  const Condition* const condition = ready ? pod.condition(ready) : nullptr;
  made.ready = condition != nullptr && symbols.text(condition->status) == "True";
  if (made.ready) made.ready_since = condition->last_transition;
  return made;
}

// Pods of one controller, whose templates may differ.
auto only_names_differ(const Pod& a, const Pod& b) -> bool {
  const auto requests = [](const Pod& pod) {
    ResourceList all;
    for (const Container& container : pod.spec.containers) {
      for (const auto& [name, amount] : container.resources.requests) all.add(name, amount);
    }
    return all;
  };
  return a.spec.node_name == b.spec.node_name && a.spec.priority == b.spec.priority && a.meta.labels == b.meta.labels &&
         a.spec.volumes == b.spec.volumes && requests(a) == requests(b);
}

}  // namespace

auto first_to_delete(DeletedBy by, const std::vector<PodId>& active, std::size_t count,
                     const std::function<std::size_t(const Pod&)>& rank, Instant now, const Snapshot& cluster,
                     const ReadySince& ready_since) -> std::optional<std::vector<PodId>> {
  const Symbols& symbols = cluster.symbols();
  std::vector<Candidate> all;
  for (const PodId id : active) {
    const Pod& pod = cluster.pod(id);
    all.push_back(candidate(id, pod, symbols));
    if (ready_since) {
      all.back().ready_since = ready_since(id);
      all.back().ready = all.back().ready_since.has_value();
    }
    if (by == DeletedBy::job) continue;
    all.back().cost = cost_of(pod, symbols);
    all.back().rank = rank(pod);
  }
  const Comparison comparison(by, now, symbols);
  const auto name = [&](const Candidate& c) { return symbols.text(c.pod->meta.name); };
  std::sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) { return name(a) < name(b); });
  // Merging never compares beyond the ends, even if the order is no order (a restart count may come between).
  std::stable_sort(all.begin(), all.end(),
                   [&](const Candidate& a, const Candidate& b) { return comparison.of(a, b) == Order::first; });
  count = std::min(count, all.size());
  if (count * (all.size() - count) > kMostComparisons) return {};
  for (std::size_t gone = 0; gone < count; ++gone) {
    for (std::size_t stays = count; stays < all.size(); ++stays) {
      const Order order = comparison.of(all[gone], all[stays]);
      if (order == Order::second) return {};
      if (order == Order::equal && !only_names_differ(*all[gone].pod, *all[stays].pod)) return {};
    }
  }
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<PodId> first = active;
  std::erase_if(first, [&](PodId id) {
    return std::none_of(all.begin(), end, [&](const Candidate& each) { return each.id == id; });
  });
  return first;
}

}  // namespace previct
