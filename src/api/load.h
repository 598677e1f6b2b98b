#pragma once

#include "api/configurations.h"
#include "api/objects.h"
#include "base/progress.h"
#include "input/digest.h"
#include "input/documents.h"

#include <cstdint>
#include <string>
#include <vector>

namespace previct {

struct LoadOptions {
  bool recursive = false;   ///< walk directories to the bottom; else one level
  bool keep_going = false;  ///< leave a broken input out, with a warning and `Objects::inputs_skipped`
  bool general = false;     ///< read everything by the general path, to compare
  unsigned threads = 1;     ///< that read one input at the same time, at most; what is read does not depend on it
  std::uint64_t smallest_part = std::uint64_t{4} << 20U;  ///< bytes that are worth a thread
  Progress* progress = nullptr;                           ///< is told how far it is; null: nobody wants to know
  std::uint64_t max_input = 0;                            ///< bytes of one input, decompressed; 0: see input/bytes.h
  std::uint64_t max_memory = 0;                           ///< bytes while reading; 0: see input/memory_guard.h
  Arrivals* arrivals =
      nullptr;  ///< is told what came in, for which regular files are read once more; null: nobody asks
};

/// Where the objects of several inputs go.
class InputSink {
 public:
  virtual ~InputSink() = default;
  [[nodiscard]] virtual auto take(const FoundObject& object, FileId file) -> Result<void> = 0;
  /// A list came to its end, whole, also an empty one.
  virtual void take_list(const EnclosingList& list, FileId file) = 0;
  /// What was taken of this file does not count: it is read once more, or left out.
  virtual void forget(FileId /*file*/) {}
  /// Where objects may be added without being recorded first; null if the sink wants to see each of them.
  [[nodiscard]] virtual auto objects() -> Objects* { return nullptr; }
};

/// Hands every object of all `paths` to `sink`, in the order of the input; files, texts and what the sink has added
/// to the stores are registered in `objects`. What a path may be, and errors: as for load().
[[nodiscard]] auto read_objects(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects,
                                InputSink& sink) -> Result<void>;

/// Reads the objects of all `paths` into `objects`: files, archives, directories, `-` for standard input. A file that
/// is named twice is read once. Of a directory: regular files named as YAML, JSON or compressed forms of them, sorted
/// by name; when recursive, at any depth, and also those that begin like objects. At most 100,000.
///
/// An archive, and a directory that is walked to the bottom, is a collection: what is in it was chosen by a tool, so a
/// file without any Kubernetes object is passed over (one warning `no-objects` for all of them). A file that was named,
/// or lies in a directory that was, is an error then.
///
/// Of several objects of one kind, namespace and name one is kept, in the place of the first: the state with
/// the higher resourceVersion if they have the same uid; else the one created later, else the last. Each case
/// is a warning `duplicate-object`, unless a watch shows how an object changed; those of one uid and resourceVersion
/// in which nothing that is read differs share one warning.
///
/// Returns the configurations of schedulers that stand among the objects; of several of one kind none counts, which is
/// a warning `several-configurations`.
///
/// Errors: the first input that cannot be read, is broken, cut or holds an object the API would refuse; with
/// keep_going only if no input is left.
[[nodiscard]] auto load(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Configurations>;

}  // namespace previct
