#include "api/pod.h"

#include "api/schedulers.h"

#include <algorithm>

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

auto flag_of_release(std::string_view argument) -> std::string_view {
  if (argument.starts_with("--feature-gates=") || argument.starts_with("--emulated-version=")) return argument;
  return argument.starts_with("--config=") ? argument.substr(0, argument.find('=')) : std::string_view();
}

}  // namespace previct
