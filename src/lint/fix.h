#pragma once

#include "lint/tree.h"
#include "report/finding.h"

#include <cstddef>
#include <string>
#include <vector>

namespace previct::lint {

/// A file as it is after the fixes of its findings. Nothing but the marked stretches changes: comments, order and
/// layout stay.
struct FixedText {
  const SourceText* source = nullptr;
  std::string after = {};
  std::size_t fixes = 0;
};

/// Makes the first fix of every finding that counts. Of fixes that overlap, the first in the text is made; the others
/// are left for the next time.
[[nodiscard]] auto fixed_texts(const Findings& findings, const Tree& tree) -> std::vector<FixedText>;

/// The lines of a unified diff, without line ends.
[[nodiscard]] auto diff_of(const FixedText& text) -> std::vector<std::string>;

}  // namespace previct::lint
