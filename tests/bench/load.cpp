// Measures the cost of loading a dump, compared with reading its bytes, with parsers, and with other tools: `bench_load
// [YAML JSON]`; by default with ../shared/large if it exists, otherwise with a generated dump. Each row runs in its own
// process; it shows the least CPU time and wall time of several rounds, and the peak memory. Prints ratios, and writes
// build/bench-load.json. `bench_load --scan FILE` prints CPU and wall seconds of the line scan alone, and
// `bench_load --patterns` measures only what patterns save (see PatternReader).

#include "api/load.h"

#include "api/fast_load.h"
#include "api/store_sink.h"
#include "bench/inputs.h"
#include "input/byte_source.h"
#include "input/memory_guard.h"
#include "input/reported_source.h"
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
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <unistd.h>
#include <yaml.h>

namespace {

using namespace previct;
using namespace previct::bench;
namespace fs = std::filesystem;

struct Row {
  std::string name;
  std::string path;
  std::function<bool(const std::string&)> run;
  double cpu = 1e9;   // least seconds
  double wall = 1e9;  // least seconds
  long peak_kib = 0;  // maximum
  std::uint64_t bytes = 0;
};

auto load_it(const std::string& path, const LoadOptions& options) -> bool {
  Objects objects;
  return load({path}, options, objects).has_value() && !objects.pods.empty();
}

/// Reads only the objects of the dump, by the fast path, with patterns or without (see PatternReader).
auto read_it(const std::string& path, bool patterns) -> bool {
  Objects objects;
  StoreSink sink(FileId{0}, objects);
  const auto source = file_source(path, FileId{0}, 0);
  if (!source) return false;
  MemoryGuard memory(UINT64_MAX);
  WatchedBytes bytes(*source->bytes, nullptr, path, source->size, memory);
  return read_fast(bytes, FileId{0}, objects, sink, {.patterns = patterns}) && !objects.pods.empty();
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

// Reads the texts of a few fields of each pod, far fewer than load() keeps.
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

/// Runs the row in a process that does nothing else, so that its time and memory are those of the row alone.
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

/// Returns the peak memory of this process. ru_maxrss would be that of the parent process if that was larger.
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

/// Runs `gen_dump.py` of ../shared if it exists: pods of six workloads, sorted by name, in both formats. Returns false
/// if it does not.
auto generate(const std::string& to) -> bool {
  const fs::path generator = fs::path(PREVICT_SOURCE_DIR) / "../shared/perf/gen_dump.py";
  constexpr int kPods = 20'000;
  if (!fs::exists(generator)) return false;
  const fs::path out(to);
  const std::string command = fmt::format("python3 '{}' --pods {} --out '{}' --name '{}'", generator.string(), kPods,
                                          out.parent_path().string(), out.stem().string());
  return std::system(command.c_str()) == 0 && fs::exists(to);
}

// The ends of the names of the rows that read_it() runs.
constexpr std::string_view kWithPatterns = ", with patterns";
constexpr std::string_view kWithoutPatterns = ", without patterns";

/// A row whose time is given as a multiple of another row's, for the same bytes.
struct Ratio {
  std::string_view row;
  std::string_view of;
};

auto find_row(const std::vector<Row>& rows, std::string_view name) -> const Row* {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

/// Prints one bar for each ratio, with one character for each tenth.
void plot(const std::vector<Row>& rows, const std::vector<Ratio>& ratios) {
  constexpr double kMost = 6;
  fmt::print("\ntimes as long as reading the file and looking for its line ends\n");
  for (const auto& [name, of] : ratios) {
    const Row* const row = find_row(rows, name);
    const Row* const scan = find_row(rows, of);
    if (row == nullptr || scan == nullptr) continue;
    const double ratio = row->cpu / scan->cpu;
    fmt::print("{:<47} {:>5.2f} {}\n", name, ratio,
               std::string(static_cast<std::size_t>(std::min(ratio, kMost) * 10), '#'));
  }
}

/// Prints how long and how much memory reading takes with patterns and without.
void compare_patterns(const std::vector<Row>& rows) {
  fmt::print("\n{:<35} {:>9} {:>9} {:>7} {:>9} {:>9}\n", "with patterns, and without", "CPU s", "without", "saved",
             "peak MB", "without");
  for (const Row& without : rows) {
    if (!without.name.ends_with(kWithoutPatterns)) continue;
    const std::string name = without.name.substr(0, without.name.size() - kWithoutPatterns.size());
    const Row* const with = find_row(rows, name + std::string(kWithPatterns));
    if (with == nullptr) continue;
    fmt::print("{:<35} {:>9.3f} {:>9.3f} {:>6.0f}% {:>9.1f} {:>9.1f}\n", name, with->cpu, without.cpu,
               (1 - with->cpu / without.cpu) * 100, static_cast<double>(with->peak_kib) / 1024,
               static_cast<double>(without.peak_kib) / 1024);
  }
}

}  // namespace

auto main(int count, char** words) -> int {
  const fs::path folder = fs::temp_directory_path() / "previct-bench";
  fs::create_directories(folder);
  const fs::path large = fs::path(PREVICT_SOURCE_DIR) / "../shared/large";
  const auto in_folder = [&](const char* name) { return (folder / name).string(); };
  std::string yaml = count > 2 ? words[1] : in_folder("pods.yaml");
  std::string json = count > 2 ? words[2] : in_folder("pods.json");
  const std::string one_line = in_folder("pods-compact.json");
  const std::string part = in_folder("sample.yaml");
  const std::string managed = in_folder("pods-managed-fields.yaml");
  const std::string shuffled = in_folder("pods-shuffled.yaml");
  const std::string odd = in_folder("pods-odd.yaml");
  const std::string flow = in_folder("pods-flow.yaml");
  const std::string array = in_folder("pods-array.json");
  const std::string by_two = in_folder("pods-by-two.json");
  const std::string typed = in_folder("pods-typed.json");
  const std::string workloads = in_folder("pods-workloads.yaml");
  const std::string generated = in_folder("generated.yaml");
  const std::string generated_shuffled = in_folder("generated-shuffled.yaml");
  const std::string json_shuffled = in_folder("pods-shuffled.json");
  const std::string generated_json = in_folder("generated.json");
  const std::string generated_json_shuffled = in_folder("generated-shuffled.json");
  const auto ours = [](const std::string& path) { return load_it(path, {}); };
  const auto two_threads = [](const std::string& path) { return load_it(path, {.threads = 2}); };
  std::vector<Row> rows = {
      {"YAML", yaml, ours},
      {"YAML, two threads", yaml, two_threads},
      {"YAML, shuffled", shuffled, ours},
      {"YAML with managedFields", managed, ours},
      {"YAML with odd scalars and comments", odd, ours},
      {"YAML of six workloads in turn", workloads, ours},
      {"YAML, generated", generated, ours},
      {"YAML, generated, two threads", generated, two_threads},
      {"YAML, generated, shuffled", generated_shuffled, ours},
      {"YAML in flow style (part)", flow, ours},
      {"YAML by the general path (part)", part,
       [](const std::string& path) { return load_it(path, {.general = true}); }},
      {"JSON as kubectl prints it", json, ours},
      {"JSON as kubectl prints it, two threads", json, two_threads},
      {"JSON as jq prints it", by_two, ours},
      {"JSON, the items alone", array, ours},
      {"JSON on one line", one_line, ours},
      {"JSON as the API server gives it", typed, ours},
      {"JSON, shuffled", json_shuffled, ours},
      {"JSON, generated", generated_json, ours},
      {"JSON, generated, shuffled", generated_json_shuffled, ours},
      {"line scan of YAML", yaml, scan_lines},
      {"line scan of shuffled YAML", shuffled, scan_lines},
      {"line scan with managedFields", managed, scan_lines},
      {"line scan of odd YAML", odd, scan_lines},
      {"line scan of six workloads", workloads, scan_lines},
      {"line scan of generated YAML", generated, scan_lines},
      {"line scan of generated, shuffled YAML", generated_shuffled, scan_lines},
      {"libyaml events, YAML", yaml, libyaml_events},
      {"libyaml events, flow style (part)", flow, libyaml_events},
      {"libyaml events, YAML (part)", part, libyaml_events},
      {"yaml-cpp Load, YAML (part)", part, [](const std::string& path) { return YAML::LoadFile(path).size() > 0; }},
      {"simdjson on-demand, some fields", json, simdjson_or_not},
      {"simdjson on-demand, some fields, one line", one_line, simdjson_or_not},
  };
  for (const std::string_view name :
       {"YAML", "YAML, shuffled", "YAML, generated", "YAML, generated, shuffled", "JSON as kubectl prints it",
        "JSON, shuffled", "JSON, generated", "JSON, generated, shuffled", "YAML of six workloads in turn"}) {
    const std::string path = find_row(rows, name)->path;
    for (const bool patterns : {true, false}) {
      rows.push_back({.name = std::string(name) + std::string(patterns ? kWithPatterns : kWithoutPatterns),
                      .path = path,
                      .run = [patterns](const std::string& file) { return read_it(file, patterns); }});
    }
  }
  if (count == 3 && std::string_view(words[1]) == "--scan")
    return run_row({.name = {}, .path = {}, .run = scan_lines}, words[2]);
  if (count == 4 && std::string_view(words[1]) == "--row")
    return run_row(rows.at(std::strtoul(words[2], nullptr, 10)), words[3]);
  if (count <= 2 && fs::exists(large / "pods.yaml.zst")) {
    unpack((large / "pods.yaml.zst").string(), yaml);
    unpack((large / "pods.json.zst").string(), json);
  } else if (count <= 2) {
    make_up(yaml, json);
  }
  constexpr std::size_t kPart = std::size_t{4} << 20U;
  constexpr int kRounds = 7;
  shuffle(yaml, shuffled);
  shuffle_json(json, json_shuffled);
  if ((fs::exists(generated) && fs::exists(generated_json)) || generate(generated)) {
    shuffle(generated, generated_shuffled);
    shuffle_json(generated_json, generated_json_shuffled);
  }
  constexpr std::size_t kPodsInTurn = 50'000;
  std::ofstream(workloads, std::ios::binary) << test::WorkloadMaker(1, false).list(kPodsInTurn);
  if (count == 2 && std::string_view(words[1]) == "--patterns") {
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool without = rows[i].name.ends_with(kWithoutPatterns);
      const bool with = rows[i].name.ends_with(kWithPatterns);
      if ((with || without) && fs::exists(rows[i].path)) measured.push_back(i);
    }
    for (int round = 0; round < kRounds; ++round) {
      for (const std::size_t i : measured) measure(rows[i], i);
    }
    compare_patterns(rows);
    return 0;
  }
  compact(json, one_line);
  sample(yaml, part, kPart);
  with_managed_fields(yaml, managed);
  make_odd(yaml, odd);
  items_alone(json, array);
  indent_by_two(json, by_two);
  as_typed_list(one_line, typed);
  in_flow_style(one_line, flow, kPart);

  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fs::exists(rows[i].path)) measure(rows[i], i);
    }
  }
  std::erase_if(rows, [](const Row& row) { return !fs::exists(row.path); });
  nlohmann::json report;
  fmt::print("{:<47} {:>8} {:>9} {:>9} {:>8} {:>9}\n", "", "MB", "CPU s", "wall s", "GB/s", "peak MB");
  for (Row& row : rows) {
    row.bytes = fs::file_size(row.path);
    report.push_back({{"name", row.name},
                      {"bytes", row.bytes},
                      {"cpuSeconds", row.cpu},
                      {"wallSeconds", row.wall},
                      {"peakKiB", row.peak_kib}});
    fmt::print("{:<47} {:>8.1f} {:>9.4f} {:>9.4f} {:>8.3f} {:>9.1f}\n", row.name, static_cast<double>(row.bytes) / 1e6,
               row.cpu, row.wall, static_cast<double>(row.bytes) / 1e9 / row.cpu,
               static_cast<double>(row.peak_kib) / 1024);
  }
  plot(rows, {{"YAML", "line scan of YAML"},
              {"YAML, shuffled", "line scan of shuffled YAML"},
              {"YAML with managedFields", "line scan with managedFields"},
              {"YAML with odd scalars and comments", "line scan of odd YAML"},
              {"YAML of six workloads in turn", "line scan of six workloads"},
              {"YAML, generated", "line scan of generated YAML"},
              {"YAML, generated, shuffled", "line scan of generated, shuffled YAML"}});
  compare_patterns(rows);
  const auto say = [&](std::string_view what, std::string_view row, std::string_view other, bool per_byte, bool wall) {
    const Row* const a = find_row(rows, row);
    const Row* const b = find_row(rows, other);
    if (a == nullptr || b == nullptr) return;
    const auto cost = [&](const Row& of) {
      return (wall ? of.wall : of.cpu) / (per_byte ? static_cast<double>(of.bytes) : 1.0);
    };
    fmt::print("{}: {:.2f}\n", what, cost(*a) / cost(*b));
  };
  fmt::print("\n");
  say("libyaml's events, times our YAML", "libyaml events, YAML", "YAML", false, false);
  say("libyaml's events, times our YAML in flow style", "libyaml events, flow style (part)",
      "YAML in flow style (part)", false, false);
  say("libyaml's events, times our general path", "libyaml events, YAML (part)", "YAML by the general path (part)",
      false, false);
  say("yaml-cpp, times our YAML, a byte", "yaml-cpp Load, YAML (part)", "YAML", true, false);
  say("simdjson, times our JSON", "simdjson on-demand, some fields", "JSON as kubectl prints it", false, false);
  say("simdjson, times our JSON on one line", "simdjson on-demand, some fields, one line", "JSON on one line", false,
      false);
  say("JSON as jq prints it, times as kubectl does, a byte", "JSON as jq prints it", "JSON as kubectl prints it", true,
      false);
  say("with managedFields, times without, a byte", "YAML with managedFields", "YAML", true, false);
  say("one thread, times two by the clock, YAML", "YAML", "YAML, two threads", false, true);
  say("one thread, times two by the clock, generated", "YAML, generated", "YAML, generated, two threads", false, true);
  say("one thread, times two by the clock, JSON", "JSON as kubectl prints it", "JSON as kubectl prints it, two threads",
      false, true);
  std::ofstream("build/bench-load.json") << report.dump(2) << "\n";
  return 0;
}
