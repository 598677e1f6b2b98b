#include "history/redactor.h"

#include "base/contains.h"
#include "cluster/claim_users.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

namespace previct::history {
// NOLINTBEGIN(misc-no-recursion): the report is a tree of our own, of bounded depth
namespace {

constexpr std::string_view kAround = " ,;:()\"'[]{}=";
constexpr std::string_view kHidden = "hidden";

// The words of all notes. Source: kubernetes: pkg/scheduler/framework/preemption/executor.go,
// pkg/controller/tainteviction/taint_eviction.go; apache/yunikorn-core: pkg/scheduler/objects/events/ask_events.go;
// kai-scheduler: pkg/scheduler/framework/statement.go.
auto is_word_of_notes(std::string_view word) -> bool {
  constexpr std::string_view kWords =
      "Preempted by a pod Pod on node job podgroup PodGroup was were preempted higher priority workload at Queue "
      "queue uses of from in application Quota change enforcement process Marking for deletion because evicted "
      "Evicted to DisruptionTarget PreemptionByScheduler";
  return contains_word(kWords, word);
}

auto is_uid(std::string_view word) -> bool {
  constexpr std::size_t kShort = 8;
  return word.size() >= kShort && word.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

}  // namespace

auto without_names(std::string_view note, const std::set<std::string, std::less<>>& allowed) -> std::string {
  std::string out;
  for (std::size_t at = 0; at < note.size();) {
    const std::size_t end = std::min(note.find_first_of(kAround, at), note.size());
    const std::string_view word = note.substr(at, end - at);
    const std::string_view stop = word.ends_with('.') ? "." : "";
    const std::string_view bare = word.substr(0, word.size() - stop.size());
    const bool tells = !bare.empty() && !is_word_of_notes(bare) && !is_uid(bare) && !allowed.contains(bare);
    out += tells ? fmt::format("{}{}", kHidden, stop) : std::string(word);
    at = std::min(note.find_first_not_of(kAround, end), note.size());
    out += note.substr(end, at - end);
  }
  return out;
}

Redactor::Redactor(const Snapshot& cluster, std::string_view ns, const std::vector<Named>& named) : ns_(ns) {
  const Objects& objects = cluster.objects();
  objects.each_store([&](std::string_view, const auto& store) {
    for (const auto& object : store) learn(cluster.text(object.meta.ns), cluster.text(object.meta.name), {});
  });
  for (const Pod& pod : cluster.pods()) learn_pod(cluster, pod);
  for (const PersistentVolumeClaim& claim : objects.persistent_volume_claims) {
    learn(cluster.text(claim.meta.ns), cluster.text(claim.spec.volume_name), {});
  }
  for (const Named& each : named) learn(each.ns, each.name, each.uid);
}

void Redactor::learn(std::string_view ns, std::string_view name, std::string_view uid) {
  if (ns.empty()) return;
  if (ns == ns_) {
    own_.emplace(name);
    return;
  }
  foreign_.emplace(ns);
  if (name.empty()) return;
  names_.emplace(name);
  if (!uid.empty()) uids_.emplace(fmt::format("{}/{}", ns, name), uid);
}

void Redactor::learn_pod(const Snapshot& cluster, const Pod& pod) {
  const std::string_view ns = cluster.text(pod.meta.ns);
  learn(ns, cluster.text(pod.meta.name), cluster.text(pod.meta.uid));
  for (const OwnerReference& owner : pod.meta.owners) learn(ns, cluster.text(owner.name), {});
  for (const Volume& volume : pod.spec.volumes) {
    learn(ns, cluster.text(volume.claim.claim_name), {});
    learn(ns, cluster.text(volume.config_map.name), {});
    if (volume.ephemeral) learn(ns, ephemeral_claim_name(cluster.symbols(), pod, volume.name), {});
  }
}

void Redactor::redact(Report& report) const {
  const auto line = [&](Line& each) {
    for (Span& span : each.spans) redact(span.text);
  };
  const auto table = [&](Table& each) {
    for (auto& row : each.rows) {
      for (Span& cell : row) redact(cell.text);
    }
    // A row that equated a uid with a name is meaningless now.
    std::erase_if(each.rows, [](const std::vector<Span>& row) {
      const std::string& text = row.front().text;
      const std::size_t half = text.find(" is ");
      return half != std::string::npos && text.substr(0, half) == text.substr(half + 4);
    });
    for (Line& foot : each.footer) line(foot);
  };
  const auto marks = [&](std::vector<Picture::Mark>& all) {
    for (Picture::Mark& mark : all) redact(mark.text);
  };
  const auto picture = [&](Picture& each) {
    redact(each.title);
    for (Picture::Row& row : each.rows) {
      redact(row.label);
      for (Picture::Part& part : row.parts) {
        redact(part.name);
        redact(part.size);
      }
      marks(row.marks);
    }
    marks(each.marks);
    redact(each.folded_title);
    for (std::string& name : each.folded) redact(name);
  };
  for (Block& block : report.blocks) {
    if (Line* one = std::get_if<Line>(&block)) line(*one);
    if (Table* one = std::get_if<Table>(&block)) table(*one);
    if (Paragraph* one = std::get_if<Paragraph>(&block)) {
      redact(one->heading);
      for (Line& each : one->lines) line(each);
    }
    if (Picture* one = std::get_if<Picture>(&block)) picture(*one);
  }
  for (Table& each : report.evidence) table(each);
  redact(report.data);
  for (std::string& name : report.names) redact(name);
}

void Redactor::redact(std::string& text) const {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(kAround, at), text.size());
    out += redacted(std::string_view(text).substr(at, end - at));
    at = std::min(text.find_first_not_of(kAround, end), text.size());
    out += std::string_view(text).substr(end, at - end);
  }
  text = std::move(out);
}

void Redactor::redact(Json& json) const {
  if (json.is_string()) {
    redact(json.get_ref<std::string&>());
  } else if (json.is_object()) {
    // `{namespace, name, uid}`
    if (json.contains("namespace") && json["namespace"] != ns_) {
      json.erase("namespace");
      json.erase("name");
    }
    for (auto& [key, value] : json.items()) {
      if (key != "path") redact(value);
    }
  } else if (json.is_array()) {
    for (Json& value : json) redact(value);
  }
}

// One word, with the final period of its sentence: `ml/train-0`, `Pod/ml/train-0`, `pod/ml/train-0.`, `data`.
auto Redactor::redacted(std::string_view word) const -> std::string {
  const std::string_view stop = word.ends_with('.') ? "." : "";
  const std::string_view bare = word.substr(0, word.size() - stop.size());
  if (bare.find('/') != std::string_view::npos) return keyed(bare) + std::string(stop);
  const bool tells = (foreign_.contains(bare) || names_.contains(bare)) && !own_.contains(bare) && bare != ns_;
  return tells ? fmt::format("{}{}", kHidden, stop) : std::string(word);
}

auto Redactor::keyed(std::string_view word) const -> std::string {
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t slash = word.find('/', begin);
    if (slash == std::string_view::npos) break;
    if (foreign_.contains(word.substr(begin, slash - begin))) {
      const auto uid = uids_.find(std::string(word.substr(begin)));
      return fmt::format("{}{}", word.substr(0, begin), uid == uids_.end() ? kHidden : std::string_view(uid->second));
    }
    begin = slash + 1;
  }
  return std::string(word);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::history
