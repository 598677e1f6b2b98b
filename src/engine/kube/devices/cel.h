#pragma once

#include "api/resource_slice.h"
#include "base/symbols.h"
#include "engine/kube/devices/cel_check.h"
#include "engine/kube/devices/cel_syntax.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace previct::kube::devices::cel {

/// A device as a selector sees it.
struct Candidate {
  std::string_view driver;
  const DeviceFacts& facts;
  const Symbols& symbols;
};

/// Why a selector has no result for a device. Every kind except `not_modelled` ends the scheduler's attempt with an
/// error.
struct Fault {
  enum class Kind : std::uint8_t {
    no_such_key,       ///< `what`: an attribute or capacity that the device lacks
    no_such_overload,  ///< an operation on a value of the wrong type
    attribute_value,   ///< `what`: an attribute whose value has a type that the release does not know
    // Errors whose text is always the same:
    overflow,       ///< of an integer
    division,       ///< by zero
    remainder,      ///< of a division by zero
    conversion,     ///< of a text to an integer
    no_integer,     ///< a quantity that is not held as an integer
    nothing_there,  ///< value() of an optional value that is empty
    not_modelled
  } kind = Kind::not_modelled;
  Symbol what{};
};

/// A selector in CEL. Source: staging/src/k8s.io/dynamic-resource-allocation/cel/compile.go, v1.35; google/cel-go:
/// interpreter.
class Expression {
 public:
  /// Adds new texts to `symbols`. `shared`: device.allowMultipleAllocations is supported.
  Expression(std::string_view text, bool shared, Symbols& symbols);

  /// Returns the part of it that is not evaluated; empty if all of it is.
  [[nodiscard]] auto beyond() const -> const std::string& { return beyond_; }

  struct Answer {
    bool matches = false;
    std::optional<Fault> fault;
  };
  /// Requires that beyond() is empty.
  [[nodiscard]] auto matches(const Candidate& device) const -> Answer;

 private:
  std::shared_ptr<const Node> root_;
  Patterns patterns_;
  std::string beyond_;
};

}  // namespace previct::kube::devices::cel
