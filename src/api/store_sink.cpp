#include "api/store_sink.h"

namespace previct {

auto store_sizes(const Stores& stores) -> std::vector<std::size_t> {
  std::vector<std::size_t> sizes;
  stores.each_store([&](std::string_view, const auto& store) { sizes.push_back(store.size()); });
  return sizes;
}

Mark::Mark(Objects& objects)
    : sizes_(store_sizes(objects)),
      summary_(static_cast<const InputSummary&>(objects)),
      read_(objects.read),
      diagnostics_(objects.diagnostics) {}

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
