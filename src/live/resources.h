#pragma once

#include "api/kind_info.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace previct::live {

/// Whose decision needs a kind.
enum class Need : std::uint8_t {
  always,
  kube,     ///< kube-scheduler's own plugins
  volumes,  ///< only if a pod that is asked about has volumes
  yunikorn,
  kai,
  kueue,
  devices,  ///< only if a pod that is asked about has resource claims, or asks for an extended resource
  selects,  ///< only if a pod that is asked about has no spread constraints of its own: what selects it
  created,  ///< only if pods or policies are laid over the cluster: what the API server and controllers make of them.
            ///< Not kept with the rest: see visit_surroundings()
  made,     ///< only for plays: how controllers make new pods. Not kept with the rest: see visit_makers()
  whole,    ///< only for the whole state: what few configurations look at
  history   ///< none's: only what tells of past decisions
};

/// A list that live mode asks for. All of them are the permissions that it needs.
struct Resource {
  const KindInfo* kind;
  Need need;
  /// What cannot be said without it, for the kinds whose absence the engines do not notice themselves.
  std::string_view without{};
  std::string_view selector{};  ///< a fieldSelector, written as in a URL
};

/// All of them, pods first.
[[nodiscard]] auto resources() -> std::span<const Resource>;

/// `/apis/policy/v1/poddisruptionbudgets`; of one namespace, if one is given:
/// `/apis/policy/v1/namespaces/ml/poddisruptionbudgets`.
[[nodiscard]] auto path_of(const KindInfo& kind, std::string_view ns = {}) -> std::string;

}  // namespace previct::live
