#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace previct::cli {

/// What could stand where the cursor is.
struct Completion {
  struct Candidate {
    std::string text;
    std::string what;  ///< shown beside it by shells that can; may be empty
  };
  std::vector<Candidate> candidates;
  bool files = false;    ///< names of files fit, too
  bool unended = false;  ///< a candidate is a beginning: no blank after it
};

/// Completes the last of `words`, which is what has been typed of it, perhaps nothing; the others stand before
/// it on the command line, after the program's name.
///
/// Names come from the input that -f names; one that cannot be read gives none. Without -f they come from the cluster:
/// before it is asked, which takes longer, `before_asking` is called; null: it is not asked. A name that Kubernetes
/// would refuse is never offered, so nothing from an input can mean anything to a shell. Values are offered without the
/// `--flag=` before them.
[[nodiscard]] auto complete(const std::vector<std::string>& words, void (*before_asking)() = nullptr) -> Completion;

/// As the shells and kubectl read it: `candidate<TAB>description` lines, then `:` and Cobra's directive, of
/// which 2 (no blank) and 4 (no files) are used.
/// Source: spf13/cobra: completions.go ShellCompDirective; kubernetes/kubectl: pkg/cmd/plugin/plugin_completion.go
[[nodiscard]] auto protocol_text(const Completion& completion) -> std::string;

}  // namespace previct::cli
