#pragma once

#include "lint/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): as deep as what the reader lets through (kMaxDepth)

/// A value that can be changed, and knows where it was read.
struct Node {
  EventType type = EventType::scalar;
  ScalarType scalar = ScalarType::string;
  std::string text = {};
  Manifest::Origin origin = {};
  std::vector<Node> keys = {};   ///< of a map, beside `items`
  std::vector<Node> items = {};  ///< values of a map, elements of a list

  [[nodiscard]] auto is_map() const -> bool { return type == EventType::begin_map; }
  [[nodiscard]] auto is_list() const -> bool { return type == EventType::begin_list; }
  [[nodiscard]] auto is(std::string_view value) const -> bool { return type == EventType::scalar && text == value; }
  [[nodiscard]] auto is_null() const -> bool { return type == EventType::scalar && scalar == ScalarType::null; }
  /// Of a map; null if there is none.
  [[nodiscard]] auto find(std::string_view key) -> Node*;
  [[nodiscard]] auto find(std::string_view key) const -> const Node*;
  /// The value under a key, put there if there is none.
  void set(const Node& key, Node value);
  void erase(std::string_view key);
  /// The map under `key`, made if there is none; null if something else is there.
  [[nodiscard]] auto map_at(std::string_view key, const Manifest::Origin& origin) -> Node*;
};

[[nodiscard]] auto to_node(const Value& value) -> Node;
/// A string that stands nowhere: shown at `origin`.
[[nodiscard]] auto text_node(std::string_view text, const Manifest::Origin& origin) -> Node;
/// As an object: `like` with this content.
[[nodiscard]] auto to_manifest(const Node& node, const Manifest& like) -> Manifest;

/// `patch` over `base`, as strategic merge has it: maps merge, null and `$patch: delete` take away, lists of
/// containers, volumes and the like merge by their key, others are replaced. False: the whole is to go.
/// Source: sigs.k8s.io/kustomize kyaml/yaml/merge2; kubernetes api struct tags (patchMergeKey).
auto merge_strategically(Node& base, const Node& patch, std::string_view key = {}) -> bool;

/// One operation of RFC 6902: add, replace, remove; others and those that do not fit change nothing.
void apply_operation(Node& base, std::string_view op, std::string_view path, const Node* value);

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
