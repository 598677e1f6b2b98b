#pragma once

#include "cluster/snapshot.h"

#include <map>
#include <string>
#include <string_view>

namespace previct::kube {

/// What schedulers wrote on pods that wait and in FailedScheduling events, as far as it shows which release and which
/// preemption plugin wrote it. Made once for a cluster.
struct SeenWords {
  explicit SeenWords(const Snapshot& cluster);

  struct Of {
    int first = 0;                   ///< minor releases that write all of it
    int last = 0;                    ///< 0: no bound
    std::string default_preemption;  ///< `Pod ml/a`: on which DefaultPreemption wrote; empty: on none
    std::string other_preemption;    ///< the same of TellingWords::Plugin::other_preemption
  };
  /// Of the scheduler of this name.
  [[nodiscard]] auto of(std::string_view scheduler) const -> const Of&;

 private:
  void hear(const std::string& scheduler, std::string_view message, const std::string& where);

  std::map<std::string, Of, std::less<>> by_scheduler_;
};

}  // namespace previct::kube
