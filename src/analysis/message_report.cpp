#include "analysis/message_report.h"

#include "base/text.h"
#include "report/rows.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

// ---- words with operands

// Replaces `{a}` and `{a:type}` by values, `{has|have}` by the form that agrees with the number, and `{nodes}`; `{a}
// pods` with the value 1 becomes `1 pod`. A part in brackets is kept only if all of its operands have values.
class Filling {
 public:
  Filling(const MessagePiece& piece, std::string nodes) : piece_(piece), nodes_(std::move(nodes)) {}

  [[nodiscard]] auto operator()(std::string_view words) const -> std::string {
    std::string out;
    while (!words.empty()) {
      const std::size_t next = words.find_first_of("{[");
      out += words.substr(0, next);
      if (next == std::string_view::npos) break;
      words.remove_prefix(next);
      const bool optional = words.front() == '[';
      const std::size_t close = words.find(optional ? ']' : '}');
      if (close == std::string_view::npos) break;
      const std::string_view within = words.substr(1, close - 1);
      if (!optional) {
        const std::string text = value(within);
        out += text;
        for (const std::string_view one : {" pod", " active pod", " victim"}) {
          const std::string_view behind = words.substr(close + 1);
          if (text != "1" || !behind.starts_with(one) || !behind.substr(one.size()).starts_with('s')) continue;
          out += one;
          words.remove_prefix(one.size() + 1);
        }
      } else if (has_values(within)) {
        out += (*this)(within);
      }
      words.remove_prefix(close + 1);
    }
    return out;
  }

 private:
  [[nodiscard]] auto value(std::string_view braced) const -> std::string {
    if (braced == "nodes") return nodes_;
    const std::size_t bar = braced.find('|');
    if (bar != std::string_view::npos)
      return std::string(piece_.count == 1 ? braced.substr(0, bar) : braced.substr(bar + 1));
    return braced.empty() ? std::string() : std::string(piece_.operands[braced.front()]);
  }

  [[nodiscard]] auto has_values(std::string_view words) const -> bool {
    for (std::size_t open = words.find('{'); open != std::string_view::npos; open = words.find('{', open + 1)) {
      if (open + 1 < words.size() && piece_.operands[words[open + 1]].empty()) return false;
    }
    return true;
  }

  const MessagePiece& piece_;
  std::string nodes_;
};

// Returns true if the text can follow a number of nodes; otherwise it is a clause of its own.
auto says_of_nodes(std::string_view brief) -> bool {
  if (brief.starts_with("would ") || brief.starts_with("cannot ")) return true;
  return brief.starts_with('{') && brief.find('|') < brief.find('}');
}

constexpr std::size_t kLongestQuote = 120;

auto quote_of(std::string_view text) -> std::string {
  if (text.size() <= kLongestQuote) return fmt::format("\"{}\"", text);
  std::string_view cut = text.substr(0, kLongestQuote);
  cut = cut.substr(0, valid_utf8_size(cut));
  return fmt::format("\"{} …\"", cut);
}

auto sum_of(const ParsedMessage& message, bool preemption) -> std::int64_t {
  std::int64_t sum = 0;
  for (const MessagePiece& piece : message.pieces) {
    const bool counts = piece.count && piece.of_preemption == preemption;
    if (counts) sum += *piece.count;
  }
  return sum;
}

auto counts_groups(const ParsedMessage& message) -> bool {
  return message.writer != nullptr && message.writer->counts_groups;
}

// ---- the first line

class Sentence {
 public:
  explicit Sentence(const ParsedMessage& message) : message_(message) {}

  auto text() -> std::string {
    add_clauses([](const MessagePiece& p) { return p.known->part == MessagePart::error; });
    add_nodes(false);
    add_clauses([](const MessagePiece& p) { return p.known->part != MessagePart::error && !p.of_preemption; });
    add_nodes(true);
    add_clauses([](const MessagePiece& p) { return p.of_preemption; });
    const auto unknown = static_cast<std::size_t>(std::count_if(message_.pieces.begin(), message_.pieces.end(),
                                                                [](const auto& p) { return p.known == nullptr; }));
    if (unknown > 0) clauses_.push_back(fmt::format("{} not recognized", counted(unknown, "part is", "parts are")));
    if (clauses_.empty()) clauses_.emplace_back("gives no reason");
    return joined(clauses_, "; ");
  }

 private:
  [[nodiscard]] auto nodes_words(const MessagePiece& piece) const -> std::string {
    if (!piece.count) return "the " + noun();
    if (message_.nodes && *piece.count >= *message_.nodes) return *message_.nodes == 1 ? "the node" : "any node";
    return number_of(*piece.count);
  }
  [[nodiscard]] auto noun() const -> std::string { return counts_groups(message_) ? "group of nodes" : "node"; }
  [[nodiscard]] auto number_of(std::int64_t count) const -> std::string {
    return counted(static_cast<std::size_t>(count), noun(), counts_groups(message_) ? "groups of nodes" : "nodes");
  }

  // `2 of 3 nodes lack cpu, 1 lacks memory`
  void add_nodes(bool preemption) {
    std::vector<const MessagePiece*> pieces;
    for (const MessagePiece& piece : message_.pieces) {
      const bool is_one = piece.known != nullptr && piece.of_preemption == preemption && piece.count &&
                          says_of_nodes(piece.known->brief);
      if (is_one) pieces.push_back(&piece);
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const MessagePiece* a, const MessagePiece* b) { return *a->count > *b->count; });
    if (pieces.empty()) return;
    constexpr std::size_t kMostReasons = 4;
    std::string words = preemption ? "even without the pods of lower priority, " : "";
    for (std::size_t i = 0; i < std::min(pieces.size(), kMostReasons); ++i) {
      const MessagePiece& piece = *pieces[i];
      const std::string number = fmt::format("{}", *piece.count);
      if (i > 0) {
        words += ", " + number;
      } else if (!message_.nodes) {
        words += number_of(*piece.count);
      } else if (*message_.nodes == 1) {
        words += "the only node";
      } else {
        words += *piece.count == *message_.nodes
                     ? (*piece.count == 2 ? "both nodes" : fmt::format("all {} nodes", number))
                     : fmt::format("{} of {} nodes", number, *message_.nodes);
      }
      words += " " + Filling(piece, {})(piece.known->brief);
    }
    if (pieces.size() > kMostReasons)
      words += fmt::format(", and {}", counted(pieces.size() - kMostReasons, "more reason", "more reasons"));
    clauses_.push_back(std::move(words));
  }

  void add_clauses(auto is_meant) {
    for (const MessagePiece& piece : message_.pieces) {
      if (piece.known == nullptr || piece.known->brief.empty() || !is_meant(piece)) continue;
      const bool of_nodes = says_of_nodes(piece.known->brief);
      if (of_nodes && piece.count) continue;
      std::string clause = Filling(piece, nodes_words(piece))(piece.known->brief);
      if (of_nodes) {
        // Without a number it is about one node.
        MessagePiece one = piece;
        one.count = 1;
        clause = fmt::format("a {} ", noun()) + Filling(one, {})(piece.known->brief);
      }
      if (std::find(clauses_.begin(), clauses_.end(), clause) == clauses_.end()) clauses_.push_back(std::move(clause));
    }
  }

  const ParsedMessage& message_;
  std::vector<std::string> clauses_;
};

auto writer_words(const ParsedMessage& message) -> std::string {
  std::string words(message.writer->writer);
  if (const std::string releases = releases_of(message); !releases.empty()) words += " " + releases;
  if (!message.plugin.empty()) words += ", " + message.plugin;
  return words;
}

auto known_writers() -> std::string {
  std::vector<std::string> names;
  for (const Teller* teller : tellers()) {
    for (const Messages& each : teller->messages()) names.emplace_back(each.writer);
  }
  std::sort(names.begin(), names.end());
  return joined(names, ", ");
}

// ---- the rest

auto remarks_of(const ParsedMessage& message) -> std::vector<std::string> {
  std::vector<std::string> remarks;
  if (message.reason != nullptr)
    remarks.push_back(fmt::format("reason {}: {}", message.reason->word, message.reason->meaning));
  const bool about_all = std::any_of(message.pieces.begin(), message.pieces.end(), [](const MessagePiece& piece) {
    return !piece.of_preemption && !piece.count &&
           (piece.known == nullptr ||
            (piece.known->part != MessagePart::counts && piece.known->part != MessagePart::context));
  });
  for (const bool preemption : {false, true}) {
    const std::int64_t sum = sum_of(message, preemption);
    if (!message.nodes || sum == *message.nodes || sum == 0) continue;
    const std::string of = preemption ? "the counts of preemption" : "the counts";
    if (sum > *message.nodes) {
      remarks.push_back(fmt::format("{} add up to {} for {}: a node counts once for each of its reasons", of, sum,
                                    counted(static_cast<std::size_t>(*message.nodes), "node", "nodes")));
    } else if (preemption || !about_all) {
      remarks.push_back(fmt::format(
          "{} add up to {}, and there are {} nodes: the message is not complete, or gives no reason for the others", of,
          sum, *message.nodes));
    }
  }
  if (message.text.ends_with(" ...") || message.text.ends_with("…"))
    remarks.emplace_back(
        "the message is cut: events have at most 1,024 bytes; the pod's condition may have the full message");
  return remarks;
}

// The name of the pod if the text has it: `pod/train-0`.
auto pod_words(const ParsedMessage& message) -> std::string {
  constexpr std::string_view kPod = "pod/";
  const bool safe = std::all_of(message.about.begin(), message.about.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/';
  });
  return safe && message.about.starts_with(kPod) ? message.about.substr(kPod.size()) : "POD";
}

struct Step {
  std::string what;
  std::string command;
};

void add_step(const LookAt& look, const ParsedMessage& message, std::string_view program, std::vector<Step>& steps) {
  constexpr std::size_t kMost = 8;
  std::string command(look.command);
  const std::string_view pod = "{pod}";
  if (const std::size_t at = command.find(pod); at != std::string::npos)
    command.replace(at, pod.size(), pod_words(message));
  constexpr std::string_view kOwn = "previct ";
  if (command.starts_with(kOwn)) command = fmt::format("{} {}", program, command.substr(kOwn.size()));
  const bool known = std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.command == command; });
  if (!known && steps.size() < kMost) steps.push_back({std::string(look.what), std::move(command)});
}

auto steps_of(const MessagesOfText& text, std::string_view program) -> std::vector<Step> {
  std::vector<Step> steps;
  for (const ParsedMessage& message : text.messages) {
    for (const MessagePiece& piece : message.pieces) {
      if (piece.known != nullptr && piece.known->look != nullptr) add_step(*piece.known->look, message, program, steps);
    }
  }
  for (const ParsedMessage& message : text.messages) {
    if (message.writer == nullptr) continue;
    const bool pending = std::any_of(message.pieces.begin(), message.pieces.end(), [](const MessagePiece& piece) {
      return piece.known != nullptr && piece.known->part != MessagePart::victim &&
             piece.known->part != MessagePart::placed && piece.known->part != MessagePart::context;
    });
    for (const LookAt& look : message.writer->always) {
      if (pending) add_step(look, message, program, steps);
    }
  }
  return steps;
}

auto line_numbers(const std::vector<std::size_t>& lines) -> std::string {
  if (lines.size() == 1) return fmt::format("line {}", lines.front());
  std::vector<std::string> numbers;
  for (const std::size_t line : lines) numbers.push_back(fmt::format("{}", line));
  constexpr std::size_t kMostLines = 5;
  return fmt::format("lines {}", joined_up_to(kMostLines, std::move(numbers)));
}

auto title_of(const ParsedMessage& message, const MessagesOfText& text) -> std::string {
  std::vector<std::string> words;
  if (text.lines > 1) words.push_back(line_numbers(message.lines));
  if (!message.about.empty()) words.push_back(message.about);
  return words.empty() ? "" : joined(words, ", ") + ": ";
}

// ---- JSON

auto part_name(const MessagePiece& piece) -> std::string_view {
  if (piece.known == nullptr) return "notRecognised";
  switch (piece.known->part) {
    case MessagePart::context: return "context";
    case MessagePart::counts: return "counts";
    case MessagePart::filter: return "filter";
    case MessagePart::preempting:
    case MessagePart::preemption: return "preemption";
    case MessagePart::pod: return "pod";
    case MessagePart::error: return "error";
    case MessagePart::victim: return "victim";
    case MessagePart::placed: return "placed";
  }
  return "";
}

void piece_row(Row& row, const MessagePiece& piece, bool of_groups) {
  const KnownMessage* const known = piece.known;
  const bool cut = piece.text.size() > kLongestQuote;
  const std::string_view text = std::string_view(piece.text).substr(0, kLongestQuote);
  const std::string words = std::string(text.substr(0, valid_utf8_size(text))) + (cut ? " …" : "");
  const std::string meaning = known == nullptr ? "" : Filling(piece, {})(known->meaning);
  const bool after = known != nullptr && piece.of_preemption && known->part == MessagePart::filter;
  // What a filter of kube-scheduler says.
  const bool on_new = of_groups && piece.count && known != nullptr && !known->plugin.empty();
  Json operands;
  for (std::size_t i = 0; known != nullptr && i < OperandValues::kLetters; ++i) {
    const char letter = static_cast<char>('a' + i);
    if (const std::string_view value = piece.operands[letter]; !value.empty()) operands[std::string(1, letter)] = value;
  }
  row.key("part", part_name(piece)).key("text", piece.text);
  row.number(of_groups ? "GROUPS" : "NODES", piece.count ? Cell(*piece.count) : Cell("")).unless_empty();
  row.key("nodes", piece.count ? Json(*piece.count) : Json()).key("ofPreemption", only_if(piece.of_preemption));
  row.key("rule", known == nullptr ? Json() : Json(known->id));
  row.text("PLUGIN", known == nullptr ? "" : known->plugin).optional().unless_empty();
  row.key("plugin", known == nullptr ? Json() : present(known->plugin)).key("operands", std::move(operands));
  row.text("THE SCHEDULER'S WORDS", known == nullptr ? quote_of(piece.text) : words);
  row.text("MEANING", known == nullptr ? Cell("not recognized", Tone::soon)
                      : after          ? Cell("Even without the pods of lower priority: " + meaning)
                      : on_new         ? Cell("On a new node of the group: " + meaning)
                                       : Cell(meaning));
  row.key("meaning", present(meaning));
}

auto row_of(const ParsedMessage& message) {
  return
      [of_groups = counts_groups(message)](Row& row, const MessagePiece& piece) { piece_row(row, piece, of_groups); };
}

// A piece without a meaning is a part of another one.
auto pieces_table(const ParsedMessage& message) -> Table {
  std::vector<MessagePiece> pieces = message.pieces;
  std::erase_if(pieces,
                [](const MessagePiece& piece) { return piece.known != nullptr && piece.known->meaning.empty(); });
  return table_of(pieces, row_of(message));
}

auto json_of(const ParsedMessage& message) -> Json {
  Json json{{"text", message.text}, {"lines", message.lines}};
  if (!message.about.empty()) json["about"] = message.about;
  json["recognised"] = message.writer == nullptr ? "no" : message.complete() ? "yes" : "partly";
  json["summary"] = sentence_of(message);
  if (message.writer != nullptr) {
    Json writer{{"name", message.writer->writer}};
    const auto release = [&](int minor) { return fmt::format("{}{}", message.writer->major, minor); };
    if (message.first != 0) writer["oldest"] = release(message.first);
    if (message.last != 0) writer["newest"] = release(message.last);
    if (!message.plugin.empty()) writer["plugin"] = message.plugin;
    json["writtenBy"] = std::move(writer);
  }
  if (message.nodes) json["nodes"] = *message.nodes;
  if (message.reason != nullptr) json["reason"] = message.reason->word;
  json["pieces"] = list_of(message.pieces, row_of(message));
  if (auto remarks = remarks_of(message); !remarks.empty()) json["remarks"] = std::move(remarks);
  return json;
}

}  // namespace

auto releases_of(const ParsedMessage& message) -> std::string {
  if (message.writer == nullptr || (message.first == 0 && message.last == 0)) return {};
  // The pieces belong to different releases, so the message was assembled from several.
  if (message.last != 0 && message.first > message.last) return {};
  const std::string_view major = message.writer->major;
  if (message.last == 0) return fmt::format("{}{} or newer", major, message.first);
  if (message.first == 0) return fmt::format("{}{} or older", major, message.last);
  if (message.first == message.last) return fmt::format("{}{}", major, message.first);
  return fmt::format("{}{} to {}{}", major, message.first, major, message.last);
}

auto sentence_of(const ParsedMessage& message) -> std::string {
  if (message.writer == nullptr)
    return fmt::format("not recognized as a message of {}: {}", known_writers(), quote_of(message.text));
  return fmt::format("{} ({})", Sentence(message).text(), writer_words(message));
}

auto message_report(const MessagesOfText& text, std::string_view program) -> Report {
  Report report;
  const auto line = [](std::string words, Tone tone = Tone::plain) { return Line{{{std::move(words), tone}}}; };
  const std::string passed_over = text.passed_over == 0 ? ""
                                                        : counted(text.passed_over, "line without a known message",
                                                                  "lines without a known message");
  if (text.messages.empty()) {
    report.blocks.emplace_back(line(
        fmt::format("No message of {} in {}.", known_writers(), counted(text.lines, "line", "lines")), Tone::verdict));
  }
  if (text.messages.size() > 1) {
    report.blocks.emplace_back(
        line(fmt::format("{} messages in {}{}.", text.messages.size(), counted(text.lines, "line", "lines"),
                         passed_over.empty() ? "" : fmt::format("; {} skipped", passed_over)),
             Tone::verdict));
  }
  for (const ParsedMessage& message : text.messages) {
    report.blocks.emplace_back(
        line(fmt::format("{}{}.", title_of(message, text), sentence_of(message)), Tone::verdict));
    if (Table table = pieces_table(message); !table.rows.empty() && message.writer != nullptr)
      report.blocks.emplace_back(std::move(table));
    Paragraph remarks;
    for (std::string& remark : remarks_of(message)) remarks.lines.push_back(line(std::move(remark)));
    if (!remarks.lines.empty()) report.blocks.emplace_back(std::move(remarks));
  }
  if (text.messages.size() == 1 && !passed_over.empty())
    report.blocks.emplace_back(line(fmt::format("{} skipped", passed_over), Tone::dim));
  if (text.left_out > 0)
    report.blocks.emplace_back(line(
        fmt::format("{} left out after the first {}", counted(text.left_out, "message", "messages"), kMostMessages)));
  report.data = {{"apiVersion", "previct/v1alpha1"},
                 {"kind", "MessageReport"},
                 {"metadata", {{"tool", "previct " PREVICT_VERSION}}},
                 {"lines", text.lines},
                 {"passedOver", text.passed_over},
                 {"messages", Json::array()}};
  if (text.left_out > 0) report.data["leftOut"] = text.left_out;
  for (const ParsedMessage& message : text.messages) {
    report.data["messages"].push_back(json_of(message));
    for (const MessagePiece& piece : message.pieces) {
      if (piece.known == nullptr || piece.known->meaning.empty()) continue;
      const std::string id(piece.known->id);
      if (std::find(report.names.begin(), report.names.end(), id) == report.names.end()) report.names.push_back(id);
    }
  }
  const std::vector<Step> steps = steps_of(text, program);
  if (!steps.empty()) {
    Paragraph paragraph{"NEXT STEPS", {}};
    report.data["next"] = Json::array();
    for (const Step& step : steps) {
      paragraph.lines.push_back({{{step.what + ": ", Tone::dim}, {step.command, Tone::code}}});
      report.data["next"].push_back({{"what", step.what}, {"command", step.command}});
    }
    report.blocks.emplace_back(std::move(paragraph));
  }
  return report;
}

}  // namespace previct
