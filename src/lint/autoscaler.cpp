#include "lint/autoscaler.h"

#include <algorithm>
#include <charconv>

namespace previct::lint {

void Autoscaler::look_into(std::string_view text) {
  constexpr std::string_view kCutoff = "expendable-pods-priority-cutoff";
  occurs = occurs || text.find("cluster-autoscaler") != std::string_view::npos;
  for (std::size_t at = text.find(kCutoff); at != std::string_view::npos; at = text.find(kCutoff, at + 1)) {
    // As a flag, or as a value of a chart: `=-100`, `: -100`, `": "-100"`.
    std::string_view rest = text.substr(at + kCutoff.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("=: \"'"), rest.size()));
    std::int64_t number = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc())
      cutoff = std::min(cutoff.value_or(number), number);
  }
}

}  // namespace previct::lint
