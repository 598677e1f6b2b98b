#pragma once

#include "engine/kueue/account.h"
#include "lint/repository.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace previct::lint {

/// The Kueue objects of the input as its engine reads them, for rules about the outcome for workloads. Unreadable
/// objects are skipped: other rules report them.
class KueueState {
 public:
  explicit KueueState(const Repository& repository);

  /// Null if there is no workload or no ClusterQueue, or if the Configuration cannot be read.
  [[nodiscard]] auto inventory() const -> const kueue::Inventory* { return inventory_.get(); }
  [[nodiscard]] auto manifest_of(kueue::WorkloadId id) const -> const Manifest*;
  [[nodiscard]] auto manifest_of(kueue::QueueId id) const -> const Manifest*;

  /// The workloads that wait in active queues, each queue in its order; limited to a maximum number.
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

/// The least severe failure of the first pod set that no flavor fits; none if every pod set fits.
[[nodiscard]] auto mildest_of(const kueue::Assignment& assignment) -> kueue::Severity;

}  // namespace previct::lint
