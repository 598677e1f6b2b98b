#pragma once

#include "analysis/subject.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// How the subjects of a list are asked about.
struct AskingOfList {
  std::string_view engine;  ///< --engine
  /// Pods that are alike to a scheduler that looks at one pod at a time get the first answer, with their own names.
  bool alike_share = true;
  Question question{};         ///< asked about each of them; its number of threads is that for the list
  bool even_if_small = false;  ///< tests: threads are used even if the list is too small for them to save time
  /// Returns the answer about a subject to `question`, which does not name it yet. For pods of such a scheduler,
  /// several threads call it at the same time, each with a snapshot of its own and a question for one thread.
  std::function<Result<Answer>(const Snapshot& cluster, const Subject& subject, const Question& question)> ask;
};

/// The answers about the subjects of a list. With several threads, answers are found ahead, some pods at a time. They
/// are the same for any number of threads.
class ListAnswers {
 public:
  /// `answers`: those about the earlier subjects of the list, to which the caller appends each one that next()
  /// returns; used if alike pods share answers.
  ListAnswers(const Snapshot& cluster, const std::vector<Subject>& list, const std::vector<Answer>& answers,
              AskingOfList asking);

  /// Returns the answer about the next subject of the list. To be called once for each of them.
  [[nodiscard]] auto next() -> Result<Answer>;
  /// Returns the index of the earlier answer that next() has returned again, for a pod that is alike.
  [[nodiscard]] auto shared() const -> std::optional<std::size_t> { return shared_; }

 private:
  [[nodiscard]] auto key_of(std::size_t index) -> const std::string&;
  [[nodiscard]] auto to_ask_together() -> std::vector<std::size_t>;
  [[nodiscard]] auto pays_to_share() const -> bool;
  [[nodiscard]] auto other_threads() const -> std::size_t;
  void ask_in_threads(const std::vector<std::size_t>& together);

  const Snapshot& cluster_;
  const std::vector<Subject>& list_;
  const std::vector<Answer>& answers_;
  AskingOfList asking_;
  const Engine* engine_ = nullptr;  // of the pods that may be asked about in any thread
  std::vector<char> any_thread_;    // by index: whether the subject is such a pod
  std::size_t pods_left_ = 0;       // of these, from at_ on
  std::size_t pods_asked_ = 0;
  std::size_t at_ = 0;                             // index of the subject in question
  std::size_t seen_ = 0;                           // subjects before are answered, asked, or alike to one of these
  std::map<std::string, std::size_t> known_;       // by key: indices in answers_
  std::map<std::size_t, std::string> keys_;        // of pods from at_ on
  std::map<std::size_t, Result<Answer>> found_;    // ahead, by index
  std::vector<std::unique_ptr<Snapshot>> others_;  // one for each thread but this one
  std::optional<std::size_t> shared_;              // see shared()
  bool alone_ = false;                             // the questions cannot be asked in threads
};

}  // namespace previct
