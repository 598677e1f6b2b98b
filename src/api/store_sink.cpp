#include "api/store_sink.h"

namespace previct {

Mark::Mark(Objects& objects)
    : counts_(objects.counts),
      listed_(objects.listed),
      read_(objects.read),
      captures_(objects.captures.size()),
      inputs_skipped_(objects.inputs_skipped),
      newest_(objects.newest),
      diagnostics_(objects.diagnostics) {
  objects.each_store([&](std::string_view, auto& store) { sizes_.push_back(store.size()); });
}

void Mark::restore(Objects& objects) const {
  std::size_t i = 0;
  objects.each_store([&](std::string_view, auto& store) {
    store.erase(store.begin() + static_cast<std::ptrdiff_t>(sizes_[i++]), store.end());
  });
  objects.counts = counts_;
  objects.listed = listed_;
  objects.captures.resize(captures_);
  objects.inputs_skipped = inputs_skipped_;
  objects.newest = newest_;
  objects.read = read_;
  objects.diagnostics = diagnostics_;
}

}  // namespace previct
