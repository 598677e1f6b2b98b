#pragma once

#include "unit/engine/kube/ask.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace previct::test {

/// A cluster of one node, `a` in zone east, with DeviceClass `gpus`, slices of driver `d`, and the pod ns/new with
/// claims c0, c1, …. All fields are in flow style.
struct DeviceCluster {
  std::vector<std::string> slices;  ///< the spec fields of slices s0, s1, …
  std::vector<std::string> claims;  ///< the spec.devices fields of claims c0, c1, …: `requests: […]`
  std::string gates = "";
  std::string release = "1.36.3";
  std::vector<std::string> more = {};
  std::string of_class = "";  ///< spec fields of the DeviceClass
};

/// Returns the spec fields of a slice of `pool`, which has `of` slices; all nodes reach it.
[[nodiscard]] inline auto a_slice(std::string_view pool, int of, std::string_view fields) -> std::string {
  return fmt::format("driver: d, pool: {{name: {}, generation: 1, resourceSliceCount: {}}}, allNodes: true, {}", pool,
                     of, fields);
}

/// Devices d0, d1, … with attribute `rank` 0, 1, … and the fields of each.
[[nodiscard]] inline auto devices_with(const std::vector<std::string>& fields, std::string_view prefix = "d")
    -> std::string {
  std::string all;
  for (std::size_t i = 0; i < fields.size(); ++i)
    all += fmt::format("{{name: {0}{1}, attributes: {{rank: {{int: {1}}}}}{2}}}, ", prefix, i,
                       fields[i].empty() ? "" : ", " + fields[i]);
  return "devices: [" + all + "]";
}
[[nodiscard]] inline auto plain_devices(std::size_t count, std::string_view prefix = "d") -> std::string {
  return devices_with(std::vector<std::string>(count), prefix);
}

/// One request for devices; `more` are further fields of `exactly`.
[[nodiscard]] inline auto wants(std::string_view name, std::string_view more = "") -> std::string {
  return fmt::format("{{name: {}, exactly: {{deviceClassName: gpus{}{}}}}}, ", name, more.empty() ? "" : ", ", more);
}
[[nodiscard]] inline auto selecting(std::string_view expression) -> std::string {
  return fmt::format("selectors: [{{cel: {{expression: \"{}\"}}}}]", expression);
}
/// Selects only the device with that rank.
[[nodiscard]] inline auto ranked_as(int rank) -> std::string {
  return selecting(fmt::format("device.attributes['d'].rank == {}", rank));
}
[[nodiscard]] inline auto requests_of(std::string_view requests) -> std::string {
  return fmt::format("requests: [{}]", requests);
}

/// A claim that holds devices and that no pod uses; `results` is in flow style.
[[nodiscard]] inline auto holding(std::string_view name, std::string_view results) -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}}}\n"
      "spec: {{devices: {{requests: []}}}}\nstatus: {{allocation: {{devices: {{results: [{}]}}}}}}\n",
      name, results);
}

[[nodiscard]] inline auto ask_for_devices(const DeviceCluster& c) -> Answer {
  std::vector<std::string> documents = c.more;
  documents.emplace_back(
      "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {zone: east}}\n"
      "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}\n");
  documents.push_back(fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: gpus}}\nspec: {{{}}}\n", c.of_class));
  documents.push_back(scheduler_pod(c.release, c.gates));
  for (std::size_t i = 0; i < c.slices.size(); ++i)
    documents.push_back(
        fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s{}}}\nspec: {{{}}}\n", i,
                    c.slices[i]));
  std::string used;
  for (std::size_t i = 0; i < c.claims.size(); ++i) {
    documents.push_back(
        fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: c{}}}\n"
                    "spec: {{devices: {{{}}}}}\n",
                    i, c.claims[i]));
    used += fmt::format("{{name: n{0}, resourceClaimName: c{0}}}, ", i);
  }
  documents.push_back(a_pod("ns/new").priority(9).spec(fmt::format("resourceClaims: [{}]", used)).yaml());
  return ask(documents);
}

}  // namespace previct::test
