#pragma once

#include "base/diagnostics.h"
#include "input/events.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// Returns true for `PodList`, `List`, and other kinds of lists.
[[nodiscard]] inline auto is_list_kind(std::string_view kind) -> bool {
  return kind.ends_with("List");
}

/// The list that contained an object.
struct EnclosingList {
  std::string api_version;
  std::string kind;  ///< `List`, `PodList`; empty if the list has no kind
};

/// One Kubernetes object in an input. All members are valid only during the call.
struct FoundObject {
  enum class Change : std::uint8_t {
    none,     ///< not from a watch
    applied,  ///< from a watch: this state replaces earlier ones of the same object
    deleted   ///< from a watch: the object was deleted
  };

  const Tape& tape;
  std::uint32_t index = 0;              ///< index of the object on the tape
  const EnclosingList* list = nullptr;  ///< null: the object was not in a list, or it was in an array
  Change change = Change::none;
  bool element = false;  ///< the object is an element of a list or of an array, which may hold anything, including null
};

/// Receives the objects of an input.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  [[nodiscard]] virtual auto take(const FoundObject& object) -> Result<void> = 0;
  /// Called at the end of each complete list, even if it is empty. A list without a kind is a map with `items`, or an
  /// array.
  virtual void take_list(const EnclosingList& list) = 0;
};

/// Passes every object of `source` to `sink`, in the order of the input, with at most one object in memory: single
/// objects, items of a `List`, of a typed list (`PodList`) or of a map with `items` and without a kind, elements of a
/// bare array, all of these also nested, documents in sequence, and events of a watch. Items without a kind wait until
/// the kind of their list is known. Empty documents are skipped. A map of another kind is one object, whether it has
/// `items` or not.
///
/// Returns the number of objects.
///
/// Errors: those of the source and the sink; a document that is not an object; a list whose items are a map; a list
/// that is incomplete, because
///   - it was cut: kubectl ends each list with its kind and its metadata, other tools with its kind (YAML does not mark
///     the end of a document, so only this distinguishes a complete list from a truncated one), or
///   - it has a continue token.
/// In a YAML document that is a single object, a cut between two fields cannot be detected.
[[nodiscard]] auto read_documents(EventSource& source, FileId file, ObjectSink& sink) -> Result<std::size_t>;

/// The failure for a text that is neither YAML nor JSON of Kubernetes objects: empty, a table or an error of kubectl,
/// HTML, binary. None if the text may be a dump.
[[nodiscard]] auto not_a_dump(std::string_view text, FileId file) -> std::optional<Failure>;

/// A better explanation of a syntax error, based on its line or the line before: `...` in place of omitted lines, or a
/// pasted command. Otherwise returns `failure` unchanged.
[[nodiscard]] auto explain_pasted_text(Failure failure, std::string_view text) -> Failure;

/// Returns true if `text` is to be read as JSON, false for YAML. Only the first characters are considered, not a file
/// name.
[[nodiscard]] auto looks_like_json(std::string_view text) -> bool;

}  // namespace previct
