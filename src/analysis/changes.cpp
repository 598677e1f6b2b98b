#include "analysis/changes.h"

#include "api/fields.h"
#include "api/locate.h"
#include "api/upstream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <unordered_map>

namespace previct {
namespace {

/// The first object of each namespace and name.
template <class T>
class ByName {
 public:
  explicit ByName(const std::vector<T>& store) {
    first_.reserve(store.size());
    for (const T& object : store) first_.try_emplace(key(object), &object);
  }
  /// Null: there is none.
  [[nodiscard]] auto like(const T& object) const -> const T* {
    const auto found = first_.find(key(object));
    return found == first_.end() ? nullptr : found->second;
  }

 private:
  static auto key(const T& object) -> std::uint64_t {
    return std::uint64_t{object.meta.ns.index} << 32U | object.meta.name.index;
  }
  std::unordered_map<std::uint64_t, const T*> first_;
};

/// The store of objects of type T.
template <class T, class AnyStores>
auto store_of(AnyStores& stores) -> auto& {
  std::conditional_t<std::is_const_v<AnyStores>, const std::vector<T>, std::vector<T>>* found = nullptr;
  stores.each_store([&](std::string_view, auto& store) {
    if constexpr (std::is_same_v<std::decay_t<decltype(store)>, std::vector<T>>) found = &store;
  });
  return *found;
}

// How many pods a controller should run decides nothing about those that exist.
auto matters(const std::string& path) -> bool {
  return path != "spec.replicas" && path != "status.replicas" && path != "metadata.uid" &&
         path != "metadata.resourceVersion" && path != "metadata.namespace" && !path.ends_with(".lastHeartbeatTime");
}

// The default that the API server writes if an object leaves the field out: an absent field equals its default. Source:
// kubernetes: pkg/apis/core/v1/defaults.go, pkg/apis/scheduling/v1/defaults.go, plugin/pkg/admission/priority.
auto default_of(std::string_view object, std::string_view path) -> std::string_view {
  struct Default {
    std::string_view kind;
    std::string_view path;  // or its suffix, if it begins with a bracket
    std::string_view value;
  };
  constexpr std::array<Default, 7> kDefaults = {{{"Pod/", "spec.preemptionPolicy", "PreemptLowerPriority"},
                                                 {"Pod/", "spec.schedulerName", upstream::kDefaultScheduler},
                                                 {"Pod/", "spec.restartPolicy", "Always"},
                                                 {"Pod/", "spec.terminationGracePeriodSeconds", "30"},
                                                 {"Pod/", "].protocol", "TCP"},
                                                 {"PriorityClass/", "preemptionPolicy", "PreemptLowerPriority"},
                                                 {"PriorityClass/", "globalDefault", "false"}}};
  for (const Default& each : kDefaults) {
    const bool here = each.path.starts_with(']') ? path.ends_with(each.path) : path == each.path;
    if (here && object.starts_with(each.kind)) return each.value;
  }
  return {};
}

class Comparison {
 public:
  Comparison(const Stores& before, Objects& objects) : before_(before), objects_(objects) {}

  auto run() -> std::vector<Change> {
    objects_.each_store([&](std::string_view kind, const auto& store) {
      using T = typename std::decay_t<decltype(store)>::value_type;
      if (kind_of_store(kind)->only_new_pods) return;
      compare(kind, store_of<T>(before_), store);
    });
    find_places();
    // A policy has more effect than a single pod or node.
    std::stable_partition(changes_.begin(), changes_.end(), [](const Change& change) {
      return !change.object.starts_with("Pod/") && !change.object.starts_with("Node/");
    });
    return std::move(changes_);
  }

 private:
  template <class T>
  struct Differing {
    std::pair<std::string_view, std::string_view> name;  // of the namespace, and of the object
    const T* before;
    const T* after;
  };

  // By name. A null pointer: the state has no such object.
  template <class T>
  [[nodiscard]] auto differing(const std::vector<T>& before, const std::vector<T>& after) const
      -> std::vector<Differing<T>> {
    const ByName<T> earlier(before);
    const ByName<T> later(after);
    std::vector<Differing<T>> differ;
    const auto add = [&](const T* old_object, const T* new_object) {
      const ObjectMeta& meta = (old_object != nullptr ? old_object : new_object)->meta;
      differ.push_back({{objects_.symbols.text(meta.ns), objects_.symbols.text(meta.name)}, old_object, new_object});
    };
    for (const T& object : before) {
      if (earlier.like(object) != &object) continue;
      const T* const now = later.like(object);
      if (now == nullptr || !have_same_fields(object, *now)) add(&object, now);
    }
    for (const T& object : after) {
      if (later.like(object) == &object && earlier.like(object) == nullptr) add(nullptr, &object);
    }
    std::sort(differ.begin(), differ.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return differ;
  }

  template <class T>
  void compare(std::string_view kind, const std::vector<T>& before, const std::vector<T>& after) {
    for (const auto& [name, old_object, new_object] : differing(before, after)) {
      Change change;
      change.object = fmt::format("{}/{}{}{}", kind, name.first, name.first.empty() ? "" : "/", name.second);
      change.how = old_object == nullptr   ? Change::How::added
                   : new_object == nullptr ? Change::How::removed
                                           : Change::How::changed;
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a name is that of an old object, or of a new one
      change.place = (new_object != nullptr ? new_object : old_object)->meta.source;
      if (old_object != nullptr && new_object != nullptr) {
        change.fields = fields_between(change.object, *old_object, *new_object);
        if (change.fields.empty()) continue;
      }
      change.revert = reverting(old_object, new_object);
      changes_.push_back(std::move(change));
    }
  }

  template <class T>
  [[nodiscard]] auto fields_between(std::string_view object, const T& before, const T& after) const
      -> std::vector<FieldChange> {
    const auto old_fields = fields_of(before, objects_.symbols);
    const auto new_fields = fields_of(after, objects_.symbols);
    std::vector<FieldChange> changes;
    const auto note = [&](const std::string& path, const std::string& old_text, const std::string& new_text) {
      if (old_text == new_text || !matters(path)) return;
      if (old_text.empty() != new_text.empty() && old_text + new_text == default_of(object, path)) return;
      const Source& source = new_fields.contains(path) ? after.meta.source : before.meta.source;
      changes.push_back({path, old_text, new_text, source});
    };
    for (const auto& [path, text] : old_fields) {
      const auto found = new_fields.find(path);
      note(path, text, found == new_fields.end() ? "" : found->second);
    }
    for (const auto& [path, text] : new_fields) {
      if (!old_fields.contains(path)) note(path, "", text);
    }
    return changes;
  }

  /// Looks up all fields at once, because each lookup reads a file.
  void find_places() {
    std::vector<FieldOf> fields;
    for (const Change& change : changes_) {
      for (const FieldChange& field : change.fields) fields.push_back({field.place, field.path});
    }
    const std::vector<Place> places = locate(objects_.sources, fields);
    auto place = places.begin();
    for (Change& change : changes_) {
      for (FieldChange& field : change.fields) {
        field.place = *place++;
        field = narrowed(std::move(field));
      }
    }
  }

  /// Reduces a multi-line text (a configuration in a ConfigMap) to the first line that differs.
  static auto narrowed(FieldChange change) -> FieldChange {
    if (change.before.find('\n') == std::string::npos || change.after.find('\n') == std::string::npos) return change;
    const auto first =
        std::mismatch(change.before.begin(), change.before.end(), change.after.begin(), change.after.end());
    const auto line_at = [](const std::string& text, std::string::const_iterator at) {
      const auto offset = static_cast<std::size_t>(at - text.begin());
      const std::size_t from = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
      const std::string line = text.substr(from, text.find('\n', offset) - from);
      const std::size_t begin = line.find_first_not_of(' ');
      return begin == std::string::npos ? line : line.substr(begin);
    };
    const auto number = static_cast<std::uint32_t>(1 + std::count(change.before.begin(), first.first, '\n'));
    change.path += fmt::format(" line {}", number);
    if (change.place.line != 0) change.place = {change.place.file, change.place.line + number, 0};
    std::string before = line_at(change.before, first.first);
    change.after = line_at(change.after, first.second);
    change.before = std::move(before);
    return change;
  }

  template <class T>
  static auto reverting(const T* before, const T* after) -> decltype(Change::revert) {
    const Symbol ns = (before != nullptr ? before : after)->meta.ns;
    const Symbol name = (before != nullptr ? before : after)->meta.name;
    return [before, ns, name](Stores& stores) -> std::function<void(Stores&)> {
      std::vector<T>& store = store_of<T>(stores);
      const auto found =
          std::find_if(store.begin(), store.end(), [&](const T& o) { return o.meta.ns == ns && o.meta.name == name; });
      const auto at = found - store.begin();
      if (found == store.end()) {
        if (before == nullptr) return [](Stores&) {};
        store.push_back(*before);
        return [](Stores& reverted) { store_of<T>(reverted).pop_back(); };
      }
      auto later = std::make_shared<T>(std::move(*found));
      if (before == nullptr) {
        store.erase(found);
        return [at, later](Stores& reverted) {
          std::vector<T>& without = store_of<T>(reverted);
          without.insert(without.begin() + at, std::move(*later));
        };
      }
      *found = *before;
      return [at, later](Stores& reverted) { *(store_of<T>(reverted).begin() + at) = std::move(*later); };
    };
  }

  const Stores& before_;
  Objects& objects_;
  std::vector<Change> changes_;
};

}  // namespace

auto changes_between(const Stores& before, Objects& objects) -> std::vector<Change> {
  return Comparison(before, objects).run();
}

}  // namespace previct
