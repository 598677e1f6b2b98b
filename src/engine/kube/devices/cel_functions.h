#pragma once

#include "engine/kube/devices/cel.h"
#include "engine/kube/devices/cel_check.h"
#include "engine/kube/devices/cel_value.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace previct::kube::devices::cel {

/// The result of a part of an expression. An error is a value, because the rest of the expression may not need it.
using Result = std::variant<Value, Fault>;

inline constexpr Fault kNoOverload{Fault::Kind::no_such_overload, {}};
inline constexpr Fault kNotModelled{};
[[nodiscard]] constexpr auto fault_of(Fault::Kind kind) -> Fault {
  return {kind, {}};
}

[[nodiscard]] inline auto is_fault(const Result& result) -> bool {
  return std::holds_alternative<Fault>(result);
}
[[nodiscard]] inline auto value(const Result& result) -> const Value& {
  return *std::get_if<Value>(&result);
}

/// Returns the number of code points.
[[nodiscard]] auto size_of(std::string_view text) -> std::int64_t;
/// `a + b`, and so on.
[[nodiscard]] auto computed(std::string_view op, const Value& a, const Value& b) -> Result;
/// `name(argument)`, of all functions except size(). `loose`: the second argument of semver() and isSemver().
[[nodiscard]] auto called(std::string_view name, const Value& argument, bool loose) -> Result;
/// `on.name()`, of all methods except size() and those of optional values.
[[nodiscard]] auto called_on(std::string_view name, const Value& on) -> Result;
/// `on.name(argument)`.
[[nodiscard]] auto called_on(std::string_view name, const Value& on, const Value& argument, const Patterns& patterns)
    -> Result;

}  // namespace previct::kube::devices::cel
