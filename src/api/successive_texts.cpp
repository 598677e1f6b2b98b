#include "api/successive_texts.h"

#include "api/kinds.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace previct {
namespace {

constexpr std::string_view kBegin = R"({"apiVersion":")";

/// The type of the object on a line as captures write it: `{"apiVersion":"v1","kind":"Pod",…}`.
struct LineType {
  std::string_view text;  ///< up to the end of the kind
  std::string_view api_version;
  std::string_view kind;
};

// None unless the line is a whole JSON object that begins with its type. If all lines of a valid text are such, each
// is an object of its own, because JSON has no line feed in a string, and a comma between values.
auto type_of_line(std::string_view line) -> std::optional<LineType> {
  constexpr std::string_view kKind = R"(","kind":")";
  if (!line.starts_with(kBegin) || !line.ends_with('}')) return {};
  const std::size_t version_end = line.find('"', kBegin.size());
  if (version_end == std::string_view::npos || line.substr(version_end, kKind.size()) != kKind) return {};
  const std::size_t kind = version_end + kKind.size();
  const std::size_t kind_end = line.find('"', kind);
  if (kind_end == std::string_view::npos) return {};
  const LineType type{line.substr(0, kind_end), line.substr(kBegin.size(), version_end - kBegin.size()),
                      line.substr(kind, kind_end - kind)};
  return type.text.find('\\') == std::string_view::npos ? std::optional(type) : std::nullopt;
}

// Returns true for the first line of a capture, which has its time. It may be a document of YAML.
auto describes_capture(std::string_view line) -> bool {
  constexpr std::string_view kDocument = "--- ";
  const auto type = type_of_line(line.substr(line.starts_with(kDocument) ? kDocument.size() : 0));
  return type && type->kind == "Capture" && type->api_version.starts_with("previct/");
}

auto begins_with_line(std::string_view text, std::string_view line) -> bool {
  return text.starts_with(line) && (text.size() == line.size() || text[line.size()] == '\n');
}

/// Finds the lines of a text again. The beginning of a line, with the name and the UID of its object, stands for it.
class LinesByBeginning {
 public:
  auto find(std::string_view line, const std::vector<std::string_view>& lines) -> std::size_t {
    if (by_beginning_.empty()) {
      for (std::size_t i = 0; i < lines.size(); ++i) by_beginning_.emplace(beginning(lines[i]), i);
    }
    const auto found = by_beginning_.find(beginning(line));
    return found != by_beginning_.end() && lines[found->second] == line ? found->second : lines.size();
  }

 private:
  static auto beginning(std::string_view line) -> std::string_view { return line.substr(0, 256); }

  std::unordered_map<std::string_view, std::size_t> by_beginning_;
};

// Returns false for kinds of which objects may be stored without their content.
template <class T>
constexpr auto is_stored_whole() -> bool {
  return !requires {
    T::wanted(std::string_view());
  };
}

/// Joins the objects that are kept of one kind with those that were read, in the order of the lines.
class Weaving {
 public:
  /// `line_now`: for each line of the text before, the line of its object; 0: it is not kept.
  Weaving(const std::vector<std::uint32_t>& line_now, FileId file, Objects& result)
      : line_now_(line_now), file_(file), result_(result) {}

  template <class T>
  void add(std::vector<T>& before, std::vector<T>& changed) {
    std::vector<T> all;
    all.reserve(before.size() + changed.size());
    auto next = changed.begin();
    for (T& each : before) {
      const std::uint32_t line = line_now_[each.meta.source.line - 1];
      if (line == 0) continue;
      for (; next != changed.end() && next->meta.source.line < line; ++next) all.push_back(std::move(*next));
      each.meta.source = {file_, line, 1};
      note_times(result_, each);
      all.push_back(std::move(each));
    }
    all.insert(all.end(), std::move_iterator(next), std::move_iterator(changed.end()));
    changed = std::move(all);
  }

 private:
  const std::vector<std::uint32_t>& line_now_;
  FileId file_;
  Objects& result_;
};

}  // namespace

auto SuccessiveTexts::next(const std::string& name, std::string_view text) -> Result<void> {
  split(text);
  gone_pods_.clear();
  if (can_keep() && read_changes(name)) return {};
  auto read = read_whole(name);
  if (!read) {
    read_.reset();
    lines_.clear();
    can_be_kept_.clear();
  }
  return read;
}

// Finds the lines of the text, and which of them are in the text before, in the same order.
void SuccessiveTexts::split(std::string_view text) {
  const std::vector<std::string_view> before = std::exchange(lines_, {});
  std::vector<bool> can_be_kept = std::exchange(can_be_kept_, {});
  can_be_kept.resize(before.size());
  text_ = text;
  same_before_.clear();
  lines_before_ = before.size();
  lines_.reserve(before.size());
  LinesByBeginning others;
  std::size_t next = 1;  // in the text before; both first lines describe a capture
  std::size_t equal = 0;
  for (std::size_t at = 0; at < text.size(); at += lines_.back().size() + 1) {
    const bool first = lines_.empty();
    const bool in_lines = text.starts_with(kBegin);
    const std::string_view rest = text.substr(at);
    std::size_t same = before.size();
    std::string_view line;
    if (!first && next < before.size() && begins_with_line(rest, before[next])) {
      same = next;
      line = rest.substr(0, before[next].size());
    } else {
      line = first || in_lines ? rest.substr(0, rest.find('\n')) : rest;
      if (!first && in_lines && !before.empty()) same = others.find(line, before);
    }
    const bool found = same >= next && same < before.size();
    lines_.push_back(line);
    same_before_.push_back(found && can_be_kept[same] ? static_cast<std::uint32_t>(same + 1) : 0);
    if (!found) continue;
    ++equal;
    next = same + 1;
  }
  like_before_ = !before.empty() && lines_.size() == before.size() && equal + 1 == lines_.size() &&
                 (lines_[0] == before[0] || (describes_capture(lines_[0]) && describes_capture(before[0])));
}

// Few changes are worth it. The texts of objects that are gone stay among the symbols until a text is read as a whole.
auto SuccessiveTexts::can_keep() const -> bool {
  constexpr std::size_t kFewSymbols = 100'000;
  if (!read_ || tables_->symbols.size() > 2 * symbols_of_whole_ + kFewSymbols) return false;
  const auto kept =
      std::count_if(same_before_.begin(), same_before_.end(), [](std::uint32_t line) { return line != 0; });
  return 2 * static_cast<std::size_t>(kept) > lines_.size() &&
         std::all_of(lines_.begin(), lines_.end(),
                     [](std::string_view line) { return type_of_line(line).has_value(); });
}

auto SuccessiveTexts::read_whole(const std::string& name) -> Result<void> {
  tables_ = std::make_shared<InputTables>();
  read_ = std::make_unique<Objects>(tables_);
  besides_ = {};
  changes_.clear();
  PREVICT_CHECK(read_text(name, text_, options_, *read_, besides_));
  symbols_of_whole_ = tables_->symbols.size();
  note_kept_lines();
  return {};
}

// Returns false if that is not possible: then the text must be read as a whole.
auto SuccessiveTexts::read_changes(const std::string& name) -> bool {
  changes_.clear();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (same_before_[i] == 0) changes_ += lines_[i];
    changes_ += '\n';
  }
  auto tables = std::make_shared<InputTables>();
  tables->symbols = std::move(tables_->symbols);
  auto changed = std::make_unique<Objects>(tables);
  FoundBesides besides;
  if (!read_text(name, changes_, options_, *changed, besides)) return false;
  tables_ = std::move(tables);
  besides_ = std::move(besides);
  keep_unchanged(*changed);
  read_ = std::move(changed);
  note_kept_lines();
  return true;
}

void SuccessiveTexts::keep_unchanged(Objects& changed) {
  std::vector<std::uint32_t> line_now(lines_before_);
  std::string_view type;
  std::size_t* count = nullptr;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (same_before_[i] == 0) continue;
    line_now[same_before_[i] - 1] = static_cast<std::uint32_t>(i + 1);
    // Most lines have the type of the one before.
    if (type.empty() || !lines_[i].starts_with(type) || lines_[i][type.size()] != '"') {
      const LineType found = *type_of_line(lines_[i]);
      type = found.text;
      count = &changed.counts[kind_name(found.api_version, found.kind)];
    }
    ++*count;
    ++changed.read.fast;
  }
  note_gone_pods(line_now, changed);
  Weaving weaving(line_now, changed.inputs.back().file, changed);
#define PREVICT_KIND(type, store, ...) weaving.add(items_of(read_->store), items_of(changed.store));
#include "api/kinds.def"
  changed.inputs.back().unpacked = text_.size();
}

void SuccessiveTexts::note_gone_pods(const std::vector<std::uint32_t>& line_now, const Objects& changed) {
  std::vector<bool> is_uid_now(tables_->symbols.size());
  for (const Pod& pod : changed.pods) {
    if (pod.meta.uid) is_uid_now[pod.meta.uid.index] = true;
  }
  for (const Pod& pod : read_->pods) {
    if (line_now[pod.meta.source.line - 1] == 0 && pod.meta.uid && !is_uid_now[pod.meta.uid.index])
      gone_pods_.push_back(pod);
  }
}

void SuccessiveTexts::note_kept_lines() {
  can_be_kept_.assign(lines_.size(), false);
  // A message is about a line, and would be missing with it.
  if (!tables_->diagnostics.empty()) return;
  std::vector<std::uint8_t> objects(lines_.size());
  constexpr std::uint8_t kMany = 2;
  std::as_const(*read_).each_store([&]<class T>(std::string_view, const std::vector<T>& store) {
    for (const T& each : store) {
      const Source& source = each.meta.source;
      if (source.line == 0 || source.line > objects.size()) continue;
      std::uint8_t& count = objects[source.line - 1];
      count = count == 0 && source.column == 1 && is_stored_whole<T>() ? std::uint8_t{1} : kMany;
    }
  });
  for (std::size_t i = 0; i < objects.size(); ++i) can_be_kept_[i] = objects[i] == 1;
}

auto SuccessiveTexts::objects(Objects& objects) const -> Result<Configurations> {
  static_cast<Stores&>(objects) = *read_;
  objects.read = read_->read;
  objects.inputs = read_->inputs;
  PREVICT_CHECK(complete_objects(options_, besides_.watched, objects));
  return configurations_in(changes_.empty() ? text_ : std::string_view(changes_), besides_);
}

}  // namespace previct
