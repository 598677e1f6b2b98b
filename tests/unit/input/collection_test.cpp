#include "input/collection.h"

#include <catch2/catch.hpp>

#include <string>

using previct::begins_like_dump;
using previct::has_dump_name;

TEST_CASE("collection: dump names end as YAML or JSON, compressed or not") {
  for (const char* name : {"a.yaml", "d/a.yml", "a.json", "a.jsonl", "a.ndjson", "a.kyaml", "a.yaml.gz", "a.json.zst",
                           "a.yml.xz", "a.json.bz2"}) {
    INFO(name);
    CHECK(has_dump_name(name));
  }
  for (const char* name : {"a", "a.log", "a.gz", ".yaml", "d.yaml/a", "a.yaml.gz.gz", "a.json.log"}) {
    INFO(name);
    CHECK_FALSE(has_dump_name(name));
  }
}

TEST_CASE("collection: a file of any name is a dump if its start looks like one") {
  CHECK(begins_like_dump("apiVersion: v1\nitems:\n"));
  CHECK(begins_like_dump("---\n# a comment\n\napiVersion: v1\n"));
  CHECK(begins_like_dump("kind: Pod\napiVersion: v1\n"));
  CHECK(begins_like_dump("{\n    \"apiVersion\": \"v1\","));
  CHECK_FALSE(begins_like_dump(""));
  CHECK_FALSE(begins_like_dump("kind: of log\nmore\n"));
  CHECK_FALSE(begins_like_dump("I0102 apiVersion: v1\n"));
  CHECK_FALSE(begins_like_dump("NAME  READY\napiVersion: v1\n"));
  CHECK_FALSE(begins_like_dump("{\"level\": \"info\"}"));
  CHECK_FALSE(begins_like_dump("#" + std::string(previct::kHead, 'x') + "\napiVersion: v1\n"));
}
