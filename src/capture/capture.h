#pragma once

#include "api/configurations.h"
#include "api/field_writer.h"
#include "api/objects.h"
#include "capture/roles.h"
#include "live/cluster.h"

#include <functional>
#include <string>

/// A capture is the state of a cluster as JSON lines: a manifest (api/capture.h), then every object that was read, with
/// the fields that schedulers read. It is an input like any other and produces the same answers as its source, because
/// reading and writing use the same describe().
namespace previct::capture {

/// How texts are written, including those that are not symbols.
class Words : public Wording {
 public:
  [[nodiscard]] virtual auto name(std::string_view text, Role role) const -> std::string = 0;
};

/// Writes all texts as they were read.
class AsRead final : public Words {
 public:
  explicit AsRead(const Symbols& symbols) : symbols_(symbols) {}
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view override { return symbols_.text(symbol); }
  [[nodiscard]] auto embedded(const EmbeddedText& value) const -> std::string override { return value.text; }
  [[nodiscard]] auto name(std::string_view text, Role /*role*/) const -> std::string override {
    return std::string(text);
  }

 private:
  const Symbols& symbols_;
};

/// The manifest for `objects`. `reading`: how the cluster was read, at `clock`; null: the objects come from files.
[[nodiscard]] auto manifest_of(const Objects& objects, const live::Reading* reading, Instant clock) -> Capture;

/// The whole capture, uncompressed. Fails if a configuration cannot be read.
[[nodiscard]] auto text_of(const Objects& objects, const Configurations& configurations, const Capture& manifest,
                           const Words& words) -> Result<std::string>;

/// Marks the capture as anonymized and removes what cannot be renamed: events, and the messages of refused requests.
void mark_anonymized(Capture& manifest);

/// How the cluster of a capture was read, restricted to the kinds that `matters` accepts (see live::needed_for()).
/// Kinds that this version never requests are left out, because it does not read them.
[[nodiscard]] auto reading_of(const Capture& capture, const std::function<bool(const live::Resource&)>& matters)
    -> live::Reading;

}  // namespace previct::capture
