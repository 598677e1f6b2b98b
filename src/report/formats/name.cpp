#include "base/text.h"
#include "report/escape.h"
#include "report/format.h"

namespace previct {
namespace {

auto render_name(const Report& report, const Style& /*style*/) -> std::string {
  std::string out;
  for (const std::string& name : report.names) {
    out += escaped(name);
    out += '\n';
  }
  return without_ci_commands(std::move(out));
}

}  // namespace

const Format& name_format =
    Format{.name = "name", .ending = "txt", .what = "NAMESPACE/NAME of each victim", .render = render_name};

}  // namespace previct
