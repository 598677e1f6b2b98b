#include "live/page.h"

#include "input/json_source.h"

#include <fmt/format.h>

#include <utility>

namespace previct::live {
namespace {

class PageSource final : public EventSource {
 public:
  PageSource(std::unique_ptr<EventSource> source, std::function<void(const ListMeta&)> on_meta)
      : source_(std::move(source)), on_meta_(std::move(on_meta)) {}

  auto next() -> Result<Event> override {
    PREVICT_TRY(Event event, source_->next());
    switch (event.type) {
      case EventType::begin_map:
      case EventType::begin_list:
        if (depth_ == 1) in_meta_ = event.type == EventType::begin_map && key_ == "metadata";
        if (++depth_ <= kWatched) expects_key_ = true;
        break;
      case EventType::end:
        if (depth_ == kWatched && std::exchange(in_meta_, false)) on_meta_(meta_);
        if (--depth_ <= kWatched) expects_key_ = true;
        break;
      case EventType::scalar: scalar(event); break;
      default: break;
    }
    return event;
  }

 private:
  // Only the list itself and its metadata are examined, where keys and values alternate; deeper levels are ignored.
  static constexpr std::size_t kWatched = 2;

  void scalar(Event& event) {
    if (depth_ != 1 && !(depth_ == kWatched && in_meta_)) return;
    if (std::exchange(expects_key_, !expects_key_)) {
      key_ = event.text;
    } else if (in_meta_ && key_ == "resourceVersion") {
      meta_.resource_version = event.text;
    } else if (in_meta_ && key_ == "continue") {
      meta_.continue_token = event.text;
      event.text = {};
    }
  }

  std::unique_ptr<EventSource> source_;
  std::function<void(const ListMeta&)> on_meta_;
  ListMeta meta_;
  std::string key_;
  std::size_t depth_ = 0;
  bool expects_key_ = false;
  bool in_meta_ = false;
};

// The metadata of a list. Stops at the end of the metadata, or at the items if these come first.
auto meta_in_front(const std::string& text, FileId file) -> std::optional<ListMeta> {
  std::optional<ListMeta> meta;
  PageSource source(json_source(text, file), [&](const ListMeta& seen) { meta = seen; });
  for (std::size_t depth = 0; !meta;) {
    const auto event = source.next();
    if (!event || event->type == EventType::end_stream) return {};
    if (event->type == EventType::begin_list && depth == 1) return {};
    if (event->type == EventType::begin_list || event->type == EventType::begin_map) ++depth;
    if (event->type == EventType::end) --depth;
  }
  return meta;
}

}  // namespace

auto take_meta(std::string& text, FileId file) -> std::optional<ListMeta> {
  auto meta = meta_in_front(text, file);
  if (!meta || meta->continue_token.empty()) return meta;
  const std::size_t at = text.find(fmt::format("\"{}\"", meta->continue_token), text.find("\"continue\""));
  if (at == std::string::npos) return {};  // the token is written with escapes
  text.erase(at + 1, meta->continue_token.size());
  return meta;
}

auto page_source(std::unique_ptr<EventSource> source, std::function<void(const ListMeta&)> on_meta)
    -> std::unique_ptr<EventSource> {
  return std::make_unique<PageSource>(std::move(source), std::move(on_meta));
}

}  // namespace previct::live
