#include "report/yaml.h"

#include "report/format.h"

namespace previct {
namespace {

auto render_yaml(const Report& report, const Style& /*style*/) -> std::string {
  return yaml_of(report.data);
}

}  // namespace

const Format& yaml_format =
    Format{.name = "yaml", .ending = "yaml", .what = "the same tree as json", .render = render_yaml, .documents = true};

}  // namespace previct
