#include "cli/completion.h"

#include "base/text.h"
#include "cli/live.h"
#include "cli/load.h"
#include "cli/output.h"
#include "lint/rule.h"
#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <set>

namespace previct::cli {
namespace {

constexpr std::size_t kPodsListed = 200;   // with more pods, the namespaces are offered first
constexpr std::uint32_t kMostAsked = 500;  // objects of a cluster
constexpr std::chrono::milliseconds kPatience{2000};

// The characters of names in Kubernetes, of quantities and of queue paths. None of them is special in a shell.
auto is_plain(std::string_view name) -> bool {
  return !name.empty() && name.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789-._/") == std::string_view::npos;
}

// The state of one completion: `command` (null: not known yet), the typed part of the word, and the words before it.
class Completer {
 public:
  Completer(const Command* command, Options before, std::string partial, void (*before_asking)())
      : command_(command), before_(std::move(before)), partial_(std::move(partial)), before_asking_(before_asking) {}

  auto take() -> Completion {
    auto& all = completion_.candidates;
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.text < b.text; });
    all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.text == b.text; }),
              all.end());
    return std::move(completion_);
  }

  void commands_and_help() {
    for (const Command* command : commands()) offer(command->name, command->what);
    if (!partial_.starts_with("-")) return;
    offer("-h", "short help");
    offer("--help", "long help");
    offer("--version", "the version");
  }

  void flags_of_command() {
    for (const Flag& flag : flags()) {
      if (!takes(flag)) continue;
      if (!flag.name.empty()) offer(fmt::format("--{}", flag.name), flag.what);
      if (flag.letter != 0) offer(fmt::format("-{}", flag.letter), flag.what);
    }
  }

  // `spelled` is in the form of Flag::value and Command::arguments: lower-case words are literal, upper-case words are
  // kinds of values.
  void values(std::string_view spelled) {
    const std::size_t begin = spelled.find_first_not_of('[');
    if (begin == std::string_view::npos) return;
    const std::size_t end = std::min(spelled.find_first_of("[]", begin), spelled.find("...", begin));
    for (const std::string_view alternative : alternatives(spelled.substr(begin, end - begin))) {
      const auto* kind =
          std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& known) { return known.name == alternative; });
      if (kind != kKinds.end()) {
        (this->*kind->offer_all)();
      } else if (!is_placeholder(alternative)) {
        offer(alternative, "");
      }
    }
  }

 private:
  struct Kind {
    std::string_view name;
    void (Completer::*offer_all)();
  };

  void offer(std::string_view text, std::string_view what) {
    if (text.starts_with(partial_)) completion_.candidates.push_back({std::string(text), std::string(what)});
  }
  void offer_name(std::string_view name, std::string_view what) {
    if (is_plain(name)) offer(name, what);
  }

  [[nodiscard]] auto takes(const Flag& flag) const -> bool {
    return std::find(command_->groups.begin(), command_->groups.end(), flag.group) != command_->groups.end();
  }

  // The objects of -f, or some of this kind from the cluster; none if they cannot be read. Does not read a terminal or
  // a pipe, which the command will need.
  [[nodiscard]] auto objects(const KindInfo& kind) -> const Objects& {
    if (objects_ != nullptr) return *objects_;
    session_.options = before_;
    // Files that configure the question have no names to offer.
    for (const ConfigurationKind& each : configuration_kinds()) session_.options.*option_of(each) = "";
    const auto& files = before_.filenames;
    const bool piped = std::find(files.begin(), files.end(), "-") != files.end();
    if (!files.empty() && !piped && load_state(session_)) return *(objects_ = &session_.loaded.back()->objects);
    Objects& read = session_.loaded.emplace_back(std::make_shared<Loaded>(LoadRequest{}, session_.inputs))->objects;
    if (files.empty() && !ask_cluster(kind, read)) static_cast<Stores&>(read) = Stores();
    return *(objects_ = &read);
  }

  [[nodiscard]] auto ask_cluster(const KindInfo& kind, Objects& read) -> bool {
    const auto& groups = command_->groups;
    if (before_asking_ == nullptr || std::find(groups.begin(), groups.end(), Group::live) == groups.end()) return false;
    before_asking_();
    auto kubectl = kubectl_of(before_);
    if (!kubectl) return false;
    kubectl->patience.silence = kPatience;
    std::string ns;
    if (&kind == &kinds::pods) {
      const std::size_t slash = partial_.find('/');
      ns = before_.ns.empty() && slash != std::string::npos ? partial_.substr(0, slash) : before_.ns;
    }
    return live::load_some(*kubectl, kind, ns, kMostAsked, read).has_value();
  }

  [[nodiscard]] auto text(Symbol symbol) -> std::string_view { return session_.inputs->symbols.text(symbol); }

  void files() { completion_.files = true; }

  void output_formats() {
    const bool to_file = partial_.find('=') != std::string::npos;
    if (to_file) return files();
    for (const Format* format : output_formats_of(command_->judges != nullptr)) offer(format->name, format->what);
  }

  void engine_names() {
    for (const Engine* engine : engines()) offer(engine->name(), "");
  }

  void command_names() {
    for (const Command* command : commands()) offer(command->name, command->what);
  }

  void namespaces() {
    for (const Namespace& ns : objects(kinds::namespaces).namespaces) offer_name(text(ns.meta.name), "");
    for (const Pod& pod : objects(kinds::namespaces).pods) offer_name(text(pod.meta.ns), "");
  }

  void nodes() {
    for (const Node& node : objects(kinds::nodes).nodes) offer_name(text(node.meta.name), "");
  }

  void classes() {
    for (const PriorityClass& priority_class : objects(kinds::priority_classes).priority_classes) {
      offer_name(text(priority_class.meta.name), fmt::format("priority {}", priority_class.value));
    }
  }

  void classes_and_queues() {
    classes();
    for (const kai::Queue& queue : objects(kinds::kai_queues).kai_queues) offer_name(text(queue.meta.name), "queue");
  }

  void rule_ids() {
    for (const lint::Rule* rule : lint::rules()) offer(rule->id, rule->title);
  }

  void severities() {
    for (const char* word : {"error", "warning", "info", "never"}) offer(word, "");
  }

  void shards() {
    for (const kai::SchedulingShard& shard : objects(kinds::kai_shards).kai_shards)
      offer_name(text(shard.meta.name), "");
  }

  // `default/web-0`, or only `web-0` if -n is given; with very many pods, the namespaces first.
  void pods() {
    const std::string_view ns = before_.ns;
    std::set<std::string> beginnings;
    for (const Pod& pod : objects(kinds::pods).pods) {
      const std::string_view pod_ns = text(pod.meta.ns);
      if (!ns.empty() && pod_ns != ns) continue;
      const std::string_view name = text(pod.meta.name);
      offer_name(ns.empty() ? fmt::format("{}/{}", pod_ns, name) : std::string(name), said_of(pod));
      if (ns.empty() && is_plain(pod_ns)) beginnings.insert(fmt::format("{}/", pod_ns));
    }
    const bool named = !ns.empty() || partial_.find('/') != std::string::npos;
    if (named || completion_.candidates.size() <= kPodsListed || beginnings.size() < 2) return;
    completion_.candidates.clear();
    completion_.unended = true;
    for (const std::string& beginning : beginnings) offer(beginning, "");
  }

  [[nodiscard]] auto said_of(const Pod& pod) -> std::string {
    const std::string_view node = text(pod.spec.node_name);
    std::string said = node.empty() ? std::string("pending") : fmt::format("on {}", node);
    if (pod.spec.has_priority) said += fmt::format(", priority {}", pod.spec.priority);
    return said;
  }

  static constexpr std::array kKinds = {
      Kind{"FILE", &Completer::files},
      Kind{"PATH", &Completer::files},
      Kind{"DIR", &Completer::files},
      Kind{"FORMAT", &Completer::output_formats},
      Kind{"ENGINE", &Completer::engine_names},
      Kind{"COMMAND", &Completer::command_names},
      Kind{"NS", &Completer::namespaces},
      Kind{"NODE", &Completer::nodes},
      Kind{"POD", &Completer::pods},
      Kind{"WHO", &Completer::classes_and_queues},
      Kind{"SHARD", &Completer::shards},
      Kind{"CLASS", &Completer::classes},
      Kind{"ID", &Completer::rule_ids},
      Kind{"RULES", &Completer::rule_ids},
      Kind{"LEVEL", &Completer::severities},
  };

  const Command* command_;
  Options before_;
  std::string partial_;
  void (*before_asking_)();
  Completion completion_;
  Session session_;
  const Objects* objects_ = nullptr;  // null: not read yet
};

// The flag whose value is the next word, if `word` is such a flag, alone or as the last in a bundle of letters.
auto awaits_value(const std::string& word, std::span<const Group> groups) -> const Flag* {
  const auto find = [&](auto matches) -> const Flag* {
    for (const Flag& flag : flags()) {
      if (std::find(groups.begin(), groups.end(), flag.group) != groups.end() && matches(flag)) return &flag;
    }
    return nullptr;
  };
  if (word.starts_with("--")) {
    const Flag* flag = find([&](const Flag& known) { return known.name == word.substr(2); });
    return flag != nullptr && !flag->value.empty() ? flag : nullptr;
  }
  for (std::size_t i = 1; word.starts_with("-") && i < word.size(); ++i) {
    const Flag* flag = find([&](const Flag& known) { return known.letter == word[i]; });
    if (flag != nullptr && !flag->value.empty()) return i + 1 == word.size() ? flag : nullptr;
  }
  return nullptr;
}

// A word with a flag and its value: `--flag=value`, `-f=value`, `-fvalue`.
struct Assignment {
  std::string flag;
  std::string value;
  std::string stays;  // the flag before the value, for shells that treat both as one word
};
auto assignment_of(const std::string& word) -> std::optional<Assignment> {
  if (word.size() < 3 || word[0] != '-') return std::nullopt;
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && (word[1] == '-' || equals == 2)) {
    return Assignment{word.substr(0, equals), word.substr(equals + 1), ""};
  }
  if (word[1] == '-') return std::nullopt;
  return Assignment{word.substr(0, 2), word.substr(2), word.substr(0, 2)};
}

}  // namespace

auto complete(const std::vector<std::string>& words, void (*before_asking)()) -> Completion {
  const std::string last = words.empty() ? "" : words.back();
  if (words.size() < 2) {
    Completer completer(nullptr, {}, last, nullptr);
    completer.commands_and_help();
    return completer.take();
  }
  const auto command = find_command(words.front());
  if (!command) return {};
  const std::span<const Group> groups = (*command)->groups;

  // The words before the last one are parsed as the command would; a flag that waits for its value is left out.
  std::vector<std::string> before(words.begin() + 1, words.end() - 1);
  const Flag* flag = before.empty() ? nullptr : awaits_value(before.back(), groups);
  Assignment word{"", last, ""};
  if (flag != nullptr) {
    before.pop_back();
  } else if (auto assigned = assignment_of(last)) {
    word = *std::move(assigned);
    flag = awaits_value(word.flag, groups);
    if (flag == nullptr) return {};
  }
  const auto options = parse((*command)->name, groups, (*command)->most_arguments, before,
                             [](const char* name) -> const char* { return std::getenv(name); });
  if (!options) return {};

  Completer completer(*command, *options, word.value, before_asking);
  if (flag != nullptr) {
    completer.values(flag->value);
  } else if (last.starts_with("-")) {
    completer.flags_of_command();
  } else if (options->arguments.size() < (*command)->most_arguments) {
    completer.values((*command)->arguments);
  }
  Completion completion = completer.take();
  for (auto& candidate : completion.candidates) candidate.text.insert(0, word.stays);
  return completion;
}

auto protocol_text(const Completion& completion) -> std::string {
  std::string text;
  for (const auto& candidate : completion.candidates) {
    text += escaped(candidate.text);
    if (!candidate.what.empty()) text += fmt::format("\t{}", escaped(candidate.what));
    text += '\n';
  }
  const int directive = (completion.unended ? 2 : 0) + (completion.files ? 0 : 4);
  return text + fmt::format(":{}\n", directive);
}

}  // namespace previct::cli
