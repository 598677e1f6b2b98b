#include "cli/app.h"

#include "analysis/subject.h"
#include "base/base64.h"
#include "base/text.h"
#include "cli/capture.h"
#include "cli/flag_echo.h"
#include "cli/kinds_as_none.h"
#include "cli/question.h"
#include "input/bytes.h"
#include "input/compress.h"
#include "system/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace previct::cli {
namespace {

// page/index.html has this element for the state, and page/src/main.js reads it.
constexpr std::string_view kSlot = R"(<script type="application/json" id="data"></script>)";
constexpr std::string_view kVariable = "PREVICT_PAGE";
constexpr std::string_view kStateFile = "state.jsonl.zst";

auto is_app(const Output& output) -> bool {
  return output.format == &app_format();
}

// The file of a release, beside an installed program; the file of `make page`, beside a built one.
auto page_file() -> std::string {
  if (const char* const named = std::getenv(kVariable.data())) return named;
  const std::filesystem::path folder = std::filesystem::path(system::program_file()).parent_path();
  std::error_code failed;
  for (const char* const place : {"../share/previct/previct.html", "../page/previct.html"}) {
    const std::filesystem::path file = folder / place;
    if (!folder.empty() && std::filesystem::is_regular_file(file, failed))
      return file.lexically_normal().generic_string();
  }
  return {};
}

auto read_page() -> Result<std::string> {
  const std::string file = page_file();
  if (file.empty()) {
    return fail("this installation has no page for -o app", {},
                fmt::format("download previct-VERSION.html of the release, and set {} to its path", kVariable));
  }
  const std::string help = fmt::format("{} is the path of previct-VERSION.html of a release", kVariable);
  Result<std::string> page = read_text_file(file, {}, 0);
  if (!page) return fail(fmt::format("{}: {}", file, page.error().message), {}, help);
  if (page->find(kSlot) != std::string::npos) return page;
  return fail(fmt::format("{}: not the page of previct, or one that has a state already", file), {}, help);
}

auto subject_of(const Options& options) -> std::string {
  if (options.arguments.empty()) return {};
  const auto subject = read_subject(options.arguments.front(), options.ns.empty() ? "default" : options.ns);
  if (!subject) return {};
  return fmt::format("{}{}/{}", subject->kind == "pod" ? "" : subject->kind + "/", subject->ns, subject->name);
}

// How the scheduler is asked. Files are in the state.
auto flags_of(const Options& options) -> Json {
  Json out = Json::object();
  for (const Flag& flag : flags()) {
    const bool file = flag.value == "FILE" || (flag.name == "assume" && !names_kinds(options.assume));
    if (flag.group != Group::scheduler || file) continue;
    const std::vector<std::string> words = words_again(options, flag);
    if (words.size() == 2) out[words.front()] = words.back();
  }
  return out;
}

auto now_of(const Session& session) -> std::string {
  const std::string& now = session.options.now;
  return now == "dump" ? "" : now == "clock" ? format_instant(session.clock) : now;
}

// JSON in which an HTML parser finds neither an end of the script nor a comment.
auto for_script(const Json& data) -> std::string {
  std::string text = data.dump(-1, ' ', true);
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

}  // namespace

auto app_format() -> const Format& {
  static constexpr Format kApp{.name = "app",
                               .ending = "html",
                               .what = "a page for a browser, with the program and the input inside (-o app=FILE)",
                               .render = nullptr};
  return kApp;
}

auto page_for(const std::vector<Output>& outputs, const Options& options) -> Result<std::string> {
  const auto app = std::find_if(outputs.begin(), outputs.end(), is_app);
  if (app == outputs.end()) return std::string();
  if (options.command != "explain") return fail(fmt::format("-o app works with explain, not with {}", options.command));
  if (options.watch) return fail("-o app and --watch cannot be combined");
  if (app->file.empty()) return fail("-o app needs a file", {}, "-o app=page.html");
  return read_page();
}

auto add_app(const std::string& page, const Session& session, std::vector<Output>& outputs) -> Result<void> {
  if (page.empty()) return {};
  if (session.loaded.empty()) return fail("-o app needs the state of a cluster");
  const Loaded& loaded = *session.loaded.back();
  PREVICT_TRY(const CapturedState state, captured(loaded, loaded.in_force(), session.clock));
  const Json file{{"name", kStateFile}, {"base64", encode_base64(zstd(state.text))}};
  const Json data{{"files", Json::array({file})},
                  {"subject", subject_of(session.options)},
                  {"flags", flags_of(session.options)},
                  {"now", now_of(session)}};
  const std::size_t at = page.find(kSlot) + kSlot.find("</");
  for (Output& output : outputs) {
    if (is_app(output)) output.text = page.substr(0, at) + for_script(data) + page.substr(at);
  }
  return {};
}

}  // namespace previct::cli
