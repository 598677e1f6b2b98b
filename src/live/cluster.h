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

/// A kind that the cluster did not give.
struct Refused {
  const Resource* resource = nullptr;
  bool forbidden = false;   ///< else: the cluster does not have it
  std::string words;        ///< kubectl's, raw
  bool own_listed = false;  ///< what is in the namespace of the question was listed instead
};

/// How the state of a cluster was read: list after list, so that it may have changed in between.
struct Reading {
  std::vector<Refused> refused;
  std::vector<std::string> asked;                              ///< the kinds, by KindInfo::resource
  std::vector<std::pair<const Resource*, std::string>> lists;  ///< resourceVersion of each list, in the order read
  std::vector<std::string> restarted;                          ///< lists that were begun anew, as in `asked`
  std::size_t pages = 0;
  bool output_held = false;  ///< a program that kubectl left behind has its output open; nobody waited for it
  /// Of an object that was changed after the first list was read and before its own: what was read belongs to different
  /// moments. None: nothing shows that it does.
  std::string overtaken;

  std::string ns{};  ///< of a user who may not list all namespaces: the one that was read …
  std::set<const Resource*> of_one_namespace{};  ///< … of these kinds
  std::vector<Refused> whole_refused{};          ///< what was said about the others

  /// The namespace that a kind was read of; empty: all.
  [[nodiscard]] auto namespace_of(const Resource& resource) const -> std::string_view;
  void add(const Reading& later);
};

/// Reads lists of a cluster, page by page, into the stores.
class ClusterReader {
 public:
  /// `page_size`: objects a page; 0: each list in one piece. Lists are registered in `objects.files` by their paths.
  ClusterReader(Kubectl kubectl, std::uint32_t page_size, Objects& objects)
      : kubectl_(std::move(kubectl)), page_size_(page_size), objects_(objects) {}

  /// The lists that `wanted` picks from the table, in its order; they are asked for at the same time. While a page is
  /// read in, the next is on its way. A
  /// list whose continuation the cluster no longer knows (its state was compacted meanwhile) is begun anew, once and in
  /// one piece.
  ///
  /// Errors: as get_raw(); pods or nodes are refused; the pages of one list belong to different states; what comes is
  /// not the list that was asked for, or does not end: a page or its token comes again, or there is no end of them.
  [[nodiscard]] auto read(const std::function<bool(const Resource&)>& wanted) -> Result<void>;

  [[nodiscard]] auto reading() const -> const Reading& { return reading_; }

 private:
  enum class End : std::uint8_t { whole, expired };

  [[nodiscard]] auto ask(const Resource& resource, std::uint32_t page_size, const std::string& token) const
      -> std::future<Result<Said>>;
  [[nodiscard]] auto list(const Resource& resource, std::future<Result<Said>> first) -> Result<void>;
  [[nodiscard]] auto pages(const Resource& resource, FileId file, std::uint32_t page_size,
                           std::future<Result<Said>> coming) -> Result<End>;
  /// Reads one page, which is a whole list once its token is taken out; `on_meta` as in page_source().
  [[nodiscard]] auto page(const Resource& resource, FileId file, std::string& text,
                          const std::function<void(const ListMeta&)>& on_meta) -> Result<void>;
  [[nodiscard]] auto refuse(const Resource& resource, const Said& said) -> Result<void>;

  Kubectl kubectl_;
  std::uint32_t page_size_;
  Objects& objects_;
  Reading reading_;
};

/// What is needed whatever the pods are.
struct InAnyCase {
  bool volumes = false;
  bool history = false;
  bool kueue = false;  ///< a Workload is asked about, which may have no pod yet
};

/// Which kinds the pods of a cluster make necessary, beside pods themselves. `engine` as for choose_engine().
[[nodiscard]] auto needed_for(const Objects& pods, const std::string& engine, InAnyCase in_any_case)
    -> std::function<bool(const Resource&)>;

/// Reads what an answer needs into `objects`: the pods, then what they make necessary. Objects that come twice count
/// once, as with load().
[[nodiscard]] auto load_cluster(const Kubectl& kubectl, std::uint32_t page_size, const std::string& engine,
                                InAnyCase in_any_case, Objects& objects) -> Result<Reading>;

/// Hands every object to `take` that says what the API server and controllers make of what is laid over the cluster:
/// those of Need::created, and workloads. Kinds that may not be listed are passed over.
[[nodiscard]] auto visit_surroundings(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects,
                                      const std::function<Result<void>(const FoundObject&, FileId)>& take)
    -> Result<std::vector<Refused>>;

/// Hands every Job and StatefulSet to `take`: how they make new pods. As visit_surroundings().
[[nodiscard]] auto visit_makers(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects,
                                const std::function<Result<void>(const FoundObject&, FileId)>& take)
    -> Result<std::vector<Refused>>;

/// Reads all that any engine reads.
[[nodiscard]] auto load_whole_cluster(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<Reading>;

/// What events tell of one pod, which may be gone.
[[nodiscard]] auto load_events_of(const Kubectl& kubectl, std::string_view ns, std::string_view pod, Objects& objects)
    -> Result<void>;

/// The first `most` objects of one kind, of namespace `ns` or (empty) of all: enough to complete a name.
[[nodiscard]] auto load_some(const Kubectl& kubectl, const KindInfo& kind, std::string_view ns, std::uint32_t most,
                             Objects& objects) -> Result<void>;

}  // namespace previct::live
