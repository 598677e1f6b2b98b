#include "engine/kube/devices/cel.h"

#include "base/go.h"
#include "engine/kube/devices/cel_check.h"
#include "engine/kube/devices/cel_value.h"

#include <algorithm>
#include <functional>
#include <map>
#include <variant>

namespace previct::kube::devices::cel {
// NOLINTBEGIN(misc-no-recursion): the parser limits the depth
namespace {

using Kind = Node::Kind;
/// The result of a part of an expression. An error is a value, because the rest of the expression may not need it.
using Result = std::variant<Value, Fault>;

constexpr Fault kNoOverload{Fault::Kind::no_such_overload, {}};
constexpr Fault kNotModelled{};

auto is_fault(const Result& result) -> bool {
  return std::holds_alternative<Fault>(result);
}
auto value(const Result& result) -> const Value& {
  return *std::get_if<Value>(&result);
}

/// `name` in `domain/name`; a name without a domain belongs to the driver's domain.
struct Qualified {
  Qualified(std::string_view text, std::string_view driver) {
    const std::size_t slash = text.find('/');
    domain = slash == std::string_view::npos ? driver : text.substr(0, slash);
    name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  }
  std::string_view domain;
  std::string_view name;
};

auto value_of(const DeviceAttribute& attribute, const Symbols& symbols) -> std::optional<Value> {
  if (attribute.number) return Value::of(*attribute.number);
  if (attribute.truth) return Value::of(*attribute.truth);
  if (attribute.text) return Value::of(std::string(symbols.text(*attribute.text)));
  if (!attribute.version) return {};
  auto version = Version::parse(symbols.text(*attribute.version));
  if (!version) return {};
  return Value::of(std::move(*version));
}

class Evaluation {
 public:
  Evaluation(const Candidate& device, const Patterns& patterns) : device_(device), patterns_(patterns) {}

  auto of(const Node& node) -> Result {
    if (!spend(1)) return kNotModelled;
    switch (node.kind) {
      case Kind::text: return Value::of(node.text);
      case Kind::number: return Value::of(node.number);
      case Kind::truth: return Value::of(node.truth);
      case Kind::name: return variable(node.text);
      case Kind::select: return strictly(*node.of[0], [&](const Value& on) { return field(on, node.text); });
      case Kind::present:
        return strictly(*node.of[0], [&](const Value& on) -> Result { return Value::of(has(on, node.text)); });
      case Kind::index:
        return strictly(*node.of[0], [&](const Value& on) {
          return strictly(*node.of[1], [&](const Value& key) { return field(on, key.text); });
        });
      case Kind::list: return list(node);
      case Kind::call: return strictly(*node.of[0], [&](const Value& argument) { return call(node.text, argument); });
      case Kind::method: return method(node);
      case Kind::binding: return binding(node);
      case Kind::choice:
        return strictly(*node.of[0], [&](const Value& condition) -> Result {
          if (condition.type != Type::boolean) return kNoOverload;
          return of(*node.of[condition.truth ? 1 : 2]);
        });
      case Kind::negation:
        return strictly(*node.of[0], [](const Value& v) -> Result {
          if (v.type != Type::integer) return kNoOverload;
          if (v.number == INT64_MIN) return kNotModelled;
          return Value::of(-v.number);
        });
      case Kind::inversion:
        return strictly(*node.of[0], [](const Value& v) -> Result {
          if (v.type != Type::boolean) return kNoOverload;
          return Value::of(!v.truth);
        });
      case Kind::both: return joined(node, false);
      case Kind::either: return joined(node, true);
      case Kind::relation:
        return strictly(*node.of[0], [&](const Value& a) {
          return strictly(*node.of[1], [&](const Value& b) { return related(node.text, a, b); });
        });
      case Kind::arithmetic:
        return strictly(*node.of[0], [&](const Value& a) {
          return strictly(*node.of[1], [&](const Value& b) { return computed(node.text, a, b); });
        });
    }
    return kNotModelled;
  }

 private:
  // The scheduler stops at this cost with an error. A step costs about as much here as there, so an expression that
  // comes near the limit is not evaluated.
  // Source: staging/src/k8s.io/api: resource/v1/types.go CELSelectorExpressionMaxCost, v1.35.
  static constexpr std::size_t kHighestCost = 1'000'000;
  auto spend(std::size_t cost) -> bool {
    cost_ += cost;
    return cost_ <= kHighestCost;
  }
  // Reading or copying a text costs a tenth per character.
  auto spend_on(const std::string& text) -> bool { return spend(text.size() / 10); }

  // If an operand is an error, the error is the result.
  template <class Use>
  auto strictly(const Node& operand, Use use) -> Result {
    Result result = of(operand);
    if (is_fault(result)) return result;
    return use(value(result));
  }

  auto variable(const std::string& name) -> Result {
    const auto bound = bound_.find(name);
    if (bound == bound_.end()) return Value{.type = Type::device};
    if (is_fault(bound->second)) return bound->second;
    const Value& held = value(bound->second);
    if (!spend_on(held.text) || !spend(held.list.size())) return kNotModelled;
    return bound->second;
  }

  // && and || need only one side if it decides, on either side.
  auto joined(const Node& node, bool deciding) -> Result {
    std::optional<Fault> fault;
    for (const auto& operand : node.of) {
      const Result result = of(*operand);
      if (!is_fault(result) && value(result).type == Type::boolean) {
        if (value(result).truth == deciding) return Value::of(deciding);
      } else if (!fault) {
        fault = is_fault(result) ? *std::get_if<Fault>(&result) : kNoOverload;
      }
    }
    if (fault) return *fault;
    return Value::of(!deciding);
  }

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return device_.symbols.text(symbol); }

  template <class T>
  [[nodiscard]] auto find(const MapOf<T>& map, std::string_view domain, std::string_view name) const -> const T* {
    for (const auto& [key, held] : map) {
      const Qualified qualified(text(key), device_.driver);
      if (qualified.domain == domain && qualified.name == name) return &held;
    }
    return nullptr;
  }
  template <class T>
  [[nodiscard]] auto has_domain(const MapOf<T>& map, std::string_view domain) const -> bool {
    return std::any_of(map.begin(), map.end(),
                       [&](const auto& e) { return Qualified(text(e.first), device_.driver).domain == domain; });
  }

  [[nodiscard]] auto has(const Value& on, std::string_view key) const -> bool {
    switch (on.type) {
      case Type::attributes: return has_domain(device_.facts.attributes, key);
      case Type::capacities: return has_domain(device_.facts.capacity, key);
      case Type::domain_attributes: return find(device_.facts.attributes, on.text, key) != nullptr;
      case Type::domain_capacities: return find(device_.facts.capacity, on.text, key) != nullptr;
      default: return false;
    }
  }

  // An unknown domain of a device is empty.
  [[nodiscard]] auto field(const Value& on, const std::string& key) const -> Result {
    const Fault missing{Fault::Kind::no_such_key, device_.symbols.find(key)};
    switch (on.type) {
      case Type::device:
        if (key == "driver") return Value::of(std::string(device_.driver));
        if (key == "attributes") return Value{.type = Type::attributes};
        if (key == "capacity") return Value{.type = Type::capacities};
        return Value::of(device_.facts.many_allocations);
      case Type::attributes: return Value{.type = Type::domain_attributes, .text = key};
      case Type::capacities: return Value{.type = Type::domain_capacities, .text = key};
      case Type::domain_attributes: {
        const DeviceAttribute* attribute = find(device_.facts.attributes, on.text, key);
        if (attribute == nullptr) return missing;
        auto found = value_of(*attribute, device_.symbols);
        return found ? Result(std::move(*found)) : Result(kNotModelled);
      }
      case Type::domain_capacities: {
        const DeviceCapacity* capacity = find(device_.facts.capacity, on.text, key);
        if (capacity == nullptr) return missing;
        return Value::of(capacity->value);
      }
      default: return kNotModelled;
    }
  }

  auto list(const Node& node) -> Result {
    Value elements{.type = Type::list};
    for (const auto& element : node.of) {
      Result result = of(*element);
      if (is_fault(result)) return result;
      elements.list.push_back(value(result));
    }
    return elements;
  }

  auto binding(const Node& node) -> Result {
    bound_.insert_or_assign(node.text, of(*node.of[0]));
    Result result = of(*node.of[1]);
    bound_.erase(node.text);
    return result;
  }

  static auto call(std::string_view name, const Value& argument) -> Result {
    if (argument.type != Type::text) return kNotModelled;
    if (name == "size") return size(argument.text);
    if (name == "quantity") {
      const auto quantity = Quantity::parse(argument.text);
      return quantity ? Result(Value::of(*quantity)) : Result(kNotModelled);
    }
    auto version = Version::parse(argument.text);
    return version ? Result(Value::of(std::move(*version))) : Result(kNotModelled);
  }
  // Counts code points.
  static auto size(std::string_view text) -> Result {
    return Value::of(static_cast<std::int64_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; })));
  }

  auto method(const Node& node) -> Result {
    return strictly(*node.of[0], [&](const Value& on) -> Result {
      if (!spend_on(on.text)) return kNotModelled;
      if (node.of.size() == 1) return of_one(node.text, on);
      return strictly(*node.of[1], [&](const Value& argument) -> Result {
        // Searching one text in another may read it repeatedly.
        if (!spend(on.text.size() / 10 * (argument.text.size() / 10))) return kNotModelled;
        return of_two(node.text, on, argument);
      });
    });
  }

  static auto of_one(std::string_view name, const Value& on) -> Result {
    if (on.type == Type::text) {
      if (name == "size") return size(on.text);
      if (name == "lowerAscii") return converted(on.text, 'A', 'Z', 'a' - 'A');
      if (name == "upperAscii") return converted(on.text, 'a', 'z', 'A' - 'a');
    } else if (on.type == Type::quantity) {
      constexpr __int128 kNano = 1'000'000'000;
      if (name == "sign")
        return Value::of(std::int64_t{on.quantity.nanos() > 0} - std::int64_t{on.quantity.nanos() < 0});
      if (name == "isInteger") return Value::of(on.quantity.nanos() % kNano == 0);
    } else if (on.type == Type::version) {
      if (name == "major") return Value::of(on.version->major);
      if (name == "minor") return Value::of(on.version->minor);
      if (name == "patch") return Value::of(on.version->patch);
    }
    return kNotModelled;
  }
  static auto converted(std::string text, char first, char last, int by) -> Result {
    for (char& c : text) {
      if (c >= first && c <= last) c = static_cast<char>(c + by);
    }
    return Value::of(std::move(text));
  }

  [[nodiscard]] auto of_two(std::string_view name, const Value& on, const Value& argument) const -> Result {
    if (on.type == Type::text && argument.type == Type::text) return of_texts(name, on.text, argument.text);
    if (on.type == Type::quantity && (name == "add" || name == "sub")) return sum(on.quantity, argument, name == "add");
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
  // Functions of Kubernetes' own libraries report this in other words, with the types.
  static auto wrong_types(std::string_view name) -> Fault {
    const bool standard = name == "startsWith" || name == "endsWith" || name == "contains" || name == "matches";
    return standard ? kNoOverload : kNotModelled;
  }
  static auto sum(Quantity quantity, const Value& argument, bool add) -> Result {
    if (argument.type != Type::quantity && argument.type != Type::integer) return kNotModelled;
    const Quantity other = argument.type == Type::quantity ? argument.quantity : Quantity::of(argument.number);
    return Value::of(quantity += add ? other : Quantity::of_nanos(-other.nanos()));
  }
  [[nodiscard]] auto of_texts(std::string_view name, const std::string& on, const std::string& argument) const
      -> Result {
    if (name == "startsWith") return Value::of(on.starts_with(argument));
    if (name == "endsWith") return Value::of(on.ends_with(argument));
    if (name == "contains") return Value::of(on.find(argument) != std::string::npos);
    if (name != "matches") return kNotModelled;
    const auto literal = patterns_.find(argument);
    const go::Regexp pattern = literal != patterns_.end() ? literal->second : go::Regexp(argument);
    return pattern.read() ? Result(Value::of(pattern.matches(on))) : Result(kNotModelled);
  }

  [[nodiscard]] auto related(std::string_view op, const Value& a, const Value& b) const -> Result {
    if (op == "==") return Value::of(equal(a, b));
    if (op == "!=") return Value::of(!equal(a, b));
    if (op == "in") {
      if (b.type != Type::list) return Value::of(has(b, a.text));
      return Value::of(std::any_of(b.list.begin(), b.list.end(), [&](const Value& each) { return equal(a, each); }));
    }
    const auto order = ordered(a, b);
    if (!order) return kNoOverload;
    if (op == "<") return Value::of(*order < 0);
    if (op == "<=") return Value::of(*order <= 0);
    if (op == ">") return Value::of(*order > 0);
    return Value::of(*order >= 0);
  }

  auto computed(std::string_view op, const Value& a, const Value& b) -> Result {
    if (a.type == Type::text)
      return spend_on(a.text) && spend_on(b.text) ? Result(Value::of(a.text + b.text)) : Result(kNotModelled);
    std::int64_t result = 0;
    bool overflows = false;
    if (op == "+") {
      overflows = __builtin_add_overflow(a.number, b.number, &result);
    } else if (op == "-") {
      overflows = __builtin_sub_overflow(a.number, b.number, &result);
    } else if (op == "*") {
      overflows = __builtin_mul_overflow(a.number, b.number, &result);
    } else {
      overflows = b.number == 0 || b.number == -1;
      if (!overflows) result = op == "/" ? a.number / b.number : a.number % b.number;
    }
    if (overflows) return kNotModelled;
    return Value::of(result);
  }

  const Candidate& device_;
  const Patterns& patterns_;
  std::map<std::string, Result> bound_;
  std::size_t cost_ = 0;
};

// Upstream converts all attributes before it evaluates anything.
auto fault_of_attributes(const Candidate& device) -> std::optional<Fault> {
  for (const auto& [name, attribute] : device.facts.attributes) {
    if (value_of(attribute, device.symbols)) continue;
    if (attribute.version) return kNotModelled;
    return Fault{Fault::Kind::attribute_value, name};
  }
  return {};
}

}  // namespace

Expression::Expression(std::string_view text, bool shared, Symbols& symbols) {
  Syntax syntax = parse(text);
  beyond_ = syntax.root ? check(*syntax.root, shared, symbols, patterns_) : syntax.beyond;
  if (beyond_.empty()) root_ = std::move(syntax.root);
}

auto Expression::matches(const Candidate& device) const -> Answer {
  if (const auto fault = fault_of_attributes(device)) return {false, fault};
  const Result result = Evaluation(device, patterns_).of(*root_);
  if (is_fault(result)) return {false, *std::get_if<Fault>(&result)};
  if (value(result).type != Type::boolean) return {false, kNotModelled};
  return {value(result).truth, {}};
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
