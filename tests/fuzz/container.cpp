// Compressed streams and archives: reading them ends, within the limits, whatever they hold.

#include "fuzz/fuzz.h"
#include "input/bytes.h"

#include <string>

namespace previct::fuzz {

void container(std::string_view input) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
  auto opened = Input::of(std::string(input), FileId{0}, {kMost, 16 * kMost});
  if (!opened) return insist(!opened.error().message.empty(), "a failure without a word");
  std::size_t total = 0;
  for (std::size_t count = 0;; ++count) {
    auto member = opened->next();
    if (!member) return insist(!member.error().message.empty(), "a failure without a word");
    if (!*member) return;
    total += (*member)->text.size();
    insist(count <= 100'000, "more files than allowed");
    // UTF-16 can grow by half when it is converted.
    insist(total <= 2 * kMost, "more bytes than allowed");
  }
}

}  // namespace previct::fuzz
