#pragma once

#include "api/configurations.h"
#include "api/field_writer.h"
#include "api/objects.h"
#include "capture/roles.h"
#include "live/cluster.h"

#include <functional>
#include <string>

/// A capture is a state of a cluster as JSON lines: first one that says what it is (api/capture.h), then every object
/// that was read, with the fields that schedulers read. It is an input like any other, and gives the answers of what it
/// was made from. Since both are made from the same describe(), what is read is what is kept.
namespace previct::capture {

/// How texts are written, also those that are no symbols.
class Words : public Wording {
 public:
  [[nodiscard]] virtual auto name(std::string_view text, Role role) const -> std::string = 0;
};

/// Texts as they were read.
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

/// What is known of `objects`. `reading`: how the cluster was read, at `clock`; null: they come from files.
[[nodiscard]] auto manifest_of(const Objects& objects, const live::Reading* reading, Instant clock) -> Capture;

/// The whole capture, not compressed. Fails if a configuration cannot be read.
[[nodiscard]] auto text_of(const Objects& objects, const Configurations& configurations, const Capture& manifest,
                           const Words& words) -> Result<std::string>;

/// Lets the capture say that its names stand for others; what cannot be renamed is left out: events, and the words in
/// which something was refused.
void make_anonymous(Capture& manifest);

/// How the cluster of a capture was read, as far as `matters` says that a kind does (see live::needed_for()). Kinds
/// that this version never asks for are left out: it does not read them.
[[nodiscard]] auto reading_of(const Capture& capture, const std::function<bool(const live::Resource&)>& matters)
    -> live::Reading;

}  // namespace previct::capture
