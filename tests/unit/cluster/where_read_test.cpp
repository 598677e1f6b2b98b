#include "cluster/where_read.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("where read: an absent part has no position") {
  Objects objects;
  CHECK(where_read(objects) == "in the input");
  objects.files.add("config.yaml");
  CHECK(where_read(objects) == "in the input");
  objects.files.add_live("/api/v1/pods");
  CHECK(where_read(objects) == "in the cluster");
  CHECK(where_pods_read(objects, "ml") == "in the cluster");
  objects.live_pods_of = "ml";
  CHECK(where_pods_read(objects, "ml") == "in the cluster");
  CHECK(where_pods_read(objects, "web") == "in the cluster, of which only the pods of namespace ml were listed");
}
