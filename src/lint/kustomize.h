#pragma once

#include "lint/value.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace previct::lint {

/// The objects in the patch files of a kustomization, by file.
using PatchFiles = std::map<std::string, std::vector<const Manifest*>, std::less<>>;

/// How much kustomizations may make: overlays of overlays of overlays multiply. Counted are the values (keys, texts,
/// maps and lists) that are written into new objects, those that patches bring, and the objects that are passed on.
class KustomizeWork {
 public:
  /// False: it is used up.
  auto spend(std::size_t values) -> bool {
    spent_ += values;
    return !exceeded();
  }
  [[nodiscard]] auto exceeded() const -> bool { return spent_ > kMost; }

  static constexpr std::size_t kMost = 6'000'000;

 private:
  std::size_t spent_ = 0;
};

/// Does to `objects` what a kustomization says: patches (strategic merge and JSON 6902), namespace, namePrefix and
/// nameSuffix, labels and commonLabels; what `replacements` write is not known from then on. What changes is a new
/// object in `rendered`, whose values know where they were read; when `work` is used up, no more changes. Source:
/// sigs.k8s.io/kustomize api/internal/target/kusttarget.go (order), api/internal/builtins (v5).
void transform(const Manifest& kustomization, const PatchFiles& patches, std::vector<const Manifest*>& objects,
               std::deque<Manifest>& rendered, KustomizeWork& work);

}  // namespace previct::lint
