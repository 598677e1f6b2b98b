#include "lint/budget_index.h"
#include "lint/placeholder.h"
#include "lint/rule.h"
#include "lint/selectors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace previct::lint {
namespace {

/// Returns true for kinds that install the content of charts.
auto installs(const Manifest& manifest) -> bool {
  return manifest.kind == "HelmRelease" || manifest.kind == "HelmChart" || manifest.kind == "Application" ||
         manifest.kind == "Subscription" || manifest.kind == "KfDef";
}

/// Sources of pods that are not in the input: charts, and operators, which label pods with the names of their objects.
class Makers {
 public:
  explicit Makers(const Repository& repository) {
    for (const Manifest& manifest : repository.manifests()) {
      installs_ = installs_ || installs(manifest);
      if (has_known_api(manifest) || manifest.name.empty()) continue;
      names_.insert(manifest.name);
      lengths_.insert(manifest.name.size());
    }
  }

  [[nodiscard]] auto may_make_pods_of(const Manifest& budget) const -> bool {
    if (installs_ || is_in(budget.name)) return true;
    const Value labels = budget.in("spec.selector")["matchLabels"];
    return std::any_of(labels.begin(), labels.end(),
                       [&](const Value& value) { return names_.find(value.text()) != names_.end(); });
  }

 private:
  /// Returns true if one of the names is a substring of `name`. Looks up its substrings, because there may be many
  /// names.
  [[nodiscard]] auto is_in(std::string_view name) const -> bool {
    for (const std::size_t length : lengths_) {
      for (std::size_t at = 0; at + length <= name.size(); ++at) {
        if (names_.find(name.substr(at, length)) != names_.end()) return true;
      }
    }
    return false;
  }

  bool installs_ = false;
  std::set<std::string_view> names_;
  std::set<std::size_t> lengths_;
};

/// The labels of all pods, by namespace; efficient for many budgets and many pods.
class Labels {
 public:
  explicit Labels(const Repository& repository) {
    for (const PodShape& pod : repository.pods()) {
      OfNamespace& of = namespaces_[namespace_of(pod.ns())];
      of.any_value = of.any_value || holds_placeholder(pod.labels());
      for (const Value& label : pod.labels()) {
        of.values[label.key()].insert(label.text());
        of.keys[label.text()].insert(label.key());
      }
    }
  }

  [[nodiscard]] auto has_pods(const std::string& ns) const -> bool { return find(ns) != nullptr; }
  /// Returns true if a pod has unknown labels, so that any budget may match it.
  [[nodiscard]] auto may_match_all(const std::string& ns) const -> bool { return find(ns)->any_value; }

  /// Returns true if some label is similar to the selector: then the budget is meant for these pods, not for another
  /// folder.
  [[nodiscard]] auto nearly_match(const Manifest& budget) const -> bool {
    const OfNamespace& of = *find(budget.ns);
    const Value selector = budget.in("spec.selector");
    for (const Value& wanted : selector["matchLabels"]) {
      if (of.is_near(wanted.key(), wanted.text())) return true;
    }
    for (const Value& requirement : selector["matchExpressions"]) {
      const Value values = requirement["values"];
      const std::string_view key = requirement["key"].text();
      if (std::any_of(values.begin(), values.end(), [&](const Value& value) { return of.is_near(key, value.text()); }))
        return true;
    }
    return false;
  }

 private:
  using Texts = std::map<std::string_view, std::set<std::string_view>>;
  struct OfNamespace {
    Texts values;  ///< values by key
    Texts keys;    ///< keys by value
    bool any_value = false;

    /// Returns true if a label was probably meant for that requirement: `app: web` and `app: webb`, or `app: web` and
    /// `name: web`.
    [[nodiscard]] auto is_near(std::string_view key, std::string_view value) const -> bool {
      return has_another(values, key, value) || has_another(keys, value, key);
    }
    static auto has_another(const Texts& texts, std::string_view of, std::string_view than) -> bool {
      const auto found = texts.find(of);
      return found != texts.end() && (found->second.size() > 1 || *found->second.begin() != than);
    }
  };

  [[nodiscard]] auto find(const std::string& ns) const -> const OfNamespace* {
    const auto found = namespaces_.find(namespace_of(ns));
    return found == namespaces_.end() ? nullptr : &found->second;
  }

  std::map<std::string_view, OfNamespace> namespaces_;
};

/// The pods of the whole input, including unreadable files: a folder of budgets may be meant for the pods of another
/// folder.
class PodsAnywhere {
 public:
  explicit PodsAnywhere(const Tree& tree) {
    std::set<std::string_view> left_out(tree.templates().begin(), tree.templates().end());
    for (const BrokenText& broken : tree.broken()) left_out.insert(broken.source->name);
    for (const SourceText& text : tree.texts()) {
      if (left_out.find(text.name) != left_out.end()) unread_.push_back(&text);
    }
    for (const Manifest& manifest : tree.manifests()) scope_.manifests.push_back(&manifest);
    all_.emplace(tree, scope_);
    for (const PodShape& pod : all_->pods()) {
      for (const Value& label : pod.labels()) by_label_[{label.key(), label.text()}].push_back(&pod);
    }
  }

  [[nodiscard]] auto any_of(const Manifest& budget) const -> bool {
    const Value selector = budget.in("spec.selector");
    const Value labels = selector["matchLabels"];
    const bool unread = std::any_of(unread_.begin(), unread_.end(), [&](const SourceText* text) {
      return std::all_of(labels.begin(), labels.end(),
                         [&](const Value& label) { return text->text.find(label.text()) != std::string::npos; });
    });
    if (unread) return true;
    const auto is_meant = [&](const PodShape& pod) {
      return (pod.ns().empty() || budget.ns.empty() || pod.ns() == budget.ns) && selects(selector, pod.labels());
    };
    const auto& pods = all_->pods();
    if (labels.size() == 0) return std::any_of(pods.begin(), pods.end(), is_meant);
    // One label of the selector leaves few pods to compare.
    const Value label = *labels.begin();
    const auto found = by_label_.find({label.key(), label.text()});
    return found != by_label_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](const PodShape* pod) { return is_meant(*pod); });
  }

 private:
  std::vector<const SourceText*> unread_;  ///< files that cannot be read, and templates
  Scope scope_;
  std::optional<Repository> all_;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const PodShape*>> by_label_;
};

}  // namespace

const Rule& pd008_matches_nothing_rule = Rule{
    .id = "PD008",
    .name = "matches-nothing",
    .severity = Severity::warning,
    .title = "a budget whose selector matches no pod and no template",
    .why =
        "The budget protects no pod: often a label was renamed in the template but not in the budget. (Not reported if "
        "nothing that is applied with it creates pods in the namespace, if an operator or a chart may create "
        "them, or if the selector matches pods of another folder; nor, unless the input is a whole cluster, if no "
        "pod has the key or the value that the selector names.)",
    .how_to_fix = "Compare the selector with the labels of the template.",
    .source = "the input itself",
    .check = [](const Repository& repository, FindingSink& found) {
      const auto& budgets = repository.of(kind::kBudget);
      if (budgets.empty() || repository.is_partial()) return;
      const BudgetIndex index(repository);
      std::set<const Manifest*> matched;
      for (const PodShape& pod : repository.pods()) {
        for (const Manifest* budget : index.of(pod)) matched.insert(budget);
      }
      const Labels labels(repository);
      const Makers makers(repository);
      std::optional<PodsAnywhere> anywhere;
      for (const Manifest* budget : budgets) {
        const Value selector = budget->in("spec.selector");
        if (!selector || is_empty_selector(selector) || matched.find(budget) != matched.end()) continue;
        // With two documents in one, which half a reader takes is unknown.
        if (!keys_twice(budget->root()).empty() || holds_placeholder(selector)) continue;
        if (!labels.has_pods(budget->ns) || labels.may_match_all(budget->ns)) continue;
        if (!repository.is_whole() && !labels.nearly_match(*budget)) continue;
        if (makers.may_make_pods_of(*budget)) continue;
        if (!anywhere) anywhere.emplace(repository.tree());
        if (anywhere->any_of(*budget)) continue;
        found.field(selector, fmt::format("budget {} matches no pod and no template", budget->name));
      }
    }};

}  // namespace previct::lint
