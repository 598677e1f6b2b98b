#include "suite/tested_cluster.h"

#include "analysis/subject.h"
#include "api/locate.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace previct::suite {
namespace {

auto fill(const Setting& setting, const std::string& folder, TestedCluster& tested) -> Result<void> {
  Question& question = tested.question;
  const std::vector<std::string> state = below(folder, setting.state);
  PREVICT_TRY(const Configurations of_state, load(state, {.recursive = true}, tested.objects));
  question.replace_by(of_state);
  Overlay overlay;
  overlay.with = below(folder, setting.policies);
  overlay.without = setting.without;
  overlay.now = parse_instant(setting.now);
  // Priorities of handwritten pods come from the classes under test.
  PREVICT_TRY(const OverlayResult overlaid, apply_overlay(overlay, {.recursive = true}, tested.objects));
  PREVICT_CHECK(admit_all(tested.objects));
  question.replace_by(overlaid.configurations);
  static_cast<SchedulerOptions&>(question) = setting;
  question.show_all = true;
  question.now = setting.now.empty() ? tested.objects.newest : parse_instant(setting.now).value_or(Instant{});
  if (question.now == Instant{} && tested.objects.pods.empty()) question.now = kAnyMoment;
  if (question.now == Instant{})
    return fail("the state has no timestamp that could be the current time", {}, "set now: in the suite");
  const Snapshot cluster(tested.objects);
  for (const Engine* engine : engines()) PREVICT_CHECK(engine->check_configuration(cluster, question));
  return {};
}

}  // namespace

auto below(const std::string& folder, const std::vector<std::string>& paths) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const std::string& path : paths)
    all.push_back((std::filesystem::path(folder) / path).lexically_normal().generic_string());
  return all;
}

auto tested_cluster_of(const Setting& setting, const std::string& folder) -> Result<std::unique_ptr<TestedCluster>> {
  auto tested = std::make_unique<TestedCluster>();
  if (auto filled = fill(setting, folder, *tested); !filled) {
    return tl::unexpected(with_place(std::move(filled).error(), tested->objects.files));
  }
  return tested;
}

auto moment_of(const std::string& text, Instant now) -> Instant {
  if (text.empty()) return now;
  if (text == "never") return Instant::never();
  if (text.starts_with('+')) return now.plus_nanos(parse_go_duration(std::string_view(text).substr(1)).value_or(0));
  return parse_instant(text).value_or(now);
}

auto places_of(const std::vector<Evidence>& evidence, const Objects& objects) -> std::string {
  std::vector<FieldOf> fields;
  for (const Evidence& item : evidence) {
    if (item.source.file) fields.push_back({item.source, item.field});
  }
  std::vector<std::string> places;
  for (const Place& found : locate(objects.sources, fields)) {
    std::string place = objects.files.describe(found);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  return joined(places, ", ");
}

auto with_place(Failure failure, const Files& files) -> Failure {
  if (failure.place.file) failure.message = fmt::format("{}: {}", files.describe(failure.place), failure.message);
  failure.place = {};
  return failure;
}

}  // namespace previct::suite
