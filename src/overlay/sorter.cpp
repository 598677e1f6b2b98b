#include "overlay/sorter.h"

#include "api/names_to_come.h"
#include "engine/engine.h"
#include "overlay/claims.h"
#include "overlay/other_deciders.h"
#include "overlay/templates.h"

#include <fmt/format.h>

#include <utility>

namespace previct {
namespace {

auto holds_pod_template(const Tape& tape, std::uint32_t object) -> bool {
  for (std::uint32_t at = object + 1; at + 1 < tape[object].next; ++at) {
    if (tape.string(at) == "containers" && tape[at + 1].type == EventType::begin_list) return true;
  }
  return false;
}

}  // namespace

auto Sorter::take(const FoundObject& found, FileId file) -> Result<void> {
  const Tape& tape = found.tape;
  const Source start{file, tape[found.index].line, tape[found.index].column};
  if (tape.find(found.index, "status") < tape.size()) with_status_.insert(start);
  if (tape.string(tape.find(found.index, "kind")) == "PodDisruptionBudget")
    budgets_.insert_or_assign(start, budget_spec_of(found));
  switch (configurations_.take(found, file)) {
    case ConfigurationFinder::Found::no: break;
    case ConfigurationFinder::Found::yes: return {};
    case ConfigurationFinder::Found::again: return fail("--with may apply only one configuration of this kind", start);
  }
  const std::uint32_t pod = template_of(found).value_or(found.index);
  const Source at{file, tape[pod].line, tape[pod].column};
  const std::string_view runtime_class = tape.string(tape.find(tape.find(pod, "spec"), "runtimeClassName"));
  if (!runtime_class.empty()) runtime_classes_.insert_or_assign(at, objects_.symbols.intern(runtime_class));
  PREVICT_TRY(std::vector<PersistentVolumeClaim> claims, ephemeral_claims(tape, pod, file, objects_));
  if (!claims.empty()) ephemeral_claims_.insert_or_assign(at, std::move(claims));
  PREVICT_CHECK(add_object(found, file, objects_));
  for (const Engine* engine : engines()) {
    PREVICT_TRY(const bool instead_of_pods, engine->create_for(found, file, objects_));
    if (instead_of_pods) return {};
  }
  if (std::string why = why_kueue_decides(found, objects_); !why.empty())
    other_deciders_.insert_or_assign(at, std::move(why));
  PREVICT_TRY(TemplatePods pods, add_pods_of_template(found, file, new_pods_, objects_));
  if (pods.unknown) unknown_.push_back(*std::move(pods.unknown));
  if (pods.rolls_out) rolled_out_.insert(start);
  if (pods.scaled_down) scaled_down_.push_back(*std::move(pods.scaled_down));
  if (!pods.remark.empty()) remarks_.push_back(std::move(pods.remark));
  if (!pods.of_workload) note_unknown_controller(found);
  return {};
}

auto Sorter::budget(const Source& source) const -> const BudgetSpec* {
  const auto found = budgets_.find(source);
  return found == budgets_.end() ? nullptr : &found->second;
}

auto Sorter::runtime_class(const Source& source) const -> Symbol {
  const auto found = runtime_classes_.find(source);
  return found == runtime_classes_.end() ? Symbol{} : found->second;
}

auto Sorter::other_decider(const Source& source) const -> std::string {
  const auto found = other_deciders_.find(source);
  return found == other_deciders_.end() ? std::string() : found->second;
}

auto Sorter::claims(const Source& source) const -> std::vector<PersistentVolumeClaim> {
  const auto found = ephemeral_claims_.find(source);
  return found == ephemeral_claims_.end() ? std::vector<PersistentVolumeClaim>() : found->second;
}

void Sorter::note_unknown_controller(const FoundObject& found) {
  const Tape& tape = found.tape;
  const std::string_view kind = tape.string(tape.find(found.index, "kind"));
  // Of a RayCluster, only the owner is read.
  const bool is_read = kind_matters(tape.string(tape.find(found.index, "apiVersion")), kind);
  if (is_read && kind != kinds::ray_clusters.name) return;
  if (kind == "PodTemplate" || !holds_pod_template(tape, found.index)) return;
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  const std::string_view ns = tape.string(tape.find(metadata, "namespace"));
  unknown_controllers_.push_back(
      fmt::format("{} {}/{}", kind, ns.empty() ? "default" : ns, name_or_prefix(tape, metadata)));
  kueue_decides_ = kueue_decides_ || is_queued(found, objects_);
}

}  // namespace previct
