#include "cli/mcp/tools.h"

#include "base/ascii.h"
#include "base/contains.h"
#include "base/text.h"
#include "cli/mcp/roots.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::cli::mcp {
namespace {

constexpr std::size_t kUsualBytes = 8192;
constexpr std::size_t kLeastBytes = 1024;
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;

// Output, limits and connections are the server's; exit statuses mean nothing here.
auto asks_something(Group group) -> bool {
  switch (group) {
    case Group::message:
    case Group::state:
    case Group::sides:
    case Group::overlay:
    case Group::fit:
    case Group::question:
    case Group::selection:
    case Group::nodes:
    case Group::time:
    case Group::protection:
    case Group::history:
    case Group::rows:
    case Group::sequence:
    case Group::sweep:
    case Group::failures:
    case Group::backtest:
    case Group::inspection:
    case Group::scheduler:
    case Group::lint:
    case Group::proof: return true;
    case Group::reading:
    case Group::tests:
    case Group::live:
    case Group::connection:
    case Group::watch:
    case Group::capture:
    case Group::series:
    case Group::anonymize:
    case Group::server:
    case Group::output:
    case Group::strictness:
    case Group::help: return false;
  }
  return false;
}

// Rare flags would fill the context of a model; those of what-if questions are why it asks. Without --fix, which
// changes files, --dry-run has no meaning.
auto is_offered(const Flag& flag) -> bool {
  return flag.name != "dry-run" && asks_something(flag.group) && !flag.acts &&
         (!flag.rare || flag.group == Group::overlay);
}

auto flags_of(const Command& command) -> std::vector<const Flag*> {
  std::vector<const Flag*> offered;
  for (const Flag& flag : flags()) {
    if (contains(command.groups, flag.group) && is_offered(flag)) offered.push_back(&flag);
  }
  return offered;
}

auto with_underscores(std::string_view name) -> std::string {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

auto property_of(const Flag& flag) -> std::string {
  return flag.name == "filename" ? "input" : with_underscores(flag.name);
}

/// The arguments of a command that are no flags: `[POD]`, `PATH...`.
struct Positional {
  std::string property;  ///< `pod`, `paths`; empty: the command takes none
  bool several = false;
  bool required = false;

  explicit Positional(std::string_view shown) : required(!shown.starts_with('[')) {
    const std::string_view name = shown.substr(0, shown.find_last_not_of("].") + 1).substr(required ? 0 : 1);
    several = shown.find("...") != std::string_view::npos;
    property = lower_case(name) + (several ? "s" : "");
    if (shown.empty()) *this = Positional();
  }
  Positional() = default;
};

auto texts_schema() -> Json {
  return {{"type", "array"}, {"items", {{"type", "string"}}}};
}

auto schema_of(const Flag& flag) -> Json {
  Json schema = std::visit(
      [](auto member) -> Json {
        using Value = std::decay_t<decltype(Options().*member)>;
        if constexpr (std::is_same_v<Value, bool>) return {{"type", "boolean"}};
        if constexpr (std::is_same_v<Value, std::vector<std::string>>) return texts_schema();
        if constexpr (std::is_same_v<Value, std::string>) return {{"type", "string"}};
        return {{"type", "integer"}, {"minimum", 0}};
      },
      flag.field);
  if (flag.closed() && schema["type"] == "string") schema["enum"] = alternatives(flag.value);
  schema["description"] = flag.what;
  return schema;
}

auto input_schema(const Tool& tool) -> Json {
  Json properties = Json::object();
  Json required = Json::array();
  const Positional positional(tool.command->arguments);
  if (!positional.property.empty()) {
    properties[positional.property] = positional.several ? texts_schema() : Json{{"type", "string"}};
    if (positional.property == "pod") properties["pod"]["description"] = "NAME, NAMESPACE/NAME or KIND/NAMESPACE/NAME";
    if (positional.required) required.push_back(positional.property);
  }
  for (const Flag* flag : tool.flags) properties[property_of(*flag)] = schema_of(*flag);
  properties["page"] = {{"type", "string"}, {"description", "show this list of the answer: a path from \"more\""}};
  properties["offset"] = {{"type", "integer"}, {"minimum", 0}, {"description", "with page: the first item to show"}};
  properties["max_bytes"] = {{"type", "integer"},
                             {"minimum", kLeastBytes},
                             {"maximum", kMostBytes},
                             {"description", fmt::format("maximum size of the result ({})", kUsualBytes)}};
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

auto output_schema() -> Json {
  const Json text = {{"type", "string"}};
  const Json count = {{"type", "integer"}, {"minimum", 0}};
  const Json cut = {{"type", "object"},
                    {"properties", {{"page", text}, {"shown", count}, {"total", count}}},
                    {"required", {"page", "shown", "total"}},
                    {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties",
           {{"summary", {{"type", "string"}, {"description", "the answer in words"}}},
            {"answer", {{"type", "object"}, {"description", "the document of -o json, its long lists cut"}}},
            {"items", {{"type", "array"}, {"description", "with page: items of that list"}}},
            {"total", count},
            {"more",
             {{"type", "array"}, {"description", "lists that are cut; page and offset show the rest"}, {"items", cut}}},
            {"warnings", texts_schema()},
            {"note", text}}},
          {"required", {"note"}},
          {"additionalProperties", false}};
}

auto of_command(const Command& command) -> Tool {
  return {with_underscores(command.name), fmt::format("{}{}.", upper(command.what.front()), command.what.substr(1)),
          &command, flags_of(command)};
}

// `explain` without flags for what-if questions: for messages that people paste.
auto why_pending(const Command& explain) -> Tool {
  Tool tool{"why_pending",
            "Explain why a pod is pending: from a scheduler's message alone, or from a dump and the pod's name.",
            &explain, flags_of(explain)};
  std::erase_if(tool.flags, [](const Flag* flag) {
    return flag->group != Group::message && flag->group != Group::state && flag->group != Group::question;
  });
  return tool;
}

auto all_tools() -> std::vector<Tool> {
  std::vector<Tool> all;
  for (const Command* command : commands()) {
    if (!command->read_only) continue;
    all.push_back(of_command(*command));
    if (command->name == "explain") all.push_back(why_pending(*command));
  }
  return all;
}

// ---- arguments

auto names_files(const Flag& flag) -> bool {
  const auto words = alternatives(flag.value);
  return contains(words, "FILE") || contains(words, "DIR");
}

auto check_value(const Flag& flag, const std::string& property, const std::string& value, const Allowed& allowed)
    -> Result<void> {
  if (value == "-") return fail(fmt::format("{}: standard input is not available", property));
  if (!names_files(flag) || value.starts_with("none=")) return {};
  return check_below_roots(value, allowed.roots, property);
}

auto strings_of(const Json& value, const std::string& property) -> Result<std::vector<std::string>> {
  std::vector<std::string> texts;
  for (const Json& each : value.is_array() ? value : Json::array({value})) {
    // Models write numbers for texts such as a priority.
    if (!each.is_string() && !each.is_number_integer())
      return fail(fmt::format("{}: expected a string, or a list of strings", property));
    texts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
    if (texts.back().find('\0') != std::string::npos) return fail(fmt::format("{}: has a zero byte", property));
  }
  return texts;
}

/// Makes the words of a command line.
class Words {
 public:
  Words(const Tool& tool, const Allowed& allowed)
      : tool_(tool), allowed_(allowed), positional_(tool.command->arguments) {
    call_.words.emplace_back(tool.command->name);
    call_.most_bytes = kUsualBytes;
  }

  auto from(const Json& arguments) -> Result<Call> {
    for (const auto& [key, value] : arguments.items()) PREVICT_CHECK(add(key, value));
    if (contains(tool_.command->groups, Group::state) && !has_other_source_) PREVICT_CHECK(add_source());
    // A side of a diff that names no file would be the cluster.
    if (contains(tool_.command->groups, Group::sides) && !allowed_.live) call_.words.emplace_back("--offline");
    // Words without a flag come last.
    call_.words.insert(call_.words.end(), plain_.begin(), plain_.end());
    call_.roots = allowed_.roots;
    return std::move(call_);
  }

 private:
  auto add(const std::string& key, const Json& value) -> Result<void> {
    if (value.is_null()) return {};
    if (key == "page") return take_text(key, value, call_.page);
    if (key == "offset") return take_number(key, value, 0, SIZE_MAX, call_.offset);
    if (key == "max_bytes") return take_number(key, value, kLeastBytes, kMostBytes, call_.most_bytes);
    if (!key.empty() && key == positional_.property) return add_plain(key, value);
    for (const Flag* flag : tool_.flags) {
      if (property_of(*flag) == key) return add_flag(*flag, key, value);
    }
    return unknown(key);
  }

  [[nodiscard]] auto unknown(const std::string& key) const -> Result<void> {
    std::vector<std::string> known = {"page", "offset", "max_bytes", positional_.property};
    for (const Flag* flag : tool_.flags) known.push_back(property_of(*flag));
    std::erase(known, "");
    const auto meant = nearest(key, known);
    return fail(fmt::format(
        "{}: unknown property; {}", key,
        meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are {}", joined(known, ", "))));
  }

  static auto take_text(const std::string& key, const Json& value, std::string& into) -> Result<void> {
    if (!value.is_string()) return fail(fmt::format("{}: expected a string", key));
    into = value;
    return {};
  }

  static auto take_number(const std::string& key, const Json& value, std::size_t least, std::size_t most,
                          std::size_t& into) -> Result<void> {
    const bool whole = value.is_number_integer() && (value.is_number_unsigned() || value.get<std::int64_t>() >= 0);
    if (!whole || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
      return fail(fmt::format("{}: expected an integer of {} or more", key, least));
    into = value.get<std::size_t>();
    return {};
  }

  auto add_plain(const std::string& key, const Json& value) -> Result<void> {
    PREVICT_TRY(const std::vector<std::string> texts, strings_of(value, key));
    if (texts.size() > 1 && !positional_.several) return fail(fmt::format("{}: expected one string", key));
    for (const std::string& text : texts) {
      if (text.empty() || text.starts_with('-')) return fail(fmt::format("{}: \"{}\" is not a name", key, text));
      const bool file = key != "pod" && key != "id";
      if (file) PREVICT_CHECK(check_below_roots(text, allowed_.roots, key));
      if (tool_.command->takes_inputs) {
        call_.inputs.push_back(text);
        continue;
      }
      has_other_source_ = has_other_source_ || file;
      plain_.push_back(text);
    }
    return {};
  }

  auto add_flag(const Flag& flag, const std::string& key, const Json& value) -> Result<void> {
    if (std::holds_alternative<bool Options::*>(flag.field)) {
      if (!value.is_boolean()) return fail(fmt::format("{}: expected true or false", key));
      if (value.get<bool>()) take_switch(flag);
      return {};
    }
    if (std::holds_alternative<std::uint32_t Options::*>(flag.field) ||
        std::holds_alternative<std::optional<std::uint32_t> Options::*>(flag.field)) {
      std::size_t number = 0;
      PREVICT_CHECK(take_number(key, value, 0, UINT32_MAX, number));
      call_.words.push_back(fmt::format("--{}={}", flag.name, number));
      return {};
    }
    PREVICT_TRY(const std::vector<std::string> texts, strings_of(value, key));
    for (const std::string& text : texts) {
      PREVICT_CHECK(check_value(flag, key, text, allowed_));
      if (flag.name == "filename") {
        call_.inputs.push_back(text);
      } else {
        call_.words.push_back(fmt::format("--{}={}", flag.name, text));
      }
    }
    has_other_source_ = has_other_source_ || flag.group == Group::message || flag.group == Group::sides;
    return {};
  }

  void take_switch(const Flag& flag) {
    call_.words.push_back(fmt::format("--{}", flag.name));
    call_.recursive = call_.recursive || flag.field == Flag::Field(&Options::recursive);
    call_.keep_going = call_.keep_going || flag.field == Flag::Field(&Options::keep_going);
  }

  // The files of -f, or the cluster.
  auto add_source() -> Result<void> {
    if (call_.inputs.empty()) call_.inputs = allowed_.inputs;
    for (const std::string& input : call_.inputs) call_.words.push_back(fmt::format("--filename={}", input));
    if (!call_.inputs.empty()) return {};
    if (!contains(tool_.command->groups, Group::connection))
      return fail(fmt::format("input: name the files of a dump; {} does not read a cluster", tool_.name));
    if (!allowed_.live) return fail("input: name the files of a dump, or start the server with -f FILE or --live");
    call_.words.insert(call_.words.end(), allowed_.connection.begin(), allowed_.connection.end());
    return {};
  }

  const Tool& tool_;
  const Allowed& allowed_;
  Positional positional_;
  Call call_{};
  std::vector<std::string> plain_;
  bool has_other_source_ = false;
};

}  // namespace

auto tools() -> const std::vector<Tool>& {
  static const std::vector<Tool> kTools = all_tools();
  return kTools;
}

auto find_tool(std::string_view name) -> const Tool* {
  const auto found = std::find_if(tools().begin(), tools().end(), [&](const Tool& tool) { return tool.name == name; });
  return found == tools().end() ? nullptr : &*found;
}

auto listed(const Tool& tool) -> Json {
  return {{"name", tool.name},
          {"description", tool.description},
          {"inputSchema", input_schema(tool)},
          {"outputSchema", output_schema()},
          {"annotations",
           {{"readOnlyHint", true}, {"destructiveHint", false}, {"idempotentHint", true}, {"openWorldHint", false}}}};
}

auto call_of(const Tool& tool, const Json& arguments, const Allowed& allowed) -> Result<Call> {
  return Words(tool, allowed).from(arguments);
}

}  // namespace previct::cli::mcp
