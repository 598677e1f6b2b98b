#include "engine/kube/devices/cel_functions.h"

#include "base/go.h"

#include <algorithm>
#include <string>
#include <utility>

namespace previct::kube::devices::cel {
namespace {

auto of_text(std::string_view name, const std::string& text, bool loose) -> Result {
  if (name == "string") return Value::of(text);
  if (name == "int") {
    const auto number = go::parse_int(text, 64);
    return number ? Result(Value::of(*number)) : Result(fault_of(Fault::Kind::conversion));
  }
  if (name == "quantity" || name == "isQuantity") {
    auto quantity = parse_quantity(text);
    if (name == "isQuantity") return Value::of(quantity.has_value());
    return quantity ? Result(std::move(*quantity)) : Result(kNotModelled);
  }
  auto version = loose ? Version::parse_loosely(text) : Version::parse(text);
  if (name == "isSemver") return Value::of(version.has_value());
  return version ? Result(Value::of(std::move(*version))) : Result(kNotModelled);
}

auto converted(std::string text, char first, char last, int by) -> Result {
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c + by);
  }
  return Value::of(std::move(text));
}

// Functions of Kubernetes' own libraries report this in other words, with the types.
auto wrong_types(std::string_view name) -> Fault {
  const bool standard = name == "startsWith" || name == "endsWith" || name == "contains" || name == "matches";
  return standard ? kNoOverload : kNotModelled;
}
auto total(const Value& quantity, const Value& argument, bool add) -> Result {
  if (argument.type == Type::quantity) return sum(quantity, argument, add);
  if (argument.type != Type::integer) return kNotModelled;
  return sum(quantity, Value::of(Quantity::of(argument.number)), add);
}
auto of_texts(std::string_view name, const std::string& on, const std::string& argument, const Patterns& patterns)
    -> Result {
  if (name == "startsWith") return Value::of(on.starts_with(argument));
  if (name == "endsWith") return Value::of(on.ends_with(argument));
  if (name == "contains") return Value::of(on.find(argument) != std::string::npos);
  if (name != "matches") return kNotModelled;
  const auto literal = patterns.find(argument);
  const go::Regexp pattern = literal != patterns.end() ? literal->second : go::Regexp(argument);
  return pattern.read() ? Result(Value::of(pattern.matches(on))) : Result(kNotModelled);
}

}  // namespace

auto size_of(std::string_view text) -> std::int64_t {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

auto computed(std::string_view op, const Value& a, const Value& b) -> Result {
  // Texts cannot be subtracted, and so on; upstream names the operator if the first operand has yet another type.
  if (a.type == Type::text && (op != "+" || b.type != Type::text)) return kNoOverload;
  if (a.type == Type::integer && b.type != Type::integer) return kNoOverload;
  if (a.type != Type::integer && a.type != Type::text) return kNotModelled;
  if (a.type == Type::text) return Value::of(a.text + b.text);
  if ((op == "/" || op == "%") && b.number == 0)
    return fault_of(op == "/" ? Fault::Kind::division : Fault::Kind::remainder);
  std::int64_t result = 0;
  bool overflows = false;
  if (op == "+") {
    overflows = __builtin_add_overflow(a.number, b.number, &result);
  } else if (op == "-") {
    overflows = __builtin_sub_overflow(a.number, b.number, &result);
  } else if (op == "*") {
    overflows = __builtin_mul_overflow(a.number, b.number, &result);
  } else {
    overflows = a.number == INT64_MIN && b.number == -1;
    if (!overflows) result = op == "/" ? a.number / b.number : a.number % b.number;
  }
  if (overflows) return fault_of(Fault::Kind::overflow);
  return Value::of(result);
}

auto called(std::string_view name, const Value& argument, bool loose) -> Result {
  if (name == "sign" && argument.type == Type::quantity) {
    const __int128 nanos = argument.quantity.nanos();
    return Value::of(std::int64_t{nanos > 0} - std::int64_t{nanos < 0});
  }
  if (argument.type == Type::integer && name == "int") return argument;
  if (argument.type == Type::integer && name == "string") return Value::of(std::to_string(argument.number));
  if (argument.type == Type::boolean && name == "string")
    return Value::of(std::string(argument.truth ? "true" : "false"));
  if (argument.type != Type::text) return kNotModelled;
  return of_text(name, argument.text, loose);
}

auto called_on(std::string_view name, const Value& on) -> Result {
  if (on.type == Type::text) {
    if (name == "lowerAscii") return converted(on.text, 'A', 'Z', 'a' - 'A');
    if (name == "upperAscii") return converted(on.text, 'a', 'z', 'A' - 'a');
  } else if (on.type == Type::quantity) {
    constexpr __int128 kNano = 1'000'000'000;
    const bool whole = on.quantity.nanos() % kNano == 0;
    if (whole && !on.as_integer) return kNotModelled;
    if (name == "isInteger") return Value::of(whole);
    if (name == "asInteger") {
      return whole ? Result(Value::of(static_cast<std::int64_t>(on.quantity.nanos() / kNano)))
                   : Result(fault_of(Fault::Kind::no_integer));
    }
  } else if (on.type == Type::version) {
    if (name == "major") return Value::of(on.version->major);
    if (name == "minor") return Value::of(on.version->minor);
    if (name == "patch") return Value::of(on.version->patch);
  }
  return kNotModelled;
}

auto called_on(std::string_view name, const Value& on, const Value& argument, const Patterns& patterns) -> Result {
  if (on.type == Type::text && argument.type == Type::text) return of_texts(name, on.text, argument.text, patterns);
  if (on.type == Type::quantity && (name == "add" || name == "sub")) return total(on, argument, name == "add");
  int by = 0;
  if (on.type == Type::quantity && argument.type == Type::quantity) {
    by = on.quantity < argument.quantity ? -1 : on.quantity > argument.quantity ? 1 : 0;
  } else if (on.type == Type::version && argument.type == Type::version) {
    by = compare(*on.version, *argument.version);
  } else {
    return wrong_types(name);
  }
  if (name == "isGreaterThan") return Value::of(by > 0);
  if (name == "isLessThan") return Value::of(by < 0);
  return name == "compareTo" ? Result(Value::of(std::int64_t{by})) : Result(wrong_types(name));
}

}  // namespace previct::kube::devices::cel
