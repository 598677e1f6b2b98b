#pragma once

#include "lint/value.h"

#include <string_view>

namespace previct::lint {

/// Does a text wait for another program to fill it in? Such a value is not known, and nothing is wrong with it:
/// `${CAPACITY:=5Gi}` and `$CAPACITY` (envsubst, Flux), `{{ .Values.x }}` (Helm, Argo), `$(params.x)` (Tekton),
/// `<your-class>`, `__CLASS__`, `%CLASS%`, `@CLASS@`, `[[ class ]]`, `FROM_OVERLAY`, `XVERSIONX`.
[[nodiscard]] auto is_placeholder(std::string_view text) -> bool;

/// Does the value, or anything in it, keys included, hold a placeholder?
[[nodiscard]] auto holds_placeholder(const Value& value) -> bool;

/// Is it a placeholder: a scalar that is one, or `{name}` and `{{ name }}` without quotes, which YAML reads as maps?
[[nodiscard]] auto is_unknown(const Value& value) -> bool;

/// Does a line hold one that YAML need not be able to read: `@NAME@`, `%NAME%.x`, `{name}/x`, `<name>`?
[[nodiscard]] auto line_holds_placeholder(std::string_view line) -> bool;

/// Is a text as a whole written for a template engine, so that it need not be YAML? By its marks: `{{`, `{%`, `<%`,
/// `[[ … ]]` at the begin of a line.
[[nodiscard]] auto is_template(std::string_view text) -> bool;

}  // namespace previct::lint
