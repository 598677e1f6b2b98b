#include "prove/shrink.h"

#include <algorithm>
#include <array>

namespace previct::prove {
namespace {

constexpr std::size_t kMostRegions = 2'000;  // of one search

// Returns the first region of the box, from the smallest requests on, that breaks the invariant.
auto smallest_in(Box box, Decider& decider, const Invariant& invariant, const Counterexample& known)
    -> std::optional<Counterexample> {
  std::optional<Counterexample> found;
  std::size_t visited = 0;
  const auto decide = [&](kube::RequestBounds& requests) -> const Verdict& {
    return decider.decide(known.region.preemptor, requests);
  };
  const auto visit = [&](const Box& requests, const Verdict& verdict) {
    const bool broken = verdict.outcome != Outcome::unknown && invariant.is_broken_by(verdict);
    if (broken) {
      found = Counterexample{known.region, verdict};
      found->region.requests = requests;
    }
    return !broken && ++visited < kMostRegions;
  };
  for_each_region(std::move(box), From::smallest, decide, visit);
  return found;
}

void round_numbers(const Space& space, Region& region) {
  for (std::size_t i = 0; i < region.requests.size(); ++i) {
    kube::RequestRange& range = region.requests[i];
    range.least = range.most = round_amount(space.requests[i].resource, range.least, range.most);
  }
  region.preemptor.priority = round_priority(region.priorities);
  region.preemptor.at = round_moment(region.preemptor.at, std::min(region.until, space.to));
}

}  // namespace

void shrink(Decider& decider, const Invariant& invariant, const Space& space, Counterexample& example) {
  const Box& all = decider.all_requests();
  // Request the least of the last resources, if that also breaks it.
  for (std::size_t i = example.region.requests.size(); i-- > 0;) {
    Box box = example.region.requests;
    for (std::size_t k = 0; k < i; ++k) box[k] = all[k];
    box[i].most = box[i].least = all[i].least;
    if (auto smaller = smallest_in(std::move(box), decider, invariant, example)) example = *std::move(smaller);
  }
  Box box = example.region.requests;
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = {box[i].resource, all[i].least, box[i].least};
  if (auto smaller = smallest_in(std::move(box), decider, invariant, example)) example = *std::move(smaller);
  // The box was only a part of the region.
  kube::RequestBounds requests(decider.all_requests(), corner_of(example.region.requests, From::smallest));
  example.verdict = decider.decide(example.region.preemptor, requests);
  example.region.requests = requests.ranges();
  round_numbers(space, example.region);
}

auto round_amount(std::string_view resource, std::int64_t least, std::int64_t most) -> std::int64_t {
  constexpr std::array<std::int64_t, 6> kMilliCpu = {1000, 500, 100, 50, 10, 1};
  constexpr std::array<std::int64_t, 6> kBytes = {1LL << 30, 1LL << 28, 1LL << 24, 1LL << 20, 1LL << 10, 1};
  if (least == 0 || (resource != "cpu" && resource != "memory")) return least;
  const std::array<std::int64_t, 6>& units = resource == "cpu" ? kMilliCpu : kBytes;
  const std::int64_t small = resource == "cpu" ? 100 : 1LL << 30;
  for (const std::int64_t unit : units) {
    const std::int64_t rounded = least / unit * unit + (least % unit == 0 ? 0 : unit);
    const bool near = rounded - least <= least / 4 || rounded <= small;
    if (rounded <= most && near) return rounded;
  }
  return least;
}

auto round_priority(const Priorities& interval) -> std::int64_t {
  if (interval.least <= 0 && interval.most >= 0) return 0;
  for (const std::int64_t unit : {1'000'000, 100'000, 10'000, 1'000, 100, 10, 1}) {
    std::int64_t rounded = interval.least / unit * unit;
    if (rounded < interval.least) rounded += unit;
    if (rounded <= interval.most) return rounded;
  }
  return interval.least;
}

auto round_moment(Instant from, Instant until) -> Instant {
  constexpr std::int64_t kMinute = 60;
  Instant rounded = from.rounded_up();
  rounded.seconds += (kMinute - rounded.seconds % kMinute) % kMinute;
  return rounded < until ? rounded : from;
}

}  // namespace previct::prove
