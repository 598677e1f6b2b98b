#pragma once

#include "engine/engine.h"
#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace previct {
extern const Engine& kai_engine;
}

namespace previct::test {

/// Asks KAI about a PodGroup of the namespace ml.
struct AskedGroup {
  AskedGroup(const std::string& manifests, const std::string& name) {
    REQUIRE(read_text(manifests, objects));
    cluster = std::make_unique<Snapshot>(objects);
    question.kind = "podgroup";
    question.ns = "ml";
    question.name = name;
    question.now = *parse_instant("2026-03-02T10:00:00Z");
  }

  [[nodiscard]] auto explain() const -> Answer {
    auto answer = previct::explain(kai_engine, *cluster, question);
    REQUIRE(answer);
    return *std::move(answer);
  }

  Objects objects;
  std::unique_ptr<const Snapshot> cluster;
  Question question;
};

}  // namespace previct::test
