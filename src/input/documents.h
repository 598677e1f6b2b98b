#pragma once

#include "base/diagnostics.h"
#include "input/events.h"
#include "input/tape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// `PodList`, `List`.
[[nodiscard]] inline auto is_list_kind(std::string_view kind) -> bool {
  return kind.ends_with("List");
}

/// The list that an object was an item of.
struct EnclosingList {
  std::string api_version;
  std::string kind;  ///< `List`, `PodList`; empty if it does not say
};

/// One Kubernetes object within an input. Everything is valid during the call only.
struct FoundObject {
  enum class Change : std::uint8_t {
    none,     ///< not from a watch
    applied,  ///< a watch saw this state: it replaces earlier ones of the same object
    deleted   ///< a watch saw the object go
  };

  const Tape& tape;
  std::uint32_t index = 0;              ///< of the object on the tape
  const EnclosingList* list = nullptr;  ///< null: it stood alone, or in an array
  Change change = Change::none;
  bool element = false;  ///< of a list or of an array: one of many, which may be anything, also null
};

/// Where the objects of an input go.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  [[nodiscard]] virtual auto take(const FoundObject& object) -> Result<void> = 0;
  /// A list came to its end, whole, also an empty one. One without a kind: a map that has `items`, or an array.
  virtual void take_list(const EnclosingList& list) = 0;
};

/// Hands every object of `source` to `sink`, in the order of the input, without holding more than one at a
/// time: objects alone, items of a `List`, a typed list (`PodList`) or a map that has `items` and no kind, elements of
/// a bare array, all of these also within each other, documents behind each other, events of a watch. Items without a
/// kind wait until that of their list is known. Empty documents are skipped. A map of another kind is one object,
/// whether it has `items` or not.
///
/// Returns the number of objects.
///
/// Errors: those of the source and the sink; a document that is no object; a list whose items are a map; a list that is
/// not whole, because
///   - it was cut: kubectl ends each with its kind and its metadata, other tools with its kind (YAML marks no end of a
///     document, so that only this tells a whole list from one that was cut), or
///   - it carries a continue token.
/// Of a YAML document that is a single object, a cut between two fields cannot be seen.
[[nodiscard]] auto read_documents(EventSource& source, FileId file, ObjectSink& sink) -> Result<std::size_t>;

/// What a text seems to be that is neither YAML nor JSON of Kubernetes objects: empty, a table or an error of
/// kubectl, HTML, binary. None if nothing speaks against it.
[[nodiscard]] auto not_a_dump(std::string_view text, FileId file) -> std::optional<Failure>;

/// What broke a text, said by what stands there or in the line before, if somebody pasted it: `...` in place of lines,
/// a command. Else the failure itself.
[[nodiscard]] auto told_by_pasted(Failure failure, std::string_view text) -> Failure;

/// True if `text` is to be read as JSON, false for YAML; by its first characters, not by a file name.
[[nodiscard]] auto looks_like_json(std::string_view text) -> bool;

}  // namespace previct
