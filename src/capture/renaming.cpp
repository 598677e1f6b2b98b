#include "capture/renaming.h"

#include "base/contains.h"
#include "base/go.h"
#include "capture/rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace previct::capture {
namespace {

// ---- what stays

// Names without a domain that Kubernetes, kube-scheduler, KAI Scheduler or YuniKorn gave, or that they look for.
constexpr std::array<std::string_view, 62> kBuiltIn = {
    "default", "kube-system", "kube-public", "kube-node-lease", "default-scheduler", "yunikorn", "kai-scheduler",
    "system-cluster-critical", "system-node-critical", "train", "build", "inference", "interactive-preemptible", "cpu",
    "memory", "ephemeral-storage", "storage", "pods", "vcore", "gpu", "root", "default-queue", "@recovery@",
    "applicationId", "spark-app-selector", "queue", "project", "priorityClassName", "yunikorn-configs",
    "yunikorn-defaults", "metadata.name", "true", "false", "True", "False", "TRUE", "FALSE", "yes", "no", "preemptible",
    "non-preemptible", "launcher", "master", "runai-gpu-group", "kube-root-ca.crt", "*", "0.0.0.0", "127.0.0.1",
    "::", "::1", "amd64", "arm64", "linux", "windows",
    // in-tree volumes and the drivers that took their place
    "ebs.csi.aws.com", "pd.csi.storage.gke.io", "disk.csi.azure.com", "file.csi.azure.com", "cinder.csi.openstack.org",
    "csi.vsphere.vmware.com", "pxd.portworx.com", "rbd"};

// Who gave the names behind them: `nvidia.com/gpu`. Also those below the first two.
constexpr std::array<std::string_view, 21> kDomains = {"kubernetes.io",
                                                       "k8s.io",
                                                       "nvidia.com",
                                                       "amd.com",
                                                       "intel.com",
                                                       "gpu.intel.com",
                                                       "habana.ai",
                                                       "google.com",
                                                       "cloud.google.com",
                                                       "amazonaws.com",
                                                       "karpenter.sh",
                                                       "yunikorn.apache.org",
                                                       "internal.yunikorn.apache.org",
                                                       "kai.scheduler",
                                                       "scheduling.run.ai",
                                                       "run.ai",
                                                       "mig.run.ai",
                                                       "runai",
                                                       "runai-gpu-group",
                                                       "training.kubeflow.org",
                                                       "ray.io"};

// Where paths of queues stand.
constexpr std::array<std::string_view, 4> kQueuePaths = {"queue", "yunikorn.apache.org/queue",
                                                         "yunikorn.apache.org/parentqueue",
                                                         "yunikorn.apache.org/namespace.parentqueue"};

auto has_known_domain(std::string_view text) -> bool {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = text.substr(0, slash);
  return contains(kDomains, domain) || domain.ends_with(".kubernetes.io") || domain.ends_with("k8s.io") ||
         domain == "previct";
}

auto is_built_in(std::string_view text) -> bool {
  return text.empty() || contains(kBuiltIn, text) || has_known_domain(text) || text.starts_with("hugepages-") ||
         text.starts_with("attachable-volumes-");
}

auto reads_as_number(std::string_view text) -> bool {
  return go::parse_int(text, 64) || Quantity::parse(text) || parse_go_duration(text) || parse_instant(text);
}

// An index or a count tells nothing, a number of six digits and more may be somebody's.
auto is_small_number(std::string_view text) -> bool {
  constexpr std::size_t kDigits = 5;
  return text.size() <= kDigits && go::parse_int(text, 64);
}

constexpr std::string_view kZoneDelimiter = "__";

/// `zone-a__zone-b`, renamed part by part.
auto zone_list(std::string_view zones, const Rename& rename) -> std::string {
  std::string out;
  for (;;) {
    const std::size_t end = zones.find(kZoneDelimiter);
    out += rename(zones.substr(0, end), Role::value);
    if (end == std::string_view::npos) return out;
    out += kZoneDelimiter;
    zones.remove_prefix(end + kZoneDelimiter.size());
  }
}

/// The new name of the longest of `queues` that `text` begins with.
auto longest_prefix(std::string_view text, const std::map<std::string, std::string, std::less<>>& queues)
    -> const std::string* {
  for (std::size_t size = text.size(); size > 0; --size) {
    if (const auto found = queues.find(text.substr(0, size)); found != queues.end()) return &found->second;
  }
  return nullptr;
}

// The values of labels that selectors compare as numbers, and what they are compared with.
auto compared_values(const Objects& objects) -> std::set<Symbol> {
  std::set<Symbol> keys;
  std::set<Symbol> values;
  const auto take = [&](const std::optional<NodeSelector>& selector) {
    if (!selector) return;
    for (const NodeSelectorTerm& term : selector->terms) {
      for (const Requirement& requirement : term.match_expressions) {
        if (requirement.op != SelectorOperator::greater && requirement.op != SelectorOperator::less) continue;
        keys.insert(requirement.key);
        for (const Symbol value : requirement.values) values.insert(value);
      }
    }
  };
  for (const Pod& pod : objects.pods) take(pod.spec.affinity.node.required);
  for (const PersistentVolume& volume : objects.persistent_volumes) take(volume.spec.node_affinity.required);
  for (const ResourceSlice& slice : objects.resource_slices) take(slice.spec.node_selector);
  for (const ResourceClaim& claim : objects.resource_claims) {
    if (claim.status.allocation) take(claim.status.allocation->node_selector);
  }
  for (const Node& node : objects.nodes) {
    for (const auto& [key, value] : node.meta.labels) {
      if (keys.contains(key)) values.insert(value);
    }
  }
  return values;
}

/// What makes a new name of a user or group as good a one as the old: YuniKorn wants a letter in front; limits take
/// more characters than ACLs do, and ACLs more of users than of groups.
auto user_like(std::string_view text) -> std::string_view {
  const bool begins = !text.empty() && (text[0] == '_' || ('a' <= (text[0] | 0x20) && (text[0] | 0x20) <= 'z'));
  if (!begins) return "";
  if (text.find_first_of(":#/") != std::string_view::npos) return "u:";
  return text.find_first_of(".@") != std::string_view::npos ? "u." : "u";
}

}  // namespace

/// The texts to be renamed, each with what it is.
struct Renaming::Wanted {
  std::map<std::string, Role, std::less<>> texts;
  std::set<std::string, std::less<>> users;
  std::set<std::string, std::less<>> kept_queues;
  std::set<std::string, std::less<>> numbers;  ///< that are read as such, so that they stay wherever they stand

  /// As a Rename that changes nothing.
  auto operator()(std::string_view text, Role role) -> std::string {
    if (role == Role::user) {
      users.emplace(text);
      role = Role::name;
    }
    const bool number = role == Role::note ? reads_as_number(text) : role == Role::value && is_small_number(text);
    if (number) numbers.emplace(text);
    if (role == Role::queue && is_built_in(text)) kept_queues.emplace(text);
    if (!is_built_in(text) && !number) {
      const auto [at, added] = texts.try_emplace(std::string(text), role);
      if (!added) at->second = std::min(at->second, role);
    }
    return std::string(text);
  }
};

auto Renaming::of(const Objects& objects, const Configurations& configurations) -> Result<Renaming> {
  Roles roles(objects);
  const Symbols& symbols = objects.symbols;
  Wanted wanted;
  const Rename collect = std::ref(wanted);
  Renaming renaming;

  // Texts that hold names. Several zones are one value of a volume's label, which VolumeZone takes apart.
  std::vector<Symbol> zones;
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    const bool several =
        roles.has(Symbol{i}, Role::value) && symbols.text(Symbol{i}).find(kZoneDelimiter) != std::string_view::npos;
    if (several) zones.push_back(Symbol{i});
  }
  std::vector<Symbol> paths;
  std::vector<Symbol> notes;
  const auto look_into = [&](const SymbolMap& map) {
    for (const auto& [key, text] : map) {
      if (contains(kQueuePaths, symbols.text(key))) paths.push_back(text);
    }
  };
  objects.each_store([&](std::string_view, const auto& store) {
    for (const auto& object : store) {
      look_into(object.meta.labels);
      look_into(object.meta.annotations);
      for (const auto& [key, text] : object.meta.annotations) {
        notes.push_back(text);
        if (symbols.text(key) == "yunikorn.apache.org/username") (void)wanted(symbols.text(text), Role::user);
      }
    }
  });
  const auto once = [](std::vector<Symbol>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  once(paths);
  once(notes);
  std::erase_if(notes, [&](Symbol note) { return !note_json(symbols.text(note), collect); });
  for (const Symbol path : paths) (void)queue_path(symbols.text(path), collect);
  for (const Symbol zone : zones) (void)zone_list(symbols.text(zone), collect);

  // Numbers among labels count where selectors compare them.
  const auto is_operator = [&](std::string_view text) {
    const Symbol symbol = symbols.find(text);
    return symbol && roles.has(symbol, Role::word);
  };
  const bool compared = is_operator("Gt") || is_operator("Lt");
  const std::set<Symbol> of_compared = compared_values(objects);
  const auto is_compared = [&](Symbol symbol) {
    // What a configuration compares is not looked into.
    return compared && (configurations.scheduler_config || of_compared.contains(symbol));
  };
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    const Symbol symbol{i};
    if (!roles.used(symbol)) continue;
    const std::string_view text = symbols.text(symbol);
    const auto is_in = [&](const std::vector<Symbol>& sorted) {
      return std::binary_search(sorted.begin(), sorted.end(), symbol);
    };
    const bool holds_names = is_in(paths) || is_in(notes) || is_in(zones);
    // Before a slash stands a domain; one that is a driver's stays, as the selectors of devices name it.
    const std::size_t slash = text.find('/');
    const Symbol domain = slash == std::string_view::npos ? Symbol{} : symbols.find(text.substr(0, slash));
    const bool word =
        roles.has(symbol, Role::word) && (slash == std::string_view::npos || (domain && roles.has(domain, Role::word)));
    const bool number = (is_compared(symbol) && roles.has(symbol, Role::value)) || roles.has(symbol, Role::note)
                            ? reads_as_number(text)
                            : false;
    if (number) wanted.numbers.emplace(text);
    if (!holds_names && !word && !number) (void)wanted(text, roles.first(symbol));
  }
  for (const ConfigMap& map : objects.config_maps) {
    for (const auto& [key, file] : map.data) {
      if (!symbols.text(key).ends_with(".yaml")) continue;
      const auto json = queues_json(file.text, file.place.file, collect);
      if (json) continue;
      return fail(
          fmt::format("{} cannot be read, so its names cannot be changed: {}", symbols.text(key), json.error().message),
          file.place);
    }
  }
  for (const auto member : kConfigurations) {
    if (configurations.*member) PREVICT_CHECK(configuration_json(*(configurations.*member), collect));
  }

  for (const std::string& number : wanted.numbers) wanted.texts.erase(number);
  // By the namespaces of the platform an answer tells that a dump holds nothing else, as a must-gather does.
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    const std::string_view text = symbols.text(Symbol{i});
    const bool reserved = text.starts_with("kube-") || text.starts_with("openshift-") || text == "openshift";
    if (!reserved || !roles.has(Symbol{i}, Role::ns)) continue;
    if (const auto at = wanted.texts.find(text); at != wanted.texts.end()) wanted.texts.erase(at);
  }

  // The order of the old names is that of the new. Of queues also which begins like another: YuniKorn compares paths as
  // texts, so that `root.a` seems to be above `root.ab`.
  std::map<std::string, std::string, std::less<>> queues;
  for (const std::string& kept : wanted.kept_queues) queues[kept] = kept;
  const std::size_t width = fmt::format("{}", wanted.texts.size()).size();
  std::size_t rank = 0;
  for (const auto& [text, role] : wanted.texts) {
    const bool has_domain = (role == Role::label || role == Role::resource) && text.find('/') != std::string::npos;
    std::string name = fmt::format("{:0{}}{}{}", ++rank, width, has_domain ? ".example/" : "-", suffix_of(role));
    if (wanted.users.contains(text)) name.insert(0, user_like(text));
    if (role == Role::queue) {
      if (const std::string* above = longest_prefix(text, queues)) name = fmt::format("{}-{:0{}}", *above, rank, width);
      queues[text] = name;
    }
    renaming.names_[text] = std::move(name);
    renaming.roles_[text] = role;
  }
  const Rename rename = [&](std::string_view text, Role) { return renaming.name_of(text); };
  for (const Symbol path : paths) {
    const std::string_view old = symbols.text(path);
    if (!renaming.names_.contains(old)) renaming.names_[std::string(old)] = queue_path(old, rename);
  }
  for (const Symbol zone : zones) {
    renaming.names_.try_emplace(std::string(symbols.text(zone)), zone_list(symbols.text(zone), rename));
  }
  // The claim of an ephemeral volume is named after its pod and the volume.
  for (const Pod& pod : objects.pods) {
    for (const Volume& volume : pod.spec.volumes) {
      if (!volume.ephemeral) continue;
      const std::string claim = fmt::format("{}-{}", symbols.text(pod.meta.name), symbols.text(volume.name));
      if (!renaming.names_.contains(claim)) continue;
      renaming.names_[claim] = fmt::format("{}-{}", rename(symbols.text(pod.meta.name), Role::pod),
                                           rename(symbols.text(volume.name), Role::name));
    }
  }
  renaming.texts_.resize(roles.size());
  for (std::uint32_t i = 0; i < roles.size(); ++i) renaming.texts_[i] = renaming.name_of(symbols.text(Symbol{i}));
  for (const Symbol note : notes) renaming.texts_[note.index] = note_json(symbols.text(note), rename).value_or("");
  return renaming;
}

auto Renaming::text(Symbol symbol) const -> std::string_view {
  return symbol && symbol.index < texts_.size() ? std::string_view(texts_[symbol.index]) : std::string_view();
}

auto Renaming::embedded(const EmbeddedText& value) const -> std::string {
  const bool setting = value.text.find_first_of(":\n") == std::string::npos;
  if (setting) return value.text;  // `true`, or the name that the key of the queues' file has
  return queues_json(value.text, value.place.file, [&](std::string_view text, Role role) { return name(text, role); })
      .value_or("");
}

auto Renaming::name(std::string_view text, Role /*role*/) const -> std::string {
  return name_of(text);
}

auto Renaming::name_of(std::string_view text) const -> std::string {
  const auto found = names_.find(text);
  return found == names_.end() ? std::string(text) : found->second;
}

auto Renaming::key_of(std::string_view key) const -> std::string {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return name_of(key);
  return fmt::format("{}/{}", name_of(key.substr(0, slash)), name_of(key.substr(slash + 1)));
}

auto Renaming::counts() const -> Counts {
  Counts counts;
  for (const auto& [text, role] : roles_) {
    if (role == Role::label || role == Role::value) {
      ++counts.labels;
    } else if (role != Role::note) {
      ++counts.names;
      counts.nodes += role == Role::node ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace previct::capture
