#include "cli/kinds_as_none.h"

#include "api/kinds_asked.h"
#include "base/text.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::cli {
namespace {

constexpr std::string_view kNone = "none=";

auto kind_called(std::string_view word) -> Result<const KindInfo*> {
  std::vector<std::string> names;
  for (const Engine* engine : engines()) {
    for (const RequiredKind& need : engine->needs()) {
      if (need.kind->is_called(word)) return need.kind;
      names.emplace_back(need.kind->name);
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

auto assume_absent_kinds(const Options& options, Objects& objects) -> Result<std::vector<Gap>> {
  std::vector<Gap> gaps;
  std::vector<const KindInfo*> by_flag;
  if (options.complete) {
    for (const Engine* engine : engines()) {
      for (const RequiredKind& need : engine->needs()) {
        if (may_hold_more(objects, *need.kind)) by_flag.push_back(need.kind);
      }
    }
    // Not reported: kinds that only some answers need, and pods and nodes, of which the input has all.
    for (const KindInfo* const kind :
         {&kinds::pods, &kinds::nodes, &kinds::namespaces, &kinds::csi_drivers, &kinds::csi_storage_capacities,
          &kinds::volume_attachments, &kinds::persistent_volume_claims, &kinds::services,
          &kinds::replication_controllers, &kinds::replica_sets, &kinds::stateful_sets, &kinds::resource_claims,
          &kinds::device_classes, &kinds::pod_groups, &kinds::workloads})
      mark_as_listed(*kind, objects);
  }
  if (options.assume.starts_with(kNone)) {
    std::string_view rest = std::string_view(options.assume).substr(kNone.size());
    do {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      PREVICT_TRY(const KindInfo* const kind, kind_called(rest.substr(0, comma)));
      if (may_hold_more(objects, *kind)) by_flag.push_back(kind);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    } while (!rest.empty());
  }
  const auto take = [&](const std::vector<const KindInfo*>& kinds, GapRule rule, std::string_view flag) {
    std::vector<std::string> names;
    std::vector<std::string> held;  // the input has some of their objects
    for (const KindInfo* const kind : kinds) {
      mark_as_listed(*kind, objects);
      std::vector<std::string>& to = objects.counts.contains(std::string(kind->key)) ? held : names;
      const std::string name(kind->name);
      if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    }
    if (names.empty() && held.empty()) return;
    std::string words = joined(names, ", ");
    if (!held.empty())
      words += fmt::format("{}{} beyond those in the input", names.empty() ? "" : ", and no ", joined(held, ", "));
    gaps.push_back({rule, {std::move(words), std::string(flag)}});
  };
  take(by_flag, GapRule::none_of_kinds, options.complete ? "--complete" : "--assume");
  take(requested_kinds_without_objects(objects), GapRule::none_of_kinds_listed, "");
  return gaps;
}

}  // namespace previct::cli
