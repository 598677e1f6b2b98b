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
  std::vector<std::size_t> bases = {};        ///< kustomizations it takes in, components last
  std::vector<std::string> files = {};        ///< of objects
  std::vector<std::string> other_files = {};  ///< of patches, transformers, values …: no objects
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

  /// What it builds. New objects are put into `rendered`; those that stay as they are, are those that were read.
  [[nodiscard]] auto build(const Kustomization& kustomization, std::deque<Manifest>& rendered) const
      -> std::vector<const Manifest*>;
  /// Is all that it builds known?
  [[nodiscard]] auto is_partial(const Kustomization& kustomization) const -> bool;

 private:
  void read(Kustomization& kustomization);
  void take_in(Kustomization& kustomization, const Value& list, bool components);
  [[nodiscard]] auto patches_of(const Kustomization& kustomization) const -> PatchFiles;
  [[nodiscard]] auto build(std::size_t index, std::deque<Manifest>& rendered, std::size_t depth) const
      -> std::vector<const Manifest*>;

  std::vector<Kustomization> all_;
  std::map<std::string, std::size_t, std::less<>> by_folder_;
  std::map<std::string, std::vector<const Manifest*>, std::less<>> objects_;  // of a file
  std::set<std::string, std::less<>> used_;
};

}  // namespace previct::lint
