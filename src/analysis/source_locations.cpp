#include "analysis/source_locations.h"

#include "api/locate.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {

SourceLocations::SourceLocations(const ReportContext& context)
    : objects_(context.cluster.objects()),
      diagnostics_(context.cluster.diagnostics()),
      left_(context.fields_to_locate) {}

void SourceLocations::want(const std::vector<Evidence>& evidence) {
  for (const Evidence& each : evidence) {
    if (left_ == 0) return;
    // Objects of a cluster have no text to read again.
    if (each.source.file && !of_cluster(each) && !each.field.empty() &&
        known_.try_emplace({each.source, each.field}, each.source).second)
      --left_;
  }
}

void SourceLocations::look_up() {
  std::vector<FieldOf> fields;
  for (const auto& [field, place] : known_) fields.push_back({field.first, field.second});
  std::vector<FileId> missed;
  const std::vector<Place> places = locate(objects_.sources, fields, &missed);
  for (const FileId file : missed) {
    diagnostics_.warn("not-read-again", "the file changed or cannot be read again, so places refer to whole objects",
                      {file, 0, 0});
  }
  std::size_t i = 0;
  for (auto& [field, place] : known_) place = places[i++];
}

auto SourceLocations::of(const Evidence& evidence) const -> Place {
  const auto known = known_.find({evidence.source, evidence.field});
  return known == known_.end() ? evidence.source : known->second;
}

auto SourceLocations::of_cluster(const Evidence& evidence) const -> bool {
  return files().live(evidence.source.file);
}

auto SourceLocations::described(const Evidence& evidence) const -> std::string {
  return of_cluster(evidence) ? std::string() : files().describe(of(evidence));
}

auto SourceLocations::described(const std::vector<Evidence>& evidence) const -> std::string {
  std::vector<std::string> texts;
  for (const Evidence& each : evidence) {
    std::string text = of_cluster(each) ? fmt::format("{}{}{}", each.object, each.field.empty() ? "" : " ", each.field)
                                        : described(each);
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  return texts.empty() ? "-" : joined(texts, ", ");
}

}  // namespace previct
