#include "overlay/surroundings.h"

#include "api/decode.h"
#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
namespace {

template <class T>
auto add(const FoundObject& found, FileId file, Objects& objects, std::vector<T>& store) -> Result<void> {
  T object;
  Decoder decoder(found.tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(found.index, object));
  const auto same = std::find_if(store.begin(), store.end(), [&](const T& each) {
    return each.meta.name == object.meta.name && each.meta.ns == object.meta.ns;
  });
  if (same != store.end()) {
    *same = std::move(object);
  } else {
    store.push_back(std::move(object));
  }
  return {};
}

struct Owner {
  ObjectMeta meta;

  template <class Field>
  friend void describe(Field& field, Owner& self) {
    field("metadata", self.meta);
  }
};

auto add_scale(const FoundObject& found, std::string_view kind, FileId file, Objects& objects, Surroundings& around)
    -> Result<void> {
  Owner owner;
  Decoder decoder(found.tape, file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(found.index, owner));
  Scale scale{.uid = owner.meta.uid, .replicas = 1, .controller = {}};
  const Tape& tape = found.tape;
  const std::uint32_t replicas = tape.find(tape.find(found.index, "spec"), "replicas");
  if (replicas < tape.size()) scale.replicas = go::parse_int(tape.text(tape[replicas]), 32).value_or(1);
  if (const OwnerReference* controller = controller_of(owner.meta)) scale.controller = *controller;
  const std::string_view ns = objects.symbols.text(owner.meta.ns);
  around.scales[fmt::format("{}/{}/{}", kind, ns.empty() ? "default" : ns, objects.symbols.text(owner.meta.name))] =
      scale;
  return {};
}

class Sink final : public InputSink {
 public:
  Sink(Objects& objects, Surroundings& around) : objects_(objects), around_(around) {}
  auto take(const FoundObject& found, FileId file) -> Result<void> override {
    return take_into(found, file, objects_, around_);
  }
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}

 private:
  Objects& objects_;
  Surroundings& around_;
};

}  // namespace

auto take_into(const FoundObject& found, FileId file, Objects& objects, Surroundings& around) -> Result<void> {
  std::string_view kind = found.tape.string(found.tape.find(found.index, "kind"));
  // Items of a typed list may omit their kind.
  if (kind.empty() && found.list != nullptr && found.list->kind.ends_with("List")) {
    kind = found.list->kind;
    kind.remove_suffix(4);
  }
  constexpr std::array<std::string_view, 4> kScaled = {"Deployment", "ReplicaSet", "StatefulSet",
                                                       "ReplicationController"};
  if (kind == "LimitRange") return add(found, file, objects, around.limit_ranges);
  if (kind == "ResourceQuota") return add(found, file, objects, around.quotas);
  if (kind == "RuntimeClass") return add(found, file, objects, around.runtime_classes);
  if (kind == "ResourceClaimTemplate") return add(found, file, objects, around.claim_templates);
  if (kind == "MutatingWebhookConfiguration") return add(found, file, objects, around.webhooks);
  if (std::find(kScaled.begin(), kScaled.end(), kind) != kScaled.end())
    return add_scale(found, kind, file, objects, around);
  return {};
}

auto read_again(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects, InputSink& sink)
    -> Result<void> {
  std::vector<std::string> again = paths;
  std::erase(again, "-");
  if (again.empty()) return {};
  // Messages and counts of the inputs are complete since they were first read.
  const Diagnostics diagnostics = objects.diagnostics;
  const InputSummary summary = static_cast<const InputSummary&>(objects);
  const auto inputs = objects.inputs;
  const auto read = objects.read;
  LoadOptions quiet = options;
  quiet.progress = nullptr;
  quiet.arrivals = nullptr;
  Result<void> done = read_objects(again, quiet, objects, sink);
  static_cast<InputSummary&>(objects) = summary;
  objects.diagnostics = diagnostics;
  objects.inputs = inputs;
  objects.read = read;
  return done;
}

auto surroundings_of(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Surroundings> {
  Surroundings around;
  Sink sink(objects, around);
  PREVICT_CHECK(read_again(paths, options, objects, sink));
  return around;
}

}  // namespace previct
