#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The Common Expression Language, as far as device selectors use it. Syntax that is not supported here is not an error
/// of the expression: it is only not evaluated.
namespace previct::kube::devices::cel {

/// One step of an expression. Its operands are in `of`.
struct Node {
  enum class Kind : std::uint8_t {
    text,
    number,
    truth,
    name,            ///< a variable
    select,          ///< of[0].text
    optional_field,  ///< of[0].?text
    present,         ///< has(of[0].text)
    index,           ///< of[0][of[1]]
    optional_index,  ///< of[0][?of[1]]
    list,            ///< [of…]
    call,            ///< text(of…)
    method,          ///< of[0].text(of[1]…)
    binding,         ///< cel.bind(text, of[0], of[1])
    iteration,       ///< of[0].macro(text, of[1])
    choice,          ///< of[0] ? of[1] : of[2]
    negation,        ///< -of[0]
    inversion,       ///< !of[0]
    both,            ///< of[0] && of[1] && …
    either,          ///< of[0] || of[1] || …
    relation,        ///< `text` is < <= > >= == != in
    arithmetic       ///< `text` is + - * / %
  } kind = Kind::text;
  std::string text;
  std::string macro{};  ///< of an iteration; `text` is its variable
  std::int64_t number = 0;
  bool truth = false;
  std::vector<std::unique_ptr<Node>> of;
  int height = 1;  ///< number of steps down to the deepest descendant, including this one
};

/// The parsed expression; without a root, `beyond` says what is not evaluated.
struct Syntax {
  std::unique_ptr<Node> root;
  std::string beyond;
};
/// Parses an expression. Not supported: a text of more than 10 KiB, which no API server accepts, and nesting of more
/// than 250 steps.
/// Source: google/cel-spec: doc/langdef.md, Syntax; staging/src/k8s.io/api: resource/v1/types.go
/// CELSelectorExpressionMaxLength, v1.35; google/cel-go: parser/options.go maxRecursionDepth.
[[nodiscard]] auto parse(std::string_view text) -> Syntax;

}  // namespace previct::kube::devices::cel
