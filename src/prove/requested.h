#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace previct::prove {

/// The amounts of one resource that the preemptors request, both ends included, in the scheduler's units (milli-CPU,
/// bytes, devices).
struct Requested {
  std::string resource;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX / 4;
};

/// Returns what these preemptors may request: `cpu, memory up to 4Gi`.
[[nodiscard]] auto range_words(const std::vector<Requested>& requests) -> std::string;

/// Returns what one of them requests, by resource in the order of `requests`; resources of which it requests nothing
/// are left out: `cpu 2`, `memory 1Gi`.
[[nodiscard]] auto request_words(const std::vector<Requested>& requests, std::span<const std::int64_t> amounts)
    -> std::vector<std::string>;

}  // namespace previct::prove
