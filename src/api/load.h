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
  bool recursive = false;   ///< read directories recursively; otherwise one level
  bool keep_going = false;  ///< leave out an invalid input, with a warning and `Objects::inputs_skipped`
  bool general = false;     ///< use only the general reader, for comparison
  unsigned threads = 1;     ///< the maximum number of threads that read one input; the result does not depend on it
  std::uint64_t smallest_part = std::uint64_t{4} << 20U;  ///< number of bytes that justify a thread
  Progress* progress = nullptr;                           ///< receives the progress; null: not needed
  std::uint64_t max_input = 0;                            ///< maximum bytes of one input, decompressed; 0: see
                                                          ///< input/bytes.h
  std::uint64_t max_memory = 0;                           ///< maximum memory while reading; 0: see input/memory_guard.h
  InputDigests* arrivals =
      nullptr;  ///< receives the digests of the inputs, for which regular files are read once more; null: not needed
};

/// Receives the objects of several inputs.
class InputSink {
 public:
  virtual ~InputSink() = default;
  [[nodiscard]] virtual auto take(const FoundObject& object, FileId file) -> Result<void> = 0;
  /// Called at the end of each complete list, even if it is empty.
  virtual void take_list(const EnclosingList& list, FileId file) = 0;
  /// Discards the objects of this file, which is read again or left out.
  virtual void forget(FileId /*file*/) {}
  /// Where objects may be added directly, without being recorded first; null if the sink must see each object.
  [[nodiscard]] virtual auto objects() -> Objects* { return nullptr; }
};

/// Passes every object of all `paths` to `sink`, in the order of the input. Files, texts and objects that the sink adds
/// to the stores are registered in `objects`. Paths and errors: as for load().
[[nodiscard]] auto read_objects(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects,
                                InputSink& sink) -> Result<void>;

/// As read_objects(), for inputs that were already read into `objects`: does not repeat counts and messages; skips
/// standard input.
[[nodiscard]] auto read_again(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects,
                              InputSink& sink) -> Result<void>;

/// Reads the objects of all `paths` into `objects`: files, archives, directories, `-` for standard input. A file that
/// is named twice is read once. In a directory, it reads regular files with the names of YAML, JSON or compressed forms
/// of them, sorted by name; if recursive, at any depth, and also those that begin like objects. At most 100,000 files.
///
/// An archive, or a directory that is read recursively, is a collection: a tool selected its contents, so a file
/// without Kubernetes objects is skipped (with one warning `no-objects` for all of them). For a file that was named, or
/// is in a directory that was named, this is an error.
///
/// Of several objects with the same kind, namespace and name, one is kept, at the position of the first: the state with
/// the higher resourceVersion if they have the same uid; otherwise the one that was created later, otherwise the last.
/// Each case is a warning `duplicate-object`, unless a watch shows how an object changed; objects with the same uid,
/// resourceVersion and content share one warning.
///
/// Returns the scheduler configurations among the objects. If there are several of one kind, none of them is used, with
/// a warning `several-configurations`.
///
/// Errors: the first input that cannot be read, is invalid or truncated, or holds an object that the API would refuse;
/// with keep_going, only if no input is left.
[[nodiscard]] auto load(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Configurations>;

}  // namespace previct
