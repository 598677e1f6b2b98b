#include "analysis/report_context.h"

#include "base/text.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

/// The number of objects in each file, by kind; counted once for all questions.
struct ObjectsOfFiles {
  explicit ObjectsOfFiles(const Snapshot& cluster) {
    cluster.objects().each_store([&](std::string_view kind, const auto& store) {
      std::map<FileId, std::size_t> of_kind;
      auto last = of_kind.end();  // neighbors are often in one file
      for (const auto& object : store) {
        const FileId file = object.meta.source.file;
        if (last == of_kind.end() || last->first != file) last = of_kind.try_emplace(file, 0).first;
        ++last->second;
      }
      for (const auto& [file, count] : of_kind) counts[file][std::string(kind)] = count;
    });
  }

  std::map<FileId, std::map<std::string, std::size_t>> counts;
};

auto inputs_json(const Snapshot& cluster, const InputDigests& arrivals) -> Json {
  const Objects& objects = cluster.objects();
  const auto& counts = cluster.derived<ObjectsOfFiles>().counts;
  Json list = Json::array();
  for (std::uint32_t i = 0; i < objects.files.size(); ++i) {
    Json json{{"path", objects.files.name(FileId{i})}};
    if (const auto arrived = arrivals.find(FileId{i}); arrived != arrivals.end()) {
      json["bytes"] = arrived->second.bytes;
      json["sha256"] = arrived->second.sha256;
    }
    if (const auto found = counts.find(FileId{i}); found != counts.end()) json["objects"] = found->second;
    list.push_back(std::move(json));
  }
  return list;
}

auto rules_words(std::string_view engine, std::string_view behaves) -> std::string {
  return fmt::format("{}{}{}", engine, behaves.empty() ? "" : " ", behaves);
}

}  // namespace

Provenance::Provenance(const ReportContext& context)
    : now_(context.now), now_source_(context.now_source), inputs_(inputs_json(context.cluster, context.arrivals)) {
  add_gaps(context.input_gaps, gaps_);
}

void Provenance::add(std::string_view engine, std::string_view behaves, const std::vector<Gap>& gaps) {
  // An engine may report a kind as missing that is known to have been refused.
  add_gaps(gaps, gaps_);
  if (engine.empty()) return;
  const bool known = std::any_of(rules_.begin(), rules_.end(),
                                 [&](const Rules& each) { return each.engine == engine && each.behaves == behaves; });
  if (!known) rules_.push_back({std::string(engine), std::string(behaves)});
}

auto Provenance::complete() const -> bool {
  return std::none_of(gaps_.begin(), gaps_.end(), may_change_answer);
}

auto Provenance::lines(std::string_view when, std::string_view also) const -> std::vector<Line> {
  std::string text =
      when.empty() ? now_source_ == "none"
                         ? "at any time (the input has no timestamps)"
                         : fmt::format("as of {} UTC ({})", format_clock(now_, Instant{}), source_words(now_source_))
                   : std::string(when);
  for (const Rules& each : rules_) {
    text += fmt::format("{} {}", &each == &rules_.front() ? ";" : " and", rules_words(each.engine, each.behaves));
  }
  if (!also.empty()) text += fmt::format("; {}", also);
  const Span state = complete() ? Span{"input complete"} : Span{"input incomplete", Tone::soon};
  std::vector<Line> lines{{{{text + "; "}, state}}};
  std::vector<Gap> gaps = gaps_;
  std::stable_partition(gaps.begin(), gaps.end(), may_change_answer);
  for (const Gap& gap : gaps) lines.push_back(gap_line(gap));
  return lines;
}

auto Provenance::document(std::string_view kind) const -> Json {
  Json json = bare_document(kind);
  Json& metadata = json["metadata"];
  const auto rules_json = [](const Rules& rules) {
    Json out{{"name", rules.engine}};
    if (!rules.behaves.empty()) out["behaves"] = rules.behaves;
    return out;
  };
  if (rules_.size() == 1) metadata["engine"] = rules_json(rules_.front());
  for (const Rules& each : rules_) {
    if (rules_.size() > 1) metadata["engines"].push_back(rules_json(each));
  }
  metadata["now"] = format_instant(now_);
  metadata["nowSource"] = now_source_;
  metadata["inputs"] = inputs_;

  Json& completeness = json["completeness"] = {{"level", complete() ? "complete" : "incomplete"},
                                               {"missingKinds", Json::array()},
                                               {"unmodelled", Json::array()},
                                               {"assumptions", Json::array()}};
  for (const Gap& gap : gaps_) {
    const std::string_view list = gap.kind() == GapKind::missing_kind ? "missingKinds"
                                  : gap.kind() == GapKind::unmodelled ? "unmodelled"
                                                                      : "assumptions";
    const std::string what = what_words(gap);
    const std::string follows = follows_words(gap);
    completeness[std::string(list)].push_back(what);
    if (!follows.empty()) completeness["weakens"].push_back({{"what", what}, {"conclusion", follows}});
  }
  return json;
}

auto bare_document(std::string_view kind) -> Json {
  return {{"apiVersion", "previct/v1alpha1"}, {"kind", kind}, {"metadata", {{"tool", "previct " PREVICT_VERSION}}}};
}

auto source_words(std::string_view now_source) -> std::string_view {
  if (now_source == "newest-in-input") return "newest time in the input";
  if (now_source == "none") return "no timestamp in the input";
  return now_source == "clock" ? "by the clock" : "by --now";
}

auto gap_line(const Gap& gap) -> Line {
  return {{{gap_words(gap), may_change_answer(gap) ? Tone::soon : Tone::dim}}};
}

auto place_json(const Files& files, const Place& place) -> Json {
  Json json{{"path", files.name(place.file)}};
  if (place.line != 0) json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
  return json;
}

}  // namespace previct
