#include "input/yaml_source.h"

#include "base/text.h"
#include "input/position.h"
#include "input/quick_yaml.h"
#include "input/tape.h"
#include "input/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <yaml.h>

namespace previct {
namespace {

constexpr std::size_t kMaxScalar = std::size_t{16} << 20U;
constexpr std::size_t kMaxAliasedBytes = std::size_t{64} << 20U;

// The type of merge keys while they are passed on; all other keys are strings.
constexpr ScalarType kMergeKey = ScalarType::null;

auto text_of(const yaml_char_t* text) -> std::string_view {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// --- Messages of libyaml, reworded so that they say what to do.

struct Wording {
  std::string_view theirs;
  std::string_view ours;
};

constexpr std::array<Wording, 17> kWordings = {{
    {"found character that cannot start any token", "a character that cannot start a value"},
    {"found a tab character", "a tab used as indentation; YAML allows only spaces"},
    {"mapping values are not allowed", "a second `: ` on one line; expected a quoted string or a new line"},
    {"block sequence entries are not allowed", "a `- ` where none is allowed; expected a new line"},
    {"mapping keys are not allowed", "a key where none is allowed; expected a new line"},
    {"could not find expected ':'", "expected `:` after a key"},
    {"found unexpected end of stream", "a quoted string without its closing quote"},
    {"found unexpected document indicator", "a quoted string without its closing quote"},
    {"found unknown escape character", "an unknown escape in a double-quoted string"},
    {"did not find expected ',' or ']'", "expected `,` or `]` in a flow list that is not closed"},
    {"did not find expected ',' or '}'", "expected `,` or `}` in a flow mapping that is not closed"},
    {"did not find expected '-' indicator", "expected `- ` or less indentation: the line matches no level of a list"},
    {"did not find expected key", "expected a key or less indentation: the line matches no level of a mapping"},
    {"did not find expected <document start>", "expected `---` before more content"},
    {"did not find expected node content", "expected a value"},
    {"found undefined tag handle", "a tag that is not declared"},
    {"control characters are not allowed", "a control character, which YAML does not allow"},
}};

auto reworded(std::string_view theirs) -> std::string {
  for (const Wording& wording : kWordings) {
    if (theirs.substr(0, wording.theirs.size()) == wording.theirs) return std::string(wording.ours);
  }
  return fmt::format("YAML syntax: {}", theirs);
}

// --- A recorded value as events again.

/// Replays a value of a tape. With `merge`, maps with merge keys are merged: later entries of a map replace earlier
/// ones; in a list of maps, the first has precedence.
class Replay {
 public:
  Replay(const Tape& tape, std::uint32_t index, bool merge) : tape_(&tape), merge_(merge) { pending_ = index; }

  [[nodiscard]] auto done() const -> bool { return !pending_ && frames_.empty(); }
  auto next() -> Event;

 private:
  using Entries = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  struct Frame {
    std::uint32_t at = 0;  // index of the next value, or of the next merged entry
    std::uint32_t end = 0;
    Entries merged;  // key and value; empty if the map has no merge key
  };

  auto enter(std::uint32_t index) -> Event;
  [[nodiscard]] auto has_merge_key(std::uint32_t map) const -> bool;
  [[nodiscard]] auto merged_entries(std::uint32_t map) const -> Entries;
  void sources_of(std::uint32_t value, std::vector<std::uint32_t>& maps) const;

  const Tape* tape_;
  bool merge_;
  std::optional<std::uint32_t> pending_;
  std::vector<Frame> frames_;
};

auto Replay::next() -> Event {
  if (pending_) return enter(*std::exchange(pending_, std::nullopt));
  Frame& frame = frames_.back();
  if (frame.at == frame.end) {
    frames_.pop_back();
    Event end;
    end.type = EventType::end;
    return end;
  }
  if (frame.merged.empty()) {
    const std::uint32_t index = frame.at;
    frame.at = (*tape_)[index].next;
    return enter(index);
  }
  const auto [key, value] = frame.merged[frame.at++];
  pending_ = value;
  return enter(key);
}

auto Replay::enter(std::uint32_t index) -> Event {
  const Tape::Entry& entry = (*tape_)[index];
  if (entry.type != EventType::scalar) {
    if (merge_ && has_merge_key(index)) {
      Entries merged = merged_entries(index);
      const auto size = static_cast<std::uint32_t>(merged.size());
      frames_.push_back({0, size, std::move(merged)});
    } else {
      frames_.push_back({index + 1, entry.next, {}});
    }
  }
  Event event;
  event.type = entry.type;
  event.scalar = entry.scalar;
  event.text = tape_->text(entry);
  event.line = entry.line;
  event.column = entry.column;
  event.block = true;
  return event;
}

auto Replay::has_merge_key(std::uint32_t map) const -> bool {
  const Tape& tape = *tape_;
  if (tape[map].type != EventType::begin_map) return false;
  for (std::uint32_t key = map + 1; key < tape[map].next; key = tape[key + 1].next) {
    if (tape[key].scalar == kMergeKey) return true;
  }
  return false;
}

// The maps that the value of a merge key names, the one with the lowest precedence first. Empty if it names none.
void Replay::sources_of(std::uint32_t value, std::vector<std::uint32_t>& maps) const {
  const Tape& tape = *tape_;
  maps.clear();
  if (tape[value].type == EventType::begin_map) maps.push_back(value);
  if (tape[value].type != EventType::begin_list) return;
  for (std::uint32_t item = value + 1; item < tape[value].next; item = tape[item].next) maps.push_back(item);
  std::reverse(maps.begin(), maps.end());
}

auto Replay::merged_entries(std::uint32_t map) const -> Entries {
  const Tape& tape = *tape_;
  struct Span {
    std::uint32_t at;
    std::uint32_t end;
  };
  Entries all;
  std::vector<std::uint32_t> sources;
  std::vector<Span> open = {{map + 1, tape[map].next}};
  while (!open.empty()) {
    Span& span = open.back();
    if (span.at == span.end) {
      open.pop_back();
      continue;
    }
    const std::uint32_t key = span.at;
    span.at = tape[key + 1].next;
    if (tape[key].scalar != kMergeKey) {
      all.emplace_back(key, key + 1);
      continue;
    }
    sources_of(key + 1, sources);
    // The source that is pushed last is read first.
    std::for_each(sources.rbegin(), sources.rend(), [&](std::uint32_t source) {
      open.push_back({source + 1, tape[source].next});
    });
  }
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < all.size(); ++i) last[tape.text(tape[all[i].first])] = i;
  Entries kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (last[tape.text(tape[all[i].first])] == i) kept.push_back(all[i]);
  }
  return kept;
}

/// Returns true if the value at `index` is valid for a merge key.
auto names_maps(const Tape& tape, std::uint32_t index) -> bool {
  if (tape[index].type != EventType::begin_list) return tape[index].type == EventType::begin_map;
  for (std::uint32_t item = index + 1; item < tape[index].next; item = tape[item].next) {
    if (tape[item].type != EventType::begin_map) return false;
  }
  return true;
}

// --- The source.

class YamlSource final : public EventSource {
 public:
  YamlSource(std::string_view text, FileId file, ScalarText texts, bool quick);
  ~YamlSource() override;
  YamlSource(const YamlSource&) = delete;
  auto operator=(const YamlSource&) -> YamlSource& = delete;

  auto next() -> Result<Event> override;

 private:
  struct Anchor {
    std::uint32_t index = 0;  // index in recorded_
    bool complete = false;
  };
  struct Level {
    bool map = false;
    bool at_key = false;
    std::string anchor;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  /// Starts libyaml, and skips the events that were read without it.
  auto start() -> Result<void>;
  auto unmerged() -> Result<Event>;
  auto compose() -> Result<void>;
  auto parsed() -> Result<Event>;
  auto replayed() -> Result<Event>;
  auto scalar() -> Result<Event>;
  auto container(EventType type, const yaml_char_t* tag, const yaml_char_t* anchor, bool block) -> Result<Event>;
  auto alias() -> Result<void>;
  auto end() -> Event;
  auto as_node(Event event) -> Result<Event>;
  void start_anchor(std::string_view name, bool complete);
  auto advance() -> Result<void>;
  [[nodiscard]] auto syntax_failure() -> Failure;
  [[nodiscard]] auto place() -> Place { return positions_.at_character(event_.start_mark.index); }

  std::string_view text_;
  FileId file_;
  ScalarText texts_;
  Positions positions_;
  std::optional<QuickYaml> quick_;
  std::size_t quick_events_ = 0;
  bool started_ = false;  // libyaml is started
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  std::string scratch_;
  std::string recorded_text_;

  std::vector<Level> levels_;
  Tape recorded_;  // all values with an anchor in this document
  bool recording_ = false;
  std::map<std::string, Anchor, std::less<>> anchors_;
  std::optional<Replay> alias_;
  std::size_t nodes_ = 0;
  std::size_t aliased_nodes_ = 0;
  std::size_t aliased_bytes_ = 0;

  bool merges_ = false;  // the text has merge keys: documents are composed before they are returned
  Tape composed_;
  std::optional<Replay> merged_;
  bool end_of_document_ = false;
};

/// Returns true if `<<` occurs before a colon. A false positive in quoted text only costs time.
auto may_have_merge_key(std::string_view text) -> bool {
  for (std::size_t at = text.find("<<"); at != std::string_view::npos; at = text.find("<<", at + 1)) {
    const std::size_t behind = text.find_first_not_of(" \t\r\n", at + 2);
    if (behind != std::string_view::npos && text[behind] == ':') return true;
  }
  return false;
}

YamlSource::YamlSource(std::string_view text, FileId file, ScalarText texts, bool quick)
    : text_(text), file_(file), texts_(texts), positions_(text, file), merges_(may_have_merge_key(text)) {
  if (quick && !merges_) quick_.emplace(text, texts);
}

YamlSource::~YamlSource() {
  if (!started_) return;
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

auto YamlSource::start() -> Result<void> {
  if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
  started_ = true;
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text_.data()), text_.size());
  for (; quick_events_ > 0; --quick_events_) PREVICT_CHECK(unmerged());
  return {};
}

auto YamlSource::next() -> Result<Event> {
  if (quick_) {
    Event event;
    if (quick_->next(event)) {
      ++quick_events_;
      return event;
    }
    quick_.reset();
  }
  if (!started_) PREVICT_CHECK(start());
  if (!merges_) return unmerged();
  if (std::exchange(end_of_document_, false)) {
    Event event;
    event.type = EventType::end_document;
    return event;
  }
  if (!merged_) {
    PREVICT_TRY(const Event first, unmerged());
    if (first.type == EventType::end_stream) return first;
    composed_.clear();
    composed_.add(first);
    PREVICT_CHECK(compose());
    merged_.emplace(composed_, 0, true);
  }
  const Event event = merged_->next();
  if (merged_->done()) {
    merged_.reset();
    end_of_document_ = true;
  }
  return event;
}

auto YamlSource::compose() -> Result<void> {
  for (;;) {
    PREVICT_TRY(const Event event, unmerged());
    if (event.type == EventType::end_document) break;
    composed_.add(event);
  }
  for (std::uint32_t key = 0; key + 1 < composed_.size(); ++key) {
    const bool merges = composed_[key].scalar == kMergeKey && composed_.text(composed_[key]) == "<<";
    if (merges && !names_maps(composed_, key + 1)) {
      return fail("expected a mapping, or a list of mappings, to merge",
                  {file_, composed_[key].line, composed_[key].column});
    }
  }
  return {};
}

auto YamlSource::unmerged() -> Result<Event> {
  if (alias_) return replayed();
  return parsed();
}

auto YamlSource::parsed() -> Result<Event> {
  for (;;) {
    PREVICT_CHECK(advance());
    switch (event_.type) {
      case YAML_ALIAS_EVENT: PREVICT_CHECK(alias()); return replayed();
      case YAML_SCALAR_EVENT: return scalar();
      case YAML_SEQUENCE_START_EVENT: {
        const auto& list = event_.data.sequence_start;
        return container(EventType::begin_list, list.tag, list.anchor, list.style != YAML_FLOW_SEQUENCE_STYLE);
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& map = event_.data.mapping_start;
        return container(EventType::begin_map, map.tag, map.anchor, map.style != YAML_FLOW_MAPPING_STYLE);
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return end();
      case YAML_DOCUMENT_END_EVENT: {
        Event event;
        event.type = EventType::end_document;
        return event;
      }
      case YAML_STREAM_END_EVENT: {
        Event event;
        event.line = place().line;
        event.column = place().column;
        return event;
      }
      case YAML_DOCUMENT_START_EVENT:
        anchors_.clear();
        recorded_.clear();
        nodes_ = aliased_nodes_ = aliased_bytes_ = 0;
        break;
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT: break;
    }
  }
}

auto YamlSource::advance() -> Result<void> {
  yaml_event_delete(&event_);
  if (yaml_parser_parse(&parser_, &event_) != 0) return {};
  return tl::unexpected(syntax_failure());
}

auto YamlSource::syntax_failure() -> Failure {
  if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
  const std::string_view problem = parser_.problem == nullptr ? "" : parser_.problem;
  if (parser_.error == YAML_READER_ERROR) {
    // libyaml does not update its marks here; only the offset is meaningful.
    const bool control = problem.substr(0, 7) == "control";
    if (control) return {reworded(problem), positions_.at_byte(parser_.problem_offset), {}};
    return {"not valid UTF-8", positions_.at_byte(valid_utf8_size(text_)), {}};
  }
  const Place at = positions_.at_character(parser_.problem_mark.index);
  const auto offset = [&] {
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < at.line; ++line) begin = text_.find('\n', begin) + 1;
    return begin + at.column - 1;
  }();
  const bool at_end = text_.find_first_not_of(" \r\n", offset) == std::string_view::npos;
  if (!at_end && text_[offset] == '\t') return {std::string(kWordings[1].ours), at, {}};
  std::string message = reworded(problem);
  if (at_end) message += "; the file ends here, so it seems to be cut short";
  return {std::move(message), at, {}};
}

// Counts a node, checks the limits, and converts a scalar at the position of a key into a key.
auto YamlSource::as_node(Event event) -> Result<Event> {
  const Place at{file_, event.line, event.column};
  ++nodes_;
  if (alias_) {
    ++aliased_nodes_;
    aliased_bytes_ += event.text.size();
    constexpr double kLow = 400'000;
    constexpr double kHigh = 4'000'000;
    const auto count = static_cast<double>(nodes_);
    const double share = count <= kLow ? 0.99 : count >= kHigh ? 0.10 : 0.99 - 0.89 * ((count - kLow) / (kHigh - kLow));
    const bool too_many = aliased_nodes_ > 100 && nodes_ > 1000 && static_cast<double>(aliased_nodes_) / count > share;
    if (too_many || aliased_bytes_ > kMaxAliasedBytes) {
      return fail("aliases make up more of this document than Kubernetes allows", at);
    }
  }
  if (event.text.size() > kMaxScalar) return fail("a text of more than 16 MiB", at);
  Level* level = levels_.empty() ? nullptr : &levels_.back();
  if (level != nullptr && level->map) {
    if (level->at_key && event.type != EventType::scalar) {
      // Without quotes, `{{ .Values.x }}` is a mapping whose key is a mapping.
      const bool braces =
          event.type == EventType::begin_map && level->line == event.line && level->column + 1 == event.column;
      if (braces) return fail("a template: \"{{\" is not YAML", at, "render it first, for example with helm template");
      return fail("expected a string as key, found a list or a mapping", at);
    }
    if (level->at_key && event.scalar == kMergeKey && event.text != "<<") {
      return fail("expected a string as key, found null", at);
    }
    if (level->at_key && event.scalar != kMergeKey) event.scalar = ScalarType::string;
    level->at_key = !level->at_key;
  }
  if (event.type != EventType::scalar) {
    if (levels_.size() == kMaxDepth) {
      return fail(fmt::format("nested more than {} levels deep", kMaxDepth), at);
    }
    levels_.push_back({event.type == EventType::begin_map, true, {}, event.line, event.column});
  }
  return event;
}

auto YamlSource::scalar() -> Result<Event> {
  const auto& node = event_.data.scalar;
  const Place at = place();
  const std::string_view text(reinterpret_cast<const char*>(node.value), node.length);
  const std::string_view tag = text_of(node.tag);
  const bool key = !levels_.empty() && levels_.back().map && levels_.back().at_key;
  Event event;
  event.type = EventType::scalar;
  event.line = at.line;
  event.column = at.column;
  if (key && text == "<<" && (node.plain_implicit != 0 || tag == "tag:yaml.org,2002:merge")) {
    event.scalar = kMergeKey;
    event.text = text;
    if (!merges_) return fail("a merge key `<<` that is not followed by a colon", at);
  } else if (tag.empty() && node.plain_implicit == 0) {
    event.scalar = ScalarType::string;
    event.text = text;
  } else {
    auto resolved =
        tag.empty() ? Result<ResolvedScalar>(resolve_plain(text, scratch_)) : resolve_tagged(tag, text, scratch_);
    if (!resolved) return fail(resolved.error().message, at);
    event.scalar = resolved->type;
    event.text = texts_ == ScalarText::written ? text : resolved->text;
  }
  const std::string_view anchor = text_of(node.anchor);
  if (!anchor.empty()) start_anchor(anchor, true);
  PREVICT_TRY(event, as_node(event));
  if (recording_) recorded_.add(event);
  if (recording_ && recorded_.complete()) recording_ = false;
  return event;
}

auto YamlSource::container(EventType type, const yaml_char_t* tag, const yaml_char_t* anchor, bool block)
    -> Result<Event> {
  const Place at = place();
  const std::string_view wanted = type == EventType::begin_map ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq";
  const std::string_view found = text_of(tag);
  if (!found.empty() && found != wanted && found != "!") {
    return fail(fmt::format("the tag {} is not one that Kubernetes objects use", short_tag(found)), at);
  }
  Event event;
  event.type = type;
  event.line = at.line;
  event.column = at.column;
  event.block = block;
  const std::string_view name = text_of(anchor);
  if (!name.empty()) start_anchor(name, false);
  PREVICT_TRY(event, as_node(event));
  levels_.back().anchor = name;
  if (recording_) recorded_.add(event);
  return event;
}

void YamlSource::start_anchor(std::string_view name, bool complete) {
  anchors_.insert_or_assign(std::string(name), Anchor{recorded_.size(), complete});
  recording_ = true;
}

auto YamlSource::end() -> Event {
  const Place at = place();
  Event event;
  event.type = EventType::end;
  event.line = at.line;
  event.column = at.column;
  if (const auto anchor = anchors_.find(levels_.back().anchor); anchor != anchors_.end()) {
    anchor->second.complete = true;
  }
  levels_.pop_back();
  if (recording_) recorded_.add(event);
  if (recording_ && recorded_.complete()) recording_ = false;
  return event;
}

auto YamlSource::alias() -> Result<void> {
  const std::string_view name = text_of(event_.data.alias.anchor);
  const auto anchor = anchors_.find(name);
  if (anchor == anchors_.end())
    return fail("the alias names an anchor that was not found", place(), "a string that begins with * needs quotes");
  if (!anchor->second.complete) return fail("the alias is inside its own anchor", place());
  ++nodes_;
  alias_.emplace(recorded_, anchor->second.index, false);
  return {};
}

auto YamlSource::replayed() -> Result<Event> {
  Event event = alias_->next();
  if (event.type == EventType::end) {
    levels_.pop_back();
  } else {
    // Copy the text: recording the event again may move its storage.
    recorded_text_ = event.text;
    event.text = recorded_text_;
    PREVICT_TRY(event, as_node(event));
  }
  if (recording_) recorded_.add(event);
  if (alias_->done()) alias_.reset();
  if (recording_ && recorded_.complete()) recording_ = false;
  return event;
}

}  // namespace

auto yaml_source(std::string_view text, FileId file, ScalarText texts) -> std::unique_ptr<EventSource> {
  return std::make_unique<YamlSource>(text, file, texts, true);
}

auto libyaml_source(std::string_view text, FileId file, ScalarText texts) -> std::unique_ptr<EventSource> {
  return std::make_unique<YamlSource>(text, file, texts, false);
}

}  // namespace previct
