#pragma once

#include "input/documents.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Recognizes the kind of objects that do not name it: items of raw responses of the API server, lists that were
/// trimmed, the output of older collectors. Uses their fields, or else their file names.
namespace previct {

/// The list to which an object without a kind probably belongs, recognized by its fields (`spec.containers` in a Pod,
/// `status.allocatable` in a Node, and so on) or by its selfLink, if it has one. Null if it is not recognized.
/// Source: kubernetes/api core/v1, scheduling/v1, policy/v1, storage/v1 types.go, v1.35.
[[nodiscard]] auto list_by_fields(const Tape& tape, std::uint32_t index) -> const EnclosingList*;

/// Returns true if the kind of an object is known: from a field, from its list, or from its other fields.
[[nodiscard]] auto tells_kind(const FoundObject& found) -> bool;

/// The list that a file holds, recognized by its name or that of its directory: `Pods.json`, `get_nodes.yaml`,
/// `pods/default.json`.
struct ListOfPath {
  EnclosingList list;
  bool certain;  ///< a known collector wrote the file, so an empty file is a list, too
};
/// None for all other paths.
/// Source: replicatedhq/troubleshoot pkg/constants/constants.go, pkg/collect/cluster_resources.go (before items got
/// their kind).
[[nodiscard]] auto list_of_path(std::string_view path) -> std::optional<ListOfPath>;

/// Returns true if the object at `index`, whose kind is unknown, may be an item of this list. False if it has fields
/// that such an item does not have, or no name.
[[nodiscard]] auto may_be_item(const EnclosingList& list, const Tape& tape, std::uint32_t index) -> bool;

}  // namespace previct
