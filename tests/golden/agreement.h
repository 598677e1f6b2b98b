#pragma once

#include "report/report.h"

#include <set>
#include <string>
#include <vector>

namespace previct::test {

/// Differences between the answers of a real scheduler and of previct, one line each; empty: they agree.
using Differences = std::vector<std::string>;

/// Returns a member of an object; null if there is none.
[[nodiscard]] auto at(const Json& v, const std::string& key) -> Json;

/// Returns true if `list` is a list that contains the item.
[[nodiscard]] auto contains(const Json& list, const Json& item) -> bool;

/// Checks that `got` contains every fact of `want`; it may hold more. An absent fact equals an empty one. Lists under a
/// key of `as_sets` are compared without their order.
void compare(const Json& want, const Json& got, const std::string& path, const std::set<std::string>& as_sets,
             Differences& out);

/// Compares previct's answer with an engine's golden case. `got` is the document of `explain -o json`.
[[nodiscard]] auto compare_kube(const Json& want, const Json& got) -> Differences;
/// Also compares what the attempts of the real scheduler showed: every node, set of victims and message that occurred.
[[nodiscard]] auto compare_kube_config(const Json& want, const Json& got) -> Differences;
/// Compares the refusal of a configuration that the real scheduler refuses: `said` is the reason given here.
[[nodiscard]] auto compare_refusal(const Json& want, const std::string& said) -> Differences;
[[nodiscard]] auto compare_cluster(const Json& want, const Json& got) -> Differences;
[[nodiscard]] auto compare_kai(const Json& want, const Json& got) -> Differences;
[[nodiscard]] auto compare_yunikorn(const Json& want, const Json& got) -> Differences;
/// Ignores the facts listed in `varies`, because the order of Go's maps decides them. For a case with `unmodelled`,
/// only checks that this is reported.
[[nodiscard]] auto compare_kueue(const Json& want, const Json& got) -> Differences;

/// Returns what decided a fact here: the rule for the node of the difference, and the upstream source of the rule.
/// Empty if the engine does not report it.
[[nodiscard]] auto decided_by(const std::string& difference, const Json& got) -> std::string;

}  // namespace previct::test
