#include "report/html_picture.h"

#include "report/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct {
namespace {

constexpr std::uint32_t kRoomForLetters = Picture::kScale / 50;
constexpr std::uint32_t kDeepest = 4;     // maximum indentation of trees, to leave space for labels
constexpr std::size_t kMostFolded = 500;  // names in a folded list

auto percent(std::uint32_t position) -> std::string {
  return fmt::format("{}.{:02}%", position / 100, position % 100);
}

class Figure {
 public:
  explicit Figure(const LinkedName& linked) : linked_(linked) {}

  auto text(const Picture& picture) -> std::string {
    if (picture.rows.empty() && picture.folded.empty()) return {};
    out_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n", xml_text(picture.title));
    if (!picture.rows.empty()) legend(picture);
    for (const Picture::Row& row : picture.rows) this->row(row, picture);
    marks(picture.marks);
    if (!picture.rows.empty()) words(picture);
    folded(picture);
    out_ += "</figure>\n";
    return std::move(out_);
  }

 private:
  void legend(const Picture& picture) {
    const auto is_drawn = [&](const Picture::Meaning& each) {
      return std::any_of(picture.rows.begin(), picture.rows.end(), [&](const Picture::Row& row) {
        return std::any_of(row.parts.begin(), row.parts.end(),
                           [&](const auto& part) { return part.tone == each.tone; });
      });
    };
    if (std::none_of(picture.legend.begin(), picture.legend.end(), is_drawn)) return;
    out_ += "<ul class=\"legend\">";
    for (const Picture::Meaning& each : picture.legend) {
      if (!is_drawn(each)) continue;
      out_ += fmt::format("<li><span class=\"swatch s-{}\"></span>{}</li>", html_class(each.tone), xml_text(each.text));
    }
    out_ += "</ul>\n";
  }

  void row(const Picture::Row& row, const Picture& picture) {
    const std::uint32_t depth = std::min(row.depth, kDeepest);
    out_ += fmt::format("<div class=\"label{}\">{}</div>\n", depth == 0 ? "" : fmt::format(" d{}", depth),
                        xml_text(row.label));
    out_ += fmt::format("<svg class=\"bar\" width=\"100%\" height=\"28\" role=\"img\" aria-label=\"{}\">\n",
                        xml_text(spoken(row)));
    for (const Picture::Part& part : row.parts) this->part(part, row.label);
    for (const Picture::Mark& mark : picture.marks) {
      if (mark.at > 0 && mark.at < Picture::kScale) line(mark, "");
    }
    for (const Picture::Mark& mark : row.marks) line(mark, " class=\"own\"");
    out_ += "</svg>\n";
  }

  void part(const Picture::Part& part, const std::string& label) {
    if (part.to <= part.from) return;
    const std::string text = joined_words(part.name == label ? "" : part.name, part.size);
    out_ += fmt::format("<svg x=\"{}\" width=\"{}\" height=\"28\"><title>{}</title>", percent(part.from),
                        percent(part.to - part.from), xml_text(joined_words(part.name, part.size)));
    out_ += fmt::format("<rect class=\"f-{}\" width=\"100%\" height=\"28\"/>", html_class(part.tone));
    if (part.to - part.from >= kRoomForLetters) {
      out_ += fmt::format(
          "<foreignObject width=\"100%\" height=\"28\"><div class=\"letters\"><span>{}</span></div></foreignObject>",
          xml_text(text));
    }
    out_ += "</svg>\n";
  }

  void line(const Picture::Mark& mark, std::string_view attributes) {
    out_ += fmt::format("<line{0} x1=\"{1}\" x2=\"{1}\" y1=\"0\" y2=\"28\"><title>{2}</title></line>\n", attributes,
                        percent(mark.at), xml_text(mark.text));
  }

  // The marks at both ends share one line, other marks are below each other.
  void marks(const std::vector<Picture::Mark>& marks) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      out_ += "<svg width=\"100%\" height=\"18\">";
      mark(marks[i]);
      if (marks[i].at == 0 && i + 1 < marks.size() && marks[i + 1].at == Picture::kScale) mark(marks[++i]);
      out_ += "</svg>\n";
    }
  }

  void mark(const Picture::Mark& mark) {
    const std::string_view anchor = mark.at < Picture::kScale * 2 / 3 ? "start" : "end";
    out_ += fmt::format("<text x=\"{}\" y=\"14\" text-anchor=\"{}\">{}</text>", percent(mark.at), anchor,
                        xml_text(mark.text));
  }

  void words(const Picture& picture) {
    out_ += "<details><summary>Values as text</summary>\n<ul>\n";
    for (const Picture::Row& row : picture.rows) out_ += fmt::format("<li>{}</li>\n", xml_text(spoken(row)));
    out_ += "</ul>\n</details>\n";
  }

  void folded(const Picture& picture) {
    if (picture.folded.empty()) return;
    out_ += fmt::format("<details><summary>{}</summary>\n<ul>\n", xml_text(picture.folded_title));
    for (std::size_t i = 0; i < std::min(picture.folded.size(), kMostFolded); ++i)
      out_ += fmt::format("<li>{}</li>\n", linked_(picture.folded[i]));
    if (picture.folded.size() > kMostFolded)
      out_ += fmt::format("<li>and {} more</li>\n", picture.folded.size() - kMostFolded);
    out_ += "</ul>\n</details>\n";
  }

  static auto joined_words(std::string_view a, std::string_view b) -> std::string {
    return fmt::format("{}{}{}", a, a.empty() || b.empty() ? "" : " ", b);
  }

  static auto spoken(const Picture::Row& row) -> std::string {
    std::string text = row.label;
    std::string_view separator = ": ";
    for (const Picture::Part& part : row.parts) {
      text += separator;
      text += joined_words(part.name == row.label ? "" : part.name, part.size);
      separator = "; ";
    }
    return text;
  }

  const LinkedName& linked_;
  std::string out_;
};

}  // namespace

auto html_class(Tone tone) -> std::string_view {
  switch (tone) {
    case Tone::plain: return "plain";
    case Tone::danger: return "goes";
    case Tone::safe: return "safe";
    case Tone::soon: return "soon";
    case Tone::verdict: return "verdict";
    case Tone::dim: return "dim";
    case Tone::code: return "code";
  }
  return "plain";
}

auto picture_as_html(const Picture& picture, const LinkedName& linked) -> std::string {
  return Figure(linked).text(picture);
}

}  // namespace previct
