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
  /// Texts by name that are used in place of the files of these names.
  const std::map<std::string, std::string, std::less<>>* instead = nullptr;
};

/// A configuration within another object that cannot be read.
struct BrokenConfiguration {
  Value held_by;
  std::string message = {};
};

/// The whole input: each manifest of each file, read leniently and with its places; and the scopes that are applied
/// together.
class Tree {
 public:
  Tree() = default;
  Tree(const Tree&) = delete;
  auto operator=(const Tree&) -> Tree& = delete;
  Tree(Tree&&) = delete;
  auto operator=(Tree&&) -> Tree& = delete;
  ~Tree() = default;

  /// Reads files, directories recursively (YAML, JSON and compressed forms) and `-`. Skipped within directories: hidden
  /// files and links, `vendor`, `node_modules` and `testdata`, and files without anything that Kubernetes or a
  /// scheduler reads. A broken text is added to broken(), and reading continues; a template is added to templates().
  ///
  /// Errors: a path of the list that cannot be opened.
  [[nodiscard]] auto read(const std::vector<std::string>& paths, const ReadOptions& options, Files& files,
                          Diagnostics& diagnostics) -> Result<void>;
  /// Reads one text. `chosen`: it is an error if it has no relevant content. Null: it has none.
  auto read_text(std::string name, std::string text, bool chosen = true) -> SourceText*;
  /// An input for another program: each kustomization that no other one includes, and each chart.
  struct Renderable {
    enum class By : std::uint8_t { kustomize, helm } by = By::kustomize;
    std::string folder = {};  ///< empty: the working folder
  };
  [[nodiscard]] auto renderables() const -> std::vector<Renderable>;
  /// Adds the output of such a program for a folder, in place of previct's own reading of it.
  void read_rendered(const Renderable& from, std::string text);
  /// The name of the text that was rendered from a folder; null: none.
  [[nodiscard]] auto rendered_of(std::string_view folder) const -> const std::string*;
  /// The folder of the chart that Helm rendered as this text; null: it is not output of Helm.
  [[nodiscard]] auto chart_of(std::string_view text) const -> const std::string*;
  /// Must be called once, after all input is read. `together`: the whole input is one cluster.
  void finish(const std::vector<NamedScope>& named = {}, bool together = false);

  [[nodiscard]] auto manifests() const -> const std::deque<Manifest>& { return manifests_; }
  [[nodiscard]] auto texts() const -> const std::deque<SourceText>& { return texts_; }
  [[nodiscard]] auto scopes() const -> const std::vector<Scope>& { return scopes_; }
  [[nodiscard]] auto broken() const -> const std::vector<BrokenText>& { return broken_; }
  [[nodiscard]] auto broken_configurations() const -> const std::vector<BrokenConfiguration>& {
    return broken_configurations_;
  }
  /// Returns true if the result of kustomizations exceeds the limit. The rest is left out, and its scopes are partial.
  [[nodiscard]] auto too_much_rendered() const -> bool { return rendered_.exceeded; }
  /// Files that are written for a template engine and were not read.
  [[nodiscard]] auto templates() const -> const std::vector<std::string>& { return templates_; }
  /// Folders that contain a Chart.yaml.
  [[nodiscard]] auto charts() const -> const std::set<std::string, std::less<>>& { return charts_; }
  /// Returns true if an object of this kind (kinds.h) and name is anywhere in the input, in any scope. An object whose
  /// name is a placeholder matches any name.
  [[nodiscard]] auto has(std::string_view kind, std::string_view name) const -> bool;

  /// Facts from all texts, including those that are skipped.
  [[nodiscard]] auto autoscaler() const -> const Autoscaler& { return autoscaler_; }

  std::vector<std::string> known_schedulers;  ///< schedulers that run, though no configuration here has them
  /// Thresholds of rules that .previct.yaml overrides, by their names there.
  std::map<std::string, std::int64_t, std::less<>> thresholds;
  [[nodiscard]] auto threshold(std::string_view name, std::int64_t otherwise) const -> std::int64_t {
    const auto found = thresholds.find(name);
    return found == thresholds.end() ? otherwise : found->second;
  }
  Instant now;                   ///< the current time, for dates; Instant{}: unknown
  std::size_t files_read = 0;    ///< files with relevant content
  std::size_t folders_left = 0;  ///< skipped folders of third-party code and of test data

 private:
  struct Source {
    std::string path;
    bool chosen = false;  ///< the user named it, so it must have relevant content
  };

  auto input(const Source& from, const ReadOptions& options, Files& files, Diagnostics& diagnostics) -> Result<void>;
  void unwrap(const Manifest& holder, int depth = 0);
  void unwrap_map(const Manifest& holder, std::uint32_t index);
  void unwrap_text(const Value& value, int depth);

  std::deque<SourceText> texts_;
  std::deque<Manifest> manifests_;
  std::deque<Manifest> holders_;  // texts within manifests that contain configurations
  std::vector<BrokenText> broken_;
  std::vector<BrokenConfiguration> broken_configurations_;
  std::vector<std::string> templates_;
  std::set<std::string, std::less<>> charts_;
  std::map<std::string, std::string, std::less<>> rendered_of_;                   // names of texts, by folder
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> names_;  // names by kind; placeholders as ""
  Rendered rendered_;
  std::vector<Scope> scopes_;
  Autoscaler autoscaler_;
  std::map<std::string, std::string, std::less<>> chart_of_;  // folders, by names of texts
};

}  // namespace previct::lint
