#pragma once

#include "engine/kueue/account.h"
#include "lint/repository.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace previct::lint {

/// The Kueue objects of the input as its engine reads them, for rules about what becomes of workloads. What cannot be
/// read is left out: other rules say so.
class KueueState {
 public:
  explicit KueueState(const Repository& repository);

  /// Null: there is no workload, or no ClusterQueue, or the Configuration cannot be read.
  [[nodiscard]] auto inventory() const -> const kueue::Inventory* { return inventory_.get(); }
  [[nodiscard]] auto manifest_of(kueue::WorkloadId id) const -> const Manifest*;
  [[nodiscard]] auto manifest_of(kueue::QueueId id) const -> const Manifest*;

  /// Of the workloads that wait in active queues, the first of each queue first; of very many not all.
  struct Tried {
    kueue::WorkloadId workload;
    kueue::QueueId queue;
    kueue::Nomination nomination;
  };
  [[nodiscard]] auto tried() const -> const std::vector<Tried>& { return tried_; }

 private:
  Objects objects_;
  std::unique_ptr<Snapshot> cluster_;
  std::unique_ptr<kueue::Inventory> inventory_;
  std::map<std::string, const Manifest*> workloads_;  // by NAMESPACE/NAME
  std::map<std::string, const Manifest*> queues_;
  std::vector<Tried> tried_;
};

/// If no flavor does for some pod set: how mildly the mildest of them fails; else none.
[[nodiscard]] auto worst_of(const kueue::Assignment& assignment) -> kueue::Severity;

}  // namespace previct::lint
