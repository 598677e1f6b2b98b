#include "api/names_to_come.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <unordered_map>

namespace previct {

auto prefix_of(const ObjectMeta& meta, const Symbols& symbols) -> std::string_view {
  std::string_view prefix = symbols.text(meta.generate_name);
  while (prefix.ends_with('-')) prefix.remove_suffix(1);
  return prefix;
}

auto name_or_prefix(const Tape& tape, std::uint32_t metadata) -> std::string {
  std::string name(tape.string(tape.find(metadata, "name")));
  if (!name.empty()) return name;
  name = tape.string(tape.find(metadata, "generateName"));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

void name_generated_objects(Objects& objects) {
  Symbols& symbols = objects.symbols;
  objects.each_store([&](std::string_view, auto& store) {
    std::unordered_map<std::string, std::size_t> count;
    for (auto& object : store) {
      if (object.meta.name) continue;
      const std::string prefix(prefix_of(object.meta, symbols));
      const std::size_t number = ++count[prefix];
      object.meta.name = symbols.intern(number == 1 ? prefix : fmt::format("{}-{}", prefix, number));
    }
  });
}

}  // namespace previct
