#pragma once

#include "api/configurations.h"
#include "api/load.h"
#include "engine/gap.h"
#include "overlay/budgets.h"
#include "overlay/templates.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace previct {

/// Sorts the content of an overlay's files: objects go into the stores, configurations are kept separately. Also
/// records, by source (for a workload: of its template), what manifests contain beyond the stores.
class Sorter final : public InputSink {
 public:
  explicit Sorter(Objects& objects, NewPods pods = NewPods::next) : objects_(objects), new_pods_(pods) {}

  auto take(const FoundObject& found, FileId file) -> Result<void> override;
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}
  void forget(FileId file) override { configurations_.forget(file); }

  /// The limits in the manifest of a budget; null if it is not from the overlay.
  [[nodiscard]] auto budget(const Source& source) const -> const BudgetSpec*;
  /// The RuntimeClass of a pod of the overlay; invalid: it names none.
  [[nodiscard]] auto runtime_class(const Source& source) const -> Symbol;
  /// The claims of the pod's generic ephemeral volumes, each with the name of its volume.
  [[nodiscard]] auto claims(const Source& source) const -> std::vector<PersistentVolumeClaim>;
  /// What decides about the pod before its scheduler does, in words; empty: nothing that is known.
  [[nodiscard]] auto other_decider(const Source& source) const -> std::string;
  /// Returns true for a workload whose changed template a simulation rolls out.
  [[nodiscard]] auto rolls_out(const Source& source) const -> bool { return rolled_out_.contains(source); }
  [[nodiscard]] auto has_status(const Source& source) const -> bool { return with_status_.contains(source); }

  /// Remarks about workloads.
  [[nodiscard]] auto remarks() const -> const std::vector<std::string>& { return remarks_; }
  /// What workloads do that is not simulated.
  [[nodiscard]] auto unknown() const -> const std::vector<Gap>& { return unknown_; }
  /// Workloads that have more pods than they want.
  [[nodiscard]] auto scaled_down() const -> const std::vector<ScaledDown>& { return scaled_down_; }
  /// `KIND NAMESPACE/NAME` of the objects with pod templates whose controllers are unknown.
  [[nodiscard]] auto unknown_controllers() const -> const std::vector<std::string>& { return unknown_controllers_; }
  /// Returns true if Kueue decides first about one of them.
  [[nodiscard]] auto kueue_decides() const -> bool { return kueue_decides_; }
  [[nodiscard]] auto configurations() const -> Result<Configurations> { return configurations_.read(objects_.sources); }

 private:
  void note_unknown_controller(const FoundObject& found);

  Objects& objects_;
  NewPods new_pods_;
  std::vector<std::string> remarks_;
  std::vector<Gap> unknown_;
  std::vector<ScaledDown> scaled_down_;
  std::vector<std::string> unknown_controllers_;
  bool kueue_decides_ = false;
  std::set<Source> with_status_;
  std::set<Source> rolled_out_;
  std::map<Source, BudgetSpec> budgets_;
  std::map<Source, Symbol> runtime_classes_;
  std::map<Source, std::string> other_deciders_;
  std::map<Source, std::vector<PersistentVolumeClaim>> ephemeral_claims_;
  ConfigurationFinder configurations_;
};

}  // namespace previct
