#include "base/go.h"
#include "base/text.h"
#include "lint/rule.h"

#include <map>

namespace previct::lint {
namespace {

auto is_label(std::string_view name) -> bool {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name.front()) && letter(name.back()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || c == '-'; });
}

void check_numbers(const Value& of, FindingSink& found) {
  for (const char* field : {"minMember", "minSubGroup"}) {
    const auto number = go::parse_int(of[field].text(), 64);
    if (number && *number < 0)
      found.value(of[field], fmt::format("{} {} should be greater than or equal to 0", field, *number));
  }
  if (of["minMember"] && of["minSubGroup"])
    found.field(of["minSubGroup"], "minMember and minSubGroup are mutually exclusive");
}

// An enum of the CRD; `semi-preemptible` exists since 0.18.
void check_preemptibility(const Value& value, FindingSink& found) {
  if (!value.is_string() || value.is("preemptible") || value.is("non-preemptible") || value.is("semi-preemptible"))
    return;
  auto note = found.value(
      value, fmt::format("preemptibility \"{}\" is not preemptible, non-preemptible or semi-preemptible (0.18)",
                         value.text()));
  if (const auto meant = nearest(value.text(), {"preemptible", "non-preemptible"})) note.fix_value(*meant);
}

class SubGroups {
 public:
  SubGroups(const Value& list, FindingSink& found) : list_(list), found_(found) {}

  void check() {
    for (const Value& each : list_) {
      const Value name = each["name"];
      check_numbers(each, found_);
      if (!is_label(name.text())) {
        found_.value(name ? name : each, fmt::format("\"{}\" is not a valid name of a sub-group", name.text()));
      }
      by_name_.emplace(name.text(), each);  // KA024 reports duplicate names and missing parents
    }
    for (const Value& each : list_) check_parent(each);
  }

 private:
  void check_parent(const Value& each) {
    const Value parent = each["parent"];
    if (!parent) return;
    const auto of = by_name_.find(parent.text());
    if (of == by_name_.end()) return;
    if (of->second["minMember"]) {
      found_.field(
          of->second["minMember"],
          fmt::format("sub-group {} has children, so it needs minSubGroup instead of minMember", parent.text()));
    }
    std::size_t steps = 0;
    for (auto at = of; at != by_name_.end() && steps <= by_name_.size(); ++steps) {
      if (at->first == each["name"].text()) {
        found_.value(parent, fmt::format("sub-group {} is its own ancestor", each["name"].text()));
        return;
      }
      at = by_name_.find(at->second["parent"].text());
    }
  }

  Value list_;
  FindingSink& found_;
  std::map<std::string_view, Value> by_name_;
};

}  // namespace

const Rule& ka027_group_refused_rule =
    Rule{.id = "KA027",
         .name = "group-refused",
         .severity = Severity::error,
         .title = "a PodGroup that the API server or the webhook refuses",
         .why = "The API server does not create it, and its pods are not scheduled as a group.",
         .how_to_fix = "Correct the value that the finding names.",
         .source =
             "kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds/scheduling.run.ai_podgroups.yaml, "
             "pkg/apis/scheduling/v2alpha2/podgroup_webhook.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* group : repository.of(kind::kKaiPodGroup)) {
             check_numbers((*group)["spec"], found);
             check_preemptibility(group->in("spec.preemptibility"), found);
             SubGroups(group->in("spec.subGroups"), found).check();
           }
         }};

}  // namespace previct::lint
