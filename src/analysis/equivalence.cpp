#include "analysis/equivalence.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

using Rename = std::function<std::string(std::string_view)>;

// `main/cpu: spot`, `main: 4 pods`
auto renamed_assignment(std::string_view text, const Rename& rename) -> std::string {
  const std::size_t colon = text.find(": ");
  const std::size_t slash = text.substr(0, colon).find('/');
  if (colon == std::string_view::npos) return rename(text);
  if (slash == std::string_view::npos) return fmt::format("{}{}", rename(text.substr(0, colon)), text.substr(colon));
  return fmt::format("{}/{}: {}", rename(text.substr(0, slash)), rename(text.substr(slash + 1, colon - slash - 1)),
                     rename(text.substr(colon + 2)));
}

auto renamed(const Decision& decision, const Rename& rename) -> Decision {
  Decision out = decision;
  for (std::string& assigned : out.assigned) assigned = renamed_assignment(assigned, rename);
  std::sort(out.assigned.begin(), out.assigned.end());
  out.node = rename(decision.node);
  for (std::string& node : out.tied) node = rename(node);
  for (std::string& victim : out.victims) victim = renamed_key(victim, rename);
  for (std::string& victim : out.possible) victim = renamed_key(victim, rename);
  for (std::string& victim : out.certain) victim = renamed_key(victim, rename);
  return out;
}

auto words(const Decision* decision) -> std::string {
  if (decision == nullptr) return "not asked";
  return decision->asked ? words_of(*decision) : "not answered";
}

// Drops the name after `only against`: where several preemptors are equivalent, one of them is named.
auto without_names(std::string_view words) -> std::string_view {
  words = words.substr(0, words.find(", only against "));
  return words.find(" by ") == std::string_view::npos ? words : words.substr(0, words.find(','));
}

template <class Map>
auto find_in(const Map& map, const std::string& key) -> const typename Map::mapped_type* {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

auto renamed_key(std::string_view key, const Rename& rename) -> std::string {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return rename(key);
  // Objects other than pods have their kind in front: `workload/ml/train`.
  if (key.find('/', slash + 1) != std::string_view::npos)
    return fmt::format("{}{}", key.substr(0, slash + 1), renamed_key(key.substr(slash + 1), rename));
  return fmt::format("{}/{}", rename(key.substr(0, slash)), rename(key.substr(slash + 1)));
}

auto disagreements(const ClusterDecisions& before, const ClusterDecisions& after, const Rename& rename)
    -> std::vector<Disagreement> {
  std::vector<Disagreement> found;
  for (const auto& [pod, decision] : before.decisions) {
    const Decision* const other = find_in(after.decisions, renamed_key(pod, rename));
    const bool same =
        other != nullptr && renamed(decision, rename) == *other && decision.next_change == other->next_change;
    if (!same) found.push_back({pod, words(&decision), words(other)});
  }
  for (const auto& [pod, shield] : before.shields) {
    const ProtectionSummary* const other = find_in(after.shields, renamed_key(pod, rename));
    if (other == nullptr || without_names(other->words) != without_names(shield.words)) {
      found.push_back(
          {pod, "protection: " + shield.words, "protection: " + (other == nullptr ? "none" : other->words)});
    }
  }
  if (before.decisions.size() != after.decisions.size() || before.shields.size() != after.shields.size()) {
    found.push_back({"(all)",
                     fmt::format("{} decisions, {} protections", before.decisions.size(), before.shields.size()),
                     fmt::format("{} decisions, {} protections", after.decisions.size(), after.shields.size())});
  }
  return found;
}

void disagreement_row(Row& row, const Disagreement& each) {
  row.text("POD", each.pod).key("pod");
  row.text("BEFORE", each.before).key("before");
  row.text("AFTER", each.after).key("after");
}

}  // namespace previct
