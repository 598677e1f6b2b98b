#include "engine/own_flags.h"

#include "base/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

namespace previct {
namespace {

// Without the name of the component: `kube:A` is `A`. Empty for another component.
auto of_kube(std::string_view text, char separator) -> std::string_view {
  constexpr std::string_view kKube = "kube";
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return text;
  return text.substr(0, at) == kKube ? text.substr(at + 1) : std::string_view();
}

void add_gates(std::string_view settings, std::string& gates) {
  for (const auto part : std::views::split(settings, ',')) {
    const std::string_view gate = of_kube(trimmed(std::string_view(part.begin(), part.end())), ':');
    if (!gate.empty()) gates += fmt::format("{}{}", gates.empty() ? "" : ",", gate);
  }
}

}  // namespace

auto own_flags(const Container& container, const Symbols& symbols) -> OwnFlags {
  std::vector<std::string_view> words;
  for (const auto* const list : {&container.command, &container.args}) {
    for (const Symbol word : *list) words.push_back(symbols.text(word));
  }
  OwnFlags flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = std::min(words[i].find('='), words[i].size());
    const std::string_view name = words[i].substr(0, equals);
    if (name == "--config") flags.configured = true;
    const bool has_value = equals < words[i].size();
    const bool is_next = !has_value && i + 1 < words.size() && !words[i + 1].starts_with("--");
    const std::string_view value = has_value ? words[i].substr(equals + 1) : is_next ? words[i + 1] : "";
    if (name == "--feature-gates") add_gates(value, flags.gates);
    if (name == "--emulated-version") flags.emulated = of_kube(value, '=');
    if (value.empty()) continue;
    if (name == "--kube-api-qps") flags.qps = value;
    if (name == "--kube-api-burst") flags.burst = value;
    if (name == "--pod-max-in-unschedulable-pods-duration") flags.flush = value;
  }
  return flags;
}

}  // namespace previct
