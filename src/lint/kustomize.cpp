#include "lint/kustomize.h"

#include "base/contains.h"
#include "lint/kinds.h"
#include "lint/node.h"
#include "lint/parse.h"
#include "lint/paths.h"
#include "lint/replacements.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by kMaxDepth of the reader
namespace {

auto origin_of(const Value& value) -> Manifest::Origin {
  return {&value.manifest(), value.index()};
}

/// Returns true if the kind has no namespace, as far as previct knows the kind.
auto is_cluster_wide(const Manifest& manifest) -> bool {
  constexpr std::string_view kOthers =
      "APIService IngressClass VolumeSnapshotClass ClusterIssuer "
      "ValidatingWebhookConfiguration";
  const KindInfo* const known = known_kind(manifest);
  return known != nullptr ? known->scope == previct::Scope::cluster : contains_word(kOthers, manifest.kind);
}

auto keeps_name(const Manifest& manifest) -> bool {
  return manifest.kind == "Namespace" || manifest.kind == "CustomResourceDefinition" || manifest.kind == "APIService";
}

/// An object in transformation: unchanged, or with the changes so far, which are written once, at the end.
struct Draft {
  const Manifest* original_manifest = nullptr;  // null: it was deleted
  std::optional<Node> node = {};                // nullopt: it is unchanged
  std::string name = {};
  std::string ns = {};
};

auto bytes_of(const Node& node) -> std::size_t {
  std::size_t bytes = sizeof(Node) + KustomizeWork::kOfByte * node.text.size();
  for (const Node& key : node.keys) bytes += bytes_of(key);
  for (const Node& item : node.items) bytes += bytes_of(item);
  return bytes;
}

/// The bytes of the nodes and the texts of an object or a patch.
auto bytes_of(const Tape& tape) -> std::size_t {
  std::size_t bytes = tape.size() * sizeof(Node);
  for (std::uint32_t i = 0; i < tape.size(); ++i) bytes += KustomizeWork::kOfByte * tape[i].size;
  return bytes;
}

/// The bytes of a map of scalars.
auto bytes_of(const Value& labels) -> std::size_t {
  std::size_t bytes = 0;
  for (const Value& label : labels)
    bytes += 2 * sizeof(Node) + KustomizeWork::kOfByte * (label.key().size() + label.text().size());
  return bytes;
}

class Transformation {
 public:
  Transformation(const Manifest& kustomization, const std::vector<const Manifest*>& objects,
                 std::deque<Manifest>& rendered, KustomizeWork& work)
      : k_(kustomization), rendered_(rendered), work_(work) {
    for (const Manifest* object : objects) drafts_.push_back({object, {}, object->name, object->ns});
  }

  void run(const PatchFiles& files) {
    for (const Value& entry : k_["patchesStrategicMerge"]) {
      const bool inside = entry.text().find('\n') != std::string_view::npos;
      inside ? merge_text(entry, {}) : apply_file(entry.text(), files, {});
    }
    for (const Value& entry : k_["patches"]) patch(entry, files);
    set_namespace(k_["namespace"]);
    rename(k_["namePrefix"].text(), k_["nameSuffix"].text());
    add_labels(k_["commonLabels"], true, true);
    for (const Value& entry : k_["labels"]) {
      const bool selectors = entry["includeSelectors"].is("true");
      add_labels(entry["pairs"], selectors, selectors || entry["includeTemplates"].is("true"));
    }
    for (const Value& entry : k_["patchesJson6902"]) patch(entry, files);
    for (const Value& entry : k_["replacements"]) {
      for (const Value& target : entry["targets"]) replace(target);
    }
  }

  auto objects() -> std::vector<const Manifest*> {
    std::vector<const Manifest*> objects;
    for (Draft& draft : drafts_) {
      if (draft.original_manifest == nullptr) continue;
      // If the limit is exceeded, the object stays unchanged.
      const bool written = draft.node && work_.spend(KustomizeWork::kOfObject + bytes_of(*draft.node));
      objects.push_back(written ? &rendered_.emplace_back(to_manifest(*draft.node, *draft.original_manifest))
                                : draft.original_manifest);
      draft.node.reset();
    }
    return objects;
  }

 private:
  /// Changes an object: `change` returns false to delete it. `bytes`: how many it adds; `values`: how many may be
  /// compared with every value of the object.
  template <class Change>
  void edit(Draft& draft, std::size_t bytes, std::size_t values, Change change) {
    const Tape& original_manifest = draft.original_manifest->tape;
    if (!draft.node) bytes += KustomizeWork::kOfObject + bytes_of(original_manifest);
    if (!work_.spend(bytes + KustomizeWork::kOfKey * values * original_manifest.size())) return;
    if (!draft.node) draft.node = to_node(draft.original_manifest->root());
    if (!change(*draft.node)) {
      draft = {};
      return;
    }
    const Node* metadata = draft.node->find("metadata");
    const auto text_at = [&](const char* key, std::string& text) {
      const Node* found = metadata == nullptr ? nullptr : metadata->find(key);
      if (found != nullptr) text = found->text;
    };
    text_at("name", draft.name);
    text_at("namespace", draft.ns);
  }

  /// Returns true if the object was not deleted, and is one that kustomize changes.
  auto changes(const Draft& draft) -> bool {
    return work_.spend(KustomizeWork::kOfTarget) && draft.original_manifest != nullptr &&
           draft.original_manifest->wrapper == nullptr && draft.original_manifest->kind != "CustomResourceDefinition";
  }

  // -- patches

  void apply_file(std::string_view path, const PatchFiles& files, const Value& target) {
    const auto found = files.find(resolved(folder_of(k_.source->name), path));
    if (found == files.end()) return;
    for (const Manifest* each : found->second) {
      each->kind == kind::kOperations ? operate(*each, target) : merge(*each, target);
    }
  }

  void merge_text(const Value& text, const Value& target) {
    // The parsed patch is stored next to the objects that refer to it, but is not an object of the result.
    const std::size_t first = rendered_.size();
    if (!parse_within(text, rendered_)) return;
    const std::size_t end = rendered_.size();
    for (std::size_t i = first; i < end; ++i) merge(rendered_[i], target);
  }

  void patch(const Value& entry, const PatchFiles& files) {
    const Value target = entry["target"];
    const Value text = entry["patch"];
    if (!text) {
      apply_file(entry["path"].text(), files, target);
    } else if (const Manifest* operations = parse_operations(text, rendered_)) {
      operate(*operations, target);
    } else {
      merge_text(text, target);
    }
  }

  void merge(const Manifest& patch, const Value& target) {
    const Node content = to_node(patch.root());
    const std::size_t bytes = bytes_of(patch.tape);
    for (Draft& object : drafts_) {
      if (!changes(object)) continue;
      const bool meant = target ? is_target(object, target)
                                : object.original_manifest->kind == patch.kind &&
                                      object.original_manifest->group == patch.group && same_name(object, patch);
      if (!meant) continue;
      edit(object, bytes, patch.tape.size(), [&](Node& node) {
        // The target may select an object with another name than the patch.
        const Node* metadata = node.find("metadata");
        const std::optional<Node> named = metadata == nullptr ? std::nullopt : std::optional<Node>(*metadata);
        const bool stays = merge_strategically(node, content);
        Node* after = node.find("metadata");
        for (const char* key : {"name", "namespace"}) {
          const Node* before = named ? named->find(key) : nullptr;
          if (after != nullptr && before != nullptr) after->set(text_node(key, before->origin), *before);
        }
        return stays;
      });
    }
  }

  void operate(const Manifest& operations, const Value& target) {
    const std::size_t bytes = bytes_of(operations.tape);
    for (Draft& object : drafts_) {
      if (!changes(object) || !is_target(object, target)) continue;
      edit(object, bytes, operations.tape.size(), [&](Node& node) {
        for (const Value& operation : operations.root()) {
          const Value value = operation["value"];
          const std::optional<Node> with = value ? std::optional<Node>(to_node(value)) : std::nullopt;
          apply_operation(node, operation["op"].text(), operation["path"].text(), with ? &*with : nullptr);
        }
        return true;
      });
    }
  }

  static auto same_name(const Draft& object, const Manifest& patch) -> bool {
    const Manifest& read = object.original_manifest->as_read();
    return (object.name == patch.name || read.name == patch.name) &&
           (patch.ns.empty() || object.ns == patch.ns || read.ns == patch.ns);
  }

  /// Names of targets are anchored regular expressions: a name with special characters may match this object.
  static auto is_target(const Draft& object, const Value& target) -> bool {
    const auto fits = [](std::string_view wanted, const std::string& is) {
      return wanted.empty() || wanted == is || wanted.find_first_of("*+?[(|^") != std::string_view::npos;
    };
    const Manifest& original_manifest = *object.original_manifest;
    return target && fits(target["kind"].text(), original_manifest.kind) &&
           fits(target["group"].text(), original_manifest.group) &&
           (fits(target["name"].text(), object.name) ||
            fits(target["name"].text(), original_manifest.as_read().name)) &&
           !target["labelSelector"] && !target["annotationSelector"];
  }

  // -- other transformations

  void set_namespace(const Value& ns) {
    if (!ns || ns.text().empty()) return;
    for (Draft& object : drafts_) {
      if (!changes(object) || is_cluster_wide(*object.original_manifest) || object.ns == ns.text()) continue;
      edit(object, KustomizeWork::kOfByte * ns.text().size(), 0, [&](Node& node) {
        if (Node* metadata = node.map_at("metadata", origin_of(ns)))
          metadata->set(text_node("namespace", {}), to_node(ns));
        return true;
      });
    }
  }

  void rename(std::string_view prefix, std::string_view suffix) {
    if (prefix.empty() && suffix.empty()) return;
    const auto renamed = [&](std::string_view name) {
      return std::string(prefix) + std::string(name) + std::string(suffix);
    };
    std::set<std::string, std::less<>> classes;
    for (const Draft& object : drafts_) {
      if (object.original_manifest != nullptr && object.original_manifest->kind == "PriorityClass")
        classes.insert(object.name);
    }
    for (Draft& object : drafts_) {
      if (!changes(object)) continue;
      edit(object, KustomizeWork::kOfByte * (prefix.size() + suffix.size()), 0, [&](Node& node) {
        rename_class(node, classes, renamed);
        Node* metadata = node.find("metadata");
        Node* name = metadata == nullptr || keeps_name(*object.original_manifest) ? nullptr : metadata->find("name");
        if (name != nullptr) name->text = renamed(name->text);
        return true;
      });
    }
  }

  template <class Renamed>
  void rename_class(Node& node, const std::set<std::string, std::less<>>& classes, const Renamed& renamed) {
    if (Node* name = node.find("priorityClassName"); name != nullptr && classes.find(name->text) != classes.end()) {
      std::string now = renamed(name->text);
      if (work_.spend(KustomizeWork::kOfByte * now.size())) name->text = std::move(now);
    }
    for (Node& item : node.items) rename_class(item, classes, renamed);
  }

  void replace(const Value& target) {
    for (Draft& object : drafts_) {
      if (!changes(object) || !is_target(object, target["select"])) continue;
      edit(object, 0, target["fieldPaths"].size() + 1, [&](Node& node) {
        if (target["fieldPaths"].size() == 0) mark_replaced(node, "metadata.name");
        for (const Value& path : target["fieldPaths"]) mark_replaced(node, path.text());
        return true;
      });
    }
  }

  void add_labels(const Value& labels, bool selectors, bool templates) {
    if (labels.size() == 0) return;
    for (Draft& object : drafts_) {
      if (!changes(object)) continue;
      edit(object, 0, 0, [&](Node& node) {
        const Manifest::Origin origin = origin_of(labels);
        put(node.map_at("metadata", origin), labels);
        Node* spec = node.find("spec");
        if (spec == nullptr) return true;
        if (templates) label_templates(*spec, labels);
        if (selectors) label_selector(object.original_manifest->kind, *spec, labels);
        return true;
      });
    }
  }

  void put(Node* metadata, const Value& labels) {
    set_all(metadata == nullptr ? nullptr : metadata->map_at("labels", origin_of(labels)), labels);
  }

  void set_all(Node* map, const Value& labels) {
    if (map == nullptr) return;
    const std::size_t compared = KustomizeWork::kOfKey * labels.size() * (labels.size() + map->items.size());
    if (!work_.spend(bytes_of(labels) + compared)) return;
    for (const Value& label : labels) {
      map->set(text_node(label.key(), {&label.manifest(), label.key_index()}), to_node(label));
    }
  }

  void label_templates(Node& node, const Value& labels) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      Node& item = node.items[i];
      const Node* spec = item.find("spec");
      if (node.is_map() && node.keys[i].text == "template" && spec != nullptr && spec->find("containers") != nullptr) {
        put(item.map_at("metadata", origin_of(labels)), labels);
      }
      label_templates(item, labels);
    }
  }

  void label_selector(std::string_view kind, Node& spec, const Value& labels) {
    Node* selector = spec.find("selector");
    const bool made = kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet" || kind == "ReplicaSet";
    if (selector == nullptr && !made) return;
    const Manifest::Origin origin = origin_of(labels);
    Node* map = spec.map_at("selector", origin);
    if (kind != "Service" && kind != "ReplicationController" && map != nullptr)
      map = map->map_at("matchLabels", origin);
    set_all(map, labels);
  }

  const Manifest& k_;
  std::vector<Draft> drafts_;
  std::deque<Manifest>& rendered_;
  KustomizeWork& work_;
};

}  // namespace

void transform(const Manifest& kustomization, const PatchFiles& patches, std::vector<const Manifest*>& objects,
               std::deque<Manifest>& rendered, KustomizeWork& work) {
  Transformation transformation(kustomization, objects, rendered, work);
  transformation.run(patches);
  objects = transformation.objects();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
