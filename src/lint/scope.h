#pragma once

#include "lint/value.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

class Tree;

/// A text that should be YAML or JSON and is not.
struct BrokenText {
  const SourceText* source = nullptr;
  std::uint32_t line = 0;  ///< 0: the file as a whole
  std::uint32_t column = 0;
  std::string message = {};
};

/// A scope that .previct.yaml names: files or folders that are applied together.
struct NamedScope {
  std::string name = {};
  std::vector<std::string> paths = {};  ///< a file, a folder with all below it, or a pattern with `*`
};

/// What would be applied together, so that its objects can be compared with each other.
struct Scope {
  enum class Kind : std::uint8_t {
    named,          ///< by .previct.yaml
    kustomization,  ///< a kustomization that no other one of the input takes in, with all that it takes in
    chart,          ///< the plain manifests of a Helm chart; its templates are not rendered
    application,    ///< what a Flux Kustomization or an Argo CD Application points at
    folder,         ///< files beside each other
    file,           ///< one of several files of a folder that define the same object, with those that do not
    dump,           ///< a cluster
    input           ///< all of it
  };

  Kind kind = Kind::folder;
  std::string name = {};  ///< the folder or file, or the name that was given
  std::vector<const Manifest*> manifests = {};
  bool partial = false;     ///< more is applied than is known here: remote bases, generators, templates
  bool kustomized = false;  ///< kustomize builds it, for Flux, too
};

/// `kustomization`, `folder`.
[[nodiscard]] auto scope_kind_name(Scope::Kind kind) -> std::string_view;

/// What kustomizations make.
struct Rendered {
  std::deque<Manifest> objects = {};
  std::vector<BrokenText> broken = {};  ///< those that take themselves in
  bool exceeded = false;                ///< it is more than is kept, and what is beyond that is left out
};

/// Every manifest that is an object of its own (not a patch, say) is in at least one scope. Scopes come by their names.
/// What kustomizations make of objects is put into `rendered`.
[[nodiscard]] auto scopes_of(const Tree& tree, const std::vector<NamedScope>& named, Rendered& rendered)
    -> std::vector<Scope>;

}  // namespace previct::lint
