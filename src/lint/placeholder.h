#pragma once

#include "lint/value.h"

#include <string_view>

namespace previct::lint {

/// Returns true if another program fills in the text. The value is unknown then, and no fault is reported for it:
/// `${CAPACITY:=5Gi}` and `$CAPACITY` (envsubst, Flux), `{{ .Values.x }}` (Helm, Argo), `$(params.x)` (Tekton),
/// `<your-class>`, `__CLASS__`, `%CLASS%`, `@CLASS@`, `[[ class ]]`, `FROM_OVERLAY`, `XVERSIONX`.
[[nodiscard]] auto is_placeholder(std::string_view text) -> bool;

/// Returns true if the value, or any key or value within it, is a placeholder.
[[nodiscard]] auto holds_placeholder(const Value& value) -> bool;

/// Returns true if the value is a placeholder: a scalar, or unquoted `{name}` and `{{ name }}`, which YAML reads as
/// maps.
[[nodiscard]] auto is_unknown(const Value& value) -> bool;

/// Returns true if a line has a placeholder that YAML may be unable to read: `@NAME@`, `%NAME%.x`, `{name}/x`,
/// `<name>`.
[[nodiscard]] auto line_holds_placeholder(std::string_view line) -> bool;

/// Returns true if the whole text is written for a template engine, so that it need not be YAML. Its marks are `{{`,
/// `{%`, `<%`, and `[[ … ]]` at the start of a line.
[[nodiscard]] auto is_template(std::string_view text) -> bool;

}  // namespace previct::lint
