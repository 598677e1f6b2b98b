#include "api/recognise.h"

#include "api/kinds.h"
#include "base/ascii.h"
#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace previct {
namespace {

/// Collects the names of the fields that an object has by its describe().
struct FieldNames {
  std::string names;  // separated by blanks

  template <class T>
  void operator()(std::string_view name, T&& /*member*/) {
    names += fmt::format("{} ", name);
  }
};

template <class T>
auto names_of_fields() -> std::string {
  T object;
  FieldNames fields;
  describe(fields, object);
  return std::move(fields.names);
}

struct Row {
  const KindInfo* kind;
  EnclosingList list;
  std::string fields;  // that an object may have, separated by blanks; `*`: any
};

void add_row(const KindInfo& kind, const std::string& read, std::vector<Row>& rows) {
  if (!kind.recognized) return;
  const std::string_view more = kind.recognized->more_fields;
  rows.push_back({&kind,
                  {std::string(kind.api_version), fmt::format("{}List", kind.name)},
                  more == "*" ? "*" : fmt::format("{}{}", read, more)});
}

auto rows() -> const std::vector<Row>& {
  static const auto kRows = [] {
    std::vector<Row> all;
#define PREVICT_KIND(type, store, ...) add_row(kinds::store, names_of_fields<type>(), all);
#include "api/kinds.def"
    return all;
  }();
  return kRows;
}

auto row_of(const KindInfo* kind) -> const Row* {
  const auto& all = rows();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.kind == kind; });
  return row == all.end() ? nullptr : &*row;
}

auto row_of_plural(std::string_view name) -> const Row* {
  const auto& all = rows();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.kind->plural == name; });
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
  /// Returns true if the object has no keys other than `more` and those that every object may have.
  [[nodiscard]] auto only(std::string_view more) const -> bool {
    if (!is(object_, EventType::begin_map)) return false;
    for (std::uint32_t key = object_ + 1; key < tape_[object_].next; key = tape_[key + 1].next) {
      const std::string_view name = tape_.text(tape_[key]);
      if (!contains_word("apiVersion kind metadata spec status", name) && !contains_word(more, name) && more != "*")
        return false;
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

/// The plural in a selfLink: `pods` for `/api/v1/namespaces/default/pods/a`.
auto plural_of_link(std::string_view link) -> std::string_view {
  if (!link.starts_with("/api/") && !link.starts_with("/apis/")) return {};
  link = link.substr(0, link.rfind('/'));
  return link.substr(link.rfind('/') + 1);
}

auto kind_of_fields(const Fields& object, const Tape& tape) -> const KindInfo* {
  const bool workload = object.has({"spec", "template"});
  if (object.has_list({"spec", "containers"}) && !workload) return &kinds::pods;
  if (object.has_list({"spec", "accessModes"}) || object.has_map({"spec", "capacity"})) {
    const bool volume = object.has_map({"spec", "capacity"}) && object.has_list({"spec", "accessModes"});
    if (volume) return &kinds::persistent_volumes;
    return object.has_map({"spec", "resources"}) ? &kinds::persistent_volume_claims : nullptr;
  }
  const bool node = object.has_map({"status", "nodeInfo"}) || object.has_list({"status", "addresses"}) ||
                    object.has({"spec", "podCIDR"}) || object.has({"spec", "providerID"});
  if (object.has_map({"status", "allocatable"}) || (object.has_map({"status", "capacity"}) && node))
    return &kinds::nodes;
  if (is_integer(object, tape, "value") && object.only(row_of(&kinds::priority_classes)->fields))
    return &kinds::priority_classes;
  const bool budget = object.has({"spec", "minAvailable"}) || object.has({"spec", "maxUnavailable"});
  if ((budget && object.has_map({"spec", "selector"}) && !workload) || object.has({"status", "disruptionsAllowed"})) {
    return &kinds::disruption_budgets;
  }
  if (!object.text({"provisioner"}).empty()) return &kinds::storage_classes;
  if (object.has_list({"spec", "drivers"})) return &kinds::csi_nodes;
  if (object.has({"spec", "attacher"}) && object.has({"spec", "nodeName"})) return &kinds::volume_attachments;
  const std::string_view phase = object.text({"status", "phase"});
  if ((phase == "Active" || phase == "Terminating") && object.has_list({"spec", "finalizers"}))
    return &kinds::namespaces;
  if (object.has_map({"involvedObject"}) && object.has({"reason"})) return &kinds::events;
  return nullptr;
}

// --- By path.

auto is_alphanumeric(char c) -> bool {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// The words of a name, without the characters between them.
auto joined_words(std::string_view name) -> std::string {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out), is_alphanumeric);
  return out;
}

auto row_named(std::string_view written) -> const Row* {
  const std::string joined = joined_words(written);
  for (const Row& row : rows()) {
    const std::string name = lower_case(row.kind->name);
    const bool meant = joined == row.kind->plural || joined == name || joined == name + "list";
    if (meant || contains_word(row.kind->recognized->files, joined)) return &row;
  }
  return nullptr;
}

/// The kind that a name such as `kubectl_get_pods_-A_-o_json` mentions; none if it mentions several.
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

/// The name without `.json.gz` and similar suffixes.
auto stem_of(std::string_view file) -> std::string_view {
  return file.substr(0, std::min(file.find('.', 1), file.size()));
}

}  // namespace

auto list_by_fields(const Tape& tape, std::uint32_t index) -> const EnclosingList* {
  const Fields object(tape, index);
  const bool named = !object.text({"metadata", "name"}).empty() || !object.text({"metadata", "generateName"}).empty();
  // A kind that is not a string is an error.
  if (!named || object.has({"kind"})) return nullptr;
  const Row* row = row_of_plural(plural_of_link(object.text({"metadata", "selfLink"})));
  if (row == nullptr) row = row_of(kind_of_fields(object, tape));
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
    const bool lists_all = row != nullptr && row->kind != &kinds::events && row->kind != &kinds::config_maps;
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
  const auto& all = rows();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.list.kind == list.kind; });
  return row != all.end() && object.only(row->fields);
}

}  // namespace previct
