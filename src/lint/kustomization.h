#pragma once

#include "lint/kustomize.h"
#include "lint/value.h"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// A kustomization of the input, as far as it says which files belong together.
struct Kustomization {
  const Manifest* manifest = nullptr;
  std::string folder = {};  ///< empty: the working folder
  bool is_component = false;
  bool is_taken_in = false;                   ///< another kustomization includes it
  bool is_partial = false;                    ///< it includes files that are not in the input, or uses generators
  std::vector<std::size_t> bases = {};        ///< kustomizations that it includes, without duplicates
  std::vector<std::string> files = {};        ///< files with objects
  std::vector<std::string> other_files = {};  ///< files with patches, transformers, values …
};

/// A kustomization that includes itself; kustomize refuses to build it.
struct KustomizationCycle {
  Value entry;          ///< the entry that closes the cycle
  std::string folders;  ///< `a, b, a`
};

/// All kustomizations of the input, and their effect on the objects they include: namespace, names, labels and patches.
/// Generators and other transformers are ignored.
/// Source: sigs.k8s.io/kustomize api/types/kustomization.go, api/internal/builtins (v5).
class Kustomizations {
 public:
  explicit Kustomizations(const std::deque<Manifest>& manifests);

  [[nodiscard]] auto all() const -> const std::vector<Kustomization>& { return all_; }
  /// The kustomization of a folder; null: none.
  [[nodiscard]] auto in(std::string_view folder) const -> const Kustomization*;
  /// Files that some kustomization uses, as objects or otherwise.
  [[nodiscard]] auto used() const -> const std::set<std::string, std::less<>>& { return used_; }

  [[nodiscard]] auto cycles() const -> const std::vector<KustomizationCycle>& { return cycles_; }

  /// Returns the objects that the kustomization builds; each base is built once, no matter how many kustomizations
  /// include it. New objects are stored in `rendered`, which is shared; unchanged objects are those that were read.
  [[nodiscard]] auto build(const Kustomization& kustomization, std::deque<Manifest>& rendered)
      -> std::vector<const Manifest*>;
  /// Returns true if the kustomizations built so far exceed the limit. The rest of their result is left out.
  [[nodiscard]] auto exceeded() const -> bool { return work_.exceeded(); }
  /// Returns true if some of the kustomization's result is unknown.
  [[nodiscard]] auto is_partial(const Kustomization& kustomization) const -> bool;

 private:
  void read(Kustomization& kustomization);
  void take_in(Kustomization& kustomization, const Value& list, bool components);
  [[nodiscard]] auto patches_of(const Kustomization& kustomization) const -> PatchFiles;
  [[nodiscard]] auto made_by(const Kustomization& kustomization, std::deque<Manifest>& rendered)
      -> std::vector<const Manifest*>;
  void find_cycles();

  std::vector<Kustomization> all_;
  std::vector<std::size_t> order_;  // each after its bases
  std::vector<KustomizationCycle> cycles_;
  std::map<std::size_t, std::vector<const Manifest*>> built_;
  KustomizeWork work_;
  std::map<std::string, std::size_t, std::less<>> by_folder_;
  std::map<std::string, std::vector<const Manifest*>, std::less<>> objects_;  // by file
  std::set<std::string, std::less<>> used_;
};

}  // namespace previct::lint
