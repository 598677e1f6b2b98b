#include "cli/options.h"

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

constexpr std::array kFlags = {
    Flag{Group::state, 'f', "filename", "FILE",
         "objects to read: file, archive, directory or - (repeatable, comma list)",
         "Lists and streams of kubectl get -o yaml or json, kind by kind or all in one, plain or compressed, in tar or "
         "zip.",
         &Options::filenames},
    Flag{Group::state, 'R', "recursive", "", "read directories below directories, too", "", &Options::recursive, true},
    Flag{Group::state, 0, "keep-going", "", "leave out a file that cannot be read; the answer is then incomplete", "",
         &Options::keep_going, true},
    Flag{Group::state, 0, "max-input", "SIZE", "refuse more than this of one input, unpacked (4Gi)", "",
         &Options::max_input, true},
    Flag{Group::state, 0, "max-memory", "SIZE",
         "refuse input that takes more memory than this to read (640Mi, and 4 times the size of the input)", "",
         &Options::max_memory, true},
    Flag{Group::reading, 0, "threads", "N", "how many to work with; nothing else depends on it (one per core)", "",
         &Options::threads, true},
    Flag{Group::reading, 0, "stats", "", "what was read, by which path and how fast, on stderr",
         "Objects as kubectl prints them are read fast, all others by a general path that knows the whole of YAML and "
         "JSON.",
         &Options::stats, true},

    Flag{Group::tests, 0, "run", "PATTERN", "only the cases whose SUITE/TEST matches",
         "With * (any characters) or ? (any one) it must match the whole name; without, a part of it will do.",
         &Options::run},
    Flag{Group::tests, 0, "update", "", "rewrite the exactly lists that do not hold; not in CI", "", &Options::update},
    Flag{Group::tests, 0, "new", "POD", "print a suite that pins today's answer about POD of -f", "",
         &Options::new_test},
    Flag{Group::tests, 0, "coverage", "", "which classes, queues and rules the suites exercise", "",
         &Options::coverage},
    Flag{Group::live, 0, "offline", "", "ask no cluster, which is done where no -f names an input", "",
         &Options::offline, true},
    Flag{
        Group::live, 0, "kubectl", "PATH", "the kubectl that asks the cluster (default: that of PATH)",
        "It is run without a shell, as kubectl get --raw=/api/v1/pods?limit=500, for each kind that is needed; nothing "
        "is written to the cluster.",
        &Options::kubectl, true},
    Flag{Group::live, 0, "page-size", "N", "objects a request; 0: a whole list (500)", "", &Options::page_size, true},

    Flag{Group::connection, 0, "kubeconfig", "FILE", "as kubectl has it", "", &Options::kubeconfig},
    Flag{Group::connection, 0, "context", "NAME", "as kubectl has it", "", &Options::kube_context},
    Flag{Group::connection, 0, "cluster", "NAME", "as kubectl has it", "", &Options::cluster},
    Flag{Group::connection, 0, "user", "NAME", "as kubectl has it", "", &Options::user},
    Flag{Group::connection, 's', "server", "URL", "as kubectl has it", "", &Options::server},
    Flag{Group::connection, 0, "token", "TOKEN", "as kubectl has it", "", &Options::token},
    Flag{Group::connection, 0, "as", "NAME", "as kubectl has it", "", &Options::as},
    Flag{Group::connection, 0, "as-group", "NAME", "as kubectl has it (repeatable)", "", &Options::as_group},
    Flag{Group::connection, 0, "as-uid", "UID", "as kubectl has it", "", &Options::as_uid},
    Flag{Group::connection, 0, "request-timeout", "LENGTH", "as kubectl has it", "", &Options::request_timeout},
    Flag{Group::connection, 0, "tls-server-name", "NAME", "as kubectl has it", "", &Options::tls_server_name},
    Flag{Group::connection, 0, "insecure-skip-tls-verify", "", "as kubectl has it", "",
         &Options::insecure_skip_tls_verify},

    Flag{Group::watch, 0, "watch", "", "go on asking the cluster; speak when the decision changes",
         "It is asked again every --interval, and at the moment at which a toleration ends. Ends with Ctrl-C.",
         &Options::watch},
    Flag{Group::watch, 0, "interval", "LENGTH", "how often --watch asks (15s)", "", &Options::interval, true},

    Flag{Group::capture, 0, "to", "FILE", "the file to write, for its owner alone (mode 0600)",
         "JSON lines, or with a name in .yaml YAML documents; .zst and .gz behind that pack them. It appears whole or "
         "not at all. "
         "-o state.jsonl.zst means the same.",
         &Options::target},
    Flag{Group::capture, 0, "force", "", "let it replace a file", "", &Options::force},

    Flag{Group::anonymize, 0, "verify", "", "decide every pending pod on both; exit 1 if that differs",
         "What was written is read again for that. The flags below say how both are decided.", &Options::verify},
    Flag{Group::anonymize, 0, "map", "FILE", "write the old names with the new to this file, for its owner alone", "",
         &Options::map},

    Flag{Group::sides, 0, "from", "FILE", "the earlier side: a dump, or with -f policies to lay over it", "",
         &Options::from},
    Flag{Group::sides, 0, "to", "FILE", "the later side, likewise", "", &Options::to},

    Flag{Group::overlay, 0, "with", "FILE", "lay these manifests over the input (repeatable)",
         "An object takes the place of that of its kind and name, or is added; the pod of a Deployment, StatefulSet, "
         "DaemonSet, Job or CronJob, too. A KubeSchedulerConfiguration or queues.yaml counts as the one in force.",
         &Options::with},
    Flag{Group::overlay, 0, "without", "KIND/NAME", "take this object away: pod/ml/train-0 (repeatable)", "",
         &Options::without},
    Flag{Group::overlay, 0, "priority-class", "CLASS", "give POD, or the only pending one, this class", "",
         &Options::priority_class},
    Flag{Group::overlay, 0, "request", "LIST", "let POD request cpu=2,memory=4Gi; without a POD, a new one", "",
         &Options::requests},

    Flag{Group::fit, 0, "no-victims", "", "nobody may be evicted for it", "", &Options::no_victims},
    Flag{Group::fit, 0, "no-violations", "", "no disruption budget may be violated for it", "",
         &Options::no_violations},
    Flag{Group::fit, 0, "replicas", "N", "how many of N copies of POD get in, one after another", "",
         &Options::replicas},

    Flag{Group::question, 'n', "namespace", "NS", "namespace of POD, or of the pending pods to ask about", "",
         &Options::ns},
    Flag{Group::question, 'A', "all-namespaces", "", "pending pods of all namespaces (the default for dumps)", "",
         &Options::all_namespaces},
    Flag{Group::selection, 'l', "selector", "LABELS", "only pending pods with labels: app=a,t!=b",
         "Goes without POD. Terms are KEY, !KEY, KEY=VALUE and KEY!=VALUE; all of them must hold.", &Options::selector},

    Flag{Group::question, 0, "now", "TIME|dump|clock", "RFC 3339, or dump: the newest time in the input, or clock",
         "Default: dump with -f, so that tomorrow gives today's answer; clock for a live cluster.", &Options::now},

    Flag{Group::nodes, 0, "node", "NODE", "explain this node in full (repeatable)", "", &Options::nodes},
    Flag{Group::nodes, 0, "possible", "", "-o name: also pods that only may go",
         "Where several nodes tie, or the scheduler looks at a sample of them, no single outcome is certain. The "
         "conditions pdb-violation and victim-priority of --fail-on hold if every possible outcome is so, with this "
         "flag "
         "if one is.",
         &Options::possible},
    Flag{Group::nodes, 0, "show", "chosen|candidates|all", "how many nodes to list", "", &Options::show},

    Flag{Group::time, 0, "at", "TIME", "ask for this moment: +20m from now, or RFC 3339 (repeatable)", "",
         &Options::at},
    Flag{Group::time, 0, "horizon", "LENGTH", "every answer from now to then (24h), one an interval", "",
         &Options::horizon},
    Flag{Group::time, 0, "unschedulable-flush", "LENGTH", "how long kube-scheduler leaves a failed pod aside (5m)",
         "--pod-max-in-unschedulable-pods-duration of the scheduler; it is looked at every 30 s.", &Options::flush,
         true},

    Flag{Group::protection, 0, "against", "WHO", "protected against this PriorityClass, priority or queue", "",
         &Options::against},
    Flag{Group::protection, 0, "by", "class", "one row a class", "", &Options::by},
    Flag{Group::protection, 0, "ended", "", "also pods whose toleration is over", "", &Options::ended},

    Flag{Group::history, 0, "hide-foreign", "", "name nobody of another namespace than POD's: uids instead",
         "For handing the answer to one tenant. It holds for every format; warnings are left out.",
         &Options::hide_foreign},

    Flag{Group::rows, 0, "show", "all", "every row; else the first of a long table", "", &Options::show},

    Flag{Group::sequence, 0, "pods", "POD", "only these pending pods take part (repeatable, comma list)", "",
         &Options::pods},
    Flag{Group::sequence, 0, "arrive", "POD=+LENGTH", "this pending pod is created that much later (repeatable)", "",
         &Options::arrive},
    Flag{Group::sequence, 0, "fail", "CALL", "a call to the API server that fails (repeatable)",
         "delete:POD, patch-status:POD, nominate:POD: the first such call; api:+1s..+20s: every call of that time.",
         &Options::failures},
    Flag{Group::sequence, 0, "api-latency", "LENGTH", "how long a call takes (5ms)", "", &Options::api_latency, true},
    Flag{Group::sequence, 0, "qps", "N", "calls a second of the scheduler's client (50)",
         "Else clientConnection.qps of --scheduler-config.", &Options::qps, true},
    Flag{Group::sequence, 0, "burst", "N", "calls at once before that limit holds (100)",
         "Else clientConnection.burst of --scheduler-config.", &Options::burst, true},
    Flag{Group::sequence, 0, "horizon", "LENGTH", "play no further than this (1h)", "", &Options::horizon},
    Flag{Group::sequence, 0, "unschedulable-flush", "LENGTH", "how long kube-scheduler leaves a failed pod aside (5m)",
         "--pod-max-in-unschedulable-pods-duration of the scheduler; it is looked at every 30 s.", &Options::flush,
         true},
    Flag{Group::sequence, 0, "show", "all", "one line a step; else victims in a row share one", "", &Options::show},

    Flag{Group::inspection, 0, "pending", "", "list the pods that wait for a scheduler", "", &Options::pending},
    Flag{Group::inspection, 0, "engine", "auto|ENGINE", "say what this one needs (default: those the pods go to)", "",
         &Options::engine},

    Flag{Group::scheduler, 0, "engine", "auto|ENGINE", "whose rules: auto goes by schedulerName",
         "previct version -v names the engines.", &Options::engine},
    Flag{Group::scheduler, 0, "scheduler-config", "FILE", "KubeSchedulerConfiguration in force", "",
         &Options::scheduler_config},
    Flag{Group::scheduler, 0, "toleration-plugin", "auto|on|off",
         "PreemptionToleration in place of DefaultPreemption (KEP-205)",
         "auto: as the scheduler configuration says; without one, on if a PriorityClass carries its "
         "annotations.",
         &Options::toleration_plugin},
    Flag{Group::scheduler, 0, "k8s-version", "X.Y", "behave as this release of kube-scheduler", "",
         &Options::k8s_version},
    Flag{Group::scheduler, 0, "feature-gates", "LIST", "A=true,B=false, as given to the scheduler", "",
         &Options::feature_gates, true},
    Flag{Group::scheduler, 0, "yunikorn-mode", "release|design-1.5.1", "YuniKorn as released, or its design document",
         "", &Options::yunikorn_mode, true},
    Flag{Group::scheduler, 0, "yunikorn-config", "FILE", "queues.yaml, if the dump lacks the ConfigMap", "",
         &Options::yunikorn_config, true},
    Flag{Group::scheduler, 0, "shard", "SHARD", "KAI SchedulingShard that is asked", "", &Options::shard, true},
    Flag{
        Group::state, 0, "complete", "", "the input holds all there is: kinds without objects have none",
        "kubectl get prints one list, which shows no kind of which there was nothing. --assume none=KIND says the same "
        "of one kind.",
        &Options::complete, true},
    Flag{Group::scheduler, 0, "assume", "FILE|none=KIND",
         "what no dump contains (kind: Assumptions); or kinds of which the cluster has no object", "", &Options::assume,
         true},

    Flag{Group::lint, 0, "only", "RULES", "apply these rules or families alone: PT,SC001", "", &Options::only},
    Flag{Group::lint, 0, "skip", "RULES", "leave these out", "", &Options::skip},
    Flag{Group::lint, 0, "severity", "RULE=LEVEL", "another severity for a rule: PT011=error", "", &Options::severity},
    Flag{Group::lint, 0, "fail-on", "LEVEL", "exit 1 from this severity on: error (default), warning, info, never", "",
         &Options::fail_on},
    Flag{Group::lint, 0, "config", "FILE", "settings (default: the nearest .previct.yaml)", "", &Options::config},
    Flag{Group::lint, 0, "baseline", "FILE", "ignore the findings that this file holds", "", &Options::baseline},
    Flag{Group::lint, 0, "write-baseline", "FILE", "write all findings to this file, and exit 0", "",
         &Options::write_baseline},
    Flag{Group::lint, 0, "scopes", "", "say what is taken to be applied together, and stop", "", &Options::scopes},
    Flag{Group::lint, 0, "fix", "", "make the fixes that findings carry, and lint again", "", &Options::fix},
    Flag{Group::lint, 0, "dry-run", "", "with --fix: show the changes as a diff instead", "", &Options::dry_run},
    Flag{Group::lint, 0, "context", "", "the lines that findings are about, also when piped", "", &Options::context},
    Flag{Group::lint, 0, "now", "TIME", "the date that ignores expire by (default: today)", "", &Options::now},

    Flag{Group::output, 'o', "output", "FORMAT[=FILE]",
         "text, wide, name, json, jsonl, yaml, md, html, sarif, junit or github (repeatable)",
         "With =FILE the format goes there; the file appears whole or not at all.", &Options::outputs},
    Flag{Group::output, 0, "no-headers", "", "tables without their heads", "", &Options::no_headers, true},
    Flag{Group::output, 0, "color", "auto|always|never", "colours support words, they never carry meaning alone",
         "auto heeds NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR and TERM=dumb.", &Options::color, true},
    Flag{Group::output, 0, "width", "N", "columns to fit into; 0: no limit (default: the terminal's)", "",
         &Options::width, true},
    Flag{Group::output, 0, "ascii", "", "no character beyond ASCII", "", &Options::ascii, true},
    Flag{Group::output, 0, "list-outputs", "", "say which formats there are, and do nothing else", "",
         &Options::list_outputs, true},
    Flag{Group::output, 'q', "quiet", "", "no warnings", "", &Options::quiet},
    Flag{Group::output, 'v', "verbose", "", "say more, on stderr",
         "What each phase took; under an error the line that it is about, as on a terminal.", &Options::verbose},

    Flag{Group::strictness, 0, "strict", "", "exit 3 if the input or the model is incomplete", "", &Options::strict},
    Flag{Group::strictness, 0, "fail-on", "LIST", "exit 1 on an outcome (pending, preempts, ...) or incomplete",
         "Outcomes: fits, preempts, pending, not-eligible, waits, gated, deleting, scheduled, error. "
         "Conditions: "
         "incomplete, pdb-violation, victim-priority>=N, changes-within=30m. With --at and --horizon at one of the "
         "moments; tolerations, "
         "sequence, diff and why-preempted, which decide about no single pod, take incomplete alone.",
         &Options::fail_on},

    Flag{Group::help, 'h', "", "", "this page; --help tells more", "", &Options::short_help},
    Flag{Group::help, 0, "help", "", "the long help", "", &Options::long_help},
};

}  // namespace

auto alternatives(std::string_view value) -> std::vector<std::string_view> {
  std::vector<std::string_view> parts;
  while (!value.empty()) {
    const std::size_t bar = value.find('|');
    parts.push_back(value.substr(0, bar));
    value.remove_prefix(bar == std::string_view::npos ? value.size() : bar + 1);
  }
  return parts;
}

auto is_placeholder(std::string_view alternative) -> bool {
  return !alternative.empty() && alternative.front() >= 'A' && alternative.front() <= 'Z';
}

auto Flag::closed() const -> bool {
  const auto all = alternatives(value);
  return !all.empty() && std::none_of(all.begin(), all.end(), is_placeholder);
}

auto flags() -> std::span<const Flag> {
  return kFlags;
}

auto group_title(Group group) -> std::string_view {
  switch (group) {
    case Group::state: return "STATE";
    case Group::reading: return "READING";
    case Group::tests: return "TESTS";
    case Group::live: return "LIVE";
    case Group::connection: return "CONNECTION";
    case Group::watch: return "WATCH";
    case Group::capture: return "CAPTURE";
    case Group::anonymize: return "ANONYMIZE";
    case Group::sides: return "SIDES";
    case Group::overlay: return "WHAT IF";
    case Group::fit: return "FIT";
    case Group::question: return "QUESTION";
    case Group::selection: return "SELECTION";
    case Group::nodes: return "NODES";
    case Group::time: return "TIME";
    case Group::protection: return "PROTECTION";
    case Group::history: return "HISTORY";
    case Group::rows: return "ROWS";
    case Group::sequence: return "SEQUENCE";
    case Group::inspection: return "INSPECTION";
    case Group::scheduler: return "SCHEDULER";
    case Group::lint: return "LINT";
    case Group::output: return "OUTPUT";
    case Group::strictness: return "STRICTNESS";
    case Group::help: return "HELP";
  }
  return "";
}

}  // namespace previct::cli
