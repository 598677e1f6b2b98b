#pragma once

#include "api/objects.h"

#include <string_view>
#include <vector>

namespace previct {

/// What README's `kubectl get` asks for, in its order. A List shows only what there was: of the kinds that it was asked
/// for and that have no object it says nothing.
inline constexpr std::string_view kDocumentedKinds =
    "pods,nodes,namespaces,priorityclasses,poddisruptionbudgets,pv,pvc,storageclasses,csinodes,csidrivers,svc,rc,rs,"
    "sts";

/// The kinds of that command of which the input holds no object, if one of its files shows
/// that it was made by it: every cluster has pods, nodes, namespaces, priority classes and CSINodes, and they stand in
/// the command's order. Empty if none does, or if one is a capture. The last four were not always part of it: they
/// count if the file holds Services behind the rest, of which every cluster has one.
[[nodiscard]] auto kinds_asked_in_vain(const Objects& objects) -> std::vector<const KindInfo*>;

/// From now on the input is taken to hold every object of this kind, be it none.
void take_as_listed(const KindInfo& kind, Objects& objects);

}  // namespace previct
