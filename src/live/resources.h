#pragma once

#include "api/kind_info.h"
#include "api/schedulers.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace previct::live {

/// The decisions for which a kind is needed.
enum class Need : std::uint8_t {
  always,
  scheduler,  ///< one scheduler, Resource::scheduler
  volumes,    ///< if a pod of the question has volumes
  devices,    ///< if a pod of the question has resource claims or requests an extended resource
  selects,    ///< if a pod of the question has no spread constraints of its own: the kinds that may select it
  created,    ///< if pods or policies are added by an overlay: what the API server and controllers do with them; see
              ///< load_overlay_context()
  made,       ///< only for simulations: how controllers create new pods; see load_controllers()
  whole,      ///< only for a capture of the whole state: what few configurations need
  history,    ///< for no decision: only the history of past decisions
  files       ///< never requested: read only from files
};

/// A list that live mode requests. The lists together, except those for Need::files, are the permissions that it needs.
struct Resource {
  const KindInfo* kind;
  Need need;
  /// What cannot be answered without this kind. Only for kinds whose absence the engines do not detect.
  std::string_view without{};
  std::string_view selector{};               ///< a fieldSelector, URL-encoded
  const SchedulerInfo* scheduler = nullptr;  ///< set for Need::scheduler
};

/// All lists, pods first.
[[nodiscard]] auto resources() -> std::span<const Resource>;

/// `/apis/policy/v1/poddisruptionbudgets`, or with a namespace: `/apis/policy/v1/namespaces/ml/poddisruptionbudgets`.
[[nodiscard]] auto path_of(const KindInfo& kind, std::string_view ns = {}) -> std::string;

}  // namespace previct::live
