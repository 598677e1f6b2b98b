#include "cluster/label_syntax.h"
#include "lint/rule.h"

#include <array>

namespace previct::lint {
namespace {

/// Kinds that exist in only one API group.
constexpr std::array kOfOneGroup = {&kinds::priority_classes, &kinds::disruption_budgets};

/// Returns true for parts of lower-case letters, digits and dashes, separated by dots.
auto is_dns_subdomain(std::string_view name) -> bool {
  constexpr std::size_t kLongest = 253;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool inside = false;  // within a part, after a letter or digit
  for (const char c : name) {
    if (letter(c)) {
      inside = true;
    } else if (c == '.') {
      if (!inside) return false;
      inside = false;
    } else if (c != '-') {
      return false;
    }
  }
  const bool ends = inside && letter(name.back()) && letter(name.front());
  return ends && name.size() <= kLongest && name.find("-.") == std::string_view::npos &&
         name.find(".-") == std::string_view::npos;
}

auto is_ours(const Manifest& manifest) -> bool {
  const std::string kind = kind_of(manifest);
  return kind == kind::kPriorityClass || kind == kind::kBudget || kind == kind::kKaiQueue ||
         kind == kind::kKaiPodGroup || kind == kind::kKaiShard;
}

void check_group(const Manifest& manifest, FindingSink& found) {
  const bool of_kubernetes = manifest.group.find('.') == std::string::npos || manifest.group.ends_with(".k8s.io");
  for (const KindInfo* const kind : kOfOneGroup) {
    if (manifest.kind != kind->name || manifest.group == kind->group || !of_kubernetes || !manifest["apiVersion"])
      continue;
    found.value(manifest["apiVersion"], fmt::format("{} does not exist in {}; it belongs to {}", kind->name,
                                                    manifest["apiVersion"].text(), kind->api_version));
  }
}

// Names of these kinds are DNS subdomains.
void check_name(const Manifest& manifest, FindingSink& found) {
  const Value metadata = manifest["metadata"];
  const Value name = metadata["name"];
  if (!name && !metadata["generateName"]) {
    found.key(manifest["kind"], fmt::format("{}: name or generateName is required", manifest.kind));
  } else if (name && !name.is_scalar()) {
    found.value(name, fmt::format("{}: a name is a string", manifest.kind));
  } else if (name.is_string() && !is_dns_subdomain(name.text())) {
    found.value(name,
                fmt::format("{} \"{}\": a name consists of lower case letters, digits, \"-\" and \".\", and begins "
                            "and ends with a letter or digit",
                            manifest.kind, name.text()));
  }
}

// A namespace is a single part of such a name.
void check_namespace(const Manifest& manifest, FindingSink& found) {
  constexpr std::size_t kLongest = 63;
  const Value ns = manifest.in("metadata.namespace");
  const std::string_view text = ns.text();
  const bool valid = is_dns_subdomain(text) && text.find('.') == std::string_view::npos && text.size() <= kLongest;
  if (!ns.is_string() || text.empty() || valid) return;
  found.value(ns, fmt::format("namespace \"{}\": a namespace consists of at most 63 lower case letters, digits and "
                              "\"-\", and begins and ends with a letter or digit",
                              text));
}

void check_labels(const Manifest& manifest, FindingSink& found) {
  for (const Value& label : manifest.in("metadata.labels")) {
    if (!is_qualified_name(label.key())) {
      found.key(label, fmt::format("label {}: not a name of a label, with or without a domain before it", label.key()));
    } else if (label.is_string() && !is_label_value(label.text())) {
      found.value(label, fmt::format("label {}: \"{}\" is not a valid label value: at most 63 letters and digits, with "
                                     "\"-\", \"_\" and \".\" inside",
                                     label.key(), label.text()));
    }
  }
}

}  // namespace

const Rule& du010_identity_refused_rule = Rule{
    .id = "DU010",
    .name = "identity-refused",
    .severity = Severity::error,
    .title = "an object whose name, namespace, labels or API group the API server refuses",
    .why = "The API server does not create it, and objects that refer to it do not find it.",
    .how_to_fix = "Correct the name, the namespace, the label, or the apiVersion.",
    .source =
        "kubernetes apimachinery pkg/api/validation NameIsDNSSubdomain, ValidateNamespaceName, pkg/util/validation "
        "IsQualifiedName, IsValidLabelValue; kubectl: no matches for kind",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest& manifest : repository.manifests()) {
        check_group(manifest, found);
        if (!is_ours(manifest) || manifest.in_list) continue;
        check_name(manifest, found);
        check_namespace(manifest, found);
        check_labels(manifest, found);
      }
    }};

}  // namespace previct::lint
