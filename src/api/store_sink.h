#pragma once

#include "api/objects.h"

#include <cstddef>
#include <vector>

namespace previct {

/// Stores every object of one file; for inputs in which each object occurs once, so that there are no duplicates to
/// resolve.
class StoreSink final : public ObjectSink {
 public:
  StoreSink(FileId file, Objects& objects) : file_(file), objects_(objects) {}
  auto take(const FoundObject& found) -> Result<void> override { return add_object(found, file_, objects_); }
  void take_list(const EnclosingList& list) override { add_list(list, file_, objects_); }

 private:
  FileId file_;
  Objects& objects_;
};

/// The number of objects in each store, in the order of each_store().
[[nodiscard]] auto store_sizes(const Stores& stores) -> std::vector<std::size_t>;

/// The sizes of the stores at one moment, used to remove what was added later, for example by an input that turned out
/// to be invalid. Nothing before the mark may be changed in the meantime.
class Mark {
 public:
  explicit Mark(Objects& objects);
  void restore(Objects& objects) const;

 private:
  std::vector<std::size_t> sizes_;
  InputSummary summary_;
  ReadCounts read_;
  Diagnostics diagnostics_;
};

}  // namespace previct
