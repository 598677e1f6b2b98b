#include "base/contains.h"
#include "base/text.h"
#include "lint/kueue.h"
#include "lint/rule.h"

#include <string>
#include <vector>

namespace previct::lint {
namespace {

using Words = std::vector<std::string>;

void check_word(const Manifest& of, std::string_view path, const Words& allowed, FindingSink& found) {
  const Value value = of.in(path);
  if (!value || !value.is_scalar() || value.text().empty() || contains(allowed, value.text())) return;
  auto note = found.value(value, fmt::format("{} {}: {} \"{}\" is not one of {}", of.kind, of.name, path, value.text(),
                                             joined(allowed, ", ")));
  if (const auto meant = nearest(value.text(), allowed)) note.fix_value(*meant);
}

// Fields that only the other version has.
void check_version(const Manifest& of, std::string_view field, std::string_view version, std::string_view instead,
                   FindingSink& found) {
  const Value value = of["spec"][field];
  if (!value || of.version != version) return;
  found.key(value,
            fmt::format("ClusterQueue {}: {} has no field spec.{}, but spec.{}", of.name, version, field, instead));
}

}  // namespace

const Rule& kq016_value_refused_rule = Rule{
    .id = "KQ016",
    .name = "value-refused",
    .severity = Severity::error,
    .title = "a value or a field that the API server refuses in a queue of Kueue",
    .why =
        "The API server refuses the object if a policy is none of those that Kueue knows. kubectl also refuses a field "
        "that the version does not have; if it is applied without validation, the API server drops the field.",
    .how_to_fix = "Correct the value, or write the field of that version.",
    .source =
        "kubernetes-sigs/kueue apis/kueue/v1beta1, apis/kueue/v1beta2: clusterqueue_types.go, localqueue_types.go",
    .check = [](const Repository& repository, FindingSink& found) {
      const Words stop = {"None", "Hold", "HoldAndDrain"};
      for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
        const bool old = queue->version == "v1beta1";
        const auto check = [&](std::string_view path, const Words& allowed) {
          check_word(*queue, path, allowed, found);
        };
        check("spec.preemption.withinClusterQueue", {"Never", "LowerPriority", "LowerOrNewerEqualPriority"});
        check("spec.preemption.reclaimWithinCohort", {"Never", "LowerPriority", "Any"});
        check("spec.preemption.borrowWithinCohort.policy", {"Never", "LowerPriority"});
        check("spec.queueingStrategy", {"StrictFIFO", "BestEffortFIFO"});
        check("spec.stopPolicy", stop);
        Words borrow = {"MayStopSearch", "TryNextFlavor"};
        Words preempt = borrow;
        if (old) borrow.emplace_back("Borrow");
        if (old) preempt.emplace_back("Preempt");
        check("spec.flavorFungibility.whenCanBorrow", borrow);
        check("spec.flavorFungibility.whenCanPreempt", preempt);
        check("spec.flavorFungibility.preference", {"BorrowingOverPreemption", "PreemptionOverBorrowing"});
        check_version(*queue, "cohort", "v1beta2", "cohortName", found);
        check_version(*queue, "admissionChecks", "v1beta2", "admissionChecksStrategy", found);
        check_version(*queue, "cohortName", "v1beta1", "cohort", found);
      }
      for (const Manifest* queue : repository.of(kind::kLocalQueue)) check_word(*queue, "spec.stopPolicy", stop, found);
    }};

}  // namespace previct::lint
