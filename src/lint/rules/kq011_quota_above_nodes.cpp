#include "api/fields.h"
#include "lint/kueue.h"
#include "lint/rule.h"

#include <map>
#include <utility>

namespace previct::lint {

const Rule& kq011_quota_above_nodes_rule = Rule{
    .id = "KQ011",
    .name = "quota-above-nodes",
    .severity = Severity::warning,
    .title = "more quota of a flavor than its nodes have",
    .why = "Kueue admits workloads up to the quota, and the pods of the last ones stay pending.",
    .how_to_fix = "Lower the quotas to what the nodes with the labels of the flavor have, or add nodes.",
    .source = "kubernetes-sigs/kueue#3210",
    .check = [](const Repository& repository, FindingSink& found) {
      if (repository.of(kind::kNode).empty() || repository.is_partial()) return;
      struct Sum {
        Quantity quota;
        Value first;
      };
      std::map<std::pair<std::string, std::string>, Sum> sums;
      for (const std::string_view kind : {kind::kClusterQueue, kind::kCohort}) {
        for (const Manifest* queue : repository.of(kind)) {
          for (const KueueQuota& quota : kueue_quotas(*queue)) {
            const auto nominal = quota.amount("nominalQuota");
            if (!nominal) continue;
            Sum& sum = sums[{std::string(quota.flavor_name()), std::string(quota.resource_name())}];
            sum.quota += *nominal;
            if (!sum.first) sum.first = quota.resource["nominalQuota"];
          }
        }
      }
      for (const auto& [key, sum] : sums) {
        const auto& [name, resource] = key;
        const Manifest* const flavor = find_named(repository, kind::kResourceFlavor, name);
        if (flavor == nullptr) continue;
        Quantity allocatable;
        bool some = false;
        for (const Manifest* node : repository.of(kind::kNode)) {
          bool selected = true;
          for (const Value& label : flavor->in("spec.nodeLabels"))
            selected = selected && node->in("metadata.labels")[label.key()].text() == label.text();
          if (!selected) continue;
          some = true;
          if (const auto amount = Quantity::parse(node->in("status.allocatable")[resource].text()))
            allocatable += *amount;
        }
        if (!some || sum.quota <= allocatable) continue;
        found.field(sum.first, fmt::format("the quotas of {} of flavor {} add up to {}, and its nodes have {}",
                                           resource, name, format_quantity(sum.quota), format_quantity(allocatable)));
      }
    }};

}  // namespace previct::lint
