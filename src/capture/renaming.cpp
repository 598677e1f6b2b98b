#include "capture/renaming.h"

#include "api/kueue_config.h"
#include "api/schedulers.h"
#include "api/upstream.h"
#include "base/contains.h"
#include "base/duration.h"
#include "base/go.h"
#include "capture/rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace previct::capture {
namespace {

// ---- names that stay

// Names without a domain that Kubernetes defines, and those that schedulers define or look for.
constexpr std::array kBuiltIn = std::to_array<std::string_view>({
    "default",
    "kube-system",
    "kube-public",
    "kube-node-lease",
    "system-cluster-critical",
    "system-node-critical",
    "cpu",
    "memory",
    "ephemeral-storage",
    "storage",
    "pods",
    "gpu",
    "metadata.name",
    "true",
    "false",
    "True",
    "False",
    "TRUE",
    "FALSE",
    "yes",
    "no",
    "kube-root-ca.crt",
    "*",
    "0.0.0.0",
    "127.0.0.1",
    "::",
    "::1",
    "amd64",
    "arm64",
    "linux",
    "windows",
    // in-tree volume types and the drivers that replaced them
    "ebs.csi.aws.com",
    "pd.csi.storage.gke.io",
    "disk.csi.azure.com",
    "file.csi.azure.com",
    "cinder.csi.openstack.org",
    "csi.vsphere.vmware.com",
    "pxd.portworx.com",
    "rbd",
    // the pods of the control plane, by which the release is recognized (engine/kube/seen_release.cpp)
    "component",
    "kube-scheduler",
    "kube-apiserver",
    "kube-proxy",
#define PREVICT_SCHEDULER(name, ...) schedulers::name.scheduler_name,
#define PREVICT_OWN_NAME(name) name,
#include "api/schedulers.def"
});

// Domains whose names stay, as in `nvidia.com/gpu`. The subdomains of the first two stay, too.
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

// Labels and annotations whose values are queue paths.
constexpr std::array<std::string_view, 4> kQueuePaths = {"queue", "yunikorn.apache.org/queue",
                                                         "yunikorn.apache.org/parentqueue",
                                                         "yunikorn.apache.org/namespace.parentqueue"};

// Annotations whose values are the namespace and the name of an object.
constexpr std::array<std::string_view, 1> kObjectKeys = {"kueue.x-k8s.io/workload-slice-replacement-for"};

/// Renames `ml/train` part by part.
auto object_key(std::string_view key, const Rename& rename) -> std::string {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return rename(key, Role::name);
  return fmt::format("{}/{}", rename(key.substr(0, slash), Role::ns), rename(key.substr(slash + 1), Role::name));
}

/// The version of a kubelet without what a build of one's own adds: `v1.35.2-acme` becomes `v1.35.2`. Distributions of
/// Kubernetes and prereleases stay.
auto public_version(std::string_view version) -> std::string_view {
  constexpr std::array<std::string_view, 9> kPublic = {"+k3s",    "+rke2",  "-eks-", "-gke.",  "-aks",
                                                       "-alpha.", "-beta.", "-rc.",  "+vmware"};
  const std::size_t end = version.find_first_of("-+");
  if (end == std::string_view::npos) return version;
  const std::string_view rest = version.substr(end);
  const bool is_public =
      std::any_of(kPublic.begin(), kPublic.end(), [&](std::string_view each) { return rest.starts_with(each); });
  return is_public ? version : version.substr(0, end);
}

/// The function that rewrites a text of a ConfigMap.
auto rewriter_of(std::string_view text) {
  if (mentions_scheduler_config(text)) return &scheduler_json;
  return text.find(kueue::kConfigGroup) == std::string_view::npos ? &queues_json : &kueue_json;
}

auto has_known_domain(std::string_view text) -> bool {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = text.substr(0, slash);
  return contains(kDomains, domain) || domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") ||
         domain.ends_with(".x-k8s.io") || domain == "previct";
}

auto is_built_in(std::string_view text) -> bool {
  return text.empty() || contains(kBuiltIn, text) || has_known_domain(text) || text.starts_with("hugepages-") ||
         text.starts_with("attachable-volumes-");
}

auto reads_as_number(std::string_view text) -> bool {
  return go::parse_int(text, 64) || Quantity::parse(text) || go::parse_duration(text, go::Units::weeks) ||
         parse_instant(text);
}

// An index or a count reveals nothing; a number of six or more digits may be private.
auto is_small_number(std::string_view text) -> bool {
  constexpr std::size_t kDigits = 5;
  return text.size() <= kDigits && go::parse_int(text, 64);
}

constexpr std::string_view kZoneDelimiter = "__";
constexpr std::string_view kLatest = ":latest";

/// Renames each zone of `zone-a__zone-b`.
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

/// The new name of the longest of `queues` that is a prefix of `text`; null if there is none.
auto longest_prefix(std::string_view text, const std::map<std::string, std::string, std::less<>>& queues)
    -> const std::string* {
  for (std::size_t size = text.size(); size > 0; --size) {
    if (const auto found = queues.find(text.substr(0, size)); found != queues.end()) return &found->second;
  }
  return nullptr;
}

auto has_scheduler_config(const Objects& objects) -> bool {
  const auto mentions = [](const auto& entry) { return mentions_scheduler_config(entry.second.text); };
  return std::any_of(objects.config_maps.begin(), objects.config_maps.end(),
                     [&](const ConfigMap& map) { return std::any_of(map.data.begin(), map.data.end(), mentions); });
}

// The label values that selectors compare as numbers, and the numbers that they are compared with.
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
  for (const Pod& pod : objects.pods) {
    take(pod.spec.affinity.node.required);
    for (const WeightedNodeTerm& each : pod.spec.affinity.node.preferred_terms()) take(NodeSelector{{each.term}});
  }
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

/// A prefix that keeps a new name of a user or group valid where the old name was: YuniKorn requires a letter at the
/// start; limits allow more characters than ACLs, and ACLs allow more for users than for groups.
auto user_like(std::string_view text) -> std::string_view {
  const bool begins = !text.empty() && (text[0] == '_' || ('a' <= (text[0] | 0x20) && (text[0] | 0x20) <= 'z'));
  if (!begins) return "";
  if (text.find_first_of(":#/") != std::string_view::npos) return "u:";
  return text.find_first_of(".@") != std::string_view::npos ? "u." : "u";
}

}  // namespace

/// The texts to be renamed, each with its role.
struct Renaming::Wanted {
  std::map<std::string, Role, std::less<>> texts;
  std::set<std::string, std::less<>> users;
  std::set<std::string, std::less<>> kept_queues;
  std::set<std::string, std::less<>> numbers;  ///< texts that are read as numbers; they stay everywhere
  std::set<std::string, std::less<>> keys;     ///< texts of a known domain; they stay everywhere

  /// A Rename that collects texts and changes nothing.
  auto operator()(std::string_view text, Role role) -> std::string {
    if (role == Role::user) {
      users.emplace(text);
      role = Role::name;
    }
    const bool number = role == Role::note ? reads_as_number(text) : role == Role::value && is_small_number(text);
    if (number) numbers.emplace(text);
    if (role == Role::queue && is_built_in(text)) kept_queues.emplace(text);
    // A domain identifies the author of a key; it says nothing about values and images.
    const bool made_up = has_known_domain(text) && (role == Role::value || role == Role::image);
    if (has_known_domain(text) && !made_up) keys.emplace(text);
    if ((made_up || !is_built_in(text)) && !number) {
      const auto [at, added] = texts.try_emplace(std::string(text), role);
      if (!added) at->second = std::min(at->second, role);
    }
    return std::string(text);
  }
};

/// The steps that produce the new names.
class Renaming::Making {
 public:
  Making(const Objects& objects, const Configurations& configurations)
      : objects_(objects), symbols_(objects.symbols), configurations_(configurations), roles_(objects) {}

  auto run() -> Result<Renaming> {
    find_texts_with_names();
    want_symbols();
    PREVICT_CHECK(want_configurations());
    keep_some();
    assign_names();
    rename_texts_with_names();
    return std::move(renaming_);
  }

 private:
  // Finds texts that contain names. A volume's label may hold several zones in one value, which VolumeZone splits.
  void find_texts_with_names() {
    for (std::uint32_t i = 0; i < roles_.size(); ++i) {
      const Symbol symbol{i};
      const bool several =
          roles_.has(symbol, Role::value) && symbols_.text(symbol).find(kZoneDelimiter) != std::string_view::npos;
      if (several) zones_.push_back(symbol);
      if (roles_.has(symbol, Role::image)) find_image(symbol);
    }
    objects_.each_store([&](std::string_view, const auto& store) {
      for (const auto& object : store) {
        find_paths(object.meta.labels);
        find_paths(object.meta.annotations);
        for (const auto& [key, text] : object.meta.annotations) {
          notes_.push_back(text);
          if (symbols_.text(key) == "yunikorn.apache.org/username") (void)wanted_(symbols_.text(text), Role::user);
        }
      }
    });
    once(paths_);
    once(object_keys_);
    once(notes_);
    std::erase_if(notes_, [&](Symbol note) { return !note_json(symbols_.text(note), collect_); });
    for (const Symbol path : paths_) (void)queue_path(symbols_.text(path), collect_);
    for (const Symbol key : object_keys_) (void)object_key(symbols_.text(key), collect_);
    for (const Symbol zone : zones_) (void)zone_list(symbols_.text(zone), collect_);
  }
  void find_paths(const SymbolMap& map) {
    for (const auto& [key, text] : map) {
      if (contains(kQueuePaths, symbols_.text(key))) paths_.push_back(text);
      if (contains(kObjectKeys, symbols_.text(key))) object_keys_.push_back(text);
    }
  }
  static void once(std::vector<Symbol>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  // The new name of an image is specific to a version if the old one is. The tag `latest` is kept apart from the name.
  void find_image(Symbol symbol) {
    const std::string_view text = symbols_.text(symbol);
    if (!has_tag(text) || (is_built_in(text) && !has_known_domain(text))) return;
    (text.ends_with(kLatest) ? latest_ : images_).push_back(symbol);
    if (text.ends_with(kLatest)) (void)wanted_(text.substr(0, text.size() - kLatest.size()), Role::image);
  }

  void want_symbols() {
    const auto is_operator = [&](std::string_view text) {
      const Symbol symbol = symbols_.find(text);
      return symbol && roles_.has(symbol, Role::word);
    };
    // Numbers in labels stay if selectors compare them. The selectors in a scheduler configuration are not examined: if
    // there is one, all numbers stay.
    const bool compared = is_operator("Gt") || is_operator("Lt");
    const bool configured = configurations_.scheduler_config || has_scheduler_config(objects_);
    const std::set<Symbol> of_compared = compared_values(objects_);
    for (std::uint32_t i = 0; i < roles_.size(); ++i) {
      const Symbol symbol{i};
      if (!roles_.used(symbol)) continue;
      const std::string_view text = symbols_.text(symbol);
      const bool is_compared = compared && (configured || of_compared.contains(symbol));
      const bool number =
          ((is_compared && roles_.has(symbol, Role::value)) || roles_.has(symbol, Role::note)) && reads_as_number(text);
      if (number) wanted_.numbers.emplace(text);
      if (!holds_names(symbol) && !is_word(symbol) && !number) (void)wanted_(text, roles_.first(symbol));
    }
  }
  [[nodiscard]] auto holds_names(Symbol symbol) const -> bool {
    const std::array<const std::vector<Symbol>*, 5> lists = {&paths_, &object_keys_, &notes_, &zones_, &latest_};
    return std::any_of(lists.begin(), lists.end(),
                       [&](const auto* sorted) { return std::binary_search(sorted->begin(), sorted->end(), symbol); });
  }
  // The part before a slash is a domain. The domain of a driver stays, because selectors of devices name it.
  [[nodiscard]] auto is_word(Symbol symbol) const -> bool {
    if (roles_.kept(symbol)) return true;
    if (!roles_.has(symbol, Role::word)) return false;
    const std::string_view text = symbols_.text(symbol);
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return true;
    const Symbol domain = symbols_.find(text.substr(0, slash));
    return domain && roles_.has(domain, Role::word);
  }

  // New names have no prefix in common, so that only resources that keep their names may be excluded by a prefix.
  [[nodiscard]] static auto check_prefixes(std::string_view text, Place place) -> Result<void> {
    const auto prefixes = excluded_prefixes(text, place.file);
    if (!prefixes) return {};  // reported where it is read
    for (const std::string& prefix : *prefixes) {
      if (is_built_in(prefix) || contains(kDomains, prefix)) continue;
      return fail(
          fmt::format("Kueue's Configuration excludes the resources that begin with {}, and these get new names",
                      prefix),
          place,
          "remove that entry of excludeResourcePrefixes from a copy of the input: Kueue's decisions then count "
          "these resources");
    }
    return {};
  }

  auto want_configurations() -> Result<void> {
    for (const ConfigMap& map : objects_.config_maps) {
      for (const auto& [key, file] : map.data) {
        const auto rewrite = rewriter_of(file.text);
        if (rewrite != scheduler_json && !symbols_.text(key).ends_with(".yaml")) continue;
        const auto json = rewrite(file.text, file.place.file, collect_);
        if (json && rewrite == kueue_json && symbols_.text(key) == kueue::kConfigMapKey)
          PREVICT_CHECK(check_prefixes(file.text, file.place));
        if (json) continue;
        return fail(fmt::format("{} is malformed, so its names cannot be changed: {}", symbols_.text(key),
                                json.error().message),
                    file.place);
      }
    }
    if (const auto& given = configurations_.kueue_config) PREVICT_CHECK(check_prefixes(given->bytes, {given->file}));
    for (const ConfigurationKind& kind : configuration_kinds()) {
      const auto& found = configurations_.*kind.member;
      if (found) PREVICT_CHECK(configuration_json(*found, collect_));
    }
    return {};
  }

  void keep_some() {
    for (const std::string& number : wanted_.numbers) wanted_.texts.erase(number);
    for (const std::string& key : wanted_.keys) wanted_.texts.erase(key);
    // The namespaces of the platform stay: they show that a dump holds nothing else, as in a must-gather.
    for (std::uint32_t i = 0; i < roles_.size(); ++i) {
      const std::string_view text = symbols_.text(Symbol{i});
      const bool reserved = text.starts_with("kube-") || text.starts_with("openshift-") || text == "openshift";
      if (!reserved || !roles_.has(Symbol{i}, Role::ns)) continue;
      if (const auto at = wanted_.texts.find(text); at != wanted_.texts.end()) wanted_.texts.erase(at);
    }
  }

  // New names sort like the old ones. A queue whose name starts with the name of another queue also keeps that
  // property: YuniKorn compares paths as texts, so that `root.a` seems to be above `root.ab`.
  void assign_names() {
    std::map<std::string, std::string, std::less<>> queues;
    for (const std::string& kept : wanted_.kept_queues) queues[kept] = kept;
    const std::size_t width = fmt::format("{}", wanted_.texts.size()).size();
    std::size_t rank = 0;
    for (const auto& [text, role] : wanted_.texts) {
      const bool has_domain = (role == Role::label || role == Role::resource) && text.find('/') != std::string::npos;
      std::string name = fmt::format("{:0{}}{}{}", ++rank, width, has_domain ? ".example/" : "-", suffix_of(role));
      if (wanted_.users.contains(text)) name.insert(0, user_like(text));
      if (role == Role::queue) {
        if (const std::string* above = longest_prefix(text, queues))
          name = fmt::format("{}-{:0{}}", *above, rank, width);
        queues[text] = name;
      }
      renaming_.names_[text] = std::move(name);
      renaming_.roles_[text] = role;
    }
  }

  void rename_texts_with_names() {
    const Rename rename = [&](std::string_view text, Role) { return renaming_.name_of(text); };
    for (const Symbol path : paths_) {
      const std::string_view old = symbols_.text(path);
      if (!renaming_.names_.contains(old)) renaming_.names_[std::string(old)] = queue_path(old, rename);
    }
    for (const Symbol key : object_keys_)
      renaming_.names_.try_emplace(std::string(symbols_.text(key)), object_key(symbols_.text(key), rename));
    for (const Node& node : objects_.nodes) {
      const std::string_view version = symbols_.text(node.status.info.kubelet_version);
      if (public_version(version) != version)
        renaming_.names_.try_emplace(std::string(version), std::string(public_version(version)));
    }
    for (const Symbol zone : zones_) {
      renaming_.names_.try_emplace(std::string(symbols_.text(zone)), zone_list(symbols_.text(zone), rename));
    }
    for (const Symbol image : latest_) {
      const std::string_view text = symbols_.text(image);
      renaming_.names_[std::string(text)] =
          fmt::format("{}{}", renaming_.name_of(text.substr(0, text.size() - kLatest.size())), kLatest);
    }
    for (const Symbol image : images_) {
      const auto at = renaming_.names_.find(symbols_.text(image));
      if (at == renaming_.names_.end()) continue;
      const std::string_view component = component_of_image(symbols_.text(image));
      at->second += component.empty() ? std::string(":1") : fmt::format("/{}", component);
    }
    // The claim of an ephemeral volume is named after its pod and the volume.
    for (const Pod& pod : objects_.pods) {
      for (const Volume& volume : pod.spec.volumes) {
        if (!volume.ephemeral) continue;
        const std::string claim = fmt::format("{}-{}", symbols_.text(pod.meta.name), symbols_.text(volume.name));
        if (!renaming_.names_.contains(claim)) continue;
        renaming_.names_[claim] = fmt::format("{}-{}", rename(symbols_.text(pod.meta.name), Role::pod),
                                              rename(symbols_.text(volume.name), Role::name));
      }
    }
    renaming_.texts_.resize(roles_.size());
    for (std::uint32_t i = 0; i < roles_.size(); ++i) renaming_.texts_[i] = renaming_.name_of(symbols_.text(Symbol{i}));
    for (const Symbol note : notes_) renaming_.texts_[note.index] = note_json(symbols_.text(note), rename).value_or("");
  }

  const Objects& objects_;
  const Symbols& symbols_;
  const Configurations& configurations_;
  Roles roles_;
  Wanted wanted_;
  Rename collect_ = std::ref(wanted_);
  std::vector<Symbol> zones_;
  std::vector<Symbol> latest_;  // images with the tag `latest`
  std::vector<Symbol> images_;  // other images with a tag or digest
  std::vector<Symbol> paths_;
  std::vector<Symbol> object_keys_;
  std::vector<Symbol> notes_;
  Renaming renaming_;
};

auto Renaming::of(const Objects& objects, const Configurations& configurations) -> Result<Renaming> {
  return Making(objects, configurations).run();
}

auto Renaming::text(Symbol symbol) const -> std::string_view {
  return symbol && symbol.index < texts_.size() ? std::string_view(texts_[symbol.index]) : std::string_view();
}

auto Renaming::embedded(const EmbeddedText& value) const -> std::string {
  const bool setting = value.text.find_first_of(":\n") == std::string::npos;
  if (setting) return value.text;  // `true`, or the name of the key that holds queues.yaml
  const Rename rename = [&](std::string_view text, Role role) { return name(text, role); };
  return rewriter_of(value.text)(value.text, value.place.file, rename).value_or("");
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
