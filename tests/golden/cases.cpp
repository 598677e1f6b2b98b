#include "golden/cases.h"

#include "analysis/explanation.h"
#include "analysis/subject.h"
#include "support/source.h"
#include "tell/tell.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace fs = std::filesystem;

namespace previct::test {
namespace {

auto assumptions_of(const Json& question) -> std::string {
  Json assumed = question.value("assume", Json::object());
  if (question.contains("design")) assumed["design"] = question["design"];
  if (assumed.empty()) return {};
  return Json({{"apiVersion", "previct/v1alpha1"}, {"kind", "Assumptions"}, {"yunikorn", assumed}}).dump();
}

}  // namespace

auto text_of(const fs::path& path) -> std::string {
  return read_all(path);
}

auto json_of(const fs::path& path) -> Json {
  return Json::parse(text_of(path));
}

auto cases_below(const fs::path& root) -> std::vector<Case> {
  std::vector<Case> cases;
  if (!fs::exists(root)) return cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::path folder = entry.path().parent_path();
    if (entry.path().filename() != "expected.json" || !fs::exists(folder / "case.json")) continue;
    cases.push_back({fs::relative(folder.parent_path(), root).string(), folder});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.folder < b.folder; });
  return cases;
}

auto cases_in_fixtures() -> std::vector<Case> {
  return cases_below(fs::path(PREVICT_SOURCE_DIR) / "fixtures");
}

auto cases_beside() -> std::vector<Case> {
  const char* named = std::getenv("PREVICT_CASES");
  return cases_below(named != nullptr ? fs::path(named) : fs::path(PREVICT_SOURCE_DIR) / ".." / "shared" / "cases");
}

auto newer_cases_beside() -> std::vector<Case> {
  const char* named = std::getenv("PREVICT_CASES_NEXT");
  std::vector<Case> cases =
      cases_below(named != nullptr ? fs::path(named) : fs::path(PREVICT_SOURCE_DIR) / ".." / "shared" / "cases-next");
  for (Case& c : cases) c.suite = "next/" + c.suite;
  return cases;
}

auto must_be_full(const std::string& suite) -> bool {
  std::istringstream lines(text_of(fs::path(PREVICT_SOURCE_DIR) / "tests" / "golden" / "full_suites.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    if (suite == line || suite.starts_with(line + "/")) return true;
  }
  return false;
}

auto question_of(const Case& c, const Json& asked, Objects& objects) -> Question {
  const std::string family = c.family();
  Question q;
  q.now = parse_instant(asked.at("now").get<std::string>()).value_or(Instant{});
  q.threads = 2;
  const auto file = [&](const std::string& name, std::string bytes) {
    return ConfigFile{objects.files.add(name), std::move(bytes)};
  };
  const fs::path config = c.folder / "scheduler-config.yaml";
  if (family.starts_with("kube")) {
    if (!fs::exists(config)) q.toleration_plugin = asked.at("profile") == "toleration" ? "on" : "off";
    q.k8s_version = asked.value("k8sVersion", "");
    q.feature_gates = asked.value("featureGates", "");
  }
  if (family == "cluster" || family.starts_with("kube")) {
    if (fs::exists(config)) q.scheduler_config = file(config.string(), text_of(config));
  } else if (family == "kai") {
    if (asked.contains("shard") && asked["shard"].is_string()) q.shard = asked["shard"];
  } else if (family == "kueue") {
    q.cycles = asked.value("cycles", q.cycles);
    const fs::path kueue_config = c.folder / "kueue-config.yaml";
    if (fs::exists(kueue_config)) q.kueue_config = file(kueue_config.string(), text_of(kueue_config));
  } else if (family == "yunikorn") {
    q.yunikorn_mode = asked.at("mode") == "yunikorn-design" ? "design-1.5.1" : "release";
    if (std::string text = assumptions_of(asked); !text.empty())
      q.assumptions = file("assumptions.json", std::move(text));
  }
  return q;
}

auto document_of(const Case& c, const Json& asked, Objects& objects) -> Result<Json> {
  const std::string engine = c.family();
  Question q = question_of(c, asked, objects);
  const std::string subject = engine == "kai"        ? "podgroup/" + asked.at("podgroup").get<std::string>()
                              : engine == "kueue"    ? "workload/" + asked.at("workload").get<std::string>()
                              : engine == "yunikorn" ? asked.at("pending").get<std::string>()
                                                     : asked.at("pod").get<std::string>();
  const Snapshot cluster(objects);
  PREVICT_TRY(const Subject found, find_subject(cluster, subject, "default"));
  PREVICT_TRY(
      const Engine* chosen,
      choose_engine(engines(), engine == "cluster" || engine.starts_with("kube") ? "kube" : engine, cluster, found));
  q.kind = found.kind;
  q.ns = found.ns;
  q.name = found.name;
  PREVICT_TRY(Answer answer, explain(*chosen, cluster, q));
  const ReportContext context{.cluster = cluster, .now = q.now, .now_source = "flag", .input_gaps = {}};
  return explanation(answer, context).data;
}

}  // namespace previct::test
