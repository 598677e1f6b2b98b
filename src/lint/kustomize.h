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

/// Does to `objects` what a kustomization says: patches (strategic merge and JSON 6902), namespace, namePrefix and
/// nameSuffix, labels and commonLabels; what `replacements` write is not known from then on. What changes is a new
/// object in `rendered`, whose values know where they were read. Source: sigs.k8s.io/kustomize
/// api/internal/target/kusttarget.go (order), api/internal/builtins (v5).
void transform(const Manifest& kustomization, const PatchFiles& patches, std::vector<const Manifest*>& objects,
               std::deque<Manifest>& rendered);

}  // namespace previct::lint
