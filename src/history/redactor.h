#pragma once

#include "history/post_mortem.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace previct::history {

/// Removes the names of other namespaces' objects from a report, in all formats alike. Knows every such name in the
/// input: of namespaces, pods, their owners, claims, volumes, ConfigMaps, budgets, groups and device claims. A name
/// that also exists in the reader's own namespace reveals nothing and is kept.
class Redactor {
 public:
  /// `ns`: the namespace whose names the reader may see. `named`: objects that may be missing from the input.
  Redactor(const Snapshot& cluster, std::string_view ns, const std::vector<Named>& named);

  void redact(Report& report) const;
  void redact(std::string& text) const;
  void redact(Json& json) const;

 private:
  void learn(std::string_view ns, std::string_view name, std::string_view uid);
  void learn_pod(const Snapshot& cluster, const Pod& pod);
  [[nodiscard]] auto redacted(std::string_view word) const -> std::string;
  [[nodiscard]] auto keyed(std::string_view word) const -> std::string;

  std::string ns_;
  std::set<std::string, std::less<>> foreign_;  // other namespaces
  std::set<std::string, std::less<>> names_;    // names of objects in other namespaces
  std::set<std::string, std::less<>> own_;      // names of objects in the reader's namespace
  std::map<std::string, std::string> uids_;     // uids of pods, by NAMESPACE/NAME
};

/// Keeps only the words that schedulers use in all of their notes, uids, and the words in `allowed`; other words may be
/// names and are hidden.
[[nodiscard]] auto without_names(std::string_view note, const std::set<std::string, std::less<>>& allowed)
    -> std::string;

}  // namespace previct::history
