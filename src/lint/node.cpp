#include "lint/node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by kMaxDepth of the reader
namespace {

auto origin_of(const Manifest& manifest, std::uint32_t index) -> Manifest::Origin {
  return index < manifest.origins.size() ? manifest.origins[index] : Manifest::Origin{&manifest, index};
}

auto node_at(const Manifest& manifest, std::uint32_t index) -> Node {
  const Tape::Entry& entry = manifest.tape[index];
  Node node{.type = entry.type, .scalar = entry.scalar, .origin = origin_of(manifest, index)};
  if (entry.type == EventType::scalar) {
    node.text = manifest.tape.text(entry);
    return node;
  }
  for (std::uint32_t at = index + 1; at < entry.next; at = manifest.tape[at].next) {
    if (node.is_map()) node.keys.push_back(node_at(manifest, at++));
    node.items.push_back(node_at(manifest, at));
  }
  return node;
}

void write(const Node& node, Manifest& manifest) {
  const Tape::Entry* read = node.origin.manifest == nullptr ? nullptr : &node.origin.manifest->tape[node.origin.index];
  const std::uint32_t line = read == nullptr ? 0 : read->line;
  const std::uint32_t column = read == nullptr ? 0 : read->column;
  manifest.tape.add(Event{.type = node.type, .scalar = node.scalar, .text = node.text, .line = line, .column = column});
  manifest.origins.push_back(node.origin);
  if (node.type == EventType::scalar) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.is_map()) write(node.keys[i], manifest);
    write(node.items[i], manifest);
  }
  manifest.tape.add(Event{.type = EventType::end, .text = {}});
}

/// The key by which lists of this name merge; empty: they do not merge.
auto merge_key(std::string_view list) -> std::string_view {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKeys = {
      {{"containers", "name"},
       {"initContainers", "name"},
       {"ephemeralContainers", "name"},
       {"volumes", "name"},
       {"env", "name"},
       {"imagePullSecrets", "name"},
       {"volumeMounts", "mountPath"},
       {"ports", "containerPort"},
       {"topologySpreadConstraints", "topologyKey"}}};
  for (const auto& [name, key] : kKeys) {
    if (name == list) return key;
  }
  return {};
}

auto is_directive(const Node& node, std::string_view what) -> bool {
  const Node* directive = node.find("$patch");
  return directive != nullptr && directive->is(what);
}

// Returns true for an element with only `$patch: replace`: the other elements replace the whole list.
auto replaces_list(const Node& element) -> bool {
  return element.items.size() == 1 && is_directive(element, "replace");
}

void merge_lists(Node& base, const Node& patch, std::string_view key) {
  if (std::any_of(patch.items.begin(), patch.items.end(), replaces_list)) {
    base.items.clear();
    std::remove_copy_if(patch.items.begin(), patch.items.end(), std::back_inserter(base.items), replaces_list);
    return;
  }
  for (const Node& element : patch.items) {
    const Node* wanted = element.find(key);
    if (wanted == nullptr) continue;
    const auto found = std::find_if(base.items.begin(), base.items.end(), [&](const Node& each) {
      const Node* name = each.find(key);
      return name != nullptr && name->text == wanted->text;
    });
    if (found == base.items.end()) {
      if (!is_directive(element, "delete")) base.items.push_back(element);
    } else if (!merge_strategically(*found, element)) {
      base.items.erase(found);
    }
  }
}

// Takes the next step of a JSON pointer; `a~1b` is `a/b`.
auto step_of(std::string_view& path) -> std::string {
  path.remove_prefix(1);
  const std::size_t end = std::min(path.find('/'), path.size());
  std::string step(path.substr(0, end));
  path.remove_prefix(end);
  for (const auto& [from, to] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}}) {
    for (std::size_t at = step.find(from); at != std::string::npos; at = step.find(from, at + 1))
      step.replace(at, 2, to);
  }
  return step;
}

auto index_of(const Node& list, const std::string& step) -> std::size_t {
  std::size_t index = list.items.size();
  if (step != "-") std::from_chars(step.data(), step.data() + step.size(), index);
  return std::min(index, list.items.size());
}

}  // namespace

auto Node::find(std::string_view key) const -> const Node* {
  if (!is_map()) return nullptr;
  for (std::size_t i = items.size(); i-- > 0;) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

auto Node::find(std::string_view key) -> Node* {
  return const_cast<Node*>(std::as_const(*this).find(key));
}

void Node::set(const Node& key, Node value) {
  if (Node* there = find(key.text)) {
    keys[static_cast<std::size_t>(there - items.data())] = key;
    *there = std::move(value);
  } else {
    keys.push_back(key);
    items.push_back(std::move(value));
  }
}

void Node::erase(std::string_view key) {
  for (std::size_t i = items.size(); i-- > 0 && is_map();) {
    if (keys[i].text != key) continue;
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

auto Node::map_at(std::string_view key, const Manifest::Origin& at) -> Node* {
  if (!is_map()) return nullptr;
  Node* there = find(key);
  if (there == nullptr || there->is_null()) {
    set(text_node(key, at), {.type = EventType::begin_map, .origin = at});
    there = find(key);
  }
  return there->is_map() ? there : nullptr;
}

auto to_node(const Value& value) -> Node {
  return node_at(value.manifest(), value.index());
}

auto text_node(std::string_view text, const Manifest::Origin& origin) -> Node {
  return {.text = std::string(text), .origin = origin};
}

auto to_manifest(const Node& node, const Manifest& like) -> Manifest {
  Manifest manifest;
  manifest.source = like.source;
  manifest.group = like.group;
  manifest.version = like.version;
  manifest.kind = like.kind;
  const Node* metadata = node.find("metadata");
  const auto text_at = [&](const char* key, const std::string& otherwise) {
    const Node* found = metadata == nullptr ? nullptr : metadata->find(key);
    return found == nullptr ? otherwise : found->text;
  };
  manifest.name = text_at("name", like.name);
  manifest.ns = text_at("namespace", like.ns);
  manifest.stored = like.stored;
  manifest.wrapper = like.wrapper;
  manifest.in_list = like.in_list;
  manifest.original = &like.as_read();
  write(node, manifest);
  return manifest;
}

auto merge_strategically(Node& base, const Node& patch, std::string_view key) -> bool {
  if (patch.is_map() && is_directive(patch, "delete")) return false;
  if (base.is_list() && patch.is_list() && !merge_key(key).empty()) {
    merge_lists(base, patch, merge_key(key));
    return true;
  }
  if (!base.is_map() || !patch.is_map() || is_directive(patch, "replace")) {
    base = patch;
    base.erase("$patch");
    return true;
  }
  for (std::size_t i = 0; i < patch.items.size(); ++i) {
    const Node& name = patch.keys[i];
    const Node& value = patch.items[i];
    Node* there = base.find(name.text);
    if (value.is_null()) {
      base.erase(name.text);
    } else if (there == nullptr) {
      if (!is_directive(value, "delete")) base.set(name, value);
    } else if (there->is_map() || there->is_list()) {
      if (!merge_strategically(*there, value, name.text)) base.erase(name.text);
    } else {
      base.set(name, value);
    }
  }
  return true;
}

void apply_operation(Node& base, std::string_view op, std::string_view path, const Node* value) {
  Node* at = &base;
  while (path.starts_with('/')) {
    const std::string step = step_of(path);
    if (path.empty()) {
      if (at->is_map() && op == "remove") at->erase(step);
      if (at->is_map() && op != "remove" && value != nullptr) at->set(text_node(step, value->origin), *value);
      if (!at->is_list()) return;
      const std::size_t index = index_of(*at, step);
      const auto where = at->items.begin() + static_cast<std::ptrdiff_t>(index);
      if (op == "add" && value != nullptr) {
        at->items.insert(where, *value);
      } else if (where != at->items.end() && op == "remove") {
        at->items.erase(where);
      } else if (where != at->items.end() && op == "replace" && value != nullptr) {
        *where = *value;
      }
      return;
    }
    Node* next = nullptr;
    if (at->is_map()) next = at->find(step);
    if (at->is_list()) {
      const std::size_t index = index_of(*at, step);
      if (index < at->items.size()) next = &at->items[index];
    }
    if (next == nullptr) return;
    at = next;
  }
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
