#include "report/escape.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

// `text` with every character that `replacement` knows replaced by what it says.
template <class Replacement>
auto replaced(std::string_view text, Replacement replacement) -> std::string {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const std::string_view other = replacement(c);
    other.empty() ? out += c : out += other;
  }
  return out;
}

auto xml_entity(char c) -> std::string_view {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return {};
  }
}

auto percent(char c) -> std::string_view {
  switch (c) {
    case '%': return "%25";
    case '\r': return "%0D";
    case '\n': return "%0A";
    default: return {};
  }
}

}  // namespace

auto xml_text(std::string_view raw) -> std::string {
  return replaced(escaped(raw), xml_entity);
}

auto markdown_text(std::string_view raw) -> std::string {
  constexpr std::string_view kMarks = "\\`*_{}[]()#|~!";
  std::string out;
  const std::string text = escaped(raw);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool at_start = i == 0 || text[i - 1] == ' ';
    if (const std::string_view entity = xml_entity(c); !entity.empty()) {
      out += entity;
    } else if (kMarks.find(c) != std::string_view::npos || ((c == '-' || c == '+' || c == '=') && at_start)) {
      out += '\\';
      out += c;
    } else if (c == '@') {
      out += "@&#8203;";  // a name behind it would be notified
    } else if (c == ':' && text.compare(i, 3, "://") == 0) {
      out += ":&#8203;";  // and an address become a link
    } else if (c == '.' && i >= 3 && text.compare(i - 3, 3, "www") == 0) {
      out += ".&#8203;";
    } else {
      out += c;
    }
  }
  return out;
}

auto workflow_text(std::string_view raw) -> std::string {
  return replaced(escaped(raw), percent);
}

auto workflow_property(std::string_view raw) -> std::string {
  return replaced(workflow_text(raw), [](char c) -> std::string_view {
    return c == ':' ? "%3A" : c == ',' ? "%2C" : std::string_view();
  });
}

auto without_ci_commands(std::string lines) -> std::string {
  // Runners look for some of them anywhere in a line.
  for (const std::string_view mark : {"##[", "##vso[", "##teamcity["}) {
    for (std::size_t at = lines.find(mark); at != std::string::npos; at = lines.find(mark, at + mark.size() + 1)) {
      lines.insert(at + 1, "\\");
    }
  }
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::size_t first = std::min(lines.find_first_not_of(" \t", begin), end);
    const bool command = lines.compare(first, 2, "::") == 0 && lines.find("::", first + 2) < end;
    if (command) lines.insert(first + 1, "\\");
    begin = end + (command ? 2 : 1);
  }
  return lines;
}

auto uri_of(std::string_view path) -> std::string {
  while (path.starts_with("./")) path.remove_prefix(2);
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string out = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace previct
