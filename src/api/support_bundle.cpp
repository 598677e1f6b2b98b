#include "api/support_bundle.h"

#include <array>

namespace previct {
namespace {

struct Row {
  std::string_view name;  // of the file or the directory below cluster-resources
  const char* api_version;
  const char* list_kind;
};

constexpr std::array<Row, 9> kRows = {{{"nodes", "v1", "NodeList"},
                                       {"namespaces", "v1", "NamespaceList"},
                                       {"pods", "v1", "PodList"},
                                       {"pod-disruption-budgets", "policy/v1", "PodDisruptionBudgetList"},
                                       {"priorityclasses", "scheduling.k8s.io/v1", "PriorityClassList"},
                                       {"storage-classes", "storage.k8s.io/v1", "StorageClassList"},
                                       {"pvs", "v1", "PersistentVolumeList"},
                                       {"pvcs", "v1", "PersistentVolumeClaimList"},
                                       {"volumeattachments", "storage.k8s.io/v1", "VolumeAttachmentList"}}};

}  // namespace

auto list_of_path(std::string_view path) -> std::optional<EnclosingList> {
  constexpr std::string_view kDirectory = "cluster-resources/";
  const std::size_t at = path.rfind(kDirectory);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = path.substr(at + kDirectory.size());
  const std::string_view name = rest.substr(0, rest.find_first_of("/."));
  for (const Row& row : kRows) {
    if (row.name == name) return EnclosingList{row.api_version, row.list_kind};
  }
  return {};
}

}  // namespace previct
