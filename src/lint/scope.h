#pragma once

#include "lint/value.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

class Tree;

/// A text that should be YAML or JSON, but is neither.
struct BrokenText {
  const SourceText* source = nullptr;
  std::uint32_t line = 0;  ///< 0: the whole file
  std::uint32_t column = 0;
  std::string message = {};
};

/// A scope that .previct.yaml defines: files or folders that are applied together.
struct NamedScope {
  std::string name = {};
  std::vector<std::string> paths = {};  ///< a file, a folder with everything below it, or a pattern with `*`
};

/// Objects that would be applied together, so that they can be compared with each other.
struct Scope {
  enum class Kind : std::uint8_t {
    named,          ///< defined in .previct.yaml
    kustomization,  ///< a kustomization that no other one of the input includes, with everything it includes
    chart,          ///< the plain manifests of a Helm chart; its templates are not rendered
    application,    ///< the target of a Flux Kustomization or an Argo CD Application
    folder,         ///< the files of one folder
    file,           ///< one of several files of a folder that define the same object, with the remaining files
    dump,           ///< the dump of a cluster
    input           ///< the whole input
  };

  Kind kind = Kind::folder;
  std::string name = {};  ///< the folder or file, or the given name
  std::vector<const Manifest*> manifests = {};
  bool partial = false;     ///< objects that are not known here are applied too: remote bases, generators, templates
  bool kustomized = false;  ///< kustomize builds it, possibly for Flux
};

/// `kustomization`, `folder`.
[[nodiscard]] auto scope_kind_name(Scope::Kind kind) -> std::string_view;

/// The result of kustomizations.
struct Rendered {
  std::deque<Manifest> objects = {};
  std::vector<BrokenText> broken = {};  ///< kustomizations that include themselves
  bool exceeded = false;                ///< the result exceeds the limit, and the rest is left out
};

/// Every manifest that is an object (not a patch, for example) is in at least one scope. Scopes are ordered by name.
/// Objects that kustomizations make are stored in `rendered`.
[[nodiscard]] auto scopes_of(const Tree& tree, const std::vector<NamedScope>& named, Rendered& rendered)
    -> std::vector<Scope>;

}  // namespace previct::lint
