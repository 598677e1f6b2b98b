#include "input/documents.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace previct {
namespace {

constexpr std::string_view kFetchAgain = "save the dump again: kubectl get … -A -o yaml";

auto is_string(const Tape& tape, std::uint32_t index) -> bool {
  return index < tape.size() && tape[index].type == EventType::scalar && tape[index].scalar == ScalarType::string;
}

auto is_null(const Event& event) -> bool {
  return event.type == EventType::scalar && event.scalar == ScalarType::null;
}

/// Returns true if the object was stored by an API server, which stamps everything that it stores.
auto is_stored(const Tape& tape, std::uint32_t object) -> bool {
  const std::uint32_t metadata = tape.find(object, "metadata");
  return is_string(tape, tape.find(metadata, "creationTimestamp")) ||
         is_string(tape, tape.find(metadata, "resourceVersion"));
}

/// Reads the documents of a source in order.
class DocumentReader {
 public:
  DocumentReader(EventSource& source, FileId file, ObjectSink& sink) : source_(source), file_(file), sink_(sink) {}

  auto read() -> Result<std::size_t>;

 private:
  auto document(const Event& first) -> Result<void>;
  auto array() -> Result<void>;
  auto mapping(const Event& first) -> Result<void>;
  auto rest_of_value() -> Result<void>;
  auto items() -> Result<void>;
  auto finish_list(const Event& end) -> Result<void>;
  auto finish_object() -> Result<void>;
  auto emit(const FoundObject& found) -> Result<void>;
  [[nodiscard]] auto cut_short(std::string_view what, const Event& end) const -> tl::unexpected<Failure>;
  [[nodiscard]] auto begun_at(Failure failure, std::uint32_t line) const -> Failure;
  [[nodiscard]] auto place(const Event& event) const -> Place { return {file_, event.line, event.column}; }

  EventSource& source_;
  FileId file_;
  ObjectSink& sink_;
  std::size_t count_ = 0;
  std::size_t documents_ = 0;

  // The current document.
  Tape head_;  // everything except the items of a list
  Tape item_;
  EnclosingList of_;           // its apiVersion and kind, as far as they are read
  std::vector<Tape> waiting_;  // items whose kind is known only after the list's kind
  bool list_ = false;
  bool items_last_ = false;  // no key follows the items
  bool block_ = false;
  bool kind_came_first_ = false;
  bool stored_ = false;
  std::size_t item_count_ = 0;
};

auto DocumentReader::read() -> Result<std::size_t> {
  for (;;) {
    PREVICT_TRY(const Event event, source_.next());
    if (event.type == EventType::end_stream) return count_;
    if (event.type == EventType::end_document) continue;
    const std::uint32_t line = event.line;
    if (auto done = document(event); !done) return tl::unexpected(begun_at(std::move(done.error()), line));
    ++documents_;
  }
}

// A truncated line of JSON lines is detected only in the next line. The same holds for the first one, which nothing
// precedes.
auto DocumentReader::begun_at(Failure failure, std::uint32_t line) const -> Failure {
  if (failure.place.line > line && (documents_ > 0 || failure.place.line == line + 1)) {
    failure.message += fmt::format("; the object begins on line {}", line);
  }
  return failure;
}

auto DocumentReader::document(const Event& first) -> Result<void> {
  if (first.type == EventType::begin_map) return mapping(first);
  if (first.type == EventType::begin_list) return array();
  if (first.scalar == ScalarType::null) return {};
  return fail("expected a Kubernetes object (a mapping with a kind), found a single value", place(first),
              "previct reads what kubectl get prints with -o yaml or -o json");
}

auto DocumentReader::array() -> Result<void> {
  for (;;) {
    PREVICT_TRY(const Event event, source_.next());
    if (event.type == EventType::end) break;
    item_.clear();
    PREVICT_CHECK(record(source_, event, item_));
    PREVICT_CHECK(emit({.tape = item_, .element = true}));
  }
  sink_.take_list({});
  return {};
}

auto DocumentReader::mapping(const Event& first) -> Result<void> {
  head_.clear();
  waiting_.clear();
  of_ = {};
  list_ = items_last_ = kind_came_first_ = stored_ = false;
  block_ = first.block;
  item_count_ = 0;
  head_.add(first);
  for (;;) {
    PREVICT_TRY(const Event key, source_.next());
    if (key.type == EventType::end) {
      head_.add(key);
      return list_ ? finish_list(key) : finish_object();
    }
    const bool is_items = key.text == "items" && (of_.kind.empty() || is_list_kind(of_.kind));
    items_last_ = is_items;
    const Place at = place(key);
    if (key.text == "Warning" && block_) {
      return fail("a kubectl warning within the dump", at, "redirect errors elsewhere: remove 2>&1");
    }
    std::string* const name = key.text == "kind" ? &of_.kind : key.text == "apiVersion" ? &of_.api_version : nullptr;
    head_.add(key);
    PREVICT_TRY(const Event value, source_.next());
    if (is_items && (value.type == EventType::begin_list || is_null(value))) {
      if (list_) return fail("\"items\" occurs twice: two concatenated dumps without `---`", at);
      Event unread;
      unread.type = EventType::scalar;
      head_.add(unread);
      list_ = true;
      kind_came_first_ = !of_.kind.empty();
      if (!is_null(value)) PREVICT_CHECK(items());
      continue;
    }
    if (name != nullptr) *name = value.type == EventType::scalar ? value.text : std::string_view();
    head_.add(value);
    if (value.type != EventType::scalar) PREVICT_CHECK(rest_of_value());
  }
}

// Unlike record(), because the tape is complete only after the whole mapping.
auto DocumentReader::rest_of_value() -> Result<void> {
  for (std::size_t depth = 1; depth > 0;) {
    PREVICT_TRY(const Event event, source_.next());
    if (event.type == EventType::end) {
      --depth;
    } else if (event.type != EventType::scalar) {
      ++depth;
    }
    head_.add(event);
  }
  return {};
}

auto DocumentReader::items() -> Result<void> {
  for (;;) {
    PREVICT_TRY(const Event event, source_.next());
    if (event.type == EventType::end) return {};
    ++item_count_;
    item_.clear();
    PREVICT_CHECK(record(source_, event, item_));
    stored_ = stored_ || is_stored(item_, 0);
    const bool has_kind = is_string(item_, item_.find(0, "kind"));
    if (has_kind || kind_came_first_) {
      PREVICT_CHECK(emit({.tape = item_, .list = &of_, .element = true}));
    } else {
      waiting_.push_back(std::exchange(item_, Tape()));
    }
  }
}

auto DocumentReader::cut_short(std::string_view what, const Event& end) const -> tl::unexpected<Failure> {
  return fail(fmt::format("cut short: the List lacks its trailer {}", what), place(end), std::string(kFetchAgain));
}

auto DocumentReader::finish_list(const Event& end) -> Result<void> {
  // kubectl's lists begin with their apiVersion; kind and metadata follow the items.
  const bool like_kubectl = block_ && !kind_came_first_ && !of_.api_version.empty();
  const std::uint32_t metadata = head_.find(0, "metadata");
  if (!is_list_kind(of_.kind)) {
    const bool cut = like_kubectl && (of_.kind.empty() ? items_last_ : metadata == head_.size());
    if (cut) return cut_short("`kind: List`", end);
    if (!of_.kind.empty()) return emit({.tape = head_});
  }
  if (!head_.string(head_.find(metadata, "continue")).empty()) {
    return fail("the list is not complete: metadata.continue shows that more items follow", place(end),
                "fetch it in one piece: kubectl get … --chunk-size=0, or without ?limit= in the URL");
  }
  // kubectl sorts keys, so metadata.resourceVersion is the last line of a list. Lists that were written by hand may
  // omit it, but their items were never stored by an API server. Other tools end a list with `metadata: {}`, which
  // cannot result from a cut, or with its kind: then the items are complete, whatever wrote them.
  const bool begun = metadata < head_.size();
  const bool ended = begun && head_[metadata].type == EventType::begin_map && head_[metadata].next == metadata + 1;
  const bool by_kubectl = like_kubectl && begun && !ended && !of_.kind.empty() && (stored_ || item_count_ == 0);
  if (by_kubectl && !is_string(head_, head_.find(metadata, "resourceVersion"))) {
    return cut_short("`metadata: {resourceVersion: …}`", end);
  }
  for (const Tape& item : waiting_) PREVICT_CHECK(emit({.tape = item, .list = &of_, .element = true}));
  sink_.take_list(of_);
  return {};
}

auto DocumentReader::finish_object() -> Result<void> {
  const std::uint32_t items = head_.find(0, "items");
  const bool list = of_.kind.empty() || is_list_kind(of_.kind);
  if (list && items < head_.size()) {
    const bool map = head_[items].type == EventType::begin_map;
    return fail(fmt::format("expected a list of objects as `items`, found {}", map ? "a mapping" : "a single value"),
                {file_, head_[items].line, head_[items].column});
  }
  const std::string_view type = head_.string(head_.find(0, "type"));
  const std::uint32_t object = head_.find(0, "object");
  const bool watched = object < head_.size() && head_[object].type == EventType::begin_map && !type.empty() &&
                       head_.find(0, "kind") == head_.size();
  if (!watched) return emit({.tape = head_});
  if (type == "BOOKMARK") return {};
  return emit({.tape = head_,
               .index = object,
               .change = type == "DELETED" ? FoundObject::Change::deleted : FoundObject::Change::applied});
}

/// The list of items at `index`, or the array itself; size() if it is neither.
auto elements_of(const Tape& tape, std::uint32_t index) -> std::uint32_t {
  if (tape[index].type == EventType::begin_list) return index;
  const std::uint32_t items = tape.find(index, "items");
  if (items == tape.size() || tape[items].type != EventType::begin_list) return tape.size();
  const std::uint32_t kind = tape.find(index, "kind");
  return kind == tape.size() || is_list_kind(tape.string(kind)) ? items : tape.size();
}

// Splits nested lists; their depth is bounded by that of the input.
auto DocumentReader::emit(const FoundObject& found) -> Result<void> {
  const Tape& tape = found.tape;
  const std::uint32_t elements = elements_of(tape, found.index);
  if (elements == tape.size()) {
    ++count_;
    return sink_.take(found);
  }
  struct Open {
    EnclosingList list;
    bool array;
    std::uint32_t at;
    std::uint32_t end;
  };
  std::vector<Open> open;
  const auto enter = [&](std::uint32_t at, std::uint32_t first) {
    open.push_back(
        {{std::string(tape.string(tape.find(at, "apiVersion"))), std::string(tape.string(tape.find(at, "kind")))},
         at == first,
         first + 1,
         tape[first].next});
  };
  enter(found.index, elements);
  while (!open.empty()) {
    Open& top = open.back();
    if (top.at == top.end) {
      sink_.take_list(top.list);
      open.pop_back();
      continue;
    }
    const std::uint32_t at = top.at;
    top.at = tape[at].next;
    if (const std::uint32_t inner = elements_of(tape, at); inner < tape.size()) {
      enter(at, inner);
      continue;
    }
    ++count_;
    PREVICT_CHECK(sink_.take({tape, at, top.array ? nullptr : &top.list, found.change, true}));
  }
  return {};
}

}  // namespace

auto read_documents(EventSource& source, FileId file, ObjectSink& sink) -> Result<std::size_t> {
  return DocumentReader(source, file, sink).read();
}

auto looks_like_json(std::string_view text) -> bool {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", begin + 1);
  if (next == std::string_view::npos) return true;
  return (text[begin] == '{' ? std::string_view("\"}") : std::string_view("{[]\"-0123456789")).find(text[next]) !=
         std::string_view::npos;
}

}  // namespace previct
