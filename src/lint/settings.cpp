#include "lint/settings.h"

#include "base/ascii.h"
#include "base/go.h"
#include "base/text.h"
#include "lint/rule.h"
#include "report/json_text.h"
#include "report/report.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>

namespace previct::lint {
namespace {

auto family_of(std::string_view rule) -> std::string_view {
  return rule.substr(0, rule.find_first_of("0123456789"));
}

auto known_words() -> std::vector<std::string> {
  std::vector<std::string> words;
  for (const Rule* rule : rules()) {
    const std::string family(family_of(rule->id));
    if (words.empty() || std::find(words.begin(), words.end(), family) == words.end()) words.push_back(family);
    words.emplace_back(rule->id);
  }
  return words;
}

// Reads a file of our own format with yaml-cpp: small, strict, and with a line for every error.
class SettingsReader {
 public:
  SettingsReader(const std::string& name, FileId file) : name_(name), file_(file) {}

  auto read(const YAML::Node& root) -> Result<Settings> {
    Settings settings;
    if (root.IsNull()) return settings;
    PREVICT_CHECK(keys(root, {"cluster", "fail-on", "only", "skip", "severity", "ignore", "scopes", "known-schedulers",
                              "thresholds"}));
    if (const YAML::Node node = given(root["fail-on"])) {
      PREVICT_TRY(settings.fail_on, text(node));
      if (*settings.fail_on != "never" && !severity_of(*settings.fail_on))
        return fail("fail-on: expected error, warning, info or never", at(node));
    }
    PREVICT_TRY(settings.only, texts(root["only"], "rules"));
    PREVICT_TRY(settings.skip, texts(root["skip"], "rules"));
    for (const char* key : {"only", "skip"}) {
      for (const YAML::Node& word : root[key]) {
        if (check_selection({word.Scalar()}, key)) continue;
        return fail(fmt::format("{}: {}", key, unknown("rule", upper_case(word.Scalar()), known_words())), at(word),
                    "previct rules lists them");
      }
    }
    if (const YAML::Node node = given(root["severity"])) {
      if (!node.IsMap()) return fail("expected rules with their severities", at(node));
      for (const auto& entry : node) {
        if (find_rule(entry.first.Scalar()) == nullptr)
          return fail("severity: " + unknown("rule", upper_case(entry.first.Scalar()), known_words()), at(entry.first));
        const auto set = set_severity(fmt::format("{}={}", entry.first.Scalar(), entry.second.Scalar()), settings);
        if (!set)
          return fail(fmt::format("severity of {}: expected error, warning or info", upper_case(entry.first.Scalar())),
                      at(entry.second));
      }
    }
    PREVICT_CHECK(each(root["ignore"], "what is ignored", [&](const YAML::Node& node) -> Result<void> {
      PREVICT_TRY(Ignore ignore, ignore_of(node));
      settings.ignores.push_back(std::move(ignore));
      return {};
    }));
    PREVICT_TRY(settings.known_schedulers, texts(root["known-schedulers"], "names"));
    if (const YAML::Node node = given(root["thresholds"])) {
      PREVICT_TRY(settings.thresholds, thresholds_of(node));
    }
    PREVICT_CHECK(each(root["scopes"], "scopes", [&](const YAML::Node& node) -> Result<void> {
      PREVICT_TRY(NamedScope scope, scope_of(node));
      settings.scopes.push_back(std::move(scope));
      return {};
    }));
    return settings;
  }

 private:
  [[nodiscard]] auto at(const YAML::Node& node) const -> Place {
    return {file_, static_cast<std::uint32_t>(node.Mark().line + 1),
            static_cast<std::uint32_t>(node.Mark().column + 1)};
  }

  auto keys(const YAML::Node& node, const std::vector<std::string>& known) -> Result<void> {
    if (!node.IsMap()) return fail("expected keys with values", at(node));
    std::vector<std::string> seen;
    for (const auto& entry : node) {
      const std::string& key = entry.first.Scalar();
      // yaml-cpp returns the first of two equal keys, without an error.
      if (std::find(seen.begin(), seen.end(), key) != seen.end())
        return fail(fmt::format("key \"{}\" occurs twice", key), at(entry.first));
      if (std::find(known.begin(), known.end(), key) == known.end())
        return fail(unknown("key", key, known), at(entry.first));
      seen.push_back(key);
    }
    return {};
  }

  // Quotes the text only if it is similar to a known word, or has the form of a rule id.
  static auto unknown(std::string_view what, const std::string& word, const std::vector<std::string>& known)
      -> std::string {
    if (const auto meant = nearest(word, known))
      return fmt::format("unknown {} \"{}\"; did you mean {}?", what, word, *meant);
    const auto is_id = [](std::string_view id) {
      constexpr std::size_t kFamily = 2;
      constexpr std::size_t kLength = 5;
      return id.size() == kLength && std::all_of(id.begin(), id.begin() + kFamily, is_letter) &&
             std::all_of(id.begin() + kFamily, id.end(), is_digit);
    };
    if (what == "rule") return is_id(word) ? fmt::format("\"{}\" is not a rule", word) : "expected the ID of a rule";
    return fmt::format("unknown key; there are {}", joined(known, ", "));
  }

  // A key without a value counts as absent.
  static auto given(const YAML::Node& node) -> YAML::Node {
    return node && !node.IsNull() ? node : YAML::Node(YAML::NodeType::Undefined);
  }

  auto text(const YAML::Node& node) -> Result<std::string> {
    if (!given(node)) return std::string();
    if (!node.IsScalar()) return fail("expected a single value", at(node));
    return node.Scalar();
  }

  auto each(const YAML::Node& node, std::string_view what, const std::function<Result<void>(const YAML::Node&)>& take)
      -> Result<void> {
    if (!given(node)) return {};
    if (!node.IsSequence()) return fail(fmt::format("expected a list of {}", what), at(node));
    for (const YAML::Node& item : node) PREVICT_CHECK(take(item));
    return {};
  }

  auto texts(const YAML::Node& node, std::string_view what) -> Result<std::vector<std::string>> {
    std::vector<std::string> found;
    PREVICT_CHECK(each(node, what, [&](const YAML::Node& item) -> Result<void> {
      PREVICT_TRY(std::string word, text(item));
      found.push_back(std::move(word));
      return {};
    }));
    return found;
  }

  auto ignore_of(const YAML::Node& node) -> Result<Ignore> {
    PREVICT_CHECK(keys(node, {"rule", "object", "file", "reason", "expires"}));
    Ignore ignore;
    PREVICT_TRY(const std::string rule, text(node["rule"]));
    PREVICT_TRY(ignore.object, text(node["object"]));
    PREVICT_TRY(ignore.file, text(node["file"]));
    PREVICT_TRY(ignore.reason, text(node["reason"]));
    PREVICT_TRY(const std::string expires, text(node["expires"]));
    ignore.rule = upper_case(rule);
    if (ignore.rule.empty()) return fail("an ignore entry without a rule", at(node));
    const Place place = at(node);
    ignore.place = {name_, place.line, place.column, 0, 0};
    if (!expires.empty()) {
      ignore.expires = parse_instant(expires.find('T') == std::string::npos ? expires + "T00:00:00Z" : expires);
      if (!ignore.expires) return fail("expires: expected a date such as 2026-05-01", at(node["expires"]));
    }
    return ignore;
  }

  auto thresholds_of(const YAML::Node& node) -> Result<std::map<std::string, std::int64_t, std::less<>>> {
    PREVICT_CHECK(keys(node, {"expendable-priority", "grace-period-seconds"}));
    std::map<std::string, std::int64_t, std::less<>> thresholds;
    for (const auto& entry : node) {
      const auto number = go::parse_int(entry.second.Scalar(), 64);
      if (!number) return fail(fmt::format("{} is not an integer", entry.first.Scalar()), at(entry.second));
      thresholds[entry.first.Scalar()] = *number;
    }
    return thresholds;
  }

  auto scope_of(const YAML::Node& node) -> Result<NamedScope> {
    PREVICT_CHECK(keys(node, {"name", "paths"}));
    NamedScope scope;
    PREVICT_TRY(scope.name, text(node["name"]));
    if (scope.name.empty()) return fail("a scope without a name", at(node));
    PREVICT_TRY(scope.paths, texts(node["paths"], "files, folders or patterns"));
    if (scope.paths.empty())
      return fail("a scope without paths: expected a list of files, folders or patterns", at(node));
    return scope;
  }

  const std::string& name_;
  FileId file_;
};

}  // namespace

auto read_settings(std::string_view text, const std::string& name, FileId file) -> Result<Settings> {
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    return SettingsReader(name, file).read(root);
  } catch (const YAML::Exception& error) {
    const auto line = static_cast<std::uint32_t>(error.mark.line + 1);
    return fail(error.msg, {file, line, static_cast<std::uint32_t>(error.mark.column + 1)});
  }
}

auto check_selection(const std::vector<std::string>& words, std::string_view flag) -> Result<void> {
  const std::vector<std::string> known = known_words();
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), upper_case(word)) != known.end()) continue;
    const auto meant = nearest(upper_case(word), known);
    return fail(
        fmt::format("{} \"{}\" is not a rule{}", flag, word, meant ? fmt::format("; did you mean {}?", *meant) : ""),
        {}, "previct rules lists them");
  }
  return {};
}

auto set_severity(std::string_view word, Settings& settings) -> Result<void> {
  const std::size_t equals = word.find('=');
  const std::string id = upper_case(word.substr(0, equals));
  const Rule* rule = find_rule(id);
  if (equals == std::string_view::npos || rule == nullptr)
    return fail(fmt::format("severity \"{}\": expected a rule and its severity, as PT011=error", word));
  const auto severity = severity_of(word.substr(equals + 1));
  if (!severity) return fail(fmt::format("severity \"{}\": there are error, warning and info", word));
  settings.severity[id] = *severity;
  return {};
}

auto selected(std::string_view rule, const Settings& settings) -> bool {
  const auto among = [&](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      const std::string wanted = upper_case(word);
      return wanted == rule || wanted == family_of(rule);
    });
  };
  return (settings.only.empty() || among(settings.only)) && !among(settings.skip);
}

auto matches_pattern(std::string_view pattern, std::string_view text) -> bool {
  // Greedy matching with backtracking: on a mismatch the last star takes one more character.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

auto read_baseline(std::string_view text, const std::string& name, FileId file) -> Result<std::vector<BaselineEntry>> {
  const Json json = Json::parse(text, nullptr, false);
  const auto member = [](const Json& of, const char* key) {
    const auto found = of.find(key);
    return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!json.is_object() || member(json, "kind") != "Baseline")
    return fail("expected a file that --write-baseline has written (kind: Baseline)", {file});
  std::vector<BaselineEntry> entries;
  std::size_t seen = 0;
  std::uint32_t line = 1;  // of what was seen
  const auto list = json.find("findings");
  if (list == json.end() || !list->is_array()) return fail("a baseline without findings", {file});
  for (const Json& item : *list) {
    if (!item.is_object()) return fail("a baseline whose findings are not objects", {file});
    BaselineEntry entry{member(item, "rule"), member(item, "object"), member(item, "fingerprint"), {name, 1, 0, 0, 0}};
    // As they stand there one behind the other, mostly.
    std::size_t at = text.find(entry.fingerprint, seen);
    if (at == std::string_view::npos) {
      seen = 0;
      line = 1;
      at = text.find(entry.fingerprint);
    }
    if (at != std::string_view::npos) {
      const std::string_view between = text.substr(seen, at - seen);
      line += static_cast<std::uint32_t>(std::count(between.begin(), between.end(), '\n'));
      seen = at;
      entry.place.line = line;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

auto baseline_text(const Findings& findings) -> std::string {
  Json list = Json::array();
  for (const Finding& finding : findings.items) {
    if (finding.suppression && finding.suppression->in_source) continue;
    list.push_back({{"rule", finding.rule}, {"object", finding.object}, {"fingerprint", finding.fingerprint}});
  }
  return json_text({{"apiVersion", "previct/v1alpha1"}, {"kind", "Baseline"}, {"findings", std::move(list)}}, 2) + '\n';
}

}  // namespace previct::lint
