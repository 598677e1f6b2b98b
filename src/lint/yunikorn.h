#pragma once

#include "lint/repository.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

inline constexpr std::string_view kAllowPreemption = "yunikorn.apache.org/allow-preemption";

/// A queue of a YuniKorn queues.yaml.
struct YunikornQueue {
  Value queue;
  Value partition;
  std::string path;            ///< `root.team.batch`
  std::size_t parent = kNone;  ///< index within the list; kNone: a top queue

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  [[nodiscard]] auto leaf() const -> bool { return queue["queues"].size() == 0 && !queue["parent"].is("true"); }
  [[nodiscard]] auto property(std::string_view key) const -> Value { return queue["properties"][key]; }
};

/// The queues of all configurations in the input, parents before their children.
[[nodiscard]] auto yunikorn_queues(const Repository& repository) -> std::vector<YunikornQueue>;

}  // namespace previct::lint
