#include "report/format.h"
#include "report/text_layout.h"

namespace previct {
namespace {

auto render(const Report& report, const Style& style) -> std::string {
  return text_of(report, style, true);
}

constexpr Format kFormat = {.name = "wide",
                            .ending = "txt",
                            .what = "text with more columns: rules, times, places in the input",
                            .render = render};

}  // namespace

const Format& wide_format = kFormat;

}  // namespace previct
