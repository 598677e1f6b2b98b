#include "engine/kube/devices/cel.h"

#include "engine/kube/devices/cel_check.h"
#include "engine/kube/devices/cel_functions.h"
#include "engine/kube/devices/cel_value.h"

#include <algorithm>
#include <functional>
#include <map>

namespace previct::kube::devices::cel {
// NOLINTBEGIN(misc-no-recursion): the parser limits the depth
namespace {

using Kind = Node::Kind;

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
      case Kind::optional_field:
        return strictly(*node.of[0], [&](const Value& on) { return field_if_there(on, node.text); });
      case Kind::optional_index:
        return strictly(*node.of[0], [&](const Value& on) {
          return strictly(*node.of[1], [&](const Value& key) { return field_if_there(on, key.text); });
        });
      case Kind::iteration: return strictly(*node.of[0], [&](const Value& range) { return iterated(node, range); });
      case Kind::present:
        return strictly(*node.of[0], [&](const Value& on) -> Result { return Value::of(has(on, node.text)); });
      case Kind::index:
        return strictly(*node.of[0], [&](const Value& on) {
          return strictly(*node.of[1], [&](const Value& key) { return field(on, key.text); });
        });
      case Kind::list: return list(node);
      case Kind::call: return call(node);
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
          if (v.number == INT64_MIN) return fault_of(Fault::Kind::overflow);
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
          return strictly(*node.of[1], [&](const Value& b) {
            return spend_on(a.text) && spend_on(b.text) ? computed(node.text, a, b) : Result(kNotModelled);
          });
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
    return joined(node.of, deciding, [&](const auto& operand) { return of(*operand); });
  }
  template <class List, class Evaluate>
  auto joined(const List& operands, bool deciding, const Evaluate& evaluate) -> Result {
    std::optional<Fault> fault;
    for (const auto& operand : operands) {
      const Result result = evaluate(operand);
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

  // `on.?key`. A domain is always there, because an unknown one is empty.
  [[nodiscard]] auto field_if_there(const Value& on, const std::string& key) const -> Result {
    if (on.type == Type::optional) return on.list.empty() ? Result(on) : field_if_there(on.list.front(), key);
    Value found{.type = Type::optional};
    const bool of_domain = on.type == Type::domain_attributes || on.type == Type::domain_capacities;
    if (of_domain && !has(on, key)) return found;
    Result result = field(on, key);
    if (is_fault(result)) return result;
    found.list.push_back(value(result));
    return found;
  }

  // An unknown domain of a device is empty.
  [[nodiscard]] auto field(const Value& on, const std::string& key) const -> Result {
    if (on.type == Type::optional) return field_if_there(on, key);
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

  // The keys of a map, in any order.
  [[nodiscard]] auto keys(const Value& map) const -> std::vector<Value> {
    std::vector<Value> found;
    const auto add_from = [&](const auto& all) {
      for (const auto& [key, held] : all) {
        const Qualified qualified(text(key), device_.driver);
        const bool by_domain = map.type == Type::attributes || map.type == Type::capacities;
        if (!by_domain && qualified.domain != map.text) continue;
        const std::string_view name = by_domain ? qualified.domain : qualified.name;
        const bool known = std::any_of(found.begin(), found.end(), [&](const Value& v) { return v.text == name; });
        if (!known) found.push_back(Value::of(std::string(name)));
      }
    };
    if (map.type == Type::attributes || map.type == Type::domain_attributes) add_from(device_.facts.attributes);
    if (map.type == Type::capacities || map.type == Type::domain_capacities) add_from(device_.facts.capacity);
    return found;
  }

  // If several elements of a map fail, any of them may be the first.
  auto iterated(const Node& node, const Value& range) -> Result {
    const bool in_order = range.type == Type::list;
    const std::vector<Value> elements = in_order ? range.list : keys(range);
    Result result = node.macro == "exists" || node.macro == "all" ? any_or_all(node, elements) : picked(node, elements);
    return is_fault(result) && !in_order ? Result(kNotModelled) : result;
  }
  auto with_element(const Node& node, const Value& element) -> Result {
    bound_.insert_or_assign(node.text, element);
    Result result = of(*node.of[1]);
    bound_.erase(node.text);
    return result;
  }
  // As if the elements were joined by || or &&.
  auto any_or_all(const Node& node, const std::vector<Value>& elements) -> Result {
    return joined(elements, node.macro == "exists", [&](const Value& element) { return with_element(node, element); });
  }
  // exists_one, filter and map. A condition that fails replaces an earlier error.
  auto picked(const Node& node, const std::vector<Value>& elements) -> Result {
    const bool mapped = node.macro == "map";
    std::optional<Fault> fault;
    Value chosen{.type = Type::list};
    for (const Value& element : elements) {
      const Result result = with_element(node, element);
      const bool failed = is_fault(result) || (!mapped && value(result).type != Type::boolean);
      if (failed && !(mapped && fault)) fault = is_fault(result) ? *std::get_if<Fault>(&result) : kNoOverload;
      if (failed) continue;
      if (mapped || value(result).truth) chosen.list.push_back(mapped ? value(result) : element);
    }
    if (fault) return *fault;
    if (node.macro == "exists_one") return Value::of(chosen.list.size() == 1);
    return chosen;
  }

  auto call(const Node& node) -> Result {
    return strictly(*node.of[0], [&](const Value& argument) -> Result {
      if (node.text == "size") return size(argument);
      if (node.of.size() == 1) return called(node.text, argument, false);
      return strictly(*node.of[1], [&](const Value& loose) -> Result {
        return loose.type == Type::boolean ? called(node.text, argument, loose.truth) : Result(kNotModelled);
      });
    });
  }
  [[nodiscard]] auto size(const Value& of) const -> Result {
    if (of.type == Type::text) return Value::of(size_of(of.text));
    if (of.type == Type::list) return Value::of(static_cast<std::int64_t>(of.list.size()));
    const bool map = of.type == Type::attributes || of.type == Type::domain_attributes || of.type == Type::capacities ||
                     of.type == Type::domain_capacities;
    return map ? Result(Value::of(static_cast<std::int64_t>(keys(of).size()))) : Result(kNotModelled);
  }
  auto method(const Node& node) -> Result {
    return strictly(*node.of[0], [&](const Value& on) -> Result {
      if (!spend_on(on.text)) return kNotModelled;
      if (on.type == Type::optional) return of_optional(node, on);
      if (node.of.size() == 1) return node.text == "size" ? size(on) : called_on(node.text, on);
      return strictly(*node.of[1], [&](const Value& argument) -> Result {
        // Searching one text in another may read it repeatedly.
        if (!spend(on.text.size() / 10 * (argument.text.size() / 10))) return kNotModelled;
        return called_on(node.text, on, argument, patterns_);
      });
    });
  }

  // The alternative is evaluated only if it is needed.
  auto of_optional(const Node& node, const Value& on) -> Result {
    const bool there = !on.list.empty();
    if (node.text == "hasValue") return Value::of(there);
    if (node.text == "value") return there ? Result(on.list.front()) : Result(fault_of(Fault::Kind::nothing_there));
    if (!there) return of(*node.of[1]);
    return node.text == "or" ? on : on.list.front();
  }

  [[nodiscard]] auto is_in(const Value& a, const Value& b) const -> Result {
    if (b.type != Type::list) return Value::of(has(b, a.text));
    const auto& all = b.list;
    // Upstream panics if it looks for a version in a list of literals.
    const bool of_others = std::any_of(all.begin(), all.end(), [](const Value& v) { return v.type != Type::version; });
    if (a.type == Type::version && of_others) return kNotModelled;
    return Value::of(std::any_of(all.begin(), all.end(), [&](const Value& each) { return equal(a, each) == true; }));
  }

  [[nodiscard]] auto related(std::string_view op, const Value& a, const Value& b) const -> Result {
    if (op == "==") {
      const auto same = equal(a, b);
      return same ? Result(Value::of(*same)) : Result(kNoOverload);
    }
    if (op == "!=") return Value::of(equal(a, b) != true);  // an error counts as a difference
    if (op == "in") return is_in(a, b);
    const auto order = ordered(a, b);
    if (!order) return kNoOverload;
    if (op == "<") return Value::of(*order < 0);
    if (op == "<=") return Value::of(*order <= 0);
    if (op == ">") return Value::of(*order > 0);
    return Value::of(*order >= 0);
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
