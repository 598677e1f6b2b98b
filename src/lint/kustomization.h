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

/// A kustomization of the input, as far as it says what belongs together.
struct Kustomization {
  const Manifest* manifest = nullptr;
  std::string folder = {};  ///< empty: the working folder
  bool is_component = false;
  bool is_taken_in = false;                   ///< by another one
  bool is_partial = false;                    ///< it takes in what is not in the input, or generates something
  std::vector<std::size_t> bases = {};        ///< kustomizations it takes in, each once
  std::vector<std::string> files = {};        ///< of objects
  std::vector<std::string> other_files = {};  ///< of patches, transformers, values …: no objects
};

/// A kustomization that takes itself in, as kustomize does not build it.
struct KustomizationCycle {
  Value entry;          ///< the last step of it
  std::string folders;  ///< `a, b, a`
};

/// All kustomizations of the input, and what each makes of the objects it takes in: namespace, names, labels and
/// patches. Generators and other transformers are left out.
/// Source: sigs.k8s.io/kustomize api/types/kustomization.go, api/internal/builtins (v5).
class Kustomizations {
 public:
  explicit Kustomizations(const std::deque<Manifest>& manifests);

  [[nodiscard]] auto all() const -> const std::vector<Kustomization>& { return all_; }
  /// That of a folder; null: none.
  [[nodiscard]] auto in(std::string_view folder) const -> const Kustomization*;
  /// Files that some kustomization uses, as objects or otherwise.
  [[nodiscard]] auto used() const -> const std::set<std::string, std::less<>>& { return used_; }

  [[nodiscard]] auto cycles() const -> const std::vector<KustomizationCycle>& { return cycles_; }

  /// What it builds; each base is built once, no matter how many take it in. New objects are put into `rendered`, which
  /// is the same for all; those that stay as they are, are those that were read.
  [[nodiscard]] auto build(const Kustomization& kustomization, std::deque<Manifest>& rendered)
      -> std::vector<const Manifest*>;
  /// Did the kustomizations built so far make more than is kept? What they make beyond that is left out.
  [[nodiscard]] auto exceeded() const -> bool { return work_.exceeded(); }
  /// Is all that it builds known?
  [[nodiscard]] auto is_partial(const Kustomization& kustomization) const -> bool;

 private:
  void read(Kustomization& kustomization);
  void take_in(Kustomization& kustomization, const Value& list, bool components);
  [[nodiscard]] auto patches_of(const Kustomization& kustomization) const -> PatchFiles;
  [[nodiscard]] auto made_by(const Kustomization& kustomization, std::deque<Manifest>& rendered)
      -> std::vector<const Manifest*>;
  void find_cycles();

  std::vector<Kustomization> all_;
  std::vector<std::size_t> order_;  // each behind its bases
  std::vector<KustomizationCycle> cycles_;
  std::map<std::size_t, std::vector<const Manifest*>> built_;
  KustomizeWork work_;
  std::map<std::string, std::size_t, std::less<>> by_folder_;
  std::map<std::string, std::vector<const Manifest*>, std::less<>> objects_;  // of a file
  std::set<std::string, std::less<>> used_;
};

}  // namespace previct::lint
