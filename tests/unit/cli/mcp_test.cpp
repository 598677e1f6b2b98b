#include "cli/mcp/json_rpc.h"
#include "cli/mcp/plain_lines.h"
#include "cli/mcp/server.h"
#include "cli/mcp/shorten.h"
#include "cli/mcp/tools.h"
#include "support/mcp_client.h"
#include "support/scratch.h"
#include "support/source.h"
#include "system/signals.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace previct;       // NOLINT: a test
using namespace previct::cli;  // NOLINT
using test::kFixtures;
using test::noon;
using Client = test::McpClient;

namespace {

auto has_running_child(pid_t parent) -> bool {
  const std::string process = "/proc/" + std::to_string(parent);
  std::ifstream children(process + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; children >> child;) {
    std::ifstream file("/proc/" + std::to_string(child) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const std::size_t name = stat.rfind(") ");
    if (name != std::string::npos && stat[name + 2] != 'Z') return true;
  }
  return false;
}

// Kills the processes that this one has started, which Linux lists, and waits until their files are closed.
auto kill_children() -> int {
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child; ++count) {
      // A copy of it that answered the last call may still be ending, and would get the next call.
      for (int i = 0; i < 2000 && has_running_child(child); ++i) ::usleep(1000);
      REQUIRE(::kill(child, SIGKILL) == 0);
      siginfo_t how;
      REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOWAIT) == 0);
    }
  }
  return count;
}

auto error_code(const Json& answer) -> int {
  return answer.at("error").at("code");
}

}  // namespace

// A line may be nested kMostNested levels deep (json_rpc.h). Brackets within texts are no levels.
TEST_CASE("mcp: only brackets outside of texts count as levels", "[mcp]") {
  const auto is_read = [](const std::string& line) { return !mcp::parsed(line).is_discarded(); };
  const std::string open(mcp::kMostNested, '[');
  const std::string close(mcp::kMostNested, ']');
  CHECK(is_read(open + close));
  CHECK_FALSE(is_read("[" + open + close + "]"));
  CHECK(is_read(R"({"a":)" + open.substr(1) + close.substr(1) + "}"));
  CHECK_FALSE(is_read(R"({"a":)" + open + close + "}"));
  const std::string siblings = "[" + open.substr(1) + close.substr(1) + "," + open.substr(1) + close.substr(1) + "]";
  CHECK(is_read(siblings));
  const std::string deep = open + "[{";
  CHECK(is_read("[\"" + deep + "\"]"));
  CHECK(is_read("[\"\\\"" + deep + "\"]"));                           // an escaped quote does not end the text
  CHECK(is_read("[\"\\\\\", \"" + deep + "\"]"));                     // a quote after an escaped backslash does
  CHECK_FALSE(is_read("[\"\\\\\", " + open + close + "]"));           // which leaves 1 + 100 levels
  CHECK_FALSE(is_read("[\"" + close + "\", " + open + close + "]"));  // closing brackets in a text close nothing
  CHECK(is_read("[\"" + deep + "\", " + open.substr(1) + close.substr(1) + "]"));
}

TEST_CASE("mcp: a document is cut at its longest list, and short lists stay whole", "[mcp]") {
  Json document = {{"victims", {"ml/a", "ml/b"}}, {"nodes", Json::array()}};
  for (int i = 0; i < 100; ++i) document["nodes"].push_back({{"name", "node-" + std::to_string(i)}});
  const std::vector<mcp::Cut> cuts = mcp::shorten(document, 300);
  REQUIRE(cuts.size() == 1);
  CHECK(cuts[0].path == "/nodes");
  CHECK(cuts[0].total == 100);
  CHECK(cuts[0].shown == document["nodes"].size());
  CHECK(document["nodes"].size() == 12);  // 100, 50, 25, 12: each item has 18 bytes
  CHECK(document["victims"].size() == 2);
  CHECK(mcp::serialized(document).size() <= 300);
}

TEST_CASE("mcp: a document without lists loses long texts, then its largest member", "[mcp]") {
  Json document = {{"verdict", "pending"}, {"message", std::string(5000, 'x')}};
  CHECK(mcp::shorten(document, 600).empty());
  CHECK(document["message"].get<std::string>().size() < 500);
  CHECK(mcp::shorten(document, 50).empty());
  CHECK(document == Json({{"verdict", "pending"}}));
}

TEST_CASE("mcp: a list that is a thousand times too long is cut like a short one", "[mcp]") {
  Json document = {{"victims", {"ml/a"}}, {"nodes", Json::array()}};
  for (int i = 0; i < 20'000; ++i) {
    Json node = {{"name", "node-" + std::to_string(i)}, {"reasons", Json::array()}};
    for (int k = 0; k < 20; ++k) node["reasons"].push_back("reason " + std::to_string(k));
    document["nodes"].push_back(std::move(node));
  }
  int tries = 0;
  const auto fits = [&](const Json& value) {
    ++tries;
    return mcp::serialized(value).size() <= 2000;
  };
  const std::vector<mcp::Cut> cuts = mcp::shorten(document, 2000, fits);
  REQUIRE(!cuts.empty());
  CHECK(cuts[0].path == "/nodes");
  CHECK(cuts[0].total == 20'000);
  CHECK(cuts[0].shown == document["nodes"].size());
  CHECK(document["victims"].size() == 1);
  CHECK(tries < 10);
}

TEST_CASE("mcp: pages of a list cover all of it", "[mcp]") {
  Json document;
  for (int i = 0; i < 50; ++i) document["a/b"].push_back(i);
  std::vector<int> seen;
  while (seen.size() < 50) {
    const auto page = mcp::page_of(document, "/a~1b", seen.size(), 40);
    REQUIRE(page);
    CHECK(page->total == 50);
    REQUIRE(!page->items.empty());
    for (const Json& item : page->items) seen.push_back(item);
  }
  for (int i = 0; i < 50; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i);
  CHECK(!mcp::page_of(document, "/a~1b", 50, 40));
  CHECK(!mcp::page_of(document, "/none", 0, 40));
  CHECK(!mcp::page_of(document, "a", 0, 40));
  CHECK(!mcp::page_of(document, "/a~1b/01", 0, 40));
  CHECK(!mcp::page_of(document, "/~", 0, 40));
}

TEST_CASE("mcp: a page has as many items as fit, and at least one", "[mcp]") {
  Json document = {{"few", Json::array()}, {"long", Json::array()}, {"empty", Json::array()}};
  for (int i = 0; i < 20; ++i) document["few"].push_back(i);
  const auto size = [&](const std::string& path, std::size_t offset, std::size_t most) {
    const auto page = mcp::page_of(document, path, offset, most);
    REQUIRE(page);
    return page->items.size();
  };
  // The brackets have 2 bytes, each of the first ten numbers has 2 with its comma, and the others have 3.
  CHECK(size("/few", 0, 22) == 10);
  CHECK(size("/few", 0, 24) == 10);
  CHECK(size("/few", 0, 25) == 11);
  CHECK(size("/few", 0, 21) == 9);
  CHECK(size("/few", 19, 1000) == 1);
  CHECK(size("/few", 3, 1) == 1);
  CHECK(size("/empty", 0, 100) == 0);
  CHECK_FALSE(mcp::page_of(document, "/empty", 1, 100));
  CHECK_FALSE(mcp::page_of(document, "/few/0", 0, 100));
  // Only the first item is shortened.
  for (int i = 0; i < 2; ++i) document["long"].push_back({{"name", "a"}, {"evidence", std::string(300, 'x')}});
  const auto page = mcp::page_of(document, "/long", 0, 100);
  REQUIRE(page);
  CHECK(page->items == Json::array({{{"name", "a"}}}));
  CHECK(page->total == 2);
  CHECK(size("/long", 0, 1000) == 2);
}

TEST_CASE("mcp: lists are halved until they fit, victims last", "[mcp]") {
  const auto lengths = [](std::size_t most) {
    Json document = {{"victims", Json::array()}, {"nodes", Json::array()}, {"few", {"a"}}};
    for (int i = 0; i < 8; ++i) document["victims"].push_back("v" + std::to_string(i));
    for (int i = 0; i < 8; ++i) document["nodes"].push_back("n" + std::to_string(i));
    std::string text;
    for (const mcp::Cut& cut : mcp::shorten(document, most))
      text += cut.path + " " + std::to_string(cut.shown) + " of " + std::to_string(cut.total) + ", ";
    CHECK(mcp::serialized(document).size() <= most);
    return text;
  };
  // {"few":["a"],"nodes":["n0",…],"victims":["v0",…]} has 115 bytes; each item of the two has 5 with its comma.
  CHECK(lengths(115).empty());
  CHECK(lengths(114) == "/nodes 4 of 8, ");
  CHECK(lengths(95) == "/nodes 4 of 8, ");
  CHECK(lengths(94) == "/nodes 2 of 8, ");
  CHECK(lengths(84) == "/nodes 1 of 8, ");
  CHECK(lengths(79) == "/nodes 0 of 8, ");
  CHECK(lengths(75) == "/few 0 of 1, /nodes 0 of 8, ");
  CHECK(lengths(72) == "/few 0 of 1, /nodes 0 of 8, /victims 4 of 8, ");
}

TEST_CASE("mcp: lines that are no requests get the errors of JSON-RPC", "[mcp]") {
  Client client;
  // https://www.jsonrpc.org/specification, section 5.1
  CHECK(error_code(client.ask({"{"}).at(0)) == -32700);
  CHECK(error_code(client.ask({"[]"}).at(0)) == -32600);
  const std::string deep = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" + std::string(400'000, '[');
  CHECK(error_code(client.ask({deep}).at(0)) == -32700);
  CHECK(error_code(client.ask({R"({"jsonrpc":"2.0","id":{},"method":"ping"})"}).at(0)) == -32600);
  CHECK(error_code(client.ask({R"({"id":1,"method":"ping"})"}).at(0)) == -32600);
  CHECK(error_code(client.ask({R"({"jsonrpc":"2.0","id":1,"method":"tools/delete"})"}).at(0)) == -32601);
  CHECK(
      error_code(client.ask({R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture"}})"}).at(0)) ==
      -32602);
  CHECK(client.ask({"", R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}).empty());
  CHECK(client.ask({R"({"jsonrpc":"2.0","id":"a","method":"ping"})"}).at(0).at("id") == "a");
}

TEST_CASE("mcp: a process that was killed between two calls is replaced", "[mcp]") {
  const system::IgnoredPipeSignal ignored;
  Client client;
  const Json arguments = {{"input", {kFixtures + "/demo/tolerations.yaml"}}};
  const Json before = client.call("explain", arguments);
  REQUIRE(before.at("structuredContent").contains("answer"));
  REQUIRE(kill_children() > 0);
  CHECK(client.call("explain", arguments) == before);
}

TEST_CASE("mcp: both generations of the protocol are served", "[mcp]") {
  Client client;
  const auto initialized = [&](const std::string& revision) {
    const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
                             revision + R"(","capabilities":{}}})";
    return client.ask({line}).at(0).at("result").at("protocolVersion");
  };
  CHECK(initialized("2024-11-05") == "2024-11-05");
  CHECK(initialized("2025-11-25") == "2025-11-25");
  CHECK(initialized("1999-01-01") == "2025-11-25");
  const auto modern = [](const std::string& revision) {
    return R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
           R"("io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":")" +
           revision + R"("}}})";
  };
  const Json found = client.ask({modern("2026-07-28")}).at(0).at("result");
  CHECK(found.at("resultType") == "complete");
  CHECK(found.at("supportedVersions") == Json::array({"2026-07-28"}));
  CHECK(found.at("ttlMs").is_number());
  const Json refused = client.ask({modern("2031-01-01")}).at(0);
  CHECK(error_code(refused) == -32022);
  CHECK(refused.at("error").at("data").at("requested") == "2031-01-01");
}

// Specification 2026-07-28, basic: each request names its revision and the capabilities of the client; the handshake
// and ping are gone. As the official conformance tests have it (server-stateless).
TEST_CASE("mcp: a request of the newest revision is complete in itself", "[mcp]") {
  Client client;
  const auto code = [&](const std::string& method, const std::string& meta) {
    const std::string line =
        R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{"_meta":{)" + meta + "}}}";
    const Json answer = client.ask({line}).at(0);
    return answer.contains("error") ? error_code(answer) : 0;
  };
  const std::string revision = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
  const std::string complete = revision + R"(,"io.modelcontextprotocol/clientCapabilities":{})";
  CHECK(code("tools/list", complete) == 0);
  CHECK(code("tools/list", revision) == -32602);
  CHECK(code("server/discover", "") == -32602);
  CHECK(code("initialize", complete) == -32601);
  CHECK(code("ping", complete) == -32601);
  CHECK(code("ping", "") == 0);  // of an earlier revision
}

TEST_CASE("mcp: no tool writes a file, runs a program, or changes the server's limits", "[mcp]") {
  CHECK(mcp::find_tool("capture") == nullptr);
  CHECK(mcp::find_tool("anonymize") == nullptr);
  CHECK(mcp::find_tool("mcp") == nullptr);
  REQUIRE(mcp::find_tool("why_preempted") != nullptr);
  // The flags of a command that ask something are offered.
  CHECK(mcp::listed(*mcp::find_tool("prove")).at("inputSchema").at("properties").contains("budgets_hold"));
  CHECK(mcp::listed(*mcp::find_tool("fit")).at("inputSchema").at("properties").contains("no_victims"));
  for (const mcp::Tool& tool : mcp::tools()) {
    const Json properties = mcp::listed(tool).at("inputSchema").at("properties");
    for (const std::string_view name : {"fix", "write_baseline", "render", "update", "output", "to", "kubectl", "force",
                                        "kubeconfig", "server", "max_memory", "max_input", "threads", "watch"}) {
      INFO(tool.name << " " << name);
      CHECK((tool.name == "diff" && name == "to") == properties.contains(name));
    }
    CHECK(tool.description.size() < 200);
  }
}

TEST_CASE("mcp: the schema of a tool describes what its command takes", "[mcp]") {
  // The names are those of `previct COMMAND -h`: [POD], FILE..., [PATH...], and none for sequence.
  const Json text = {{"type", "string"}};
  const Json texts = {{"type", "array"}, {"items", text}};
  const Json pod = {{"type", "string"}, {"description", "NAME, NAMESPACE/NAME or KIND/NAMESPACE/NAME"}};
  struct Row {
    const char* tool;
    const char* property;
    Json schema;
    bool required = false;
  };
  for (const Row& row : {Row{"explain", "pod", pod}, Row{"diff", "pod", pod}, Row{"inspect", "files", texts, true},
                         Row{"lint", "paths", texts}}) {
    INFO(row.tool);
    const Json schema = mcp::listed(*mcp::find_tool(row.tool)).at("inputSchema");
    CHECK(schema.at("properties").at(row.property) == row.schema);
    CHECK(schema.value("required", Json::array()) == (row.required ? Json::array({row.property}) : Json::array()));
  }
  const Json sequence = mcp::listed(*mcp::find_tool("sequence")).at("inputSchema");
  CHECK_FALSE(sequence.at("properties").contains("pod"));
  CHECK_FALSE(sequence.contains("required"));

  // It takes a message, or a dump and a pod, as its description says, and no what-if question.
  const Json why_pending = mcp::listed(*mcp::find_tool("why_pending")).at("inputSchema").at("properties");
  std::set<std::string> of_why_pending;
  for (const auto& [name, schema] : why_pending.items()) of_why_pending.insert(name);
  CHECK(of_why_pending == std::set<std::string>{"all_namespaces", "input", "max_bytes", "message", "namespace", "now",
                                                "offset", "page", "pod"});

  // A flag has the type of its value: a switch, a number, one text, one of the words that it names, several texts.
  Json fit = mcp::listed(*mcp::find_tool("fit")).at("inputSchema").at("properties");
  fit["show"] = mcp::listed(*mcp::find_tool("failures")).at("inputSchema").at("properties").at("show");
  const std::vector<std::pair<const char*, Json>> flags = {{"no_victims", {{"type", "boolean"}}},
                                                           {"replicas", {{"type", "integer"}, {"minimum", 0}}},
                                                           {"namespace", text},
                                                           {"show", {{"type", "string"}, {"enum", {"all"}}}},
                                                           {"input", texts}};
  for (const auto& [name, schema] : flags) {
    INFO(name);
    Json found = fit.at(name);
    CHECK(found.at("description").is_string());
    found.erase("description");
    CHECK(found == schema);
  }
}

TEST_CASE("mcp: arguments become the words of a command line", "[mcp]") {
  const mcp::Tool& explain = *mcp::find_tool("explain");
  const mcp::Allowed allowed{.roots = {kFixtures}};
  const std::string dump = kFixtures + "/demo/tolerations.yaml";
  const auto call = mcp::call_of(
      explain, {{"input", {dump}}, {"pod", "ml/a"}, {"priority_class", "high"}, {"offset", 3}, {"page", "/nodes"}},
      allowed);
  REQUIRE(call);
  CHECK(call->words == std::vector<std::string>{"explain", "--priority-class=high", "--filename=" + dump, "ml/a"});
  CHECK(call->offset == 3);
  const auto message_of = [&](const Json& arguments) {
    const auto refused = mcp::call_of(explain, arguments, allowed);
    return refused ? std::string() : refused.error().message;
  };
  const auto numbered = mcp::call_of(explain, {{"input", {dump}}, {"now", 20260501}}, allowed);
  REQUIRE(numbered);
  CHECK(numbered->words.at(1) == "--now=20260501");
  CHECK(message_of({{"now", 1.5}}).find("expected a string") != std::string::npos);
  CHECK(message_of({{"f", "x"}}).find("unknown property; there are page, offset, max_bytes, pod, ") !=
        std::string::npos);
  CHECK(message_of({{"priority_clas", "high"}}).find("did you mean priority_class?") != std::string::npos);
  CHECK(message_of({{"pod", "--fix"}, {"input", {dump}}}).find("not a name") != std::string::npos);
  CHECK(message_of({{"pod", {"a", "b"}}, {"input", {dump}}}).find("one string") != std::string::npos);
  CHECK(message_of({{"input", {"-"}}}).find("standard input") != std::string::npos);
  CHECK(message_of({{"message", "-"}}).find("standard input") != std::string::npos);
  CHECK(message_of({{"input", {dump + ",/etc/passwd"}}}).find("without a comma") != std::string::npos);
  CHECK(message_of({{"input", {"/etc/passwd"}}}).find("outside the folders") != std::string::npos);
  CHECK(message_of({{"input", {"/etc/no-such-file"}}}).find("outside the folders") != std::string::npos);
  CHECK(message_of({{"input", {kFixtures + "/../CMakeLists.txt"}}}).find("outside the folders") != std::string::npos);
  CHECK(message_of({{"input", {dump}}, {"with", {"/etc/passwd"}}}).find("outside the folders") != std::string::npos);
  CHECK(message_of({{"input", {dump}}, {"max_bytes", 1}}).find("1024") != std::string::npos);
  CHECK(message_of({}).find("name the files") != std::string::npos);
  const auto inspected = mcp::call_of(*mcp::find_tool("inspect"), Json::object(), {.roots = {kFixtures}, .live = true});
  REQUIRE(!inspected);
  CHECK(inspected.error().message.find("does not read a cluster") != std::string::npos);
}

TEST_CASE("mcp: an answer has a summary, a document, and at most the size that was asked for", "[mcp]") {
  Client client;
  const Json arguments = {{"input", {kFixtures + "/demo/tolerations.yaml"}}};
  for (const std::size_t most : {2048U, 8192U}) {
    Json limited = arguments;
    limited["max_bytes"] = most;
    const Json result = client.call("explain", limited);
    CHECK(result.at("isError") == false);
    CHECK(result.dump(-1, ' ', true).size() <= most);
    CHECK(result.at("structuredContent").at("summary").get<std::string>().size() > 20);
    CHECK(Json::parse(result.at("content").at(0).at("text").get<std::string>()) == result.at("structuredContent"));
  }
}

TEST_CASE("mcp: the victims of a short answer are not cut", "[mcp]") {
  Client client;
  const Json answer =
      client.call("explain", {{"input", {kFixtures + "/demo/tolerations.yaml"}}}).at("structuredContent").at("answer");
  // As the README shows it: default/a-10min is evicted, default/b-30min tolerates the preemption.
  CHECK(answer.at("victims").size() == 1);
  CHECK(answer.at("tolerating").size() == 1);
}

TEST_CASE("mcp: what is cut can be had page by page", "[mcp]") {
  Client client;
  Json arguments = {{"input", {kFixtures + "/demo/full-cluster.yaml.zst"}}, {"max_bytes", 2048}};
  const Json more = client.call("inspect", arguments).at("structuredContent").at("more");
  REQUIRE(!more.empty());
  arguments["page"] = more.at(0).at("page");
  arguments["offset"] = more.at(0).at("shown");
  const Json rest = client.call("inspect", arguments).at("structuredContent");
  CHECK(rest.at("total") == more.at(0).at("total"));
  CHECK(!rest.at("items").empty());
}

TEST_CASE("mcp: errors that a model can correct are results", "[mcp]") {
  Client client;
  const Json unknown = client.call("explain", {{"input", {kFixtures + "/demo/tolerations.yaml"}}, {"pod", "ml/none"}});
  CHECK(unknown.at("isError") == true);
  CHECK(unknown.at("content").at(0).at("text").get<std::string>().find("ml/none") != std::string::npos);
  const Json message = client.call("why_pending", {{"message", "0/3 nodes are available: 3 Insufficient cpu."}});
  CHECK(message.at("isError") == false);
}

TEST_CASE("mcp: a changed dump is read again, and calls do not influence each other", "[mcp]") {
  const test::Scratch scratch;
  const std::string dump = (std::filesystem::canonical(scratch.path()) / "dump.yaml").string();
  const auto write = [&](const std::string& name) {
    std::ofstream(dump)
        << "apiVersion: v1\nkind: Pod\nmetadata: {name: " << name
        << ", namespace: ml}\nspec: {containers: [{name: c}], schedulerName: default-scheduler}\n---\n"
           "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nstatus: {allocatable: {cpu: 1, pods: 9}}\n";
  };
  Client client({.roots = {std::filesystem::canonical(scratch.path()).string()}});
  const auto summary = [&](const Json& extra) {
    Json arguments = {{"input", {dump}}};
    for (const auto& [key, value] : extra.items()) arguments[key] = value;
    return client.call("explain", arguments).at("structuredContent").at("summary").get<std::string>();
  };
  write("first");
  const std::string before = summary({});
  CHECK(before.find("ml/first") != std::string::npos);
  CHECK(summary({{"request", {"cpu=4"}}, {"pod", "ml/first"}}) != before);
  CHECK(summary({}) == before);
  write("second-pod");
  CHECK(summary({}).find("ml/second-pod") != std::string::npos);
}

// The second answer is made from objects that the server kept when the first one needed them.
TEST_CASE("mcp: what-if questions get the same answer again", "[mcp]") {
  const test::Scratch scratch;
  const std::string folder = std::filesystem::canonical(scratch.path()).string();
  const std::string list = "apiVersion: v1\nkind: List\nmetadata: {resourceVersion: \"\"}\nitems:\n";
  const std::string quota = R"(- apiVersion: v1
  kind: ResourceQuota
  metadata: {name: small, namespace: ml, uid: q}
  spec: {hard: {requests.cpu: "2"}}
  status: {hard: {requests.cpu: "2"}, used: {requests.cpu: "1"}}
)";
  const std::string node =
      "- apiVersion: v1\n  kind: Node\n  metadata: {name: node-1, uid: node-1}\n  status: {allocatable: {cpu: 8, "
      "pods: 9, memory: 8Gi}}\n";
  const std::string pod =
      "- apiVersion: v1\n  kind: Pod\n  metadata: {name: p, namespace: ml, uid: p}\n  spec: {schedulerName: "
      "default-scheduler, nodeName: node-1, containers: [{name: c}]}\n  status: {phase: Running}\n";
  Client client({.roots = {folder}});
  for (const std::string& tail : {std::string(), quota}) {
    const Json arguments = {
        {"input", {scratch.file("dump.yaml", list + node + pod + tail)}}, {"namespace", "ml"}, {"request", {"cpu=2"}}};
    const Json first = client.call("explain", arguments);
    // 1 CPU is used, and the quota allows 2.
    CHECK(first.at("isError") == !tail.empty());
    CHECK(client.call("explain", arguments) == first);
    CHECK(client.call("explain", arguments) == first);
  }
}

TEST_CASE("mcp: a call that takes too long, or is cancelled, ends", "[mcp]") {
  const std::string line =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"inspect","arguments":{"input":[")" +
      kFixtures + R"(/demo/full-cluster.yaml.zst"]}}})";
  mcp::ServerLimits limits;
  limits.time = std::chrono::nanoseconds(1);
  Client hasty({.roots = {kFixtures}}, limits);
  const Json late = hasty.ask({line}).at(0).at("result");
  CHECK(late.at("isError") == true);
  CHECK(late.at("content").at(0).at("text").get<std::string>().find("longer than") != std::string::npos);
  Client client;
  CHECK(client.ask({line, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"}).empty());
  CHECK(client.ask({line}).size() == 1);
}

TEST_CASE("mcp: the time of calls that are answered before does not count", "[mcp]") {
  mcp::ServerLimits limits;
  limits.time = std::chrono::seconds(60);
  Client client({.roots = {kFixtures}}, limits);
  const std::string line = Client::request_for("inspect", {{"input", {kFixtures + "/demo/tolerations.yaml"}}});
  const std::vector<std::string> lines(300, line);
  const std::vector<Json> answers = client.ask(lines);
  CHECK(answers.size() == 300);
  CHECK(std::all_of(answers.begin(), answers.end(),
                    [](const Json& answer) { return answer.at("result").at("isError") == false; }));
}

TEST_CASE("mcp: what clients write against the rules gets an error, and the next line an answer", "[mcp]") {
  Client client;
  const std::string ping = R"({"jsonrpc":"2.0","id":9,"method":"ping"})";
  for (const std::string line :
       {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":true,"method":"ping"})", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":7})", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})",
        "\xff\xfe", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "nonsense", "\x1b[31m"}) {
    INFO(line);
    const std::vector<Json> answers = client.ask({line, ping});
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].contains("error"));
    CHECK(answers[1].at("id") == 9);
  }
  // A notification gets no response, whatever it names; a response of the client neither.
  CHECK(client.ask({R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"inspect"}})"}).empty());
  CHECK(client.ask({R"({"jsonrpc":"2.0","id":3,"result":{}})"}).empty());
  CHECK(client.ask({R"({"jsonrpc":"2.0","id":null,"method":"ping"})"}).empty());
  CHECK(client.ask({R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}})"}).empty());
  CHECK(client.ask({ping + "\r"}).size() == 1);
}

TEST_CASE("mcp: lines of scripts have the arguments beside the tool", "[mcp]") {
  const auto request = mcp::request_of(R"({"tool": "explain", "pod": "ml/a", "id": "x"})", 7);
  REQUIRE(request);
  const Json json = Json::parse(*request);
  CHECK(json.at("id") == "x");
  CHECK(json.at("params") == Json({{"name", "explain"}, {"arguments", {{"pod", "ml/a"}}}}));
  CHECK(Json::parse(*mcp::request_of("{}", 7)).at("id") == 7);
  CHECK(mcp::is_plain(R"({"tool": "explain"})"));
  CHECK(!mcp::is_plain(R"({"jsonrpc": "2.0", "tool": "explain"})"));
  CHECK(!mcp::is_plain("[]"));
  CHECK(!mcp::is_plain("{"));
  CHECK(!mcp::request_of("[]", 7));
  CHECK(!mcp::request_of("{", 7));
  Client client;
  const auto answer = [&](const std::string& line) {
    return Json::parse(mcp::plain_line(client.lines_for({*mcp::request_of(line, 7)}).at(0)));
  };
  const Json good = answer(R"({"tool": "why_pending", "message": "0/3 nodes are available: 3 Insufficient cpu."})");
  CHECK(good.at("id") == 7);
  CHECK(good.at("summary").get<std::string>().find("cpu") != std::string::npos);
  CHECK(answer(R"({"tool": "explain"})").at("error").get<std::string>().find("name the files") != std::string::npos);
  CHECK(answer(R"({"tool": "delete"})").at("error") == "name: no such tool");
}

TEST_CASE("mcp: rules and manuals are resources", "[mcp]") {
  Client client;
  const auto read = [&](const std::string& uri) {
    return client.ask({R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" + uri + R"("}})"})
        .at(0);
  };
  CHECK(read("previct://rules/PT004").at("result").at("contents").at(0).at("text").get<std::string>().size() > 100);
  CHECK(read("previct://commands/explain").contains("result"));
  CHECK(error_code(read("previct://rules/XX999")) == -32602);
  CHECK(error_code(read("file:///etc/passwd")) == -32602);
  CHECK(error_code(read("previct://docs/../README")) == -32602);
  CHECK(error_code(read("previct://glossary/x")) == -32602);
  const auto text = [&](const std::string& uri) {
    return read(uri).at("result").at("contents").at(0).at("text").get<std::string>();
  };
  CHECK(text("previct://docs/agents") == test::read_all(test::kSource / "docs/agents.md"));
  CHECK(text("previct://words").find("kube.tolerance.runs") != std::string::npos);
  CHECK(text("previct://glossary").find("| preemptor |") != std::string::npos);
  const Json listed = client.ask({R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})"}).at(0).at("result");
  for (const Json& each : listed.at("resources")) CHECK(read(each.at("uri")).contains("result"));
}
