#include "input/digest.h"

#include "support/scratch.h"

#include <catch2/catch.hpp>

using namespace previct;

// The examples of FIPS 180-4: https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST_CASE("digest: equals the standard's examples", "[digest]") {
  CHECK(sha256_of("abc") == kOfAbc);
  CHECK(sha256_of("") == kOfNothing);
  CHECK(sha256_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("digest: of a file, does not depend on the sizes of the reads", "[digest]") {
  const test::Scratch scratch;
  const std::string path = scratch.file("many", std::string(3'000'000, 'a'));
  const auto digest = digest_of_file(path);
  REQUIRE(digest);
  CHECK(digest->bytes == 3'000'000);
  CHECK(digest->sha256 == sha256_of(std::string(3'000'000, 'a')));
  CHECK_FALSE(digest_of_file(path + ".not"));
  CHECK_FALSE(digest_of_file("/dev/null"));
}
