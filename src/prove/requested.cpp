#include "prove/requested.h"

#include "api/amount_text.h"
#include "base/text.h"

#include <fmt/format.h>

namespace previct::prove {

auto range_words(const std::vector<Requested>& requests) -> std::string {
  std::vector<std::string> words;
  for (const Requested& each : requests) {
    const bool any = each.most == Requested{}.most;
    words.push_back(any ? each.resource
                        : fmt::format("{} up to {}", each.resource, amount_text(each.resource, each.most)));
  }
  return joined(words, ", ");
}

auto request_words(const std::vector<Requested>& requests, std::span<const std::int64_t> amounts)
    -> std::vector<std::string> {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string& resource = requests[i].resource;
    if (amounts[i] > 0) words.push_back(fmt::format("{} {}", resource, amount_text(resource, amounts[i])));
  }
  return words;
}

}  // namespace previct::prove
