#include "report/packed_rows.h"

#include "input/compress.h"
#include "input/decompress.h"
#include "report/json_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kIndentOfItems = 2;
constexpr std::size_t kDepthOfItems = 2;
constexpr std::size_t kTogether = std::size_t{256} << 10U;  // bytes that are compressed together

auto packed(std::string_view text) -> std::string {
  std::string bytes = zstd(text);
  bytes.shrink_to_fit();
  return bytes;
}

auto unpacked(std::string_view bytes) -> std::string {
  return unzstd(bytes, SIZE_MAX, {}).value();
}

/// Breaks JSON of one line into lines, as json_text() does with an indent.
class Indenting {
 public:
  explicit Indenting(std::size_t depth) : depth_(depth) {}

  auto of(std::string_view line) -> std::string {
    std::string out;
    out.reserve(line.size() * 2);
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (in_string) {
        out += c;
        if (c == '\\') {
          out += line[++i];
        } else {
          in_string = c != '"';
        }
        continue;
      }
      in_string = c == '"';
      const bool opens = c == '{' || c == '[';
      if (opens && (line[i + 1] == '}' || line[i + 1] == ']')) {
        out += c;
        out += line[++i];
      } else if (opens) {
        out += c;
        ++depth_;
        begin_line(out);
      } else if (c == '}' || c == ']') {
        --depth_;
        begin_line(out);
        out += c;
      } else if (c == ',') {
        out += c;
        begin_line(out);
      } else if (c == ':') {
        out += ": ";
      } else {
        out += c;
      }
    }
    return out;
  }

 private:
  void begin_line(std::string& out) const {
    out += '\n';
    out.append(depth_ * kIndentOfItems, ' ');
  }

  std::size_t depth_;
};

}  // namespace

void PackedRows::add(std::string_view row) {
  open_ += row;
  open_ += '\n';
  ++count_;
  if (open_.size() >= kTogether) pack();
}

void PackedRows::pack() {
  packed_.push_back(packed(open_));
  std::string().swap(open_);
}

void PackedRows::add_member(std::size_t row, std::string_view key, const Json& value) {
  members_.emplace_back(row, fmt::format("{}:{}", json_text(Json(key), -1), json_text(value, -1)));
}

auto PackedRows::each(const std::function<bool(std::string_view row, std::size_t index)>& use) const -> bool {
  std::vector<std::pair<std::size_t, std::string_view>> members(members_.begin(), members_.end());
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  auto member = members.begin();
  std::size_t index = 0;
  const auto each_of = [&](std::string_view rows) {
    while (!rows.empty()) {
      const std::size_t end = rows.find('\n');
      std::string row(rows.substr(0, end));
      rows.remove_prefix(end + 1);
      for (; member != members.end() && member->first == index; ++member) {
        row.pop_back();
        row += row.size() > 1 ? "," : "";
        row += member->second;
        row += '}';
      }
      if (!use(row, index++)) return false;
    }
    return true;
  };
  const auto each_packed = [&](const std::string& bytes) { return each_of(unpacked(bytes)); };
  return std::all_of(packed_.begin(), packed_.end(), each_packed) && each_of(open_);
}

auto PackedRows::write_lines(const Sink& sink) const -> bool {
  return each([&](std::string_view row, std::size_t /*index*/) { return sink(std::string(row) + '\n'); });
}

auto PackedRows::write_document(const Json& document, const Sink& sink) const -> bool {
  constexpr std::string_view kEmptyList = "[]\n}";
  std::string text = json_text(document, kIndentOfItems);
  if (count_ == 0) return sink(text + '\n');
  text.resize(text.size() - kEmptyList.size());
  const std::string line = '\n' + std::string(kDepthOfItems * kIndentOfItems, ' ');
  const bool written = sink(text + '[') && each([&](std::string_view row, std::size_t index) {
                         return sink((index == 0 ? line : ',' + line) + Indenting(kDepthOfItems).of(row));
                       });
  return written && sink('\n' + std::string(kIndentOfItems, ' ') + "]\n}\n");
}

PackedText::PackedText(std::string_view text) : packed_(packed(text)) {}

auto PackedText::text() const -> std::string {
  return unpacked(packed_);
}

}  // namespace previct
