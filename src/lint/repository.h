#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"
#include "lint/value.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// Kinds as `kubectl get` takes them, for Repository::of().
namespace kind {
inline constexpr std::string_view kPod = "Pod";
inline constexpr std::string_view kNode = "Node";
inline constexpr std::string_view kConfigMap = "ConfigMap";
inline constexpr std::string_view kSecret = "Secret";
inline constexpr std::string_view kPriorityClass = "PriorityClass.scheduling.k8s.io";
inline constexpr std::string_view kBudget = "PodDisruptionBudget.policy";
inline constexpr std::string_view kScheduler = "KubeSchedulerConfiguration.kubescheduler.config.k8s.io";
inline constexpr std::string_view kDaemonSet = "DaemonSet.apps";
inline constexpr std::string_view kStatefulSet = "StatefulSet.apps";
inline constexpr std::string_view kDeployment = "Deployment.apps";
inline constexpr std::string_view kKaiQueue = "Queue.scheduling.run.ai";
inline constexpr std::string_view kKaiPodGroup = "PodGroup.scheduling.run.ai";
inline constexpr std::string_view kKaiShard = "SchedulingShard.kai.scheduler";
inline constexpr std::string_view kYunikornQueues = "QueueConfiguration";
}  // namespace kind

/// A pod, or what a workload makes pods of: any `template` with containers, at any depth of any kind.
struct PodShape {
  const Manifest* manifest = nullptr;
  Value metadata = {};
  Value spec = {};
  bool is_pod = false;  ///< false: a template
  bool owned = false;   ///< made by a controller from another object, which is the one to mend
  bool bound = false;   ///< a pod that is on a node
  bool finished = false;

  [[nodiscard]] auto class_name() const -> std::string_view { return spec["priorityClassName"].text(); }
  [[nodiscard]] auto scheduler() const -> std::string_view;
  [[nodiscard]] auto labels() const -> Value { return metadata["labels"]; }
  [[nodiscard]] auto ns() const -> const std::string& { return manifest->ns; }
  /// Of `kind` (`DaemonSet`).
  [[nodiscard]] auto of(std::string_view kind) const -> bool { return manifest->kind == kind; }
  /// Written by a person, or the first object that a controller makes others of.
  [[nodiscard]] auto authored() const -> bool { return !owned && !finished; }
};

/// A PriorityClass as far as it can be read.
struct PriorityClassShape {
  const Manifest* manifest = nullptr;  ///< null: one of the two built-in classes, which every cluster has
  std::string name = {};
  std::optional<std::int64_t> value = {};  ///< none: not an int32
  bool global_default = false;
  bool never_preempts = false;

  [[nodiscard]] auto annotations() const -> Value {
    return manifest == nullptr ? Value() : manifest->in("metadata.annotations");
  }
};

struct ReadOptions {
  std::string folder = {};  ///< absolute paths below it are shown relative to it
  bool keep_going = false;
  std::uint64_t max_input = 0;
};

/// All that is looked at together: every manifest of every file, read leniently, with its places.
class Repository {
 public:
  Repository() = default;
  Repository(const Repository&) = delete;
  auto operator=(const Repository&) -> Repository& = delete;
  Repository(Repository&&) = delete;
  auto operator=(Repository&&) -> Repository& = delete;
  ~Repository() = default;

  /// Reads files, directories to the bottom (YAML, JSON and compressed forms; hidden ones and links are left alone) and
  /// `-`. Files that hold nothing that Kubernetes or a scheduler reads are passed over.
  ///
  /// Errors: the first file that cannot be read or is broken, with its place. A template of Helm in a directory is left
  /// out with a warning: only what it renders can be judged.
  [[nodiscard]] auto read(const std::vector<std::string>& paths, const ReadOptions& options, Files& files,
                          Diagnostics& diagnostics) -> Result<void>;
  /// The same for one text.
  [[nodiscard]] auto read_text(std::string name, std::string text, FileId file, Diagnostics& diagnostics)
      -> Result<void>;
  /// To be called once, when all is read.
  void finish();

  [[nodiscard]] auto manifests() const -> const std::deque<Manifest>& { return manifests_; }
  [[nodiscard]] auto texts() const -> const std::deque<SourceText>& { return texts_; }
  /// All of one kind (see above), in the order of the input.
  [[nodiscard]] auto of(std::string_view kind) const -> const std::vector<const Manifest*>&;
  [[nodiscard]] auto pods() const -> const std::vector<PodShape>& { return pods_; }
  /// Of the input and the two built-in ones, in the order of the input.
  [[nodiscard]] auto classes() const -> const std::vector<PriorityClassShape>& { return classes_; }
  /// True if the input holds a class of its own, so that a name that is missing means something.
  [[nodiscard]] auto knows_classes() const -> bool { return !of(kind::kPriorityClass).empty(); }
  [[nodiscard]] auto find_class(std::string_view name) const -> const PriorityClassShape*;
  /// The class that counts for pods without one: of several the lowest, as in the admission plugin. Null: none.
  [[nodiscard]] auto default_class() const -> const PriorityClassShape*;
  /// A class of the input whose pods may preempt those of this priority. Null: none.
  [[nodiscard]] auto class_above(std::int64_t priority) const -> const PriorityClassShape*;
  /// What admission would give the pod; none if its class is not known.
  [[nodiscard]] auto priority_of(const PodShape& pod) const -> std::optional<std::int64_t>;
  /// Some pod of the input is on a node: this is (also) a dump.
  [[nodiscard]] auto has_running_pods() const -> bool { return running_; }

  Instant now;                 ///< for what has a date; Instant{}: not known
  std::size_t files_read = 0;  ///< that held something

 private:
  auto input(const std::string& path, bool found, const ReadOptions& options, Files& files, Diagnostics& diagnostics)
      -> Result<void>;
  void unwrap(const Manifest& config_map, FileId file, Diagnostics& diagnostics);
  void add_pods_of(const Manifest& manifest);
  void add_class(const Manifest& manifest);

  std::deque<SourceText> texts_;
  std::deque<Manifest> manifests_;
  std::map<std::string, std::vector<const Manifest*>, std::less<>> by_kind_;
  std::vector<PodShape> pods_;
  std::vector<PriorityClassShape> classes_;
  bool running_ = false;
};

}  // namespace previct::lint
