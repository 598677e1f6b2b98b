#pragma once

#include "api/capture.h"
#include "api/cluster_event.h"
#include "api/custom_resource.h"
#include "api/dynamic_resources.h"
#include "api/kai.h"
#include "api/kind_info.h"
#include "api/kueue.h"
#include "api/limits.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/pod_groups.h"
#include "api/policy.h"
#include "api/resource_slice.h"
#include "api/storage.h"
#include "api/workloads.h"
#include "api/yunikorn.h"
#include "base/diagnostics.h"
#include "base/symbols.h"
#include "input/documents.h"
#include "input/handover.h"
#include "input/sources.h"
#include "input/tape.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace previct {

/// Objects that do not say their kind, and how it was told all the same.
struct Recognised {
  std::size_t count = 0;
  Place first;
};

/// What was left out of inputs, though it may have been part of the cluster: every answer is incomplete then.
struct LeftOut {
  std::size_t count = 0;
  Place first;

  void add(const LeftOut& later);
};

/// What inputs tell beside their objects.
struct InputSummary {
  /// How many objects of each kind were read, also of kinds that are skipped: `Pod`, `apps/Deployment`.
  std::map<std::string, std::size_t> counts;
  /// Of which kinds lists were read and how many: of these the input is taken to be complete. A typed list
  /// proves its kind even when it is empty, a mixed `List` only the kinds it holds.
  std::map<std::string, std::size_t> listed;
  /// Namespaces of the objects of each PluginKind; empty: of the cluster, or not known.
  std::map<std::string, std::set<std::string>> plugin_objects;
  /// Kinds, without their groups, of which only manifests were read, though the nodes are from an API server: the
  /// cluster may hold others. Lists prove their kind all the same.
  std::set<std::string> by_hand;
  /// The newest timestamp seen in conditions, creations, starts and events, also those that are not kept; Instant{} if
  /// there was none.
  Instant newest;
  std::optional<kai::RunningScheduler> kai_scheduler;  ///< of a scheduler's own snapshot
  std::vector<Capture> captures;                       ///< what is known of inputs that are captures
  /// True if an input was left out because it was broken, on the user's wish: every answer is incomplete.
  bool inputs_skipped = false;
  std::string live_pods_of;  ///< a namespace, if a live cluster lets nobody list the pods of the others
  /// How many lists each file holds: what one list holds was read at once, but another may be a selection.
  std::map<FileId, std::size_t> lists;
  LeftOut unplaced_pods;       ///< Running by their phase, on no node
  LeftOut overtaken_pods;      ///< see note_overtaken_pods()
  LeftOut filled_policies;     ///< of pods that name a class and a priority, and no preemptionPolicy
  LeftOut filled_priorities;   ///< of pods that name a class and no priority; see fill_priorities()
  LeftOut default_priorities;  ///< of pods that name neither
  LeftOut zero_priorities;     ///< of those that run, so that the class may be younger than they are
  LeftOut broken_files;        ///< of a collection, but for those with pods
  LeftOut broken_pods;         ///< files that held pods, as far as they could be read, or by their names
  LeftOut lost_objects;        ///< of a list: without a name, or of a kind that nothing tells
  std::map<std::string, Recognised> recognised_by_field;  ///< by kind
  std::map<std::string, Recognised> recognised_by_path;

  /// The only namespace whose pods a cluster let the user list, now or when it was captured; empty: all of them.
  [[nodiscard]] auto only_pods_of() const -> std::string_view;
  /// Adds what an input that was read behind this one tells.
  void add(InputSummary later);
  /// Calls `change(place)` for the place of each remark.
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
    for (auto& [kind, recognised] : recognised_by_field) change(recognised.first);
    for (auto& [kind, recognised] : recognised_by_path) change(recognised.first);
    for (Capture& capture : captures) change(capture.source);
  }
};

/// How objects of one kind are kept: in a list, those of nodes and pods by ids.
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

/// The objects themselves, in the order of the input. A value: it can be copied, to be changed and compared; its
/// symbols and places are those of the Objects it comes from.
struct Stores : InputSummary {
  // Defined in one place: what copies and destroys thirty kinds of objects takes seconds to compile.
  Stores();
  Stores(const Stores& other);
  Stores(Stores&& other) noexcept;
  auto operator=(const Stores& other) -> Stores&;
  auto operator=(Stores&& other) noexcept -> Stores&;
  ~Stores();

#define PREVICT_KIND(type, store, ...) StoreOf<type> store;
#include "api/kinds.def"
  std::vector<Pod> replaced_pods;  ///< of an earlier input, each of whose name a later one is of another pod; no store

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

/// What one path was that the user named: a file, an archive or a directory.
struct InputRecord {
  FileId file = {};  ///< the path; the files from it to `last` are in it
  FileId last = {};
  std::string form = {};        ///< `YAML`, `JSON (tar, gzip)`
  std::uint64_t bytes = 0;      ///< as they were read
  std::uint64_t unpacked = 0;   ///< of the texts in them
  std::size_t texts = 0;        ///< that hold objects
  std::size_t passed_over = 0;  ///< files of a collection that hold none
  Instant newest = {};          ///< as Objects::newest
};

/// Everything a run has read, before anything is concluded from it.
struct Objects : Stores {
  Symbols symbols;
  Files files;
  Sources sources;  ///< for api/locate.h
  Diagnostics diagnostics;
  ReadCounts read;
  std::vector<InputRecord> inputs;  ///< in the order in which they were named
};

/// Decodes the object into `objects`, if its kind is one that previct reads; others are counted and skipped. Items of a
/// typed list may have no kind of their own (`Pod` for a PodList); else it is told by their fields, if they tell it.
///
/// Elements of a list that are null or empty, or have no name, are skipped, each with a warning `item-skipped`; but not
/// a pod on a node, which takes up room.
[[nodiscard]] auto add_object(const FoundObject& found, FileId file, Objects& objects) -> Result<void>;

/// Notes what the first line of a capture says; reading it counts as reading the lists that it names.
void add_capture(Capture capture, Objects& objects);

/// Was what this file holds read at once with the nodes? Then a node that it names and the input lacks has been
/// deleted; else the nodes may be a selection, or of another moment.
[[nodiscard]] auto listed_with_nodes(const Objects& objects, FileId file) -> bool;

/// Notes that a whole list was read.
void add_list(const EnclosingList& list, FileId file, Objects& objects);
/// Notes of what kind it was: of this kind the input is taken to be complete.
void prove_kind(const EnclosingList& list, Objects& objects);

/// True if objects of this apiVersion and kind are read at all; a reader may skip the others unrecorded.
[[nodiscard]] auto kind_matters(std::string_view api_version, std::string_view kind) -> bool;

}  // namespace previct
