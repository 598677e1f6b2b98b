#pragma once

#include "api/text_role.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace previct {

enum class Scope : std::uint8_t { cluster, namespaced };

/// How to recognize objects of a kind that do not name their kind; see api/recognise.h.
struct Recognition {
  std::string_view files{};        ///< usual file names, separated by blanks, besides the kind, its plural and its list
  std::string_view more_fields{};  ///< fields of the object that are not read, separated by blanks, besides spec and
                                   ///< status; `*`: any
};

struct KindTraits {
  std::string_view short_names{};  ///< as in kubectl, separated by blanks: `pdb`
  TextRole name_role = TextRole::name;
  bool makes_pods = false;  ///< Kubernetes has a controller that creates pods for it, and recreates them
  std::optional<Recognition> recognized{};  ///< none: objects without `kind` are never recognized as this kind
  bool only_new_pods = false;               ///< no decision about an existing pod depends on its objects
  bool with_group = false;                  ///< an earlier kind has the same name, so the store's name includes the
                                            ///< group
  /// The versions that supported releases serve, the newest last, separated by blanks; empty: not checked.
  std::string_view served{};
};

/// The description of a kind: a row of api/kinds.def, or of the kinds.def of an engine.
struct KindInfo : KindTraits {
  std::string_view group;  ///< empty: the core group
  std::string_view version;
  std::string_view name;
  std::string_view plural;
  Scope scope;
  std::string_view api_version;  ///< `policy/v1`
  std::string_view key;          ///< `policy/PodDisruptionBudget`, as in InputSummary::counts
  std::string_view qualified;    ///< `PodDisruptionBudget.policy`, as kubectl get accepts it
  std::string_view resource;     ///< `poddisruptionbudgets.policy`, as in RBAC and kubectl
  std::string_view store_name;   ///< the name in Stores::each_store

  /// Returns true if a word in kubectl's notation names this kind: `pod`, `Pods`, `po`.
  [[nodiscard]] auto is_called(std::string_view word) const -> bool;
};

namespace kinds {

/// Removes the separator that the empty name of the core group leaves at an end.
constexpr auto without_edge(std::string_view text, char separator) -> std::string_view {
  if (text.starts_with(separator)) text.remove_prefix(1);
  if (text.ends_with(separator)) text.remove_suffix(1);
  return text;
}

constexpr auto described(std::string_view joined, KindInfo kind) -> KindInfo {
  kind.store_name = kind.with_group ? joined : kind.name;
  return kind;
}

#define PREVICT_KIND_NOT_KEPT(id, group, version, kind, plural, scope, ...)                       \
  inline constexpr KindInfo id = described(group "/" kind, {{__VA_ARGS__},                        \
                                                            group,                                \
                                                            version,                              \
                                                            kind,                                 \
                                                            plural,                               \
                                                            Scope::scope,                         \
                                                            without_edge(group "/" version, '/'), \
                                                            without_edge(group "/" kind, '/'),    \
                                                            without_edge(kind "." group, '.'),    \
                                                            without_edge(plural "." group, '.'),  \
                                                            {}});
#define PREVICT_KIND(type, store, ...) PREVICT_KIND_NOT_KEPT(store, __VA_ARGS__)
#include "api/kinds.def"

}  // namespace kinds

/// All kinds.
[[nodiscard]] auto all_kinds() -> std::span<const KindInfo* const>;

/// The kind for `GROUP/KIND`, or `KIND` for the core group; null if it is unknown.
[[nodiscard]] auto kind_of_key(std::string_view key) -> const KindInfo*;

/// The kind whose store has this name; null if there is none.
[[nodiscard]] auto kind_of_store(std::string_view name) -> const KindInfo*;

}  // namespace previct
