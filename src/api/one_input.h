#pragma once

#include "api/load.h"
#include "api/recognise.h"
#include "input/memory_guard.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace previct {

/// Whose files these are, and so what one of them without Kubernetes objects means.
enum class Origin : std::uint8_t {
  named,      ///< by the user: a mistake
  collection  ///< by whoever filled the archive or the directory: a file among others, passed over
};

/// Hands the objects of one text on, and says what those are that do not say it themselves.
class OneInput final : public ObjectSink {
 public:
  OneInput(FileId file, Origin origin, Objects& objects, InputSink& sink, MemoryGuard& memory);

  auto take(const FoundObject& found) -> Result<void> override;
  void take_list(const EnclosingList& list) override;

  /// The text has come to its end; `others`: objects in it that were not handed to this. Says what was skipped. Returns
  /// how many objects and lists there were. Errors: nothing in it was an object, and the user named it.
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
