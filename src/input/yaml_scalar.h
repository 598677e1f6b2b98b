#pragma once

#include "base/diagnostics.h"
#include "input/events.h"

#include <string>
#include <string_view>

namespace previct {

/// A scalar after resolution.
struct ResolvedScalar {
  ScalarType type = ScalarType::string;
  std::string_view text;  ///< as Event::text; in the argument, in `scratch` or static
};

/// What a plain YAML scalar means to Kubernetes' loader: null, booleans in all spellings of YAML 1.1,
/// numbers with base prefixes, leading-zero octals and underscores, else a string. Base-60 numbers and times
/// stay strings. Numbers come back as that loader would print them in JSON, so `1e3` is the integer 1000.
///
/// Source: go.yaml.in/yaml/v2 v2.4.3 resolve.go `resolve`; sigs.k8s.io/yaml v1.6.0 `yamlToJSON`.
[[nodiscard]] auto resolve_plain(std::string_view text, std::string& scratch) -> ResolvedScalar;

/// The same for a scalar with an explicit tag (`tag:yaml.org,2002:int`), in whatever style it is written.
/// Errors: a tag that is not of YAML's core schema; a text that is not what its tag says.
[[nodiscard]] auto resolve_tagged(std::string_view tag, std::string_view text, std::string& scratch)
    -> Result<ResolvedScalar>;

/// `!!int` for `tag:yaml.org,2002:int`; `!…` for those that YAML does not know, as they may be a secret without its
/// quotes.
[[nodiscard]] auto short_tag(std::string_view tag) -> std::string;

}  // namespace previct
