#include "api/kind_info.h"

#include "base/ascii.h"
#include "base/contains.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

constexpr std::array kKept = {
#define PREVICT_KIND(type, store, ...) &kinds::store,
#include "api/kinds.def"
};

constexpr std::array kAll = {
#define PREVICT_KIND(type, store, ...) &kinds::store,
#define PREVICT_KIND_NOT_KEPT(id, ...) &kinds::id,
#include "api/kinds.def"
};

template <class Kinds, class Matches>
auto found(const Kinds& all, Matches matches) -> const KindInfo* {
  const auto* const at = std::find_if(all.begin(), all.end(), matches);
  return at == all.end() ? nullptr : *at;
}

}  // namespace

auto KindInfo::is_called(std::string_view word) const -> bool {
  const std::string small = lower_case(word);
  return small == lower_case(name) || small == plural || contains_word(short_names, small);
}

auto all_kinds() -> std::span<const KindInfo* const> {
  return kAll;
}

auto kind_of_key(std::string_view key) -> const KindInfo* {
  return found(kAll, [&](const KindInfo* kind) { return kind->key == key; });
}

auto kind_of_store(std::string_view name) -> const KindInfo* {
  return found(kKept, [&](const KindInfo* kind) { return kind->store_name == name; });
}

}  // namespace previct
