#include "base/contains.h"
#include "base/text.h"
#include "input/layout.h"
#include "input/yaml_source.h"
#include "suite/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace previct::suite {
namespace {

// In a suite that may be JSON, names are quoted.
auto name_text(const std::string& name, std::string_view suite) -> std::string {
  const std::size_t first = suite.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && suite[first] == '{';
  return scalar_text(name, ScalarType::string, WrittenNode::Style::plain, json);
}

auto offset_of(std::string_view text, const Place& place) -> std::size_t {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  return at + place.column - 1;
}

auto line_begin(std::string_view text, std::size_t at) -> std::size_t {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

/// The offset after the line end.
auto line_end(std::string_view text, std::size_t at) -> std::size_t {
  return std::min(text.find('\n', at), text.size() - 1) + 1;
}

/// A list of names in the text of a suite, and its changes.
class List {
 public:
  List(std::string_view text, const Place& place) : text_(text), nodes_(layout_of(text, false)) {
    const std::size_t offset = offset_of(text, place);
    const auto is_it = [&](const WrittenNode& node) {
      const bool value = node.kind == WrittenNode::Kind::list || node.kind == WrittenNode::Kind::scalar;
      return value && !node.key && (node.begin == offset || node.content == offset);
    };
    const auto found = std::find_if(nodes_.begin(), nodes_.end(), is_it);
    if (found == nodes_.end()) return;
    node_ = &*found;
    const auto index = static_cast<std::uint32_t>(found - nodes_.begin());
    for (const WrittenNode& node : nodes_) {
      if (node.parent == index) items_.push_back(&node);
    }
  }

  /// The edits after which the list contains `wanted`; `held` is its current content. Names that stay are not
  /// rewritten. Fails with the reason if the list cannot be changed.
  auto changes(const std::vector<std::string>& held, const std::vector<std::string>& wanted)
      -> Result<std::vector<TextChange>> {
    if (node_ == nullptr) return fail("its place in the file is ambiguous");
    if (node_->aliased) return fail("an alias refers to it");
    held_ = held;
    std::vector<std::string> added;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(added),
                 [&](const std::string& name) { return !contains(held, name); });
    if (node_->kind == WrittenNode::Kind::scalar) {
      result_ = wanted;
      const std::string scalar = wanted.size() == 1 ? name_text(wanted.front(), text_) : flow_list({}, wanted);
      return replacing(text_, *node_, scalar);
    }
    if (items_.size() != held.size()) return fail("its place in the file is ambiguous");
    std::vector<const WrittenNode*> kept;
    std::vector<const WrittenNode*> gone;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const bool stays = contains(wanted, held[i]) && !contains(result_, held[i]);
      if (stays) result_.push_back(held[i]);
      (stays ? kept : gone).push_back(items_[i]);
    }
    const bool anchored = std::any_of(gone.begin(), gone.end(), [](const WrittenNode* item) {
      return item->aliased && item->kind != WrittenNode::Kind::alias;
    });
    if (anchored) return fail("an alias refers to a name in it");
    result_.insert(result_.end(), added.begin(), added.end());
    return node_->style == WrittenNode::Style::flow ? of_flow(kept, added) : of_block(kept, gone, added);
  }

  /// Returns true if `after` equals the text except for this list, which contains the wanted names. The two readers
  /// of YAML do not agree on every text: the list must contain what the suite was read with.
  [[nodiscard]] auto alone_differs_in(std::string_view after) const -> bool {
    const auto place = place_of(node_->begin);
    const auto old_events = yaml_source(text_, FileId{0});
    const auto new_events = yaml_source(after, FileId{0});
    bool reached = false;
    for (;;) {
      const auto old_event = old_events->next();
      if (!old_event) return false;
      const bool here = old_event->line == place.line && old_event->column == place.column &&
                        (old_event->type == EventType::begin_list || node_->kind == WrittenNode::Kind::scalar);
      if (here && old_event->type != EventType::end) {
        if (reached || !holds_held(*old_events, *old_event) || !holds_result(*new_events)) return false;
        reached = true;
        continue;
      }
      const auto new_event = new_events->next();
      if (!new_event || old_event->type != new_event->type || old_event->scalar != new_event->scalar ||
          old_event->text != new_event->text) {
        return false;
      }
      if (old_event->type == EventType::end_stream) return reached;
    }
  }

 private:
  [[nodiscard]] auto flow_list(const std::vector<const WrittenNode*>& kept, const std::vector<std::string>& added) const
      -> std::string {
    std::vector<std::string> items;
    for (const WrittenNode* item : kept) items.emplace_back(text_.substr(item->begin, item->end - item->begin));
    for (const std::string& name : added) items.push_back(name_text(name, text_));
    return fmt::format("[{}]", joined(items, ", "));
  }

  auto of_flow(const std::vector<const WrittenNode*>& kept, const std::vector<std::string>& added)
      -> Result<std::vector<TextChange>> {
    std::string between(text_.substr(node_->content, node_->end - node_->content));
    for (const WrittenNode* item : items_)
      std::fill_n(between.begin() + static_cast<std::ptrdiff_t>(item->begin - node_->content), item->end - item->begin,
                  ' ');
    if (between.find('#') != std::string::npos) return fail("it has a comment in it");
    return std::vector<TextChange>{{node_->content, node_->end, flow_list(kept, added)}};
  }

  auto of_block(const std::vector<const WrittenNode*>& kept, const std::vector<const WrittenNode*>& gone,
                const std::vector<std::string>& added) -> Result<std::vector<TextChange>> {
    std::vector<TextChange> changes;
    const std::size_t first_line = line_begin(text_, node_->content);
    const std::string_view indentation = text_.substr(first_line, node_->content - first_line);
    if (indentation.find_first_not_of(' ') != std::string_view::npos)
      return fail("it begins on the line of another element");
    const std::size_t first_end = line_end(text_, node_->content);
    const std::string_view line_break = text_.substr(0, first_end).ends_with("\r\n") ? "\r\n" : "\n";
    if (result_.empty()) {
      // The list is preceded by its anchor or tag, else by the key and its colon.
      std::size_t at = node_->properties;
      if (at == node_->begin) {
        const std::size_t colon = text_.find(':', (node_ - 1)->end);
        if (node_ == nodes_.data() || !(node_ - 1)->key || colon == std::string_view::npos || colon >= node_->begin)
          return fail("its place in the file is ambiguous");
        at = colon + 1;
      }
      changes.push_back({at, at, " []"});
    }
    for (const WrittenNode* item : gone) {
      const std::size_t dash = text_.rfind('-', item->begin == 0 ? 0 : item->begin - 1);
      const std::size_t begin = line_begin(text_, dash);
      if (dash == std::string_view::npos || text_.substr(begin, dash - begin) != indentation)
        return fail("its layout is not clear");
      changes.push_back({begin, line_end(text_, std::max(item->begin, item->end)), {}});
    }
    if (!added.empty()) {
      const std::size_t at = kept.empty() ? first_line : line_end(text_, kept.back()->end);
      std::string lines;
      for (const std::string& name : added)
        lines += fmt::format("{}- {}{}", indentation, name_text(name, text_), line_break);
      if (at == text_.size() && !text_.ends_with('\n')) {
        lines.insert(0, line_break);
        lines.resize(lines.size() - line_break.size());
      }
      changes.push_back({at, at, std::move(lines)});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const TextChange& a, const TextChange& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    return changes;
  }

  [[nodiscard]] auto place_of(std::size_t offset) const -> Place {
    const std::string_view before = text_.substr(0, offset);
    const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    return {{}, line + 1, static_cast<std::uint32_t>(offset - line_begin(text_, offset)) + 1};
  }

  [[nodiscard]] auto holds_held(EventSource& events, const Event& first) const -> bool {
    if (first.type == EventType::scalar) return held_.empty() || (held_.size() == 1 && first.text == held_.front());
    for (const std::string& name : held_) {
      const auto event = events.next();
      if (!event || event->type != EventType::scalar || event->text != name) return false;
    }
    const auto last = events.next();
    return last && last->type == EventType::end;
  }

  [[nodiscard]] auto holds_result(EventSource& events) const -> bool {
    const auto is_name = [](const Result<Event>& event, const std::string& name) {
      return event && event->type == EventType::scalar && event->scalar == ScalarType::string && event->text == name;
    };
    const auto first = events.next();
    if (first && first->type == EventType::scalar) return result_.size() == 1 && is_name(first, result_.front());
    if (!first || first->type != EventType::begin_list) return false;
    for (const std::string& name : result_) {
      if (!is_name(events.next(), name)) return false;
    }
    const auto last = events.next();
    return last && last->type == EventType::end;
  }

  std::string_view text_;
  std::vector<WrittenNode> nodes_;
  const WrittenNode* node_ = nullptr;
  std::vector<const WrittenNode*> items_;
  std::vector<std::string> held_;    // content as the suite was read
  std::vector<std::string> result_;  // wanted content, in order
};

/// The text with another list; fails with the reason if it cannot be changed.
auto with_list(const std::string& text, const std::string& path, const Exactly& list,
               const std::vector<std::string>& wanted) -> Result<std::string> {
  List found(text, list.place);
  PREVICT_TRY(const std::vector<TextChange> changes, found.changes(list.pods, wanted));
  std::string after = changed_text(text, changes);
  if (!found.alone_differs_in(after) || !read(after, path, FileId{}))
    return fail("the change would affect other places of the file");
  return after;
}

}  // namespace

// Only lists of victims are rewritten; a case with another failed expectation still fails.
static void note_other_failures(const CaseResult& each, const std::string& path, Update& update) {
  for (const Failed& failed : each.failed) {
    if (each.pinned && failed.what == "victims") continue;
    ++update.left;
    update.lines.push_back(fmt::format("{}:{} {}: still fails: {} is {}, and not {}", path, each.place.line, each.name,
                                       failed.what, failed.got, failed.want));
  }
}

auto updated(std::string text, const SuiteResult& result) -> Update {
  Update update;
  std::vector<const CaseResult*> stale;
  for (const CaseResult& each : result.cases) {
    if (each.broken) {
      ++update.left;
      update.lines.push_back(
          fmt::format("{}:{} {}: not changed: {}", result.path, each.place.line, each.name, each.broken->message));
    }
    note_other_failures(each, result.path, update);
    if (!each.pinned) continue;
    std::vector<std::string> want = each.pinned->pods;
    std::vector<std::string> got = each.victims;
    std::sort(want.begin(), want.end());
    std::sort(got.begin(), got.end());
    if (each.open && !each.failed.empty()) {
      ++update.left;
      update.lines.push_back(
          fmt::format("{}:{} {}: not changed, because the victims are not certain; use includes and excludes",
                      result.path, each.pinned->place.line, each.name));
    } else if (want != got) {
      stale.push_back(&each);
    }
  }
  // From the end, so that earlier places stay valid.
  std::sort(stale.begin(), stale.end(),
            [](const CaseResult* a, const CaseResult* b) { return b->pinned->place < a->pinned->place; });
  std::vector<std::string> lines;
  for (const CaseResult* each : stale) {
    Result<std::string> after = with_list(text, result.path, *each->pinned, each->victims);
    const std::string where = fmt::format("{}:{} {}", result.path, each->pinned->place.line, each->name);
    if (!after) {
      ++update.left;
      lines.push_back(fmt::format("{}: left as it is: {}", where, after.error().message));
      continue;
    }
    text = *std::move(after);
    ++update.rewritten;
    lines.push_back(fmt::format("+ {}", each->victims.empty() ? "[]" : joined(each->victims, ", ")));
    lines.push_back(fmt::format("- {}", each->pinned->pods.empty() ? "[]" : joined(each->pinned->pods, ", ")));
    lines.push_back(where);
  }
  update.lines.insert(update.lines.end(), lines.rbegin(), lines.rend());
  update.text = std::move(text);
  return update;
}

}  // namespace previct::suite
