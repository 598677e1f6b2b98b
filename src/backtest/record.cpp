#include "backtest/record.h"

#include "analysis/lost_work.h"
#include "cluster/controlled_pods.h"
#include "history/disruptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct::backtest {
namespace {

auto id_of(const Snapshot& cluster, PodId id) -> std::string {
  const std::string_view uid = cluster.text(cluster.pod(id).meta.uid);
  return uid.empty() ? cluster.key(id) : std::string(uid);
}

auto workload_of(const Snapshot& cluster, PodId id) -> std::string {
  return describe_owner(owner_of_pod(cluster, cluster.pod(id)));
}

auto facts_of(const Snapshot& cluster, PodId id) -> VictimFacts {
  const Pod& pod = cluster.pod(id);
  LostWork of_an_hour;
  of_an_hour.add(cluster, pod, 1);
  return {.id = id_of(cluster, id),
          .workload = workload_of(cluster, id),
          .priority_class = std::string(cluster.text(pod.spec.priority_class_name)),
          .start = pod.status.start_time,
          .cpus = rounded_hours(of_an_hour.cpu_hours),
          .devices = rounded_hours(of_an_hour.all_device_hours())};
}

auto find(const Snapshot& cluster, const std::string& pod) -> PodId {
  const std::size_t slash = pod.find('/');
  return cluster.find_pod(pod.substr(0, slash), pod.substr(slash + 1));
}

auto fate_of(const Snapshot& cluster, const Pending& earlier) -> Fate {
  const PodId id = find(cluster, earlier.pod);
  if (!id || id_of(cluster, id) != earlier.id) return {earlier.pod, "gone", {}};
  const Pod& pod = cluster.pod(id);
  if (pod.spec.node_name) return {earlier.pod, "bound", std::string(cluster.text(pod.spec.node_name))};
  if (!pod.status.nominated_node_name) return {earlier.pod, "pending", {}};
  return {earlier.pod, "nominated", std::string(cluster.text(pod.status.nominated_node_name))};
}

auto runs(const Snapshot& cluster, PodId id) -> bool {
  const Pod& pod = cluster.pod(id);
  return pod.spec.node_name && !pod.meta.deleting && pod.status.phase != cluster.known().succeeded &&
         pod.status.phase != cluster.known().failed;
}

auto choice_of(const Decision& decision, Symbols& names) -> Choice {
  Choice choice{.outcome = std::string(outcome_name(decision.outcome)),
                .node = decision.node,
                .tied = {},
                .victims = decision.victims,
                .possible = {},
                .pdb_violations = decision.pdb_violations};
  if (decision.tied.size() > 1) choice.tied.assign(decision.tied.begin(), decision.tied.end());
  for (const std::string& pod : decision.possible) {
    const bool named = std::find(choice.victims.begin(), choice.victims.end(), pod) != choice.victims.end();
    if (!named) choice.possible.push_back(names.intern(pod));
  }
  return choice;
}

// ---- JSON

auto json_of(const Choice& choice, const Symbols& names) -> Json {
  if (choice.outcome.empty()) return nullptr;
  Json json{{"outcome", choice.outcome}};
  if (!choice.node.empty()) json["node"] = choice.node;
  if (!choice.tied.empty()) json["tied"] = choice.tied;
  if (!choice.victims.empty()) json["victims"] = choice.victims;
  for (const Symbol pod : choice.possible) json["possible"].push_back(names.text(pod));
  if (choice.pdb_violations != 0) json["pdbViolations"] = choice.pdb_violations;
  return json;
}

auto json_of(const Pending& pod, const Symbols& names) -> Json {
  Json json{{"pod", pod.pod}, {"uid", pod.id}, {"workload", pod.workload}};
  if (!pod.priority_class.empty()) json["class"] = pod.priority_class;
  json["priority"] = pod.priority;
  json["since"] = format_instant(pod.since);
  json["at"] = format_instant(pod.at);
  json["before"] = json_of(pod.choices[0], names);
  json["after"] = json_of(pod.choices[1], names);
  return json;
}

auto json_of(const std::string& name, const VictimFacts& facts) -> Json {
  Json json{{"pod", name}, {"uid", facts.id}, {"workload", facts.workload}};
  if (!facts.priority_class.empty()) json["class"] = facts.priority_class;
  if (facts.start) json["start"] = format_instant(*facts.start);
  json["cpus"] = facts.cpus;
  json["devices"] = facts.devices;
  if (facts.epoch != 0) json["epochSeconds"] = facts.epoch;
  return json;
}

auto time_in(const Json& json, const char* key) -> Instant {
  const auto at = parse_instant(json.at(key).get<std::string>());
  if (!at) throw std::invalid_argument(key);
  return *at;
}

auto choice_in(const Json& json, Symbols& names) -> Choice {
  if (json.is_null()) return {};
  Choice choice{.outcome = json.at("outcome").get<std::string>(),
                .node = json.value("node", ""),
                .tied = json.value("tied", std::vector<std::string>{}),
                .victims = json.value("victims", std::vector<std::string>{}),
                .possible = {},
                .pdb_violations = json.value("pdbViolations", 0)};
  for (const std::string& pod : json.value("possible", std::vector<std::string>{}))
    choice.possible.push_back(names.intern(pod));
  return choice;
}

auto pending_in(const Json& json, Symbols& names) -> Pending {
  return {.pod = json.at("pod").get<std::string>(),
          .id = json.at("uid").get<std::string>(),
          .workload = json.at("workload").get<std::string>(),
          .priority_class = json.value("class", ""),
          .priority = json.at("priority").get<std::int64_t>(),
          .since = time_in(json, "since"),
          .at = time_in(json, "at"),
          .choices = {choice_in(json.at("before"), names), choice_in(json.at("after"), names)}};
}

auto facts_in(const Json& json) -> VictimFacts {
  return {.id = json.at("uid").get<std::string>(),
          .workload = json.at("workload").get<std::string>(),
          .priority_class = json.value("class", ""),
          .start = json.contains("start") ? std::optional(time_in(json, "start")) : std::nullopt,
          .cpus = json.at("cpus").get<double>(),
          .devices = json.at("devices").get<double>(),
          .epoch = std::max<std::int64_t>(0, json.value("epochSeconds", std::int64_t{0}))};
}

auto json_of(const FinishedRun& run) -> Json {
  Json json{{"pod", run.pod}, {"uid", run.id}, {"workload", run.workload}};
  if (!run.priority_class.empty()) json["class"] = run.priority_class;
  return json;
}

auto finished_in(const Json& json) -> FinishedRun {
  return {.pod = json.at("pod").get<std::string>(),
          .id = json.at("uid").get<std::string>(),
          .workload = json.at("workload").get<std::string>(),
          .priority_class = json.value("class", "")};
}

auto record_in(const Json& json, std::shared_ptr<Symbols> names) -> StateRecord {
  if (json.at("kind") != "BacktestState") throw std::invalid_argument("kind");
  StateRecord record{.index = json.at("index").get<std::size_t>(),
                     .of = json.at("of").get<std::size_t>(),
                     .at = time_in(json, "at"),
                     .change = json.at("change").get<std::vector<std::string>>(),
                     .epochs = json.value("epochs", std::vector<std::string>{}),
                     .names = std::move(names),
                     .rules = json.at("rules").get<std::vector<std::string>>(),
                     .complete = json.at("complete").get<bool>(),
                     .gaps = json.at("gaps").get<std::vector<std::string>>()};
  for (const Json& each : json.at("pending")) record.pending.push_back(pending_in(each, *record.names));
  for (const Json& each : json.at("past")) record.past.push_back(pending_in(each, *record.names));
  for (const Json& each : json.at("victims")) record.victims.emplace(each.at("pod"), facts_in(each));
  for (const Json& each : json.at("preempted"))
    record.preempted.push_back({each.at("pod"), each.at("uid"), each.value("by", "")});
  for (const Json& each : json.at("fates"))
    record.fates.push_back({each.at("pod"), each.at("became"), each.value("node", "")});
  record.left = json.value("left", std::set<std::string>{});
  record.damage = json.value("damage", "");
  for (const Json& each : json.at("finished")) record.finished.push_back(finished_in(each));
  return record;
}

}  // namespace

auto VictimFacts::ran(Instant at) const -> std::int64_t {
  return start ? std::max<std::int64_t>(0, seconds_between(*start, at)) : 0;
}

auto VictimFacts::hours(Instant at) const -> double {
  constexpr double kSecondsPerHour = 3600;
  return static_cast<double>(epoch == 0 ? ran(at) : ran(at) % epoch) / kSecondsPerHour;
}

auto pending_pod(const Snapshot& cluster, PodId id, Instant at) -> Pending {
  const Pod& pod = cluster.pod(id);
  return {.pod = cluster.key(id),
          .id = id_of(cluster, id),
          .workload = workload_of(cluster, id),
          .priority_class = std::string(cluster.text(pod.spec.priority_class_name)),
          .priority = pod.spec.priority,
          .since = pod.meta.created.value_or(at),
          .at = at,
          .choices = {}};
}

auto fates_of(const Snapshot& cluster, const std::vector<Pending>& pods) -> std::vector<Fate> {
  std::vector<Fate> fates;
  fates.reserve(pods.size());
  for (const Pending& each : pods) fates.push_back(fate_of(cluster, each));
  return fates;
}

auto observe(const Snapshot& cluster, const Earlier& earlier, StateRecord& record) -> Earlier {
  for (const Subject& subject : pending_subjects(cluster, ""))
    record.pending.push_back(pending_pod(cluster, subject.pod, record.at));
  for (const history::Disruption& each : history::disruptions(cluster)) {
    if (!history::is_preemption(each.cause) || each.pod.kind != "pod") continue;
    const std::string name = each.pod.text();
    record.preempted.push_back({name, each.pod.uid.empty() ? name : each.pod.uid, each.by ? each.by->text() : ""});
  }
  record.fates = fates_of(cluster, earlier.pending);
  for (const auto& [name, uid] : earlier.running) {
    const PodId id = find(cluster, name);
    if (!id || id_of(cluster, id) != uid || !runs(cluster, id)) record.left.insert(name);
  }
  Earlier next{.pending = record.pending, .at = record.at};
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (!next.pending.empty() && runs(cluster, id)) next.running.emplace(cluster.key(id), id_of(cluster, id));
    if (cluster.pending(id) && pod.status.nominated_node_name) next.nominated.insert(id_of(cluster, id));
    if (pod.status.phase != cluster.known().succeeded) continue;
    const std::string& uid = *next.succeeded.insert(id_of(cluster, id)).first;
    if (!earlier.at || earlier.succeeded.contains(uid)) continue;
    record.finished.push_back({.pod = cluster.key(id),
                               .id = uid,
                               .workload = workload_of(cluster, id),
                               .priority_class = std::string(cluster.text(pod.spec.priority_class_name))});
  }
  return next;
}

void add_decision(const Snapshot& cluster, const ClusterDecisions& decided, Side side, Pending& pod,
                  StateRecord& record) {
  const auto found = decided.decisions.find(pod.pod);
  if (found == decided.decisions.end() || !found->second.asked) return;
  Choice& choice = pod.choices[static_cast<std::size_t>(side)];
  choice = choice_of(found->second, *record.names);
  for (const std::string& victim : choice.victims) {
    const PodId id = find(cluster, victim);
    if (id) record.victims.try_emplace(victim, facts_of(cluster, id));
  }
}

void add_decisions(const Snapshot& cluster, const ClusterDecisions& decided, Side side, StateRecord& record) {
  for (Pending& pod : record.pending) add_decision(cluster, decided, side, pod, record);
}

auto json_of(const StateRecord& record) -> Json {
  Json json{
      {"apiVersion", "previct/v1alpha1"}, {"kind", "BacktestState"}, {"index", record.index},   {"of", record.of},
      {"at", format_instant(record.at)},  {"change", record.change}, {"epochs", record.epochs}, {"rules", record.rules},
      {"complete", record.complete},      {"gaps", record.gaps}};
  for (const char* list : {"pending", "past", "victims", "preempted", "fates", "finished"}) json[list] = Json::array();
  for (const Pending& each : record.pending) json["pending"].push_back(json_of(each, *record.names));
  for (const Pending& each : record.past) json["past"].push_back(json_of(each, *record.names));
  for (const auto& [name, facts] : record.victims) json["victims"].push_back(json_of(name, facts));
  for (const Preempted& each : record.preempted) {
    json["preempted"].push_back({{"pod", each.pod}, {"uid", each.id}});
    if (!each.by.empty()) json["preempted"].back()["by"] = each.by;
  }
  for (const Fate& each : record.fates) {
    json["fates"].push_back({{"pod", each.pod}, {"became", each.became}});
    if (!each.node.empty()) json["fates"].back()["node"] = each.node;
  }
  if (!record.left.empty()) json["left"] = record.left;
  if (!record.damage.empty()) json["damage"] = record.damage;
  for (const FinishedRun& each : record.finished) json["finished"].push_back(json_of(each));
  return json;
}

auto read_record(std::string_view line, std::shared_ptr<Symbols> names) -> Result<StateRecord> {
  try {
    return record_in(Json::parse(line), std::move(names));
  } catch (const std::exception&) {
    return fail("not a line of previct backtest -o jsonl");
  }
}

}  // namespace previct::backtest
