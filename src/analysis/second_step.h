#pragma once

#include "engine/engine.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// What another scheduler does with pods that a verdict sets free: one line for each kind of them.
struct SecondStep {
  struct Placed {
    std::string what;                    ///< `pod set main`
    std::string engine{};                ///< that was asked
    std::size_t asked = 0;               ///< pods
    std::size_t placed = 0;              ///< of them: find a node
    std::vector<std::string> nodes{};    ///< that they get, each once, in order
    std::vector<std::string> victims{};  ///< pods that would be preempted for them
    std::string ending{};                ///< why the next one does not get one; empty: all do
    bool unknown = false;                ///< whether the next one gets one is not known
    bool cut = false;                    ///< more were not tried
  };
  std::vector<Placed> sets;

  [[nodiscard]] auto words() const -> std::vector<std::string>;
  [[nodiscard]] auto json() const -> Json;
};

/// Asks the scheduler that each pod names, one after the other, with the victims of the verdict gone. Nothing, if the
/// verdict sets none free. `objects` are as they were afterwards.
[[nodiscard]] auto second_step(Objects& objects, const Verdict& verdict, const Question& question)
    -> Result<SecondStep>;

}  // namespace previct
