#pragma once

#include "analysis/decision.h"
#include "analysis/explanation.h"
#include "fit/remedy.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

/// Which changes let a pod in, and how many copies of it there is room for.
namespace previct::fit {

/// What counts as getting in.
struct Limits {
  bool victims = true;     ///< others may be evicted for it
  bool violations = true;  ///< even if a disruption budget does not allow it
};

/// What is asked. The question names the pod, or the workload.
struct Task {
  Objects& objects;
  const Engine& engine;
  std::string engine_name;  ///< for choose_engine(), about other pods
  Question question;
  PodId pod;  ///< none: the question is about a workload
  Limits limits{};
  std::uint32_t replicas = 0;  ///< how many copies to place; 0: the pod alone is asked about
};

/// Changes that let the pod in, found by a full run of the engine on the changed cluster.
struct Solution {
  std::vector<Step> steps;
  Decision decision;               ///< then
  std::vector<std::string> nodes;  ///< where; the new node has no name
};

/// One copy that got in.
struct Copy {
  std::string node;
  std::vector<std::string> victims{};
};

struct Replicas {
  std::uint32_t asked = 0;
  std::vector<Copy> copies{};
  std::string ending{};    ///< what becomes of the next copy; empty: all got in
  bool undecided = false;  ///< whether the next copy gets in is not known
  bool cut = false;        ///< by the limit of the search, not by the cluster
};

/// What keeps the pod off a node even if all that can be turned is turned.
struct Blocked {
  std::string node{};
  std::string why{};
};

struct Fit {
  Answer answer;                      ///< as things are
  bool in = false;                    ///< it gets in as things are
  std::vector<Solution> solutions{};  ///< by how little they touch
  std::optional<Blocked> blocked{};
  std::optional<Replicas> replicas{};
  std::vector<std::string> not_searched{};
  std::size_t tried = 0;  ///< changed clusters that the engine was run on
};

/// Searches. `task.objects` are changed meanwhile, and as before in the end.
[[nodiscard]] auto fit(const Task& task) -> Result<Fit>;

/// Places copies of the pod one after another, each where the scheduler would put it; `tried` counts the runs.
[[nodiscard]] auto replicate(const Task& task, std::size_t& tried) -> Result<Replicas>;

/// Does this answer let the pod in?
[[nodiscard]] auto lets_in(const Verdict& verdict, const Limits& limits) -> bool;

/// The nodes that the answer's pod could go to, best first.
[[nodiscard]] auto nodes_of(const Verdict& verdict) -> std::vector<std::string>;

/// How many runs a search may take on a cluster of this size, so that it ends in seconds.
[[nodiscard]] auto most_runs(const Objects& objects) -> std::size_t;

/// `kind: FitReport`.
[[nodiscard]] auto fit_report(const Fit& fit, const Task& task, const ReportContext& context) -> Report;

}  // namespace previct::fit
