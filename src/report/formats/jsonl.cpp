#include "report/format.h"
#include "report/json_text.h"

namespace previct {
namespace {

auto render_jsonl(const Report& report, const Style& /*style*/) -> std::string {
  auto items = report.data.find("items");
  if (items == report.data.end()) items = report.data.find("suites");  // for a TestReport
  if (items == report.data.end()) return json_text(report.data, -1) + '\n';
  std::string out;
  for (const Json& item : *items) out += json_text(item, -1) + '\n';
  return out;
}

}  // namespace

const Format& jsonl_format = Format{
    .name = "jsonl", .ending = "jsonl", .what = "JSON, one answer a line", .render = render_jsonl, .documents = true};

}  // namespace previct
