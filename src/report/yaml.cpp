#include "report/yaml.h"

#include "base/ascii.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
// NOLINTBEGIN(misc-no-recursion): bounded by our own JSON tree
namespace {

constexpr char32_t kReplacement = 0xfffd;

// Words that some YAML reader does not read as a string.
constexpr std::array<std::string_view, 10> kOtherThings = {"y",   "n",    "yes",   "no",   "on",
                                                           "off", "true", "false", "null", "nan"};

auto plain(std::string_view text) -> bool {
  if (text.empty() || !is_letter(text.front())) return false;
  const bool simple = std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '/';
  });
  if (!simple) return false;
  return std::find(kOtherThings.begin(), kOtherThings.end(), lower_case(text)) == kOtherThings.end();
}

auto as_yaml_string(std::string_view text) -> std::string {
  if (plain(text)) return std::string(text);
  std::string out = "\"";
  while (!text.empty()) {
    const auto [c, length] = decode_utf8(text);
    text.remove_prefix(std::max<std::size_t>(length, 1));
    const auto code = static_cast<std::uint32_t>(length == 0 ? kReplacement : c);
    if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (code == '\n') {
      out += "\\n";
    } else if (code >= 0x20 && code < 0x7f) {
      out += static_cast<char>(code);
    } else {
      out += code < 0x100    ? fmt::format("\\x{:02x}", code)
             : code > 0xffff ? fmt::format("\\U{:08x}", code)
                             : fmt::format("\\u{:04x}", code);
    }
  }
  return out + '"';
}

auto scalar(const Json& value) -> std::string {
  if (value.is_string()) return as_yaml_string(value.get_ref<const std::string&>());
  if (value.is_structured()) return value.is_array() ? "[]" : "{}";
  return value.dump();
}

auto opens_block(const Json& value) -> bool {
  return value.is_structured() && !value.empty();
}

// `first`: the cursor is already at the start of the first line (after `- `).
void emit(const Json& value, std::size_t indent, bool first, std::string& out) {
  const auto begin_line = [&] {
    if (!first) out.append(indent, ' ');
    first = false;
  };
  if (value.is_array()) {
    for (const Json& item : value) {
      begin_line();
      out += "- ";
      if (opens_block(item)) {
        emit(item, indent + 2, true, out);
      } else {
        out += scalar(item) + '\n';
      }
    }
    return;
  }
  for (const auto& [key, member] : value.items()) {
    begin_line();
    out += as_yaml_string(key) + ':';
    if (opens_block(member)) {
      out += '\n';
      emit(member, member.is_array() ? indent : indent + 2, false, out);
    } else {
      out += ' ' + scalar(member) + '\n';
    }
  }
}

}  // namespace

auto yaml_of(const Json& value) -> std::string {
  if (!opens_block(value)) return scalar(value) + '\n';
  std::string out;
  emit(value, 0, false, out);
  return out;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct
