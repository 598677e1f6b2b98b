#include "api/raw_lists.h"

#include <string>

namespace previct {

auto add_raw_lists(const Tape& tape, std::uint32_t map, std::span<const RawList> lists, FileId file, Objects& objects)
    -> Result<void> {
  for (const RawList& each : lists) {
    const std::uint32_t list = tape.find(map, each.field);
    if (list >= tape.size()) continue;
    const EnclosingList enclosing{std::string(each.api_version), std::string(each.kind)};
    prove_kind(enclosing, objects);
    if (tape[list].type != EventType::begin_list) continue;
    for (std::uint32_t item = list + 1; item < tape[list].next; item = tape[item].next) {
      PREVICT_CHECK(add_object({.tape = tape, .index = item, .list = &enclosing, .element = true}, file, objects));
    }
  }
  return {};
}

}  // namespace previct
