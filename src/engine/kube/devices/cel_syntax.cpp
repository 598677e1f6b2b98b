#include "engine/kube/devices/cel_syntax.h"

#include "base/ascii.h"
#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace previct::kube::devices::cel {
// NOLINTBEGIN(misc-no-recursion): kDeepest limits the depth
namespace {

struct Token {
  enum class Kind : std::uint8_t { end, name, text, number, sign, beyond } kind = Kind::end;
  std::string text;
  std::int64_t number = 0;
};

/// Returns true for the first character of a name.
auto begins_name(char c) -> bool {
  return is_letter(c) || c == '_';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  auto next() -> Token {
    skip_blanks();
    if (at_ >= text_.size()) return {};
    const char c = text_[at_];
    const bool raw = (c == 'r' || c == 'R') && at_ + 1 < text_.size() && is_quote(text_[at_ + 1]);
    if (raw || is_quote(c)) return quoted(raw);
    if (begins_name(c)) return {Token::Kind::name, taken([](char d) { return begins_name(d) || is_digit(d); }), 0};
    if (is_digit(c)) return number();
    return sign();
  }

 private:
  static auto is_quote(char c) -> bool { return c == '"' || c == '\''; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '/' && text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        ++at_;
      } else {
        return;
      }
    }
  }

  template <class Belongs>
  auto taken(Belongs belongs) -> std::string {
    const std::size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  auto number() -> Token {
    const std::string digits = taken(is_digit);
    // Hexadecimal, unsigned and floating-point numbers.
    const bool more = at_ < text_.size() && (begins_name(text_[at_]) || text_[at_] == '.');
    const auto value = go::parse_int(digits, 64);
    if (more || !value) return {Token::Kind::beyond, "a number that is not a plain integer", 0};
    return {Token::Kind::number, digits, *value};
  }

  auto quoted(bool raw) -> Token {
    if (raw) ++at_;
    const char quote = text_[at_];
    if (text_.substr(at_).starts_with(std::string(3, quote))) return {Token::Kind::beyond, "a text in three quotes", 0};
    Token token{Token::Kind::text, "", 0};
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      char c = text_[at_];
      if (c == '\n') break;
      if (c == '\\' && !raw) {
        ++at_;
        const auto escaped = at_ < text_.size() ? unescaped(text_[at_]) : '\0';
        if (escaped == '\0') return {Token::Kind::beyond, "an escape in a text", 0};
        c = escaped;
      }
      token.text += c;
    }
    if (at_ >= text_.size() || text_[at_] != quote) return {Token::Kind::beyond, "a text without an end", 0};
    ++at_;
    return token;
  }
  static auto unescaped(char c) -> char {
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case '\\':
      case '\'':
      case '"':
      case '`':
      case '?': return c;
      default: return '\0';
    }
  }

  auto sign() -> Token {
    constexpr std::array<std::string_view, 6> kPairs = {"&&", "||", "==", "!=", "<=", ">="};
    for (const std::string_view pair : kPairs) {
      if (!text_.substr(at_).starts_with(pair)) continue;
      at_ += pair.size();
      return {Token::Kind::sign, std::string(pair), 0};
    }
    constexpr std::string_view kSigns = "<>!+-*/%?:.,()[]";
    const char c = text_[at_++];
    if (kSigns.find(c) == std::string_view::npos) return {Token::Kind::beyond, fmt::format("'{}'", c), 0};
    return {Token::Kind::sign, std::string(1, c), 0};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

using Kind = Node::Kind;
using Tree = std::unique_ptr<Node>;

auto make(Kind kind, std::string text = {}) -> Tree {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->text = std::move(text);
  return node;
}
void put_below(Node& node, Tree operand) {
  node.height = std::max(node.height, operand->height + 1);
  node.of.push_back(std::move(operand));
}
auto made_of(Kind kind, std::string text, Tree first, Tree second = nullptr, Tree third = nullptr) -> Tree {
  Tree node = make(kind, std::move(text));
  for (Tree* each : {&first, &second, &third}) {
    if (*each != nullptr) put_below(*node, std::move(*each));
  }
  return node;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  auto run() -> Syntax {
    Tree root = expression();
    if (root->height > kHighest) refuse("its depth");
    if (beyond_.empty() && token_.kind != Token::Kind::end) refuse(fmt::format("'{}'", token_.text));
    if (!beyond_.empty()) return {nullptr, beyond_};
    return {std::move(root), {}};
  }

 private:
  static constexpr int kDeepest = 100;
  static constexpr int kHighest = 250;

  void advance() {
    token_ = lexer_.next();
    if (token_.kind == Token::Kind::beyond) refuse(token_.text);
  }
  // Keeps the first fault and skips the rest of the text.
  void refuse(std::string what) {
    if (beyond_.empty()) beyond_ = std::move(what);
    token_ = {};
  }
  [[nodiscard]] auto is(std::string_view sign) const -> bool {
    return token_.kind == Token::Kind::sign && token_.text == sign;
  }
  auto accept(std::string_view sign) -> bool {
    if (!is(sign)) return false;
    advance();
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) refuse(token_.kind == Token::Kind::end ? "its end" : fmt::format("'{}'", token_.text));
  }

  // A chain grows without nesting. A tree that is too high is never built, because even destroying it could overflow
  // the stack.
  auto chained(Tree tree) -> Tree {
    if (tree->height <= kHighest) return tree;
    refuse("its depth");
    return make(Kind::truth);
  }

  auto expression() -> Tree {
    if (++depth_ > kDeepest) refuse("its depth");
    Tree condition = either();
    if (accept("?")) {
      Tree then = either();
      expect(":");
      condition = made_of(Kind::choice, "", std::move(condition), std::move(then), expression());
    }
    --depth_;
    return condition;
  }

  auto either() -> Tree {
    Tree first = both();
    if (!is("||")) return first;
    Tree all = made_of(Kind::either, "", std::move(first));
    while (accept("||")) put_below(*all, both());
    return all;
  }
  auto both() -> Tree {
    Tree first = relation();
    if (!is("&&")) return first;
    Tree all = made_of(Kind::both, "", std::move(first));
    while (accept("&&")) put_below(*all, relation());
    return all;
  }
  auto relation() -> Tree {
    Tree left = binary({"+", "-"}, {"*", "/", "%"});
    for (;;) {
      const bool in = token_.kind == Token::Kind::name && token_.text == "in";
      const bool sign = is("<") || is("<=") || is(">") || is(">=") || is("==") || is("!=");
      if (!in && !sign) return left;
      std::string op = token_.text;
      advance();
      left = chained(made_of(Kind::relation, std::move(op), std::move(left), binary({"+", "-"}, {"*", "/", "%"})));
    }
  }
  auto binary(std::initializer_list<std::string_view> signs, std::initializer_list<std::string_view> tighter) -> Tree {
    const auto operand = [&] { return tighter.size() == 0 ? unary() : binary(tighter, {}); };
    Tree left = operand();
    for (;;) {
      const auto* const sign = std::find_if(signs.begin(), signs.end(), [&](std::string_view s) { return is(s); });
      if (sign == signs.end()) return left;
      advance();
      left = chained(made_of(Kind::arithmetic, std::string(*sign), std::move(left), operand()));
    }
  }
  auto unary() -> Tree {
    if (++depth_ > kDeepest) refuse("its depth");
    Tree found;
    if (accept("!")) {
      found = made_of(Kind::inversion, "", unary());
    } else if (accept("-")) {
      found = made_of(Kind::negation, "", unary());
    } else {
      found = member();
    }
    --depth_;
    return found;
  }

  auto member() -> Tree {
    Tree found = primary();
    for (;;) {
      if (accept(".")) {
        if (accept("?")) {
          std::string field = name();
          if (is("(")) refuse("an optional method");
          found = chained(made_of(Kind::optional_field, std::move(field), std::move(found)));
          continue;
        }
        std::string field = name();
        if (is("(")) {
          found = chained(method(std::move(found), std::move(field)));
        } else {
          found = chained(made_of(Kind::select, std::move(field), std::move(found)));
        }
      } else if (accept("[")) {
        const Kind kind = accept("?") ? Kind::optional_index : Kind::index;
        found = chained(made_of(kind, "", std::move(found), expression()));
        expect("]");
      } else {
        return found;
      }
    }
  }
  auto name() -> std::string {
    if (token_.kind != Token::Kind::name) {
      refuse(fmt::format("'{}'", token_.text));
      return {};
    }
    std::string text = token_.text;
    advance();
    return text;
  }

  auto method(Tree on, std::string called) -> Tree {
    std::vector<Tree> arguments = list_until("(", ")");
    if (on->kind == Kind::name && on->text == "cel" && called == "bind") return binding(std::move(arguments));
    if (is_macro(called)) return iteration(std::move(on), std::move(called), std::move(arguments));
    Tree node = made_of(Kind::method, std::move(called), std::move(on));
    for (Tree& argument : arguments) put_below(*node, std::move(argument));
    return node;
  }
  static auto is_macro(std::string_view name) -> bool {
    constexpr std::array<std::string_view, 5> kMacros = {"exists", "all", "exists_one", "filter", "map"};
    return std::find(kMacros.begin(), kMacros.end(), name) != kMacros.end();
  }
  auto iteration(Tree range, std::string macro, std::vector<Tree> arguments) -> Tree {
    if (arguments.size() != 2 || arguments[0]->kind != Kind::name) {
      refuse(fmt::format("{}()", macro));
      return make(Kind::truth);
    }
    Tree node = made_of(Kind::iteration, arguments[0]->text, std::move(range), std::move(arguments[1]));
    node->macro = std::move(macro);
    return node;
  }
  auto binding(std::vector<Tree> arguments) -> Tree {
    if (arguments.size() != 3 || arguments[0]->kind != Kind::name) {
      refuse("cel.bind");
      return make(Kind::truth);
    }
    return made_of(Kind::binding, arguments[0]->text, std::move(arguments[1]), std::move(arguments[2]));
  }

  auto primary() -> Tree {
    if (accept("(")) {
      Tree inner = expression();
      expect(")");
      return inner;
    }
    if (is("[")) {
      Tree node = make(Kind::list);
      for (Tree& element : list_until("[", "]")) put_below(*node, std::move(element));
      return node;
    }
    switch (token_.kind) {
      case Token::Kind::text: return literal(Kind::text);
      case Token::Kind::number: return literal(Kind::number);
      case Token::Kind::name: return named();
      default: refuse(token_.kind == Token::Kind::end ? "its end" : fmt::format("'{}'", token_.text));
    }
    return make(Kind::truth);
  }
  auto literal(Kind kind) -> Tree {
    Tree node = make(kind, token_.text);
    node->number = token_.number;
    advance();
    return node;
  }
  auto named() -> Tree {
    std::string text = name();
    if (text == "true" || text == "false") {
      Tree node = make(Kind::truth);
      node->truth = text == "true";
      return node;
    }
    if (text == "null") refuse("null");
    if (!is("(")) return make(Kind::name, std::move(text));
    std::vector<Tree> arguments = list_until("(", ")");
    if (text == "has") {
      if (arguments.size() != 1 || arguments[0]->kind != Kind::select) {
        refuse("has()");
        return make(Kind::truth);
      }
      Tree field = std::move(arguments[0]);
      field->kind = Kind::present;
      return field;
    }
    Tree node = make(Kind::call, std::move(text));
    for (Tree& argument : arguments) put_below(*node, std::move(argument));
    return node;
  }
  auto list_until(std::string_view open, std::string_view close) -> std::vector<Tree> {
    std::vector<Tree> elements;
    expect(open);
    while (beyond_.empty() && !accept(close)) {
      elements.push_back(expression());
      if (!is(close)) expect(",");
    }
    return elements;
  }

  Lexer lexer_;
  Token token_;
  std::string beyond_;
  int depth_ = 0;
};

}  // namespace

auto parse(std::string_view text) -> Syntax {
  constexpr std::size_t kLongest = std::size_t{10} * 1024;
  if (text.size() > kLongest) return {nullptr, "its length"};
  return Parser(text).run();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
