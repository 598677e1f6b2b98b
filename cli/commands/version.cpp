#include "base/contains.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/flag_echo.h"
#include "engine/engine.h"
#include "live/resources.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace previct::cli {
namespace {

constexpr std::array kVersionTakes = {Group::output, Group::help};

auto needed_by(const live::Resource& resource) -> std::string {
  switch (resource.need) {
    case live::Need::always: return "always";
    case live::Need::scheduler: return std::string(resource.scheduler->title);
    case live::Need::volumes: return "pods with volumes";
    case live::Need::devices: return "pods with resource claims or extended resources";
    case live::Need::selects: return "pods without spread constraints";
    case live::Need::created: return "--with";
    case live::Need::made: return "sequence";
    case live::Need::whole: return "capture";
    case live::Need::history: return "why-preempted";
    case live::Need::files: break;
  }
  return "";
}

// The permissions that a user needs in a live cluster: the rules of a ClusterRole.
struct Permission {
  const KindInfo* kind;
  std::vector<std::string> needed;  // by what, without repetitions
};

auto permissions() -> std::vector<Permission> {
  std::vector<Permission> all;
  for (const live::Resource& resource : live::resources()) {
    if (resource.need == live::Need::files) continue;
    auto at = std::find_if(all.begin(), all.end(), [&](const Permission& each) {
      return each.kind->resource == resource.kind->resource;  // for another purpose, or with another selector
    });
    if (at == all.end()) at = all.insert(at, Permission{resource.kind, {}});
    std::string needed = needed_by(resource);
    if (!contains(at->needed, needed)) at->needed.push_back(std::move(needed));
  }
  return all;
}

void permission_row(Row& row, const Permission& permission) {
  const KindInfo& kind = *permission.kind;
  row.text("MAY LIST", kind.resource);
  row.text("NEEDED", joined(permission.needed, ", "));
  row.key("apiGroups", {kind.group}).key("resources", {kind.plural}).key("verbs", {"list"});
}

// The environment variables that affect some command.
auto settings() -> std::vector<Line> {
  std::vector<Line> lines;
  std::set<std::string> told;
  for (const Flag& flag : flags()) {
    const std::string variable = variable_of(flag);
    const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0' || !told.insert(variable).second) continue;
    lines.push_back({{{fmt::format("--{} {}, by {}", flag.name,
                                   flag.secret ? "(not shown)" : without_secrets({value}).front(), variable)}}});
  }
  return lines;
}

auto run_version(Session& session) -> Result<CommandResult> {
  CommandResult done;
  const std::vector<Permission> needed = permissions();
  std::vector<std::string> names;
  for (const Engine* engine : engines()) names.emplace_back(engine->name());
  done.report.blocks.emplace_back(Line{{{"previct " PREVICT_VERSION}}});
  if (session.options.verbose) {
    done.report.blocks.emplace_back(Line{{{fmt::format("engines: {}", joined(names, ", "))}}});
    done.report.blocks.emplace_back(Line{{{"compiler: g++ " __VERSION__}}});
    for (Line& line : settings()) done.report.blocks.emplace_back(std::move(line));
    done.report.blocks.emplace_back(
        Line{{{"without -f, previct reads the cluster through kubectl; the user needs the following permissions in all "
               "namespaces:"}}});
    done.report.blocks.emplace_back(table_of(needed, permission_row));
  }
  done.report.data = {
      {"apiVersion", "previct/v1alpha1"}, {"kind", "Version"}, {"version", PREVICT_VERSION},
      {"compiler", "g++ " __VERSION__},   {"engines", names},  {"permissions", list_of(needed, permission_row)}};
  done.report.names = {PREVICT_VERSION};
  return done;
}

}  // namespace

const Command& version_command = Command{.name = "version",
                                         .task = Task::program,
                                         .what = "print the version; with -v, also engines and required permissions",
                                         .arguments = "",
                                         .most_arguments = 0,
                                         .groups = kVersionTakes,
                                         .examples = "version\nversion -o json",
                                         .more = "",
                                         .run = run_version};

}  // namespace previct::cli
