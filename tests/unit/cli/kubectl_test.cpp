#include "base/files_read.h"
#include "cli/live.h"
#include "support/scratch.h"

#include <cstdlib>
#include <map>

using namespace previct;

namespace {

auto with_kubectl() -> cli::Options {
  cli::Options options;
  options.kubectl = "/bin/sh";  // any program
  return options;
}

/// Changes variables of the environment until the end of its life.
class Variables {
 public:
  void set(const char* name, const std::string& value) {
    save(name);
    ::setenv(name, value.c_str(), 1);
  }
  void unset(const char* name) {
    save(name);
    ::unsetenv(name);
  }
  Variables() = default;
  Variables(const Variables&) = delete;
  auto operator=(const Variables&) -> Variables& = delete;
  ~Variables() {
    for (const auto& [name, value] : before_) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }

 private:
  void save(const char* name) {
    const char* const value = std::getenv(name);
    before_.try_emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }
  std::map<const char*, std::optional<std::string>> before_;
};

auto silence_after(const std::string& timeout) -> std::chrono::milliseconds {
  cli::Options options = with_kubectl();
  options.request_timeout = timeout;
  const auto kubectl = cli::kubectl_of(options);
  REQUIRE(kubectl);
  return kubectl->patience.silence;
}

auto refusal_of(const std::string& timeout) -> std::string {
  cli::Options options = with_kubectl();
  options.request_timeout = timeout;
  const auto kubectl = cli::kubectl_of(options);
  REQUIRE_FALSE(kubectl);
  return kubectl.error().message;
}

}  // namespace

TEST_CASE("kubectl: stopped five seconds after its own time limit", "[live]") {
  using namespace std::chrono_literals;
  CHECK(silence_after("30s") == 35s);
  CHECK(silence_after("30") == 35s);  // kubectl reads a bare number as seconds
  CHECK(silence_after("1m") == 65s);
  CHECK(silence_after("1500ms") == 6500ms);
  // 0 means no limit of kubectl.
  CHECK(silence_after("0") == silence_after(""));
  CHECK(silence_after("0s") == silence_after(""));
}

TEST_CASE("kubectl: a time limit that is no duration is refused", "[live]") {
  for (const std::string text : {"-1s", "-1", "soon", "1 s"}) {
    CHECK(refusal_of(text) == "--request-timeout \"" + text + "\" is not a duration; expected one such as 30s");
  }
}

TEST_CASE("kubectl: what it reads is an input, so that it is never overwritten", "[live]") {
  const test::Scratch scratch;
  const std::string flag = scratch.file("flag", "x");
  const std::string one = scratch.file("one", "x");
  const std::string two = scratch.file("two", "x");
  const std::string at_home = scratch.file(".kube/config", "x");
  // Returns which of the files are inputs, in the order above.
  const auto inputs = [&](const std::string& given) {
    forget_files_read();
    cli::Options options = with_kubectl();
    options.kubeconfig = given;
    REQUIRE(cli::kubectl_of(options));
    std::string all;
    for (const std::string& file : {flag, one, two, at_home}) all += was_read(file) ? '1' : '0';
    forget_files_read();
    return all;
  };
  Variables variables;
  variables.set("HOME", scratch.path());
  variables.unset("KUBECONFIG");
  CHECK(inputs("") == "0001");
  CHECK(inputs(flag) == "1000");
  variables.set("KUBECONFIG", one + ":" + two);
  CHECK(inputs("") == "0110");
  CHECK(inputs(flag) == "1000");
  variables.set("KUBECONFIG", two);
  CHECK(inputs("") == "0010");
  // An empty variable counts as none. Source: client-go tools/clientcmd/loader.go NewDefaultClientConfigLoadingRules.
  variables.set("KUBECONFIG", "");
  CHECK(inputs("") == "0001");
}

TEST_CASE("kubectl: gets the flags of the connection, each in one word", "[live]") {
  cli::Options options = with_kubectl();
  options.kubeconfig = "/no/such/file";
  options.kube_context = "--prod";
  const auto kubectl = cli::kubectl_of(options);
  REQUIRE(kubectl);
  CHECK(kubectl->connection == std::vector<std::string>{"--kubeconfig=/no/such/file", "--context=--prod"});
}

TEST_CASE("kubectl: lists that arrive together share the memory limit, of which they may use half", "[live]") {
  const auto limits = [](const std::string& memory, const std::string& input) {
    cli::Options options = with_kubectl();
    options.max_memory = memory;
    options.max_input = input;
    const auto kubectl = cli::kubectl_of(options);
    REQUIRE(kubectl);
    return std::pair(kubectl->patience.most_bytes, kubectl->patience.shared->most());
  };
  const std::size_t mebi = std::size_t{1} << 20U;
  CHECK(limits("", "8Mi") == std::pair(8 * mebi, 8 * mebi));
  CHECK(limits("10Mi", "8Mi") == std::pair(8 * mebi, 5 * mebi));
  CHECK(limits("100Mi", "8Mi") == std::pair(8 * mebi, 8 * mebi));
}

TEST_CASE("kubectl: the namespace of the question is used if not all may be listed", "[live]") {
  const auto ns = [](const std::string& flag, const std::vector<std::string>& arguments) {
    cli::Options options = with_kubectl();
    options.ns = flag;
    options.arguments = arguments;
    const auto kubectl = cli::kubectl_of(options);
    REQUIRE(kubectl);
    return kubectl->ns;
  };
  CHECK(ns("", {"ml/train-0"}) == "ml");
  CHECK(ns("", {"train-0"}).empty());
  CHECK(ns("batch", {"train-0"}) == "batch");
  CHECK(ns("", {}).empty());
}
