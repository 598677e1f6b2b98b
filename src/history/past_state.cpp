#include "history/past_state.h"

#include "api/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::history {
namespace {

auto key_of(const ObjectMeta& meta, const Symbols& symbols) -> std::string {
  const std::string_view ns = symbols.text(meta.ns);
  return ns.empty() ? std::string(symbols.text(meta.name)) : fmt::format("{}/{}", ns, symbols.text(meta.name));
}

// Returns false for fields that record when an object was written, for heartbeats, and for the number of pods that a
// controller should run: the pods themselves are compared.
auto counts(std::string_view field) -> bool {
  return !field.starts_with("metadata.resourceVersion") && !field.starts_with("metadata.generation") &&
         !field.starts_with("status.conditions") && field != "spec.replicas" && field != "status.replicas";
}

template <class T>
auto lasting_fields_of(const T& object, const Symbols& symbols) -> std::map<std::string, std::string> {
  auto fields = fields_of(object, symbols);
  std::erase_if(fields, [](const auto& field) { return !counts(field.first); });
  return fields;
}

template <class T>
auto change_of(std::string_view kind, const std::vector<T>& before, const Symbols& of_before,
               const std::vector<T>& after, const Symbols& of_after) -> std::string {
  std::map<std::string, const T*> later;
  for (const T& object : after) later.emplace(key_of(object.meta, of_after), &object);
  for (const T& object : before) {
    const std::string key = key_of(object.meta, of_before);
    const auto found = later.find(key);
    if (found == later.end()) return fmt::format("only the earlier dump has {} {}", kind, key);
    const auto a = lasting_fields_of(object, of_before);
    const auto b = lasting_fields_of(*found->second, of_after);
    const auto [at, bt] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at == a.end() && bt == b.end()) continue;
    const std::string field = at == a.end() ? bt->first : bt == b.end() ? at->first : std::min(at->first, bt->first);
    return fmt::format("{} {} changed between the dumps ({})", kind, key, field);
  }
  if (after.size() > before.size()) return fmt::format("only the later dump has a {}", kind);
  return {};
}

// Pods are created and end; a pod that ended without a trace may or may not have existed at the moment in question.
auto gone_pod(const Objects& before, const Objects& after, const std::set<std::string>& traced) -> std::string {
  std::set<std::string_view> later;
  for (const Pod& pod : after.pods) later.insert(after.symbols.text(pod.meta.uid));
  for (const Pod& pod : before.pods) {
    const std::string_view uid = before.symbols.text(pod.meta.uid);
    if (!later.contains(uid) && !traced.contains(std::string(uid)))
      return fmt::format("pod {} ended between the dumps, at a time that the input does not show",
                         key_of(pod.meta, before.symbols));
  }
  return {};
}

// A pod in events after the earlier dump, but in neither dump: its resources or its nomination are unknown.
auto passing_pod(const Objects& before, const Objects& after, Instant until, const std::set<std::string>& traced,
                 const std::vector<Timeline::Sighting>& sightings) -> std::string {
  for (const Timeline::Sighting& seen : sightings) {
    if (seen.at < before.newest || seen.at > until || traced.contains(seen.uid)) continue;
    const auto holds = [&](const Objects& dump) {
      return std::any_of(dump.pods.begin(), dump.pods.end(),
                         [&](const Pod& pod) { return dump.symbols.text(pod.meta.uid) == seen.uid; });
    };
    if (!holds(before) && !holds(after))
      return fmt::format("pod {}, which took part at that time, is in neither dump", seen.name);
  }
  return {};
}

}  // namespace

auto why_state_may_differ(const Dumps& dumps, Instant moment, Instant until, const std::set<std::string>& traced,
                          const std::vector<Timeline::Sighting>& sightings) -> std::string {
  const Objects* before = nullptr;
  const Objects* after = nullptr;
  for (const auto& dump : dumps) {
    if (dump->pods.empty() || dump->nodes.empty()) continue;
    if (dump->newest <= moment && (before == nullptr || before->newest < dump->newest)) before = dump.get();
    if (dump->newest > until && (after == nullptr || dump->newest < after->newest)) after = dump.get();
  }
  if (before == nullptr || after == nullptr)
    return "to know the state at that moment, previct needs dumps from before and after it: -f BEFORE -f AFTER";
  std::string why = gone_pod(*before, *after, traced);
  if (why.empty()) why = passing_pod(*before, *after, until, traced, sightings);
  // Both stores have the same kinds in the same order.
  std::vector<std::string> changes;
  before->each_store([&](std::string_view kind, const auto& store) {
    using Store = std::decay_t<decltype(store)>;
    if (!why.empty() || kind == "Pod" || kind == "Namespace" || kind_of_store(kind)->only_new_pods) return;
    after->each_store([&](std::string_view other, const auto& later) {
      if constexpr (std::is_same_v<Store, std::decay_t<decltype(later)>>) {
        if (other == kind) why = change_of(kind, store, before->symbols, later, after->symbols);
      }
    });
  });
  return why;
}

}  // namespace previct::history
