#include "api/deduplicate.h"

#include "api/fields.h"
#include "api/known_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Objects that occur several times in the same version, as in a must-gather. They are reported together.
struct Repeated {
  std::size_t count = 0;
  std::string_view kind;  // kind and place of the first one
  Source kept;
  Source dropped;

  void add(std::string_view what, const ObjectMeta& next, const ObjectMeta& earlier) {
    if (count++ > 0) return;
    kind = what;
    kept = next.source;
    dropped = earlier.source;
  }
};

/// Objects that occur again in another version, of which one is kept. Each kind of difference is reported once.
struct Dropped {
  struct DifferenceReport {
    std::size_t count = 0;
    std::string first;
    Source place;

    /// `message` creates the text, which is needed only for the first object.
    template <class Message>
    void add(const Message& message, const Source& at) {
      if (count++ > 0) return;
      first = message();
      place = at;
    }
  };
  DifferenceReport versions;
  DifferenceReport uids;  // same name, but recreated, or from a kubelet, which gives static pods uids of its own
  DifferenceReport contradictory;  // same version, but different content
};

/// Selects the newest state of each object, in the order of the input.
template <class T>
class NewestStates {
 public:
  NewestStates(std::string_view kind, const Watched& watched, Repeated& repeated, Dropped& dropped, Objects& objects)
      : kind_(kind), watched_(watched), repeated_(repeated), dropped_(dropped), objects_(objects) {}

  /// `survivor`: index of the state that was selected so far (kNone: none); updated for the state at `index`.
  void add(std::vector<T>& store, std::uint32_t index, std::uint32_t& survivor) {
    const ObjectMeta& next = store[index].meta;
    if (watched_.deleted.count(next.source) > 0) {
      survivor = kNone;
    } else if (survivor == kNone) {
      survivor = index;
    } else {
      const ObjectMeta& kept = store[survivor].meta;
      const bool replace = replaces(next, kept);
      const bool watch = watched_.states.count(next.source) > 0 && next.source.file == kept.source.file;
      const bool same = next.uid && next.uid == kept.uid && next.resource_version != 0 &&
                        next.resource_version == kept.resource_version;
      const std::string differs = !watch && same ? difference(store[survivor], store[index]) : "";
      if (!differs.empty()) {
        warn(next, kept, differs);
      } else if (!watch && same) {
        repeated_.add(kind_, next, kept);
      } else if (!watch) {
        warn(replace ? next : kept, replace ? kept : next, {});
      }
      if constexpr (std::is_same_v<T, Pod>) {
        const bool another = next.uid && kept.uid && next.uid != kept.uid;
        if (another && !watch) objects_.replaced_pods.push_back(store[replace ? survivor : index]);
      }
      if (replace || watch) survivor = index;
    }
  }
  static constexpr std::uint32_t kNone = UINT32_MAX;

 private:
  static auto replaces(const ObjectMeta& next, const ObjectMeta& kept) -> bool {
    if (next.uid && next.uid == kept.uid) return next.resource_version >= kept.resource_version;
    return next.created.value_or(Instant{}) >= kept.created.value_or(Instant{});
  }

  /// The path of the first field that differs; empty if there is none.
  [[nodiscard]] auto difference(const T& one, const T& other) const -> std::string {
    const auto a = fields_of(one, objects_.symbols);
    const auto b = fields_of(other, objects_.symbols);
    const auto [at, bt] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at == a.end()) return bt == b.end() ? "" : bt->first;
    return bt == b.end() ? at->first : std::min(at->first, bt->first);
  }

  /// `differs`: the differing field if both claim to be the same version.
  void warn(const ObjectMeta& kept, const ObjectMeta& dropped, const std::string& differs) {
    const bool one = kept.uid && kept.uid == dropped.uid;
    const bool two = kept.uid && dropped.uid && !one;
    Dropped::DifferenceReport& told = two               ? dropped_.uids
                                      : differs.empty() ? dropped_.versions
                                                        : dropped_.contradictory;
    const auto message = [&] {
      const std::string_view ns = objects_.symbols.text(kept.ns);
      const std::string version = one ? fmt::format("resourceVersion {}", kept.resource_version) : "the one";
      return fmt::format("{} \"{}{}{}\" occurs twice{}{}; kept {} of {}, dropped that of {}", kind_, ns,
                         ns.empty() ? "" : "/", objects_.symbols.text(kept.name), two ? " with different uids" : "",
                         differs.empty() ? "" : fmt::format(" in one version with different content ({})", differs),
                         version, objects_.files.describe(kept.source), objects_.files.describe(dropped.source));
    };
    told.add(message, dropped.source);
  }

  std::string_view kind_;
  const Watched& watched_;
  Repeated& repeated_;
  Dropped& dropped_;
  Objects& objects_;
};

template <class T>
void keep_one_of_each(std::string_view kind, std::vector<T>& store, const Watched& watched, Repeated& repeated,
                      Dropped& dropped, Objects& objects) {
  NewestStates<T> states(kind, watched, repeated, dropped, objects);
  std::unordered_map<std::uint64_t, std::uint32_t> group_of;
  group_of.reserve(store.size());
  std::vector<std::uint32_t> survivors;  // index of the survivor of each group
  survivors.reserve(store.size());
  for (std::uint32_t i = 0; i < store.size(); ++i) {
    const ObjectMeta& meta = store[i].meta;
    const std::uint64_t name = std::uint64_t{meta.ns.index} << 32U | meta.name.index;
    const auto [group, added] = group_of.try_emplace(name, static_cast<std::uint32_t>(survivors.size()));
    if (added) survivors.push_back(NewestStates<T>::kNone);
    states.add(store, i, survivors[group->second]);
  }
  if (survivors.size() == store.size() && watched.deleted.empty()) return;
  // Move in place: the target belongs to the same group or to an earlier one.
  std::size_t size = 0;
  for (const std::uint32_t survivor : survivors) {
    if (survivor == NewestStates<T>::kNone) continue;
    if (survivor != size) store[size] = std::move(store[survivor]);
    ++size;
  }
  store.erase(store.begin() + static_cast<std::ptrdiff_t>(size), store.end());
}

void say(const Repeated& repeated, Objects& objects) {
  if (repeated.count == 0) return;
  objects.diagnostics.warn(
      "duplicate-object",
      fmt::format("{} again in the same version and {} counted once; first: {} also at {}",
                  repeated.count == 1 ? "an object occurs" : fmt::format("{} objects occur", repeated.count),
                  repeated.count == 1 ? "is" : "are", repeated.kind, objects.files.describe(repeated.kept)),
      repeated.dropped);
}

void say(const Dropped& dropped, Objects& objects) {
  for (const Dropped::DifferenceReport* told : {&dropped.contradictory, &dropped.uids, &dropped.versions}) {
    if (told->count == 0) continue;
    const std::string more = told->count == 1 ? "" : fmt::format(" (and {} more)", told->count - 1);
    objects.diagnostics.warn("duplicate-object", told->first + more, told->place);
  }
}

// In YuniKorn's ConfigMaps, keeps only the files with queues: `<service.policyGroup>.yaml`, by default queues.yaml. In
// Kueue's, keeps its Configuration, and in all, configurations of kube-scheduler. Other entries may hold anything.
void keep_files_of_queues(Objects& objects) {
  std::set<std::string> files = {"queues.yaml", std::string(kueue::kConfigMapKey)};
  for (const ConfigMap& map : objects.config_maps) {
    for (const auto& [key, value] : map.data) {
      if (objects.symbols.text(key) == "service.policyGroup") files.insert(std::string(value.text) + ".yaml");
    }
  }
  for (ConfigMap& map : objects.config_maps) {
    std::erase_if(map.data, [&](const auto& entry) {
      const std::string_view key = objects.symbols.text(entry.first);
      return key.ends_with(".yaml") && !files.contains(std::string(key)) &&
             !mentions_scheduler_config(entry.second.text);
    });
  }
}

}  // namespace

void keep_one_of_each(const Watched& watched, Objects& objects) {
  Repeated repeated;
  Dropped dropped;
  objects.each_store(
      [&](std::string_view kind, auto& store) { keep_one_of_each(kind, store, watched, repeated, dropped, objects); });
  say(repeated, objects);
  say(dropped, objects);
  keep_files_of_queues(objects);
}

void note_deletions(Objects& objects) {
  for (const Pod& pod : objects.pods) {
    const auto& grace = pod.meta.deletion_grace_seconds;
    if (!pod.meta.deleting || !grace || *grace < 0) continue;
    objects.newest = std::max(objects.newest, pod.meta.deleting->plus_seconds(-*grace));
  }
}

void fill_priorities(Objects& objects) {
  objects.filled_policies = {};
  objects.filled_priorities = {};
  objects.default_priorities = {};
  objects.zero_priorities = {};
  const PriorityClass* const usual = default_class(objects);
  const auto ended = [&](const Pod& pod) {
    const std::string_view phase = objects.symbols.text(pod.status.phase);
    return phase == "Succeeded" || phase == "Failed";
  };
  for (Pod& pod : objects.pods) {
    PodSpec& spec = pod.spec;
    // The API server sets both when it creates a pod; a manifest may have only the priority.
    if (spec.has_priority && spec.priority_class_name && !spec.preemption_policy && !pod.meta.uid && !spec.node_name) {
      const auto known = known_class(spec.priority_class_name, objects);
      if (known && objects.symbols.text(known->policy) == "Never") {
        spec.preemption_policy = known->policy;
        objects.filled_policies.add({1, {pod.meta.source.file, pod.meta.source.line, pod.meta.source.column}});
      }
    }
    if (spec.has_priority) continue;
    const bool names_class = static_cast<bool>(spec.priority_class_name);
    const Source& at = pod.meta.source;
    // A running pod may be older than the class; a pod that is not created yet cannot be.
    if (!names_class && usual != nullptr && !ended(pod)) {
      if (spec.node_name) {
        if (usual->value != 0) objects.zero_priorities.add({1, {at.file, at.line, at.column}});
      } else if (!pod.meta.uid) {
        spec.priority_class_name = usual->meta.name;
      }
    }
    const auto found = spec.priority_class_name ? known_class(spec.priority_class_name, objects) : std::nullopt;
    if (!found) continue;
    spec.priority = found->value;
    spec.has_priority = true;
    if (!spec.preemption_policy) spec.preemption_policy = found->policy;
    (names_class ? objects.filled_priorities : objects.default_priorities).add({1, {at.file, at.line, at.column}});
  }
}

void note_manifest_only_kinds(Objects& objects) {
  const auto dumped = [](const auto& object) { return bool{object.meta.uid}; };
  objects.manifest_only_kinds.clear();
  if (std::none_of(objects.nodes.begin(), objects.nodes.end(), dumped)) return;
  std::set<std::string_view> of_server;
  objects.each_store([&](std::string_view kind, const auto& store) {
    if (store.empty()) return;
    if (std::any_of(store.begin(), store.end(), dumped)) {
      of_server.insert(kind);
    } else {
      objects.manifest_only_kinds.emplace(kind);
    }
  });
  // Several groups may have a kind with this name.
  for (const std::string_view kind : of_server) objects.manifest_only_kinds.erase(std::string(kind));
}

void note_unplaced_pods(Objects& objects) {
  const Symbol running = objects.symbols.find("Running");
  LeftOut unplaced;
  std::string first;
  for (const Pod& pod : objects.pods) {
    if (!running || pod.status.phase != running || pod.spec.node_name) continue;
    const Source& at = pod.meta.source;
    if (unplaced.count == 0) {
      first = fmt::format("{}/{}", objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name));
    }
    unplaced.add({1, {at.file, at.line, at.column}});
  }
  objects.unplaced_pods = unplaced;
  if (unplaced.count == 0) return;
  const bool one = unplaced.count == 1;
  objects.diagnostics.warn(
      "pod-on-no-node",
      fmt::format("pod {}{} Running by {} phase but {} no spec.nodeName: it counts neither as pending nor on any node",
                  first, one ? " is" : fmt::format(" and {} more are", unplaced.count - 1), one ? "its" : "their",
                  one ? "has" : "have"),
      unplaced.first);
}

}  // namespace previct
