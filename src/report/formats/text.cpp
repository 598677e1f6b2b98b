#include "report/format.h"
#include "report/text_layout.h"

namespace previct {
namespace {

auto render(const Report& report, const Style& style) -> std::string {
  return text_of(report, style, false);
}

constexpr Format kFormat = {.name = "text", .ending = "txt", .what = "for people (the default)", .render = render};

}  // namespace

const Format& text_format = kFormat;

}  // namespace previct
