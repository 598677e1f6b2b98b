#include "support/styled_yaml.h"

#include "input/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace previct::test {
namespace {

/// Returns true if the text needs no quotes there.
auto is_plain(const std::string& text, bool flow) -> bool {
  std::string scratch;
  const bool word = !text.empty() && resolve_plain(text, scratch).type == ScalarType::string && text != "<<";
  const auto of = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._/-+=@%:, ()").find(c) != std::string_view::npos;
  };
  const char first = word ? text.front() : ' ';
  const bool begins = (first >= '0' && first <= '9') || (first >= 'A' && first <= 'z') || first == '/' || first == '.';
  return word && begins && first != '[' && first != '`' && text.back() != ' ' && text.back() != ':' &&
         std::all_of(text.begin(), text.end(), of) && text.find(": ") == std::string::npos &&
         text.find("---") == std::string::npos && text.find("...") == std::string::npos &&
         (!flow || (text.find(',') == std::string::npos && text.find('?') == std::string::npos));
}

}  // namespace

auto StyledYaml::document(const nlohmann::ordered_json& value) -> std::string {
  out_.clear();
  if (below(4) == 0) out_ += "# a document\n";
  if (below(4) == 0) out_ += "---\n";
  if (below(8) == 0) {
    flow(value, 0);
    end_line();
  } else {
    value.is_array() ? list(value, 0, false) : map(value, 0, false);
  }
  return out_;
}

void StyledYaml::end_line() {
  if (below(12) == 0) blanks(below(3));
  if (below(12) == 0) out_ += "  # it's: a \"comment\"";
  out_ += '\n';
  if (below(30) == 0) out_ += '\n';
  if (below(30) == 0) {
    blanks(below(6));
    out_ += "# - a: line\n";
  }
}

void StyledYaml::key(const std::string& text) {
  if (is_plain(text, true) && below(10) > 0 && text.find(' ') == std::string::npos) {
    out_ += text;
  } else {
    out_ += nlohmann::json(text).dump();
  }
  out_ += ':';
}

void StyledYaml::value(const nlohmann::ordered_json& value, std::size_t column, bool behind_key) {
  if (value.is_structured() && (value.empty() || below(6) == 0)) {
    blanks(1 + (below(8) == 0 ? below(3) : 0));
    flow(value, column);
    return end_line();
  }
  if (!value.is_structured()) {
    if (value.is_null() && below(2) == 0) return end_line();
    const bool own_line = below(40) == 0;
    if (own_line) {
      end_line();
      blanks(column + 2 + below(2));
    } else {
      blanks(1 + (below(8) == 0 ? below(3) : 0));
    }
    return scalar(value, column, false);
  }
  // On the line of a dash, or after it.
  if (!behind_key && below(5) > 0) {
    const std::size_t more = below(6) == 0 ? below(3) : 0;
    blanks(1 + more);
    const std::size_t inner = column + 2 + more;
    value.is_array() ? list(value, inner, true) : map(value, inner, true);
    return;
  }
  end_line();
  const bool same = behind_key && value.is_array() && below(2) == 0;
  const std::size_t inner = column + (same ? 0 : 1 + below(3) % 3 + (below(4) > 0 ? 1 : 0));
  value.is_array() ? list(value, inner, false) : map(value, inner, false);
}

void StyledYaml::map(const nlohmann::ordered_json& value, std::size_t column, bool begun) {
  for (const auto& [name, each] : value.items()) {
    if (!begun) blanks(column);
    begun = false;
    key(name);
    this->value(each, column, true);
  }
}

void StyledYaml::list(const nlohmann::ordered_json& value, std::size_t column, bool begun) {
  for (const auto& each : value) {
    if (!begun) blanks(column);
    begun = false;
    out_ += '-';
    this->value(each, column, false);
  }
}

void StyledYaml::flow(const nlohmann::ordered_json& value, std::size_t column) {
  if (!value.is_structured()) return scalar(value, column, true);
  const auto gap = [&] {
    const std::size_t which = below(16);
    if (which == 0) {
      if (below(3) == 0) out_ += " # comment";
      out_ += '\n';
      blanks(column + 1 + below(4));
    } else if (which < 10) {
      blanks(1);
    }
  };
  const bool map = value.is_object();
  out_ += map ? '{' : '[';
  bool first = true;
  for (const auto& [name, each] : value.items()) {
    if (!first) out_ += ',';
    if (!first || below(3) == 0) gap();
    first = false;
    if (map) {
      key(name);
      blanks(1);
    }
    flow(each, column);
  }
  if (below(6) == 0) gap();
  out_ += map ? '}' : ']';
}

void StyledYaml::scalar(const nlohmann::ordered_json& value, std::size_t column, bool flow) {
  const auto end = [&] {
    if (!flow) end_line();
  };
  if (!value.is_string()) {
    out_ += value.dump();
    return end();
  }
  const std::string text = value.get<std::string>();
  const bool lines = !flow && !text.empty() && text.find_first_of("\t\r") == std::string::npos &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c < 0x7f); });
  if (lines && below(text.find('\n') == std::string::npos ? 20 : 2) == 0) return text_lines(text, column);
  const bool plain = is_plain(text, flow);
  if (plain && below(8) > 0) {
    // Folds at a blank.
    const std::size_t blank = below(4) == 0 ? text.find(' ') : std::string::npos;
    const bool fold = blank != std::string::npos && blank > 0 && text[blank - 1] != ' ' && text[blank - 1] != ':' &&
                      text[blank + 1] != ' ' && text[blank + 1] != ':' && text[blank + 1] != ',' &&
                      text[blank + 1] != '%';
    out_ += text.substr(0, fold ? blank : text.size());
    if (fold) {
      out_ += '\n';
      blanks(column + 1 + below(4));
      out_ += text.substr(blank + 1);
    }
    return end();
  }
  const bool single = text.find_first_of("\n\t") == std::string::npos && below(2) == 0 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!single) {
    out_ += value.dump(-1, ' ', below(2) == 0);
    return end();
  }
  out_ += '\'';
  for (const char c : text) out_.append(c == '\'' ? 2 : 1, c);
  out_ += '\'';
  end();
}

void StyledYaml::text_lines(const std::string& text, std::size_t column) {
  const std::size_t last = text.find_last_not_of('\n');
  const std::size_t ends = last == std::string::npos ? text.size() : text.size() - last - 1;
  const bool marked = text.front() == ' ' || text.front() == '\n';
  out_ += below(3) == 0 ? '>' : '|';  // if folded, it is another text, for both ways of reading it
  if (marked) out_ += '2';
  out_ += ends == 0 ? "-" : ends == 1 ? "" : "+";
  out_ += below(8) == 0 ? " # a comment\n" : "\n";
  bool begins = true;
  for (const char c : text) {
    if (begins && c != '\n') blanks(column + 2);
    out_ += c;
    begins = c == '\n';
  }
  if (!begins) out_ += '\n';
}

}  // namespace previct::test
