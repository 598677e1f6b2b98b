#include "api/recognise.h"

#include "api/kinds.h"
#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>

namespace previct {
namespace {

struct Row {
  std::string_view plural;  // as in URLs
  std::string_view others;  // names that files have, between blanks
  EnclosingList list;
  std::string_view fields;  // of the object, beside metadata, spec and status
};

auto rows() -> std::span<const Row> {
  static const std::array kRows = {
      Row{"pods", "pod podlist", {"v1", "PodList"}, ""},
      Row{"nodes", "node nodelist", {"v1", "NodeList"}, ""},
      Row{"namespaces", "namespace namespacelist ns projects", {"v1", "NamespaceList"}, ""},
      Row{"priorityclasses",
          "priorityclass priorityclasslist pc",
          {"scheduling.k8s.io/v1", "PriorityClassList"},
          "value globalDefault description preemptionPolicy"},
      Row{"poddisruptionbudgets",
          "poddisruptionbudget poddisruptionbudgetlist pdb pdbs",
          {"policy/v1", "PodDisruptionBudgetList"},
          ""},
      Row{"persistentvolumes", "persistentvolume persistentvolumelist pv pvs", {"v1", "PersistentVolumeList"}, ""},
      Row{"persistentvolumeclaims",
          "persistentvolumeclaim persistentvolumeclaimlist pvc pvcs",
          {"v1", "PersistentVolumeClaimList"},
          ""},
      Row{"storageclasses",
          "storageclass storageclasslist sc",
          {"storage.k8s.io/v1", "StorageClassList"},
          "provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode "
          "allowedTopologies"},
      Row{"csinodes", "csinode csinodelist", {"storage.k8s.io/v1", "CSINodeList"}, ""},
      Row{"csidrivers", "csidriver csidriverlist", {"storage.k8s.io/v1", "CSIDriverList"}, ""},
      Row{"volumeattachments",
          "volumeattachment volumeattachmentlist",
          {"storage.k8s.io/v1", "VolumeAttachmentList"},
          ""},
      Row{"configmaps", "configmap configmaplist cm", {"v1", "ConfigMapList"}, "data binaryData immutable"},
      Row{"events", "event eventlist", {"v1", "EventList"}, "*"},
  };
  return kRows;
}

auto has_word(std::string_view words, std::string_view word) -> bool {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

auto row_of_plural(std::string_view name) -> const Row* {
  const auto all = rows();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.plural == name; });
  return row == all.end() ? nullptr : &*row;
}

// --- By fields.

/// The fields of one object.
class Fields {
 public:
  Fields(const Tape& tape, std::uint32_t object) : tape_(tape), object_(object) {}

  [[nodiscard]] auto at(std::initializer_list<std::string_view> path) const -> std::uint32_t {
    std::uint32_t at = object_;
    for (const std::string_view step : path) at = tape_.find(at, step);
    return at;
  }
  [[nodiscard]] auto has(std::initializer_list<std::string_view> path) const -> bool {
    const std::uint32_t found = at(path);
    return found < tape_.size() && !(is(found, EventType::scalar) && tape_[found].scalar == ScalarType::null);
  }
  [[nodiscard]] auto has_map(std::initializer_list<std::string_view> path) const -> bool {
    return is(at(path), EventType::begin_map);
  }
  [[nodiscard]] auto has_list(std::initializer_list<std::string_view> path) const -> bool {
    return is(at(path), EventType::begin_list);
  }
  [[nodiscard]] auto text(std::initializer_list<std::string_view> path) const -> std::string_view {
    return tape_.string(at(path));
  }
  /// No keys but these, and those that every object may have.
  [[nodiscard]] auto only(std::string_view more) const -> bool {
    if (!is(object_, EventType::begin_map)) return false;
    for (std::uint32_t key = object_ + 1; key < tape_[object_].next; key = tape_[key + 1].next) {
      const std::string_view name = tape_.text(tape_[key]);
      if (!has_word("apiVersion kind metadata spec status", name) && !has_word(more, name) && more != "*") return false;
    }
    return true;
  }

 private:
  [[nodiscard]] auto is(std::uint32_t index, EventType type) const -> bool {
    return index < tape_.size() && tape_[index].type == type;
  }

  const Tape& tape_;
  std::uint32_t object_;
};

auto is_integer(const Fields& object, const Tape& tape, std::string_view field) -> bool {
  const std::uint32_t at = object.at({field});
  return at < tape.size() && tape[at].type == EventType::scalar && tape[at].scalar == ScalarType::integer;
}

/// `pods` of `/api/v1/namespaces/default/pods/a`.
auto plural_of_link(std::string_view link) -> std::string_view {
  if (!link.starts_with("/api/") && !link.starts_with("/apis/")) return {};
  link = link.substr(0, link.rfind('/'));
  return link.substr(link.rfind('/') + 1);
}

auto plural_of_fields(const Fields& object, const Tape& tape) -> std::string_view {
  const bool workload = object.has({"spec", "template"});
  if (object.has_list({"spec", "containers"}) && !workload) return "pods";
  if (object.has_list({"spec", "accessModes"}) || object.has_map({"spec", "capacity"})) {
    const bool volume = object.has_map({"spec", "capacity"}) && object.has_list({"spec", "accessModes"});
    return volume ? "persistentvolumes" : object.has_map({"spec", "resources"}) ? "persistentvolumeclaims" : "";
  }
  const bool node = object.has_map({"status", "nodeInfo"}) || object.has_list({"status", "addresses"}) ||
                    object.has({"spec", "podCIDR"}) || object.has({"spec", "providerID"});
  if (object.has_map({"status", "allocatable"}) || (object.has_map({"status", "capacity"}) && node)) return "nodes";
  if (is_integer(object, tape, "value") && object.only(row_of_plural("priorityclasses")->fields))
    return "priorityclasses";
  const bool budget = object.has({"spec", "minAvailable"}) || object.has({"spec", "maxUnavailable"});
  if ((budget && object.has_map({"spec", "selector"}) && !workload) || object.has({"status", "disruptionsAllowed"})) {
    return "poddisruptionbudgets";
  }
  if (!object.text({"provisioner"}).empty()) return "storageclasses";
  if (object.has_list({"spec", "drivers"})) return "csinodes";
  if (object.has({"spec", "attacher"}) && object.has({"spec", "nodeName"})) return "volumeattachments";
  const std::string_view phase = object.text({"status", "phase"});
  if ((phase == "Active" || phase == "Terminating") && object.has_list({"spec", "finalizers"})) return "namespaces";
  if (object.has_map({"involvedObject"}) && object.has({"reason"})) return "events";
  return {};
}

// --- By path.

auto is_alphanumeric(char c) -> bool {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// In small letters, without what stands between words.
auto joined_words(std::string_view name) -> std::string {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out), is_alphanumeric);
  return out;
}

auto row_named(std::string_view name) -> const Row* {
  const std::string joined = joined_words(name);
  for (const Row& row : rows()) {
    if (row.plural == joined || has_word(row.others, joined)) return &row;
  }
  return nullptr;
}

/// `kubectl_get_pods_-A_-o_json` names pods; of several kinds none counts.
auto row_among_words(std::string_view name) -> const Row* {
  const Row* found = nullptr;
  while (!name.empty()) {
    const auto end =
        static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), is_alphanumeric) - name.begin());
    if (const Row* const row = row_of_plural(name.substr(0, end)); row != nullptr) {
      if (found != nullptr && found != row) return nullptr;
      found = row;
    }
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return found;
}

/// Without `.json.gz` and the like.
auto stem_of(std::string_view file) -> std::string_view {
  return file.substr(0, std::min(file.find('.', 1), file.size()));
}

}  // namespace

auto list_by_fields(const Tape& tape, std::uint32_t index) -> const EnclosingList* {
  const Fields object(tape, index);
  const bool named = !object.text({"metadata", "name"}).empty() || !object.text({"metadata", "generateName"}).empty();
  // A kind that is no text is a mistake.
  if (!named || object.has({"kind"})) return nullptr;
  const Row* row = row_of_plural(plural_of_link(object.text({"metadata", "selfLink"})));
  if (row == nullptr) row = row_of_plural(plural_of_fields(object, tape));
  return row == nullptr ? nullptr : &row->list;
}

auto tells_kind(const FoundObject& found) -> bool {
  if (found.list != nullptr && !item_kind(*found.list).empty()) return true;
  return !found.tape.string(found.tape.find(found.index, "kind")).empty() ||
         list_by_fields(found.tape, found.index) != nullptr;
}

auto list_of_path(std::string_view path) -> std::optional<ListOfPath> {
  constexpr std::string_view kCollector = "cluster-resources/";
  const std::string small = lower_case(path);
  std::string_view rest = small;
  if (const std::size_t at = rest.rfind(kCollector); at != std::string_view::npos) {
    rest.remove_prefix(at + kCollector.size());
    const Row* const row = row_named(rest.substr(0, rest.find_first_of("/.")));
    const bool lists_all = row != nullptr && row->plural != "events" && row->plural != "configmaps";
    if (row != nullptr) return ListOfPath{row->list, lists_all};
  }
  rest.remove_prefix(std::min(rest.rfind('!') + 1, rest.size()));
  const std::size_t slash = rest.rfind('/');
  const std::string_view stem = stem_of(rest.substr(slash + 1));
  const Row* row = row_named(stem);
  if (row == nullptr) row = row_among_words(stem);
  if (row == nullptr && slash != std::string_view::npos) {
    const std::string_view directory = rest.substr(0, slash);
    row = row_named(directory.substr(directory.rfind('/') + 1));
  }
  return row == nullptr ? std::nullopt : std::optional(ListOfPath{row->list, false});
}

auto may_be_item(const EnclosingList& list, const Tape& tape, std::uint32_t index) -> bool {
  const Fields object(tape, index);
  if (object.text({"metadata", "name"}).empty() || object.has({"kind"})) return false;
  const auto all = rows();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.list.kind == list.kind; });
  return row != all.end() && object.only(row->fields);
}

}  // namespace previct
