#pragma once

#include "base/derived.h"
#include "base/instant.h"
#include "lint/kinds.h"
#include "lint/manifests.h"
#include "lint/tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// A pod, or a pod template of a workload: any `template` with containers, at any depth of any kind.
struct PodShape {
  const Manifest* manifest = nullptr;
  Value metadata = {};
  Value spec = {};
  bool is_pod = false;  ///< false: a template
  bool owned = false;   ///< a controller created it from another object, which is the one to fix
  bool bound = false;   ///< a pod that is on a node
  bool finished = false;

  [[nodiscard]] auto class_name() const -> std::string_view { return spec["priorityClassName"].text(); }
  [[nodiscard]] auto scheduler() const -> std::string_view;
  [[nodiscard]] auto labels() const -> Value { return metadata["labels"]; }
  [[nodiscard]] auto ns() const -> const std::string& { return manifest->ns; }
  /// Returns true if the manifest has this kind (`DaemonSet`).
  [[nodiscard]] auto of(std::string_view kind) const -> bool { return manifest->kind == kind; }
  /// Returns true if a person wrote it, or if it is the object from which a controller creates others.
  [[nodiscard]] auto authored() const -> bool { return !owned && !finished; }
};

/// A PriorityClass, as far as it can be read.
struct PriorityClassShape {
  const Manifest* manifest = nullptr;  ///< null: one of the two built-in classes, which every cluster has
  std::string name = {};
  std::optional<std::int64_t> value = {};  ///< nullopt: not an int32
  bool global_default = false;
  bool never_preempts = false;

  [[nodiscard]] auto annotations() const -> Value {
    return manifest == nullptr ? Value() : manifest->in("metadata.annotations");
  }
};

/// The input of rules: a scope, and facts about the whole input.
class Repository {
 public:
  Repository(const Tree& tree, const Scope& scope);

  [[nodiscard]] auto tree() const -> const Tree& { return tree_; }
  [[nodiscard]] auto scope() const -> const Scope& { return scope_; }
  [[nodiscard]] auto manifests() const -> const Manifests& { return manifests_; }
  /// All manifests of one kind (kinds.h), in the order of the input.
  [[nodiscard]] auto of(std::string_view kind) const -> const std::vector<const Manifest*>&;
  [[nodiscard]] auto pods() const -> const std::vector<PodShape>& { return pods_; }
  /// The classes of the input and the two built-in ones, in the order of the input.
  [[nodiscard]] auto classes() const -> const std::vector<PriorityClassShape>& { return classes_; }
  /// Returns true if the scope defines at least one class, so that an unknown name is meaningful.
  [[nodiscard]] auto knows_classes() const -> bool { return !of(kind::kPriorityClass).empty(); }
  [[nodiscard]] auto find_class(std::string_view name) const -> const PriorityClassShape*;
  /// The default class of pods: the lowest if there are several, as in the admission plugin. Null: none.
  [[nodiscard]] auto default_class() const -> const PriorityClassShape*;
  /// The highest class of the input whose pods may preempt pods of this priority. Null: none.
  [[nodiscard]] auto class_above(std::int64_t priority) const -> const PriorityClassShape*;
  /// The priority that admission would set; nullopt if the pod's class is unknown.
  [[nodiscard]] auto priority_of(const PodShape& pod) const -> std::optional<std::int64_t>;
  /// Returns true if some pod of the scope is on a node, which means that this is (also) a dump.
  [[nodiscard]] auto has_running_pods() const -> bool { return running_; }

  /// Returns true if the scope is a complete cluster, or represents one: an object that is not here does not exist.
  /// Findings about missing objects make sense here, but not in a folder of a repository.
  [[nodiscard]] auto is_whole() const -> bool;
  /// Returns true if objects that are not here may be applied together with the scope.
  [[nodiscard]] auto is_partial() const -> bool { return scope_.partial; }
  /// The current time, for dates; Instant{}: unknown.
  [[nodiscard]] auto now() const -> Instant { return tree_.now; }

  /// Data that several rules derive from the whole scope; see base/derived.h.
  template <class T>
  [[nodiscard]] auto derived() const -> const T& {
    return derived_.of<T>(*this);
  }

 private:
  void add_pods_of(const Manifest& manifest);
  void add_class(const Manifest& manifest);

  const Tree& tree_;
  const Scope& scope_;
  Manifests manifests_;
  std::map<std::string, std::vector<const Manifest*>, std::less<>> by_kind_;
  std::vector<PodShape> pods_;
  std::vector<PriorityClassShape> classes_;
  const PriorityClassShape* highest_ = nullptr;  // of those of the input that preempt
  bool running_ = false;
  mutable Derived derived_;
};

}  // namespace previct::lint
