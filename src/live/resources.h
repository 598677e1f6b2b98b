#pragma once

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

/// A kind as the API serves it. This table is what live mode asks for, and so the permissions it needs.
struct Resource {
  std::string_view group;  ///< empty: the core group
  std::string_view version;
  std::string_view resource;  ///< `poddisruptionbudgets`
  std::string_view kind;      ///< as Objects::each_store has it: with its group where two groups have such a kind
  Need need;
  /// What cannot be said without it, for the kinds whose absence the engines do not notice themselves.
  std::string_view without;
  std::string_view selector{};  ///< a fieldSelector, written as in a URL
};

/// All of them, pods first.
[[nodiscard]] auto resources() -> std::span<const Resource>;

/// `poddisruptionbudgets.policy`, as RBAC and kubectl name it.
[[nodiscard]] auto name_of(const Resource& resource) -> std::string;

/// `PodGroup`, without a group.
[[nodiscard]] auto plain_kind(const Resource& resource) -> std::string_view;

/// `/apis/policy/v1/poddisruptionbudgets`; of one namespace, if one is given:
/// `/apis/policy/v1/namespaces/ml/poddisruptionbudgets`.
[[nodiscard]] auto path_of(const Resource& resource, std::string_view ns = {}) -> std::string;

/// Do its objects belong to namespaces?
[[nodiscard]] auto is_namespaced(const Resource& resource) -> bool;

}  // namespace previct::live
