#pragma once

#include "input/layout.h"
#include "lint/found.h"
#include "lint/settings.h"
#include "lint/tree.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace previct::lint {

/// Adds the fixes that rules request to the findings, if the text can be changed safely: it holds the value itself, no
/// alias refers to it, and it has no tag that changes its type.
void offer_fixes(std::deque<FindingSink::Item>& items);

/// A file after the fixes of its findings. Only the fixed values and keys change: comments, order, layout, anchors and
/// tags are kept.
struct FixedText {
  const SourceText* source = nullptr;
  std::string after = {};
  std::vector<const Finding*> fixed = {};
  std::string left = {};  ///< why the file is left unchanged; empty: it was changed
};

/// The key by which findings are counted: file, rule, object.
using FindingKey = std::tuple<std::string, std::string, std::string>;

/// Applies the first fix of every finding that counts, except for findings of these keys. Of overlapping fixes, the
/// first in the text is applied; the others wait for the next round. A file is left unchanged if its objects would
/// change elsewhere, too.
[[nodiscard]] auto fixed_texts(const Findings& findings, const Tree& tree, const std::set<FindingKey>& except = {})
    -> std::vector<FixedText>;

/// A file that fixes change, or would change.
struct FixedFile {
  std::string name;
  std::string path;     ///< empty: the file cannot be written
  bool marked = false;  ///< the file begins with a byte order mark
  std::string before;
  std::string after;
  std::size_t fixes = 0;
  std::string left = {};                     ///< why some or all fixes were not applied; empty: all were
  std::set<std::string> private_texts = {};  ///< written in place of private values, and not shown
};

/// Reads the input, with the given texts in place of the files of these names, and returns the findings.
using TextsByName = std::map<std::string, std::string, std::less<>>;
using FindAgain = std::function<Result<Findings>(const TextsByName& instead, Tree& tree)>;

/// Applies the fixes of the selected rules until none is left, because one fix may lie within the range of another;
/// writes no file. A fix is kept only if its finding disappears, and if no error and no key that occurs twice appears
/// in its place. Therefore `find` must apply all rules, whichever are selected.
[[nodiscard]] auto fixed_files(const FindAgain& find, const Settings& settings = {}) -> Result<std::vector<FixedFile>>;

/// The changed keys and values in the form of a unified diff, without line ends. Shows nothing else of their lines,
/// which may hold secrets, and no private value.
[[nodiscard]] auto diff_of(const FixedFile& file) -> std::vector<std::string>;

}  // namespace previct::lint
