#include "api/store_sink.h"

namespace previct {

Mark::Mark(Objects& objects)
    : summary_(static_cast<const InputSummary&>(objects)), read_(objects.read), diagnostics_(objects.diagnostics) {
  objects.each_store([&](std::string_view, auto& store) { sizes_.push_back(store.size()); });
}

void Mark::restore(Objects& objects) const {
  std::size_t i = 0;
  objects.each_store([&](std::string_view, auto& store) {
    store.erase(store.begin() + static_cast<std::ptrdiff_t>(sizes_[i++]), store.end());
  });
  static_cast<InputSummary&>(objects) = summary_;
  objects.read = read_;
  objects.diagnostics = diagnostics_;
}

}  // namespace previct
