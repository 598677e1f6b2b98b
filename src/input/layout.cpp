#include "input/layout.h"

#include "input/json_source.h"
#include "input/yaml_scalar.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <yaml.h>

namespace previct {
namespace {

using NodeKind = WrittenNode::Kind;
using NodeStyle = WrittenNode::Style;

auto name_of(const yaml_char_t* text) -> std::string_view {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

/// Converts libyaml's positions, which count characters, to byte offsets. Efficient for ascending positions.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text) {}

  auto of(std::size_t character) -> std::size_t {
    if (character < character_) byte_ = character_ = 0;
    for (; character_ < character && byte_ < text_.size(); ++character_) {
      ++byte_;
      while (byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xc0U) == 0x80) ++byte_;
    }
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::size_t character_ = 0;
};

auto is_white(char c) -> bool {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The position after the `count` properties (anchor, tag) that begin at `at`.
auto past_properties(std::string_view text, std::size_t at, int count) -> std::size_t {
  for (; count > 0; --count) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const bool verbatim = text.substr(at).starts_with("!<");
    at = verbatim ? std::min(text.find('>', at), text.size() - 1) + 1
                  : std::min(text.find_first_of(" \t\r\n,[]{}", at), text.size());
  }
  return at;
}

/// Skips blanks, line ends and comments.
auto past_nothing(std::string_view text, std::size_t at) -> std::size_t {
  while (at < text.size()) {
    if (text[at] == '#') at = std::min(text.find('\n', at), text.size());
    if (at < text.size() && !is_white(text[at])) break;
    if (at < text.size()) ++at;
  }
  return at;
}

auto is_block_scalar(const WrittenNode& node) -> bool {
  return node.kind == NodeKind::scalar && (node.style == NodeStyle::literal || node.style == NodeStyle::folded);
}

/// The nodes of a YAML text as reported by libyaml.
class YamlLayout {
 public:
  explicit YamlLayout(std::string_view text) : text_(text), offsets_(text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  YamlLayout(const YamlLayout&) = delete;
  auto operator=(const YamlLayout&) -> YamlLayout& = delete;
  ~YamlLayout() { yaml_parser_delete(&parser_); }

  auto nodes() -> std::vector<WrittenNode> {
    for (;;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) == 0) {
        if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
        return {};
      }
      const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owned(&event, yaml_event_delete);
      if (event.type == YAML_STREAM_END_EVENT) break;
      take(event);
    }
    // A node inside an aliased one is aliased, too; parents precede their children.
    for (WrittenNode& node : nodes_) {
      if (node.parent != WrittenNode::kNone && nodes_[node.parent].aliased) node.aliased = true;
    }
    return std::move(nodes_);
  }

  /// Removes the offsets, in order, that are within a scalar, and those after an error.
  auto outside_scalars(std::vector<std::size_t> all) -> std::vector<std::size_t> {
    std::vector<std::size_t> outside;
    auto next = all.begin();
    const auto keep_before = [&](std::size_t end) {
      for (; next != all.end() && *next < end; ++next) outside.push_back(*next);
    };
    while (next != all.end()) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) == 0) {
        if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
        return outside;
      }
      const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owned(&event, yaml_event_delete);
      if (event.type == YAML_STREAM_END_EVENT) {
        keep_before(text_.size());
        break;
      }
      if (event.type != YAML_SCALAR_EVENT) continue;
      const auto& scalar = event.data.scalar;
      const std::size_t begin = offsets_.of(event.start_mark.index);
      const std::size_t end = offsets_.of(event.end_mark.index);
      const int properties = (name_of(scalar.anchor).empty() ? 0 : 1) + (name_of(scalar.tag).empty() ? 0 : 1);
      std::size_t content = past_properties(text_, begin, properties);
      if (properties > 0) content = std::min(past_nothing(text_, content), std::max(end, content));
      // The header of a block scalar may end with a comment.
      const bool block = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE;
      if (block) content = std::min(text_.find('\n', content), end);
      keep_before(content);
      while (next != all.end() && *next < end) ++next;
    }
    return outside;
  }

 private:
  struct Open {
    std::uint32_t node;
    bool map;
    bool at_key = true;
  };

  void take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT: anchors_.clear(); return;
      case YAML_ALIAS_EVENT: {
        const auto named = anchors_.find(name_of(event.data.alias.anchor));
        if (named != anchors_.end()) nodes_[named->second].aliased = true;
        add(event, NodeKind::alias, NodeStyle::plain, nullptr, nullptr).aliased = true;
        return;
      }
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        WrittenNode& node = add(event, NodeKind::scalar, style_of(scalar.style), scalar.anchor, scalar.tag);
        if (is_block_scalar(node)) node.text.assign(name_of(scalar.value).data(), scalar.length);
        return;
      }
      case YAML_SEQUENCE_START_EVENT: {
        const auto& list = event.data.sequence_start;
        add(event, NodeKind::list, list.style == YAML_FLOW_SEQUENCE_STYLE ? NodeStyle::flow : NodeStyle::block,
            list.anchor, list.tag);
        open_.push_back({static_cast<std::uint32_t>(nodes_.size() - 1), false});
        return;
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& map = event.data.mapping_start;
        add(event, NodeKind::map, map.style == YAML_FLOW_MAPPING_STYLE ? NodeStyle::flow : NodeStyle::block, map.anchor,
            map.tag);
        open_.push_back({static_cast<std::uint32_t>(nodes_.size() - 1), true});
        return;
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        WrittenNode& node = nodes_[open_.back().node];
        if (node.style == NodeStyle::flow) node.end = offsets_.of(event.end_mark.index);
        open_.pop_back();
        // A node ends with its last child.
        if (!open_.empty()) widen(nodes_[open_.back().node], node.end);
        return;
      }
      default: return;
    }
  }

  static auto style_of(yaml_scalar_style_t style) -> NodeStyle {
    switch (style) {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: return NodeStyle::single_quoted;
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return NodeStyle::double_quoted;
      case YAML_LITERAL_SCALAR_STYLE: return NodeStyle::literal;
      case YAML_FOLDED_SCALAR_STYLE: return NodeStyle::folded;
      default: return NodeStyle::plain;
    }
  }

  static void widen(WrittenNode& node, std::size_t end) {
    if (node.style == NodeStyle::block) node.end = std::max(node.end, end);
  }

  auto add(const yaml_event_t& event, NodeKind kind, NodeStyle style, const yaml_char_t* anchor, const yaml_char_t* tag)
      -> WrittenNode& {
    WrittenNode node{.kind = kind, .style = style};
    node.begin = offsets_.of(event.start_mark.index);
    node.end = offsets_.of(event.end_mark.index);
    const int properties = (name_of(anchor).empty() ? 0 : 1) + (name_of(tag).empty() ? 0 : 1);
    node.properties = node.content = past_properties(text_, node.begin, properties);
    if (properties > 0) node.content = std::min(past_nothing(text_, node.content), std::max(node.end, node.content));
    // libyaml includes the blank lines after a block scalar.
    if (kind == NodeKind::scalar) {
      while (node.end > node.content && is_white(text_[node.end - 1])) --node.end;
    } else if (style == NodeStyle::block) {
      node.end = node.content = properties > 0 ? past_nothing(text_, node.content) : node.begin;
    }
    constexpr std::string_view kOwn = "tag:yaml.org,2002:";
    const std::string_view own = kind == NodeKind::scalar ? "str" : kind == NodeKind::map ? "map" : "seq";
    const std::string_view named = name_of(tag);
    node.foreign = !named.empty() && named != "!" && !(named.starts_with(kOwn) && named.substr(kOwn.size()) == own);
    if (!open_.empty()) {
      Open& open = open_.back();
      node.parent = open.node;
      node.key = open.map && open.at_key;
      open.at_key = !open.at_key;
      widen(nodes_[open.node], node.end);
    }
    if (!name_of(anchor).empty())
      anchors_.insert_or_assign(std::string(name_of(anchor)), static_cast<std::uint32_t>(nodes_.size()));
    return nodes_.emplace_back(node);
  }

  std::string_view text_;
  Offsets offsets_;
  yaml_parser_t parser_{};
  std::vector<WrittenNode> nodes_;
  std::vector<Open> open_;
  std::map<std::string, std::uint32_t, std::less<>> anchors_;
};

/// The offsets of the beginnings of lines.
auto line_begins(std::string_view text) -> std::vector<std::size_t> {
  std::vector<std::size_t> begins = {0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins.push_back(at + 1);
  return begins;
}

/// The end of a JSON scalar.
auto json_end(std::string_view text, std::size_t at) -> std::size_t {
  if (text[at] != '"') return std::min(text.find_first_of(" \t\r\n,:]}", at), text.size());
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

auto json_layout(std::string_view text) -> std::vector<WrittenNode> {
  const std::vector<std::size_t> begins = line_begins(text);
  std::vector<WrittenNode> nodes;
  const auto events = json_source(text, FileId{0});
  struct Open {
    std::uint32_t node;
    bool map;
    bool at_key = true;
  };
  std::vector<Open> open;
  for (;;) {
    const auto event = events->next();
    if (!event) return {};
    if (event->type == EventType::end_stream) return nodes;
    if (event->type == EventType::end) open.pop_back();
    if (event->type == EventType::end || event->type == EventType::end_document) continue;
    WrittenNode node;
    node.begin = node.properties = node.content = begins[event->line - 1] + event->column - 1;
    node.kind = event->type == EventType::scalar      ? NodeKind::scalar
                : event->type == EventType::begin_map ? NodeKind::map
                                                      : NodeKind::list;
    const bool scalar = node.kind == NodeKind::scalar;
    node.style = !scalar ? NodeStyle::flow : text[node.begin] == '"' ? NodeStyle::double_quoted : NodeStyle::plain;
    node.end = scalar ? json_end(text, node.begin) : node.begin + 1;
    if (!open.empty()) {
      node.parent = open.back().node;
      node.key = open.back().map && open.back().at_key;
      open.back().at_key = !open.back().at_key;
    }
    nodes.push_back(node);
    if (!scalar) open.push_back({static_cast<std::uint32_t>(nodes.size() - 1), node.kind == NodeKind::map});
  }
}

/// The end of the header of a block scalar (`|-`), and the end of its line.
struct BlockHead {
  std::size_t end;
  std::size_t line_end;
};
auto block_head(std::string_view text, const WrittenNode& node) -> BlockHead {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n", node.content), text.size());
  return {end, std::min(text.find_first_of("\r\n", end), text.size())};
}

// --- Effects of a change on the objects.

/// The expected value of a node after the changes.
struct Expected {
  std::string text;
  ScalarType type = ScalarType::string;
  bool reached = false;
};

auto events_of(std::string_view text, bool json) -> std::unique_ptr<EventSource> {
  return json ? json_source(text, FileId{0}) : yaml_source(text, FileId{0});
}

/// The only scalar of a text.
auto read_scalar(std::string_view text, bool json) -> std::optional<Expected> {
  const auto events = events_of(text, json);
  const auto first = events->next();
  if (!first || first->type != EventType::scalar) return {};
  return Expected{std::string(first->text), first->scalar};
}

using Places = std::map<std::pair<std::uint32_t, std::uint32_t>, Expected>;

/// Returns true if the events of both texts are the same except for the scalars at `places` of the first.
auto same_events_but(std::string_view before, std::string_view after, bool json, Places& places) -> bool {
  const auto old_events = events_of(before, json);
  const auto new_events = events_of(after, json);
  for (;;) {
    const auto old_event = old_events->next();
    if (!old_event) return false;
    const auto new_event = new_events->next();
    if (!new_event || old_event->type != new_event->type) return false;
    if (old_event->type == EventType::end_stream) break;
    if (old_event->type != EventType::scalar) continue;
    const auto expected = places.find({old_event->line, old_event->column});
    if (expected == places.end()) {
      if (old_event->scalar != new_event->scalar || old_event->text != new_event->text) return false;
      continue;
    }
    Expected& wanted = expected->second;
    if (wanted.reached || new_event->text != wanted.text) return false;
    if (new_event->scalar != wanted.type) return false;
    wanted.reached = true;
  }
  return std::all_of(places.begin(), places.end(), [](const auto& place) { return place.second.reached; });
}

/// The text of a literal block scalar, and the changes within it. None if they cannot be determined.
struct Inner {
  std::string text;
  std::vector<TextChange> changes;
};
auto inner_of(std::string_view text, const WrittenNode& node, std::span<const TextChange> changes)
    -> std::optional<Inner> {
  Inner inner{node.text, {}};
  const std::vector<std::size_t> inner_begins = line_begins(inner.text);
  const std::vector<std::size_t> begins = line_begins(text);
  const auto line_at = [](const std::vector<std::size_t>& all, std::size_t offset) {
    return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), offset) - all.begin()) - 1;
  };
  const std::size_t head_line = line_at(begins, node.content);
  const auto inner_offset = [&](std::size_t offset) -> std::optional<std::size_t> {
    const std::size_t line = line_at(begins, offset);
    if (line <= head_line || line - head_line - 1 >= inner_begins.size()) return {};
    const std::size_t begin = inner_begins[line - head_line - 1];
    std::string_view held = std::string_view(inner.text).substr(begin);
    held = held.substr(0, held.find('\n'));
    std::string_view there = text.substr(begins[line]);
    there = there.substr(0, there.find_first_of("\r\n"));
    if (!there.ends_with(held)) return {};
    const std::size_t indentation = there.size() - held.size();
    if (offset < begins[line] + indentation) return {};
    return begin + (offset - begins[line] - indentation);
  };
  for (const TextChange& change : changes) {
    const auto from = inner_offset(change.begin);
    const auto to = inner_offset(change.end);
    if (!from || !to || *from > *to) return {};
    inner.changes.push_back({*from, *to, change.text});
  }
  return inner;
}

}  // namespace

auto layout_of(std::string_view text, bool json) -> std::vector<WrittenNode> {
  return json ? json_layout(text) : YamlLayout(text).nodes();
}

auto comments_with(std::string_view text, std::string_view word) -> std::vector<std::size_t> {
  std::vector<std::size_t> hashes;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
    const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
    if (before != std::string_view::npos && text[before] == '#') hashes.push_back(before);
  }
  return hashes.empty() ? hashes : YamlLayout(text).outside_scalars(std::move(hashes));
}

auto changed_text(std::string_view text, std::span<const TextChange> changes) -> std::string {
  std::string out;
  std::size_t at = 0;
  for (const TextChange& change : changes) {
    out += text.substr(at, change.begin - at);
    out += change.text;
    at = change.end;
  }
  return out += text.substr(at);
}

auto replacing(std::string_view text, const WrittenNode& node, std::string_view scalar) -> std::vector<TextChange> {
  if (!is_block_scalar(node)) return {{node.content, node.end, std::string(scalar)}};
  const BlockHead head = block_head(text, node);
  std::vector<TextChange> changes = {{node.content, head.end, std::string(scalar)}};
  if (node.end > head.line_end) changes.push_back({head.line_end, node.end, {}});
  return changes;
}

auto scalar_text(std::string_view meaning, ScalarType type, NodeStyle style, bool json) -> std::string {
  const auto in_double_quotes = [&] {
    std::string out = "\"";
    for (const char c : meaning) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + '"';
  };
  if (type != ScalarType::string) return std::string(meaning);
  if (json || style == NodeStyle::double_quoted) return in_double_quotes();
  if (style == NodeStyle::single_quoted) {
    std::string out = "'";
    for (const char c : meaning) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + '\'';
  }
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kOthers = "0123456789./_-";
  const bool plain =
      !meaning.empty() &&
      meaning.find_first_not_of(std::string(kLetters) + std::string(kOthers)) == std::string_view::npos &&
      meaning.find_first_of(kLetters) != std::string_view::npos && meaning.front() != '-';
  std::string scratch;
  return plain && resolve_plain(meaning, scratch).type == ScalarType::string ? std::string(meaning)
                                                                             : in_double_quotes();
}

// NOLINTNEXTLINE(misc-no-recursion): each level is a text within a scalar of the one above, and shorter
auto changes_only(std::string_view before, std::span<const TextChange> changes, bool json) -> bool {
  const std::string after = changed_text(before, changes);
  const std::vector<WrittenNode> nodes = layout_of(before, json);
  std::vector<std::size_t> begins = line_begins(before);
  Places places;
  for (std::size_t i = 0; i < changes.size();) {
    // The last scalar that begins before the change.
    const auto behind = std::upper_bound(nodes.begin(), nodes.end(), changes[i].begin,
                                         [](std::size_t at, const WrittenNode& node) { return at < node.begin; });
    auto node = behind;
    while (node != nodes.begin() && (--node)->kind != NodeKind::scalar) {
    }
    if (node == nodes.end() || node->kind != NodeKind::scalar) return false;
    std::size_t next = i;
    while (next < changes.size() && changes[next].begin < std::max(node->end, node->content + 1)) ++next;
    if (next == i || changes[next - 1].end > node->end) return false;
    const std::span<const TextChange> own = changes.subspan(i, next - i);
    std::optional<Expected> expected;
    if (own.front().begin == node->content) {
      const bool rest_goes =
          std::all_of(own.begin() + 1, own.end(), [](const auto& each) { return each.text.empty(); });
      if (rest_goes) expected = read_scalar(own.front().text, json);
    } else if (node->style == NodeStyle::literal) {
      const std::optional<Inner> inner = inner_of(before, *node, own);
      if (!inner || !changes_only(inner->text, inner->changes, false)) return false;
      expected = Expected{changed_text(inner->text, inner->changes)};
    }
    if (!expected) return false;
    if (node->key) expected->type = ScalarType::string;
    const std::size_t line =
        static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), node->begin) - begins.begin());
    places[{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(node->begin - begins[line - 1] + 1)}] =
        *std::move(expected);
    i = next;
  }
  return same_events_but(before, after, json, places);
}

}  // namespace previct
