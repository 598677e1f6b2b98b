#pragma once

#include "api/objects.h"

#include <cstddef>
#include <vector>

namespace previct {

/// Puts every object of one file into the stores: for inputs in which an object comes once, so that there is nothing to
/// choose between.
class StoreSink final : public ObjectSink {
 public:
  StoreSink(FileId file, Objects& objects) : file_(file), objects_(objects) {}
  auto take(const FoundObject& found) -> Result<void> override { return add_object(found, file_, objects_); }
  void take_list(const EnclosingList& list) override { add_list(list, file_, objects_); }

 private:
  FileId file_;
  Objects& objects_;
};

/// How far the stores were filled, to take back what came after: of an input that turned out to be broken, say. Nothing
/// before it may be changed meanwhile.
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
