#include "engine/yunikorn/config.h"
#include "lint/rule.h"

#include <optional>

namespace previct::lint {

const Rule& yk012_config_refused_rule =
    Rule{.id = "YK012",
         .name = "config-refused",
         .severity = Severity::error,
         .title = "a queue configuration that the scheduler refuses",
         .why =
             "YuniKorn reads the configuration strictly and checks it as a whole. A new scheduler does not start with "
             "it; a running one keeps the old configuration.",
         .how_to_fix = "Correct the value that the finding names.",
         .source =
             "apache/yunikorn-core pkg/common/configs/config.go, configvalidator.go; checked with the reader that "
             "explain uses",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kYunikornQueues)) {
             auto config = yunikorn::read_config(manifest->tape, 0, FileId{0});
             std::optional<Failure> failure;
             if (!config) {
               failure = config.error();
             } else if (const auto checked = yunikorn::check(*config); !checked) {
               failure = checked.error();
             }
             if (failure) found.failure(*manifest, *failure);
           }
         }};

}  // namespace previct::lint
