#pragma once

#include "report/report.h"

#include <set>
#include <string>
#include <vector>

namespace previct::test {

/// Differences between what a real scheduler said and what previct says, one line each; empty: they agree.
using Differences = std::vector<std::string>;

/// A member of an object; null where there is none.
[[nodiscard]] auto at(const Json& v, const std::string& key) -> Json;

/// Is an item in a list? No in what is no list.
[[nodiscard]] auto contains(const Json& list, const Json& item) -> bool;

/// Every fact of `want` must stand in `got`, which may hold more. An absent fact equals an empty one. Lists under a key
/// of `as_sets` are compared without their order.
void compare(const Json& want, const Json& got, const std::string& path, const std::set<std::string>& as_sets,
             Differences& out);

/// What an engine's golden case demands of previct's answer. `got` is the document of `explain -o json`.
[[nodiscard]] auto compare_kube(const Json& want, const Json& got) -> Differences;
/// Of `got` also what the attempts of the real scheduler showed: every node, set of victims and message that was seen.
[[nodiscard]] auto compare_kube_config(const Json& want, const Json& got) -> Differences;
/// Of a configuration that the real scheduler refuses: `said` is why it was refused here.
[[nodiscard]] auto compare_refusal(const Json& want, const std::string& said) -> Differences;
[[nodiscard]] auto compare_cluster(const Json& want, const Json& got) -> Differences;
[[nodiscard]] auto compare_kai(const Json& want, const Json& got) -> Differences;
[[nodiscard]] auto compare_yunikorn(const Json& want, const Json& got) -> Differences;
/// Without the facts that `varies` names: the order of Go's maps decides them. Of a case with `unmodelled` only that
/// it is said.
[[nodiscard]] auto compare_kueue(const Json& want, const Json& got) -> Differences;

/// What decided a fact here: the rule of the node that the difference is about, and where upstream has that rule. Empty
/// where the engine does not say.
[[nodiscard]] auto decided_by(const std::string& difference, const Json& got) -> std::string;

}  // namespace previct::test
