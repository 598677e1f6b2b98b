#pragma once

#include "base/diagnostics.h"
#include "input/events.h"

#include <string>
#include <string_view>

namespace previct {

/// A scalar after resolution.
struct ResolvedScalar {
  ScalarType type = ScalarType::string;
  std::string_view text;  ///< as Event::text; a view of the argument, of `scratch` or of static memory
};

/// The meaning of a plain YAML scalar for Kubernetes' loader: null, booleans in all spellings of YAML 1.1, numbers with
/// base prefixes, leading-zero octals and underscores, otherwise a string. Base-60 numbers and times stay strings.
/// Numbers are returned as that loader prints them in JSON, so `1e3` is the integer 1000.
///
/// Source: go.yaml.in/yaml/v2 v2.4.3 resolve.go `resolve`; sigs.k8s.io/yaml v1.6.0 `yamlToJSON`.
[[nodiscard]] auto resolve_plain(std::string_view text, std::string& scratch) -> ResolvedScalar;

/// The meaning of a scalar with an explicit tag (`tag:yaml.org,2002:int`), in any style. Errors: a tag outside YAML's
/// core schema; a text that does not match its tag.
[[nodiscard]] auto resolve_tagged(std::string_view tag, std::string_view text, std::string& scratch)
    -> Result<ResolvedScalar>;

/// `!!int` for `tag:yaml.org,2002:int`; `!…` for tags that YAML does not define, because they may be a secret without
/// its quotes.
[[nodiscard]] auto short_tag(std::string_view tag) -> std::string;

}  // namespace previct
