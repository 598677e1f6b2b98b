#pragma once

#include "api/pod.h"

#include <string>
#include <vector>

namespace previct {

/// Fields of a group that previct does not need, named so that others are refused as upstream refuses them.
struct LeaderElectionConfig {
  template <class Field>
  friend void describe(Field& field, LeaderElectionConfig& /*self*/) {
    for (const char* name : {"leaderElect", "leaseDuration", "renewDeadline", "retryPeriod", "resourceLock",
                             "resourceName", "resourceNamespace"}) {
      field(name, ignored());
    }
  }
};

struct ClientConnectionConfig {
  double qps = 0;  ///< 0: not said; below 0: without limit
  std::int32_t burst = 0;

  template <class Field>
  friend void describe(Field& field, ClientConnectionConfig& self) {
    field("qps", self.qps);
    field("burst", self.burst);
    for (const char* name : {"kubeconfig", "acceptContentTypes", "contentType"}) field(name, ignored());
  }
};

struct PluginRef {
  std::string name;

  template <class Field>
  friend void describe(Field& field, PluginRef& self) {
    field("name", self.name);
    field("weight", ignored());
  }
};

/// The plugins that a profile turns on and off at one extension point.
struct PluginSet {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;

  template <class Field>
  friend void describe(Field& field, PluginSet& self) {
    field("enabled", self.enabled);
    field("disabled", self.disabled);
  }
};

struct ProfilePlugins {
  PluginSet multi_point;
  PluginSet pre_enqueue;
  PluginSet pre_filter;
  PluginSet filter;
  PluginSet post_filter;
  PluginSet ignored_points;  ///< scoring and binding: they choose among nodes that fit

  template <class Field>
  friend void describe(Field& field, ProfilePlugins& self) {
    field("multiPoint", self.multi_point);
    field("preEnqueue", self.pre_enqueue);
    field("preFilter", self.pre_filter);
    field("filter", self.filter);
    field("postFilter", self.post_filter);
    for (const char* name : {"queueSort", "preScore", "score", "reserve", "permit", "preBind", "bind", "postBind",
                             "placementGenerate", "placementScore"}) {
      field(name, self.ignored_points);
    }
  }
};

struct PluginConfig {
  std::string name;
  std::uint32_t args = 0;  ///< on the tape; 0: none. What they are depends on the plugin.

  template <class Field>
  friend void describe(Field& field, PluginConfig& self) {
    field("name", self.name);
    field("args", on_tape(self.args));
  }
};

struct ProfileConfig {
  std::string scheduler_name;
  ProfilePlugins plugins;
  std::vector<PluginConfig> plugin_config;

  template <class Field>
  friend void describe(Field& field, ProfileConfig& self) {
    field("schedulerName", self.scheduler_name);
    field("percentageOfNodesToScore", ignored());
    field("plugins", self.plugins);
    field("pluginConfig", self.plugin_config);
  }
};

struct ExtenderConfig {
  std::string url;
  std::string filter_verb;
  std::string preempt_verb;

  template <class Field>
  friend void describe(Field& field, ExtenderConfig& self) {
    field("urlPrefix", self.url);
    field("filterVerb", self.filter_verb);
    field("preemptVerb", self.preempt_verb);
    for (const char* name : {"prioritizeVerb", "weight", "bindVerb", "enableHTTPS", "tlsConfig", "httpTimeout",
                             "nodeCacheCapable", "managedResources", "ignorable"}) {
      field(name, ignored());
    }
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
    for (const char* name : {"parallelism", "enableProfiling", "enableContentionProfiling", "percentageOfNodesToScore",
                             "delayCacheUntilActive"}) {
      field(name, ignored());
    }
  }
};

// -- arguments of the plugins whose answers they change; apiVersion and kind are optional and not looked at

struct PreemptionArgs {
  std::optional<std::int32_t> percentage;
  std::optional<std::int32_t> absolute;

  template <class Field>
  friend void describe(Field& field, PreemptionArgs& self) {
    field("apiVersion", ignored());
    field("kind", ignored());
    field("minCandidateNodesPercentage", self.percentage);
    field("minCandidateNodesAbsolute", self.absolute);
  }
};

struct AddedAffinity {
  std::optional<NodeSelector> required;

  template <class Field>
  friend void describe(Field& field, AddedAffinity& self) {
    field("requiredDuringSchedulingIgnoredDuringExecution", self.required);
    field("preferredDuringSchedulingIgnoredDuringExecution", ignored());
  }
};

struct NodeAffinityArgs {
  AddedAffinity added;

  template <class Field>
  friend void describe(Field& field, NodeAffinityArgs& self) {
    field("apiVersion", ignored());
    field("kind", ignored());
    field("addedAffinity", self.added);
  }
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;

  template <class Field>
  friend void describe(Field& field, NodeResourcesFitArgs& self) {
    field("apiVersion", ignored());
    field("kind", ignored());
    field("ignoredResources", self.ignored_resources);
    field("ignoredResourceGroups", self.ignored_resource_groups);
    field("scoringStrategy", ignored());
  }
};

struct PodTopologySpreadArgs {
  std::vector<TopologySpreadConstraint> default_constraints;

  template <class Field>
  friend void describe(Field& field, PodTopologySpreadArgs& self) {
    field("apiVersion", ignored());
    field("kind", ignored());
    field("defaultConstraints", self.default_constraints);
    field("defaultingType", ignored());
  }
};

}  // namespace previct
