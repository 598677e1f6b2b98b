#include "engine/kube/filter.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc011_kubelet_refuses_rule = Rule{
    .id = "SC011",
    .name = "kubelet-refuses",
    .severity = Severity::warning,
    .title = "a disabled filter that the kubelet applies anyway",
    .why =
        "The scheduler then places the pod on a node on which it does not fit: the victims are evicted, and the "
        "kubelet rejects the pod (OutOfcpu, NodePorts, NodeAffinity).",
    .how_to_fix = "Enable NodeResourcesFit, NodePorts and NodeAffinity.",
    .source = "kubernetes pkg/kubelet/lifecycle/predicate.go (generalFilter, by AdmissionCheck of pkg/scheduler)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
        if (profile.has_foreign_filter()) continue;  // it may check the same thing
        for (const char* point : {"filter", "multiPoint"}) {
          for (const kube::FilterInfo* filter : kube::filters()) {
            const std::string_view plugin = filter->name;
            const Value off = filter->kubelet ? profile.entry(point, "disabled", plugin) : Value();
            if (!off || profile.entry("filter", "enabled", plugin) || profile.entry("multiPoint", "enabled", plugin))
              continue;
            found.value(off["name"],
                        fmt::format("profile {} does not filter by {}; the kubelet rejects such pods after preemption",
                                    profile.name, plugin));
          }
        }
      }
    }};

}  // namespace previct::lint
