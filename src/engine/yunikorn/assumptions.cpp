#include "engine/yunikorn/assumptions.h"

#include "base/contains.h"
#include "base/go.h"
#include "base/text.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>

namespace previct::yunikorn {
namespace {

/// The settings of the design document, which has two spellings of the key for strategies.
constexpr std::array<std::string_view, 9> kDesignKeys = {"preemption_victim_pods_selection_strategy",
                                                         "preemption_victim_poselection_strategy",
                                                         "deviation_percent",
                                                         "max_victims",
                                                         "preemption_start_delay",
                                                         "reservation_created",
                                                         "count_free",
                                                         "multiple_order",
                                                         "order"};

/// Reads the mappings in order; stops at the first error.
class AssumptionReader {
 public:
  explicit AssumptionReader(FileId file) : file_(file) {}

  [[nodiscard]] auto failure() const -> const std::optional<Failure>& { return failure_; }

  void document(const YAML::Node& root, Assumptions& out) {
    const std::vector<std::string> known = {"apiVersion", "kind", "yunikorn", "kube", "kai"};
    each_field(root, "the file", known, [&](const std::string& key, const YAML::Node& value) {
      if (key == "apiVersion") expect_word(value, key, "previct/v1alpha1");
      if (key == "kind") expect_word(value, key, "Assumptions");
      if (key == "yunikorn") yunikorn(value, out);
    });
    if (!failure_ && !root["kind"]) refuse(root, "kind: Assumptions is missing");
  }

 private:
  void refuse(const YAML::Node& at, std::string message, std::string help = {}) {
    const YAML::Mark mark = at.Mark();
    if (failure_) return;
    failure_ = Failure{std::move(message),
                       {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)},
                       std::move(help)};
  }

  template <class Visit>
  void each_field(const YAML::Node& map, std::string_view what, const std::vector<std::string>& known, Visit visit) {
    if (failure_ || map.IsNull()) return;
    if (!map.IsMap()) return refuse(map, fmt::format("{}: expected a mapping", what));
    std::vector<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : std::string();
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        const auto similar = nearest(key, known);
        return refuse(entry.first, fmt::format("{}: unknown key \"{}\"", what, key),
                      similar ? fmt::format("did you mean \"{}\"?", *similar) : std::string());
      }
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        return refuse(entry.first, fmt::format("{}: key \"{}\" occurs twice", what, key));
      }
      seen.push_back(key);
      visit(key, entry.second);
      if (failure_) return;
    }
  }

  void expect_word(const YAML::Node& value, const std::string& key, std::string_view word) {
    if (!value.IsScalar() || value.Scalar() != word) refuse(value, fmt::format("{}: expected {}", key, word));
  }

  void yunikorn(const YAML::Node& node, Assumptions& out) {
    each_field(node, "yunikorn", {"preempted", "released", "askTriggered", "design"},
               [&](const std::string& key, const YAML::Node& value) {
                 if (key == "preempted") out.preempted = pods(value, key);
                 if (key == "released") out.released = pods(value, key);
                 if (key == "askTriggered") out.ask_triggered = boolean(value, key);
                 if (key == "design") design(value, out.design);
               });
  }

  auto pods(const YAML::Node& node, const std::string& key) -> std::vector<PodName> {
    std::vector<PodName> result;
    if (node.IsNull()) return result;
    if (!node.IsSequence()) {
      refuse(node, fmt::format("{}: expected a list of NAMESPACE/NAME", key));
      return result;
    }
    for (const auto& item : node) {
      const std::string text = item.IsScalar() ? item.Scalar() : std::string();
      const std::size_t slash = text.find('/');
      if (slash == std::string::npos || slash == 0 || slash + 1 == text.size()) {
        refuse(item, fmt::format("{}: expected NAMESPACE/NAME, found \"{}\"", key, text));
        return result;
      }
      result.push_back({text.substr(0, slash), text.substr(slash + 1)});
    }
    return result;
  }

  auto boolean(const YAML::Node& node, const std::string& key) -> bool {
    const std::string text = node.IsScalar() ? node.Scalar() : std::string();
    if (text != "true" && text != "false") refuse(node, fmt::format("{}: expected true or false", key));
    return text == "true";
  }

  void design(const YAML::Node& node, DesignSettings& out) {
    each_field(node, "design", {kDesignKeys.begin(), kDesignKeys.end()},
               [&](const std::string& key, const YAML::Node& value) { design(key, value, "--assume", out); });
  }

 public:
  void design(std::string_view key, const YAML::Node& value, const std::string& origin, DesignSettings& out) {
    const std::string text = value.IsScalar() ? value.Scalar() : std::string();
    out.origins[std::string(key == kDesignKeys[1] ? kDesignKeys[0] : key)] = origin;
    if (key == kDesignKeys[0] || key == kDesignKeys[1]) strategies(value, text, out);
    if (key == "deviation_percent") percentage(value, text, out.deviation_percent);
    if (key == "max_victims") max_victims(value, text, out);
    if (key == "preemption_start_delay") delay(value, text, out);
    if (key == "reservation_created") {
      out.reservation_created = parse_instant(text);
      if (!out.reservation_created) refuse(value, fmt::format("{}: expected a time such as 2026-05-01T11:58:00Z", key));
    }
    if (key == "count_free") out.count_free = boolean(value, std::string(key));
    if (key == "order") {
      if (text != "zones" && text != "sizes") refuse(value, fmt::format("{}: expected zones or sizes", key));
      out.order = text == "sizes" ? DesignOrder::sizes : DesignOrder::zones;
    }
    if (key == "multiple_order") {
      if (text != "descending" && text != "ascending")
        refuse(value, fmt::format("{}: expected descending or ascending", key));
      out.descending = text != "ascending";
    }
  }

 private:
  void strategies(const YAML::Node& node, const std::string& text, DesignSettings& out) {
    if (text.empty()) return;
    out.strategies.clear();
    std::string_view rest = text;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      std::string_view word = rest.substr(0, comma);
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
      while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
      while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
      if (word != "single" && word != "multiple") {
        return refuse(node, fmt::format("strategy \"{}\" is neither single nor multiple", word));
      }
      out.strategies.emplace_back(word);
    }
  }

  /// Digits, with up to nine decimals.
  void percentage(const YAML::Node& node, const std::string& text, Decimal& out) {
    const std::size_t point = text.find('.');
    const std::string whole = text.substr(0, point);
    std::string fraction = point == std::string::npos ? std::string() : text.substr(point + 1);
    const bool digits = !whole.empty() && (whole + fraction).find_first_not_of("0123456789") == std::string::npos &&
                        whole.size() <= 9 && fraction.size() <= 9;
    if (!digits) return refuse(node, "deviation_percent: expected a number, 0 or more, with at most nine decimals");
    fraction.resize(9, '0');
    out.scaled = go::parse_int(whole, 64).value_or(0) * Decimal::kScale + go::parse_int(fraction, 64).value_or(0);
  }

  void max_victims(const YAML::Node& node, const std::string& text, DesignSettings& out) {
    const auto value = go::parse_int(text, 32);
    if (!value || *value < 0) return refuse(node, "max_victims: expected an integer, 0 or more");
    out.max_victims = *value;
  }

  void delay(const YAML::Node& node, const std::string& text, DesignSettings& out) {
    const auto value = parse_go_duration(text);
    if (!value || *value < 0) return refuse(node, "preemption_start_delay: expected a duration such as 30s");
    out.start_delay = *value;
  }

  FileId file_;
  std::optional<Failure> failure_;
};

}  // namespace

auto set_design(std::string_view key, const std::string& value, const std::string& origin, Place place,
                DesignSettings& settings) -> Result<bool> {
  if (!contains(kDesignKeys, key)) return false;
  AssumptionReader reader(place.file);
  reader.design(key, YAML::Node(value), origin, settings);
  if (!reader.failure()) return true;
  Failure failure = *reader.failure();
  failure.place = place;
  return tl::unexpected(std::move(failure));
}

auto read_assumptions(const ConfigFile& file) -> Result<Assumptions> {
  Assumptions result;
  try {
    const YAML::Node root = YAML::Load(file.bytes);
    AssumptionReader reader(file.file);
    reader.document(root, result);
    if (reader.failure()) return tl::unexpected(*reader.failure());
  } catch (const YAML::Exception& error) {
    return fail(error.msg, {file.file, static_cast<std::uint32_t>(error.mark.line + 1),
                            static_cast<std::uint32_t>(error.mark.column + 1)});
  }
  return result;
}

}  // namespace previct::yunikorn
