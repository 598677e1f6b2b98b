#include "analysis/list_answers.h"

#include "analysis/alike_pods.h"
#include "base/launch.h"
#include "base/shared_reading.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <utility>

namespace previct {
namespace {

constexpr std::size_t kForEachThread = 16;  // pods asked about ahead: their answers are held
constexpr std::size_t kSeenAhead = 1024;    // subjects whose keys are held

/// Several threads read the objects of a snapshot while this exists.
class Sharing {
 public:
  explicit Sharing(const Snapshot& cluster) : cluster_(cluster) { cluster_.share(true); }
  ~Sharing() { cluster_.share(false); }
  Sharing(const Sharing&) = delete;
  auto operator=(const Sharing&) -> Sharing& = delete;

 private:
  const Snapshot& cluster_;
};

}  // namespace

ListAnswers::ListAnswers(const Snapshot& cluster, const std::vector<Subject>& list, const std::vector<Answer>& answers,
                         AskingOfList asking)
    : cluster_(cluster), list_(list), answers_(answers), asking_(std::move(asking)), any_thread_(list.size(), 0) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (!list_[i].pod) continue;
    const auto chosen = choose_engine(engines(), asking_.engine, cluster_, list_[i]);
    if (!chosen || !(*chosen)->preempts_by_priority_class()) continue;
    engine_ = *chosen;
    any_thread_[i] = 1;
    ++pods_left_;
  }
}

auto ListAnswers::next() -> Result<Answer> {
  const Subject& subject = list_.at(at_);
  shared_.reset();
  if (any_thread_[at_] == 0) {
    ++at_;
    return asking_.ask(cluster_, subject, asking_.question);
  }
  const std::string key = key_of(at_);
  std::optional<Result<Answer>> answer;
  if (const auto known = known_.find(key); known != known_.end()) {
    shared_ = known->second;
    answer.emplace(answers_[known->second]);
    (*answer)->subject = subject.pod;
    (*answer)->subject_name = cluster_.key(subject.pod);
  } else {
    if (const std::vector<std::size_t> together = to_ask_together(); together.size() > 1) ask_in_threads(together);
    const auto found = found_.find(at_);
    answer = found == found_.end() ? asking_.ask(cluster_, subject, asking_.question) : std::move(found->second);
    if (*answer && !key.empty()) known_.emplace(key, answers_.size());
    ++pods_asked_;
  }
  found_.erase(at_);
  keys_.erase(at_);
  --pods_left_;
  ++at_;
  return *std::move(answer);
}

auto ListAnswers::key_of(std::size_t index) -> const std::string& {
  const auto [at, is_new] = keys_.try_emplace(index);
  if (is_new && asking_.alike_share) at->second = alike_key(cluster_, list_[index].pod);
  return at->second;
}

// The first answer is found alone, so that all threads start with what is derived for it.
auto ListAnswers::to_ask_together() -> std::vector<std::size_t> {
  if (asking_.question.threads < 2 || alone_ || pods_asked_ == 0 || found_.contains(at_) || !pays_to_share()) return {};
  std::vector<std::size_t> together = {at_};
  std::set<std::string> keys = {key_of(at_)};
  seen_ = std::max(seen_, at_ + 1);
  while (seen_ < list_.size() && seen_ - at_ < kSeenAhead &&
         together.size() < kForEachThread * asking_.question.threads) {
    const std::size_t index = seen_++;
    if (any_thread_[index] == 0) continue;
    const std::string& key = key_of(index);
    const bool shares = !key.empty() && (known_.contains(key) || !keys.insert(key).second);
    if (!shares) together.push_back(index);
  }
  return together;
}

// A snapshot for another thread costs about as much as looking at 16 nodes for each of its pods.
auto ListAnswers::pays_to_share() const -> bool {
  if (!others_.empty() || asking_.even_if_small) return true;
  constexpr std::size_t kForEachPod = 16;
  constexpr std::size_t kForThreads = 1000;
  return pods_left_ * cluster_.nodes().size() > kForEachPod * cluster_.pods().size() + kForThreads;
}

// A snapshot takes about 400 bytes for each pod: those of the other threads may take 240 MB, or there is only one.
auto ListAnswers::other_threads() const -> std::size_t {
  constexpr std::size_t kMostPods = 600'000;
  const std::size_t pods = std::max<std::size_t>(1, cluster_.pods().size());
  return std::min<std::size_t>(asking_.question.threads - 1, std::max<std::size_t>(1, kMostPods / pods));
}

void ListAnswers::ask_in_threads(const std::vector<std::size_t>& together) {
  while (others_.size() < other_threads()) {
    others_.push_back(cluster_.again());
    engine_->copy_derived(cluster_, *others_.back());
  }
  Question for_one_thread = asking_.question;
  for_one_thread.threads = 1;
  std::vector<std::optional<Result<Answer>>> found(together.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> adds = false;
  const auto work = [&](const Snapshot& cluster) {
    try {
      for (std::size_t i = next++; i < together.size() && !adds; i = next++) {
        found[i] = asking_.ask(cluster, list_[together[i]], for_one_thread);
      }
    } catch (const AddedWhileShared&) {
      adds = true;
    }
  };
  {
    const Sharing sharing(cluster_);
    std::vector<std::future<void>> helpers;
    for (const auto& other : others_) helpers.push_back(launched([&work, &other] { work(*other); }));
    work(cluster_);
    for (std::future<void>& helper : helpers) helper.get();
  }
  for (std::size_t i = 0; i < together.size(); ++i) {
    if (found[i]) found_.emplace(together[i], *std::move(found[i]));
  }
  if (!adds) return;
  alone_ = true;
  others_.clear();
}

}  // namespace previct
