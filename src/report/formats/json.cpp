#include "report/format.h"
#include "report/json_text.h"

namespace previct {
namespace {

auto render_json(const Report& report, const Style& /*style*/) -> std::string {
  return json_text(report.data, 2) + '\n';
}

}  // namespace

const Format& json_format = Format{
    .name = "json", .ending = "json", .what = "for programs; versioned", .render = render_json, .documents = true};

}  // namespace previct
