#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "api/policy.h"
#include "api/storage.h"
#include "base/diagnostics.h"
#include "base/symbols.h"
#include "input/tape.h"

namespace previct {

/// Everything a run has read, in the order of the input, before anything is concluded from it.
struct Objects {
  Symbols symbols;
  Files files;
  Diagnostics diagnostics;

  IdVector<PodId, Pod> pods;
  IdVector<NodeId, Node> nodes;
  std::vector<Namespace> namespaces;
  std::vector<PriorityClass> priority_classes;
  std::vector<PodDisruptionBudget> disruption_budgets;
  std::vector<PersistentVolume> persistent_volumes;
  std::vector<PersistentVolumeClaim> persistent_volume_claims;
  std::vector<StorageClass> storage_classes;
  std::vector<CsiNode> csi_nodes;
  std::vector<CsiDriver> csi_drivers;
  std::vector<CsiStorageCapacity> csi_storage_capacities;
  std::vector<VolumeAttachment> volume_attachments;

  /// How many objects of each kind were read, also of kinds that are skipped: `Pod`, `apps/Deployment`.
  std::map<std::string, std::size_t> counts;
  /// The kinds of which a List was seen, even an empty one: of these the input is taken to be complete.
  std::map<std::string, std::size_t> listed;
  /// The newest timestamp seen in conditions, creations and starts; Instant{} if there was none.
  Instant newest;
};

/// Decodes the object at `index` of the tape into `objects`, if its kind is one that previct reads; others
/// are counted and skipped. `list_kind` names the kind of the items of an enclosing typed list
/// (`Pod` for a PodList) for items without a kind of their own; it may be empty.
[[nodiscard]] auto add_object(const Tape& tape, std::uint32_t index, FileId file,
                              std::string_view list_kind, Objects& objects) -> Result<void>;

/// True if objects of this apiVersion and kind are read at all; a reader may skip the others unrecorded.
[[nodiscard]] auto kind_matters(std::string_view api_version, std::string_view kind) -> bool;

}  // namespace previct
