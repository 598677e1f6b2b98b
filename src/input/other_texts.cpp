#include "base/ascii.h"
#include "input/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace previct {
namespace {

constexpr std::string_view kBlankChars = " \t\r\n";

auto starts_with(std::string_view text, std::string_view prefix) -> bool {
  return equal_but_for_case(text.substr(0, prefix.size()), prefix);
}

/// Returns true for the header of a table of events, `LAST SEEN   TYPE   REASON …`, also with the namespace first.
auto is_event_table(std::string_view line) -> bool {
  return line.find("LAST SEEN  ") != std::string_view::npos && line.find(':') == std::string_view::npos;
}

/// Returns true for a table header, `NAME   READY   STATUS …`: capitals in columns.
auto is_table(std::string_view line) -> bool {
  if (!starts_with(line, "NAME") || line.find(':') != std::string_view::npos) return false;
  const bool columns = line.find("  ") != std::string_view::npos;
  return columns && std::none_of(line.begin(), line.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Returns true for a command such as `$ kubectl get pods -o yaml`, after any prompt except `#`, which begins a YAML
/// comment.
auto is_command(std::string_view line) -> bool {
  if (line.front() == '#' || line.front() == '{' || looks_like_json(line)) return false;
  constexpr std::array<std::string_view, 2> kPrograms = {"kubectl ", "oc "};
  return std::any_of(kPrograms.begin(), kPrograms.end(), [&](std::string_view program) {
    const std::size_t at = line.find(program);
    if (at == std::string_view::npos) return false;
    std::string_view prompt = line.substr(0, at);
    if (prompt.ends_with("sudo ")) prompt.remove_suffix(5);
    const std::size_t last = prompt.find_last_not_of(' ');
    if (last == std::string_view::npos) return true;
    return prompt.find(": ") == std::string_view::npos &&
           std::string_view("$#>%~+").find(prompt[last]) != std::string_view::npos;
  });
}

/// Returns true for a prompt such as `$` or `root@master:~#` at the end of a text, in the first column, where neither
/// YAML nor JSON has such text.
auto is_prompt(std::string_view line) -> bool {
  return !line.empty() && std::string_view("#- ").find(line.front()) == std::string_view::npos &&
         std::string_view("$#>%").find(line.back()) != std::string_view::npos &&
         line.find(": ") == std::string_view::npos;
}

auto is_fence(std::string_view line) -> bool {
  return line.starts_with("```") || line.starts_with("~~~");
}

/// Returns true for a log line `W1123 10:01:02.123456   12345 memcache.go:265] …` that kubectl or k3s prints on stderr.
auto is_log(std::string_view line) -> bool {
  if (line.starts_with("WARN[") || line.starts_with("time=\"")) return true;
  constexpr std::string_view kForm = "W0000 00:00:00.";
  if (line.size() < kForm.size() || std::string_view("IWEF").find(line.front()) == std::string_view::npos) return false;
  return std::equal(kForm.begin() + 1, kForm.end(), line.begin() + 1,
                    [](char form, char c) { return form == '0' ? c >= '0' && c <= '9' : form == c; });
}

/// Returns true for ASCII in UTF-16: every other byte of the beginning is NUL.
auto is_utf16(std::string_view probe) -> bool {
  constexpr std::size_t kEnough = 8;
  if (probe.size() < kEnough) return false;
  const bool little = probe[1] == 0;
  for (std::size_t i = 0; i < kEnough; ++i) {
    if ((probe[i] == 0) != (i % 2 == (little ? 1U : 0U))) return false;
  }
  return true;
}

/// Detects text around a dump that was copied from a terminal or a page.
auto around(std::string_view text, std::string_view first, Place place) -> std::optional<Failure> {
  constexpr std::string_view kCut = "remove what is not of the dump";
  const auto with = [&](std::string what) { return Failure{std::move(what), place, std::string(kCut)}; };
  if (is_fence(first)) return with("a Markdown code fence around the dump");
  if (is_command(first)) return with(fmt::format("a shell command before the dump: {}", first.substr(0, 80)));
  const std::size_t end = text.find_last_not_of(kBlankChars) + 1;
  const std::size_t line_end = text.find_last_of("\r\n", end - 1);
  const std::string_view last = text.substr(line_end + 1, end - line_end - 1);
  if (line_end == std::string_view::npos || (!is_fence(last) && !is_prompt(last))) return {};
  place.line = static_cast<std::uint32_t>(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_end) + 1, '\n'));
  return with(is_fence(last) ? "a Markdown code fence around the dump"
                             : fmt::format("a shell prompt after the dump: {}", last.substr(0, 80)));
}

/// An error in a line, and how to fix it.
struct Pasted {
  std::string what;
  std::string_view help = "previct needs the complete output of kubectl, and nothing else";
};

/// Returns true if a dump in the other notation begins here, after another dump without a separator line.
auto begins_other(std::string_view line, bool braces) -> bool {
  if (braces) return line.starts_with("apiVersion: ") || line.starts_with("items:") || line.starts_with("kind: ");
  return line == "{" || line.starts_with("{\"");
}

/// Detects text that was pasted with a dump, or that results from joining several dumps. None for a regular line.
/// `first`: the line begins in the first column and is not the first of its document. `braces`: the text begins with a
/// brace, as in JSON.
auto pasted(std::string_view line, bool first, bool braces) -> std::optional<Pasted> {
  constexpr std::array<std::string_view, 6> kOmitted = {"...", "[...]", "<...>", "(...)", "<snip>", "[snip]"};
  constexpr std::string_view kColor = "\x1b[";
  constexpr std::array<std::string_view, 2> kTypographic = {"\u201c", "\u201d"};
  const auto holds = [&](std::string_view what) { return line.find(what) != std::string_view::npos; };
  if (std::count(kOmitted.begin(), kOmitted.end(), line) > 0)
    return Pasted{fmt::format("lines of the dump are missing here: {}", line)};
  if (is_command(line) || line.starts_with("$ "))
    return Pasted{fmt::format("a shell command within the dump: {}", line.substr(0, 80))};
  if (first && is_fence(line)) return Pasted{"a Markdown code fence within the dump"};
  if (first && (line.starts_with("Error from server") || line.starts_with("error: ")))
    return Pasted{fmt::format("a kubectl error within the dump: {}", line.substr(0, 200)),
                  "the objects that it reports are missing; redirect errors elsewhere: remove 2>&1"};
  if (first && begins_other(line, braces)) {
    return Pasted{braces ? "YAML after JSON in one file" : "JSON after YAML in one file",
                  "separate them with a line of ---, or pass them as two files"};
  }
  if (holds(kColor)) return Pasted{"terminal color codes within the dump", "print it without colors"};
  if (holds("&quot;")) return Pasted{"HTML-escaped text within the dump (&quot;)", "copy the raw text"};
  if (braces && std::any_of(kTypographic.begin(), kTypographic.end(), holds))
    return Pasted{"typographic quotes, with which a text editor replaced JSON's quotes",
                  "save it again as kubectl prints it"};
  return {};
}

/// The position of a non-ASCII blank before a key, made by an editor or a web page; YAML does not accept it as
/// indentation.
auto odd_blank(std::string_view line) -> std::optional<std::size_t> {
  constexpr std::array<std::string_view, 3> kOdd = {"\u00a0", "\u3000", "\u2003"};
  const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
  const auto begins = [&](std::string_view blank) { return line.substr(at).starts_with(blank); };
  if (std::none_of(kOdd.begin(), kOdd.end(), begins)) return {};
  return at;
}

}  // namespace

auto explain_pasted_text(Failure failure, std::string_view text) -> Failure {
  const std::size_t start = text.find_first_not_of(kBlankChars);
  const bool braces = start != std::string_view::npos && (text[start] == '{' || text[start] == '[');
  std::optional<Place> odd;
  bool behind = false;  // after another line of the same document
  for (std::uint32_t line = 1; !text.empty() && line <= failure.place.line; ++line) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    if (const auto at = braces || odd ? std::nullopt : odd_blank(whole))
      odd = Place{failure.place.file, line, static_cast<std::uint32_t>(*at + 1)};
    const std::size_t begin = whole.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || whole[begin] == '#') continue;
    const bool first = std::exchange(behind, !whole.starts_with("---")) && begin == 0;
    if (line + 1 < failure.place.line) continue;
    const std::size_t end = whole.find_last_not_of(" \r");
    if (auto found = pasted(whole.substr(begin, end + 1 - begin), first, braces)) {
      return {std::move(found->what),
              {failure.place.file, line, static_cast<std::uint32_t>(begin + 1)},
              std::string(found->help)};
    }
  }
  // The blank may be far before the error, because its line is read as one of the outermost mapping.
  if (odd) return {"a blank other than a space (such as U+00A0) as indentation", *odd, "YAML allows only spaces"};
  return failure;
}

auto not_a_dump(std::string_view text, FileId file) -> std::optional<Failure> {
  constexpr std::string_view kUseYaml = "save it with kubectl get … -o yaml or -o json";
  constexpr std::string_view kOrMessages =
      "save it with kubectl get … -o yaml or -o json; previct explain --message - < FILE explains messages in it";
  constexpr std::string_view kRedirect = "redirect errors elsewhere: remove 2>&1";
  constexpr std::array<std::string_view, 6> kErrors = {
      "Error from server",  "error: ", "Unable to connect to the server", "The connection to the server",
      "No resources found", "Error: "};
  const std::size_t begin = text.find_first_not_of(kBlankChars);
  if (begin == std::string_view::npos) {
    return Failure{
        "the file has no objects", {file, 1, 1}, "check that kubectl succeeded and that its output went to this file"};
  }
  const auto line =
      static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  const Place place{file, line, 1};
  const std::string_view rest = text.substr(begin);
  const std::string_view first = rest.substr(0, rest.find_first_of("\r\n"));
  constexpr std::size_t kProbe = 512;
  const auto binary = [](char c) { return (c >= 0 && c < 0x09) || (c > 0x0d && c < 0x20 && c != 0x1b); };
  const std::string_view probe = rest.substr(0, kProbe);
  if (is_utf16(probe)) return Failure{"text in UTF-16 without a byte order mark", place, "save it as UTF-8"};
  if (const auto at = std::find_if(probe.begin(), probe.end(), binary); at != probe.end()) {
    const auto lines = static_cast<std::uint32_t>(std::count(probe.begin(), at, '\n'));
    const auto from = std::find(std::make_reverse_iterator(at), probe.rend(), '\n').base();
    return Failure{"binary data (NUL or control bytes), not YAML or JSON",
                   {file, line + lines, static_cast<std::uint32_t>(at - from) + 1},
                   {}};
  }
  if (starts_with(rest, "<!doctype") || starts_with(rest, "<html") || starts_with(rest, "<?xml")) {
    return Failure{"an HTML page, not YAML or JSON; it may come from a proxy or a login page", place,
                   std::string(kUseYaml)};
  }
  for (const std::string_view error : kErrors) {
    if (first.substr(0, error.size()) == error) {
      return Failure{fmt::format("a kubectl message instead of objects: {}", first.substr(0, 200)), place,
                     std::string(kUseYaml)};
    }
  }
  if (is_digit(first.front()) && first.find(" nodes are available") != std::string_view::npos)
    return Failure{"a message of kube-scheduler instead of objects", place, std::string(kOrMessages)};
  // Unless a line of kubectl's log may be read as a key of the YAML mapping next to it.
  const bool passes = first.find(": ") != std::string_view::npos && rest.find("\n{") == std::string_view::npos;
  const bool logged = is_log(first) && !passes;
  if (first.starts_with("Warning: ") || first.starts_with("Flag --") || logged) {
    return Failure{"a kubectl warning within the dump", place, std::string(kRedirect)};
  }
  if (is_event_table(first))
    return Failure{"a table of events from kubectl get, not YAML or JSON", place, std::string(kOrMessages)};
  if (is_table(first)) return Failure{"a table from kubectl get, not YAML or JSON", place, std::string(kUseYaml)};
  // `Name:         web`, followed by the namespace, the roles or the labels.
  if (first.substr(0, 7) == "Name:  ")
    return Failure{"output of kubectl describe, not YAML or JSON", place, std::string(kOrMessages)};
  return around(text, first, place);
}

}  // namespace previct
