#include "engine/yunikorn/victim_sets.h"

#include <algorithm>
#include <set>

namespace previct::yunikorn {
namespace {

constexpr std::size_t kMostStates = 20'000;  // states of the search
constexpr std::size_t kMostSets = 10'000;    // sets that are listed

/// The pods with one size in the deciding group.
struct SizeClass {
  Resources size;
  std::vector<PodId> pods;
  std::vector<std::size_t> smaller;  // classes that come before this one
};

/// The number of pods taken from each size class.
using Taken = std::vector<std::size_t>;

auto same_group(const Allocation& a, const Allocation& b) -> bool {
  return class_of(a) == class_of(b) && a.priority == b.priority && a.created == b.created;
}

auto size_classes(std::vector<Allocation>::const_iterator begin, std::vector<Allocation>::const_iterator end)
    -> std::vector<SizeClass> {
  std::vector<SizeClass> classes;
  for (auto pod = begin; pod != end; ++pod) {
    auto home =
        std::find_if(classes.begin(), classes.end(), [&](const SizeClass& c) { return equal(c.size, pod->size); });
    if (home == classes.end()) home = classes.insert(classes.end(), {pod->size, {}, {}});
    home->pods.push_back(pod->pod);
  }
  for (SizeClass& larger : classes) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (positive(larger.size - classes[i].size)) larger.smaller.push_back(i);
    }
  }
  return classes;
}

/// Searches all ways to take pods of the group until the ask fits.
class Search {
 public:
  Search(const Allocation& ask, const Resources& before, const std::vector<SizeClass>& classes)
      : ask_(ask), before_(before), classes_(classes) {}

  /// Returns the ways that end the search; sets `complete` to false at the limit.
  auto run(bool& complete) -> std::vector<Taken> {
    std::set<Taken> seen = {Taken(classes_.size(), 0)};
    std::vector<Taken> waiting(seen.begin(), seen.end());
    std::set<Taken> ends;
    while (!waiting.empty()) {
      const Taken now = waiting.back();
      waiting.pop_back();
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        if (!may_be_next(now, c)) continue;
        Taken next = now;
        ++next[c];
        if (at_least(freed(next), ask_.size)) {
          ends.insert(std::move(next));
        } else if (seen.insert(next).second) {
          waiting.push_back(std::move(next));
        }
      }
      if (seen.size() + ends.size() > kMostStates) {
        complete = false;
        break;
      }
    }
    return {ends.begin(), ends.end()};
  }

  [[nodiscard]] auto freed(const Taken& taken) const -> Resources {
    Resources sum = before_;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      for (std::size_t i = 0; i < taken[c]; ++i) sum += classes_[c].size;
    }
    return sum;
  }

 private:
  [[nodiscard]] auto may_be_next(const Taken& taken, std::size_t c) const -> bool {
    return taken[c] < classes_[c].pods.size() &&
           std::all_of(classes_[c].smaller.begin(), classes_[c].smaller.end(),
                       [&](std::size_t s) { return taken[s] == classes_[s].pods.size(); });
  }

  const Allocation& ask_;
  const Resources& before_;
  const std::vector<SizeClass>& classes_;
};

/// Lists the sets that take `taken[c]` pods of class c, each after the pods of `first`, up to the limit.
class Listing {
 public:
  Listing(const std::vector<SizeClass>& classes, const std::vector<PodId>& first, VictimSets& out)
      : classes_(classes), first_(first), out_(out) {}

  void add(const Taken& taken) {
    // One mask per class of which pods are taken; masks advance like the digits of a number.
    std::vector<std::vector<char>> masks;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      std::vector<char>& mask = masks.emplace_back(classes_[c].pods.size(), 0);
      std::fill(mask.begin(), mask.begin() + static_cast<std::ptrdiff_t>(taken[c]), 1);
    }
    do {
      if (out_.sets.size() >= kMostSets) {
        out_.complete = false;
        return;
      }
      out_.sets.push_back(chosen(masks));
    } while (step(masks));
  }

 private:
  [[nodiscard]] auto chosen(const std::vector<std::vector<char>>& masks) const -> std::vector<PodId> {
    std::vector<PodId> set = first_;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      for (std::size_t i = 0; i < masks[c].size(); ++i) {
        if (masks[c][i] != 0) set.push_back(classes_[c].pods[i]);
      }
    }
    return set;
  }

  static auto step(std::vector<std::vector<char>>& masks) -> bool {
    return std::any_of(masks.begin(), masks.end(), [](std::vector<char>& mask) {
      return std::prev_permutation(mask.begin(), mask.end());  // false: the mask wrapped around; the next one advances
    });
  }

  const std::vector<SizeClass>& classes_;
  const std::vector<PodId>& first_;
  VictimSets& out_;
};

/// Determines which pods are in every set, and which in some: by counts, so that it also holds for sets that are not
/// listed.
void note_shares(const std::vector<SizeClass>& classes, const std::vector<Taken>& ends, bool nobody_possible,
                 const std::vector<PodId>& first, VictimSets& out) {
  for (const PodId pod : first) (nobody_possible ? out.sometimes : out.always).push_back(pod);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    bool all = !nobody_possible;
    bool some = false;
    for (const Taken& taken : ends) {
      all = all && taken[c] == classes[c].pods.size();
      some = some || taken[c] > 0;
    }
    if (!some) continue;
    std::vector<PodId>& share = all ? out.always : out.sometimes;
    share.insert(share.end(), classes[c].pods.begin(), classes[c].pods.end());
  }
}

}  // namespace

auto possible_victims(const Allocation& ask, const Resources& available, const std::vector<Allocation>& candidates)
    -> VictimSets {
  VictimSets result;
  Resources before;          // what the groups before the deciding one free
  std::vector<PodId> first;  // their pods
  auto begin = candidates.begin();
  auto end = begin;
  for (; begin != candidates.end(); begin = end) {
    Resources sum = before;
    for (end = begin; end != candidates.end() && same_group(*begin, *end); ++end) sum += end->size;
    if (at_least(sum, ask.size)) break;
    before = sum;
    for (auto pod = begin; pod != end; ++pod) first.push_back(pod->pod);
  }
  const auto accepted = [&](const Resources& freed) { return at_least(freed + available, ask.size); };
  if (begin == candidates.end()) {  // not even all candidates satisfy the ask
    if (first.empty() || !accepted(before)) first.clear();
    result.sets.push_back(first);
    result.always = first;
    return result;
  }

  const std::vector<SizeClass> classes = size_classes(begin, end);
  Search search(ask, before, classes);
  std::vector<Taken> ends = search.run(result.complete);
  const auto refused = std::stable_partition(ends.begin(), ends.end(),
                                             [&](const Taken& taken) { return accepted(search.freed(taken)); });
  const bool nobody_possible = refused != ends.end();
  ends.erase(refused, ends.end());
  Listing listing(classes, first, result);
  for (const Taken& taken : ends) listing.add(taken);
  if (nobody_possible) result.sets.emplace_back();
  if (!ends.empty()) note_shares(classes, ends, nobody_possible, first, result);
  return result;
}

}  // namespace previct::yunikorn
