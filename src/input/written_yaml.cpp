#include "input/written_yaml.h"

#include "base/text.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace previct {
namespace {

constexpr std::size_t kMostAliasedBytes = std::size_t{64} << 20U;

/// The number of bytes before the first that YAML does not allow.
auto valid_size(std::string_view text) -> std::size_t {
  const std::string_view utf8 = text.substr(0, valid_utf8_size(text));
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  };
  return static_cast<std::size_t>(std::find_if(utf8.begin(), utf8.end(), is_control) - utf8.begin());
}

auto place_of(std::string_view text, std::size_t offset, FileId file) -> Place {
  const std::string_view before = text.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  return {file, line + 1, static_cast<std::uint32_t>(offset - (before.rfind('\n') + 1)) + 1};  // npos + 1 is 0
}

/// Records the first document; stops at the first error.
class TapeRecorder final : public YAML::EventHandler {
 public:
  TapeRecorder(std::string_view text, FileId file) : text_(text), file_(file) {}

  [[nodiscard]] auto failure() const -> const std::optional<Failure>& { return failure_; }
  auto take() -> Tape { return std::move(tape_); }
  [[nodiscard]] auto place(const YAML::Mark& mark) const -> Place {
    return {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }
  /// The place of the last scalar.
  [[nodiscard]] auto last_scalar() const -> Place { return last_scalar_; }
  /// The place of the innermost list or mapping that has not ended.
  [[nodiscard]] auto innermost() const -> Place { return open_.empty() ? Place{file_, 1, 1} : open_.back().place; }

  /// Before a token that begins no value, such as a comma, yaml-cpp gives empty documents without end.
  [[nodiscard]] auto is_stuck() const -> bool { return stuck_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    stuck_ = documents_ > 0 && mark.pos == document_pos_;
    if (stuck_) refuse(place(mark), "not valid YAML: expected a key or a value");
    document_pos_ = mark.pos;
    ++documents_;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // A document without content is none.
    if (open_.empty()) return;
    add(is_written(mark) ? place(mark) : missing_value(mark), anchor, EventType::scalar, ScalarType::null, {});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    last_scalar_ = place(mark);
    add(last_scalar_, anchor, EventType::scalar, ScalarType::string, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    add(place(mark), anchor, EventType::begin_list, ScalarType::null, {});
    open_.push_back({EventType::begin_list, anchor, place(mark)});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    add(place(mark), anchor, EventType::begin_map, ScalarType::null, {});
    open_.push_back({EventType::begin_map, anchor, place(mark)});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Place at = place(mark);
    if (failure_) return;
    if (std::any_of(open_.begin(), open_.end(), [&](const Open& each) { return each.anchor == anchor; }))
      return refuse(at, "an alias stands inside the value that it refers to");
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) return;
    const std::uint32_t index = known->second;
    if (!expects(at, tape_[index].type, tape_[index].scalar)) return;
    const Tape::Entry& last = tape_[tape_[index].next - 1];
    aliased_ += tape_[index].next - index;
    aliased_bytes_ += last.text + last.size - tape_[index].text;
    if (aliased_ > kMostAliased || aliased_bytes_ > kMostAliasedBytes)
      return refuse(at, "aliases stand for more values than a file of this format may have");
    Tape copy;
    copy.add(tape_, index);
    tape_.add(copy, 0);
  }

 private:
  struct Open {
    EventType type;
    YAML::anchor_t anchor;
    Place place;
    bool value_next = false;  // in a mapping: a key was read
  };

  /// Returns true if there is a `~` or `null`; otherwise the value is missing, and the mark is that of the next token.
  [[nodiscard]] auto is_written(const YAML::Mark& mark) const -> bool {
    const std::string_view rest = text_.substr(std::min(static_cast<std::size_t>(mark.pos), text_.size()));
    return rest.starts_with('~') || rest.starts_with("null") || rest.starts_with("Null") || rest.starts_with("NULL");
  }
  /// The place of the key, or of the dash, before a missing value.
  [[nodiscard]] auto missing_value(const YAML::Mark& mark) const -> Place {
    if (open_.back().value_next) return last_scalar_;
    const std::size_t dash = text_.substr(0, static_cast<std::size_t>(mark.pos)).rfind('-');
    return dash == std::string_view::npos ? place(mark) : place_of(text_, dash, file_);
  }

  void refuse(Place at, std::string message, std::string help = {}) {
    if (!failure_) failure_ = Failure{std::move(message), at, std::move(help)};
  }

  /// Returns true if such a value may come next, and steps from a key to its value or back.
  auto expects(Place at, EventType type, ScalarType scalar) -> bool {
    if (failure_) return false;
    if (documents_ > 1) {
      refuse(at, "a second document, where one is expected", "remove it, or move it to a file of its own");
      return false;
    }
    if (open_.empty() || open_.back().type != EventType::begin_map) return true;
    bool& value_next = open_.back().value_next;
    if (!value_next && (type != EventType::scalar || scalar != ScalarType::string)) {
      refuse(at, "a key must be a text");
      return false;
    }
    value_next = !value_next;
    return true;
  }

  void add(Place at, YAML::anchor_t anchor, EventType type, ScalarType scalar, std::string_view text) {
    if (!expects(at, type, scalar)) return;
    if (anchor != 0) anchors_[anchor] = tape_.size();
    tape_.add(Event{type, scalar, text, at.line, at.column});
  }

  void close() {
    open_.pop_back();
    if (!failure_) tape_.add(Event{EventType::end, {}, {}});
  }

  std::string_view text_;
  FileId file_;
  Tape tape_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::uint32_t> anchors_;  // indexes on the tape
  std::size_t documents_ = 0;
  int document_pos_ = 0;  // where the last one begins
  bool stuck_ = false;
  std::size_t aliased_ = 0;
  std::size_t aliased_bytes_ = 0;
  Place last_scalar_{file_, 1, 1};
  std::optional<Failure> failure_;
};

}  // namespace

auto record_written_yaml(std::string_view text, FileId file) -> Result<Tape> {
  if (const std::size_t valid = valid_size(text); valid < text.size()) {
    const bool utf8 = valid < valid_utf8_size(text);
    return fail(utf8 ? "a control character, which YAML does not allow" : "not valid UTF-8",
                place_of(text, valid, file));
  }
  const bool ends_line = text.ends_with('\n');
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + (ends_line ? 0U : 1U);
  // yaml-cpp accepts a quoted scalar that the end of the file cuts off, but not one that the end of a document cuts
  // off.
  const std::string ended = fmt::format("{}{}...\n", text, ends_line ? "" : "\n");
  std::istringstream stream(ended);
  TapeRecorder recorder(ended, file);
  try {
    YAML::Parser parser(stream);
    while (!recorder.is_stuck() && parser.HandleNextDocument(recorder)) {
    }
  } catch (const YAML::DeepRecursion& error) {
    return fail("nested too deeply", recorder.place(error.mark));
  } catch (const YAML::Exception& error) {
    // Where the end of the file cuts a list or mapping off, yaml-cpp first gives the missing values as null.
    if (recorder.failure() && recorder.failure()->place.line <= lines) return tl::unexpected(*recorder.failure());
    const Place place = recorder.place(error.mark);
    if (place.line <= lines) return fail("not valid YAML: " + error.msg, place);
    if (error.msg == YAML::ErrorMsg::DOC_IN_SCALAR)
      return fail("not valid YAML: a quoted text after this place has no end", recorder.last_scalar());
    return fail("not valid YAML: " + error.msg, recorder.innermost());
  }
  if (recorder.failure()) return tl::unexpected(*recorder.failure());
  Tape tape = recorder.take();
  if (tape.size() == 0) {
    tape.add(Event{EventType::begin_map, {}, {}, 1, 1});
    tape.add(Event{EventType::end, {}, {}});
  }
  return tape;
}

}  // namespace previct
