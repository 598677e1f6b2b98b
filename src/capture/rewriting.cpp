#include "capture/rewriting.h"

#include "api/field_writer.h"
#include "api/kueue_config.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "input/documents.h"
#include "input/json_source.h"
#include "input/tape.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <array>
#include <optional>

namespace previct::capture {
// NOLINTBEGIN(misc-no-recursion): as deep as what the reader lets through (kMaxDepth)
namespace {

auto first_value(std::string_view text, FileId file, Tape& tape, ScalarText texts = ScalarText::resolved)
    -> Result<bool> {
  const auto source = looks_like_json(text) ? json_source(text, file) : yaml_source(text, file, texts);
  for (;;) {
    PREVICT_TRY(const Event event, source->next());
    if (event.type == EventType::end_stream) return false;
    if (event.type != EventType::begin_map && event.type != EventType::begin_list && event.type != EventType::scalar)
      continue;
    PREVICT_CHECK(record(*source, event, tape));
    return true;
  }
}

/// Writes a recorded value as JSON. `written` holds the same value with scalars as they are spelled, for names: a queue
/// may be called `y`, which means true in YAML 1.1. `Rules` determines what is written for keys and texts:
///   key(above, key) -> std::optional<std::string>   none: the entry is left out; `above`: the key of the map it is in
///   text(path, text) -> std::string                 `path`: the keys above, the nearest last; list elements add none
template <class Rules>
class TapeWriter {
 public:
  TapeWriter(const Tape& tape, const Tape& written, Rules& rules) : tape_(tape), written_(written), rules_(rules) {}

  auto write(std::uint32_t index) -> std::string {
    value(index);
    return std::move(out_);
  }

 private:
  using Path = std::vector<std::string_view>;

  void value(std::uint32_t index) {
    const Tape::Entry& entry = tape_[index];
    if (entry.type == EventType::begin_map) return map(index);
    if (entry.type == EventType::begin_list) return list(index);
    if (rules_.is_name(path_) && entry.scalar != ScalarType::null) {
      append_json_string(out_, rules_.text(path_, written_.text(written_[index])));
    } else if (entry.scalar == ScalarType::string) {
      append_json_string(out_, rules_.text(path_, tape_.text(entry)));
    } else {
      out_ += entry.scalar == ScalarType::null ? "null" : tape_.text(entry);
    }
  }
  void map(std::uint32_t index) {
    out_ += '{';
    for (std::uint32_t i = index + 1; i < tape_[index].next; i = tape_[i + 1].next) {
      const std::string_view key = tape_.text(tape_[i]);
      const std::optional<std::string> written = rules_.key(path_, key);
      if (!written) continue;
      if (out_.back() != '{') out_ += ',';
      append_json_string(out_, *written);
      out_ += ':';
      path_.push_back(key);
      value(i + 1);
      path_.pop_back();
    }
    out_ += '}';
  }
  void list(std::uint32_t index) {
    out_ += '[';
    for (std::uint32_t i = index + 1; i < tape_[index].next; i = tape_[i].next) {
      if (out_.back() != '[') out_ += ',';
      value(i);
    }
    out_ += ']';
  }

  const Tape& tape_;
  const Tape& written_;
  Rules& rules_;
  Path path_;
  std::string out_;
};

using Path = std::vector<std::string_view>;

auto under(const Path& path, std::string_view key) -> bool {
  return std::find(path.begin(), path.end(), key) != path.end();
}
auto nearest_of(const Path& path) -> std::string_view {
  return path.empty() ? std::string_view() : path.back();
}

/// queues.yaml. Source of the fields: apache/yunikorn-core 1.9 pkg/common/configs/config.go.
struct QueueRules {
  const Rename& rename;

  [[nodiscard]] auto is_name(const Path& path) const -> bool {
    constexpr std::array<std::string_view, 3> kTexts = {"users", "groups", "limit"};
    const std::string_view key = nearest_of(path);
    const bool rule = under(path, "placementrules");
    return contains(kTexts, key) || key == "submitacl" || key == "adminacl" || key == (rule ? "value" : "name");
  }
  [[nodiscard]] auto key(const Path& path, std::string_view key) const -> std::optional<std::string> {
    constexpr std::array<std::string_view, 4> kResources = {"guaranteed", "max", "maxresources", "resourceweights"};
    // Any key is allowed here. Keys that no scheduler reads are left out, because their values are unknown.
    constexpr std::array<std::string_view, 7> kProperties = {
        "preemption.policy",      "preemption.delay",        "priority.policy",          "priority.offset",
        "quota.preemption.delay", "application.sort.policy", "application.sort.priority"};
    if (nearest_of(path) == "properties" && !contains(kProperties, key)) return std::nullopt;
    if (contains(kResources, nearest_of(path))) return rename(key, Role::resource);
    return nearest_of(path) == "properties" || is_known(key) ? std::string(key) : rename(key, Role::name);
  }
  // Of a file that is no configuration, or has fields that are none, nothing is known.
  [[nodiscard]] static auto is_known(std::string_view key) -> bool {
    constexpr std::array<std::string_view, 29> kKnown = {"partitions",
                                                         "checksum",
                                                         "name",
                                                         "queues",
                                                         "placementrules",
                                                         "limits",
                                                         "preemption",
                                                         "nodesortpolicy",
                                                         "enabled",
                                                         "type",
                                                         "usergroupresolver",
                                                         "quotapreemptionenabled",
                                                         "parent",
                                                         "resources",
                                                         "resourceweights",
                                                         "guaranteed",
                                                         "max",
                                                         "limit",
                                                         "maxapplications",
                                                         "properties",
                                                         "adminacl",
                                                         "submitacl",
                                                         "childtemplate",
                                                         "users",
                                                         "groups",
                                                         "create",
                                                         "maxresources",
                                                         "filter",
                                                         "value"};
    return contains(kKnown, key);
  }
  // Resources and properties have names of their own.
  [[nodiscard]] static auto is_of_yunikorn(const Path& path) -> bool {
    constexpr std::array<std::string_view, 5> kOfNames = {"guaranteed", "max", "maxresources", "resourceweights",
                                                          "properties"};
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!is_known(path[i]) && (i == 0 || !contains(kOfNames, path[i - 1]))) return false;
    }
    return !path.empty();
  }
  [[nodiscard]] auto text(const Path& path, std::string_view text) const -> std::string {
    const std::string_view key = nearest_of(path);
    const bool rule = under(path, "placementrules");
    if (rule && key == "value") {
      const bool tag = text == "namespace" || text.starts_with("namespace.");
      return tag ? std::string(text) : queue_path(lower_case(text), rename);
    }
    if (!is_name(path)) return is_of_yunikorn(path) ? std::string(text) : rename(text, Role::name);
    if (key == "submitacl" || key == "adminacl") return acl(text);
    if (key == "users" || key == "groups") return rename(text, Role::user);
    return key == "name" ? rename(lower_case(text), Role::queue) : rename(text, Role::name);
  }
  // An ACL: `user1,user2 group1,group2`.
  [[nodiscard]] auto acl(std::string_view text) const -> std::string {
    std::string out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
      if (end > 0) out += rename(text.substr(0, end), Role::user);
      if (end < text.size()) out += text[end];
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  }
};

/// Rules for KubeSchedulerConfiguration and Assumptions.
struct ConfigurationRules {
  const Rename& rename;

  [[nodiscard]] auto is_name(const Path& path) const -> bool { return nearest_of(path) == "values"; }
  [[nodiscard]] auto key(const Path& path, std::string_view key) const -> std::optional<std::string> {
    constexpr std::array<std::string_view, 5> kDropped = {"kubeconfig", "tlsConfig", "leaderElection",
                                                          "acceptContentTypes", "contentType"};
    if (contains(kDropped, key)) return std::nullopt;
    return nearest_of(path) == "matchLabels" ? rename(key, Role::label) : std::string(key);
  }
  [[nodiscard]] auto text(const Path& path, std::string_view text) const -> std::string {
    const std::string_view key = nearest_of(path);
    if (key == "urlPrefix") return url(text);
    if (key == "schedulerName") return rename(text, Role::name);
    if (key == "topologyKey" || key == "key") return rename(text, Role::label);
    if (key == "values" || under(path, "matchLabels")) return rename(text, Role::value);
    if (key == "preempted" || key == "released") {
      const std::size_t slash = text.find('/');
      if (slash == std::string_view::npos) return rename(text, Role::pod);
      return rename(text.substr(0, slash), Role::ns) + "/" + rename(text.substr(slash + 1), Role::pod);
    }
    return std::string(text);
  }
  // Removes user and password from a URL, and renames the rest.
  [[nodiscard]] auto url(std::string_view text) const -> std::string {
    const std::size_t slashes = text.find("://");
    const std::size_t host = slashes == std::string_view::npos ? 0 : slashes + 3;
    const std::size_t at = text.substr(host, text.find('/', host) - host).rfind('@');
    const std::string_view rest = text.substr(at == std::string_view::npos ? host : host + at + 1);
    return std::string(text.substr(0, host)) + rename(rest, Role::name);
  }
};

/// Rules for Kueue's Configuration: keeps only what its decisions depend on.
struct KueueRules {
  const Rename& rename;

  [[nodiscard]] auto is_name(const Path& /*path*/) const -> bool { return false; }
  [[nodiscard]] auto key(const Path& path, std::string_view key) const -> std::optional<std::string> {
    constexpr std::array<std::string_view, 8> kRead = {
        "apiVersion",       "kind",      "fairSharing",  "admissionFairSharing",
        "waitForPodsReady", "resources", "integrations", "featureGates"};
    constexpr std::array<std::string_view, 3> kReadOfResources = {"excludeResourcePrefixes", "transformations",
                                                                  "quotaCheckStrategy"};
    if (path.empty() && !contains(kRead, key)) return std::nullopt;
    if (nearest_of(path) == "integrations" && key != "frameworks") return std::nullopt;
    const std::string_view above = nearest_of(path);
    if (above == "resources" && !contains(kReadOfResources, key)) return std::nullopt;
    if (above == "integrations" && key != "frameworks") return std::nullopt;
    return above == "outputs" || above == "resourceWeights" ? rename(key, Role::resource) : std::string(key);
  }
  [[nodiscard]] auto text(const Path& path, std::string_view text) const -> std::string {
    const std::string_view key = nearest_of(path);
    return key == "input" || key == "multiplyBy" ? rename(text, Role::resource) : std::string(text);
  }
};

struct NoteRules {
  const Rename& rename;

  [[nodiscard]] static auto is_name(const Path& /*path*/) -> bool { return false; }
  [[nodiscard]] auto key(const Path& path, std::string_view key) const -> std::optional<std::string> {
    // In the task groups of YuniKorn.
    constexpr std::array<std::string_view, 3> kNamed = {"labels", "annotations", "nodeSelector"};
    if (contains(kNamed, nearest_of(path))) return rename(key, Role::label);
    return key.find('/') == std::string_view::npos ? std::string(key) : rename(key, Role::resource);
  }
  [[nodiscard]] auto text(const Path& path, std::string_view text) const -> std::string {
    const std::string_view key = nearest_of(path);
    return rename(text, key == "user" || key == "groups" ? Role::user : Role::note);
  }
};

// Kueue's Configuration in a ConfigMap, as its flag also takes it; empty if it is something else.
auto configuration_in_map(const Tape& tape) -> std::string_view {
  return tape.string(tape.find(tape.find(0, "data"), kueue::kConfigMapKey));
}

// The first document of the text as JSON; empty if there is none.
template <class Rules>
auto rewritten(Rules rules, std::string_view text, FileId file) -> Result<std::string> {
  Tape tape;
  PREVICT_TRY(const bool any, first_value(text, file, tape));
  return any ? TapeWriter(tape, tape, rules).write(0) : std::string();
}

}  // namespace

auto queues_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string> {
  Tape tape;
  PREVICT_TRY(const bool any, first_value(text, file, tape));
  if (!any) return std::string();
  Tape written;
  PREVICT_CHECK(first_value(text, file, written, ScalarText::written));
  QueueRules rules{rename};
  return TapeWriter(tape, written, rules).write(0);
}

auto kueue_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string> {
  return rewritten(KueueRules{rename}, text, file);
}

auto excluded_prefixes(std::string_view text, FileId file) -> Result<std::vector<std::string>> {
  Tape tape;
  PREVICT_TRY(const bool any, first_value(text, file, tape));
  if (const std::string_view inner = any ? configuration_in_map(tape) : ""; !inner.empty())
    return excluded_prefixes(inner, file);
  if (!any || !tape.string(tape.find(0, "apiVersion")).starts_with(kueue::kConfigGroup))
    return fail("expected a Configuration of Kueue", {file});
  std::vector<std::string> prefixes;
  const std::uint32_t list = tape.find(tape.find(0, "resources"), "excludeResourcePrefixes");
  if (list >= tape.size() || tape[list].type != EventType::begin_list) return prefixes;
  for (std::uint32_t i = list + 1; i < tape[list].next; i = tape[i].next) prefixes.emplace_back(tape.text(tape[i]));
  return prefixes;
}

auto scheduler_json(std::string_view text, FileId file, const Rename& rename) -> Result<std::string> {
  return rewritten(ConfigurationRules{rename}, text, file);
}

auto configuration_json(const ConfigFile& config, const Rename& rename) -> Result<std::string> {
  Tape tape;
  PREVICT_TRY(const bool any, first_value(config.bytes, config.file, tape));
  if (!any) return std::string();
  if (tape.find(0, "partitions") < tape.size()) return queues_json(config.bytes, config.file, rename);
  if (tape.string(tape.find(0, "apiVersion")).starts_with(kueue::kConfigGroup))
    return kueue_json(config.bytes, config.file, rename);
  if (const std::string_view inner = configuration_in_map(tape); !inner.empty())
    return kueue_json(inner, config.file, rename);
  return scheduler_json(config.bytes, config.file, rename);
}

auto note_json(std::string_view text, const Rename& rename) -> std::optional<std::string> {
  if (!looks_like_json(text)) return {};
  Tape tape;
  const auto any = first_value(text, {}, tape);
  if (!any || !*any || tape[0].type == EventType::scalar) return {};
  NoteRules rules{rename};
  return TapeWriter(tape, tape, rules).write(0);
}

auto queue_path(std::string_view path, const Rename& rename) -> std::string {
  std::string out;
  for (;;) {
    const std::size_t dot = path.find('.');
    out += rename(path.substr(0, dot), Role::queue);
    if (dot == std::string_view::npos) return out;
    out += '.';
    path.remove_prefix(dot + 1);
  }
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::capture
