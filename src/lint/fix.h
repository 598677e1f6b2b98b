#pragma once

#include "input/layout.h"
#include "lint/found.h"
#include "lint/settings.h"
#include "lint/tree.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace previct::lint {

/// Puts into the findings the fixes that rules want, where a text can be changed there safely: the value stands there
/// itself, no alias refers to it, and it carries no tag that makes it something else.
void offer_fixes(std::deque<Found::Item>& items);

/// A file as it is after the fixes of its findings. Nothing but the values and keys that were fixed is another text:
/// comments, order, layout, anchors and tags stay.
struct FixedText {
  const SourceText* source = nullptr;
  std::string after = {};
  std::vector<const Finding*> fixed = {};
  std::string left = {};  ///< why it is left as it is; empty: it is not
};

/// Makes the first fix of every finding that counts. Of fixes that overlap, the first in the text is made; the others
/// are left for the next time. A file is left as it is if its objects would change elsewhere, too.
[[nodiscard]] auto fixed_texts(const Findings& findings, const Tree& tree) -> std::vector<FixedText>;

/// A file that fixes change, or would change.
struct FixedFile {
  std::string name;
  std::string path;     ///< empty: it cannot be written back
  bool marked = false;  ///< it begins with a byte order mark
  std::string before;
  std::string after;
  std::size_t fixes = 0;
  std::string left = {};  ///< why some or all fixes were not made; empty: all were
};

/// Reads the input, with other texts in place of those of these names, and finds what is wrong with it.
using TextsByName = std::map<std::string, std::string, std::less<>>;
using FindAgain = std::function<Result<Findings>(const TextsByName& instead, Tree& tree)>;

/// Fixes until there is nothing left to be fixed, as one fix may lie within the stretch of another; writes nothing. A
/// fix is made only if its finding is gone afterwards.
[[nodiscard]] auto fixed_files(const FindAgain& find) -> Result<std::vector<FixedFile>>;

/// The lines of a unified diff, without line ends.
[[nodiscard]] auto diff_of(const std::string& name, std::string_view before, std::string_view after)
    -> std::vector<std::string>;

}  // namespace previct::lint
