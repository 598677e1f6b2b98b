#include "api/pod.h"

#include <algorithm>

namespace previct {

// Source: pkg/scheduler/framework/types.go FitError.Error, schedule_one.go ErrNoNodesAvailable and RunFilterPlugins.
auto is_schedulers_message(std::string_view message) -> bool {
  if (message.starts_with("no nodes available to schedule pods") || message.starts_with("running \"")) return true;
  const std::size_t words = message.find(" nodes are available:");
  if (words == std::string_view::npos) return false;
  const std::string_view head = message.substr(0, words);
  return head.find('/') != std::string_view::npos &&
         std::all_of(head.begin(), head.end(), [](char c) { return c == '/' || (c >= '0' && c <= '9'); });
}

}  // namespace previct
