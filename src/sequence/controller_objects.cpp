#include "sequence/controller_objects.h"

#include "api/decode.h"
#include "api/kinds.h"

#include <algorithm>

namespace previct::sequence {
namespace {

template <class Object>
auto decode(const FoundObject& found, FileId file, Objects& objects, std::vector<Object>& to) -> Result<void> {
  Object object;
  Decoder decoder(found.tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(found.index, object));
  if (!object.meta.ns) object.meta.ns = objects.symbols.intern("default");
  to.push_back(std::move(object));
  return {};
}

class ControllerObjectsSink final : public InputSink {
 public:
  explicit ControllerObjectsSink(Objects& objects) : objects_(objects) {}

  auto take(const FoundObject& found, FileId file) -> Result<void> override {
    return add_controller_object(found, file, objects_, controller_objects);
  }
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}

  ControllerObjects controller_objects{};

 private:
  Objects& objects_;
};

// Returns true if some pod has a controller of this kind. Empty: of any kind.
auto any_pod_of(const Objects& objects, std::string_view kind) -> bool {
  const Symbol symbol = objects.symbols.find(kind);
  if (!kind.empty() && !symbol) return false;
  return std::any_of(objects.pods.begin(), objects.pods.end(), [&](const Pod& pod) {
    const OwnerReference* owner = controller_of(pod.meta);
    return owner != nullptr && (kind.empty() || owner->kind == symbol);
  });
}

}  // namespace

auto has_controlled_pods(const Objects& objects) -> bool {
  return any_pod_of(objects, "");
}

auto add_controller_object(const FoundObject& found, FileId file, Objects& objects,
                           ControllerObjects& controller_objects) -> Result<void> {
  const Tape& tape = found.tape;
  const std::string_view kind = tape.string(tape.find(found.index, "kind"));
  const std::string_view version = tape.string(tape.find(found.index, "apiVersion"));
  const bool of_list = version.empty();  // items of a raw list do not state their kind
  const std::string_view of =
      kind.empty() ? (found.list == nullptr ? std::string_view() : item_kind(*found.list)) : kind;
  if (of == "Job" && (of_list || version.starts_with("batch/")))
    return decode(found, file, objects, controller_objects.jobs);
  if (of == "StatefulSet" && (of_list || version.starts_with("apps/")))
    return decode(found, file, objects, controller_objects.sets);
  if (of == "ResourceQuota" && (of_list || version == "v1"))
    return decode(found, file, objects, controller_objects.quotas);
  if (of == "LimitRange" && (of_list || version == "v1"))
    return decode(found, file, objects, controller_objects.limit_ranges);
  return {};
}

auto read_controller_objects(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<ControllerObjects> {
  const auto matter = [&](const char* kind, const char* of_owners) {
    return objects.counts.contains(kind) && any_pod_of(objects, of_owners);
  };
  if (!matter("batch/Job", "Job") && !matter("apps/StatefulSet", "StatefulSet") && !matter("ResourceQuota", "") &&
      !matter("LimitRange", ""))
    return ControllerObjects{};
  ControllerObjectsSink sink(objects);
  PREVICT_CHECK(read_again(paths, options, objects, sink));
  // A dump holds all objects of a kind, or none.
  sink.controller_objects.all_limit_ranges = !sink.controller_objects.limit_ranges.empty();
  return std::move(sink.controller_objects);
}

}  // namespace previct::sequence
