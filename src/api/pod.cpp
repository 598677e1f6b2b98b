#include "api/pod.h"

#include "api/schedulers.h"

#include <algorithm>
#include <array>

namespace previct {

// Source: pkg/scheduler/framework/types.go FitError.Error, schedule_one.go ErrNoNodesAvailable and RunFilterPlugins.
auto is_schedulers_message(std::string_view message) -> bool {
  if (message.starts_with("no nodes available to schedule pods") || message.starts_with("running \"")) return true;
  const std::size_t words = message.find(" nodes are available:");
  if (words == std::string_view::npos) return false;
  const std::string_view head = message.substr(0, words);
  return head.find('/') != std::string_view::npos &&
         std::all_of(head.begin(), head.end(), [](char c) { return c == '/' || (c >= '0' && c <= '9'); });
}

auto component_of_image(std::string_view image) -> std::string_view {
  image = image.substr(0, image.find('@'));
  const std::size_t last = image.rfind('/') + 1;  // npos + 1 is 0
  const std::string_view name = image.substr(last, image.find(':', last) - last);
  const std::string_view folder = image.substr(0, last);
  for (const SchedulerInfo& scheduler : kSchedulers) {
    for (const std::string_view own : scheduler.images) {
      if (own.empty()) break;
      if (name == own) return image.substr(last);
      if (own.ends_with('/') && folder.ends_with(own)) return image.substr(last - own.size());
    }
  }
  return {};
}

auto has_tag(std::string_view image) -> bool {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  return colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
}

auto mount_of_path(std::string_view path) -> std::string_view {
  return path == "/var/run/secrets/kubernetes.io/serviceaccount" ? "" : "/";
}

auto own_config_map(std::string_view name) -> std::string_view {
  return name == "kube-root-ca.crt" ? "" : name;
}

auto volume_name(std::string_view name) -> std::string_view {
  constexpr std::string_view kToken = "kube-api-access-";
  constexpr std::string_view kRandom = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kSize = 5;
  const bool token = name.size() == kToken.size() + kSize && name.starts_with(kToken) &&
                     name.find_first_not_of(kRandom, kToken.size()) == std::string_view::npos;
  return token ? kToken : name;
}

namespace {

auto is_letter_or_digit(char c) -> bool {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// `PodLevelResources=false`, `kube:PodLevelResources=false`
auto sets_gate(std::string_view setting) -> bool {
  if (const std::size_t colon = setting.find(':'); colon != std::string_view::npos) setting.remove_prefix(colon + 1);
  const std::size_t equals = std::min(setting.find('='), setting.size());
  const std::string_view gate = setting.substr(0, equals);
  const std::string_view value = setting.substr(equals);
  return !gate.empty() && gate[0] >= 'A' && gate[0] <= 'Z' &&
         std::all_of(gate.begin(), gate.end(), is_letter_or_digit) && (value == "=true" || value == "=false");
}

// The value of a flag that is an argument of its own: gates, or a version such as `kube=1.33`.
auto is_value_of_release(std::string_view argument) -> bool {
  constexpr std::string_view kKube = "kube=";
  const std::string_view version = argument.substr(argument.starts_with(kKube) ? kKube.size() : 0);
  if (version.size() <= std::string_view("1.33").size() && version.starts_with("1.") &&
      version.find_first_not_of("0123456789", 2) == version.npos)
    return true;
  while (!argument.empty()) {
    const std::size_t comma = std::min(argument.find(','), argument.size());
    if (!sets_gate(argument.substr(0, comma))) return false;
    argument.remove_prefix(std::min(comma + 1, argument.size()));
  }
  return true;
}

constexpr std::array<std::string_view, 6> kFlagsOfRelease = {
    "--feature-gates", "--config",         "--emulated-version",
    "--kube-api-qps",  "--kube-api-burst", "--pod-max-in-unschedulable-pods-duration"};

// The first of these flags, in this order, in the command line of a shell.
auto flag_in_command_line(std::string_view line) -> std::string_view {
  constexpr std::string_view kBlanks = " \t\r\n\\\"'";
  for (const std::string_view flag : kFlagsOfRelease) {
    for (std::size_t at = line.find(flag); at != std::string_view::npos; at = line.find(flag, at + 1)) {
      const std::string_view word = line.substr(at, std::min(line.find_first_of(kBlanks, at), line.size()) - at);
      if (word.substr(flag.size()).starts_with('=') || (word == flag && flag == "--config")) return word;
    }
  }
  return {};
}

}  // namespace

auto flag_of_release(std::string_view argument) -> std::string_view {
  if (argument.find_first_of(" \t\n") != std::string_view::npos) argument = flag_in_command_line(argument);
  const std::string_view name = argument.substr(0, argument.find('='));
  if (std::find(kFlagsOfRelease.begin(), kFlagsOfRelease.end(), name) != kFlagsOfRelease.end())
    return name == "--config" ? name : argument;
  return is_value_of_release(argument) ? argument : std::string_view();
}

auto takes_number(std::string_view argument) -> bool {
  constexpr std::array<std::string_view, 3> kNumbers = {"--kube-api-qps", "--kube-api-burst",
                                                        "--pod-max-in-unschedulable-pods-duration"};
  return std::find(kNumbers.begin(), kNumbers.end(), argument) != kNumbers.end();
}

auto number_of_flag(std::string_view argument) -> std::string_view {
  constexpr std::size_t kLongest = 16;
  const bool is_number = !argument.empty() && argument.size() <= kLongest &&
                         argument.find_first_not_of("-.0123456789hms") == std::string_view::npos;
  return is_number ? argument : flag_of_release(argument);
}

}  // namespace previct
