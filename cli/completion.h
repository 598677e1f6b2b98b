#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace previct::cli {

/// What can be inserted at the cursor.
struct Completion {
  struct Candidate {
    std::string text;
    std::string what;  ///< description, for shells that can show it; may be empty
  };
  std::vector<Candidate> candidates;
  bool files = false;    ///< file names are possible too
  bool unended = false;  ///< candidates are prefixes: no blank is added
};

/// Completes the last of `words`, which may be empty; the others come before it on the command line, after the
/// program's name.
///
/// Names come from the input of -f; an unreadable input gives none. Without -f they come from the cluster:
/// `before_asking` is called before that slower request; null: the cluster is not contacted. A name that Kubernetes
/// would refuse is never offered, so no text of an input can affect a shell. Values are offered without the `--flag=`
/// before them.
[[nodiscard]] auto complete(const std::vector<std::string>& words, void (*before_asking)() = nullptr) -> Completion;

/// The output for shells and kubectl: `candidate<TAB>description` lines, then `:` and Cobra's directive, of which 2 (no
/// blank) and 4 (no files) are used.
/// Source: spf13/cobra: completions.go ShellCompDirective; kubernetes/kubectl: pkg/cmd/plugin/plugin_completion.go
[[nodiscard]] auto protocol_text(const Completion& completion) -> std::string;

}  // namespace previct::cli
