#include "engine/kube/devices/cel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <map>

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
    Method{"size", {Type::text}, {}, Type::integer},
    Method{"lowerAscii", {Type::text}, {}, Type::text},
    Method{"upperAscii", {Type::text}, {}, Type::text},
    Method{"isGreaterThan", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::boolean},
    Method{"isLessThan", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::boolean},
    Method{"compareTo", {Type::quantity, Type::version}, {Type::quantity, Type::version}, Type::integer},
    Method{"sign", {Type::quantity}, {}, Type::integer},
    Method{"isInteger", {Type::quantity}, {}, Type::boolean},
    Method{"add", {Type::quantity}, {Type::quantity, Type::integer}, Type::quantity},
    Method{"sub", {Type::quantity}, {Type::quantity, Type::integer}, Type::quantity},
    Method{"major", {Type::version}, {}, Type::integer},
    Method{"minor", {Type::version}, {}, Type::integer},
    Method{"patch", {Type::version}, {}, Type::integer}};

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
      case Kind::present: return present(node);
      case Kind::index: return indexed(node);
      case Kind::list: return list(node);
      case Kind::call: return call(node);
      case Kind::method: return method(node);
      case Kind::binding: return binding(node);
      case Kind::choice: return choice(node);
      case Kind::negation: return may_be(type_of(*node.of[0]), {Type::integer}) ? Type::integer : refuse("a negation");
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
    static_cast<void>(symbols_.intern(node.text));
    return field_of(type_of(*node.of[0]), node.text);
  }
  auto present(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
    return on == Type::domain_attributes || on == Type::domain_capacities ? Type::boolean : refuse("has()");
  }
  auto indexed(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
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
    const bool one = node.of.size() == 1;
    const bool literal = one && node.of[0]->kind == Kind::text;
    if (one && node.text == "quantity" && may_be(type_of(*node.of[0]), {Type::text}))
      return !literal || Quantity::parse(node.of[0]->text) ? Type::quantity : refuse("quantity()");
    if (one && node.text == "semver" && may_be(type_of(*node.of[0]), {Type::text}))
      return !literal || Version::parse(node.of[0]->text) ? Type::version : refuse("semver()");
    if (one && node.text == "size" && may_be(type_of(*node.of[0]), {Type::text})) return Type::integer;
    return refuse(fmt::format("{}()", node.text));
  }

  auto method(const Node& node) -> Type {
    const Type on = type_of(*node.of[0]);
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

  auto binding(const Node& node) -> Type {
    const Type bound = type_of(*node.of[0]);
    if (bound_.contains(node.text) || node.text == "device") return refuse("cel.bind");
    bound_[node.text] = bound;
    const Type result = type_of(*node.of[1]);
    bound_.erase(node.text);
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
      fits = b == Type::list ? is_in_list(a, *node.of[1])
                             : a == Type::text && (b == Type::attributes || b == Type::domain_attributes ||
                                                   b == Type::capacities || b == Type::domain_capacities);
    } else if (node.text == "==" || node.text == "!=") {
      fits = may_be_equal(a, b);
    } else {
      fits = may_be_equal(a, b) && may_be(a, {Type::boolean, Type::integer, Type::text}) &&
             may_be(b, {Type::boolean, Type::integer, Type::text});
    }
    return fits ? Type::boolean : refuse(node.text);
  }
  auto is_in_list(Type a, const Node& list) -> bool {
    return list.kind == Kind::list && std::all_of(list.of.begin(), list.of.end(), [&](const auto& element) {
             return may_be_equal(a, type_of(*element));
           });
  }

  auto arithmetic(const Node& node) -> Type {
    const Type a = type_of(*node.of[0]);
    const Type b = type_of(*node.of[1]);
    if (a == Type::integer && b == Type::integer) return Type::integer;
    if (node.text == "+" && a == Type::text && b == Type::text) return Type::text;
    return refuse(node.text);
  }

  bool shared_;
  Symbols& symbols_;
  Patterns& patterns_;
  std::string beyond_;
  std::map<std::string, Type> bound_;
  std::map<const Node*, Type> types_;
};

}  // namespace

auto check(const Node& root, bool shared, Symbols& symbols, Patterns& patterns) -> std::string {
  return Checker(shared, symbols, patterns).run(root);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
