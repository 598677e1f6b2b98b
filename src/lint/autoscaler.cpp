#include "lint/autoscaler.h"

#include <algorithm>
#include <charconv>

namespace previct::lint {

void Autoscaler::look_into(std::string_view text) {
  constexpr std::string_view kCutoff = "expendable-pods-priority-cutoff";
  occurs = occurs || text.find("cluster-autoscaler") != std::string_view::npos;
  for (std::size_t at = text.find(kCutoff); at != std::string_view::npos; at = text.find(kCutoff, at + 1)) {
    // The value may follow as a flag, as a value of a chart, or as the next argument: `=-100`, `: -100`, `": "-100"`,
    // `", "-100"`.
    const auto skip = [](std::string_view& of) {
      of.remove_prefix(std::min(of.find_first_not_of("=: \"',\n\r\t"), of.size()));
    };
    std::string_view rest = text.substr(at + kCutoff.size());
    skip(rest);
    if (rest.starts_with("- ")) {
      rest.remove_prefix(1);
      skip(rest);
    }
    std::int64_t number = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc())
      cutoff = std::min(cutoff.value_or(number), number);
  }
}

}  // namespace previct::lint
