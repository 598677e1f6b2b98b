#pragma once

#include "fuzz/fuzz.h"
#include "input/events.h"

#include <cstddef>
#include <string>
#include <vector>

namespace previct::fuzz {

struct Walk {
  bool whole = false;  ///< read up to the end of the stream
  bool too_deep = false;
  std::size_t documents = 0;
};

/// Reads all events and checks them: containers are closed in order, keys are strings, positions increase, and depth is
/// bounded.
inline auto insist_on_events(EventSource& source) -> Walk {
  struct Open {
    bool map;
    bool key_next;
  };
  std::vector<Open> open;
  Walk walk;
  for (;;) {
    const Result<Event> event = source.next();
    if (!event) {
      insist(event.error().place.line > 0, "a failure without a line");
      insist(!event.error().message.empty(), "a failure without a word");
      walk.too_deep = event.error().message.find("deep") != std::string::npos;
      return walk;
    }
    if (event->type == EventType::end_stream) {
      insist(open.empty(), "the stream ends within a container");
      walk.whole = true;
      return walk;
    }
    if (event->type == EventType::end_document) {
      insist(open.empty(), "a document ends within a container");
      ++walk.documents;
      continue;
    }
    if (event->type == EventType::end) {
      insist(!open.empty(), "an end of nothing");
      insist(!open.back().map || open.back().key_next, "a key without a value");
      open.pop_back();
      continue;
    }
    if (!open.empty() && open.back().map) {
      const bool key = open.back().key_next;
      insist(!key || (event->type == EventType::scalar && event->scalar == ScalarType::string),
             "a key that is no string");
      open.back().key_next = !key;
    }
    if (event->type == EventType::scalar) continue;
    open.push_back({event->type == EventType::begin_map, true});
    insist(open.size() <= kMaxDepth, "deeper than allowed");
  }
}

}  // namespace previct::fuzz
