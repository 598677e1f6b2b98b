#include "report/format.h"
#include "report/text_layout.h"

namespace previct {
namespace {

auto render_wide(const Report& report, const Style& style) -> std::string {
  return text_of(report, style, true);
}

}  // namespace

const Format& wide_format = Format{.name = "wide",
                                   .ending = "txt",
                                   .what = "text with more columns: rules, times, places in the input",
                                   .render = render_wide,
                                   .blocks = true};

}  // namespace previct
