#pragma once

#include "api/objects.h"

#include <string_view>

namespace previct {

/// The name that Objects::each_store has for `GROUP/KIND`: the kind alone, with its group where two groups have one.
[[nodiscard]] inline auto store_name(const Objects& objects, std::string_view kind) -> std::string_view {
  std::string_view name = kind.substr(kind.rfind('/') + 1);
  objects.each_store([&](std::string_view store, const auto&) {
    if (store == kind) name = kind;
  });
  return name;
}

}  // namespace previct
