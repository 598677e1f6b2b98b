#include "lint/placeholder.h"
#include "lint/rule.h"
#include "lint/selectors.h"

#include <set>

namespace previct::lint {
namespace {

/// Kinds that install whatever their charts hold.
auto installs(const Manifest& manifest) -> bool {
  return manifest.kind == "HelmRelease" || manifest.kind == "HelmChart" || manifest.kind == "Application" ||
         manifest.kind == "Subscription" || manifest.kind == "KfDef";
}

/// An operator makes pods for its objects, and labels them by their names.
auto may_be_made(const Repository& repository, const Manifest& budget) -> bool {
  const Value selector = budget.in("spec.selector");
  for (const Manifest& manifest : repository.manifests()) {
    if (installs(manifest)) return true;
    if (has_known_api(manifest) || manifest.name.empty()) continue;
    if (budget.name.find(manifest.name) != std::string::npos) return true;
    const Value labels = selector["matchLabels"];
    if (std::any_of(labels.begin(), labels.end(), [&](const Value& value) { return value.is(manifest.name); }))
      return true;
  }
  return false;
}

/// `app: web` and `app: webb`, or `app: web` and `name: web`: was this label meant for that requirement?
auto is_near(const Value& label, std::string_view key, const Value& value) -> bool {
  return (label.key() == key) != value.is(label.text());
}

/// Some label that is nearly what the selector asks for: it is meant for these pods, not for those of another folder.
auto is_nearly_matched(const Repository& repository, const Manifest& budget) -> bool {
  const Value selector = budget.in("spec.selector");
  return std::any_of(repository.pods().begin(), repository.pods().end(), [&](const PodShape& pod) {
    if (!same_namespace(pod.ns(), budget.ns)) return false;
    for (const Value& label : pod.labels()) {
      for (const Value& wanted : selector["matchLabels"]) {
        if (is_near(label, wanted.key(), wanted)) return true;
      }
      for (const Value& requirement : selector["matchExpressions"]) {
        const Value values = requirement["values"];
        const std::string_view key = requirement["key"].text();
        if (std::any_of(values.begin(), values.end(), [&](const Value& v) { return is_near(label, key, v); }))
          return true;
      }
    }
    return false;
  });
}

/// Two documents without `---` between them: which of its halves a reader takes is not known.
auto has_key_twice(const Manifest& manifest) -> bool {
  std::set<std::string_view> keys;
  const Value root = manifest.root();
  return std::any_of(root.begin(), root.end(), [&](const Value& value) { return !keys.insert(value.key()).second; });
}

}  // namespace

const Rule& pd008_matches_nothing_rule = Rule{
    .id = "PD008",
    .name = "matches-nothing",
    .severity = Severity::warning,
    .title = "a budget whose selector matches no pod and no template",
    .why =
        "The budget protects no pod: often a label was renamed in the template and not here. (Nothing is said if "
        "nothing that is applied together with it makes pods in the namespace, or an operator or a chart may; nor, "
        "unless the input is a whole cluster, if no pod has the key or the value that the selector names.)",
    .mend = "Compare the selector with the labels of the template.",
    .source = "the input itself",
    .bad = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 1
  selector:
    matchLabels: {app: webb}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      containers:
      - name: c
        image: c
)",
    .good = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 1
  selector:
    matchLabels: {app: a}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      containers:
      - name: c
        image: c
)",
    .check = [](const Repository& repository, Found& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value selector = budget->in("spec.selector");
        if (!selector || is_empty_selector(selector) || has_key_twice(*budget)) continue;
        bool any = false;
        bool matched = false;
        for (const PodShape& pod : repository.pods()) {
          if (!same_namespace(pod.ns(), budget->ns)) continue;
          any = true;
          matched = matched || selects(selector, pod.labels()) || holds_placeholder(pod.labels());
        }
        if (!any || matched || repository.is_partial() || holds_placeholder(selector)) continue;
        if (!repository.is_whole() && !is_nearly_matched(repository, *budget)) continue;
        if (may_be_made(repository, *budget)) continue;
        found.field(selector, fmt::format("budget {} matches no pod and no template", budget->name));
      }
    }};

}  // namespace previct::lint
