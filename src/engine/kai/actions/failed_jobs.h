#pragma once

#include "engine/kai/actions/cycle.h"

#include <map>
#include <string>
#include <unordered_map>

namespace previct::kai {

/// The groups that failed in an action: one for each set of groups whose pods have equal constraints. Another such
/// group is only tried if it is easier to place than the one that failed.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/minimal_job_comparison.go, api/pod_info
/// scheduling_constraints_signature.go.
class Cycle::Failures {
 public:
  Failures(const ClusterInfo& cluster_info, const Session& session) : cluster_info_(cluster_info), session_(session) {}

  [[nodiscard]] auto worth_trying(GroupId group) const -> bool;
  void remember(GroupId group);

 private:
  [[nodiscard]] auto signature(GroupId group) const -> const std::string&;
  [[nodiscard]] auto constraints(const Pod& pod) const -> std::string;
  [[nodiscard]] auto pending_requests(GroupId group) const -> std::vector<const double*>;
  [[nodiscard]] auto no_more(const double* a, const double* b) const -> bool;

  const ClusterInfo& cluster_info_;
  const Session& session_;
  std::map<std::string, GroupId> by_signature_;
  mutable std::unordered_map<std::uint32_t, std::string> signatures_;  // by group
};

}  // namespace previct::kai
