#include "base/descriptor.h"

#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <cerrno>

#include <sys/stat.h>

using namespace previct;

TEST_CASE("open_regular: does not open anything but a regular file") {
  const test::Scratch scratch;
  CHECK(open_regular(scratch.file("a", "text")));
  CHECK_FALSE(open_regular(scratch.path()));
  const std::string pipe = scratch.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  // Opening it would wait for a writer.
  CHECK_FALSE(open_regular(pipe));
  CHECK(errno == EINVAL);
  CHECK_FALSE(open_regular(scratch.path() + "/nothing"));
  CHECK(errno == ENOENT);
}
