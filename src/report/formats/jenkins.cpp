#include "report/format.h"
#include "report/junit_xml.h"

namespace previct {
namespace {

auto render_jenkins(const Report& report, const Style& /*style*/) -> std::string {
  return junit_xml(report, JUnitPlaces::in_text_only);
}

}  // namespace

const Format& jenkins_format = Format{.name = "jenkins",
                                      .ending = "xml",
                                      .what = "JUnit XML that the xUnit plugin of Jenkins accepts",
                                      .render = render_jenkins,
                                      .judgements = true};

}  // namespace previct
