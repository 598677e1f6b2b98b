#include "engine/yunikorn/config_check.h"

#include "base/ascii.h"
#include "base/contains.h"
#include "base/go.h"
#include "base/regexp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace previct::yunikorn {
namespace {

/// Returns the number of words separated by whitespace.
auto word_count(std::string_view text) -> std::size_t {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank && !inside) ++words;
    inside = !blank;
  }
  return words;
}

auto check_acl(const Text& acl, std::string_view what) -> Result<void> {
  const char* const help = "users separated by commas, one blank, groups separated by commas";
  if (word_count(acl.value) > 2)
    return fail(fmt::format("{}: \"{}\" has more than two words", what, acl.value), acl.place, help);
  // Creating the queue splits the text at every space again.
  if (std::count(acl.value.begin(), acl.value.end(), ' ') > 1)
    return fail(fmt::format("{}: \"{}\" has more than one blank", what, acl.value), acl.place, help);
  return {};
}

auto valid_name(std::string_view name, std::string_view extra, bool dollar_at_end) -> bool {
  if (name.empty() || !(is_letter(name[0]) || name[0] == '_')) return false;
  if (dollar_at_end && name.size() > 1 && name.back() == '$') name.remove_suffix(1);
  return std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || extra.find(c) != std::string_view::npos;
  });
}

// ---------------------------------------------------------------- queues

/// Checks that there is exactly one root, which must not have limits itself.
auto check_root(PartitionConfig& partition) -> Result<void> {
  if (partition.queues.empty()) {
    return fail("partition: no queues are set", partition.place, "the minimum is queues: [{name: root}]");
  }
  std::size_t tops = 0;
  for (const QueueConfig& queue : partition.queues) tops += queue.above == QueueConfig::kTop ? 1 : 0;
  if (tops != 1 || lower_case(partition.queues[0].name.value) != "root") {
    QueueConfig root;
    root.name = {"root", {}};
    root.has_children = true;
    for (QueueConfig& queue : partition.queues) queue.above = queue.above == QueueConfig::kTop ? 0 : queue.above + 1;
    partition.queues.insert(partition.queues.begin(), std::move(root));
  }
  QueueConfig& root = partition.queues[0];
  if (root.name.value != "root") {  // passes the scheduler's check, but then no partition is created from it
    return fail(fmt::format("the top queue is named \"{}\" instead of root", root.name.value), root.name.place,
                "capitals count here");
  }
  root.parent = true;
  if (root.resources.guaranteed || root.resources.max) {
    return fail("queue root must not set resources: it has the resources of all nodes", root.resources.place);
  }
  return {};
}

auto check_names(const PartitionConfig& partition) -> Result<void> {
  std::set<std::pair<std::size_t, std::string>> seen;
  for (const QueueConfig& queue : partition.queues) {
    PREVICT_CHECK(check_acl(queue.admin_acl, "adminacl"));
    PREVICT_CHECK(check_acl(queue.submit_acl, "submitacl"));
    if (queue.above == QueueConfig::kTop) continue;
    const Place place = queue.name.place.line != 0 ? queue.name.place : queue.place;
    if (!valid_queue_name(queue.name.value)) {
      return fail(fmt::format("queue name \"{}\" is not allowed", queue.name.value), place,
                  "1 to 64 letters, digits or any of _ : # / @ -");
    }
    if (!seen.emplace(queue.above, lower_case(queue.name.value)).second) {
      return fail(fmt::format("queue name \"{}\" occurs twice below one parent (names are not case-sensitive)",
                              queue.name.value),
                  place);
    }
  }
  return {};
}

/// Checks guarantees and maxima down the tree. Children come after their parents, so one forward pass propagates maxima
/// down and one backward pass sums guarantees up.
auto check_resources(const PartitionConfig& partition) -> Result<void> {
  const std::vector<QueueConfig>& queues = partition.queues;
  std::vector<Amounts> guaranteed(queues.size());
  std::vector<Amounts> max(queues.size());
  std::vector<Amounts> sums(queues.size());
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const ResourcesConfig& resources = queues[i].resources;
    PREVICT_TRY(guaranteed[i], amounts(resources.guaranteed));
    PREVICT_TRY(max[i], amounts(resources.max));
    if (const std::string* type = over(max[i], guaranteed[i])) {
      return fail(fmt::format("queue {}: guaranteed {} is larger than its max", queues[i].name.value, *type),
                  place_of(resources.guaranteed, *type, queues[i].place));
    }
    if (queues[i].above == QueueConfig::kTop) continue;
    const Amounts& above = max[queues[i].above];
    if (const std::string* type = over(above, max[i])) {
      return fail(fmt::format("queue {}: max {} is larger than that of an ancestor queue", queues[i].name.value, *type),
                  place_of(resources.max, *type, queues[i].place));
    }
    lower_to(max[i], above);
  }
  for (std::size_t i = queues.size(); i-- > 0;) {
    const std::string* type = over(guaranteed[i], sums[i]);
    const std::string* over_max = type == nullptr ? over(max[i], sums[i]) : nullptr;
    if (type != nullptr || over_max != nullptr) {
      const std::string& which = type != nullptr ? *type : *over_max;
      const ResourcesConfig& resources = queues[i].resources;
      return fail(fmt::format("queue {}: its children have more guaranteed {} than its own {}", queues[i].name.value,
                              which, type != nullptr ? "guaranteed" : "max"),
                  place_of(type != nullptr ? resources.guaranteed : resources.max, which, queues[i].place));
    }
    if (queues[i].above == QueueConfig::kTop) continue;
    const Amounts& counts = all_zero(guaranteed[i]) ? sums[i] : guaranteed[i];
    for (const auto& [name, amount] : counts) {
      std::int64_t& sum = sums[queues[i].above][name];
      if (__builtin_add_overflow(sum, amount, &sum)) sum = INT64_MAX;
    }
  }
  return {};
}

// Only those of parents are read, and only if they set anything.
// Source: apache/yunikorn-core pkg/scheduler/objects/queue.go applyConf; template/template.go FromConf.
auto check_templates(const PartitionConfig& partition) -> Result<void> {
  const auto sets = [](const std::optional<TextMap>& map) {
    return map &&
           std::any_of(map->begin(), map->end(), [](const TextEntry& each) { return !each.value.value.empty(); });
  };
  for (const QueueConfig& queue : partition.queues) {
    const TemplateConfig& of = queue.child_template;
    const bool is_parent = queue.parent || queue.has_children;
    const bool sets_any = of.max_applications != 0 || sets(std::optional(of.properties)) || sets(of.resources.max) ||
                          sets(of.resources.guaranteed);
    if (!is_parent || !sets_any) continue;
    PREVICT_CHECK(amounts(queue.child_template.resources.max));
    PREVICT_CHECK(amounts(queue.child_template.resources.guaranteed));
  }
  return {};
}

auto check_max_applications(const PartitionConfig& partition) -> Result<void> {
  for (const QueueConfig& queue : partition.queues) {
    if (queue.above == QueueConfig::kTop) continue;
    const std::uint64_t limit = partition.queues[queue.above].max_applications;
    if (limit == 0) continue;
    if (queue.max_applications > limit) {
      return fail(fmt::format("queue {}: maxapplications {} is larger than its parent's {}", queue.name.value,
                              queue.max_applications, limit),
                  queue.max_applications_place);
    }
    if (queue.max_applications == 0) {
      return fail(
          fmt::format("queue {}: maxapplications must be set, because its parent has {}", queue.name.value, limit),
          queue.max_applications_place.line != 0 ? queue.max_applications_place : queue.place);
    }
  }
  return {};
}

// ---------------------------------------------------------------- placement rules

constexpr std::array<std::string_view, 4> kPlacementRules = {"user", "fixed", "provided", "tag"};

/// Checks the only entry of a filter if it is not a name.
auto check_pattern(const Text& text, std::string_view what) -> Result<void> {
  if (text.value.find_first_of("^$*+?()[{}|") == std::string::npos)
    return fail(fmt::format("filter: \"{}\" is neither a {} nor a regular expression", text.value, what), text.place);
  const std::string fault = go::Regexp(text.value).fault();
  if (fault.empty()) return {};
  return fail(fmt::format("filter: \"{}\" is not a regular expression: {}", text.value, fault), text.place);
}

auto check_filter(const RuleConfig& rule) -> Result<void> {
  const std::string type = lower_case(rule.filter_type.value);
  if (!type.empty() && type != "allow" && type != "deny") {
    return fail(fmt::format("filter type \"{}\" is neither allow nor deny", rule.filter_type.value),
                rule.filter_type.place);
  }
  if (rule.filter_users.size() == 1 && !valid_user_name(rule.filter_users[0].value))
    PREVICT_CHECK(check_pattern(rule.filter_users[0], "user"));
  if (rule.filter_groups.size() == 1 && !valid_group_name(rule.filter_groups[0].value))
    PREVICT_CHECK(check_pattern(rule.filter_groups[0], "group"));
  return {};
}

/// Rule names are looked up only later, when rules are created.
auto check_rule(const RuleConfig& rule) -> Result<void> {
  const std::string& name = rule.name.value;
  const Place place = rule.name.place.line != 0 ? rule.name.place : rule.place;
  if (!valid_name(name, "", false)) return fail(fmt::format("placement rule \"{}\" is not a valid name", name), place);
  if (lower_case(name) == "test") {
    return fail("placement rule test is for the scheduler's own tests", place, "provided, tag, user or fixed");
  }
  return check_filter(rule);
}

/// Returns the reason why the scheduler cannot create the rule; empty if it can.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/placement rule.go newRule, the rules' initialise.
auto rule_fault(const RuleConfig& rule, bool has_parent) -> std::string {
  const std::string name = lower_case(rule.name.value);
  if (!contains(kPlacementRules, name)) return fmt::format("there is no placement rule {}", rule.name.value);
  if (name != "tag" && name != "fixed") return {};
  const std::string value = lower_case(rule.value.value);
  if (value.empty()) return fmt::format("placement rule {} has no value", name);
  if (name != "fixed") return {};
  if (!valid_queue_path(value))
    return fmt::format("placement rule fixed: {} is not a valid queue name", rule.value.value);
  return has_parent && value.starts_with("root") ? "placement rule fixed has a full path and a parent rule" : "";
}

/// The part of the path that fixed rules determine, from the topmost rule of the chain down to the first rule that
/// depends on the application.
struct StaticPath {
  std::string path;
  bool continues = false;  // a rule that depends on the application follows
  bool twice = false;      // a full path below another path
};

auto static_path(const RuleChain& chain) -> StaticPath {
  StaticPath result;
  for (auto rule = chain.rbegin(); rule != chain.rend(); ++rule) {
    if (rule->name.value != "fixed") {  // the check is case-sensitive here
      result.continues = true;
      break;
    }
    const std::string& value = rule->value.value;
    if (value.starts_with("root")) {
      result.twice = !result.path.empty();
      if (result.twice) break;
      result.path = value;
    } else {
      result.path = (result.path.empty() ? "root" : result.path) + "." + value;
    }
  }
  return result;
}

auto check_path(const RuleChain& chain, const std::vector<QueueConfig>& queues) -> Result<void> {
  StaticPath fixed = static_path(chain);
  if (fixed.path.empty()) return {};
  const RuleConfig& top = chain.back();
  if (fixed.twice) {
    return fail("placement rule fixed: a full path and a parent rule exclude each other", chain.front().value.place);
  }
  fixed.path = lower_case(fixed.path);
  const auto refuse = [&](std::string_view why) {
    return fail(fmt::format("placement rule: queue {} {}", fixed.path, why), top.value.place);
  };
  if (fixed.path.substr(0, fixed.path.find('.')) != "root") {
    return chain.front().create ? Result<void>() : refuse("does not exist and create is false");
  }
  std::size_t at = 0;
  for (std::size_t begin = fixed.path.find('.'); begin != std::string::npos;) {
    const std::size_t end = fixed.path.find('.', begin + 1);
    const std::string name = fixed.path.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    begin = end;
    const auto child = std::find_if(queues.begin(), queues.end(), [&](const QueueConfig& queue) {
      return queue.above == at && queue.name.value == name;
    });
    if (child == queues.end()) {
      if (!queues[at].parent && !queues[at].has_children) return refuse("lies below a leaf");
      if (!chain.front().create) return refuse("does not exist and create is false");
      return {};
    }
    at = static_cast<std::size_t>(child - queues.begin());
  }
  // As configured: except for root, having children does not make a queue a parent yet.
  const bool leaf = at != 0 && !queues[at].parent;
  if (fixed.continues && leaf) return refuse("has no parent: true, but another rule continues below it");
  if (!fixed.continues && !leaf) return refuse("is not a leaf");
  return {};
}

auto check_rules(const PartitionConfig& partition) -> Result<void> {
  for (const RuleChain& chain : partition.rules) {
    for (const RuleConfig& rule : chain) PREVICT_CHECK(check_rule(rule));
  }
  for (const RuleChain& chain : partition.rules) PREVICT_CHECK(check_path(chain, partition.queues));
  return {};
}

auto check_node_sort_policy(const PartitionConfig& partition) -> Result<void> {
  const std::string& type = partition.node_sort_policy.value;
  if (!type.empty() && type != "fair" && type != "binpacking") {
    return fail(fmt::format("nodesortpolicy type \"{}\" is neither fair nor binpacking", type),
                partition.node_sort_policy.place);
  }
  for (const auto& [key, value] : partition.resource_weights) {
    if (!value.value.empty() && value.value[0] == '-') {
      return fail(fmt::format("resourceweights: {} is negative", key.value), value.place);
    }
  }
  return {};
}

auto check_partition(PartitionConfig& partition) -> Result<void> {
  PREVICT_CHECK(check_root(partition));
  PREVICT_CHECK(check_names(partition));
  PREVICT_CHECK(check_limits(partition));
  PREVICT_CHECK(check_resources(partition));
  PREVICT_CHECK(check_templates(partition));
  PREVICT_CHECK(check_rules(partition));
  PREVICT_CHECK(check_node_sort_policy(partition));
  PREVICT_CHECK(check_max_applications(partition));
  return check_limits_downwards(partition);
}

}  // namespace

auto check(Config& config) -> Result<void> {
  std::set<std::string> names;
  for (PartitionConfig& partition : config.partitions) {
    std::string name = lower_case(partition.name.value);
    if (name.empty()) name = "default";
    if (!names.insert(name).second) {
      return fail(fmt::format("partition \"{}\" occurs twice", name),
                  partition.name.place.line != 0 ? partition.name.place : partition.place);
    }
    PREVICT_CHECK(check_partition(partition));
  }
  return {};
}

auto valid_queue_path(std::string_view path) -> bool {
  for (;;) {
    const std::size_t end = path.find('.');
    if (!valid_queue_name(path.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

auto rules_fault(const PartitionConfig& partition) -> std::optional<Failure> {
  for (const RuleChain& chain : partition.rules) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (std::string fault = rule_fault(chain[i], i + 1 < chain.size()); !fault.empty())
        return Failure{std::move(fault), chain[i].name.place, {}};
    }
  }
  return {};
}

auto parse_amount(std::string_view text, bool vcore) -> std::optional<std::int64_t> {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0) return {};
  const auto number = go::parse_int(text.substr(0, digits), 64);
  text.remove_prefix(digits);
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  if (!number) return {};

  __int128 scale = 1;
  constexpr std::string_view kLarge = "KMGTPE";
  if (text.size() == 2 && text[1] == 'i' && kLarge.find(text[0]) != std::string_view::npos) {
    scale = static_cast<__int128>(1) << (10 * (kLarge.find(text[0]) + 1));
  } else if (text == "k") {
    scale = 1000;
  } else if (text.size() == 1 && text != "K" && kLarge.find(text[0]) != std::string_view::npos) {
    for (std::size_t i = 0; i <= kLarge.find(text[0]); ++i) scale *= 1000;
  } else if (!text.empty() && !(vcore && text == "m")) {
    return {};
  }
  if (vcore && text != "m") scale *= 1000;
  __int128 value = 0;
  if (__builtin_mul_overflow(static_cast<__int128>(*number), scale, &value) || value > INT64_MAX) return {};
  return static_cast<std::int64_t>(value);
}

auto valid_user_name(std::string_view name) -> bool {
  return valid_name(name, ":#/.@-", true);
}

auto valid_group_name(std::string_view name) -> bool {
  return valid_name(name, ":_.-", false);
}

auto valid_acl_user(std::string_view name) -> bool {
  return valid_name(name, "_.@-", true);
}

auto valid_acl_group(std::string_view name) -> bool {
  return valid_name(name, "_-", false);
}

auto valid_queue_name(std::string_view name) -> bool {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_:#/@-").find(c) != std::string_view::npos;
  });
}

}  // namespace previct::yunikorn
