#include "analysis/second_step.h"

#include "analysis/subject.h"
#include "base/text.h"
#include "cluster/changed_cluster.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

// Each pod is a separate question on its own snapshot.
constexpr std::size_t kMostAsked = 100;

class PlacingReleased {
 public:
  PlacingReleased(Objects& objects, const Verdict& verdict, const Question& question)
      : changed_(objects), verdict_(verdict), question_(question) {
    question_.kind = "pod";
    question_.brief = true;
  }

  auto run() -> Result<SecondStep> {
    for (const Victim& victim : verdict_.victims) changed_.evict(victim.pod);
    SecondStep step;
    for (const ReleasedPods& each : verdict_.releases) {
      PREVICT_TRY(SecondStep::Placed placed, place(each));
      step.sets.push_back(std::move(placed));
    }
    return step;
  }

 private:
  auto place(const ReleasedPods& released) -> Result<SecondStep::Placed> {
    SecondStep::Placed placed{.what = released.what, .asked = released.count};
    while (placed.placed < placed.asked) {
      placed.cut = ++asked_ > kMostAsked;
      if (placed.cut) break;
      Symbols& symbols = changed_.objects().symbols;
      Pod pod = released.pod;
      const std::string name = fmt::format("{}-{}", symbols.text(pod.meta.name), placed.placed);
      pod.meta.name = symbols.intern(name);
      const PodId id = changed_.add(std::move(pod));
      const Snapshot cluster(changed_.objects());
      const Engine* const engine = engine_of(engines(), cluster, id);
      if (engine == nullptr) {
        placed.ending = "names a scheduler that previct does not know";
        break;
      }
      placed.engine = engine->name();
      question_.ns = cluster.text(cluster.pod(id).meta.ns);
      question_.name = name;
      PREVICT_TRY(Verdict verdict, engine->decide(cluster, question_));
      const std::string node = !verdict.node.empty() ? verdict.node
                               : !verdict.feasible.empty()
                                   ? std::string(cluster.text(cluster.node(verdict.feasible.front()).meta.name))
                                   : std::string();
      if (!is_schedulable(verdict) || node.empty()) {
        placed.unknown = verdict.outcome == Outcome::unknown;
        placed.ending = tell(cluster, question_, std::move(verdict)).sentence;
        break;
      }
      for (const Victim& victim : verdict.victims) {
        placed.victims.push_back(cluster.key(victim.pod));
        changed_.evict(victim.pod);
      }
      changed_.bind(id, symbols.intern(node), question_.now);
      if (std::find(placed.nodes.begin(), placed.nodes.end(), node) == placed.nodes.end()) placed.nodes.push_back(node);
      ++placed.placed;
    }
    return placed;
  }

  ChangedCluster changed_;
  const Verdict& verdict_;
  Question question_;
  std::size_t asked_ = 0;
};

}  // namespace

auto SecondStep::leaves_pending() const -> bool {
  return std::any_of(sets.begin(), sets.end(),
                     [](const Placed& each) { return each.placed < each.asked && !each.unknown && !each.cut; });
}

auto SecondStep::is_open() const -> bool {
  return std::any_of(sets.begin(), sets.end(), [](const Placed& each) { return each.unknown || each.cut; });
}

auto SecondStep::words() const -> std::vector<std::string> {
  std::vector<std::string> lines;
  for (const Placed& each : sets) {
    constexpr std::size_t kNamed = 4;
    if (each.placed == 0 && each.unknown) {
      lines.push_back(fmt::format("{}: {}", each.what, each.ending));
      continue;
    }
    const Teller* const teller = teller_of(each.engine);
    std::string words =
        fmt::format("{}: {} places {} of {}", each.what, teller == nullptr ? "the scheduler" : teller->scheduler(),
                    each.placed, counted(each.asked, "pod", "pods"));
    if (!each.nodes.empty()) words += fmt::format(" (on {})", joined_up_to(kNamed, each.nodes));
    if (!each.victims.empty())
      words += fmt::format("; {} would be preempted for them ({})", counted(each.victims.size(), "pod", "pods"),
                           joined_up_to(kNamed, each.victims));
    if (!each.ending.empty()) words += fmt::format("; the next one{} {}", each.unknown ? ":" : "", each.ending);
    if (each.cut) words += "; the others were not tried";
    lines.push_back(std::move(words));
  }
  return lines;
}

auto SecondStep::json() const -> Json {
  Json list = Json::array();
  for (const Placed& each : sets) {
    Json json{{"what", each.what}, {"engine", each.engine}, {"pods", each.asked}, {"placed", each.placed}};
    if (!each.nodes.empty()) json["nodes"] = each.nodes;
    if (!each.victims.empty()) json["victims"] = each.victims;
    if (!each.ending.empty()) json["ending"] = each.ending;
    if (each.cut) json["cut"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

void add_second_step(const SecondStep& step, Report& report) {
  if (step.sets.empty()) return;
  // Below the verdict, as the second half of the answer.
  const Line line{{{fmt::format("Once it is admitted: {}.", joined(step.words(), "; "))}}};
  if (!report.blocks.empty()) report.blocks.insert(report.blocks.begin() + 1, line);
  if (!report.brief.empty()) report.brief.insert(report.brief.begin() + 1, line);
  if (report.data.is_object()) report.data["secondStep"] = step.json();
}

auto second_step(Objects& objects, const Verdict& verdict, const Question& question) -> Result<SecondStep> {
  if (verdict.releases.empty()) return SecondStep{};
  return PlacingReleased(objects, verdict, question).run();
}

}  // namespace previct
