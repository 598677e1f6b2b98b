#pragma once

#include "cluster/snapshot.h"

#include <map>
#include <string>
#include <string_view>

namespace previct::kube {

/// The messages of schedulers on pending pods and in FailedScheduling events, as evidence of the release and the
/// preemption plugin that wrote them. Created once for a cluster.
struct MessageEvidence {
  explicit MessageEvidence(const Snapshot& cluster);

  struct Of {
    int first = 0;                   ///< first minor release that writes all of the messages
    int last = 0;                    ///< last such release; 0: no bound
    std::string default_preemption;  ///< `Pod ml/a`: a pod on which DefaultPreemption wrote; empty: none
    std::string other_preemption;    ///< likewise for ReleaseWords::Plugin::other_preemption
  };
  /// Returns the evidence for the scheduler of this name.
  [[nodiscard]] auto of(std::string_view scheduler) const -> const Of&;

 private:
  void add_message(const std::string& scheduler, std::string_view message, const std::string& where);

  std::map<std::string, Of, std::less<>> by_scheduler_;
};

}  // namespace previct::kube
