#include "capture/capture.h"

#include "capture/rewriting.h"
#include "live/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace previct::capture {
namespace {

constexpr std::string_view kFreeText = kinds::events.name;  // a kind whose objects name other objects in free text

// None if objects of this kind are not stored; captures do not hold them.
auto size_of_store(const Objects& objects, std::string_view of) -> std::optional<std::size_t> {
  std::optional<std::size_t> size;
  objects.each_store([&](std::string_view kind, const auto& store) {
    if (kind == of) size = store.size();
  });
  return size;
}

void add_refused(Capture& to, RefusedKind refused) {
  const bool known = std::any_of(to.refused.begin(), to.refused.end(),
                                 [&](const RefusedKind& each) { return each.resource == refused.resource; });
  if (!known) to.refused.push_back(std::move(refused));
}

void set_origin(Capture& in, std::string_view kind, const std::string& version, std::string_view ns) {
  for (CapturedKind& each : in.kinds) {
    if (each.kind != kind) continue;
    if (each.resource_version.empty()) each.resource_version = version;
    if (each.ns.empty()) each.ns = ns;
  }
}

}  // namespace

auto manifest_of(const Objects& objects, const live::Reading* reading, Instant clock) -> Capture {
  Capture manifest;
  manifest.tool = "previct " PREVICT_VERSION;
  manifest.of = reading != nullptr ? "cluster" : "files";
  if (reading != nullptr) {
    manifest.taken = clock;
  } else if (objects.newest != Instant{}) {
    manifest.taken = objects.newest;
  }
  manifest.inputs_skipped = objects.inputs_skipped || objects.broken_files.count > 0 || objects.broken_pods.count > 0 ||
                            objects.lost_objects.count > 0;
  manifest.nodes_read_separately =
      !objects.nodes.empty() && std::any_of(objects.pods.begin(), objects.pods.end(), [&](const Pod& pod) {
        return !listed_with_nodes(objects, pod.meta.source.file);
      });
  for (const live::Resource& resource : live::resources()) {
    const std::string kind(resource.kind->key);
    const bool known = objects.counts.contains(kind) || objects.listed.contains(kind);
    const bool told = std::any_of(manifest.kinds.begin(), manifest.kinds.end(),
                                  [&](const CapturedKind& each) { return each.kind == kind; });
    const std::optional<std::size_t> size = size_of_store(objects, resource.kind->store_name);
    if (!known || told || !size) continue;
    manifest.kinds.push_back({kind, static_cast<std::int64_t>(*size), {}, {}});
  }
  for (const auto& [kind, namespaces] : objects.plugin_objects) {
    const auto count = objects.counts.find(kind);
    for (const std::string& ns : namespaces)
      manifest.of_plugins.push_back(
          {kind, count == objects.counts.end() ? 0 : static_cast<std::int64_t>(count->second), {}, ns});
  }
  const auto add = [&](const live::Reading& of) {
    for (const auto& [resource, version] : of.lists)
      set_origin(manifest, resource->kind->key, version, of.namespace_of(*resource));
    for (const live::Refused& refused : of.refused) {
      if (refused.forbidden) add_refused(manifest, {std::string(refused.resource->kind->resource), refused.words});
    }
  };
  if (reading != nullptr) add(*reading);
  // Keep what the manifests of earlier captures say.
  for (const Capture& earlier : objects.captures) {
    manifest.anonymized = manifest.anonymized || earlier.anonymized;
    for (const CapturedKind& each : earlier.kinds) set_origin(manifest, each.kind, each.resource_version, each.ns);
    for (const RefusedKind& refused : earlier.refused) add_refused(manifest, refused);
  }
  return manifest;
}

auto text_of(const Objects& objects, const Configurations& configurations, const Capture& manifest, const Words& words)
    -> Result<std::string> {
  std::string out;
  FieldWriter writer(words, out);
  Capture written = manifest;
  // Kinds of which the cluster may have more objects than the input has: when the capture is read, it must not count
  // as a list of them. Without a list, an input without running pods may lack them.
  const bool idle = !objects.nodes.empty() && std::none_of(objects.pods.begin(), objects.pods.end(),
                                                           [](const Pod& pod) { return bool{pod.spec.node_name}; });
  std::erase_if(written.kinds, [&](const CapturedKind& each) {
    const KindInfo& kind = *kind_of_key(each.kind);
    const bool perhaps_more =
        objects.manifest_only_kinds.contains(std::string(kind.name)) || (&kind == &kinds::pods && idle);
    return perhaps_more && !objects.listed.contains(each.kind);
  });
  writer.write("previct/v1alpha1", "Capture", written);
  out += '\n';
  // The configurations precede the objects, so that a capture that was cut off cannot lack one unnoticed.
  const Rename rename = [&](std::string_view text, Role role) { return words.name(text, role); };
  for (const ConfigurationKind& kind : configuration_kinds()) {
    const auto& found = configurations.*kind.member;
    if (!found) continue;
    PREVICT_TRY(const std::string json, configuration_json(*found, rename));
    out += json + '\n';
  }
  if (objects.kai_scheduler) {
    // Written as in a snapshot of the scheduler itself, so that it is recognized when it is read again. Its objects
    // follow like all others.
    std::string line;
    FieldWriter fields(words, line);
    line += '{';
    kai::RunningScheduler running = *objects.kai_scheduler;
    describe(fields, running);
    out += line + (line.size() > 1 ? "," : "") + "\"rawObjects\":{}}\n";
  }
  objects.each_store([&](std::string_view kind, const auto& store) {
    if (manifest.anonymized && kind == kFreeText) return;
    const KindInfo& info = *kind_of_store(kind);
    for (const auto& object : store) {
      writer.write(info.api_version, info.name, object);
      out += '\n';
    }
  });
  return out;
}

void mark_anonymized(Capture& manifest) {
  manifest.anonymized = true;
  for (CapturedKind& each : manifest.of_plugins) each.ns.clear();
  for (RefusedKind& refused : manifest.refused) refused.why = "not permitted";  // kubectl's message names the user
  std::erase_if(manifest.kinds, [](const CapturedKind& each) { return each.kind == kFreeText; });
}

auto reading_of(const Capture& capture, const std::function<bool(const live::Resource&)>& matters) -> live::Reading {
  live::Reading reading;
  for (const RefusedKind& refused : capture.refused) {
    for (const live::Resource& resource : live::resources()) {
      if (resource.kind->resource != refused.resource || !matters(resource)) continue;
      reading.refused.push_back({&resource, true, refused.why});
      break;
    }
  }
  for (const CapturedKind& kind : capture.kinds) {
    for (const live::Resource& resource : live::resources()) {
      if (resource.kind->key != kind.kind || !(resource.kind == &kinds::pods || matters(resource))) continue;
      if (!kind.resource_version.empty()) reading.lists.emplace_back(&resource, kind.resource_version);
      if (!kind.ns.empty()) {
        reading.ns = kind.ns;
        reading.of_one_namespace.insert(&resource);
      }
      break;
    }
  }
  return reading;
}

}  // namespace previct::capture
