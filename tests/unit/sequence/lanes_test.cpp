#include "sequence/lanes.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

// The picture of a simulation, worked out by hand from lists of steps.

namespace previct::sequence::pictures {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using Rows = std::vector<std::string>;

struct Drawn {
  explicit Drawn(std::size_t pods = 4) {
    std::vector<std::string> documents = {a_node("n1", "8")};
    for (std::size_t i = 0; i < pods; ++i) documents.push_back(a_pod(fmt::format("ml/p{}", i)).yaml());
    cluster = a_cluster(documents);
    result.pods_before = pods;
    result.length = 100 * kSecond;
  }
  [[nodiscard]] auto id(std::size_t pod) const -> PodId {
    return cluster->snapshot->find_pod("ml", fmt::format("p{}", pod));
  }
  // `after`: the pod that a controller replaces by this one.
  auto end(std::size_t pod, const std::string& after = "") -> Drawn& {
    End added;
    added.pod = id(pod);
    added.after = after;
    result.ends.push_back(added);
    return *this;
  }
  auto step(Time second, EventKind what, std::size_t pod, bool on_node = false) -> Drawn& {
    Step added;
    added.at = second * kSecond;
    added.what = what;
    added.pod = id(pod);
    if (on_node) added.node = NodeId{0};
    result.steps.push_back(added);
    return *this;
  }
  [[nodiscard]] auto picture() const -> Picture {
    const auto found = lanes(result, *cluster->snapshot);
    REQUIRE(found);
    return *found;
  }
  // `ml/p0: pending 0-10, on n1 10-100`, in hundredths of the length; indented if it is below another row.
  [[nodiscard]] auto rows() const -> Rows {
    Rows rows;
    for (const Picture::Row& row : picture().rows) {
      std::string text = std::string(row.depth, ' ') + row.label + ":";
      for (const auto& part : row.parts)
        text +=
            fmt::format(" {} {}-{},", part.name, part.from * 100 / Picture::kScale, part.to * 100 / Picture::kScale);
      rows.push_back(text);
    }
    return rows;
  }

  std::unique_ptr<test::TestCluster> cluster;
  SimulationResult result;
};

}  // namespace

TEST_CASE("lanes: nothing is drawn of what takes no time, or of no pod", "[sequence][lanes]") {
  Drawn drawn;
  CHECK_FALSE(lanes(drawn.result, *drawn.cluster->snapshot));
  drawn.end(0);
  CHECK(lanes(drawn.result, *drawn.cluster->snapshot));
  drawn.result.length = 0;
  CHECK_FALSE(lanes(drawn.result, *drawn.cluster->snapshot));
}

TEST_CASE("lanes: a pod is in the phase that its last step began", "[sequence][lanes]") {
  Drawn drawn;
  drawn.end(0)
      .step(10, EventKind::preempts, 0)
      .step(20, EventKind::deleting, 1)
      .step(30, EventKind::requeued, 0)
      .step(50, EventKind::gone, 1)
      .step(60, EventKind::takes, 0)
      .step(70, EventKind::bound, 0, true)
      .step(90, EventKind::finished, 0);
  CHECK(drawn.rows() == Rows{"ml/p0: pending 0-10, waits for its victims 10-60, binding 60-70, on n1 70-90,",
                             " ml/p1: runs 0-20, terminating 20-50,"});
  Drawn fails;
  fails.end(0).step(5, EventKind::fails, 0).step(40, EventKind::bound, 0);
  CHECK(fails.rows() == Rows{"ml/p0: pending 0-5, unschedulable 5-40, bound 40-100,"});
  // One that arrives later does not exist before, and phases without a length are not drawn.
  Drawn arrives;
  arrives.end(0).step(30, EventKind::arrives, 0).step(40, EventKind::takes, 0).step(40, EventKind::bound, 0, true);
  CHECK(arrives.rows() == Rows{"ml/p0: pending 30-40, on n1 40-100,"});
  Drawn none;
  CHECK(none.end(2).rows() == Rows{"ml/p2: pending 0-100,"});
}

TEST_CASE("lanes: evicted pods, and those that replace them, have rows of their own", "[sequence][lanes]") {
  Drawn drawn;
  drawn.end(0)
      .end(3, "ml/p1")
      .step(10, EventKind::deleting, 1)
      .step(15, EventKind::created, 3)
      .step(20, EventKind::gone, 2)
      .step(30, EventKind::gone, 1)
      .step(40, EventKind::deleting, 0)
      .step(50, EventKind::marked, 2);
  CHECK(drawn.rows() == Rows{"ml/p0: pending 0-40, terminating 40-100,", " ml/p1: runs 0-10, terminating 10-30,",
                             " ml/p2: runs 0-20,", " ml/p3: pending 15-100,"});
}

TEST_CASE("lanes: of many pods, 24 pending ones and 12 victims have rows", "[sequence][lanes]") {
  const auto folded = [](std::size_t pending, std::size_t victims) {
    Drawn drawn(pending + victims);
    for (std::size_t i = 0; i < pending; ++i) drawn.end(i);
    for (std::size_t i = 0; i < victims; ++i) drawn.step(10, EventKind::deleting, pending + i);
    const Picture picture = drawn.picture();
    CHECK(picture.rows.size() + picture.folded.size() == pending + victims);
    return picture.folded_title + (picture.folded.empty() ? "" : ": " + picture.folded.front());
  };
  CHECK(folded(24, 12).empty());
  CHECK(folded(25, 12) == "1 more pod: ml/p24");
  CHECK(folded(24, 14) == "2 more pods: ml/p36");
  Drawn made(14);
  for (std::size_t i = 0; i < 14; ++i) made.end(i, "ml/old");
  CHECK(made.picture().rows.size() == 12);
  CHECK(made.picture().folded == std::vector<std::string>{"ml/p12", "ml/p13"});
}

TEST_CASE("lanes: the scale has the length of the simulation", "[sequence][lanes]") {
  Drawn drawn;
  drawn.end(0);
  const Picture picture = drawn.picture();
  REQUIRE(picture.marks.size() == 2);
  CHECK(picture.marks[0].at == 0);
  CHECK(picture.marks[0].text == "+0s");
  CHECK(picture.marks[1].at == Picture::kScale);
  CHECK(picture.marks[1].text == "+1m40s");
  CHECK(picture.legend.size() == 4);
}

}  // namespace previct::sequence::pictures
