#include "analysis/subject.h"
#include "api/load.h"
#include "golden/cases.h"
#include "sequence/kube_scenario.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>

namespace fs = std::filesystem;

namespace previct::sequence {
namespace {

/// Something that a live cluster shows and the simulation must also have, with its time. Equal victims of one preemptor
/// are interchangeable, so they are counted, not named.
struct Observation {
  double at = 0;
  std::string what;
};

/// The watch continued for at least this long after its last event.
constexpr double kQuiet = 5;

/// Seconds within which the order of two live events is undefined: they are calls of different goroutines.
constexpr double kTogether = 0.1;

class Sights {
 public:
  void add(double at, const std::string& what) { list_.push_back({at, what}); }
  void count(double at, const std::string& what) { add(at, fmt::format("{} #{}", what, ++counts_[what])); }
  void once(double at, const std::string& what) {
    if (seen_.insert(what).second) add(at, what);
  }
  [[nodiscard]] auto list() const -> const std::vector<Observation>& { return list_; }
  [[nodiscard]] auto find(const std::string& what) const -> const Observation* {
    for (const Observation& s : list_) {
      if (s.what == what) return &s;
    }
    return nullptr;
  }

 private:
  std::vector<Observation> list_;
  std::map<std::string, int> counts_;
  std::set<std::string> seen_;
};

// Returns true for a FailedScheduling event whose text ends with a reason against preemption: the attempt failed.
auto came_to_nothing(const std::string& text) -> bool {
  return text.find("preemption: ") != std::string::npos || text.find("No victims found") != std::string::npos ||
         text.find("not eligible") != std::string::npos;
}

// A live timeline starts with the scheduler; that of a simulation starts with the first thing that is seen.
auto live_sights(const Json& timeline, double begin) -> Sights {
  std::map<std::string, std::string> by;
  for (const Json& e : timeline) {
    if (e.at("what") == "event Preempted") by.emplace(e.at("pod"), e.at("by"));
  }
  Sights sights;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const Json& e = timeline[i];
    const std::string what = e.at("what");
    const std::string pod = e.at("pod");
    const double at = e.at("t").get<double>() - begin;
    if (what == "nominated") sights.once(at, fmt::format("nominated {} {}", pod, e.at("node").get<std::string>()));
    if (what == "nomination cleared" && timeline[i - 1].at("what") != "bound") sights.once(at, "cleared " + pod);
    if (what == "bound") sights.once(at, fmt::format("bound {} {}", pod, e.at("node").get<std::string>()));
    if (what == "deleting") sights.count(at, "deleted for " + by[pod]);
    if (what == "gone") sights.count(at, "gone");
    if (what == "event FailedScheduling" && came_to_nothing(e.at("note"))) {
      sights.once(at, fmt::format("fails {}: {}", pod, e.at("note").get<std::string>()));
    }
  }
  return sights;
}

auto played_sights(const SimulationResult& play, const Snapshot& cluster) -> Sights {
  Sights sights;
  const auto node = [&](NodeId id) { return std::string(cluster.name(id)); };
  for (const Step& step : play.steps) {
    const double at = static_cast<double>(step.at) / static_cast<double>(kSecond);
    const std::string pod = cluster.key(step.pod);
    if (step.what == EventKind::nominated) sights.once(at, fmt::format("nominated {} {}", pod, node(step.node)));
    if (step.what == EventKind::cleared) sights.once(at, "cleared " + pod);
    if (step.what == EventKind::bound) sights.once(at, fmt::format("bound {} {}", pod, node(step.node)));
    if (step.what == EventKind::deleting) sights.count(at, "deleted for " + cluster.key(step.by));
    if (step.what == EventKind::gone) sights.count(at, "gone");
    if (step.what == EventKind::fails || step.what == EventKind::waits)
      sights.once(at, fmt::format("fails {}: {}", pod, step.why));
  }
  return sights;
}

struct LiveCase {
  fs::path folder;  // dump and answer
  fs::path own;     // derived here: the pod that arrives later
};

auto live_cases() -> std::vector<LiveCase> {
  const fs::path fixtures = fs::path(PREVICT_SOURCE_DIR) / "fixtures/cluster";
  const fs::path shared = fs::path(PREVICT_SOURCE_DIR) / "../shared/cases/cluster";
  std::vector<LiveCase> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator(fixtures)) {
    const std::string name = entry.path().filename().string();
    static const std::set<std::string> kPlayed = {"d24", "d25", "d27", "d28", "d29", "d30",
                                                  "d31", "d32", "d33", "d34", "t08", "t28"};
    if (!kPlayed.contains(name.substr(0, 3))) continue;
    cases.push_back({fs::exists(shared / name) ? shared / name : entry.path(), entry.path()});
  }
  REQUIRE(cases.size() >= 10);
  std::sort(cases.begin(), cases.end(), [](const LiveCase& a, const LiveCase& b) { return a.own < b.own; });
  return cases;
}

/// A live case set up as a simulation: same clock, same later pod, same rate limit.
struct StagedRun {
  Objects objects;
  Settings settings;
  double begin = 0;  // start of the timeline: its first event
  Json expected;
};

auto stage_run(const LiveCase& c) -> std::unique_ptr<StagedRun> {
  auto staged = std::make_unique<StagedRun>();
  staged->expected = test::json_of(c.folder / "expected.json");
  const Json question = test::json_of(c.folder / "case.json");
  std::vector<std::string> files = {(c.folder / "dump.yaml").string()};
  if (fs::exists(c.own / "later.json")) files.push_back((c.own / "later.json").string());
  REQUIRE(load(files, {}, staged->objects));
  const Json& timeline = staged->expected.at("timeline");
  staged->begin = timeline[0].at("t");

  const Snapshot cluster(staged->objects);
  Settings& settings = staged->settings;
  Question& q = settings.question;
  q.now = parse_instant(staged->expected.at("schedulerStartedAt").get<std::string>())
              .value()
              .plus_nanos(static_cast<Time>(staged->begin * 1e9));
  q.feature_gates = question.value("featureGates", "");
  const fs::path config = c.folder / "scheduler-config.yaml";
  q.scheduler_config = ConfigFile{staged->objects.files.add(config.string()), test::text_of(config)};
  if (c.own.filename().string().find("15s") != std::string::npos) q.flush_seconds = 15;
  if (test::text_of(c.folder / "notes.md").find("client rate limit 2/s") != std::string::npos ||
      c.own.filename().string().starts_with("d34")) {
    settings.pace.qps = 2;
    settings.pace.burst = 2;
  }
  for (const Subject& subject : pending_subjects(cluster, "")) settings.pods.push_back(subject.pod);
  for (const Json& e : timeline) {
    if (e.at("what") != "created") continue;
    const std::string key = e.at("pod");
    const PodId pod = cluster.find_pod(key.substr(0, key.find('/')), key.substr(key.find('/') + 1));
    REQUIRE(pod);
    settings.arrivals.push_back({pod, static_cast<Time>((e.at("t").get<double>() - staged->begin) * 1e9)});
  }
  return staged;
}

// Returns true if the two bindings, of directly consecutive cycles, compete for the next call of the rate limit.
auto bind_together(const Observation& a, const Observation& b, const SimulationResult& play, const Snapshot& cluster)
    -> bool {
  const auto taken_at = [&](const Observation& sight) -> std::optional<Time> {
    for (const Step& step : play.steps) {
      if (step.what == EventKind::takes && sight.what.starts_with("bound " + cluster.key(step.pod) + " "))
        return step.at;
    }
    return {};
  };
  const auto first = taken_at(a);
  const auto second = taken_at(b);
  return first && second && std::abs(*first - *second) < kSecond;
}

// Returns how the simulation differs from the cluster.
auto unlike_live(const Sights& live, const SimulationResult& play, const Snapshot& cluster)
    -> std::vector<std::string> {
  const Sights played = played_sights(play, cluster);
  std::vector<std::string> out;
  const double end = live.list().empty() ? 0 : live.list().back().at;
  const auto soon_bound = [&](const Observation& fails) {
    const std::string pod = fails.what.substr(6, fails.what.find(':') - 6);
    for (const Observation& s : live.list()) {
      if (s.what.starts_with("bound " + pod + " ")) return s.at - fails.at < kTogether;
    }
    return false;
  };
  for (const Observation& s : live.list()) {
    // A wait of a few milliseconds only: the watch did not see the deletions of one second at once.
    if (s.what.starts_with("fails") && soon_bound(s)) continue;
    if (played.find(s.what) == nullptr) out.push_back(fmt::format("{:.3f} {}: not played", s.at, s.what));
  }
  for (const Observation& s : played.list()) {
    if (s.at <= end + kQuiet && live.find(s.what) == nullptr)
      out.push_back(fmt::format("{:.3f} {}: played, not seen", s.at, s.what));
  }
  for (const Observation& a : live.list()) {
    for (const Observation& b : live.list()) {
      const Observation* in_play_a = played.find(a.what);
      const Observation* in_play_b = played.find(b.what);
      if (b.at - a.at <= kTogether || in_play_a == nullptr || in_play_b == nullptr) continue;
      if (in_play_b->at >= in_play_a->at || bind_together(a, b, play, cluster)) continue;
      out.push_back(fmt::format("{} ({:.3f}) before {} ({:.3f}): played at {:.3f} and {:.3f}", a.what, a.at, b.what,
                                b.at, in_play_a->at, in_play_b->at));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("sequence: nominations, deletions, bindings and waits match the live cluster", "[golden][sequence]") {
  // In this run, the parallel calls left in a different order, and the last victim of both preemptors was the same.
  const std::string another_course = "d32-race3-equal-second-preempts-async-on";
  for (const LiveCase& c : live_cases()) {
    const std::unique_ptr<StagedRun> staged = stage_run(c);
    const Sights live = live_sights(staged->expected.at("timeline"), staged->begin);
    std::vector<std::string> fewest;
    for (unsigned mask = 0; mask < 32; ++mask) {
      const Scenario course{.calls_first = (mask & 1U) != 0,
                            .reversed = (mask & 2U) != 0,
                            .immediate_exits = (mask & 4U) != 0,
                            .other_ties = (mask & 8U) != 0,
                            .other_order = (mask & 16U) != 0};
      const Result<SimulationResult> play = simulate_kube(staged->objects, staged->settings, course);
      REQUIRE(play);
      const Snapshot cluster(staged->objects);
      std::vector<std::string> found = unlike_live(live, *play, cluster);
      if (mask == 0 || found.size() < fewest.size()) fewest = std::move(found);
      if (fewest.empty() || c.own.filename() != another_course) break;
    }
    std::string all;
    for (const std::string& d : fewest) all += "  " + d + "\n";
    INFO(c.own.filename().string() << ":\n" << all);
    CHECK(fewest.empty());
  }
}

TEST_CASE("sequence: the listed endings of a race include those of live runs", "[golden][sequence]") {
  std::size_t compared = 0;
  for (const LiveCase& c : live_cases()) {
    const std::string name = c.own.filename().string();
    if (!name.starts_with("d34") && name != "d33-race4-higher-second-preempts-async-on") continue;
    const std::unique_ptr<StagedRun> staged = stage_run(c);
    const Result<Sequence> sequence = kube_sequence(staged->objects, staged->settings);
    REQUIRE(sequence);
    const Snapshot cluster(staged->objects);
    const PodId pod2 = cluster.find_pod("default", "pod2");
    std::set<End::Kind> kinds;
    for (const Ending& ending : sequence->endings) {
      for (const End& end : ending.ends) {
        if (end.pod == pod2) kinds.insert(end.kind);
      }
    }
    INFO(name);
    CHECK(kinds.contains(End::Kind::stuck));  // seven of nine live runs
    CHECK(kinds.contains(End::Kind::bound));  // two of nine live runs
    ++compared;
  }
  CHECK(compared == 2);
}

TEST_CASE("sequence: the predicted window of a retry contains the time of the live retry", "[golden][sequence]") {
  constexpr double kSeenLater = 0.05;  // the watch reports an event some milliseconds late
  std::size_t cases = 0;
  for (const LiveCase& c : live_cases()) {
    if (!c.own.filename().string().starts_with("t08")) continue;
    ++cases;
    const std::unique_ptr<StagedRun> staged = stage_run(c);
    const Result<Sequence> sequence = kube_sequence(staged->objects, staged->settings);
    REQUIRE(sequence);
    const auto retry = std::find_if(sequence->play.steps.begin(), sequence->play.steps.end(),
                                    [](const Step& s) { return s.what == EventKind::requeued; });
    REQUIRE(retry != sequence->play.steps.end());
    const double live = staged->expected.at("measured").at("preemptionAfter").get<double>() - staged->begin;
    CHECK(static_cast<double>(retry->at) / 1e9 <= live + kSeenLater);
    CHECK(live <= static_cast<double>(retry->until) / 1e9 + kSeenLater);
  }
  CHECK(cases == 2);
}

}  // namespace previct::sequence
