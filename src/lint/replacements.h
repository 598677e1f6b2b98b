#pragma once

#include "lint/node.h"

#include <string_view>

namespace previct::lint {

/// Replaces each scalar at a field path of kustomize's `replacements`, such as
/// `spec.template.spec.containers.[name=a].image`, by a placeholder: the value comes from another object, and is
/// unknown here.
/// Source: sigs.k8s.io/kustomize kyaml/utils/pathsplitter.go SmarterPathSplitter.
void mark_replaced(Node& node, std::string_view path);

}  // namespace previct::lint
