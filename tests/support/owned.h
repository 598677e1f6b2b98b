#pragma once

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

namespace previct::test {

/// Returns the manifest of the pod with this controller.
[[nodiscard]] inline auto owned(std::string pod, std::string kind, std::string name) -> std::string {
  const std::size_t at = pod.find("metadata:");
  REQUIRE(at != std::string::npos);
  const std::size_t brace = pod.find_first_of("{\n", at);
  const std::string owner = fmt::format("ownerReferences: [{{kind: {}, name: {}, controller: true}}]", kind, name);
  return pod[brace] == '{' ? pod.insert(brace + 1, owner + ", ") : pod.insert(brace + 1, "  " + owner + "\n");
}

}  // namespace previct::test
