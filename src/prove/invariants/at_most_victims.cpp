#include "prove/invariants/at_most_victims.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {

auto AtMostVictims::violation() const -> std::string {
  return fmt::format("evicts more than {}", counted(most_, "pod", "pods"));
}

auto AtMostVictims::is_broken_by(const Verdict& verdict) const -> bool {
  std::size_t most = most_victims(verdict);
  if (verdict.orders) {
    for (const Orders::OnNode& node : verdict.orders->nodes) most = std::max(most, node.most);
  }
  return most > most_;
}

}  // namespace previct::prove
