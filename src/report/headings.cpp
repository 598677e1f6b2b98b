#include "report/headings.h"

#include "base/ascii.h"

#include <string_view>

namespace previct {

auto in_sentence_case(std::string heading) -> std::string {
  for (std::size_t i = 1; i < heading.size(); ++i) {
    const char before = heading[i - 1];
    const bool in_capitals = is_upper(heading[i]) && (is_upper(before) || before == ' ' || is_lower(before));
    const bool shouts = i + 1 == heading.size() || !is_lower(heading[i + 1]);
    if (in_capitals && shouts) heading[i] = lower(heading[i]);
  }
  for (const std::string_view name : {"GPU", "CPU", "PDB"}) {
    if (const std::size_t at = heading.find(" " + lower_case(name)); at != std::string::npos)
      heading.replace(at + 1, name.size(), name);
  }
  return heading;
}

auto heading_of(const Table& table) -> std::string {
  return table.columns.empty() ? std::string() : in_sentence_case(table.columns.front().head);
}

}  // namespace previct
