#pragma once

#include "engine/engine.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// What another scheduler does with pods that a verdict releases: one line per kind of pods.
struct SecondStep {
  struct Placed {
    std::string what;                    ///< `pod set main`
    std::string engine{};                ///< the engine that decides
    std::size_t asked = 0;               ///< number of pods that were evaluated
    std::size_t placed = 0;              ///< of them, the pods that get a node
    std::vector<std::string> earlier{};  ///< pods that are pending already, and are placed before them
    std::vector<std::string> nodes{};    ///< nodes of these pods, without duplicates, in order
    std::vector<std::string> victims{};  ///< pods that would be preempted for them
    std::string ending{};                ///< why the next pod gets no node; empty: all do
    bool refused = false;                ///< the next pod cannot be created
    bool unknown = false;                ///< whether the next pod gets a node is not known
    bool cut = false;                    ///< further pods were not evaluated
  };
  std::vector<Placed> sets;
  std::vector<Gap> gaps;  ///< what is not known, or assumed, of the creation of the pods and their placement

  /// Returns true if some of the pods get no node.
  [[nodiscard]] auto leaves_pending() const -> bool;
  /// Returns the number of pods that get no node, as far as it is known: pods after them were not tried.
  [[nodiscard]] auto without_node() const -> std::size_t;
  /// Returns true if it is not known whether all pods get a node.
  [[nodiscard]] auto is_open() const -> bool;
  [[nodiscard]] auto words() const -> std::vector<std::string>;
  [[nodiscard]] auto json() const -> Json;
};

/// Adds the step to a report as a line below the verdict, and to its document.
void add_second_step(const SecondStep& step, Report& report);

/// Evaluates the released pods in order with the scheduler that each names, after removing the pods that the verdict
/// ends, and after placing the pending pods that come first: those with at least their priority.
/// Pods that do not exist yet are created as the API server does (overlay/creation.h), as far as the ResourceQuotas of
/// their namespace allow. Empty if the verdict releases no pods. `objects` are restored afterwards.
[[nodiscard]] auto second_step(Objects& objects, const Verdict& verdict, const Question& question)
    -> Result<SecondStep>;

}  // namespace previct
