#include "analysis/parts.h"

#include "report/rows.h"

#include <fmt/format.h>

namespace previct {

auto priority_class_of(const Snapshot& cluster, PodId id) -> std::string {
  return std::string(cluster.text(cluster.pod(id).spec.priority_class_name));
}

auto priority_of(const Snapshot& cluster, PodId id) -> std::string {
  const PodSpec& spec = cluster.pod(id).spec;
  return spec.has_priority ? fmt::format("{}", spec.priority) : "-";
}

auto or_dash(std::string text) -> std::string {
  return text.empty() ? "-" : std::move(text);
}

auto node_name(const Snapshot& cluster, PodId id) -> std::string {
  return std::string(cluster.text(cluster.pod(id).spec.node_name));
}

void set(Json& object, std::string_view key, Json value) {
  if (Json kept = present(std::move(value)); !kept.is_null()) object[std::string(key)] = std::move(kept);
}

auto pod_json(const Snapshot& cluster, PodId id) -> Json {
  const ObjectMeta& meta = cluster.pod(id).meta;
  Json json = Json::object();
  set(json, "namespace", cluster.text(meta.ns));
  set(json, "name", cluster.text(meta.name));
  set(json, "uid", cluster.text(meta.uid));
  return json;
}

auto evidence_json(const std::vector<Evidence>& evidence, const SourceLocations& places) -> Json {
  Json list = Json::array();
  for (const Evidence& item : evidence) {
    Json json = Json::object();
    set(json, "object", item.object);
    set(json, "field", item.field);
    if (const Place place = places.of(item); place.file) json["source"] = place_json(places.files(), place);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace previct
