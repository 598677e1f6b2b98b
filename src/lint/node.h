#pragma once

#include "lint/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by kMaxDepth of the reader

/// A mutable value that knows where it was read.
struct Node {
  EventType type = EventType::scalar;
  ScalarType scalar = ScalarType::string;
  std::string text = {};
  Manifest::Origin origin = {};
  std::vector<Node> keys = {};   ///< keys of a map, parallel to `items`
  std::vector<Node> items = {};  ///< values of a map, or elements of a list

  [[nodiscard]] auto is_map() const -> bool { return type == EventType::begin_map; }
  [[nodiscard]] auto is_list() const -> bool { return type == EventType::begin_list; }
  [[nodiscard]] auto is(std::string_view value) const -> bool { return type == EventType::scalar && text == value; }
  [[nodiscard]] auto is_null() const -> bool { return type == EventType::scalar && scalar == ScalarType::null; }
  /// Finds the value of a key in a map; null if there is none.
  [[nodiscard]] auto find(std::string_view key) -> Node*;
  [[nodiscard]] auto find(std::string_view key) const -> const Node*;
  /// Sets the value of a key, adding the key if needed.
  void set(const Node& key, Node value);
  void erase(std::string_view key);
  /// The map under `key`, added if absent; null if another type of value is there.
  [[nodiscard]] auto map_at(std::string_view key, const Manifest::Origin& origin) -> Node*;
};

[[nodiscard]] auto to_node(const Value& value) -> Node;
/// A string that is not in the input; it is shown at `origin`.
[[nodiscard]] auto text_node(std::string_view text, const Manifest::Origin& origin) -> Node;
/// Makes a manifest with this content and the properties of `like`.
[[nodiscard]] auto to_manifest(const Node& node, const Manifest& like) -> Manifest;

/// Merges `patch` into `base` by strategic merge: maps merge, null and `$patch: delete` delete, lists of containers,
/// volumes and the like merge by their key, other lists are replaced. Returns false if `base` itself is to be deleted.
/// Source: sigs.k8s.io/kustomize kyaml/yaml/merge2; kubernetes api struct tags (patchMergeKey).
auto merge_strategically(Node& base, const Node& patch, std::string_view key = {}) -> bool;

/// Applies one operation of RFC 6902: add, replace, remove; other and inapplicable operations change nothing.
void apply_operation(Node& base, std::string_view op, std::string_view path, const Node* value);

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
