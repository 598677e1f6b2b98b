#pragma once

#include "history/post_mortem.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace previct::history {

/// Takes the names of other namespaces' objects out of what is said, at the last moment, for all formats alike. It
/// knows every name that the input holds of them: of namespaces, pods, their owners, claims, volumes, ConfigMaps,
/// budgets, groups and device claims. A name that the reader's own namespace has, too, tells nothing by itself and
/// stays.
class Redactor {
 public:
  /// `ns`: whose names the reader may see. `named`: objects that need not be in the input.
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
  std::set<std::string, std::less<>> foreign_;  // namespaces
  std::set<std::string, std::less<>> names_;    // of their objects
  std::set<std::string, std::less<>> own_;      // of objects of the reader's namespace
  std::map<std::string, std::string> uids_;     // of pods, by NAMESPACE/NAME
};

/// The note of an event with no words but those that the schedulers write in all of their notes, uids, and what is in
/// `allowed`; the rest may be names, and is hidden.
[[nodiscard]] auto without_names(std::string_view note, const std::set<std::string, std::less<>>& allowed)
    -> std::string;

}  // namespace previct::history
