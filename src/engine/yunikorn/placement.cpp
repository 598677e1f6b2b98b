#include "engine/yunikorn/placement.h"

#include "api/yunikorn_annotations.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "base/go.h"
#include "base/regexp.h"
#include "engine/yunikorn/config_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::yunikorn {
namespace {

constexpr std::string_view kFull = "root.";

auto starts_with(std::string_view text, std::string_view prefix) -> bool {
  return text.substr(0, prefix.size()) == prefix;
}

auto without_dots(std::string_view name) -> std::string {
  std::string result;
  for (const char c : name) {
    if (c == '.') {
      result += "_dot_";
    } else {
      result += c;
    }
  }
  return result;
}

auto names_one(const std::vector<Text>& names, std::string_view name) -> bool {
  return std::any_of(names.begin(), names.end(), [&](const Text& text) { return text.value == name; });
}

auto is_pattern(const std::vector<Text>& names) -> bool {
  return names.size() == 1 && names[0].value.find_first_of("^$*+?()[{}|") != std::string::npos;
}

auto allowed(const Acl& acl, const User& user) -> bool {
  return acl.everybody || contains(acl.users, user.name) ||
         std::any_of(user.groups.begin(), user.groups.end(),
                     [&](const std::string& group) { return contains(acl.groups, group); });
}

/// Parses the annotation namespace.maxApps; returns 0 unless it is a number above 0.
/// Source: apache/yunikorn-k8shim 1.9 GetNamespaceMaxAppsFromAnnotation; apache/yunikorn-core 1.9 getUint64Tag, which
/// accepts no sign.
auto max_applications(std::string_view text) -> std::uint64_t {
  if (text.empty() || text.front() == '+') return 0;
  const auto number = go::parse_int(text, 64);
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

/// Returns unset if there is no quota, or if no amount can be read.
auto read_quota(std::string_view text, TypeNames& types) -> MaybeResources {
  const auto amounts = yunikorn_annotations::read_quota(text);
  if (!amounts) return {};
  Resources result;
  for (const auto& [name, quantity] : *amounts) {
    const bool cpu = name == "cpu";
    result.set(cpu ? TypeNames::kVcore : types.id(name), cpu ? quantity.milli() : quantity.value());
  }
  return result;
}

// Tags that the shim gives to applications whose values are not read from pods here, or are not queue names. Source:
// yunikorn-k8shim 1.9 pkg/cache/metadata.go getAppMetadata, context.go updateApplicationTags.
constexpr std::array<std::string_view, 6> kUnreadTags = {"imagepullsecrets",
                                                         "yunikorn.apache.org/task-groups",
                                                         "yunikorn.apache.org/schedulingpolicyparameters",
                                                         "yunikorn.apache.org/creationtime",
                                                         "namespace.resourcequota",
                                                         "namespace.resourceguaranteed"};

}  // namespace

Placement::Placement(const Snapshot& cluster, const Keys& keys, const PartitionConfig& config, TypeNames& types,
                     QueueTree& queues)
    : cluster_(cluster),
      keys_(keys),
      config_(config),
      types_(types),
      queues_(queues),
      rules_fault_(rules_fault(config)) {
  for (const Namespace& ns : cluster.objects().namespaces) namespaces_.emplace(ns.meta.name.index, &ns);
}

auto Placement::annotation(Symbol ns, Symbol key) const -> std::string_view {
  const auto found = namespaces_.find(ns.index);
  return key && found != namespaces_.end() ? cluster_.text(found->second->meta.annotations.get(key))
                                           : std::string_view();
}

auto Placement::max_apps(Symbol ns) const -> std::string_view {
  return keys_.release.has(Change::namespace_max_apps) ? annotation(ns, keys_.namespace_max_apps) : std::string_view();
}

auto Placement::place(const Pod& first) -> Placed {
  Applicant applicant;
  applicant.ns = cluster_.text(first.meta.ns);
  applicant.wish = requested_queue(cluster_, keys_, first);
  applicant.parent_queue = annotation(first.meta.ns, keys_.parent_queue);
  applicant.max_apps = max_apps(first.meta.ns);
  applicant.user = user_of(cluster_, keys_, first);
  applicant.running = static_cast<bool>(first.spec.node_name);
  // The scheduler then starts without any rule, even without the recovery rule.
  if (rules_fault_) return {{}, fmt::format("no placement rule is active: {}", rules_fault_->message)};
  if (applicant.user.groups_noted && !valid_user_name(applicant.user.name)) {
    return {{}, "invalid username, it contains invalid characters"};
  }

  static const std::vector<RuleChain> kImplicit = [] {
    RuleConfig provided;
    provided.name.value = "provided";
    return std::vector<RuleChain>{{provided}};
  }();
  std::vector<RuleFailed> failed;
  for (const RuleChain& chain : config_.rules.empty() ? kImplicit : config_.rules) {
    const Outcome outcome = run(chain, applicant);
    if (!outcome.error.empty()) return {{}, outcome.error};
    if (!usable(outcome.path, applicant.user)) {  // an empty path names no queue
      if (auto why = failure_of(outcome, applicant.user)) failed.push_back(*std::move(why));
      continue;
    }
    return settle(outcome.path, first);
  }
  // The recovery rule comes last: it accepts every application that already runs.
  if (applicant.running) return {queues_.recovery(), {}};
  if (queues_.find("root.default") && usable("root.default", applicant.user)) return settle("root.default", first);
  return {{}, "no placement rule matched", std::move(failed)};
}

auto Placement::failure_of(const Outcome& outcome, const User& user) const -> std::optional<RuleFailed> {
  if (!outcome.missing.empty()) return RuleFailed{Unplaced::no_queue, outcome.missing};
  if (outcome.path.empty()) return {};
  const QueueId there = queues_.find(outcome.path);
  if (there && !queues_[there].leaf) return RuleFailed{Unplaced::not_a_leaf, outcome.path};
  const QueueId nearest = queues_.find_nearest(outcome.path);
  if (nearest && !submit_access(nearest, user)) return RuleFailed{Unplaced::no_access, outcome.path};
  return RuleFailed{Unplaced::no_queue, outcome.path};
}

auto Placement::wanted_name(const RuleConfig& rule, const Applicant& applicant) -> std::string {
  const std::string kind = lower_case(rule.name.value);
  if (kind == "provided") return std::string(applicant.wish);
  if (kind == "user") return applicant.user.name;
  if (kind == "fixed") return lower_case(rule.value.value);
  const std::string tag = lower_case(rule.value.value);
  if (tag == "namespace") return std::string(applicant.ns);
  if (tag == "namespace.parentqueue") return std::string(applicant.parent_queue);
  if (tag == "namespace.resourcemaxapps") return std::string(applicant.max_apps);
  if (tag == "application.create.force") return applicant.running ? "true" : "false";
  if (contains(kUnreadTags, tag)) met_tag_ = rule.value.value;
  return {};
}

auto Placement::run(const RuleChain& chain, const Applicant& applicant) -> Outcome {
  // Walk down the chain until a rule gives a full path by itself; then back up, where each result is the parent of the
  // next.
  std::vector<std::string> names;
  bool full = false;
  for (const RuleConfig& rule : chain) {
    std::string name = wanted_name(rule, applicant);
    if (name.empty() || !filter_allows(rule, applicant.user)) return {};
    const std::string kind = lower_case(rule.name.value);
    full = kind == "fixed" ? starts_with(name, "root") : kind != "user" && starts_with(name, kFull);
    if (!full && kind != "fixed") name = without_dots(name);
    if (!valid_queue_path(name)) return {{}, fmt::format("queue name \"{}\" is not allowed", name)};
    names.push_back(std::move(name));
    if (full) break;
  }
  std::string path;
  for (std::size_t i = names.size(); i-- > 0;) {
    const bool topmost = i + 1 == names.size();
    if (topmost) {
      path = full ? names[i] : fmt::format("root.{}", names[i]);
    } else {
      if (!starts_with(path, kFull)) path = fmt::format("root.{}", path);
      const QueueId parent = queues_.find(path);
      if (parent && queues_[parent].leaf) return {{}, fmt::format("parent rule returned a leaf queue: {}", path)};
      path += "." + names[i];
    }
    if (!chain[i].create && !queues_.find(path)) return {{}, {}, path};
  }
  return {path, {}};
}

auto Placement::filter_allows(const RuleConfig& rule, const User& user) -> bool {
  const bool allow = rule.filter_type.value != "deny";  // other spellings pass the check and mean allow
  if (rule.filter_users.empty() && rule.filter_groups.empty()) return allow;
  const bool listed = filter_lists(rule.filter_users, user.name, valid_user_name(user.name)) ||
                      std::any_of(user.groups.begin(), user.groups.end(), [&](const std::string& group) {
                        return filter_lists(rule.filter_groups, group, valid_group_name(group));
                      });
  return listed ? allow : !allow;
}

/// A single entry may be a regular expression; in a list, only valid names count.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/placement/filter.go newFilter, filterUser, filterGroup.
auto Placement::filter_lists(const std::vector<Text>& names, std::string_view name, bool valid) -> bool {
  if (!is_pattern(names)) return valid && names_one(names, name);
  const std::string& expression = names[0].value;
  const go::Regexp& pattern = patterns_.try_emplace(expression, expression).first->second;
  if (!pattern.read()) unread_pattern_ = expression;
  return pattern.read() && pattern.matches(name);
}

auto Placement::submit_access(QueueId queue, const User& user) const -> bool {
  for (QueueId at = queue; at; at = queues_[at].parent) {
    if (queues_[at].path == QueueTree::kRecovery) return false;
    if (allowed(queues_[at].submit, user) || allowed(queues_[at].admin, user)) return true;
  }
  return false;
}

auto Placement::usable(std::string_view path, const User& user) const -> bool {
  const QueueId there = queues_.find(path);
  if (there) return queues_[there].leaf && submit_access(there, user);
  const QueueId nearest = queues_.find_nearest(path);
  return nearest && submit_access(nearest, user);
}

auto Placement::settle(const std::string& path, const Pod& first) -> Placed {
  if (lower_case(path) == QueueTree::kRecovery) return {queues_.recovery(), {}};
  const QueueId queue = queues_.make(path);
  if (!queue) return {{}, fmt::format("queue {} cannot be created", path)};
  if (queues_[queue].dynamic) apply_namespace_quota(queue, first);
  return {queue, {}};
}

void Placement::apply_namespace_quota(QueueId id, const Pod& first) {
  const auto note = [&](Symbol key) { return annotation(first.meta.ns, key); };
  MaybeResources guaranteed = read_quota(note(keys_.namespace_guaranteed), types_);
  MaybeResources max = read_quota(note(keys_.namespace_quota), types_);
  if (!max && note(keys_.namespace_quota).empty()) {
    Resources old;
    const auto cpu = Quantity::parse(note(keys_.namespace_max_cpu));
    const auto memory = Quantity::parse(note(keys_.namespace_max_memory));
    if (cpu) old.set(TypeNames::kVcore, cpu->milli());
    if (memory) old.set(types_.id("memory"), memory->value());
    if (!old.empty()) max = old;
  }
  if (const std::uint64_t most = max_applications(max_apps(first.meta.ns)); most != 0) {
    queues_[id].max_applications = most;
  }
  for (MaybeResources* amounts : {&guaranteed, &max}) {
    if (*amounts && without_zeros(**amounts).empty()) amounts->reset();  // the shim does not pass it on
  }
  if (!guaranteed && !max) return;
  const auto set = [](const MaybeResources& amounts) { return amounts && positive(*amounts) ? amounts : std::nullopt; };
  queues_[id].guaranteed = set(guaranteed);
  queues_[id].max = set(max);
}

}  // namespace previct::yunikorn
