#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"
#include "lint/autoscaler.h"
#include "lint/scope.h"
#include "lint/value.h"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace previct::lint {

struct ReadOptions {
  std::string folder = {};  ///< absolute paths below it are shown relative to it
  bool keep_going = false;
  std::uint64_t max_input = 0;
  /// Texts that stand for those of these names, which are not read.
  const std::map<std::string, std::string, std::less<>>* instead = nullptr;
};

/// What a configuration within another object is that cannot be read.
struct BrokenConfiguration {
  Value held_by;
  std::string message = {};
};

/// Everything that was read: each manifest of each file, leniently, with its places; and what of it would be applied
/// together.
class Tree {
 public:
  Tree() = default;
  Tree(const Tree&) = delete;
  auto operator=(const Tree&) -> Tree& = delete;
  Tree(Tree&&) = delete;
  auto operator=(Tree&&) -> Tree& = delete;
  ~Tree() = default;

  /// Reads files, directories to the bottom (YAML, JSON and compressed forms) and `-`. Within a directory are left
  /// alone: hidden files and links, `vendor`, `node_modules` and `testdata`, and files that hold nothing that
  /// Kubernetes or a scheduler reads. A text that is broken is one of broken(), the rest is read; a template is one of
  /// templates().
  ///
  /// Errors: a path of the list that cannot be opened.
  [[nodiscard]] auto read(const std::vector<std::string>& paths, const ReadOptions& options, Files& files,
                          Diagnostics& diagnostics) -> Result<void>;
  /// The same for one text. `chosen`: it has to hold something. Null: it holds nothing that is looked at.
  auto read_text(std::string name, std::string text, bool chosen = true) -> SourceText*;
  /// What another program can render: each kustomization that no other one takes in, and each chart.
  struct Renderable {
    enum class By : std::uint8_t { kustomize, helm } by = By::kustomize;
    std::string folder = {};  ///< empty: the working folder
  };
  [[nodiscard]] auto renderables() const -> std::vector<Renderable>;
  /// What a program made of a folder, in place of our own reading of it.
  void read_rendered(const Renderable& from, std::string text);
  /// The name of the text that was rendered of a folder; null: none.
  [[nodiscard]] auto rendered_of(std::string_view folder) const -> const std::string*;
  /// The folder of the chart that Helm rendered as this text; null: it is none.
  [[nodiscard]] auto chart_of(std::string_view text) const -> const std::string*;
  /// To be called once, when all is read. `together`: all of it is one cluster.
  void finish(const std::vector<NamedScope>& named = {}, bool together = false);

  [[nodiscard]] auto manifests() const -> const std::deque<Manifest>& { return manifests_; }
  [[nodiscard]] auto texts() const -> const std::deque<SourceText>& { return texts_; }
  [[nodiscard]] auto scopes() const -> const std::vector<Scope>& { return scopes_; }
  [[nodiscard]] auto broken() const -> const std::vector<BrokenText>& { return broken_; }
  [[nodiscard]] auto broken_configurations() const -> const std::vector<BrokenConfiguration>& {
    return broken_configurations_;
  }
  /// Do kustomizations make more than is kept? What is beyond that is left out, and its scopes are partial.
  [[nodiscard]] auto too_much_rendered() const -> bool { return rendered_.exceeded; }
  /// Files that are written for a template engine and were not read.
  [[nodiscard]] auto templates() const -> const std::vector<std::string>& { return templates_; }
  /// Folders that hold a Chart.yaml.
  [[nodiscard]] auto charts() const -> const std::set<std::string, std::less<>>& { return charts_; }
  /// Is there an object of this kind (kinds.h) and name anywhere, whatever is applied together? One with a placeholder
  /// for a name may be any.
  [[nodiscard]] auto has(std::string_view kind, std::string_view name) const -> bool;

  /// In all texts, also in those that are left out.
  [[nodiscard]] auto autoscaler() const -> const Autoscaler& { return autoscaler_; }

  std::vector<std::string> known_schedulers;  ///< that run, though no configuration here has them
  /// Numbers that rules go by, where they are not to go by their own: by the words of .previct.yaml.
  std::map<std::string, std::int64_t, std::less<>> thresholds;
  [[nodiscard]] auto threshold(std::string_view name, std::int64_t otherwise) const -> std::int64_t {
    const auto found = thresholds.find(name);
    return found == thresholds.end() ? otherwise : found->second;
  }
  Instant now;                   ///< for what has a date; Instant{}: not known
  std::size_t files_read = 0;    ///< that held something
  std::size_t folders_left = 0;  ///< folders of other people's code and of test data, left out

 private:
  struct Source {
    std::string path;
    bool chosen = false;  ///< named by the user, so that it has to hold something
  };

  auto input(const Source& from, const ReadOptions& options, Files& files, Diagnostics& diagnostics) -> Result<void>;
  void unwrap(const Manifest& holder, int depth = 0);
  void unwrap_map(const Manifest& holder, std::uint32_t index);
  void unwrap_text(const Value& value, int depth);

  std::deque<SourceText> texts_;
  std::deque<Manifest> manifests_;
  std::deque<Manifest> holders_;  // texts within manifests that hold configurations
  std::vector<BrokenText> broken_;
  std::vector<BrokenConfiguration> broken_configurations_;
  std::vector<std::string> templates_;
  std::set<std::string, std::less<>> charts_;
  std::map<std::string, std::string, std::less<>> rendered_of_;                   // names of texts, by folder
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> names_;  // by kind; placeholders as ""
  Rendered rendered_;
  std::vector<Scope> scopes_;
  Autoscaler autoscaler_;
  std::map<std::string, std::string, std::less<>> chart_of_;  // folders, by names of texts
};

}  // namespace previct::lint
