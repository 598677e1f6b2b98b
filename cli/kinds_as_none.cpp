#include "cli/kinds_as_none.h"

#include "api/kinds_asked.h"
#include "base/text.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace previct::cli {
namespace {

constexpr std::string_view kNone = "none=";

auto kind_called(std::string_view word) -> Result<std::string_view> {
  std::vector<std::string> names;
  const auto lower = [](std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
  };
  // As kubectl abbreviates them.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kShort = {{{"pdb", "PodDisruptionBudget"},
                                                                                    {"pc", "PriorityClass"},
                                                                                    {"pv", "PersistentVolume"},
                                                                                    {"pvc", "PersistentVolumeClaim"},
                                                                                    {"sc", "StorageClass"},
                                                                                    {"cm", "ConfigMap"},
                                                                                    {"no", "Node"}}};
  for (const auto& [abbreviation, kind] : kShort) {
    if (lower(word) == abbreviation) word = kind;
  }
  for (const Engine* engine : engines()) {
    for (const RequiredKind& need : engine->needs()) {
      const std::string name = lower(short_kind(need.kind));
      const std::string plural = name + (name.ends_with("s") ? "es" : "s");
      if (lower(word) == name || lower(word) == plural) return need.kind;
      names.emplace_back(short_kind(need.kind));
    }
  }
  const auto meant = nearest(word, names);
  return fail(fmt::format("--assume none={}: no scheduler reads this kind{}", word,
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

}  // namespace

auto names_kinds(std::string_view assume) -> bool {
  return assume.starts_with(kNone);
}

auto take_kinds_as_none(Session& session) -> Result<void> {
  const Options& options = session.options;
  Objects& objects = session.objects;
  std::vector<std::string> by_flag;
  if (options.complete) {
    for (const Engine* engine : engines()) {
      for (const RequiredKind& need : engine->needs()) {
        if (may_hold_more(objects, need.kind)) by_flag.emplace_back(need.kind);
      }
    }
    // Those that only some answers look at are not named; of pods and nodes, these are all.
    for (const char* kind :
         {"Pod", "Node", "Namespace", "storage.k8s.io/CSIDriver", "storage.k8s.io/CSIStorageCapacity", "Service",
          "ReplicationController", "apps/ReplicaSet", "apps/StatefulSet", "resource.k8s.io/ResourceClaim",
          "resource.k8s.io/DeviceClass", "scheduling.k8s.io/PodGroup", "scheduling.k8s.io/Workload"})
      take_as_listed(kind, objects);
  }
  if (options.assume.starts_with(kNone)) {
    std::string_view rest = std::string_view(options.assume).substr(kNone.size());
    do {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      PREVICT_TRY(const std::string_view kind, kind_called(rest.substr(0, comma)));
      if (may_hold_more(objects, kind)) by_flag.emplace_back(kind);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    } while (!rest.empty());
  }
  const auto take = [&](const std::vector<std::string>& kinds, GapRule rule, std::string_view flag) {
    std::vector<std::string> names;
    for (const std::string& kind : kinds) {
      take_as_listed(kind, objects);
      const std::string name(short_kind(kind));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.empty()) return;
    session.taken_as_none.push_back({rule, {joined(names, ", "), std::string(flag)}});
  };
  take(by_flag, GapRule::none_of_kinds, options.complete ? "--complete" : "--assume");
  take(kinds_asked_in_vain(objects), GapRule::none_of_kinds_listed, "");
  return {};
}

}  // namespace previct::cli
