#include "api/default_queue.h"

#include <algorithm>

namespace previct::kueue {

auto has_default_queue(const Objects& objects, std::string_view ns) -> bool {
  return std::any_of(objects.local_queues.begin(), objects.local_queues.end(), [&](const LocalQueue& each) {
    return objects.symbols.text(each.meta.name) == "default" && objects.symbols.text(each.meta.ns) == ns;
  });
}

}  // namespace previct::kueue
