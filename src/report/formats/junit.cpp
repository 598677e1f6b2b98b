#include "report/format.h"
#include "report/junit_xml.h"

namespace previct {
namespace {

auto render_junit(const Report& report, const Style& /*style*/) -> std::string {
  return junit_xml(report, JUnitPlaces::in_attributes);
}

}  // namespace

const Format& junit_format = Format{.name = "junit",
                                    .ending = "xml",
                                    .what = "findings or test results as JUnit XML",
                                    .render = render_junit,
                                    .judgements = true};

}  // namespace previct
