#include "lint/yunikorn.h"

namespace previct::lint {

auto yunikorn_queues(const Repository& repository) -> std::vector<YunikornQueue> {
  std::vector<YunikornQueue> queues;
  for (const Manifest* manifest : repository.of(kind::kYunikornQueues)) {
    for (const Value& partition : (*manifest)["partitions"]) {
      const std::size_t first = queues.size();
      for (const Value& queue : partition["queues"]) {
        queues.push_back({queue, partition, std::string(queue["name"].text()), YunikornQueue::kNone});
      }
      for (std::size_t i = first; i < queues.size(); ++i) {
        const Value children = queues[i].queue["queues"];
        for (const Value& child : children) {
          queues.push_back({child, partition, queues[i].path + "." + std::string(child["name"].text()), i});
        }
      }
    }
  }
  return queues;
}

}  // namespace previct::lint
