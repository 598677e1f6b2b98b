#pragma once

#include "api/load.h"
#include "live/kubectl.h"
#include "live/page.h"
#include "live/resources.h"

#include <cstdint>
#include <functional>
#include <future>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace previct::live {

/// A kind that the cluster refused to list.
struct Refused {
  const Resource* resource = nullptr;
  bool forbidden = false;   ///< false: the cluster does not have the kind
  std::string words;        ///< kubectl's message, raw
  bool own_listed = false;  ///< the objects in the namespace of the question were listed instead
};

/// How the state of a cluster was read. Lists are read in sequence, so the state may have changed in between.
struct Reading {
  std::vector<Refused> refused;
  std::vector<std::string> asked;                              ///< the kinds that were requested, by KindInfo::resource
  std::vector<std::pair<const Resource*, std::string>> lists;  ///< resourceVersion of each list, in the order of
                                                               ///< reading
  std::vector<std::string> restarted;                          ///< lists that were started again, as in `asked`
  std::size_t pages = 0;
  bool output_held = false;  ///< a child of kubectl kept its output open; previct did not wait for it
  /// An object that was changed after the first list was read and before its own list was read, so that the lists
  /// belong to different moments. Empty if no object shows this.
  std::string overtaken;

  std::string ns{};                              ///< if the user may not list all namespaces: the one that was read …
  std::set<const Resource*> of_one_namespace{};  ///< … for these kinds
  std::vector<Refused> refused_cluster_wide{};   ///< … and why their lists of all namespaces were refused

  /// The namespace for which a kind was read; empty: all.
  [[nodiscard]] auto namespace_of(const Resource& resource) const -> std::string_view;
  void add(const Reading& later);
};

/// Reads lists of a cluster, page by page, into the stores.
class ClusterReader {
 public:
  /// `page_size`: objects in each page; 0: each list in one piece. Lists are registered in `objects.files` by their
  /// paths.
  ClusterReader(Kubectl kubectl, std::uint32_t page_size, Objects& objects)
      : kubectl_(std::move(kubectl)), page_size_(page_size), objects_(objects) {}

  /// Reads the lists that `wanted` accepts, in the order of the table; all are requested at the same time. While a page
  /// is parsed, the next one is requested. A list whose continuation the cluster no longer knows, because its state was
  /// compacted, is started again once, in one piece.
  ///
  /// Errors: as get_raw(); pods or nodes are refused; the pages of one list belong to different states; the response is
  /// not the requested list or does not end: a page or its token is repeated, or there are too many.
  [[nodiscard]] auto read(const std::function<bool(const Resource&)>& wanted) -> Result<void>;

  [[nodiscard]] auto reading() const -> const Reading& { return reading_; }

 private:
  enum class End : std::uint8_t { whole, expired };

  [[nodiscard]] auto ask(const Resource& resource, std::uint32_t page_size, const std::string& token) const
      -> std::future<Result<Response>>;
  [[nodiscard]] auto list(const Resource& resource, std::future<Result<Response>> first) -> Result<void>;
  [[nodiscard]] auto pages(const Resource& resource, FileId file, std::uint32_t page_size,
                           std::future<Result<Response>> coming) -> Result<End>;
  /// Reads one page, which is a whole list once its token is removed; `on_meta` as in page_source().
  [[nodiscard]] auto page(const Resource& resource, FileId file, std::string& text,
                          const std::function<void(const ListMeta&)>& on_meta) -> Result<void>;
  [[nodiscard]] auto refuse(const Resource& resource, const Response& said) -> Result<void>;

  Kubectl kubectl_;
  std::uint32_t page_size_;
  Objects& objects_;
  Reading reading_;
};

/// Data that is needed independently of the pods.
struct BaseNeeds {
  bool volumes = false;
  bool history = false;
  std::string_view engine{};  ///< an engine that is asked although no pod may show it; empty: none
};

/// Returns the kinds that the pods of a cluster require, apart from pods themselves. `engine` as for choose_engine().
[[nodiscard]] auto needed_for(const Objects& pods, const std::string& engine, BaseNeeds base_needs)
    -> std::function<bool(const Resource&)>;

/// Reads what an answer needs into `objects`: the pods, then the kinds that they require. Duplicate objects count once,
/// as with load().
[[nodiscard]] auto load_cluster(const Kubectl& kubectl, std::uint32_t page_size, const std::string& engine,
                                BaseNeeds base_needs, Objects& objects) -> Result<Reading>;

/// Adds the objects that determine what the API server and controllers do with an overlay: kinds of Need::created, and
/// workloads. Kinds that may not be listed are skipped. The newest time of `objects` stays.
[[nodiscard]] auto load_overlay_context(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<std::vector<Refused>>;

/// Adds every Job and StatefulSet: they show how controllers create new pods. As load_overlay_context().
[[nodiscard]] auto load_controllers(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<std::vector<Refused>>;

/// Reads all kinds that any engine reads.
[[nodiscard]] auto load_whole_cluster(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<Reading>;

/// Reads the events about one pod, which may no longer exist.
[[nodiscard]] auto load_events_of(const Kubectl& kubectl, std::string_view ns, std::string_view pod, Objects& objects)
    -> Result<void>;

/// Reads the first `most` objects of one kind, in namespace `ns` or (if empty) in all: enough to complete a name.
[[nodiscard]] auto load_some(const Kubectl& kubectl, const KindInfo& kind, std::string_view ns, std::uint32_t most,
                             Objects& objects) -> Result<void>;

}  // namespace previct::live
