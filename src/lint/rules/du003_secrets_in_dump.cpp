#include "lint/rule.h"

namespace previct::lint {

const Rule& du003_secrets_in_dump_rule =
    Rule{.id = "DU003",
         .name = "secrets-in-dump",
         .severity = Severity::warning,
         .title = "a dump that contains Secrets",
         .why =
             "The data of Secrets, and their last-applied configurations, end up in bug reports and repositories "
             "together with the file.",
         .how_to_fix = "Dump only the kinds that you need, or remove the Secret objects.",
         .source = "openshift/must-gather#115; submariner-io/submariner-operator#1257",
         .check =
             [](const Repository& repository, FindingSink& found) {
               std::vector<Value> secrets;
               for (const Manifest* secret : repository.of(kind::kSecret)) {
                 const Value data = (*secret)["data"];
                 if (secret->stored && data.size() > 0) secrets.push_back(data);
               }
               if (secrets.empty()) return;
               found.key(secrets.front(), fmt::format("{} is in the file, including its data{}",
                                                      secrets.front().manifest().identity(), and_more(secrets.size())));
             },
         .whole_cluster = true};

}  // namespace previct::lint
