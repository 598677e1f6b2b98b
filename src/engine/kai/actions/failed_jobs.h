#pragma once

#include "engine/kai/actions/cycle.h"

#include <string>
#include <unordered_map>

namespace previct::kai {

/// The scheduling signatures of groups, as numbers: groups with the same number have pods with equal constraints. They
/// are computed once for a cycle, from the snapshot.
/// Source: kai-scheduler/KAI-Scheduler api/pod_info scheduling_constraints_signature.go.
class Cycle::Signatures {
 public:
  explicit Signatures(const ClusterInfo& cluster_info)
      : cluster_info_(cluster_info), known_(cluster_info.groups().size(), kUnknown) {}

  [[nodiscard]] auto of(GroupId group) -> std::uint32_t;

 private:
  static constexpr std::uint32_t kUnknown = 0xffff'ffff;
  [[nodiscard]] auto text_of(GroupId group) const -> std::string;

  const ClusterInfo& cluster_info_;
  IdVector<GroupId, std::uint32_t> known_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// The groups that failed in an action: one for each set of groups whose pods have equal constraints. Another such
/// group is only tried if it is easier to place than the one that failed.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/minimal_job_comparison.go.
class Cycle::Failures {
 public:
  Failures(const Session& session, Signatures& signatures)
      : cluster_info_(session.cluster_info()), session_(session), signatures_(signatures) {}

  [[nodiscard]] auto worth_trying(GroupId group) const -> bool;
  void remember(GroupId group);

 private:
  [[nodiscard]] auto pending_requests(GroupId group) const -> std::vector<const double*>;
  [[nodiscard]] auto no_more(const double* a, const double* b) const -> bool;

  const ClusterInfo& cluster_info_;
  const Session& session_;
  Signatures& signatures_;
  std::unordered_map<std::uint32_t, GroupId> by_signature_;
};

}  // namespace previct::kai
