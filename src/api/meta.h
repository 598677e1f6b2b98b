#pragma once

#include "api/quantity.h"
#include "api/wire.h"
#include "base/id.h"
#include "base/instant.h"
#include "base/place.h"
#include "base/shared_list.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace previct {

/// For entries with the same key, which are adjacent in the order of the input, keeps the last value at the position of
/// the first.
template <class Entry>
void keep_last_of_each_key(SharedList<Entry>& entries) {
  const Entry* const begin = std::as_const(entries).begin();
  const auto known = [&](const Entry& entry) {
    return std::any_of(begin, &entry, [&](const Entry& before) { return before.first == entry.first; });
  };
  constexpr std::size_t kFew = 32;
  if (entries.size() <= kFew && std::none_of(begin, begin + entries.size(), known)) return;
  std::unordered_map<std::uint32_t, std::size_t> at;
  SharedList<Entry> kept;
  for (const Entry& entry : std::as_const(entries)) {
    const auto [place, first] = at.try_emplace(entry.first.index, kept.size());
    first ? kept.push_back(entry) : static_cast<void>(kept[place->second] = entry);
  }
  entries = std::move(kept);
}

/// A map of strings, in the order of the input. Lookups are linear, because there are few entries.
class SymbolMap {
 public:
  using Entry = std::pair<Symbol, Symbol>;

  SymbolMap() = default;
  /// If a key occurs several times, the last entry counts.
  explicit SymbolMap(SharedList<Entry> entries) : entries_(std::move(entries)) { keep_last_of_each_key(entries_); }

  /// The value of `key`; none if it is absent (or unknown to the whole input).
  [[nodiscard]] auto get(Symbol key) const -> Symbol {
    for (const auto& [k, v] : entries_) {
      if (k == key) return v;
    }
    return {};
  }
  [[nodiscard]] auto has(Symbol key) const -> bool { return static_cast<bool>(get(key)); }

  /// Sets or replaces an entry.
  void set(Symbol key, Symbol value) {
    const auto* const same = std::find_if(begin(), end(), [&](const Entry& entry) { return entry.first == key; });
    if (same == end()) return entries_.push_back({key, value});
    if (same->second != value) entries_[static_cast<std::size_t>(same - begin())].second = value;
  }
  [[nodiscard]] auto empty() const -> bool { return entries_.empty(); }
  [[nodiscard]] auto size() const -> std::size_t { return entries_.size(); }
  [[nodiscard]] auto begin() const -> const Entry* { return entries_.begin(); }
  [[nodiscard]] auto end() const -> const Entry* { return entries_.end(); }
  /// Calls `change(symbol)` for every key and value; it must map equal symbols to equal ones and different ones to
  /// different ones. Applies to all maps that share the entries.
  template <class Change>
  void each_symbol(Change change) const {
    for (auto& [key, value] : entries_.elements_of_all()) {
      change(key);
      change(value);
    }
  }
  [[nodiscard]] auto shared() const -> const void* { return entries_.shared(); }
  friend auto operator==(const SymbolMap&, const SymbolMap&) -> bool = default;

 private:
  SharedList<Entry> entries_;
};

/// A map from resource name to quantity, in the order of the input.
class ResourceList {
 public:
  using Entry = std::pair<Symbol, Quantity>;

  ResourceList() = default;
  /// If a name occurs several times, the last entry counts.
  explicit ResourceList(SharedList<Entry> entries) : entries_(std::move(entries)) { keep_last_of_each_key(entries_); }

  /// Sets or replaces an entry.
  void set(Symbol name, Quantity quantity) {
    const auto* const same = std::find_if(begin(), end(), [&](const Entry& entry) { return entry.first == name; });
    if (same == end()) return entries_.push_back({name, quantity});
    entries_[static_cast<std::size_t>(same - begin())].second = quantity;
  }
  void add(Symbol name, Quantity quantity) { set(name, get(name).value_or(Quantity()) += quantity); }
  [[nodiscard]] auto get(Symbol name) const -> std::optional<Quantity> {
    for (const auto& [n, q] : entries_) {
      if (n == name) return q;
    }
    return {};
  }
  void clear() { entries_.clear(); }
  /// As SymbolMap::each_symbol(), for every name.
  template <class Change>
  void each_symbol(Change change) const {
    for (auto& [name, quantity] : entries_.elements_of_all()) change(name);
  }
  [[nodiscard]] auto shared() const -> const void* { return entries_.shared(); }
  [[nodiscard]] auto empty() const -> bool { return entries_.empty(); }
  [[nodiscard]] auto size() const -> std::size_t { return entries_.size(); }
  [[nodiscard]] auto begin() const -> const Entry* { return entries_.begin(); }
  [[nodiscard]] auto end() const -> const Entry* { return entries_.end(); }
  /// True if both have the same entries in the same order.
  friend auto operator==(const ResourceList&, const ResourceList&) -> bool = default;

 private:
  SharedList<Entry> entries_;
};

/// True for members that are plain values, without members of their own.
template <class T>
inline constexpr bool kIsValue =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Quantity> ||
    std::is_same_v<T, Instant> || std::is_same_v<T, Duration> || std::is_same_v<T, NumberOrPercent> ||
    std::is_same_v<T, Present> || std::is_same_v<T, AsNumber> || std::is_same_v<T, OptionalNumber> ||
    std::is_same_v<T, EmbeddedText> || std::is_same_v<T, Ignored> || std::is_same_v<T, OnTape>;

/// Returns true for annotations that any engine or rule reads. All others are dropped while loading, including
/// last-applied configurations and any secrets in them.
[[nodiscard]] auto annotation_matters(std::string_view key) -> bool;
/// Returns false if only the existence of the annotation matters; then its value is not kept.
[[nodiscard]] auto annotation_is_read(std::string_view key) -> bool;

/// A map of annotations; only those that matter are kept.
struct Annotations : SymbolMap {
  using SymbolMap::SymbolMap;
};

struct OwnerReference {
  Symbol kind;
  Symbol name;
  Symbol uid;
  bool controller = false;
  Symbol api_version{};

  template <class Field>
  friend void describe(Field& field, OwnerReference& self) {
    field("apiVersion", self.api_version);
    field("kind", self.kind);
    field("name", self.name);
    field("uid", self.uid);
    field("controller", self.controller);
  }
};

/// The beginning of an object, at its first key. It is enough to find the object again and to determine the place of
/// any of its fields (see api/locate.h).
using Source = Place;

/// Reduces a finalizer to those that no known component removes after an object is deleted. The finalizers of Jobs'
/// pods and of the garbage collector are dropped, because Kubernetes removes them.
[[nodiscard]] auto unknown_finalizer(std::string_view finalizer) -> std::string_view;

struct ObjectMeta {
  Symbol name;
  Symbol ns;  ///< none for cluster-scoped objects; an absent namespace of a namespaced object is "default"
  Symbol uid;
  Symbol generate_name;
  std::int64_t resource_version = 0;  ///< 0 if absent or not a number
  SymbolMap labels;
  Annotations annotations;
  std::optional<Instant> created;
  std::optional<Instant> deleting;  ///< metadata.deletionTimestamp: the end of the grace period
  std::optional<std::int64_t> deletion_grace_seconds;
  SharedList<OwnerReference> owners;
  SharedList<Symbol> finalizers;  ///< see unknown_finalizer()
  Source source;

  template <class Field>
  friend void describe(Field& field, ObjectMeta& self) {
    field("name", self.name);
    field("namespace", self.ns);
    field("uid", self.uid);
    field("labels", self.labels);
    field("annotations", self.annotations);
    field("creationTimestamp", self.created);
    field("deletionTimestamp", self.deleting);
    field("deletionGracePeriodSeconds", self.deletion_grace_seconds);
    field("ownerReferences", self.owners);
    field("finalizers", reduced(self.finalizers, unknown_finalizer));
    field("generateName", self.generate_name);
    field("resourceVersion", as_number(self.resource_version));
  }
};

/// The owner that controls an object; null if it has none. If there are several, which is not valid, the first one
/// counts.
/// Source: apimachinery: pkg/apis/meta/v1/controller_ref.go GetControllerOfNoCopy.
[[nodiscard]] auto controller_of(const ObjectMeta& meta) -> const OwnerReference*;

enum class SelectorOperator : std::uint8_t { in, not_in, exists, does_not_exist, greater, less, unknown };

struct Requirement {
  Symbol key;
  Symbol operator_text;  ///< as written, for messages about unknown operators
  SelectorOperator op = SelectorOperator::unknown;
  std::vector<Symbol> values;

  template <class Field>
  friend void describe(Field& field, Requirement& self) {
    field("key", self.key);
    field("operator", self.operator_text);
    field("values", self.values);
  }
};

/// metav1.LabelSelector. An absent one is an empty std::optional and matches nothing; an empty one matches
/// everything.
struct LabelSelector {
  SymbolMap match_labels;
  std::vector<Requirement> match_expressions;

  [[nodiscard]] auto empty() const -> bool { return match_labels.empty() && match_expressions.empty(); }

  template <class Field>
  friend void describe(Field& field, LabelSelector& self) {
    field("matchLabels", self.match_labels);
    field("matchExpressions", self.match_expressions);
  }
};

struct NodeSelectorTerm {
  std::vector<Requirement> match_expressions;
  std::vector<Requirement> match_fields;

  template <class Field>
  friend void describe(Field& field, NodeSelectorTerm& self) {
    field("matchExpressions", self.match_expressions);
    field("matchFields", self.match_fields);
  }
};

struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;

  template <class Field>
  friend void describe(Field& field, NodeSelector& self) {
    field("nodeSelectorTerms", self.terms);
  }
};

}  // namespace previct
