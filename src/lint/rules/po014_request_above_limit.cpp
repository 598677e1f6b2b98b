#include "api/quantity.h"
#include "lint/rule.h"

namespace previct::lint {
namespace {

void check_requests(const Value& holder, const std::string& what, FindingSink& found) {
  for (const Value& request : holder["resources"]["requests"]) {
    const Value limit = holder["resources"]["limits"][request.key()];
    const auto least = Quantity::parse(request.text());
    const auto most = Quantity::parse(limit.text());
    if (!limit || !least || !most || !(*most < *least)) continue;
    found.value(request, fmt::format("{} requests {} of {}, more than its limit of {}", what, request.text(),
                                     request.key(), limit.text()));
  }
}

}  // namespace

const Rule& po014_request_above_limit_rule =
    Rule{.id = "PO014",
         .name = "request-above-limit",
         .severity = Severity::error,
         .title = "a request above its limit",
         .why = "The API server refuses the pod, and the workload whose template contains it.",
         .how_to_fix = "Raise the limit, or lower the request.",
         .source = "kubernetes pkg/apis/core/validation ValidateContainerResourceRequirements, v1.35",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const PodShape& pod : repository.pods()) {
             if (!pod.authored()) continue;
             check_requests(pod.spec, pod.manifest->identity(), found);
             for (const char* list : {"initContainers", "containers"}) {
               for (const Value& container : pod.spec[list])
                 check_requests(container,
                                fmt::format("container {} of {}", container["name"].text(), pod.manifest->identity()),
                                found);
             }
           }
         }};

}  // namespace previct::lint
