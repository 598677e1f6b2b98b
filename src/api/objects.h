#pragma once

#include "api/capture.h"
#include "api/cluster_event.h"
#include "api/config_map.h"
#include "api/custom_resource.h"
#include "api/device_taint_rule.h"
#include "api/dynamic_resources.h"
#include "api/kai.h"
#include "api/kind_info.h"
#include "api/kueue.h"
#include "api/limits.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/pod_groups.h"
#include "api/policy.h"
#include "api/rbac.h"
#include "api/resource_slice.h"
#include "api/storage.h"
#include "api/workloads.h"
#include "base/diagnostics.h"
#include "base/symbols.h"
#include "input/documents.h"
#include "input/handover.h"
#include "input/sources.h"
#include "input/tape.h"
#include "registry/kinds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace previct {

/// Objects without a kind that were recognized nevertheless.
struct Recognized {
  std::size_t count = 0;
  Place first;
};

/// Objects or files that were left out although they may be part of the cluster, so that every answer is incomplete.
struct LeftOut {
  std::size_t count = 0;
  Place first;

  void add(const LeftOut& later);
};

/// The pods that controllers of the input count in their statuses.
struct LackingPods {
  std::int64_t counted = 0;
  std::int64_t lacking = 0;         ///< how many of them the input lacks
  std::vector<std::string> owners;  ///< of these: `ReplicaSet default/web`
};

/// What an overlay, or the loss of nodes, changed that the objects do not show.
struct OverlayEffects {
  bool removed_running = false;  ///< it removed pods from nodes, so that a cluster without running pods means nothing
  /// Workloads that delete unknown pods, with the numbers of pods that exist and are wanted: `Job ml/a`, `3`, `1`.
  std::vector<std::vector<std::string>> unknown_deletions;
  std::vector<Node> removed_nodes;  ///< the control plane is not older without them
  /// Deployments and StatefulSets that it has changed, and whose rollouts are not simulated: `Deployment ml/web`.
  std::set<std::string> unknown_rollouts;
};

/// Facts about the inputs, in addition to their objects.
struct InputSummary {
  OverlayEffects overlaid;
  /// The number of objects of each kind that were read, including kinds that are skipped: `Pod`, `apps/Deployment`.
  std::map<std::string, std::size_t> counts;
  /// The kinds for which lists were read, and their number: for these kinds, the input is assumed to be complete. A
  /// typed list proves its kind even if it is empty, a mixed `List` only the kinds that it holds.
  std::map<std::string, std::size_t> listed;
  /// The namespaces of the objects of each PluginKind; empty: cluster-scoped, or unknown.
  std::map<std::string, std::set<std::string>> plugin_objects;
  /// Kinds, without their groups, of which only manifests were read although the nodes come from an API server: the
  /// cluster may hold other objects. Lists prove their kind nevertheless.
  std::set<std::string> manifest_only_kinds;
  /// The newest timestamp in conditions, creations, starts and events, including objects that are not kept; Instant{}
  /// if there was none.
  Instant newest;
  std::optional<kai::RunningScheduler> kai_scheduler;  ///< from a scheduler's own snapshot
  std::vector<Capture> captures;                       ///< the manifests of inputs that are captures
  /// True if an invalid input was left out at the user's request, so that every answer is incomplete.
  bool inputs_skipped = false;
  std::string live_pods_of;  ///< the namespace, if the user may not list the pods of other namespaces in a live cluster
  /// The number of lists in each file. The content of one list was read at the same time, but another list may be a
  /// selection.
  std::map<FileId, std::size_t> lists;
  LeftOut unplaced_pods;       ///< phase Running, but not on a node
  LeftOut overtaken_pods;      ///< see note_overtaken_pods()
  LackingPods lacking_pods;    ///< see note_lacking_pods()
  LeftOut filled_policies;     ///< pods with a class and a priority, but without preemptionPolicy
  LeftOut filled_priorities;   ///< pods with a class, but without a priority; see fill_priorities()
  LeftOut default_priorities;  ///< pods with neither
  LeftOut zero_priorities;     ///< pods with neither that run, so that the class may be newer than the pod
  LeftOut broken_files;        ///< files of a collection, except those with pods
  LeftOut broken_pods;         ///< files with pods, judging by what could be read or by their names
  LeftOut lost_objects;        ///< objects of a list without a name, or of unknown kind
  std::map<std::string, Recognized> recognized_by_field;  ///< by kind
  std::map<std::string, Recognized> recognized_by_path;

  /// The only namespace whose pods the user was permitted to list, now or in a capture; empty: all namespaces.
  [[nodiscard]] auto only_pods_of() const -> std::string_view;
  /// Adds the summary of an input that was read after this one.
  void add(InputSummary later);
  /// Calls `change(place)` for the place of each summary entry.
  template <class Change>
  void each_place(Change change) {
    change(unplaced_pods.first);
    change(overtaken_pods.first);
    change(filled_policies.first);
    change(filled_priorities.first);
    change(default_priorities.first);
    change(zero_priorities.first);
    change(broken_files.first);
    change(broken_pods.first);
    change(lost_objects.first);
    for (auto& [kind, recognized] : recognized_by_field) change(recognized.first);
    for (auto& [kind, recognized] : recognized_by_path) change(recognized.first);
    for (Capture& capture : captures) change(capture.source);
  }
};

/// The container for objects of one kind: a list; for nodes and pods, a list that is indexed by ids.
template <class T>
using StoreOf = std::conditional_t<std::is_same_v<T, Pod>, IdVector<PodId, Pod>,
                                   std::conditional_t<std::is_same_v<T, Node>, IdVector<NodeId, Node>, std::vector<T>>>;

template <class Store>
[[nodiscard]] auto items_of(Store& store) -> auto& {
  if constexpr (requires { store.items(); }) {
    return store.items();
  } else {
    return store;
  }
}

/// The objects themselves, in the order of the input. A value type: it can be copied, modified and compared. Its
/// symbols and places belong to the Objects from which it comes.
struct Stores : InputSummary {
  // Defined in one translation unit, because copying and destroying thirty kinds of objects takes seconds to compile.
  Stores();
  Stores(const Stores& other);
  Stores(Stores&& other) noexcept;
  auto operator=(const Stores& other) -> Stores&;
  auto operator=(Stores&& other) noexcept -> Stores&;
  ~Stores();

#define PREVICT_KIND(type, store, ...) StoreOf<type> store;
#include "api/kinds.def"
  std::vector<Pod> replaced_pods;  ///< pods of the inputs that another pod of the same name (with another uid) has
                                   ///< replaced; not a store

  /// Calls `visit(kind, store)` for every store, in the order of api/kinds.def; `kind` is KindInfo::store_name.
  template <class Visit>
  void each_store(Visit visit) {
    visit_stores(*this, visit);
  }
  template <class Visit>
  void each_store(Visit visit) const {
    visit_stores(*this, visit);
  }

 private:
  template <class Self, class Visit>
  static void visit_stores(Self& self, Visit& visit) {
#define PREVICT_KIND(type, store, ...) visit(kinds::store.store_name, items_of(self.store));
#include "api/kinds.def"
  }
};

/// One path that the user named: a file, an archive or a directory.
struct InputRecord {
  FileId file = {};  ///< the path; the files from it to `last` belong to it
  FileId last = {};
  std::string form = {};        ///< `YAML`, `JSON (tar, gzip)`
  std::uint64_t bytes = 0;      ///< before unpacking
  std::uint64_t unpacked = 0;   ///< size of its texts
  std::size_t texts = 0;        ///< texts with objects
  std::size_t passed_over = 0;  ///< files of a collection without objects
  Instant newest = {};          ///< as Objects::newest
};

/// What symbols, places and file ids refer to, and the warnings about them.
struct InputTables {
  Symbols symbols;
  Files files;
  Sources sources;  ///< for api/locate.h
  Diagnostics diagnostics;
};

/// Everything that was read, before any decisions. Copies share the tables, so that a place or a warning outlives the
/// objects that it is about.
struct Objects : Stores {
  Objects() : Objects(std::make_shared<InputTables>()) {}
  explicit Objects(std::shared_ptr<InputTables> shared) : tables(std::move(shared)) {}

  std::shared_ptr<InputTables> tables;  ///< never null, but in an object that was moved from
  Symbols& symbols = tables->symbols;
  Files& files = tables->files;
  Sources& sources = tables->sources;
  Diagnostics& diagnostics = tables->diagnostics;
  ReadCounts read;
  /// How often a ChangedCluster was made of them. It restores the values, but values may have moved in memory.
  std::uint64_t changes = 0;
  std::vector<InputRecord> inputs;  ///< in the order of the command line
};

/// Decodes the object into `objects` if its kind is known; other objects are counted and skipped. Items of a typed list
/// may lack a kind (`Pod` in a PodList); other objects without a kind are recognized by their fields, if possible.
///
/// List elements that are null or empty, or have no name, are skipped, each with a warning `item-skipped`. A pod on a
/// node is not skipped, because it uses the node's resources.
[[nodiscard]] auto add_object(const FoundObject& found, FileId file, Objects& objects) -> Result<void>;

/// Records the first line of a capture; reading a capture counts as reading the lists that it names.
void add_capture(Capture capture, Objects& objects);

/// Returns true if the content of this file was read together with the nodes. Then a node that it refers to and the
/// input lacks has been deleted; otherwise the nodes may be a selection, or from another time.
[[nodiscard]] auto listed_with_nodes(const Objects& objects, FileId file) -> bool;

/// Records that a whole list was read.
void add_list(const EnclosingList& list, FileId file, Objects& objects);
/// Records the kind of a list: for this kind, the input is assumed to be complete.
void prove_kind(const EnclosingList& list, Objects& objects);

/// Returns true if objects of this apiVersion and kind are read; a reader may skip all others without recording them.
[[nodiscard]] auto kind_matters(std::string_view api_version, std::string_view kind) -> bool;

}  // namespace previct
