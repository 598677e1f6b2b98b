#include "bench/inputs.h"

#include "input/byte_source.h"
#include "input/yaml_scalar.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <tuple>
#include <vector>

namespace previct::bench {

auto slurp(const std::string& path) -> std::string {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

namespace {

/// A YAML list with `metadata.managedFields`, as `kubectl get -o yaml --show-managed-fields` prints it: the fields of
/// each object again, by name, under the manager that set them.
class ManagedFields {
 public:
  void add(const std::string& from, const std::string& to) {
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("  ", 0) != 0) {
        write(out);
        item_.clear();
      }
      item_.push_back(line);
    }
    write(out);
  }

 private:
  void write(std::ofstream& out) {
    bool metadata = false;
    for (const std::string& line : item_) {
      metadata = metadata ? line.rfind("    ", 0) == 0 : line == "  metadata:";
      if (metadata && line.rfind("    name:", 0) == 0) out << fields();
      out << line << '\n';
    }
  }

  auto fields() -> std::string {
    std::string text = "    managedFields:\n";
    for (const auto& [part, manager, subresource] :
         {std::tuple("  metadata:", "kube-controller-manager", ""), std::tuple("  spec:", "kube-scheduler", ""),
          std::tuple("  status:", "kubelet", "      subresource: status\n")}) {
      const auto begin = std::find(item_.begin(), item_.end(), part);
      if (begin == item_.end()) continue;
      text += "    - apiVersion: v1\n      fieldsType: FieldsV1\n      fieldsV1:\n";
      at_ = static_cast<std::size_t>(begin - item_.begin());
      set_by(2, 8, text);
      text += fmt::format("      manager: {}\n      operation: Update\n{}      time: \"2026-11-20T23:27:12Z\"\n",
                          manager, subresource);
    }
    return text;
  }

  // Writes the keys in this column from the current line on, each as `f:key`; elements of lists by their first key.
  void set_by(std::size_t column, std::size_t indent, std::string& text) {
    for (bool first = true; at_ < item_.size(); first = false) {
      const std::string& line = item_[at_];
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin != column || (column == 2 && !first)) return;
      const bool element = line[begin] == '-';
      const std::size_t key = element ? begin + 2 : begin;
      const std::size_t colon = std::min(line.find(':', key), line.size());
      const std::string name = line.substr(key, colon - key);
      const std::string value = colon + 2 < line.size() ? line.substr(colon + 2) : "";
      text.append(indent, ' ');
      text += element ? fmt::format("k:{{\"{}\":\"{}\"}}:\n", name, value) : fmt::format("f:{}:", name);
      ++at_;
      const std::size_t next = at_ < item_.size() ? item_[at_].find_first_not_of(' ') : 0;
      const bool list = next >= column && next < item_[at_].size() && item_[at_][next] == '-' && !element;
      const bool of_maps = list && (item_[at_].find(": ") != std::string::npos || item_[at_].back() == ':');
      if (element) text += fmt::format("{0:{1}}.: {{}}\n{0:{1}}f:{2}: {{}}\n", "", indent + 2, name);
      if (list && !of_maps) {
        while (at_ < item_.size() && item_[at_].find_first_not_of("- ") > column) ++at_;
        text += " {}\n";
      } else if (next > column || list) {
        if (!element) text += fmt::format("\n{:{}}.: {{}}\n", "", indent + 2);
        set_by(next, indent + 2, text);
      } else if (!element) {
        text += " {}\n";
      }
    }
  }

  std::vector<std::string> item_;  // its lines
  std::size_t at_ = 0;
};

/// Returns the value as kubectl prints a scalar.
auto yaml_scalar(const nlohmann::json& value) -> std::string {
  if (!value.is_string()) return value.dump();
  std::string scratch;
  const std::string text = value;
  const bool plain = !text.empty() && text.find_first_of(": #") == std::string::npos &&
                     resolve_plain(text, scratch).type == ScalarType::string;
  return plain ? text : value.dump();
}

void yaml_of(const nlohmann::json& value, int indent, std::string& out) {
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  if (value.is_object() && !value.empty()) {
    bool first = true;
    for (const auto& [key, each] : value.items()) {
      const bool nested = each.is_structured() && !each.empty();
      out += fmt::format("{}{}:{}", first ? "" : blanks, key, nested ? "\n" : " ");
      if (nested) out.append(static_cast<std::size_t>(each.is_object() ? indent + 2 : indent), ' ');
      yaml_of(each, each.is_object() ? indent + 2 : indent, out);
      first = false;
    }
  } else if (value.is_array() && !value.empty()) {
    bool first = true;
    for (const auto& each : value) {
      out += fmt::format("{}- ", first ? "" : blanks);
      yaml_of(each, indent + 2, out);
      first = false;
    }
  } else {
    out += yaml_scalar(value) + "\n";
  }
}

/// Writes `text` with its items in another order. `begin`: before each item; `end`: after the last one; `between`: what
/// separates items.
void shuffle_items(std::string_view text, std::string_view begin, std::string_view end, std::string_view between,
                   const std::string& to) {
  std::vector<std::string_view> items;
  const std::size_t first = text.find(begin) + 1;
  const std::size_t tail = text.rfind(end) + 1;
  for (std::size_t at = first; at < tail;) {
    const std::size_t next = std::min(text.find(begin, at), tail - 1) + 1;
    const std::string_view item = text.substr(at, next - at);
    items.push_back(item.substr(0, item.size() - (item.ends_with(between) ? between.size() : 1)));
    at = next;
  }
  std::shuffle(items.begin(), items.end(), std::mt19937(1));
  std::ofstream out(to, std::ios::binary);
  out << text.substr(0, first);
  for (std::size_t i = 0; i < items.size(); ++i) out << (i == 0 ? "" : between) << items[i];
  out << '\n' << text.substr(tail);
}

}  // namespace

void unpack(const std::string& from, const std::string& to) {
  const auto source = file_source(from, FileId{0}, 0);
  std::ofstream out(to, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20U);
  while (source) {
    const auto count = source->bytes->read(piece);
    if (!count || *count == 0) break;
    out.write(piece.data(), static_cast<std::streamsize>(*count));
  }
}

void compact(const std::string& from, const std::string& to) {
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20U);
  bool text = false;
  bool escaped = false;
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    const auto end = std::remove_if(piece.begin(), piece.begin() + in.gcount(), [&](char c) {
      if (escaped) {
        escaped = false;
      } else if (text && c == '\\') {
        escaped = true;
      } else if (c == '"') {
        text = !text;
      }
      return !text && (c == ' ' || c == '\n');
    });
    out.write(piece.data(), end - piece.begin());
  }
}

void sample(const std::string& from, const std::string& to, std::size_t size) {
  std::ifstream in(from, std::ios::binary);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t cut = text.rfind("\n- ");
  std::ofstream(to, std::ios::binary) << text.substr(0, cut + 1) << "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

void shuffle(const std::string& from, const std::string& to) {
  const std::string text = slurp(from);
  shuffle_items(text, "\n- ", "\nkind: ", "\n", to);
}

void shuffle_json(const std::string& from, const std::string& to) {
  const std::string text = slurp(from);
  shuffle_items(text, "\n        {\n", "\n    ]", ",\n", to);
}

void make_odd(const std::string& from, const std::string& to) {
  constexpr std::string_view kOdd =
      "  # as another tool has it\n\n  args:\n  - :8080\n  - ?x\n  flow: {a: [1, \"b\"]} # c\n  folded: >-\n    a\n    "
      "b\n";
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line == "  metadata:") out << kOdd;
    out << line << '\n';
  }
}

void items_alone(const std::string& from, const std::string& to) {
  const std::string text = slurp(from);
  const std::size_t begin = text.find('[');
  const std::size_t end = text.rfind(']');
  std::ofstream(to, std::ios::binary) << text.substr(begin, end + 1 - begin) << '\n';
}

void indent_by_two(const std::string& from, const std::string& to) {
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    out << std::string_view(line).substr(blanks / 2) << '\n';
  }
}

void as_typed_list(const std::string& from, const std::string& to) {
  constexpr std::string_view kType = R"("apiVersion":"v1","kind":"Pod",)";
  const std::string text = slurp(from);
  std::ofstream out(to, std::ios::binary);
  out << R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[)";
  const std::size_t end = text.rfind(']');
  for (std::size_t at = text.find('[') + 1; at < end;) {
    const std::size_t type = std::min(text.find(kType, at), end);
    out << std::string_view(text).substr(at, type - at);
    at = type == end ? end : type + kType.size();
  }
  out << "]}\n";
}

void in_flow_style(const std::string& from, const std::string& to, std::size_t size) {
  const std::string text = slurp(from);
  std::ofstream out(to, std::ios::binary);
  out << "apiVersion: v1\nitems:\n- ";
  bool in_text = false;
  bool escaped = false;
  int depth = 0;
  for (std::size_t at = text.find('[') + 1; at < text.size(); ++at) {
    const char c = text[at];
    if (escaped) {
      escaped = false;
    } else if (in_text && c == '\\') {
      escaped = true;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '{' || c == '[')) {
      ++depth;
    } else if (!in_text && (c == '}' || c == ']')) {
      if (--depth < 0) break;
    }
    if (!in_text && depth == 0 && c == ',') {
      if (at > size) break;
      out << "\n- ";
      continue;
    }
    if (in_text || (c != '\n' && c != ' ')) out << c;
    if (!in_text && (c == ':' || c == ',')) out << ' ';
  }
  out << "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

void with_managed_fields(const std::string& from, const std::string& to) {
  ManagedFields().add(from, to);
}

void make_up(const std::string& yaml, const std::string& json) {
  constexpr int kPods = 10'000;
  nlohmann::json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"metadata", {{"resourceVersion", ""}}}};
  for (int i = 0; i < kPods; ++i) {
    nlohmann::json env = nlohmann::json::array();
    for (int n = 0; n < 12; ++n)
      env.push_back({{"name", fmt::format("SETTING_{}", n)}, {"value", fmt::format("value-{}-{}", i / 40, n)}});
    const std::string created = fmt::format("2026-01-01T00:{:02}:{:02}Z", i / 60 % 60, i % 60);
    const std::string app = fmt::format("app-{}", i / 40);
    nlohmann::json pod = {{"apiVersion", "v1"}, {"kind", "Pod"}};
    pod["metadata"] = {{"name", fmt::format("{}-{}", app, i)},
                       {"namespace", fmt::format("team-{}", i / 400)},
                       {"uid", fmt::format("{:08x}-0000-4000-8000-{:012x}", i, i)},
                       {"creationTimestamp", created},
                       {"labels", {{"app", app}, {"tier", "back"}, {"pod-template-hash", fmt::format("h{}", i / 40)}}}};
    nlohmann::json container = {{"name", "main"}, {"image", "registry.example.org/app:v1"}, {"env", env}};
    container["resources"]["requests"] = {{"cpu", "100m"}, {"memory", "128Mi"}};
    pod["spec"] = {{"nodeName", fmt::format("node-{}", i % 500)}, {"priority", i % 10}};
    pod["spec"]["containers"].push_back(container);
    pod["status"] = {{"phase", "Running"}, {"startTime", created}};
    list["items"].push_back(pod);
  }
  std::ofstream(json, std::ios::binary) << list.dump(4) << "\n";
  std::string text;
  yaml_of(list, 0, text);
  std::ofstream(yaml, std::ios::binary) << text;
}

}  // namespace previct::bench
