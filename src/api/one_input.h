#pragma once

#include "api/load.h"
#include "api/recognise.h"
#include "input/memory_guard.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace previct {

/// The origin of a file, which determines what it means if it has no Kubernetes objects.
enum class Origin : std::uint8_t {
  named,      ///< the user named it: an error
  collection  ///< an archive or a directory holds it among other files: skipped
};

/// Forwards the objects of one text, and determines the kind of objects that do not name it.
class TextSink final : public ObjectSink {
 public:
  TextSink(FileId file, Origin origin, Objects& objects, InputSink& sink, MemoryGuard& memory);

  auto take(const FoundObject& found) -> Result<void> override;
  void take_list(const EnclosingList& list) override;

  /// Called at the end of the text. `others`: the number of its objects that were not passed to this sink. Reports what
  /// was skipped. Returns the number of objects and lists. Errors: the text has no objects, and the user named it.
  [[nodiscard]] auto finish(std::size_t others = 0) -> Result<std::size_t>;

  [[nodiscard]] auto has_taken() const -> bool { return taken_ > 0; }

 private:
  struct Skipped {
    std::size_t count = 0;
    Place first;

    void add(const Place& place) {
      if (count++ == 0) first = place;
    }
  };

  FileId file_;
  Origin origin_;
  Objects& objects_;
  InputSink& sink_;
  MemoryGuard& memory_;
  std::optional<ListOfPath> by_path_;
  std::size_t taken_ = 0;
  std::size_t by_path_taken_ = 0;
  std::size_t lists_without_kind_ = 0;
  Skipped empty_;
  Skipped unknown_;
};

}  // namespace previct
