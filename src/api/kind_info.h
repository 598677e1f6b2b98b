#pragma once

#include "api/text_role.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace previct {

enum class Scope : std::uint8_t { cluster, namespaced };

/// What objects of a kind are recognised by that do not say their kind; see api/recognise.h.
struct Recognition {
  std::string_view files{};   ///< names that files have, between blanks, beside the kind, its plural and its list
  std::string_view fields{};  ///< of the object, between blanks, beside metadata, spec and status; `*`: any
};

struct KindTraits {
  std::string_view short_names{};  ///< as kubectl has them, between blanks: `pdb`
  TextRole name_role = TextRole::name;
  bool makes_pods = false;  ///< Kubernetes has a controller that makes pods for it, and makes them again
  std::optional<Recognition> recognised{};  ///< none: an object without `kind` is never taken for one
  bool with_group = false;                  ///< another kind before it has the name: its store has the group's, too
  /// The versions in which a supported release serves it, the newest last, between blanks; empty: others are not told.
  std::string_view served{};
};

/// The description of a kind: a row of api/kinds.def.
struct KindInfo : KindTraits {
  std::string_view group;  ///< empty: the core group
  std::string_view version;
  std::string_view name;
  std::string_view plural;
  Scope scope;
  std::string_view api_version;  ///< `policy/v1`
  std::string_view key;          ///< `policy/PodDisruptionBudget`, as in InputSummary::counts
  std::string_view qualified;    ///< `PodDisruptionBudget.policy`, as kubectl get takes it
  std::string_view resource;     ///< `poddisruptionbudgets.policy`, as RBAC and kubectl name it
  std::string_view store_name;   ///< as Stores::each_store has it

  /// Is the kind meant by a word of kubectl's: `pod`, `Pods`, `po`?
  [[nodiscard]] auto is_called(std::string_view word) const -> bool;
};

namespace kinds {

/// Without the separator that the core group, which has no name, leaves at an end.
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

/// The kinds whose objects are kept, in the order of their stores.
[[nodiscard]] auto kept_kinds() -> std::span<const KindInfo* const>;

/// All that are described.
[[nodiscard]] auto all_kinds() -> std::span<const KindInfo* const>;

/// The kind of `GROUP/KIND`, or `KIND` of the core group; null if it is not described.
[[nodiscard]] auto kind_of_key(std::string_view key) -> const KindInfo*;

/// The kind whose store has this name; null if there is none.
[[nodiscard]] auto kind_of_store(std::string_view name) -> const KindInfo*;

}  // namespace previct
