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

/// How much kustomizations may make: overlays of overlays of overlays multiply. Counted are about the bytes of all
/// copies of objects and of what patches, labels and names bring, and for what takes time, as many as would take as
/// long.
class KustomizeWork {
 public:
  /// False: it is used up.
  auto spend(std::size_t bytes) -> bool {
    spent_ = std::min(spent_ + bytes, kMost + 1);
    return !exceeded();
  }
  [[nodiscard]] auto exceeded() const -> bool { return spent_ > kMost; }

  static constexpr std::size_t kOfObject = 4'000;   ///< a copy, beside its values
  static constexpr std::size_t kOfPassing = 2'000;  ///< an object that is passed on to another kustomization and linted
  static constexpr std::size_t kOfTarget = 80;      ///< an object that is compared with a target
  static constexpr std::size_t kOfKey = 4;          ///< a key that is compared with another one
  static constexpr std::size_t kOfByte = 4;         ///< of a text, which is kept several times

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 30U;
  std::size_t spent_ = 0;
};

/// Does to `objects` what a kustomization says: patches (strategic merge and JSON 6902), namespace, namePrefix and
/// nameSuffix, labels and commonLabels; what `replacements` write is not known from then on. What changes is a new
/// object in `rendered`, whose values know where they were read; when `work` is used up, no more changes. Source:
/// sigs.k8s.io/kustomize api/internal/target/kusttarget.go (order), api/internal/builtins (v5).
void transform(const Manifest& kustomization, const PatchFiles& patches, std::vector<const Manifest*>& objects,
               std::deque<Manifest>& rendered, KustomizeWork& work);

}  // namespace previct::lint
