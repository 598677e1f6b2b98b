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

/// Why a selector has no answer for a device. With any but `not_modelled`, the scheduler's attempt ends in an error.
struct Fault {
  enum class Kind : std::uint8_t {
    no_such_key,       ///< `what`: an attribute or a capacity that the device lacks
    no_such_overload,  ///< an operation on a value of another type
    attribute_value,   ///< `what`: an attribute whose value has no type that the release knows
    not_modelled
  } kind = Kind::not_modelled;
  Symbol what{};
};

/// A selector in CEL. Source: staging/src/k8s.io/dynamic-resource-allocation/cel/compile.go, v1.35; google/cel-go:
/// interpreter.
class Expression {
 public:
  /// New texts are added to `symbols`. `shared` says that device.allowMultipleAllocations is known.
  Expression(std::string_view text, bool shared, Symbols& symbols);

  /// What of it is not evaluated; empty if all is.
  [[nodiscard]] auto beyond() const -> const std::string& { return beyond_; }

  struct Answer {
    bool matches = false;
    std::optional<Fault> fault;
  };
  /// Not of one that is not evaluated.
  [[nodiscard]] auto matches(const Candidate& device) const -> Answer;

 private:
  std::shared_ptr<const Node> root_;
  Patterns patterns_;
  std::string beyond_;
};

}  // namespace previct::kube::devices::cel
