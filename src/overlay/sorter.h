#pragma once

#include "api/configurations.h"
#include "overlay/budgets.h"
#include "overlay/surroundings.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace previct {

/// Sorts what the files of an overlay hold: objects into the stores, configurations aside; and notes of manifests what
/// no store keeps, by where they stand (of a workload: its template).
class Sorter final : public InputSink {
 public:
  Sorter(Objects& objects, Surroundings& around) : objects_(objects), around_(around) {}

  auto take(const FoundObject& found, FileId file) -> Result<void> override;
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}
  void forget(FileId file) override { configurations_.forget(file); }

  /// What the manifest of a budget asks for; null if it is not of the overlay.
  [[nodiscard]] auto budget(const Source& source) const -> const BudgetSpec*;
  /// The RuntimeClass that a pod of the overlay names; none: it names none.
  [[nodiscard]] auto runtime_class(const Source& source) const -> Symbol;
  /// The claims of its generic ephemeral volumes, each called as its volume.
  [[nodiscard]] auto claims(const Source& source) const -> std::vector<PersistentVolumeClaim>;
  [[nodiscard]] auto has_status(const Source& source) const -> bool { return with_status_.contains(source); }

  /// What became of workloads.
  [[nodiscard]] auto remarks() const -> const std::vector<std::string>& { return remarks_; }
  /// `KIND NAMESPACE/NAME` of the objects that hold templates of pods, of kinds whose controllers are not known.
  [[nodiscard]] auto unknown_controllers() const -> const std::vector<std::string>& { return unknown_controllers_; }
  [[nodiscard]] auto configurations() const -> Result<Configurations> { return configurations_.read(objects_.sources); }

 private:
  void note_unknown_controller(const FoundObject& found);

  Objects& objects_;
  Surroundings& around_;
  std::vector<std::string> remarks_;
  std::vector<std::string> unknown_controllers_;
  std::set<Source> with_status_;
  std::map<Source, BudgetSpec> budgets_;
  std::map<Source, Symbol> runtime_classes_;
  std::map<Source, std::vector<PersistentVolumeClaim>> ephemeral_claims_;
  ConfigurationFinder configurations_;
};

}  // namespace previct
