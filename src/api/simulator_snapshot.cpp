#include "api/simulator_snapshot.h"

#include "api/raw_lists.h"

#include <algorithm>
#include <array>

namespace previct::simulator {
namespace {

constexpr std::array<RawList, 7> kLists = {{{"priorityClasses", "scheduling.k8s.io/v1", "PriorityClassList"},
                                            {"namespaces", "v1", "NamespaceList"},
                                            {"nodes", "v1", "NodeList"},
                                            {"pods", "v1", "PodList"},
                                            {"pvs", "v1", "PersistentVolumeList"},
                                            {"pvcs", "v1", "PersistentVolumeClaimList"},
                                            {"storageClasses", "storage.k8s.io/v1", "StorageClassList"}}};

void add_built_in_class(std::string_view name, std::int32_t value, const Source& source, Objects& objects) {
  const Symbol symbol = objects.symbols.intern(name);
  const auto& known = objects.priority_classes;
  if (std::any_of(known.begin(), known.end(), [&](const PriorityClass& c) { return c.meta.name == symbol; })) return;
  PriorityClass added;
  added.meta.name = symbol;
  added.meta.source = source;
  added.value = value;
  objects.priority_classes.push_back(std::move(added));
}

}  // namespace

auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool {
  if (tape[index].type != EventType::begin_map || tape.find(index, "schedulerConfig") == tape.size()) return false;
  return tape.find(index, "pods") < tape.size() && tape.find(index, "nodes") < tape.size();
}

auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void> {
  PREVICT_CHECK(add_raw_lists(tape, index, kLists, file, objects));
  const Source source{file, tape[index].line, tape[index].column};
  add_built_in_class("system-cluster-critical", 2'000'000'000, source, objects);
  add_built_in_class("system-node-critical", 2'000'001'000, source, objects);
  objects.diagnostics.warn(
      "simulator-snapshot",
      "a snapshot of kube-scheduler-simulator: the two built-in priority classes were added; it has no "
      "PodDisruptionBudgets, and its schedulerConfig counts only if passed with --scheduler-config",
      {file, source.line, source.column});
  return {};
}

}  // namespace previct::simulator
