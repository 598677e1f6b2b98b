#include "engine/kube/devices/cel_check.h"

#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <map>
#include <optional>

namespace previct::kube::devices::cel {
// NOLINTBEGIN(misc-no-recursion): the parser limits the depth
namespace {

using Kind = Node::Kind;

/// A set of types.
class Types {
 public:
  constexpr Types(std::initializer_list<Type> types) {
    for (const Type type : types) bits_ |= bit(type);
  }
  [[nodiscard]] constexpr auto contains(Type type) const -> bool { return (bits_ & bit(type)) != 0; }
  [[nodiscard]] constexpr auto size() const -> int { return std::popcount(bits_); }

 private:
  static constexpr auto bit(Type type) -> unsigned { return 1U << static_cast<unsigned>(type); }
  unsigned bits_ = 0;
};

struct Method {
  std::string_view name;
  Types on;
  Types argument;  // none: no argument
  Type result;
};
// Source: google/cel-go: common/stdlib, ext/strings.go; kubernetes/apiserver: pkg/cel/library/{quantity,semverlib}.go.
constexpr std::array kMethods = {
    Method{"startsWith", {Type::text}, {Type::text}, Type::boolean},
    Method{"endsWith", {Type::text}, {Type::text}, Type::boolean},
    Method{"contains", {Type::text}, {Type::text}, Type::boolean},
    Method{"matches", {Type::text}, {Type::text}, Type::boolean},
    Method{
        "size",
        {Type::text, Type::list, Type::attributes, Type::domain_attributes, Type::capacities, Type::domain_capacities},
        {},
        Type::integer},
    Method{"lowerAscii", {Type::text}, {}, Type::text},
    Method{"upperAscii", {Type::text}, {}, Type::text},
    Method{"isGreaterThan", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::boolean},
    Method{"isLessThan", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::boolean},
    Method{"compareTo", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::integer},
    Method{"isInteger", {Type::quantity}, {}, Type::boolean},
    Method{"asInteger", {Type::quantity}, {}, Type::integer},
    Method{"add", {Type::quantity}, {Type::quantity, Type::integer}, Type::quantity},
    Method{"sub", {Type::quantity}, {Type::quantity, Type::integer}, Type::quantity},
    Method{"major", {Type::version}, {}, Type::integer},
    Method{"minor", {Type::version}, {}, Type::integer},
    Method{"patch", {Type::version}, {}, Type::integer}};

struct Function {
  std::string_view name;
  Types argument;
  Type result;
};
// Source: google/cel-go: common/stdlib; kubernetes/apiserver: pkg/cel/library/{quantity,semverlib}.go.
constexpr std::array kFunctions = {Function{"quantity", {Type::text}, Type::quantity},
                                   Function{"isQuantity", {Type::text}, Type::boolean},
                                   Function{"semver", {Type::text}, Type::version},
                                   Function{"isSemver", {Type::text}, Type::boolean},
                                   Function{"sign", {Type::quantity}, Type::integer},
                                   Function{"int", {Type::integer, Type::text}, Type::integer},
                                   Function{"string", {Type::integer, Type::text, Type::boolean}, Type::text},
                                   Function{"size",
                                            {Type::text, Type::list, Type::attributes, Type::domain_attributes,
                                             Type::capacities, Type::domain_capacities},
                                            Type::integer}};

// The type of what an optional value holds; nothing for other types.
auto held_by(Type type) -> std::optional<Type> {
  switch (type) {
    case Type::optional: return Type::any;
    case Type::optional_quantity: return Type::quantity;
    case Type::optional_attributes: return Type::domain_attributes;
    case Type::optional_capacities: return Type::domain_capacities;
    default: return {};
  }
}
auto optional_of(Type type) -> std::optional<Type> {
  switch (type) {
    case Type::any: return Type::optional;
    case Type::quantity: return Type::optional_quantity;
    case Type::domain_attributes: return Type::optional_attributes;
    case Type::domain_capacities: return Type::optional_capacities;
    default: return {};
  }
}
// The maps that are indexed by texts.
auto is_map(Type type) -> bool {
  return type == Type::attributes || type == Type::domain_attributes || type == Type::capacities ||
         type == Type::domain_capacities;
}

auto may_be(Type type, Types wanted) -> bool {
  return type == Type::any || wanted.contains(type);
}
auto may_be_equal(Type a, Type b) -> bool {
  constexpr std::array kCompared = {Type::boolean, Type::integer, Type::text, Type::quantity, Type::version, Type::any};
  const auto compared = [&](Type type) {
    return std::find(kCompared.begin(), kCompared.end(), type) != kCompared.end();
  };
  return compared(a) && compared(b) && (a == b || a == Type::any || b == Type::any);
}

class Checker {
 public:
  Checker(bool shared, Symbols& symbols, Patterns& patterns)
      : shared_(shared), symbols_(symbols), patterns_(patterns) {}

  auto run(const Node& root) -> std::string {
    const Type type = type_of(root);
    if (!may_be(type, {Type::boolean})) refuse("its result");
    return beyond_;
  }

 private:
  auto refuse(std::string what) -> Type {
    if (beyond_.empty()) beyond_ = std::move(what);
    return Type::any;
  }

  // Cached, because several rules need the type of the same node on each level of the tree.
  auto type_of(const Node& node) -> Type {
    const auto known = types_.find(&node);
    if (known != types_.end()) return known->second;
    const Type type = type_of_new(node);
    types_.emplace(&node, type);
    return type;
  }

  auto type_of_new(const Node& node) -> Type {
    switch (node.kind) {
      case Kind::text: return Type::text;
      case Kind::number: return Type::integer;
      case Kind::truth: return Type::boolean;
      case Kind::name: return variable(node.text);
      case Kind::select: return selected(node);
      case Kind::optional_field: return selected_if_there(type_of(*node.of[0]), node.text);
      case Kind::optional_index: return indexed_if_there(node);
      case Kind::present: return present(node);
      case Kind::index: return indexed(node);
      case Kind::list: return list(node);
      case Kind::call: return call(node);
      case Kind::method: return method(node);
      case Kind::binding: return binding(node);
      case Kind::iteration: return iteration(node);
      case Kind::choice: return choice(node);
      case Kind::negation: return negation(node);
      case Kind::inversion: return may_be(type_of(*node.of[0]), {Type::boolean}) ? Type::boolean : refuse("!");
      case Kind::both:
      case Kind::either: {
        bool fits = true;
        for (const auto& operand : node.of) fits = may_be(type_of(*operand), {Type::boolean}) && fits;
        return fits ? Type::boolean : refuse(node.kind == Kind::both ? "&&" : "||");
      }
      case Kind::relation: return relation(node);
      case Kind::arithmetic: return arithmetic(node);
    }
    return refuse("it");
  }

  // Doubles can be negated, too, so the type of a negated attribute is not known.
  auto negation(const Node& node) -> Type {
    const Type type = type_of(*node.of[0]);
    return may_be(type, {Type::integer}) ? type : refuse("a negation");
  }

  auto variable(const std::string& name) -> Type {
    const auto bound = bound_.find(name);
    if (bound != bound_.end()) return bound->second;
    return name == "device" ? Type::device : refuse(name);
  }

  auto field_of(Type on, const std::string& field) -> Type {
    switch (on) {
      case Type::device:
        if (field == "driver") return Type::text;
        if (field == "attributes") return Type::attributes;
        if (field == "capacity") return Type::capacities;
        if (field == "allowMultipleAllocations" && shared_) return Type::boolean;
        break;
      case Type::attributes: return Type::domain_attributes;
      case Type::domain_attributes: return Type::any;
      case Type::capacities: return Type::domain_capacities;
      case Type::domain_capacities: return Type::quantity;
      default: break;
    }
    return refuse(fmt::format(".{}", field));
  }
  auto selected(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
    if (held_by(on)) return selected_if_there(on, node.text);
    static_cast<void>(symbols_.intern(node.text));
    return field_of(on, node.text);
  }
  // Everything that is selected from an optional value is optional.
  auto selected_if_there(Type on, const std::string& field) -> Type {
    const auto held = held_by(on);
    if (!is_map(held.value_or(on))) return refuse(fmt::format(".?{}", field));
    static_cast<void>(symbols_.intern(field));
    return optional_of(field_of(held.value_or(on), field)).value_or(Type::optional);
  }
  auto indexed_if_there(const Node& node) -> Type {
    if (type_of(*node.of[1]) != Type::text) return refuse("an optional index");
    return selected_if_there(type_of(*node.of[0]), node.of[1]->kind == Kind::text ? node.of[1]->text : "[]");
  }
  auto present(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
    return on == Type::domain_attributes || on == Type::domain_capacities ? Type::boolean : refuse("has()");
  }
  auto indexed(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
    if (held_by(on)) return indexed_if_there(node);
    if (type_of(*node.of[1]) != Type::text || on == Type::device) return refuse("an index");
    if (node.of[1]->kind == Kind::text) static_cast<void>(symbols_.intern(node.of[1]->text));
    return field_of(on, "[]");
  }
  auto list(const Node& node) -> Type {
    for (const auto& element : node.of) {
      const Type type = type_of(*element);
      if (!may_be_equal(type, type) || type != type_of(*node.of[0])) return refuse("a list");
    }
    return Type::list;
  }

  auto call(const Node& node) -> Type {
    const auto* const found =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == node.text; });
    const auto refused = [&] { return refuse(fmt::format("{}()", node.text)); };
    const bool loose = node.of.size() == 2 && (node.text == "semver" || node.text == "isSemver");
    if (found == kFunctions.end() || (node.of.size() != 1 && !loose)) return refused();
    if (!may_be(type_of(*node.of[0]), found->argument)) return refused();
    if (loose && !may_be(type_of(*node.of[1]), {Type::boolean})) return refused();
    // Upstream converts literals when it compiles the expression.
    const bool literal = node.of[0]->kind == Kind::text;
    const std::string& text = node.of[0]->text;
    if (literal && node.text == "quantity" && !parse_quantity(text)) return refused();
    if (literal && node.text == "semver" && !loose && !Version::parse(text)) return refused();
    if (literal && node.text == "int" && !go::parse_int(text, 64)) return refused();
    return found->result;
  }

  auto method(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
    if (const auto held = held_by(on)) return of_optional(node, on, *held);
    const auto* const found =
        std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& m) { return m.name == node.text; });
    if (found == kMethods.end() || node.of.size() != (found->argument.size() == 0 ? 1 : 2))
      return refuse(fmt::format("{}()", node.text));
    bool fits = may_be(on, found->on);
    if (node.of.size() == 2) {
      const Type argument = type_of(*node.of[1]);
      fits = fits && may_be(argument, found->argument);
      if (found->argument.size() == found->on.size() && found->on.size() == 2)
        fits = fits && (on == argument || on == Type::any || argument == Type::any);
    }
    // A literal pattern is compiled with the expression.
    if (node.text == "matches" && fits && node.of[1]->kind == Kind::text) {
      const std::string& pattern = node.of[1]->text;
      fits = patterns_.try_emplace(pattern, pattern).first->second.read();
    }
    return fits ? found->result : refuse(fmt::format("{}()", node.text));
  }

  auto of_optional(const Node& node, Type on, Type held) -> Type {
    const Type argument = node.of.size() == 2 ? type_of(*node.of[1]) : Type::boolean;
    if (node.of.size() == 1 && node.text == "hasValue") return Type::boolean;
    if (node.of.size() == 1 && node.text == "value") return held;
    if (node.of.size() == 2 && node.text == "or" && argument == on) return on;
    const bool fits = argument == held || (held == Type::any && may_be_equal(argument, argument));
    if (node.of.size() == 2 && node.text == "orValue" && fits) return held;
    return refuse(fmt::format("{}()", node.text));
  }

  // The type of the elements of a list, or of the keys of a map; nothing if it is not known.
  auto element_of(const Node& range) -> std::optional<Type> {
    const Type type = type_of(range);
    if (is_map(type)) return Type::text;
    if (type != Type::list) return {};
    if (range.kind == Kind::list && !range.of.empty()) return type_of(*range.of[0]);
    if (range.kind == Kind::name && elements_.contains(range.text)) return elements_.at(range.text);
    if (range.kind != Kind::iteration) return {};
    if (range.macro == "filter") return element_of(*range.of[0]);
    return mapped_.contains(&range) ? std::optional(mapped_.at(&range)) : std::nullopt;
  }

  auto iteration(const Node& node) -> Type {
    const auto element = element_of(*node.of[0]);
    if (!element || bound_.contains(node.text) || node.text == "device") return refuse(fmt::format("{}()", node.macro));
    bound_[node.text] = *element;
    const Type result = type_of(*node.of[1]);
    bound_.erase(node.text);
    if (node.macro == "map") {
      if (!may_be_equal(result, result)) return refuse("map()");
      mapped_[&node] = result;
      return Type::list;
    }
    if (!may_be(result, {Type::boolean})) return refuse(fmt::format("{}()", node.macro));
    return node.macro == "filter" ? Type::list : Type::boolean;
  }

  auto binding(const Node& node) -> Type {
    const Type bound = type_of(*node.of[0]);
    if (bound_.contains(node.text) || node.text == "device") return refuse("cel.bind");
    bound_[node.text] = bound;
    if (const auto element = element_of(*node.of[0]); element && bound == Type::list) elements_[node.text] = *element;
    const Type result = type_of(*node.of[1]);
    bound_.erase(node.text);
    elements_.erase(node.text);
    return result;
  }

  auto choice(const Node& node) -> Type {
    const Type condition = type_of(*node.of[0]);
    const Type a = type_of(*node.of[1]);
    const Type b = type_of(*node.of[2]);
    if (!may_be(condition, {Type::boolean}) || !may_be_equal(a, b)) return refuse("?:");
    return a == b ? a : Type::any;
  }

  auto relation(const Node& node) -> Type {
    const Type a = type_of(*node.of[0]);
    const Type b = type_of(*node.of[1]);
    bool fits = false;
    if (node.text == "in") {
      fits = b == Type::list ? is_in_list(a, *node.of[1]) : a == Type::text && is_map(b);
    } else if (node.text == "==" || node.text == "!=") {
      fits = may_be_equal(a, b);
    } else {
      fits = may_be_equal(a, b) && may_be(a, {Type::boolean, Type::integer, Type::text}) &&
             may_be(b, {Type::boolean, Type::integer, Type::text});
    }
    return fits ? Type::boolean : refuse(node.text);
  }
  auto is_in_list(Type a, const Node& list) -> bool {
    if (list.kind == Kind::list && list.of.empty()) return may_be_equal(a, a);
    const auto element = element_of(list);
    return element && may_be_equal(a, *element);
  }

  auto arithmetic(const Node& node) -> Type {
    const Type a = type_of(*node.of[0]);
    const Type b = type_of(*node.of[1]);
    // With one operand of a known type, the other has the same.
    const auto both = [&](Type type) { return may_be(a, {type}) && may_be(b, {type}); };
    if (a == Type::any && b == Type::any) return Type::any;
    if (both(Type::integer)) return Type::integer;
    return node.text == "+" && both(Type::text) ? Type::text : refuse(node.text);
  }

  bool shared_;
  Symbols& symbols_;
  Patterns& patterns_;
  std::string beyond_;
  std::map<std::string, Type> bound_;
  std::map<std::string, Type> elements_;  // of bound lists
  std::map<const Node*, Type> mapped_;    // the elements of the lists that map() returns
  std::map<const Node*, Type> types_;
};

}  // namespace

auto check(const Node& root, bool shared, Symbols& symbols, Patterns& patterns) -> std::string {
  return Checker(shared, symbols, patterns).run(root);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
