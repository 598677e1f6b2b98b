#include "lint/settings.h"

#include "api/strict_reader.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "base/text.h"
#include "input/written_yaml.h"
#include "lint/rule.h"
#include "report/json_text.h"
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::lint {
namespace {

constexpr const char* kTextSchema = R"({"type": "string"})";

auto family_of(std::string_view rule) -> std::string_view {
  return rule.substr(0, rule.find_first_of("0123456789"));
}

auto has_form_of_id(std::string_view word) -> bool {
  constexpr std::size_t kFamily = 2;
  constexpr std::size_t kLength = 5;
  return word.size() == kLength && std::all_of(word.begin(), word.begin() + kFamily, is_letter) &&
         std::all_of(word.begin() + kFamily, word.end(), is_digit);
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

}  // namespace

auto severity_form() -> Form<Severity> {
  return word_form_for<Severity>(
      {{"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::info}});
}

auto rule_form() -> Form<std::string> {
  Form<std::string> form;
  form.expected = "the ID of a rule, such as PT004";
  form.parse = [](std::string_view text, ScalarType /*type*/) {
    const std::string id = upper_case(text);
    return find_rule(id) == nullptr ? std::nullopt : std::optional(id);
  };
  form.schema = kTextSchema;
  for (const Rule* rule : rules()) form.words.emplace_back(rule->id);
  form.help = "previct rules lists them";
  form.harmless = has_form_of_id;
  return form;
}

auto selection_form() -> Form<std::string> {
  Form<std::string> form = rule_form();
  form.expected = "the ID of a rule or a family, such as PT004 or PT";
  form.words = known_words();
  form.parse = [](std::string_view text, ScalarType /*type*/) {
    return contains(known_words(), upper_case(text)) ? std::optional<std::string>(text) : std::nullopt;
  };
  return form;
}

auto any_text_form() -> Form<std::string> {
  return checked_text_form(
      "a text", [](std::string_view) { return true; }, kTextSchema);
}

auto day_form() -> Form<Instant> {
  Form<Instant> form;
  form.expected = "a date such as 2026-05-01";
  form.parse = [](std::string_view text, ScalarType /*type*/) {
    return parse_instant(text.find('T') == std::string_view::npos ? std::string(text) + "T00:00:00Z"
                                                                  : std::string(text));
  };
  form.schema = kTextSchema;
  return form;
}

auto finish(Ignore& self, const Place& place) -> std::string {
  self.rule = upper_case(self.rule);
  self.place = {{}, place.line, place.column, 0, 0};
  return {};
}

auto read_settings(std::string_view text, const std::string& name, FileId file) -> Result<Settings> {
  Settings settings;
  PREVICT_TRY(const Tape tape, record_written_yaml(text, file));
  PREVICT_CHECK(read_strictly(tape, 0, file, {.quotes = false}, settings));
  for (Ignore& ignore : settings.ignores) ignore.place.file = name;
  return settings;
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
    // Usually, the entries are in the order of the text.
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

constexpr std::string_view kGone = "gone ";

auto gone(const BaselineEntry& entry) -> std::string {
  return fmt::format("{}{}", kGone, entry.fingerprint);
}

auto baseline_text(const Findings& findings) -> std::string {
  Json list = Json::array();
  for (const Finding& finding : findings.items) {
    if (finding.fingerprint.starts_with(kGone)) continue;
    if (finding.suppression && finding.suppression->in_source) continue;
    list.push_back({{"rule", finding.rule}, {"object", finding.object}, {"fingerprint", finding.fingerprint}});
  }
  return json_text({{"apiVersion", "previct/v1alpha1"}, {"kind", "Baseline"}, {"findings", std::move(list)}}, 2) + '\n';
}

}  // namespace previct::lint
