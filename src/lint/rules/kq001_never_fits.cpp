#include "lint/kueue_state.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq001_never_fits_rule = Rule{
    .id = "KQ001",
    .name = "never-fits",
    .severity = Severity::error,
    .title = "a pending workload that requests more than its ClusterQueue can ever have",
    .why = "It is never admitted, but tried repeatedly. In a StrictFIFO queue, no later workload is admitted either.",
    .how_to_fix = "Raise the quota or the borrowing limit, or lower the request.",
    .source = "kubernetes-sigs/kueue pkg/scheduler/flavorassigner (maximum capacity); #6929",
    .check = [](const Repository& repository, FindingSink& found) {
      const KueueState& state = repository.derived<KueueState>();
      for (const KueueState::Tried& each : state.tried()) {
        if (mildest_of(each.nomination.assignment) != kueue::Severity::over_capacity) continue;
        const Manifest* const manifest = state.manifest_of(each.workload);
        if (manifest == nullptr) continue;
        found.object(*manifest, fmt::format("Workload {} requests more than ClusterQueue {} can ever have",
                                            state.inventory()->workloads()[each.workload].key,
                                            state.inventory()->queues()[each.queue].name));
      }
    }};

}  // namespace previct::lint
