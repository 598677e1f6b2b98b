#include "api/kai_snapshot.h"

#include "api/decode.h"
#include "api/raw_lists.h"

#include <array>

namespace previct::kai {
namespace {

constexpr std::array<RawList, 13> kLists = {{{"priorityClasses", "scheduling.k8s.io/v1", "PriorityClassList"},
                                             {"nodes", "v1", "NodeList"},
                                             {"pods", "v1", "PodList"},
                                             {"queues", "scheduling.run.ai/v2", "QueueList"},
                                             {"podGroups", "scheduling.run.ai/v2alpha2", "PodGroupList"},
                                             {"bindRequests", "scheduling.run.ai/v1alpha2", "BindRequestList"},
                                             {"persistentVolumes", "v1", "PersistentVolumeList"},
                                             {"persistentVolumeClaims", "v1", "PersistentVolumeClaimList"},
                                             {"storageClasses", "storage.k8s.io/v1", "StorageClassList"},
                                             {"csiDrivers", "storage.k8s.io/v1", "CSIDriverList"},
                                             {"configMaps", "v1", "ConfigMapList"},
                                             {"topologies", "kai.scheduler/v1alpha1", "TopologyList"},
                                             {"resourceSlices", "resource.k8s.io/v1", "ResourceSliceList"}}};

}  // namespace

auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool {
  return tape[index].type == EventType::begin_map && tape.find(index, "rawObjects") < tape.size();
}

auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void> {
  Decoder decoder(tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(index, objects.kai_scheduler.emplace()));
  return add_raw_lists(tape, tape.find(index, "rawObjects"), kLists, file, objects);
}

}  // namespace previct::kai
