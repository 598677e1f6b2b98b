#include "tell/yunikorn/known_messages.h"

namespace previct::yunikorn {
namespace {

namespace look {
constexpr const LookAt* none = nullptr;
#define PREVICT_LOOK(name, what, command)    \
  constexpr LookAt at_##name{what, command}; \
  constexpr const LookAt* name = &at_##name;
#include "tell/yunikorn/messages.def"
}  // namespace look

}  // namespace

auto known_messages() -> Messages {
  return {.writer = "YuniKorn",
          .major = "1.",
          .known =
              {
#define PREVICT_SAYS(id, part, plugin, look_, first, last, words, brief, meaning) \
  {id, MessagePart::part, plugin, first, last, words, brief, meaning, look::look_},
#include "tell/yunikorn/messages.def"
              },
          .reasons =
              {
#define PREVICT_REASON(word, meaning) {word, meaning},
#include "tell/yunikorn/messages.def"
              },
          .always = {*look::explain}};
}

}  // namespace previct::yunikorn
