#pragma once

#include "input/documents.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// What objects are that do not say it: items of raw answers of the API server, lists that a program or a person has
/// trimmed, the output of older collectors. Told by what they hold, or else by where they stand.
namespace previct {

/// The list whose items an object without a kind may be, told by its fields: `spec.containers` is a Pod's,
/// `status.allocatable` a Node's, and so on; or by its selfLink, if it has one. Null if they tell nothing.
/// Source: kubernetes/api core/v1, scheduling/v1, policy/v1, storage/v1 types.go, v1.35.
[[nodiscard]] auto list_by_fields(const Tape& tape, std::uint32_t index) -> const EnclosingList*;

/// Does an object tell its kind: in a field, by the list that it is an item of, or by what it holds?
[[nodiscard]] auto tells_kind(const FoundObject& found) -> bool;

/// The list that a file holds, told by its name or by that of the directory that it is in: `Pods.json`,
/// `get_nodes.yaml`, `pods/default.json`. None for all other paths.
struct ListOfPath {
  EnclosingList list;
  bool certain;  ///< a collector that is known put it there, so also an empty file is a list
};
/// Source: replicatedhq/troubleshoot pkg/constants/constants.go, pkg/collect/cluster_resources.go (before items got
/// their kind).
[[nodiscard]] auto list_of_path(std::string_view path) -> std::optional<ListOfPath>;

/// Could the object at `index`, which tells nothing of its kind, be an item of this list? False if it has fields that
/// such an item does not have, or no name.
[[nodiscard]] auto may_be_item(const EnclosingList& list, const Tape& tape, std::uint32_t index) -> bool;

}  // namespace previct
