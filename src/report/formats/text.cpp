#include "report/brief.h"
#include "report/format.h"
#include "report/text_layout.h"

namespace previct {
namespace {

auto render_text(const Report& report, const Style& style) -> std::string {
  if (!style.brief) return text_of(report, style, false);
  Report brief;
  brief.blocks = brief_of(report);
  return text_of(brief, style, false);
}

}  // namespace

const Format& text_format =
    Format{.name = "text", .ending = "txt", .what = "for people (the default)", .render = render_text, .blocks = true};

}  // namespace previct
