#include "engine/own_flags.h"

#include "api/pod.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {

TEST_CASE("own flags: a flag and its value are one argument or two", "[release]") {
  const auto flags_of = [](const std::string& command, const std::string& args = "[]") {
    const auto cluster =
        a_cluster({fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{name: s}}\nspec: {{containers: [{{name: c, "
                               "command: {}, args: {}}}]}}\n",
                               command, args)});
    const OwnFlags flags = own_flags(cluster->objects.pods[PodId{0}].spec.containers[0], cluster->objects.symbols);
    return fmt::format("{} {} {}", flags.gates, flags.emulated, flags.configured);
  };
  CHECK(flags_of("[s, '--feature-gates=A=true,B=false', '--config=/s.yaml']") == "A=true,B=false  true");
  CHECK(flags_of("[s, --feature-gates, 'A=true,B=false', --config, /s.yaml]") == "A=true,B=false  true");
  CHECK(flags_of("[s, --feature-gates]", "['A=true']") == "A=true  false");
  CHECK(flags_of("[s, '--feature-gates=A=true']", "['--feature-gates=A=false']") == "A=true,A=false  false");
  CHECK(flags_of("[s, '--feature-gates=kube:A=true, other:B=true']") == "A=true  false");
  CHECK(flags_of("[s, '--emulated-version=kube=1.33']") == " 1.33 false");
  CHECK(flags_of("[s, --emulated-version, '1.33']") == " 1.33 false");
  CHECK(flags_of("[sh, -c, 'exec s --feature-gates=A=true --v=2']") == "A=true  false");
  CHECK(flags_of("[sh, -c, 'exec s --config /s.yaml']") == "  true");
  CHECK(flags_of("[s, '--password=hunter2', --v, '2', 'A=true']") == "  false");
}

TEST_CASE("own flags: the rates of calls and the flush", "[release]") {
  for (const std::string_view between : {"=", "', '"}) {
    CAPTURE(between);
    const auto cluster = a_cluster(
        {fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{name: s}}\nspec: {{containers: [{{name: c, command: [s, "
                     "'--kube-api-qps{0}2', '--kube-api-burst{0}3', '--pod-max-in-unschedulable-pods-duration{0}30s', "
                     "'--password', '4']}}]}}\n",
                     between)});
    const Container& container = cluster->objects.pods[PodId{0}].spec.containers[0];
    const OwnFlags flags = own_flags(container, cluster->objects.symbols);
    CHECK(flags.qps == "2");
    CHECK(flags.burst == "3");
    CHECK(flags.flush == "30s");
    CHECK(container.command.size() == (between == "=" ? 3 : 6));
  }
}

TEST_CASE("own flags: other arguments are not kept", "[release]") {
  for (const std::string_view other : {"--password=x", "--config-map=a", "hunter2", "Secret", "Secret=x", "a=true",
                                       "1.2.3", "1.234", "Ab=true,cd", "s --token=--x", ""}) {
    CAPTURE(other);
    CHECK(flag_of_release(other).empty());
  }
  CHECK(flag_of_release("--config=/secret") == "--config");
  CHECK(flag_of_release("s --token=x --feature-gates=A=true --password=y") == "--feature-gates=A=true");
}

}  // namespace previct::test
