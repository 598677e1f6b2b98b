#pragma once

#include "api/objects.h"

#include <string_view>
#include <vector>

namespace previct {

/// The kinds that README's `kubectl get` command requests, in its order. A List shows only existing objects; it does
/// not show which other kinds were requested.
inline constexpr std::string_view kDocumentedKinds =
    "pods,nodes,namespaces,priorityclasses,poddisruptionbudgets,pv,pvc,storageclasses,csinodes,csidrivers,svc,rc,rs,"
    "sts,csistoragecapacities,volumeattachments";

/// The kinds of that command without an object in the input, if one of its files shows that the command created it:
/// every cluster has pods, nodes, namespaces, priority classes and CSINodes, and they occur in the command's order.
/// Empty if no file does, or if an input is a capture. The kinds after `csidrivers` were added to the command later: up
/// to `sts`, they count if the file has Services after the rest, because every cluster has one; the others are never
/// known to be requested.
[[nodiscard]] auto requested_kinds_without_objects(const Objects& objects) -> std::vector<const KindInfo*>;

/// Marks this kind as complete: the input is assumed to hold all its objects, possibly none.
void mark_as_listed(const KindInfo& kind, Objects& objects);

}  // namespace previct
