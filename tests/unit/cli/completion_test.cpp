#include "cli/completion.h"

#include "cli/completion_scripts.h"
#include "support/skipped.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace previct::cli;

namespace {

const std::string kTolerations = PREVICT_SOURCE_DIR "/fixtures/demo/tolerations.yaml";

auto texts(const Completion& completion) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const auto& candidate : completion.candidates) all.push_back(candidate.text);
  return all;
}

auto offered(const std::vector<std::string>& words) -> std::vector<std::string> {
  return texts(complete(words));
}

using Words = std::vector<std::string>;

// A temporary file that is removed in the destructor.
class DumpFile {
 public:
  explicit DumpFile(std::string_view text) {
    REQUIRE(mkdtemp(folder_.data()) != nullptr);
    std::ofstream(path()) << text;
  }
  DumpFile(const DumpFile&) = delete;
  auto operator=(const DumpFile&) -> DumpFile& = delete;
  ~DumpFile() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] auto path() const -> std::string { return folder_ + "/dump.yaml"; }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "previct-completion-XXXXXX").string();
};

}  // namespace

TEST_CASE("completion: the first word is a command", "[completion]") {
  CHECK(offered({"expl"}) == Words{"explain"});
  CHECK(offered({"--v"}) == Words{"--version"});
  const Words all = offered({""});
  CHECK(all.size() == commands().size());
  CHECK(offered({}) == all);
  CHECK(offered({"help", "expl"}) == Words{"explain"});
  CHECK(offered({"no-such-command", ""}).empty());
}

TEST_CASE("completion: values of a flag follow it in any spelling", "[completion]") {
  CHECK(offered({"explain", "--color", ""}) == Words{"always", "auto", "never"});
  CHECK(offered({"explain", "--color=al"}) == Words{"always"});
  CHECK(offered({"explain", "--toleration-plugin", "o"}) == Words{"off", "on"});
  CHECK(offered({"explain", "--now", ""}) == Words{"clock", "dump"});
  CHECK(offered({"explain", "-o", "js"}) == Words{"json", "jsonl"});
  CHECK(offered({"explain", "-Ao", "jsonl"}) == Words{"jsonl"});
  CHECK(offered({"explain", "-oyam"}) == Words{"-oyaml"});
  CHECK(offered({"explain", "--engine", "ku"}) == Words{"kube", "kueue"});
  CHECK(offered({"explain", "--engine", "aut"}) == Words{"auto"});
  CHECK(offered({"completion", ""}) == Words{"bash", "fish", "kubectl", "powershell", "zsh"});
  CHECK(offered({"completion", "bash", ""}).empty());
  CHECK(offered({"explain", "--horizon", ""}).empty());
  CHECK(offered({"explain", "--strict=", ""}).empty());
}

TEST_CASE("completion: rules of lint are completed by their ids", "[completion]") {
  CHECK(offered({"rules", "PT004"}) == Words{"PT004"});
  CHECK(offered({"lint", "--skip", "PT004"}) == Words{"PT004"});
  CHECK(offered({"lint", "--fail-on", "w"}) == Words{"warning"});
  const auto described = complete({"rules", "PT004"}).candidates;
  CHECK(!described.front().what.empty());
}

TEST_CASE("completion: files are left to the shell, and only where one is expected", "[completion]") {
  CHECK(protocol_text(complete({"explain", "-f", "x"})) == ":0\n");
  CHECK(protocol_text(complete({"explain", "--scheduler-config=x"})) == ":0\n");
  CHECK(protocol_text(complete({"explain", "-o", "json=x"})) == ":0\n");
  CHECK(protocol_text(complete({"lint", "x"})) == ":0\n");
  CHECK(protocol_text(complete({"explain", "--node", "x"})) == ":4\n");
  CHECK(protocol_text(complete({"version", ""})) == ":4\n");
}

TEST_CASE("completion: names come from the input of -f", "[completion]") {
  CHECK(offered({"explain", "-f", kTolerations, ""}) ==
        Words{"default/a-10min", "default/b-30min", "default/preemptor"});
  CHECK(offered({"explain", "-f", kTolerations, "default/p"}) == Words{"default/preemptor"});
  CHECK(offered({"explain", "-f", kTolerations, "-n", "default", "pre"}) == Words{"preemptor"});
  CHECK(offered({"explain", "-f", kTolerations, "-n", "kube-system", ""}).empty());
  CHECK(offered({"explain", "--filename=" + kTolerations, "--node", ""}) == Words{"node-a", "node-b"});
  CHECK(offered({"explain", "-f", kTolerations, "default/preemptor", ""}).empty());
  const Words against = offered({"tolerations", "-f", kTolerations, "--against", "h"});
  CHECK(against == Words{"high"});
  CHECK(protocol_text(complete({"explain", "-f", kTolerations, "default/p"})) ==
        "default/preemptor\tpending, priority 9000\n:4\n");
}

TEST_CASE("completion: an input that cannot be read gives no names and no output", "[completion]") {
  CHECK(protocol_text(complete({"explain", "-f", "/no/such/file", ""})) == ":4\n");
  CHECK(protocol_text(complete({"explain", "-f", "-", ""})) == ":4\n");
  CHECK(protocol_text(complete({"explain", ""})) == ":4\n");
  CHECK(protocol_text(complete({"explain", "--no-such-flag", ""})) == ":4\n");
}

TEST_CASE("completion: a name with special characters of a shell is not offered", "[completion]") {
  const DumpFile dump(R"yaml(apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: "$(touch x)", namespace: "default"}}
- {apiVersion: v1, kind: Pod, metadata: {name: "`id`", namespace: "default"}}
- {apiVersion: v1, kind: Pod, metadata: {name: "a b", namespace: "default"}}
- {apiVersion: v1, kind: Pod, metadata: {name: "good", namespace: "default"}}
- {apiVersion: v1, kind: Node, metadata: {name: "x;id"}}
metadata:
  resourceVersion: ""
)yaml");
  CHECK(offered({"explain", "-f", dump.path(), ""}) == Words{"default/good"});
  CHECK(offered({"explain", "-f", dump.path(), "--node", ""}).empty());
}

TEST_CASE("completion: with very many pods, namespaces are offered first", "[completion]") {
  std::ostringstream text;
  text << "apiVersion: v1\nkind: List\nitems:\n";
  for (int i = 0; i < 300; ++i) {
    text << "- {apiVersion: v1, kind: Pod, metadata: {name: p" << i << ", namespace: ns" << i % 3 << "}}\n";
  }
  text << "metadata:\n  resourceVersion: \"\"\n";
  const DumpFile dump(text.str());
  CHECK(protocol_text(complete({"explain", "-f", dump.path(), ""})) == "ns0/\nns1/\nns2/\n:6\n");
  CHECK(offered({"explain", "-f", dump.path(), "ns0/"}).size() == 100);
}

TEST_CASE("completion: offers exactly the flags of the help", "[completion]") {
  for (const Command* command : commands()) {
    Words wanted;
    for (const Flag& flag : flags()) {
      if (std::find(command->groups.begin(), command->groups.end(), flag.group) == command->groups.end()) continue;
      if (!flag.name.empty()) wanted.push_back("--" + std::string(flag.name));
      if (flag.letter != 0) wanted.push_back(std::string("-") + flag.letter);
    }
    std::sort(wanted.begin(), wanted.end());
    INFO(command->name);
    CHECK(offered({std::string(command->name), "-"}) == wanted);
  }
}

TEST_CASE("completion: the installed scripts are these, and shells can read them", "[completion]") {
  Words shells;
  for (const CompletionScript& script : completion_scripts()) {
    shells.emplace_back(script.shell);
    std::ifstream file(PREVICT_SOURCE_DIR "/completions/previct." + shells.back(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    CHECK(text.str() == script.text);
    const std::string shell = shells.back() == "kubectl"      ? "sh"
                              : shells.back() == "powershell" ? "pwsh"
                                                              : shells.back();
    // Debian has no package of PowerShell.
    if (shell == "pwsh" ? !previct::test::is_installed(shell) : !previct::test::has_program(shell)) continue;
    INFO(shell << " is installed here and refuses its script");
    const std::string path = PREVICT_SOURCE_DIR "/completions/previct." + shells.back();
    const std::string reads =
        shell == "pwsh" ? " -NoProfile -Command \"[void][scriptblock]::Create((Get-Content -Raw '" + path + "'))\""
                        : " -n '" + path + "'";
    CHECK(std::system((shell + reads).c_str()) == 0);
  }
  CHECK(shells == Words{"bash", "fish", "kubectl", "powershell", "zsh"});
}
