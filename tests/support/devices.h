#pragma once

#include <fmt/format.h>

#include <string>

namespace previct::test {

/// Returns the device class `gpu`, which selects every device.
[[nodiscard]] inline auto a_device_class() -> std::string {
  return "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n"
         "spec: {selectors: [{cel: {expression: \"true\"}}]}\n";
}

/// Returns the slice of a node with one device, `d0` of the driver `gpu.x`, in the pool with the node's name.
[[nodiscard]] inline auto a_device_on(const std::string& node) -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {0}-gpu}}\nspec: {{driver: gpu.x, "
      "nodeName: {0}, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, devices: [{{name: d0}}]}}\n",
      node);
}

/// Returns the claim d/`name` for one device of the class `gpu`. `status`: in flow style.
[[nodiscard]] inline auto a_claim(const std::string& name, const std::string& status = "{}") -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: d, name: {0}, uid: uid-{0}}}\n"
      "spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}\nstatus: {1}\n",
      name, status);
}

}  // namespace previct::test
