// What loading a dump costs, beside what reading its bytes and what parsers cost: `bench_load [YAML JSON]`, else
// ../shared/large if it is there, else a made-up dump. Each in a process of its own; the least CPU time and wall time
// of some rounds, and the peak of its memory. Prints ratios, and writes build/bench-load.json.

#include "api/load.h"

#include "input/byte_source.h"
#include "input/yaml_scalar.h"
#include "support/workloads.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string_view>
#include <tuple>

#include <fcntl.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <unistd.h>
#include <yaml.h>

namespace {

using namespace previct;
namespace fs = std::filesystem;

struct Row {
  std::string name;
  std::string path;
  std::function<bool(const std::string&)> run;
  double cpu = 1e9;   // seconds, the least
  double wall = 1e9;  // the same
  long peak_kib = 0;  // the most
  std::uint64_t bytes = 0;
};

auto slurp(const std::string& path) -> std::string {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

auto load_it(const std::string& path, const LoadOptions& options) -> bool {
  Objects objects;
  return load({path}, options, objects).has_value() && !objects.pods.empty();
}

auto scan_lines(const std::string& path) -> bool {
  const int file = ::open(path.c_str(), O_RDONLY);
  std::vector<char> window(std::size_t{256} << 10U);
  std::size_t lines = 0;
  for (ssize_t count = 0; (count = ::read(file, window.data(), window.size())) > 0;) {
    const char* const end = window.data() + count;
    for (const char* at = window.data(); at < end; ++lines) {
      const auto* feed = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (feed == nullptr) break;
      at = feed + 1;
    }
  }
  ::close(file);
  return lines > 0;
}

auto libyaml_events(const std::string& path) -> bool {
  const std::string text = slurp(path);
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) return false;
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  for (bool end = false; !end;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) return false;
    end = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return true;
}

// The texts of a few fields of each pod; far from all that load() keeps.
auto simdjson_fields(const std::string& path) -> bool {
  using namespace simdjson;
  ondemand::parser parser;
  const padded_string text = padded_string::load(path);
  ondemand::document document = parser.iterate(text);
  std::size_t bytes = 0;
  const auto texts = [&](ondemand::object object, std::initializer_list<std::string_view> wanted, auto other) {
    for (auto field : object) {
      const std::string_view key = field.unescaped_key();
      if (std::find(wanted.begin(), wanted.end(), key) != wanted.end()) {
        bytes += std::string_view(field.value().get_string()).size();
      } else {
        other(key, field.value());
      }
    }
  };
  for (auto item : document["items"].get_array()) {
    ondemand::object pod = item.get_object();
    texts(pod["metadata"].get_object(), {"name", "namespace", "uid", "creationTimestamp"},
          [&](std::string_view key, auto value) {
            if (key != "labels") return;
            for (auto label : value.get_object()) bytes += std::string_view(label.value().get_string()).size();
          });
    texts(pod["spec"].get_object(), {"nodeName", "priorityClassName", "schedulerName"},
          [&](std::string_view key, auto value) {
            if (key != "containers") return;
            for (auto container : value.get_array()) {
              ondemand::value resources;
              if (container.get_object()["resources"].get(resources) != SUCCESS) continue;
              for (auto list : resources.get_object()) {
                for (auto quantity : list.value().get_object())
                  bytes += std::string_view(quantity.value().get_string()).size();
              }
            }
          });
    texts(pod["status"].get_object(), {"phase", "startTime"}, [](std::string_view, auto) {});
  }
  return bytes > 0;
}

auto simdjson_or_not(const std::string& path) -> bool {
  try {
    return simdjson_fields(path);
  } catch (const simdjson::simdjson_error&) {
    return false;
  }
}

/// The row in a process of its own that holds nothing else: the seconds and the memory are that one's alone.
void measure(Row& row, std::size_t index) {
  const std::string command = fmt::format("exec /proc/{}/exe --row {} '{}'", ::getpid(), index, row.path);
  FILE* const child = ::popen(command.c_str(), "r");
  double cpu = 0;
  double wall = 0;
  long peak_kib = 0;
  const bool read = child != nullptr && std::fscanf(child, "%lf %lf %ld", &cpu, &wall, &peak_kib) == 3;
  if (child == nullptr || ::pclose(child) != 0 || !read) {
    fmt::print(stderr, "bench_load: {} failed on {}\n", row.name, row.path);
    std::exit(1);
  }
  row.cpu = std::min(row.cpu, cpu);
  row.wall = std::min(row.wall, wall);
  row.peak_kib = std::max(row.peak_kib, peak_kib);
}

auto cpu_seconds() -> double {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// The peak of this process. ru_maxrss would be that of the process which started it, if that was larger.
auto peak_kib() -> long {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

auto run_row(const Row& row, const std::string& path) -> int {
  const double begin = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  if (!row.run(path)) return 1;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  fmt::print("{:.6f} {:.6f} {}\n", cpu_seconds() - begin, wall.count(), peak_kib());
  return 0;
}

// --- What is read.

void unpack(const std::string& from, const std::string& to) {
  const auto source = file_source(from, FileId{0}, 0);
  std::ofstream out(to, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20U);
  while (source) {
    const auto count = (*source)->read(piece);
    if (!count || *count == 0) break;
    out.write(piece.data(), static_cast<std::streamsize>(*count));
  }
}

/// JSON without the blanks between its tokens.
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

/// The first items of a list in YAML.
void sample(const std::string& from, const std::string& to, std::size_t size) {
  std::ifstream in(from, std::ios::binary);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t cut = text.rfind("\n- ");
  std::ofstream(to, std::ios::binary) << text.substr(0, cut + 1) << "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

/// The items of a list in YAML in another order, so that neighbours are of many workloads.
void shuffle(const std::string& from, const std::string& to) {
  std::string text = slurp(from);
  std::vector<std::string_view> items;
  const std::size_t first = text.find("\n- ") + 1;
  const std::size_t tail = text.rfind("\nkind: ") + 1;
  for (std::size_t at = first; at < tail;) {
    const std::size_t next = std::min(text.find("\n- ", at), tail - 1) + 1;
    items.push_back(std::string_view(text).substr(at, next - at));
    at = next;
  }
  std::shuffle(items.begin(), items.end(), std::mt19937(1));
  std::ofstream out(to, std::ios::binary);
  out << text.substr(0, first);
  for (const std::string_view item : items) out << item;
  out << text.substr(tail);
}

/// What kubectl and other tools write beside the most usual: a plain text that begins with a colon, comments, empty
/// lines, flow style, folded text; in each object, where no scheduler reads.
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

/// The items of a list alone, as jq .items prints them.
void items_alone(const std::string& from, const std::string& to) {
  const std::string text = slurp(from);
  const std::size_t begin = text.find('[');
  const std::size_t end = text.rfind(']');
  std::ofstream(to, std::ios::binary) << text.substr(begin, end + 1 - begin) << '\n';
}

/// A list in YAML with `metadata.managedFields`, as `kubectl get -o yaml --show-managed-fields` prints them: the fields
/// of an object once more, by their names, under those who set them.
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

  // The keys in this column from the line at hand on, each `f:key`; elements of lists by their first key.
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

/// As kubectl prints a scalar.
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

}  // namespace

auto main(int count, char** words) -> int {
  const fs::path folder = fs::temp_directory_path() / "previct-bench";
  fs::create_directories(folder);
  const fs::path large = fs::path(PREVICT_SOURCE_DIR) / "../shared/large";
  std::string yaml = count > 2 ? words[1] : (folder / "pods.yaml").string();
  std::string json = count > 2 ? words[2] : (folder / "pods.json").string();
  const std::string one_line = (folder / "pods-compact.json").string();
  const std::string part = (folder / "sample.yaml").string();
  const std::string managed = (folder / "pods-managed-fields.yaml").string();
  const std::string shuffled = (folder / "pods-shuffled.yaml").string();
  const std::string odd = (folder / "pods-odd.yaml").string();
  const std::string array = (folder / "pods-array.json").string();
  const std::string workloads = (folder / "pods-workloads.yaml").string();
  const auto ours = [](const std::string& path) { return load_it(path, {}); };
  const auto by_two = [](const std::string& path) { return load_it(path, {.threads = 2}); };
  std::vector<Row> rows = {
      {"previct, YAML", yaml, ours},
      {"previct, JSON as kubectl prints it", json, ours},
      {"previct, JSON on one line", one_line, ours},
      {"previct, YAML by the general path (sample)", part,
       [](const std::string& path) { return load_it(path, {.general = true}); }},
      {"read() and memchr for line ends, YAML", yaml, scan_lines},
      {"libyaml events", yaml, libyaml_events},
      {"yaml-cpp Load (sample)", part, [](const std::string& path) { return YAML::LoadFile(path).size() > 0; }},
      {"simdjson on-demand, some fields, JSON", json, simdjson_or_not},
      {"simdjson on-demand, some fields, one line", one_line, simdjson_or_not},
      {"previct, YAML with managedFields", managed, ours},
      {"previct, YAML, two threads", yaml, by_two},
      {"previct, JSON as kubectl prints it, two threads", json, by_two},
      {"previct, YAML, shuffled", shuffled, ours},
      {"previct, YAML with odd scalars and comments", odd, ours},
      {"previct, JSON array as jq prints it", array, ours},
      {"read() and memchr for line ends, odd YAML", odd, scan_lines},
      {"previct, YAML of six workloads in turn", workloads, ours},
      {"read() and memchr for line ends, six workloads", workloads, scan_lines},
  };
  if (count == 4 && std::string_view(words[1]) == "--row")
    return run_row(rows.at(std::strtoul(words[2], nullptr, 10)), words[3]);
  if (count <= 2 && fs::exists(large / "pods.yaml.zst")) {
    unpack(large / "pods.yaml.zst", yaml);
    unpack(large / "pods.json.zst", json);
  } else if (count <= 2) {
    make_up(yaml, json);
  }
  compact(json, one_line);
  sample(yaml, part, std::size_t{4} << 20U);
  ManagedFields().add(yaml, managed);
  shuffle(yaml, shuffled);
  make_odd(yaml, odd);
  items_alone(json, array);
  constexpr std::size_t kPodsInTurn = 50'000;
  std::ofstream(workloads, std::ios::binary) << test::WorkloadMaker(1, false).list(kPodsInTurn);

  constexpr int kRounds = 7;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) measure(rows[i], i);
  }
  nlohmann::json report;
  const auto per_byte = [](const Row& row) { return row.cpu / static_cast<double>(row.bytes); };
  for (Row& row : rows) {
    row.bytes = fs::file_size(row.path);
    report.push_back({{"name", row.name},
                      {"bytes", row.bytes},
                      {"cpuSeconds", row.cpu},
                      {"wallSeconds", row.wall},
                      {"peakKiB", row.peak_kib}});
  }
  fmt::print("{:<47} {:>8} {:>9} {:>9} {:>8} {:>9}\n", "", "MB", "CPU s", "wall s", "GB/s", "peak MB");
  for (const Row& row : rows) {
    fmt::print("{:<47} {:>8.1f} {:>9.4f} {:>9.4f} {:>8.3f} {:>9.1f}\n", row.name, static_cast<double>(row.bytes) / 1e6,
               row.cpu, row.wall, static_cast<double>(row.bytes) / 1e9 / row.cpu,
               static_cast<double>(row.peak_kib) / 1024);
  }
  fmt::print("\nYAML: {:.2f} times the line scan; {:.1f} times as fast as libyaml's events, {:.0f} times as yaml-cpp\n",
             rows[0].cpu / rows[4].cpu, rows[5].cpu / rows[0].cpu, per_byte(rows[6]) / per_byte(rows[0]));
  fmt::print(
      "shuffled: {:.2f} times the line scan; odd: {:.2f} times; six workloads: {:.2f} times; JSON array: {:.2f} times "
      "the list\n",
      rows[12].cpu / rows[4].cpu, rows[13].cpu / rows[15].cpu, rows[16].cpu / rows[17].cpu, rows[14].cpu / rows[1].cpu);
  fmt::print("JSON: {:.2f} times as fast as simdjson on-demand, {:.2f} times on one line\n", rows[7].cpu / rows[1].cpu,
             rows[8].cpu / rows[2].cpu);
  const auto allowed = [](const Row& row) { return 8 + 0.12 * static_cast<double>(row.bytes) / 1e6; };
  fmt::print(
      "with managedFields: {:.2f} times the time a byte; peak memory of YAML and JSON: {:.1f} and {:.1f} MB, of {:.1f} "
      "and {:.1f} allowed\n",
      per_byte(rows[9]) / per_byte(rows[0]), static_cast<double>(rows[0].peak_kib) / 1024,
      static_cast<double>(rows[1].peak_kib) / 1024, allowed(rows[0]), allowed(rows[1]));
  fmt::print("two threads: {:.2f} (YAML) and {:.2f} (JSON) times as fast by the clock, with {:.1f} and {:.1f} MB\n",
             rows[0].wall / rows[10].wall, rows[1].wall / rows[11].wall, static_cast<double>(rows[10].peak_kib) / 1024,
             static_cast<double>(rows[11].peak_kib) / 1024);
  std::ofstream("build/bench-load.json") << report.dump(2) << "\n";
  return 0;
}
