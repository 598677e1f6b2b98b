#include "api/quantity.h"
#include "base/go.h"
#include "base/text.h"
#include "input/directory_entry.h"
#include "suite/suite.h"
#include "tell/answer.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

namespace previct::suite {
namespace {

namespace fs = std::filesystem;

using Visit = std::function<void(const YAML::Node&)>;

struct Key {
  std::string name;
  Visit visit;
};

/// Reads one mapping at a time; the first error stops it.
class Reader {
 public:
  explicit Reader(FileId file) : file_(file) {}

  [[nodiscard]] auto failure() const -> const std::optional<Failure>& { return failure_; }

  void suite(const YAML::Node& root, Suite& out) {
    Setting defaults;
    bool kind = false;
    const YAML::Node given = root.IsMap() ? root["defaults"] : YAML::Node();
    if (given) setting_only(given, defaults);
    fields(root, "the suite",
           {{"apiVersion", [&](const YAML::Node& v) { word(v, "apiVersion", {"previct/v1alpha1"}); }},
            {"kind", [&](const YAML::Node& v) { kind = !word(v, "kind", {"TestSuite"}).empty(); }},
            {"metadata",
             [&](const YAML::Node& v) {
               fields(v, "metadata", {{"name", [&](const YAML::Node& n) { out.name = text(n, "name"); }}});
             }},
            {"defaults", [](const YAML::Node&) {}},
            {"tests", [&](const YAML::Node& v) {
               each(v, "tests", [&](const YAML::Node& item) { test(item, defaults, out.tests.emplace_back()); });
             }}});
    if (!kind) refuse(root, "kind: TestSuite is missing");
    if (out.tests.empty()) refuse(root, "tests: at least one is needed");
  }

 private:
  // ---- the parts of a suite

  auto setting_keys(Setting& out) -> std::vector<Key> {
    const std::vector<std::string> switches = {"auto", "on", "off"};
    return {
        {"state", [this, &out](const YAML::Node& v) { out.state = paths(v, "state"); }},
        {"policies", [this, &out](const YAML::Node& v) { out.policies = paths(v, "policies"); }},
        {"without", [this, &out](const YAML::Node& v) { out.without = texts(v, "without"); }},
        {"now", [this, &out](const YAML::Node& v) { out.now = instant(v, "now"); }},
        {"engine", [this, &out](const YAML::Node& v) { out.engine = text(v, "engine"); }},
        {"tolerationPlugin",
         [this, &out, switches](const YAML::Node& v) {
           out.toleration_plugin = word(v, "tolerationPlugin", switches);
         }},
        {"kubernetesVersion",
         [this, &out](const YAML::Node& v) { out.kubernetes_version = text(v, "kubernetesVersion"); }},
        {"kaiVersion", [this, &out](const YAML::Node& v) { out.kai_version = text(v, "kaiVersion"); }},
        {"yunikornVersion", [this, &out](const YAML::Node& v) { out.yunikorn_version = text(v, "yunikornVersion"); }},
        {"featureGates", [this, &out](const YAML::Node& v) { out.feature_gates = text(v, "featureGates"); }},
        {"yunikornMode",
         [this, &out](const YAML::Node& v) {
           out.yunikorn_mode = word(v, "yunikornMode", {"release", "design-1.5.1"});
         }},
        {"shard", [this, &out](const YAML::Node& v) { out.shard = text(v, "shard"); }}};
  }

  void setting_only(const YAML::Node& node, Setting& out) { fields(node, "defaults", setting_keys(out)); }

  void test(const YAML::Node& node, const Setting& defaults, Test& out) {
    out.setting = defaults;
    out.place = place(node);
    Case single;
    single.place = out.place;
    bool has_single = false;
    std::vector<Key> keys = setting_keys(out.setting);
    const std::vector<Key> own = {
        {"name", [&](const YAML::Node& v) { out.name = text(v, "name"); }},
        {"pod", [&](const YAML::Node& v) { out.pod = text(v, "pod"); }},
        {"against", [&](const YAML::Node& v) { out.against = text(v, "against"); }},
        {"between",
         [&](const YAML::Node& v) {
           out.between = texts(v, "between");
           if (out.between.size() != 2) refuse(v, "between: expected two leaf queues, [VICTIM, PREEMPTOR]");
         }},
        {"at", [&](const YAML::Node& v) { single.at = moment(v, "at"); }},
        {"expect",
         [&](const YAML::Node& v) {
           expectation(v, single.expect);
           has_single = true;
         }},
        {"cases",
         [&](const YAML::Node& v) {
           each(v, "cases", [&](const YAML::Node& item) { one_case(item, out.cases.emplace_back()); });
         }},
        {"forall", [&](const YAML::Node& v) { forall(v, out.forall.emplace()); }},
        {"lint", [&](const YAML::Node& v) {
           out.lint_fail_on = Severity::error;
           fields(v, "lint", {{"failOn", [&](const YAML::Node& n) {
                                 out.lint_fail_on = severity_of(word(n, "failOn", {"error", "warning", "info"}));
                               }}});
         }}};
    keys.insert(keys.end(), own.begin(), own.end());
    fields(node, "the test", keys);
    if (failure_) return;
    if (out.name.empty()) return refuse(node, "a test needs a name");
    const int kinds = (out.forall ? 1 : 0) + (out.lint_fail_on ? 1 : 0) + (out.cases.empty() ? 0 : 1);
    if (kinds + (has_single && !out.forall ? 1 : 0) != 1) {
      return refuse(node,
                    fmt::format("test \"{}\": expected one of cases, expect, forall with expect, lint", out.name));
    }
    if (out.forall) {
      if (!has_single) return refuse(node, "forall needs expect next to it");
      out.forall->expect = std::move(single.expect);
    } else if (has_single) {
      out.cases.push_back(std::move(single));
    }
    if (out.lint_fail_on) {
      if (out.setting.policies.empty()) refuse(node, fmt::format("test \"{}\": no policies to lint", out.name));
      return;
    }
    if (out.setting.state.empty()) {
      return refuse(node, fmt::format("test \"{}\": no state, here or in defaults", out.name));
    }
    for (const Case& each : out.cases) check_case(node, out, each);
  }

  void check_case(const YAML::Node& node, const Test& test, const Case& one) {
    const Expectation& e = one.expect;
    const bool about_pod =
        !e.outcome.empty() || e.nodes || e.victims || e.pdb_violations || e.never_victim || !e.next_change.empty();
    const bool about_queues = !test.between.empty();
    if (about_queues != e.protected_for.has_value() ||
        (about_queues && (about_pod || !test.pod.empty() || !test.against.empty() || !e.tolerates.empty() ||
                          !e.not_tolerating.empty()))) {
      refuse(node,
             fmt::format("test \"{}\": between and protectedFor must be used together, and without other expectations",
                         test.name));
    }
    if (test.pod.empty() && about_pod) {
      refuse(node, fmt::format("test \"{}\": without a pod, only tolerates and notTolerating are allowed", test.name));
    }
    if (!test.pod.empty() && !test.against.empty()) {
      refuse(node, fmt::format("test \"{}\": pod and against exclude each other", test.name));
    }
  }

  void one_case(const YAML::Node& node, Case& out) {
    out.place = place(node);
    bool expects = false;
    fields(node, "the case",
           {{"at", [&](const YAML::Node& v) { out.at = moment(v, "at"); }}, {"expect", [&](const YAML::Node& v) {
                                                                               expects = true;
                                                                               expectation(v, out.expect);
                                                                             }}});
    if (!expects) refuse(node, "a case needs expect");
  }

  void expectation(const YAML::Node& node, Expectation& out) {
    std::vector<std::string> outcomes;
    for (const Outcome outcome : kOutcomes) outcomes.emplace_back(outcome_name(outcome));
    fields(node, "expect",
           {{"outcome",
             [&](const YAML::Node& v) {
               for (const YAML::Node& each : items(v)) out.outcome.push_back(word(each, "outcome", outcomes));
             }},
            {"node", [&](const YAML::Node& v) { out.nodes = texts(v, "node"); }},
            {"victims", [&](const YAML::Node& v) { victims(v, out.victims.emplace()); }},
            {"tolerates",
             [&](const YAML::Node& v) {
               each(v, "tolerates", [&](const YAML::Node& item) { toleration(item, out.tolerates.emplace_back()); });
             }},
            {"notTolerating", [&](const YAML::Node& v) { out.not_tolerating = pods(v, "notTolerating"); }},
            {"pdbViolations", [&](const YAML::Node& v) { out.pdb_violations = range(v, "pdbViolations"); }},
            {"neverVictim", [&](const YAML::Node& v) { spared(v, out.never_victim.emplace()); }},
            {"nextChange", [&](const YAML::Node& v) { out.next_change = moment_or_never(v, "nextChange"); }},
            {"protectedFor", [&](const YAML::Node& v) { out.protected_for = lengths(v, "protectedFor"); }}});
    if (node.IsMap() && node.size() == 0) refuse(node, "expect: nothing is expected");
  }

  void victims(const YAML::Node& node, ExpectedVictims& out) {
    fields(node, "victims",
           {{"exactly",
             [&](const YAML::Node& v) {
               Exactly& exactly = out.exactly.emplace();
               exactly.pods = pods(v, "exactly");
               exactly.place = place(v);
             }},
            {"includes", [&](const YAML::Node& v) { out.includes = pods(v, "includes"); }},
            {"excludes", [&](const YAML::Node& v) { out.excludes = pods(v, "excludes"); }},
            {"count", [&](const YAML::Node& v) { out.count = range(v, "count"); }}});
  }

  void toleration(const YAML::Node& node, ExpectedToleration& out) {
    if (node.IsScalar()) {
      out.pod = pod(node, "tolerates");
      return;
    }
    fields(node, "tolerates",
           {{"pod", [&](const YAML::Node& v) { out.pod = pod(v, "pod"); }},
            {"until", [&](const YAML::Node& v) { out.until = moment_or_never(v, "until"); }}});
    if (out.pod.empty()) refuse(node, "tolerates: pod is missing");
  }

  void spared(const YAML::Node& node, Spared& out) {
    fields(node, "neverVictim",
           {{"selector", [&](const YAML::Node& v) { out.selector = text(v, "selector"); }},
            {"pods", [&](const YAML::Node& v) { out.pods = pods(v, "pods"); }},
            {"priorityClass", [&](const YAML::Node& v) { out.priority_class = text(v, "priorityClass"); }}});
    if (out.selector.empty() && out.pods.empty() && out.priority_class.empty()) {
      refuse(node, "neverVictim: expected selector, pods or priorityClass");
    }
  }

  void forall(const YAML::Node& node, Forall& out) {
    fields(node, "forall",
           {{"preemptor", [&](const YAML::Node& v) { preemptor(v, out); }},
            {"nodes",
             [&](const YAML::Node& v) {
               out.every_node = v.IsScalar() && v.Scalar() == "all";
               if (!out.every_node) out.nodes = texts(v, "nodes");
             }},
            {"at", [&](const YAML::Node& v) {
               const std::vector<YAML::Node> ends = items(v);
               if (ends.empty() || ends.size() > 2) return refuse(v, "at: expected a time or an interval [FROM, TO]");
               out.from = moment(ends.front(), "at");
               if (ends.size() == 2) out.to = moment(ends.back(), "at");
             }}});
    if (!out.priority && out.priority_classes.empty()) {
      refuse(node, "forall: preemptor needs priority or priorityClass");
    }
  }

  void preemptor(const YAML::Node& node, Forall& out) {
    fields(node, "preemptor",
           {{"namespace", [&](const YAML::Node& v) { out.ns = text(v, "namespace"); }},
            {"schedulerName", [&](const YAML::Node& v) { out.scheduler_name = text(v, "schedulerName"); }},
            {"priority",
             [&](const YAML::Node& v) {
               const std::vector<YAML::Node> ends = items(v);
               if (ends.empty() || ends.size() > 2)
                 return refuse(v, "priority: expected a number or an interval [FROM, TO]");
               const std::int64_t from = whole(ends.front(), "priority");
               const std::int64_t to = whole(ends.back(), "priority");
               if (to < from) return refuse(v, "priority: the interval is empty");
               if (from < INT32_MIN || to > INT32_MAX) return refuse(v, "priority: a priority is a 32-bit integer");
               out.priority.emplace(from, to);
             }},
            {"priorityClass", [&](const YAML::Node& v) { out.priority_classes = texts(v, "priorityClass"); }},
            {"request",
             [&](const YAML::Node& v) {
               if (!v.IsMap()) return refuse(v, "request: expected RESOURCE: QUANTITY");
               for (const auto& entry : v) {
                 const std::vector<YAML::Node> ends = items(entry.second);
                 if (ends.empty() || ends.size() > 2) {
                   return refuse(entry.second, "request: expected a quantity or an interval [FROM, TO]");
                 }
                 out.requests.push_back(
                     {entry.first.Scalar(), quantity(ends.front()), ends.size() == 2 ? quantity(ends.back()) : ""});
               }
             }},
            {"labels", [&](const YAML::Node& v) {
               if (!v.IsMap()) return refuse(v, "labels: expected NAME: VALUE");
               for (const auto& entry : v) out.labels.emplace_back(entry.first.Scalar(), text(entry.second, "labels"));
             }}});
  }

  // ---- values

  void refuse(const YAML::Node& at, std::string message, std::string help = {}) {
    if (!failure_) failure_ = Failure{std::move(message), place(at), std::move(help)};
  }

  [[nodiscard]] auto place(const YAML::Node& at) const -> Place {
    const YAML::Mark mark = at.Mark();
    return {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }

  void fields(const YAML::Node& map, std::string_view what, const std::vector<Key>& keys) {
    if (failure_) return;
    if (!map.IsMap()) return refuse(map, fmt::format("{}: expected a mapping", what));
    std::vector<std::string> seen;
    for (const auto& entry : map) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : std::string();
      const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
      if (key == keys.end()) {
        std::vector<std::string> known;
        for (const Key& k : keys) known.push_back(k.name);
        const auto similar = nearest(name, known);
        return refuse(
            entry.first, fmt::format("{}: unknown key \"{}\"", what, name),
            similar ? fmt::format("did you mean \"{}\"?", *similar) : fmt::format("there are {}", joined(known, ", ")));
      }
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
        return refuse(entry.first, fmt::format("{}: key \"{}\" occurs twice", what, name));
      }
      seen.push_back(name);
      key->visit(entry.second);
      if (failure_) return;
    }
  }

  void each(const YAML::Node& list, std::string_view what, const Visit& visit) {
    if (!list.IsSequence()) return refuse(list, fmt::format("{}: expected a list", what));
    for (const auto& item : list) {
      if (!failure_) visit(item);
    }
  }

  /// The items of a list; a single value counts as a list.
  static auto items(const YAML::Node& node) -> std::vector<YAML::Node> {
    if (!node.IsSequence()) return {node};
    std::vector<YAML::Node> all;
    for (const auto& item : node) all.push_back(item);
    return all;
  }

  auto text(const YAML::Node& node, std::string_view what) -> std::string {
    if (!node.IsScalar() || node.Scalar().empty()) {
      refuse(node, fmt::format("{}: expected a text", what));
      return {};
    }
    return node.Scalar();
  }

  auto texts(const YAML::Node& node, std::string_view what) -> std::vector<std::string> {
    std::vector<std::string> all;
    for (const YAML::Node& item : items(node)) all.push_back(text(item, what));
    return all;
  }

  auto word(const YAML::Node& node, std::string_view what, const std::vector<std::string>& allowed) -> std::string {
    std::string given = text(node, what);
    if (failure_ || std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return given;
    const auto meant = nearest(given, allowed);
    refuse(node, fmt::format("{}: \"{}\" is not one of {}", what, given, joined(allowed, ", ")),
           meant ? fmt::format("did you mean \"{}\"?", *meant) : "");
    return {};
  }

  auto paths(const YAML::Node& node, std::string_view what) -> std::vector<std::string> {
    std::vector<std::string> all = texts(node, what);
    for (const std::string& path : all) {
      if (path.starts_with('/')) refuse(node, fmt::format("{}: {}: expected a path relative to this file", what, path));
    }
    return all;
  }

  auto pod(const YAML::Node& node, std::string_view what) -> std::string {
    std::string name = text(node, what);
    const std::size_t slash = name.find('/');
    if (!failure_ && (slash == std::string::npos || slash == 0 || slash + 1 == name.size())) {
      refuse(node, fmt::format("{}: expected NAMESPACE/NAME, found \"{}\"", what, name));
    }
    return name;
  }

  auto pods(const YAML::Node& node, std::string_view what) -> std::vector<std::string> {
    std::vector<std::string> all;
    for (const YAML::Node& item : items(node)) all.push_back(pod(item, what));
    return all;
  }

  auto whole(const YAML::Node& node, std::string_view what) -> std::int64_t {
    const auto value = go::parse_int(node.IsScalar() ? node.Scalar() : "", 64);
    if (!value) refuse(node, fmt::format("{}: expected an integer", what));
    return value.value_or(0);
  }

  auto range(const YAML::Node& node, std::string_view what) -> Range {
    Range out;
    if (node.IsScalar()) {
      out.min = out.max = whole(node, what);
      return out;
    }
    fields(node, what,
           {{"min", [&](const YAML::Node& v) { out.min = whole(v, "min"); }},
            {"max", [&](const YAML::Node& v) { out.max = whole(v, "max"); }}});
    return out;
  }

  auto length(const YAML::Node& node, std::string_view what) -> std::int64_t {
    const auto value = parse_go_duration(node.IsScalar() ? node.Scalar() : "");
    if (!value || *value < 0) refuse(node, fmt::format("{}: expected a duration such as 3m", what));
    return value.value_or(0);
  }

  auto lengths(const YAML::Node& node, std::string_view what) -> Lengths {
    Lengths out;
    if (node.IsScalar()) {
      out.min = out.max = length(node, what);
      return out;
    }
    fields(node, what,
           {{"min", [&](const YAML::Node& v) { out.min = length(v, "min"); }},
            {"max", [&](const YAML::Node& v) { out.max = length(v, "max"); }}});
    return out;
  }

  auto quantity(const YAML::Node& node) -> std::string {
    std::string given = text(node, "request");
    const auto value = Quantity::parse(given);
    if (!failure_ && (!value || *value < Quantity())) {
      refuse(node, fmt::format("request: \"{}\" is not a quantity such as 500m, 2 or 4Gi", given));
    }
    return given;
  }

  auto instant(const YAML::Node& node, std::string_view what) -> std::string {
    std::string given = text(node, what);
    if (!failure_ && !parse_instant(given)) {
      refuse(node, fmt::format("{}: expected a time such as 2026-05-01T12:00:00Z, found \"{}\"", what, given));
    }
    return given;
  }

  auto moment(const YAML::Node& node, std::string_view what) -> std::string {
    std::string given = text(node, what);
    const auto length = given.starts_with('+') ? parse_go_duration(std::string_view(given).substr(1)) : std::nullopt;
    if (!failure_ && !parse_instant(given) && !length) {
      refuse(node, fmt::format("{}: expected +20m or a time such as 2026-05-01T12:00:00Z, found \"{}\"", what, given));
    }
    return given;
  }

  auto moment_or_never(const YAML::Node& node, std::string_view what) -> std::string {
    return node.IsScalar() && node.Scalar() == "never" ? "never" : moment(node, what);
  }

  FileId file_;
  std::optional<Failure> failure_;
};

auto is_suite_name(const fs::path& path) -> bool {
  const std::string name = path.filename().string();
  for (const std::string_view ending : {"previct-test.yaml", "previct-test.yml"}) {
    if (name == ending || name.ends_with("." + std::string(ending))) return true;
  }
  return false;
}

}  // namespace

auto read(const std::string& text, const std::string& path, FileId file) -> Result<Suite> {
  Suite suite;
  suite.path = path;
  suite.file = file;
  try {
    Reader reader(file);
    reader.suite(YAML::Load(text), suite);
    if (reader.failure()) return tl::unexpected(*reader.failure());
  } catch (const YAML::Exception& error) {
    return fail(error.msg, {file, static_cast<std::uint32_t>(error.mark.line + 1),
                            static_cast<std::uint32_t>(error.mark.column + 1)});
  }
  if (suite.name.empty()) suite.name = fs::path(path).parent_path().filename().string();
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
    if (type == fs::file_type::directory && it->path().filename().string().starts_with(".")) {
      it.disable_recursion_pending();
    }
    std::error_code dangling;  // a broken link is an unreadable suite, and must not be skipped
    const bool link_to_file = type == fs::file_type::symlink && !fs::is_directory(it->path(), dangling);
    if ((type == fs::file_type::regular || link_to_file) && is_suite_name(it->path())) {
      files.push_back(it->path().lexically_normal().string());
    }
  }
  if (error) return fail(fmt::format("{}: {}", given, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace previct::suite
