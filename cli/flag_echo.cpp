#include "cli/flag_echo.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::cli {

auto quoted(std::string_view word) -> std::string {
  const auto plain = [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("_./:=,+@%-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  // Control and non-ASCII characters would be displayed as escapes, which name another file between plain quotes.
  const auto shown_as_it_is = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::all_of(word.begin(), word.end(), shown_as_it_is)) {
    std::string escapes = "$'";
    for (const char c : word) {
      if (c == '\'' || c == '\\') escapes += '\\';
      escapes += c == '\n'           ? std::string("\\n")
                 : shown_as_it_is(c) ? std::string(1, c)
                                     : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return escapes + '\'';
  }
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

namespace {

auto short_name(const Flag& flag) -> std::string {
  return flag.letter != 0 ? fmt::format("-{}", flag.letter) : fmt::format("--{}", flag.name);
}

}  // namespace

auto without_secrets(std::vector<std::string> words) -> std::vector<std::string> {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string& word = words[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = std::string_view(word).substr(0, equals);
    const auto all = flags();
    const auto flag = std::find_if(all.begin(), all.end(), [&](const Flag& each) {
      return each.secret && name.starts_with("--") && name.substr(2) == each.name;
    });
    if (flag != all.end() && equals < word.size()) {
      word = fmt::format("{}={}", name, flag->value);
    } else if (flag != all.end() && i + 1 < words.size()) {
      words[i + 1] = flag->value;
    }
    const std::size_t scheme = word.find("://");
    if (scheme == std::string::npos) continue;
    const std::size_t begin = scheme + 3;
    const std::size_t end = std::min(word.find_first_of("/?#", begin), word.size());
    const std::size_t at = word.rfind('@', end);
    if (at != std::string::npos && at >= begin && at < end) word.erase(begin, at + 1 - begin);
  }
  return words;
}

auto words_again(const Options& options, const Flag& flag) -> std::vector<std::string> {
  const Options defaults;
  return std::visit(
      [&](auto member) -> std::vector<std::string> {
        const auto& value = options.*member;
        using Value = std::decay_t<decltype(value)>;
        if (value == defaults.*member) return {};
        if constexpr (std::is_same_v<Value, bool>) {
          return {short_name(flag)};
        } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
          std::vector<std::string> all;
          for (const std::string& each : value) all.insert(all.end(), {short_name(flag), each});
          return all;
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return {short_name(flag), value};
        } else if constexpr (std::is_same_v<Value, std::uint32_t>) {
          return {short_name(flag), std::to_string(value)};
        } else {
          return {short_name(flag), std::to_string(value.value_or(0))};
        }
      },
      flag.field);
}

auto written_again(const Options& options, std::span<const Group> groups, std::string_view but) -> std::string {
  std::string text;
  for (const Flag& flag : flags()) {
    const bool taken = std::find(groups.begin(), groups.end(), flag.group) != groups.end();
    if (!taken || flag.name == but) continue;
    for (const std::string& word : words_again(options, flag)) text += " " + cli::quoted(word);
  }
  return text;
}

auto words_again(const Options& options, Group group) -> std::vector<std::string> {
  std::vector<std::string> words;
  for (const Flag& flag : flags()) {
    if (flag.group != group) continue;
    for (std::string& word : words_again(options, flag)) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace previct::cli
