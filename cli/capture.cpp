#include "cli/capture.h"

#include "base/text.h"
#include "capture/capture.h"
#include "cli/file.h"
#include "cli/live.h"
#include "cli/load.h"
#include "input/compress.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::cli {
namespace {

using Packing = CaptureFile::Packing;

auto count_of(const Capture& manifest, std::string_view kind) -> std::size_t {
  const auto found = std::find_if(manifest.kinds.begin(), manifest.kinds.end(),
                                  [&](const CapturedKind& each) { return each.kind == kind; });
  return found == manifest.kinds.end() ? 0 : static_cast<std::size_t>(found->count);
}

auto sentence(const Capture& manifest, const CaptureFile& file) -> std::string {
  std::size_t all = 0;
  for (const CapturedKind& kind : manifest.kinds) all += static_cast<std::size_t>(kind.count);
  const std::size_t pods = count_of(manifest, "Pod");
  const std::size_t nodes = count_of(manifest, "Node");
  return fmt::format("{} {}, {} and {} into {}.", manifest.anonymized ? "anonymized" : "captured",
                     counted(pods, "pod", "pods"), counted(nodes, "node", "nodes"),
                     counted(all - pods - nodes, "other object", "other objects"), file.path);
}

auto moment(const Capture& manifest) -> std::string {
  if (!manifest.taken) return "no timestamp in the input: use --now with it";
  return fmt::format("as of {} UTC ({})", format_clock(*manifest.taken, Instant{}),
                     manifest.of == "cluster" ? "when the cluster was read" : "the newest time in the input");
}

auto kind_row(const Capture& manifest) {
  return [&](Row& row, const CapturedKind& kind) {
    row.text("KIND", kind.kind).key("kind");
    row.number("COUNT", kind.count).key("count");
    row.text("RESOURCEVERSION", kind.resource_version.empty() ? "-" : kind.resource_version).optional();
    row.key("resourceVersion", present(kind.resource_version));
    row.key("namespace", manifest.anonymized ? Json() : present(kind.ns));
  };
}

void refused_row(Row& row, const RefusedKind& refused) {
  row.text("NOT CAPTURED", refused.resource, Tone::soon).key("resource");
  row.text("WHY", refused.why).key("why");
}

// The only namespace that was read, if the user may not list all namespaces; else empty.
auto one_namespace(const Capture& manifest) -> std::string {
  const live::Reading reading = capture::reading_of(manifest, [](const live::Resource&) { return true; });
  if (reading.of_one_namespace.empty()) return {};
  return fmt::format("of one namespace only{}: {}", manifest.anonymized ? "" : fmt::format(" ({})", reading.ns),
                     joined(kinds_of_one_namespace(reading), ", "));
}

auto data_of(const Capture& manifest, const CaptureFile& file, std::size_t bytes) -> Json {
  Json out{{"apiVersion", "previct/v1alpha1"},
           {"kind", "CaptureReport"},
           {"metadata", {{"tool", manifest.tool}}},
           {"file", {{"path", file.path}, {"bytes", bytes}}},
           {"of", manifest.of}};
  if (manifest.taken) out["taken"] = format_instant(*manifest.taken);
  out["inputsSkipped"] = manifest.inputs_skipped;
  out["kinds"] = list_of(manifest.kinds, kind_row(manifest));
  out["refused"] = list_of(manifest.refused, refused_row);
  return out;
}

// JSON is valid YAML, but each document needs a start marker.
auto as_documents(std::string_view lines) -> std::string {
  std::string out;
  while (!lines.empty()) {
    const std::size_t size = lines.find('\n') + 1;
    out += "--- ";
    out += lines.substr(0, size);
    lines.remove_prefix(size);
  }
  return out;
}

}  // namespace

auto captured(const Loaded& loaded, const Configurations& configurations, Instant clock) -> Result<CapturedState> {
  const Objects& objects = loaded.objects;
  CapturedState state;
  state.manifest = capture::manifest_of(objects, loaded.reading ? &*loaded.reading : nullptr, clock);
  PREVICT_TRY(state.text, capture::text_of(objects, configurations, state.manifest, capture::AsRead(objects.symbols)));
  return state;
}

auto capture_inputs(Session& session) -> Result<CapturedState> {
  const StateOf of = session.options.filenames.empty() ? StateOf::cluster : StateOf::inputs;
  PREVICT_TRY(const Loaded& loaded, load_inputs(session, {}, of));
  return captured(loaded, loaded.configurations, session.clock);
}

void take_target_from_outputs(Options& options) {
  const auto names_file = [](const std::string& value) {
    return value.find_first_of("./") != std::string::npos && value.find('=') == std::string::npos;
  };
  const auto found = std::find_if(options.outputs.begin(), options.outputs.end(), names_file);
  if (found == options.outputs.end() || !options.target.empty()) return;
  options.target = *found;
  options.outputs.erase(found);
}

auto capture_file_of(const Options& options) -> Result<CaptureFile> {
  if (options.target.empty()) return fail("no file to write to", {}, "--to state.jsonl.zst");
  const std::string path = options.target == "-" ? "/dev/stdout" : options.target;
  const Packing packing = path.ends_with(".zst")  ? Packing::zstd
                          : path.ends_with(".gz") ? Packing::gzip
                                                  : Packing::none;
  const std::string_view form =
      packing == Packing::none ? std::string_view(path) : std::string_view(path).substr(0, path.rfind('.'));
  for (const std::string_view ending : {".xz", ".bz2", ".zip", ".tar", ".tgz"}) {
    if (form.ends_with(ending)) {
      return fail(fmt::format("--to {}: the formats are JSON lines or YAML, uncompressed or as .zst or .gz", path));
    }
  }
  if (!options.force) PREVICT_CHECK(check_free(path, "--force"));
  return CaptureFile{path, packing, form.ends_with(".yaml") || form.ends_with(".yml"), options.force};
}

auto stage_capture(const CaptureFile& file, std::string_view lines) -> Result<StagedCapture> {
  const Writing writing{.for_owner_only = true, .replace = file.replace};
  std::string bytes = file.documents ? as_documents(lines) : std::string(lines);
  if (file.packing == Packing::zstd) bytes = zstd(bytes);
  if (file.packing == Packing::gzip) bytes = gzip(bytes);
  PREVICT_TRY(StagedFile staged, StagedFile::write(file.path, bytes, writing));
  return StagedCapture{std::move(staged), bytes.size()};
}

auto write_capture(const CaptureFile& file, std::string_view lines) -> Result<std::size_t> {
  PREVICT_TRY(StagedCapture staged, stage_capture(file, lines));
  PREVICT_CHECK(staged.file.put_in_place());
  return staged.bytes;
}

auto capture_report(const Capture& manifest, const CaptureFile& file, std::size_t bytes) -> Report {
  Report report;
  report.blocks.emplace_back(Line{{{sentence(manifest, file), Tone::verdict}}});
  report.blocks.emplace_back(Line{{{moment(manifest), Tone::dim}}});
  if (manifest.inputs_skipped) {
    report.blocks.emplace_back(
        Line{{{"incomplete: inputs were skipped, and every answer from this capture will say so", Tone::soon}}});
  }
  if (std::string kinds = one_namespace(manifest); !kinds.empty())
    report.blocks.emplace_back(Line{{{std::move(kinds), Tone::soon}}});
  report.blocks.emplace_back(table_of(manifest.kinds, kind_row(manifest)));
  if (!manifest.refused.empty()) report.blocks.emplace_back(table_of(manifest.refused, refused_row));
  report.data = data_of(manifest, file, bytes);
  report.names = {file.path};
  return report;
}

}  // namespace previct::cli
