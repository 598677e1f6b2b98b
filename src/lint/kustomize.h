#pragma once

#include "lint/value.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace previct::lint {

/// The objects in the patch files of a kustomization, by file.
using PatchFiles = std::map<std::string, std::vector<const Manifest*>, std::less<>>;

/// A limit on the work of kustomizations, because nested overlays multiply objects. The unit is about one byte of the
/// copies of objects and of what patches, labels and names add; work that takes time counts as the bytes that would
/// take as long.
class KustomizeWork {
 public:
  /// Returns false if the limit is exceeded.
  auto spend(std::size_t bytes) -> bool {
    spent_ = std::min(spent_ + bytes, kMost + 1);
    return !exceeded();
  }
  [[nodiscard]] auto exceeded() const -> bool { return spent_ > kMost; }

  static constexpr std::size_t kOfObject = 4'000;   ///< a copy of an object, besides its values
  static constexpr std::size_t kOfPassing = 2'000;  ///< an object that is passed on to another kustomization and linted
  static constexpr std::size_t kOfTarget = 80;      ///< an object that is compared with a target
  static constexpr std::size_t kOfKey = 4;          ///< a key that is compared with another one
  static constexpr std::size_t kOfByte = 4;         ///< a byte of a text, which is stored several times

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 30U;
  std::size_t spent_ = 0;
};

/// Applies a kustomization to `objects`: patches (strategic merge and JSON 6902), namespace, namePrefix and nameSuffix,
/// labels and commonLabels; values that `replacements` write become unknown. A changed object is a new object in
/// `rendered`, whose values know where they were read; when `work` is exceeded, no more objects change. Source:
/// sigs.k8s.io/kustomize api/internal/target/kusttarget.go (order), api/internal/builtins (v5).
/// sigs.k8s.io/kustomize api/internal/target/kusttarget.go (order), api/internal/builtins (v5).
void transform(const Manifest& kustomization, const PatchFiles& patches, std::vector<const Manifest*>& objects,
               std::deque<Manifest>& rendered, KustomizeWork& work);

}  // namespace previct::lint
