#include "api/config_map.h"

#include "api/kind_info.h"
#include "api/kueue_config.h"
#include "base/base64.h"
#include "base/contains.h"
#include "input/decompress.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace previct {
namespace {

// Some of these settings influence decisions; for the other typed ones, an invalid value prevents YuniKorn from
// starting.
constexpr std::array<std::string_view, 18> kSettings = {
    "service.policyGroup",
    "service.schedulingInterval",
    "service.volumeBindTimeout",
    "service.eventChannelCapacity",
    "service.dispatchTimeout",
    "service.disableGangScheduling",
    "service.enableConfigHotRefresh",
    "service.placeholderRunAsUser",
    "service.placeholderRunAsGroup",
    "service.placeholderFsGroup",
    "kubernetes.qps",
    "kubernetes.burst",
    "admissionController.filtering.generateUniqueAppId",
    // of the 1.5.1 design document
    "preemption_victim_pods_selection_strategy",
    "preemption_victim_poselection_strategy",
    "deviation_percent",
    "max_victims",
    "preemption_start_delay",
};

struct SplitKey {
  std::string_view rest;
  std::string_view ending;  // without its dot; the whole key if it has none
};

auto split(std::string_view key) -> SplitKey {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? SplitKey{key, key} : SplitKey{key.substr(0, dot), key.substr(dot + 1)};
}

auto is_gz(std::string_view ending) -> bool {
  return ending.size() == 2 && (ending[0] == 'g' || ending[0] == 'G') && (ending[1] == 'z' || ending[1] == 'Z');
}

auto decides(std::string_view key) -> bool {
  return key.ends_with(".yaml") || std::find(kSettings.begin(), kSettings.end(), key) != kSettings.end();
}

// A file that a scheduler reads with --config.
auto is_file_of_scheduler(std::string_view key) -> bool {
  return key.ends_with(".yaml") || key.ends_with(".yml") || key.ends_with(".json") || key == "config";
}

// None if the bytes do not match the extension of the key: YuniKorn leaves out such an entry.
auto unpacked(std::string_view ending, const EmbeddedText& packed) -> std::optional<std::string> {
  constexpr std::size_t kMost = std::size_t{64} << 20U;  // a ConfigMap holds 1 MiB
  if (!is_gz(ending)) return std::string();
  std::string bytes;
  if (!decode_base64(packed.text, bytes)) return {};
  auto text = gunzip(bytes, kMost, packed.place.file);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

}  // namespace

auto embedded_text_matters(std::string_view key) -> bool {
  return decides(key) || decides(split(key).rest) || is_file_of_scheduler(key);
}

auto mentions_scheduler_config(std::string_view text) -> bool {
  return text.find(kinds::scheduler_configurations.name) != std::string_view::npos;
}

auto ConfigMap::wanted(std::string_view name) -> bool {
  return contains(kYunikornConfigMaps, name) || name.ends_with(kueue::kConfigMapName);
}

void ConfigMap::keep_configurations() {
  ConfigMap kept;
  kept.meta.name = meta.name;
  kept.meta.generate_name = meta.generate_name;
  kept.meta.ns = meta.ns;
  kept.meta.uid = meta.uid;
  kept.meta.source = meta.source;
  for (auto& entry : data) {
    const std::string& text = entry.second.text;
    if (mentions_scheduler_config(text) || text.find(kueue::kConfigGroup) != std::string::npos)
      kept.data.push_back(std::move(entry));
  }
  *this = std::move(kept);
}

void ConfigMap::unpack(Symbols& symbols) {
  for (const auto& [key, packed] : binary_data) {
    const auto [rest, ending] = split(symbols.text(key));
    std::optional<std::string> text = unpacked(ending, packed);
    if (!text) continue;
    const Symbol name = symbols.intern(std::string(rest));
    const auto there = std::find_if(data.begin(), data.end(), [&](const auto& entry) { return entry.first == name; });
    const auto at = there == data.end() ? data.insert(data.end(), {name, {}}) : there;
    at->second = {*std::move(text), packed.place};
  }
  binary_data.clear();
  std::erase_if(data, [&](const auto& entry) {
    return !decides(symbols.text(entry.first)) && !mentions_scheduler_config(entry.second.text);
  });
}

}  // namespace previct
