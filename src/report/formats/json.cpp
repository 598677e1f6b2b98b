#include "report/format.h"
#include "report/json_text.h"

namespace previct {
namespace {

auto render(const Report& report, const Style& /*style*/) -> std::string {
  return json_text(report.data, 2) + '\n';
}

constexpr Format kFormat = {
    .name = "json", .ending = "json", .what = "for programs; versioned", .render = render, .documents = true};

}  // namespace

const Format& json_format = kFormat;

}  // namespace previct
