#include "engine/kueue/rules.h"

#include <array>

namespace previct::kueue {
namespace {

struct Row {
  std::string_view id;
  std::string_view words;
};
constexpr std::array kRows = {
#define PREVICT_KUEUE_RULE(name, id, words, source) Row{id, words},
#include "engine/kueue/rules.def"
#undef PREVICT_KUEUE_RULE
};

}  // namespace

auto rule_id(Rule rule) -> std::string_view {
  return kRows[static_cast<std::size_t>(rule)].id;
}

auto rule_words(Rule rule) -> std::string_view {
  return kRows[static_cast<std::size_t>(rule)].words;
}

}  // namespace previct::kueue
