#include "cli/options.h"

#include "base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::cli {
namespace {

auto spelled(const Flag& flag) -> std::string {
  std::string names;
  if (flag.letter != 0) names = fmt::format("-{}", flag.letter);
  if (!flag.name.empty()) names += fmt::format("{}--{}", names.empty() ? "" : ",", flag.name);
  return names;
}

void declare(CLI::App& app, const Flag& flag, Options& options) {
  const auto by_type = [&](auto member) {
    auto& value = options.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      app.add_flag(spelled(flag), value)->take_last();
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      app.add_option(spelled(flag), value)->allow_extra_args(false)->delimiter(',');
    } else {
      app.add_option(spelled(flag), value)->take_last();
    }
  };
  std::visit(by_type, flag.field);
}

// `--namspace=ml` and `-xyz` are reported by what was meant to be the flag.
auto unknown_flag(const std::string& word, const std::vector<const Flag*>& known) -> Failure {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const Flag* flag : known) {
    if (!flag->name.empty()) names.push_back(fmt::format("--{}", flag->name));
  }
  const auto meant = name.starts_with("--") ? nearest(name, names) : std::nullopt;
  return {.message = meant ? fmt::format("unknown flag {}; did you mean {}?", name, *meant)
                           : fmt::format("unknown flag {}", name),
          .place = {},
          .help = {}};
}

// `-f=FILE`, which kubectl takes, as `-fFILE`.
auto without_equals(std::string word) -> std::string {
  if (word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '=') word.erase(2, 1);
  return word;
}

auto check_closed(const Flag& flag, const Options& options) -> Result<void> {
  const auto* member = std::get_if<std::string Options::*>(&flag.field);
  if (member == nullptr || !flag.closed()) return {};
  const std::string& given = options.*(*member);
  const auto words = alternatives(flag.value);
  const std::vector<std::string> allowed(words.begin(), words.end());
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return {};
  const auto meant = nearest(given, allowed);
  return fail(fmt::format("--{} \"{}\" is none of {}{}", flag.name, given, joined(allowed, ", "),
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

}  // namespace

auto parse(std::string_view command, std::span<const Group> groups, std::size_t most_arguments,
           const std::vector<std::string>& words) -> Result<Options> {
  Options options;
  options.command = command;
  std::vector<const Flag*> known;
  for (const Flag& flag : flags()) {
    if (std::find(groups.begin(), groups.end(), flag.group) != groups.end()) known.push_back(&flag);
  }
  try {
    CLI::App app;
    app.set_help_flag("");
    app.allow_extras();
    for (const Flag* flag : known) declare(app, *flag, options);
    app.add_option("arguments", options.arguments);
    std::vector<std::string> reversed;
    std::transform(words.rbegin(), words.rend(), std::back_inserter(reversed), without_equals);
    app.parse(reversed);
    for (const std::string& word : app.remaining()) {
      if (word.size() > 1 && word.front() == '-') return tl::unexpected(unknown_flag(word, known));
    }
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    return fail(fmt::format("{} needs a value", text.substr(0, text.find(':'))));
  } catch (const CLI::Error& error) {
    return fail(error.what());
  }
  for (const Flag* flag : known) PREVICT_CHECK(check_closed(*flag, options));
  if (options.arguments.size() > most_arguments) {
    return fail(fmt::format("unexpected argument \"{}\"", options.arguments[most_arguments]));
  }
  return options;
}

}  // namespace previct::cli
