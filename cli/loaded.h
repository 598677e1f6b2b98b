#pragma once

#include "api/objects.h"
#include "engine/engine.h"
#include "live/cluster.h"
#include "overlay/overlay.h"
#include "tell/answer.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace previct::cli {

/// What a command needs of the state, beyond what the command line says.
struct LoadRequest {
  bool history = false;        ///< records of past decisions are needed too
  bool pods_optional = false;  ///< the command also works without pods
  bool over_time = false;      ///< the command simulates what follows
  bool keeps_objects = false;  ///< the command leaves the objects as they are, or restores them
};

/// The state of a cluster, as the command line names it, and what is known of how it was read.
struct Loaded {
  Loaded(LoadRequest with, std::shared_ptr<InputTables> tables) : request(with), objects(std::move(tables)) {}

  LoadRequest request;
  Objects objects;
  Configurations configurations{};         ///< among the inputs
  Configurations named{};                  ///< from flags
  OverlayResult overlaid{};                ///< of --with and related flags
  std::vector<Gap> taken_as_none{};        ///< kinds that are assumed to have no objects, and why
  std::optional<live::Reading> reading{};  ///< how a live cluster was read

  /// The configurations that count: those of the overlay replace those of flags, and these replace those of the inputs.
  [[nodiscard]] auto in_force() const -> Configurations {
    Configurations all = configurations;
    for (const Configurations* later : {&named, &overlaid.configurations}) all.replace_by(*later);
    return all;
  }

  /// The snapshot of the objects as they are at the first call.
  [[nodiscard]] auto cluster() -> const Snapshot& {
    if (!cluster_) {
      cluster_ = std::make_unique<Snapshot>(objects);
      changes_ = objects.changes;
    }
    return *cluster_;
  }
  /// As cluster(), after the objects may have been changed and restored: that may have moved them in memory.
  [[nodiscard]] auto cluster_again() -> const Snapshot& {
    if (cluster_ && changes_ != objects.changes) put_cluster_aside();
    return cluster();
  }
  void forget_cluster() { cluster_.reset(); }
  /// As forget_cluster(), but releases the memory later: that would take as long as some answers.
  void put_cluster_aside() { aside_ = std::move(cluster_); }

 private:
  std::unique_ptr<Snapshot> cluster_{};
  std::uint64_t changes_ = 0;  // of the objects, when cluster_ was made
  std::unique_ptr<Snapshot> aside_{};
};

}  // namespace previct::cli
