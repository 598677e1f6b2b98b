#pragma once

#include "api/pod.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

struct LeaderElectionConfig {
  std::optional<bool> leader_elect;
  Duration lease_duration;  ///< zero: upstream's default; also for the other members
  Duration renew_deadline;
  Duration retry_period;
  std::string resource_lock;
  std::string resource_name;
  std::string resource_namespace;

  template <class Field>
  friend void describe(Field& field, LeaderElectionConfig& self) {
    field("leaderElect", self.leader_elect);
    field("leaseDuration", self.lease_duration);
    field("renewDeadline", self.renew_deadline);
    field("retryPeriod", self.retry_period);
    field("resourceLock", self.resource_lock);
    field("resourceName", self.resource_name);
    field("resourceNamespace", self.resource_namespace);
  }
};

struct ClientConnectionConfig {
  double qps = 0;  ///< 0: not set; below 0: no limit
  std::int32_t burst = 0;
  std::string kubeconfig;
  std::string accept_content_types;
  std::string content_type;

  template <class Field>
  friend void describe(Field& field, ClientConnectionConfig& self) {
    field("qps", self.qps);
    field("burst", self.burst);
    field("kubeconfig", self.kubeconfig);
    field("acceptContentTypes", self.accept_content_types);
    field("contentType", self.content_type);
  }
};

struct PluginRef {
  std::string name;
  std::optional<std::int32_t> weight;

  friend auto operator==(const PluginRef&, const PluginRef&) -> bool = default;

  template <class Field>
  friend void describe(Field& field, PluginRef& self) {
    field("name", self.name);
    field("weight", self.weight);
  }
};

/// The plugins that a profile enables and disables at one extension point.
struct PluginSet {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;

  friend auto operator==(const PluginSet&, const PluginSet&) -> bool = default;

  template <class Field>
  friend void describe(Field& field, PluginSet& self) {
    field("enabled", self.enabled);
    field("disabled", self.disabled);
  }
};

struct ProfilePlugins {
  PluginSet multi_point;
  PluginSet pre_enqueue;
  PluginSet queue_sort;
  PluginSet pre_filter;
  PluginSet filter;
  PluginSet post_filter;
  PluginSet pre_score;
  PluginSet score;
  PluginSet reserve;
  PluginSet permit;
  PluginSet pre_bind;
  PluginSet bind;
  PluginSet post_bind;

  template <class Field>
  friend void describe(Field& field, ProfilePlugins& self) {
    field("multiPoint", self.multi_point);
    field("preEnqueue", self.pre_enqueue);
    field("queueSort", self.queue_sort);
    field("preFilter", self.pre_filter);
    field("filter", self.filter);
    field("postFilter", self.post_filter);
    field("preScore", self.pre_score);
    field("score", self.score);
    field("reserve", self.reserve);
    field("permit", self.permit);
    field("preBind", self.pre_bind);
    field("bind", self.bind);
    field("postBind", self.post_bind);
  }
};

struct PluginConfig {
  std::string name;
  std::uint32_t args = 0;  ///< index on the tape; 0: none. Their type depends on the plugin.

  template <class Field>
  friend void describe(Field& field, PluginConfig& self) {
    field("name", self.name);
    field("args", on_tape(self.args));
  }
};

struct ProfileConfig {
  std::optional<std::string> scheduler_name;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  ProfilePlugins plugins;
  std::vector<PluginConfig> plugin_config;

  template <class Field>
  friend void describe(Field& field, ProfileConfig& self) {
    field("schedulerName", self.scheduler_name);
    field("percentageOfNodesToScore", self.percentage_of_nodes_to_score);
    field("plugins", self.plugins);
    field("pluginConfig", self.plugin_config);
  }
};

struct ManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;

  template <class Field>
  friend void describe(Field& field, ManagedResource& self) {
    field("name", self.name);
    field("ignoredByScheduler", self.ignored_by_scheduler);
  }
};

/// The files and certificates of a connection are not read. Data are bytes in base64.
struct ExtenderTlsConfig {
  bool insecure = false;
  std::string server_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;
  std::string key_data;
  std::string ca_data;

  template <class Field>
  friend void describe(Field& field, ExtenderTlsConfig& self) {
    field("insecure", self.insecure);
    field("serverName", self.server_name);
    field("certFile", self.cert_file);
    field("keyFile", self.key_file);
    field("caFile", self.ca_file);
    field("certData", self.cert_data);
    field("keyData", self.key_data);
    field("caData", self.ca_data);
  }
};

struct ExtenderConfig {
  std::string url;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  std::string bind_verb;
  std::int64_t weight = 0;
  bool enable_https = false;
  ExtenderTlsConfig tls;
  Duration http_timeout;
  bool node_cache_capable = false;
  std::vector<ManagedResource> managed_resources;
  bool ignorable = false;

  template <class Field>
  friend void describe(Field& field, ExtenderConfig& self) {
    field("urlPrefix", self.url);
    field("filterVerb", self.filter_verb);
    field("preemptVerb", self.preempt_verb);
    field("prioritizeVerb", self.prioritize_verb);
    field("bindVerb", self.bind_verb);
    field("weight", self.weight);
    field("enableHTTPS", self.enable_https);
    field("tlsConfig", self.tls);
    field("httpTimeout", self.http_timeout);
    field("nodeCacheCapable", self.node_cache_capable);
    field("managedResources", self.managed_resources);
    field("ignorable", self.ignorable);
  }
};

/// kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration, decoded strictly as upstream does.
/// Source: staging/src/k8s.io/kube-scheduler/config/v1/types.go, v1.35.
struct SchedulerConfig {
  std::string api_version;
  std::string kind;
  std::vector<ProfileConfig> profiles;
  std::vector<ExtenderConfig> extenders;
  LeaderElectionConfig leader_election;
  ClientConnectionConfig client_connection;
  std::optional<std::int64_t> initial_backoff;  ///< seconds
  std::optional<std::int64_t> max_backoff;      ///< seconds
  std::optional<std::int32_t> parallelism;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  std::optional<bool> enable_profiling;
  std::optional<bool> enable_contention_profiling;
  bool delay_cache_until_active = false;

  template <class Field>
  friend void describe(Field& field, SchedulerConfig& self) {
    field("apiVersion", self.api_version);
    field("kind", self.kind);
    field("profiles", self.profiles);
    field("extenders", self.extenders);
    field("leaderElection", self.leader_election);
    field("clientConnection", self.client_connection);
    field("podInitialBackoffSeconds", self.initial_backoff);
    field("podMaxBackoffSeconds", self.max_backoff);
    field("parallelism", self.parallelism);
    field("percentageOfNodesToScore", self.percentage_of_nodes_to_score);
    field("enableProfiling", self.enable_profiling);
    field("enableContentionProfiling", self.enable_contention_profiling);
    field("delayCacheUntilActive", self.delay_cache_until_active);
  }
};

}  // namespace previct
