#include "api/quantity.h"
#include "api/strict_reader.h"
#include "base/path.h"
#include "input/directory_entry.h"
#include "input/written_yaml.h"
#include "suite/suite.h"
#include "tell/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace previct::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMomentSchema = R"({"type": "string", "pattern": "^(\\+.+|\\d{4}-\\d\\d-\\d\\dT.+)$"})";

auto is_moment(std::string_view text) -> bool {
  return parse_instant(text) || (text.starts_with('+') && parse_go_duration(text.substr(1)));
}

/// Returns why the expectations of a case do not go together with its test, or nothing.
auto fault_of(const Test& test, const Expectation& e) -> std::string {
  const bool about_pod =
      !e.outcome.empty() || e.nodes || e.victims || e.pdb_violations || e.never_victim || !e.next_change.empty();
  const bool about_queues = !test.between.empty();
  if (about_queues != e.protected_for.has_value() ||
      (about_queues && (about_pod || !test.pod.empty() || !test.against.empty() || !e.tolerates.empty() ||
                        !e.not_tolerating.empty()))) {
    return "between and protectedFor must be used together, and without other expectations";
  }
  if (test.pod.empty() && about_pod) return "without a pod, only tolerates and notTolerating are allowed";
  if (!test.pod.empty() && !test.against.empty()) return "pod and against exclude each other";
  return {};
}

auto is_suite_name(const fs::path& path) -> bool {
  const std::string name = path.filename().generic_string();
  for (const std::string_view ending : {"previct-test.yaml", "previct-test.yml"}) {
    if (name == ending || name.ends_with("." + std::string(ending))) return true;
  }
  return false;
}

}  // namespace

auto path_form() -> Form<std::string> {
  return checked_text_form(
      "a path relative to this file", [](std::string_view text) { return !text.empty() && !is_absolute(text); },
      R"({"type": "string"})");
}

auto time_form() -> Form<std::string> {
  return checked_text_form(
      "a time such as 2026-05-01T12:00:00Z", [](std::string_view text) { return parse_instant(text).has_value(); },
      R"({"type": "string", "format": "date-time", "pattern": "^\\d{4}-\\d\\d-\\d\\dT.+$"})");
}

auto moment_form() -> Form<std::string> {
  return checked_text_form("+20m or a time such as 2026-05-01T12:00:00Z", is_moment, std::string(kMomentSchema));
}

auto ending_form() -> Form<std::string> {
  return checked_text_form(
      "never, +20m or a time such as 2026-05-01T12:00:00Z",
      [](std::string_view text) { return text == "never" || is_moment(text); },
      fmt::format(R"({{"anyOf": [{{"const": "never"}}, {}]}})", kMomentSchema));
}

auto outcome_form() -> Form<std::string> {
  std::vector<std::string> names;
  for (const Outcome outcome : kOutcomes) names.emplace_back(outcome_name(outcome));
  return word_form(std::move(names));
}

auto quantity_form() -> Form<std::string> {
  return checked_text_form(
      "a quantity such as 500m, 2 or 4Gi",
      [](std::string_view text) {
        const auto value = Quantity::parse(text);
        return value && *value >= Quantity();
      },
      R"({"type": ["string", "number"]})");
}

auto Preemptor::priorities(Preemptor& self) -> IntervalOf<std::int64_t> {
  return {integer_form(), [&self](std::int64_t from, std::optional<std::int64_t> to) -> std::string {
            if (to.value_or(from) < from) return "the interval is empty";
            if (from < INT32_MIN || to.value_or(from) > INT32_MAX) return "a priority is a 32-bit integer";
            self.priority.emplace(from, to.value_or(from));
            return {};
          }};
}

auto Preemptor::request(Preemptor& self) -> MapTo<IntervalOf<std::string>> {
  const auto add = [&self](std::string resource, const Place&) -> IntervalOf<std::string> {
    Amounts& amounts = self.requests.emplace_back();
    amounts.resource = std::move(resource);
    return {quantity_form(), [&amounts](std::string from, std::optional<std::string> to) {
              amounts.from = std::move(from);
              amounts.to = std::move(to).value_or("");
              return std::string();
            }};
  };
  return {text_form(), add, "RESOURCE: QUANTITY"};
}

auto Preemptor::label(Preemptor& self) -> MapTo<As<std::string>> {
  const auto add = [&self](std::string name, const Place&) {
    Form<std::string> value = text_form();
    value.schema = R"({"type": ["string", "number", "boolean"]})";
    return as(self.labels.emplace_back(std::move(name), "").second, std::move(value));
  };
  return {text_form(), add, "NAME: VALUE"};
}

auto finish(Test& self, const Place& place) -> std::string {
  const int kinds = (self.forall ? 1 : 0) + (self.lint ? 1 : 0) + (self.cases.empty() ? 0 : 1);
  if (self.forall && !self.expect) return "forall needs expect next to it";
  if (kinds + (self.expect && !self.forall ? 1 : 0) != 1)
    return "expected one of cases, expect, forall with expect, lint";
  if (self.forall) self.forall->expect = *std::move(self.expect);
  if (self.expect && !self.forall) self.cases.push_back({std::move(self.at), *std::move(self.expect), place});
  if (self.lint) return self.setting.policies.empty() ? "no policies to lint" : "";
  if (self.setting.state.empty()) return "no state, here or in defaults";
  for (const Case& each : self.cases) {
    if (std::string fault = fault_of(self, each.expect); !fault.empty()) return fault;
  }
  return {};
}

auto read(const std::string& text, const std::string& path, FileId file) -> Result<Suite> {
  Suite suite;
  suite.path = path;
  suite.file = file;
  PREVICT_TRY(const Tape tape, record_written_yaml(text, file));
  PREVICT_CHECK(read_strictly(tape, 0, file, {}, suite));
  if (suite.name.empty()) suite.name = fs::path(path).parent_path().filename().generic_string();
  return suite;
}

auto find_files(const std::string& given) -> Result<std::vector<std::string>> {
  constexpr std::string_view kBelow = "/...";
  const std::string path = given.ends_with(kBelow) ? given.substr(0, given.size() - kBelow.size()) : given;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error)) return fail(fmt::format("{}: no such file or directory", given));
    return std::vector{path};
  }
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const fs::file_type type = type_of(*it, error);
    if (error) break;
    if (type == fs::file_type::directory && it->path().filename().generic_string().starts_with(".")) {
      it.disable_recursion_pending();
    }
    std::error_code dangling;  // a broken link is an unreadable suite, and must not be skipped
    const bool link_to_file = type == fs::file_type::symlink && !fs::is_directory(it->path(), dangling);
    if ((type == fs::file_type::regular || link_to_file) && is_suite_name(it->path())) {
      files.push_back(it->path().lexically_normal().generic_string());
    }
  }
  if (error) return fail(fmt::format("{}: {}", given, reason_of(error)));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace previct::suite
