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

/// A pod, or what a workload makes pods of: any `template` with containers, at any depth of any kind.
struct PodShape {
  const Manifest* manifest = nullptr;
  Value metadata = {};
  Value spec = {};
  bool is_pod = false;  ///< false: a template
  bool owned = false;   ///< made by a controller from another object, which is the one to mend
  bool bound = false;   ///< a pod that is on a node
  bool finished = false;

  [[nodiscard]] auto class_name() const -> std::string_view { return spec["priorityClassName"].text(); }
  [[nodiscard]] auto scheduler() const -> std::string_view;
  [[nodiscard]] auto labels() const -> Value { return metadata["labels"]; }
  [[nodiscard]] auto ns() const -> const std::string& { return manifest->ns; }
  /// Of `kind` (`DaemonSet`).
  [[nodiscard]] auto of(std::string_view kind) const -> bool { return manifest->kind == kind; }
  /// Written by a person, or the first object that a controller makes others of.
  [[nodiscard]] auto authored() const -> bool { return !owned && !finished; }
};

/// A PriorityClass as far as it can be read.
struct PriorityClassShape {
  const Manifest* manifest = nullptr;  ///< null: one of the two built-in classes, which every cluster has
  std::string name = {};
  std::optional<std::int64_t> value = {};  ///< none: not an int32
  bool global_default = false;
  bool never_preempts = false;

  [[nodiscard]] auto annotations() const -> Value {
    return manifest == nullptr ? Value() : manifest->in("metadata.annotations");
  }
};

/// What rules see: a scope, and what all of the input tells.
class Repository {
 public:
  Repository(const Tree& tree, const Scope& scope);

  [[nodiscard]] auto tree() const -> const Tree& { return tree_; }
  [[nodiscard]] auto scope() const -> const Scope& { return scope_; }
  [[nodiscard]] auto manifests() const -> const Manifests& { return manifests_; }
  /// All of one kind (kinds.h), in the order of the input.
  [[nodiscard]] auto of(std::string_view kind) const -> const std::vector<const Manifest*>&;
  [[nodiscard]] auto pods() const -> const std::vector<PodShape>& { return pods_; }
  /// Of the input and the two built-in ones, in the order of the input.
  [[nodiscard]] auto classes() const -> const std::vector<PriorityClassShape>& { return classes_; }
  /// True if the scope holds a class of its own, so that a name that is missing means something.
  [[nodiscard]] auto knows_classes() const -> bool { return !of(kind::kPriorityClass).empty(); }
  [[nodiscard]] auto find_class(std::string_view name) const -> const PriorityClassShape*;
  /// The class that counts for pods without one: of several the lowest, as in the admission plugin. Null: none.
  [[nodiscard]] auto default_class() const -> const PriorityClassShape*;
  /// A class of the input whose pods may preempt those of this priority. Null: none.
  [[nodiscard]] auto class_above(std::int64_t priority) const -> const PriorityClassShape*;
  /// What admission would give the pod; none if its class is not known.
  [[nodiscard]] auto priority_of(const PodShape& pod) const -> std::optional<std::int64_t>;
  /// Some pod of the scope is on a node: this is (also) a dump.
  [[nodiscard]] auto has_running_pods() const -> bool { return running_; }

  /// A cluster, or what stands for one: what is not here, is not there. Remarks on what is left out belong here, not to
  /// a folder of a repository.
  [[nodiscard]] auto is_whole() const -> bool;
  /// Something that is not here may be applied together with it.
  [[nodiscard]] auto is_partial() const -> bool { return scope_.partial; }
  /// For what has a date; Instant{}: not known.
  [[nodiscard]] auto now() const -> Instant { return tree_.now; }

  /// What several rules read off the whole scope; see base/derived.h.
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
  bool running_ = false;
  mutable Derived derived_;
};

}  // namespace previct::lint
