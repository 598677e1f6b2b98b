#include "cli/options.h"

#include "base/contains.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/settings_file.h"
#include "system/files.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace previct::cli {
namespace {

auto spelled(const Flag& flag) -> std::string {
  std::string names;
  if (flag.letter != 0) names = fmt::format("-{}", flag.letter);
  if (!flag.name.empty()) names += fmt::format("{}--{}", names.empty() ? "" : ",", flag.name);
  return names;
}

auto declare(CLI::App& app, const Flag& flag, Options& options) -> CLI::Option* {
  const auto by_type = [&](auto member) -> CLI::Option* {
    auto& value = options.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      return app.add_flag(spelled(flag), value)->take_last();
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      return app.add_option(spelled(flag), value)->allow_extra_args(false)->delimiter(',');
    } else {
      return app.add_option(spelled(flag), value)->take_last();
    }
  };
  return std::visit(by_type, flag.field);
}

auto set(CLI::Option& option, const std::string& value) -> bool {
  try {
    option.add_result(value);
    option.run_callback();
  } catch (const CLI::Error&) {
    return false;
  }
  return true;
}

// A variable sets what the command line does not, then the settings do; an empty value is ignored.
auto look_up(const Flag& flag, CLI::Option& option, Options& options, Environment environment,
             const ClusterSettings* settings) -> Result<void> {
  if (option.count() > 0) return {};
  const std::string variable = variable_of(flag);
  const char* value = variable.empty() ? nullptr : environment(variable.c_str());
  if (value != nullptr && *value != '\0') {
    if (!set(option, value))
      return fail(fmt::format("{}=\"{}\" is not a valid value of --{}", variable, value, flag.name));
    options.from_environment.emplace_back(flag.name);
    return {};
  }
  const auto* by_settings = settings == nullptr || flag.group != Group::scheduler ? nullptr : settings->find(flag.name);
  if (by_settings == nullptr || by_settings->text.empty()) return {};
  if (!set(option, by_settings->text))
    return fail(fmt::format("{} of cluster in {} is not a valid value of --{}", flag.name, settings->file, flag.name));
  options.from_settings.emplace_back(flag.name);
  return {};
}

// The commands that have the flag `name` (with its dashes), for the error that this command does not have it.
auto commands_with(std::string_view name) -> std::vector<std::string> {
  std::vector<std::string> names;
  const auto is_meant = [&](const Flag& flag) {
    return name == fmt::format("--{}", flag.name) || (flag.letter != 0 && name == fmt::format("-{}", flag.letter));
  };
  for (const Command* command : commands()) {
    const bool takes = std::any_of(flags().begin(), flags().end(), [&](const Flag& flag) {
      return is_meant(flag) &&
             std::find(command->groups.begin(), command->groups.end(), flag.group) != command->groups.end();
    });
    if (takes) names.emplace_back(command->name);
  }
  return names;
}

// Reports `--namspace=ml` and `-xyz` by the part that was meant as the flag.
auto unknown_flag(std::string_view command, const std::string& word, const std::vector<const Flag*>& known) -> Failure {
  const std::string name = word.substr(0, word.find('='));
  if (const std::vector<std::string> others = commands_with(name); !others.empty()) {
    return {.message = fmt::format("{} has no {}; it is a flag of {}", command, name, joined(others, ", ")),
            .place = {},
            .help = {}};
  }
  std::vector<std::string> names;
  for (const Flag* flag : known) {
    names.emplace_back(flag->name);
  }
  auto meant = name.starts_with("--") ? nearest(name.substr(2), names) : std::nullopt;
  if (meant) meant->insert(0, "--");
  for (const Flag* flag : known) {
    if (flag->letter != 0 && name == fmt::format("--{}", flag->letter)) meant = fmt::format("-{}", flag->letter);
  }
  return {.message = meant ? fmt::format("unknown flag {}; did you mean {}?", name, *meant)
                           : fmt::format("unknown flag {}", name),
          .place = {},
          .help = {}};
}

// Rewords CLI11's `Could not convert: --width = abc`.
auto not_converted(std::string_view said, const std::vector<const Flag*>& known) -> Failure {
  const std::size_t begin = std::min(said.find('-'), said.size());
  const std::size_t equals = std::min(said.find(" = ", begin), said.size());
  const std::string_view name = said.substr(begin, equals - begin);
  const std::string_view value = said.substr(std::min(equals + 3, said.size()));
  const bool is_switch = std::any_of(known.begin(), known.end(), [&](const Flag* flag) {
    return flag->value.empty() && (name == fmt::format("--{}", flag->name) || name == fmt::format("-{}", flag->letter));
  });
  return {
      .message = fmt::format("{} \"{}\" is not {}", name, value, is_switch ? "true or false" : "an integer in range"),
      .place = {},
      .help = {}};
}

// kubectl accepts `-f=FILE` for `-fFILE`.
auto without_equals(std::string word) -> std::string {
  if (word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '=') word.erase(2, 1);
  return word;
}

auto check_closed(const Flag& flag, const Options& options, const ClusterSettings* settings) -> Result<void> {
  const auto* member = std::get_if<std::string Options::*>(&flag.field);
  if (member == nullptr || !flag.closed()) return {};
  const std::string& given = options.*(*member);
  const auto words = alternatives(flag.value);
  // If the flag has a single valid value here, a variable may have a value for another command.
  if (given == Options{}.*(*member) || (words.size() == 1 && by_default(options, flag.name))) return {};
  const std::vector<std::string> allowed(words.begin(), words.end());
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return {};
  const auto meant = nearest(given, allowed);
  const bool set = settings != nullptr && contains(options.from_settings, flag.name);
  const auto* by_settings = set ? settings->find(flag.name) : nullptr;
  const std::string flag_given = by_settings != nullptr            ? fmt::format("cluster.{}: ", flag.name)
                                 : by_variable(options, flag.name) ? variable_of(flag) + "="
                                                                   : fmt::format("--{} ", flag.name);
  const Place place = by_settings != nullptr ? by_settings->place : Place{};
  // The settings may be a link to any file: what they say is not quoted.
  const std::string value = by_settings != nullptr ? "the value" : fmt::format("\"{}\"", given);
  if (allowed.size() == 1) return fail(fmt::format("{}{}: expected {}", flag_given, value, allowed.front()), place);
  return fail(fmt::format("{}{} is not one of {}{}", flag_given, value, joined(allowed, ", "),
                          meant ? fmt::format("; did you mean {}?", *meant) : ""),
              place);
}

}  // namespace

auto variable_of(const Flag& flag) -> std::string {
  if (flag.name.empty() || flag.group == Group::help || flag.group == Group::tests || flag.group == Group::message)
    return {};
  if (flag.name == "filename") return "PREVICT_FILES";
  std::string variable = "PREVICT_";
  for (const char c : flag.name)
    variable += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

auto by_variable(const Options& options, std::string_view name) -> bool {
  return std::find(options.from_environment.begin(), options.from_environment.end(), name) !=
         options.from_environment.end();
}

auto by_default(const Options& options, std::string_view name) -> bool {
  return by_variable(options, name) || contains(options.from_settings, name);
}

void take_files(Options& options) {
  if (by_variable(options, "filename") && !options.arguments.empty()) options.filenames.clear();
  options.filenames.insert(options.filenames.end(), options.arguments.begin(), options.arguments.end());
  options.arguments.clear();
}

namespace {

// kubectl accepts `pod NAME` for `pod/NAME`.
void join_kind(Options& options, std::size_t most_arguments) {
  constexpr std::array<std::string_view, 5> kKinds = {"pod", "pods", "po", "podgroup", "workload"};
  std::vector<std::string>& words = options.arguments;
  if (words.size() != 2 || most_arguments != 1 || !contains(kKinds, words.front())) return;
  const std::string kind = words.front().starts_with("po") && words.front() != "podgroup" ? "pod" : words.front();
  words = {kind + "/" + words.back()};
}

// Paths are printed and compared with slashes. No object has a name with a backslash.
void take_paths(const std::vector<const Flag*>& known, Options& options) {
  const auto take = [](std::string& path) { path = system::with_slashes(std::move(path)); };
  std::for_each(options.arguments.begin(), options.arguments.end(), take);
  for (const Flag* flag : known) {
    const bool names_path =
        flag->value.find("FILE") != std::string_view::npos || flag->value == "DIR" || flag->value == "PATH";
    if (!names_path) continue;
    if (const auto* one = std::get_if<std::string Options::*>(&flag->field)) take(options.*(*one));
    if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&flag->field))
      std::for_each((options.*(*list)).begin(), (options.*(*list)).end(), take);
  }
}

}  // namespace

auto is_given(const Options& options, std::string_view name) -> bool {
  return std::find(options.given.begin(), options.given.end(), name) != options.given.end();
}

auto parse(std::string_view command, std::span<const Group> groups, std::size_t most_arguments,
           const std::vector<std::string>& words, Environment environment, const ClusterSettings* settings)
    -> Result<Options> {
  Options options;
  options.command = command;
  std::vector<const Flag*> known;
  for (const Flag& flag : flags()) {
    if (std::find(groups.begin(), groups.end(), flag.group) != groups.end()) known.push_back(&flag);
  }
  try {
    CLI::App app;
    app.set_help_flag("");
    app.allow_windows_style_options(false);  // `/` begins a path
    app.allow_extras();
    std::vector<CLI::Option*> declared;
    for (const Flag* flag : known) declared.push_back(declare(app, *flag, options));
    app.add_option("arguments", options.arguments);
    std::vector<std::string> reversed;
    std::transform(words.rbegin(), words.rend(), std::back_inserter(reversed), without_equals);
    app.parse(reversed);
    for (const std::string& word : app.remaining()) {
      if (word.size() > 1 && word.front() == '-') return tl::unexpected(unknown_flag(command, word, known));
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (declared[i]->count() > 0) options.given.emplace_back(known[i]->name);
      PREVICT_CHECK(look_up(*known[i], *declared[i], options, environment, settings));
    }
  } catch (const CLI::ConversionError& error) {
    return tl::unexpected(not_converted(error.what(), known));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    return fail(fmt::format("{} needs a value", text.substr(0, text.find(':'))));
  } catch (const CLI::Error& error) {
    return fail(error.what());
  }
  for (const Flag* flag : known) PREVICT_CHECK(check_closed(*flag, options, settings));
  take_paths(known, options);
  join_kind(options, most_arguments);
  if (options.arguments.size() > most_arguments) {
    const bool reads_files = std::find(groups.begin(), groups.end(), Group::state) != groups.end();
    if (reads_files) PREVICT_CHECK(check_no_file(options.arguments[most_arguments]));
    const bool takes_pods = std::find(groups.begin(), groups.end(), Group::sequence) != groups.end();
    return fail(fmt::format("unexpected argument \"{}\"", options.arguments[most_arguments]), {},
                takes_pods ? "the command covers all pending pods; --pods POD selects some of them" : "");
  }
  return options;
}

}  // namespace previct::cli
