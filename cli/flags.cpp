#include "cli/options.h"

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

constexpr std::array kFlags = {
    Flag{Group::state, 'f', "filename", "FILE",
         "objects to read: file, archive, directory or - (repeatable, comma list)",
         "Output of kubectl get -o yaml or -o json, one kind or several per file, plain or compressed, also in tar and "
         "zip archives. The format is detected automatically.",
         &Options::filenames},
    Flag{Group::state, 'R', "recursive", "", "read directories recursively", "", &Options::recursive, true},
    Flag{Group::state, 0, "keep-going", "", "skip files that cannot be read; the answer is then incomplete", "",
         &Options::keep_going, true},
    Flag{Group::state, 0, "max-input", "SIZE", "maximum decompressed size of one input (4Gi)", "", &Options::max_input,
         true},
    Flag{Group::state, 0, "max-memory", "SIZE", "maximum memory for reading (640Mi plus 4 times the size of the input)",
         "", &Options::max_memory, true},
    Flag{Group::reading, 0, "threads", "N", "number of threads; results are identical (one per core)", "",
         &Options::threads, true},
    Flag{Group::reading, 0, "stats", "", "print what was read, and how fast, to stderr",
         "A fast parser reads objects in kubectl's format, and a complete parser all others.", &Options::stats, true},

    Flag{Group::tests, 0, "run", "PATTERN", "run only the cases whose SUITE/TEST matches",
         "A pattern with * (any characters) or ? (any one character) must match the whole name; any other matches a "
         "part of it.",
         &Options::run},
    Flag{Group::tests, 0, "update", "", "rewrite the exactly lists that do not match; not allowed in CI", "",
         &Options::update},
    Flag{Group::tests, 0, "new", "POD", "print a suite that expects the current answer about POD in -f", "",
         &Options::new_test},
    Flag{Group::tests, 0, "coverage", "", "report which classes, queues and rules the suites exercise", "",
         &Options::coverage},
    Flag{Group::tests, 0, "min-coverage", "PERCENT",
         "fail if suites exercise a smaller share of the classes and queues",
         "Prints the coverage, as --coverage does.", &Options::min_coverage},
    Flag{Group::live, 0, "offline", "", "never contact a cluster", "", &Options::offline, true},
    Flag{Group::live, 0, "kubectl", "PATH", "the kubectl to run (default: the one in PATH)",
         "previct runs it without a shell, as kubectl get --raw=/api/v1/pods?limit=10000, for each kind that it needs. "
         "It does not write to the cluster.",
         &Options::kubectl, true},
    Flag{Group::live, 0, "page-size", "N", "objects per request; 0 for whole lists (10000)", "", &Options::page_size,
         true},

    Flag{Group::connection, 0, "kubeconfig", "FILE", "passed to kubectl", "", &Options::kubeconfig},
    Flag{Group::connection, 0, "context", "NAME", "passed to kubectl", "", &Options::kube_context},
    Flag{Group::connection, 0, "cluster", "NAME", "passed to kubectl", "", &Options::cluster},
    Flag{Group::connection, 0, "user", "NAME", "passed to kubectl", "", &Options::user},
    Flag{Group::connection, 's', "server", "URL", "passed to kubectl", "", &Options::server},
    Flag{Group::connection, 0, "token", "TOKEN", "passed to kubectl", "", &Options::token, false, false, true},
    Flag{Group::connection, 0, "as", "NAME", "passed to kubectl", "", &Options::as},
    Flag{Group::connection, 0, "as-group", "NAME", "passed to kubectl (repeatable)", "", &Options::as_group},
    Flag{Group::connection, 0, "as-uid", "UID", "passed to kubectl", "", &Options::as_uid},
    Flag{Group::connection, 0, "request-timeout", "LENGTH", "passed to kubectl", "", &Options::request_timeout},
    Flag{Group::connection, 0, "tls-server-name", "NAME", "passed to kubectl", "", &Options::tls_server_name},
    Flag{Group::connection, 0, "insecure-skip-tls-verify", "", "passed to kubectl", "",
         &Options::insecure_skip_tls_verify},

    Flag{Group::watch, 0, "watch", "", "print again when the decision changes",
         "previct reads the cluster once and then watches it, and prints a new answer within a second of a change. "
         "This needs permission for the verb watch; without it, previct reads the cluster again every --interval. Stop "
         "with Ctrl-C.",
         &Options::watch},
    Flag{Group::watch, 0, "interval", "LENGTH", "polling interval of --watch without permission to watch (15s)", "",
         &Options::interval, true},

    Flag{Group::capture, 0, "to", "FILE", "the file to write, readable only by you (mode 0600)",
         "JSON lines, or YAML documents if the name ends in .yaml; an additional .zst or .gz compresses them. The file "
         "is either complete or absent. - is standard output: the summary is then written to standard error. -o "
         "state.jsonl.zst means the same.",
         &Options::target},
    Flag{Group::capture, 0, "force", "", "overwrite an existing file", "", &Options::force},

    Flag{
        Group::series, 0, "series", "DIR", "add the state to a series: a folder with a file for each state",
        "Each file is named by its time and readable with -f by every command. Most files are patches: they store only "
        "what differs from the state before, and need the files before them. With several -f, each file is a state of "
        "its own.",
        &Options::series, false, true},
    Flag{Group::series, 0, "every", "LENGTH", "with --series: capture again at this interval, until Ctrl-C", "",
         &Options::every},
    Flag{Group::series, 0, "keep", "LENGTH", "with --series: delete older states: 168h (default: keep all)",
         "Deletes the patches of a whole state together with it, when all of them are older.", &Options::keep, false,
         true},

    Flag{Group::backtest, 0, "series", "DIR", "the states to decide: a folder that capture --series wrote",
         "Without -f, and instead of a cluster.", &Options::series},
    Flag{Group::backtest, 0, "merge", "FILE", "report on the states in these outputs of -o jsonl (repeatable)",
         "The parts of one backtest that --shard I/N split. The result is that of a single run.", &Options::merge},
    Flag{Group::backtest, 0, "epoch", "[PODS=]LENGTH", "interval at which these pods save their work (repeatable)",
         "Lost work counts from the end of the last epoch. Without PODS, it applies to all pods.", &Options::epochs},

    Flag{Group::anonymize, 0, "verify", "", "decide every pending pod on both states; exit 1 if one differs",
         "previct reads the written file again for this. The flags below apply to both decisions.", &Options::verify},
    Flag{Group::anonymize, 0, "map", "FILE", "write old and new names to this file, readable only by you", "",
         &Options::map},

    Flag{Group::sides, 0, "from", "FILE", "the earlier side: a dump, or with -f, policies to apply to it", "",
         &Options::from},
    Flag{Group::sides, 0, "to", "FILE", "the later side, in the same way",
         "With -f, objects of --from that --to lacks are removed from the state.", &Options::to},

    Flag{Group::overlay, 0, "with", "FILE", "apply these manifests to the input first (repeatable)",
         "An object replaces the object of the same kind and name, or is added. A Deployment, StatefulSet, DaemonSet, "
         "Job or CronJob also adds the pod that it would create, or deletes the pods beyond its replicas. A "
         "KubeSchedulerConfiguration or queues.yaml replaces the current one.",
         &Options::with},
    Flag{Group::overlay, 0, "without", "KIND/NAME", "remove this object: pod/ml/train-0 (repeatable)", "",
         &Options::without, true},
    Flag{Group::overlay, 0, "node-template", "FILE", "add nodes like the Node in this manifest",
         "The nodes are named NAME-1, NAME-2 and so on.", &Options::node_template, true},
    Flag{Group::overlay, 0, "count", "N", "number of nodes that --node-template adds (1)", "", &Options::node_count,
         true},
    Flag{Group::overlay, 0, "priority-class", "CLASS", "class of POD, or of the pending pod", "",
         &Options::priority_class, true},
    Flag{Group::overlay, 0, "request", "LIST", "give POD these requests: cpu=2,memory=4Gi; without POD, a new pod", "",
         &Options::requests, true},

    Flag{Group::fit, 0, "no-victims", "", "only changes that evict no pod", "", &Options::no_victims},
    Flag{Group::fit, 0, "no-violations", "", "only changes that violate no PodDisruptionBudget", "",
         &Options::no_violations},
    Flag{Group::fit, 0, "replicas", "N", "how many of N copies of POD fit, added one at a time", "",
         &Options::replicas},

    Flag{Group::proof, 0, "never-victim", "LABELS|POD|CLASS", "no preemptor evicts these running pods",
         "LABELS is a selector, as for kubectl -l: app=a,t!=b. POD is NAMESPACE/NAME, CLASS is priorityclass/NAME.",
         &Options::never_victim},
    Flag{Group::proof, 0, "at-most-victims", "N", "no preemptor evicts more than N pods", "",
         &Options::at_most_victims},
    Flag{Group::proof, 0, "budgets-hold", "", "no preemptor violates a disruption budget", "", &Options::budgets_hold},
    Flag{Group::proof, 0, "always-fits", "PRIORITY|CLASS", "each pod from this priority on fits",
         "Each such pod with requests up to those of --up-to gets some node, if necessary by preemption. --up-to must "
         "limit cpu and memory.",
         &Options::always_fits},
    Flag{Group::proof, 0, "which-classes-can-evict", "",
         "list classes that can evict no pod, and tolerations without effect", "", &Options::which_classes},
    Flag{Group::proof, 0, "who-can-evict", "POD", "list all preemptors that may evict it", "", &Options::who_can_evict},
    Flag{Group::proof, 0, "smallest-set", "POD", "no other set of victims for this pending pod is smaller",
         "Nor cheaper, by the criteria with which kube-scheduler compares nodes.", &Options::smallest_set},
    Flag{Group::proof, 0, "like", "POD|WORKLOAD|all",
         "preemptors with everything of this pod but priority and requests",
         "With its labels, tolerations, selectors, affinity, host ports, volumes, claims, spread constraints and "
         "scheduler. NAMESPACE/NAME, deployment/NAMESPACE/NAME, or all: each kind of pod in the input (repeatable).",
         &Options::like},
    Flag{Group::proof, 0, "below", "PRIORITY|CLASS", "only preemptors with a lower priority (default: any priority)",
         "", &Options::below},
    Flag{Group::proof, 0, "resource", "NAME", "preemptors also request this resource",
         "An extended resource such as nvidia.com/gpu.", &Options::resource, true},
    Flag{Group::proof, 0, "up-to", "LIST", "only preemptors with at most these requests: cpu=4,memory=16Gi", "",
         &Options::up_to},
    Flag{Group::proof, 0, "node", "NODE", "only this node (repeatable; default: all)", "", &Options::nodes},
    Flag{Group::proof, 0, "horizon", "LENGTH", "every moment from now until then (24h)", "", &Options::horizon},
    Flag{Group::question, 'n', "namespace", "NS", "namespace of POD, or of the pending pods", "", &Options::ns},
    Flag{Group::question, 'A', "all-namespaces", "", "all namespaces (default for dumps)", "",
         &Options::all_namespaces},
    Flag{Group::selection, 'l', "selector", "LABELS", "only pending pods with these labels: app=a,t!=b",
         "Cannot be combined with POD. Terms are KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (A,B) and KEY notin (A,B); "
         "all of "
         "them must hold.",
         &Options::selector, true},

    Flag{Group::question, 0, "now", "TIME|dump|clock",
         "the current time: RFC 3339, dump (newest time in the input) or clock",
         "Default: dump with -f, so that the same input gives the same answer tomorrow; clock for a live cluster.",
         &Options::now},

    Flag{Group::message, 0, "message", "TEXT|-", "explain a scheduler's message, without a cluster or dump",
         "TEXT is a message (\"0/12 nodes are available: ...\"), or any text with messages in it: a condition, a table "
         "of events, "
         "output of kubectl describe or kubectl get -o yaml, a log. - reads standard input, up to 1Mi (--max-input "
         "changes this limit). previct recognizes messages of kube-scheduler 1.20 to 1.37, KAI Scheduler, YuniKorn, "
         "Kueue and Cluster Autoscaler, and quotes other text. It cannot be combined with POD or flags that select a "
         "state.",
         &Options::message},

    Flag{Group::nodes, 0, "node", "NODE", "explain this node step by step (repeatable)", "", &Options::nodes},
    Flag{Group::nodes, 0, "possible", "", "with -o name: also uncertain victims",
         "If several nodes tie, or the scheduler examines only a sample of them, no single outcome is certain. The "
         "conditions pdb-violation and victim-priority of --fail-on hold if they hold for every possible outcome; with "
         "this flag, if they hold for one.",
         &Options::possible, true},
    Flag{Group::nodes, 0, "show", "chosen|candidates|all", "which nodes to list", "", &Options::show, true},

    Flag{Group::time, 0, "at", "TIME", "the answer at this time: +20m from now, or RFC 3339 (repeatable)", "",
         &Options::at},
    Flag{Group::time, 0, "horizon", "LENGTH", "every answer from now until then (24h), one row per interval", "",
         &Options::horizon},
    Flag{Group::time, 0, "unschedulable-flush", "LENGTH",
         "longest time that a pod stays in the unschedulable queue (5m)",
         "The scheduler's --pod-max-in-unschedulable-pods-duration, which it checks every 30 s. Default: that of its "
         "pod.",
         &Options::flush, true},

    Flag{Group::protection, 0, "against", "WHO", "only protection against this PriorityClass, priority or queue", "",
         &Options::against},
    Flag{Group::protection, 0, "between", "QUEUES",
         "how long min-runtime protects pods of queues: all, or VICTIM,PREEMPTOR",
         "The input needs no pods for this. With ClusterRoles and ClusterRoleBindings, it also shows which users may "
         "change the queues.",
         &Options::between},
    Flag{Group::protection, 0, "by", "class", "one row per class", "", &Options::by},
    Flag{Group::protection, 0, "ended", "", "also pods whose toleration has ended", "", &Options::ended},

    Flag{Group::history, 0, "hide-foreign", "", "print UIDs instead of names outside POD's namespace",
         "Use it to give an answer to one tenant. It applies to every format, and omits warnings.",
         &Options::hide_foreign},

    Flag{Group::rows, 0, "show", "all", "every row; default: the first rows of a long table", "", &Options::show},

    Flag{Group::sequence, 0, "pods", "POD", "only these pending pods (repeatable, comma list)", "", &Options::pods},
    Flag{Group::sequence, 0, "arrive", "POD=+LENGTH", "create this pending pod later (repeatable)", "",
         &Options::arrive},
    Flag{Group::sequence, 0, "fail", "CALL", "make a call to the API server fail (repeatable)",
         "delete:POD, patch-status:POD and nominate:POD: the first such call; api:+1s..+20s: every call in that time; "
         "delete:5%, patch-status:5%, nominate:5%, api:5%: this share of the calls, with 20 seeds.",
         &Options::failures},
    Flag{
        Group::sequence, 0, "lose", "NODE", "this node is lost, with its pods (repeatable)",
        "The Node object is deleted, and the garbage collection of pods deletes its pods. Their controllers create new "
        "pods.",
        &Options::lose},
    Flag{Group::sequence, 0, "drain", "NODE", "this node is drained (repeatable)",
         "The node is cordoned, and its pods are evicted through the API, as by kubectl drain --ignore-daemonsets "
         "--delete-emptydir-data --force: disruption budgets may refuse it.",
         &Options::drain},
    Flag{Group::sequence, 0, "seed", "N", "first of the 20 seeds that select the failing calls (1)", "", &Options::seed,
         true},
    Flag{Group::sequence, 0, "rates", "LIST",
         "compare both modes of preemption for these arrival rates of pods per second: 1,10,50", "", &Options::rates,
         true},
    Flag{Group::sequence, 0, "no-controllers", "", "do not recreate evicted pods",
         "Default: ReplicaSets, StatefulSets, DaemonSets, Jobs and ReplicationControllers create new pods to replace "
         "evicted ones.",
         &Options::no_controllers},
    Flag{Group::sequence, 0, "lasts", "PODS=LENGTH", "run time after which these pods complete (repeatable)",
         "PODS is a name, with or without a namespace, and may end with *: ml/train-*=40m.", &Options::lasting, true},
    Flag{Group::sequence, 0, "every", "POD=LENGTH", "interval at which copies of this pod are created (repeatable)",
         "Like a CronJob.", &Options::recurring, true},
    Flag{Group::sequence, 0, "epoch", "[PODS=]LENGTH", "interval at which these pods save their work (repeatable)",
         "Lost work counts from the end of the last epoch. The answer says how many epochs are finished and lost, and "
         "which workloads never finish an epoch. Without PODS, it applies to all pods.",
         &Options::epochs},
    Flag{Group::sequence, 0, "until", "LENGTH", "the same as --horizon", "", &Options::horizon, true},
    Flag{Group::sequence, 0, "api-latency", "LENGTH", "duration of an API call (5ms)", "", &Options::api_latency, true},
    Flag{Group::sequence, 0, "qps", "N", "API calls per second of the scheduler's client (50)",
         "Default: clientConnection.qps in --scheduler-config, or --kube-api-qps of its pod.", &Options::qps, true},
    Flag{Group::sequence, 0, "burst", "N", "API calls allowed at once above that rate (100)",
         "Default: clientConnection.burst in --scheduler-config, or --kube-api-burst of its pod.", &Options::burst,
         true},
    Flag{Group::sequence, 0, "horizon", "LENGTH", "stop after this time (1h)", "", &Options::horizon},
    Flag{Group::sequence, 0, "unschedulable-flush", "LENGTH",
         "longest time that a pod stays in the unschedulable queue (5m)",
         "The scheduler's --pod-max-in-unschedulable-pods-duration, which it checks every 30 s. Default: that of its "
         "pod.",
         &Options::flush, true},
    Flag{Group::sequence, 0, "show", "all", "one line per step; default: successive victims share a line", "",
         &Options::show},

    Flag{Group::failures, 0, "node", "NODE", "only failures of this node (repeatable; default: every node)", "",
         &Options::nodes},
    Flag{Group::failures, 0, "domain", "LABEL|zone", "all nodes with the same value of this label fail together",
         "zone stands for topology.kubernetes.io/zone. Nodes without the label do not fail.", &Options::domain},
    Flag{Group::failures, 0, "failures", "1|2", "number of nodes or domains that fail at once (1)", "",
         &Options::at_once},
    Flag{Group::failures, 0, "none-out-above", "PRIORITY|CLASS",
         "exit with 1 if a failure leaves a pod with a higher priority out", "", &Options::none_out_above},
    Flag{Group::failures, 0, "drain", "NODE|all", "drain this node instead (repeatable; all: each in turn)",
         "The node is cordoned, and its pods are evicted through the API, as by kubectl drain --ignore-daemonsets "
         "--delete-emptydir-data --force: disruption budgets may refuse it.",
         &Options::drain},
    Flag{Group::failures, 0, "horizon", "LENGTH", "stop each simulation after this time (1h)", "", &Options::horizon},
    Flag{Group::failures, 0, "show", "all", "every failure; default: the worst", "", &Options::show},

    Flag{Group::sweep, 0, "vary", "PARAMETER=RANGE", "parameter to change, and its values (once or twice)",
         "RANGE is FROM..TO, or a comma list. PARAMETER is toleration-seconds:CLASS, "
         "minimum-preemptable-priority:CLASS, "
         "value:CLASS, request:POD:RESOURCE, replicas:POD, nodes:NODE (the number of additional nodes like it), "
         "preempt-min-runtime:QUEUE, reclaim-min-runtime:QUEUE (KAI), nominal-quota:QUEUE:FLAVOR:RESOURCE, "
         "borrowing-limit:..., lending-limit:... (the same), weight:QUEUE, max-priority-threshold:QUEUE, "
         "workload-priority:WORKLOAD, workload-count:WORKLOAD:PODSET (Kueue), setting:KEY (deviation_percent, "
         "max_victims or "
         "preemption_start_delay, with --yunikorn-mode design-1.5.1), or now (relative to the time of the question).",
         &Options::vary},
    Flag{Group::sweep, 0, "steps", "N", "number of values of a range that are always tried (25)",
         "Between two neighbors with different results, previct bisects until it finds the exact value.",
         &Options::steps},

    Flag{Group::inspection, 0, "pending", "", "list the pending pods", "", &Options::pending},
    Flag{Group::inspection, 0, "engine", "auto|ENGINE",
         "show what this engine needs (default: the engines of the pending pods)", "", &Options::engine, true},

    Flag{Group::scheduler, 0, "engine", "auto|ENGINE", "rules to follow; auto: by schedulerName",
         "previct version -v lists the engines.", &Options::engine},
    Flag{Group::scheduler, 0, "scheduler-config", "FILE", "the KubeSchedulerConfiguration in force",
         "Default: that of a ConfigMap in the input with a profile for the pods' schedulerName.",
         &Options::scheduler_config},
    Flag{Group::scheduler, 0, "toleration-plugin", "auto|on|off",
         "PreemptionToleration (KEP-205) instead of DefaultPreemption",
         "auto: as in the scheduler configuration; without one, on if a PriorityClass has its annotations.",
         &Options::toleration_plugin, true},
    Flag{Group::scheduler, 0, "k8s-version", "X.Y", "follow this release of kube-scheduler", "", &Options::k8s_version},
    Flag{Group::scheduler, 0, "feature-gates", "LIST", "A=true,B=false, as passed to the scheduler", "",
         &Options::feature_gates, true},
    Flag{Group::scheduler, 0, "kai-version", "X.Y", "follow this release of KAI Scheduler", "", &Options::kai_version,
         true},
    Flag{Group::scheduler, 0, "yunikorn-version", "X.Y", "follow this release of Apache YuniKorn", "",
         &Options::yunikorn_version, true},
    Flag{Group::scheduler, 0, "yunikorn-mode", "release|design-1.5.1",
         "YuniKorn as released, or as in its design document", "", &Options::yunikorn_mode, true},
    Flag{Group::scheduler, 0, "yunikorn-config", "FILE", "queues.yaml, if the ConfigMap is not in the input", "",
         &Options::yunikorn_config, true},
    Flag{Group::scheduler, 0, "kueue-config", "FILE", "Kueue's Configuration, if the ConfigMap is not in the input", "",
         &Options::kueue_config, true},
    Flag{Group::scheduler, 0, "kueue-version", "X.Y.Z", "follow this release of Kueue", "", &Options::kueue_version,
         true},
    Flag{Group::scheduler, 0, "cycles", "N", "number of Kueue scheduling cycles to simulate (5)", "", &Options::cycles,
         true},
    Flag{Group::scheduler, 0, "shard", "SHARD|I/N", "the KAI SchedulingShard to follow",
         "backtest, explain, sweep and test: I/N, such as 2/8, is the second of eight parts of the work.",
         &Options::shard, true},
    Flag{Group::state, 0, "complete", "", "the input is complete: kinds without objects have none",
         "kubectl get prints one list, which does not show that a kind was requested if it has no objects. --assume "
         "none=KIND does the same for one kind.",
         &Options::complete, true},
    Flag{Group::scheduler, 0, "assume", "FILE|none=KIND",
         "facts that no dump contains (kind: Assumptions), or kinds without objects", "", &Options::assume, true},

    Flag{Group::lint, 0, "only", "RULES", "apply only these rules or families: PT,SC001", "", &Options::only},
    Flag{Group::lint, 0, "skip", "RULES", "do not apply these rules or families", "", &Options::skip},
    Flag{Group::lint, 0, "severity", "RULE=LEVEL", "change the severity of a rule: PT011=error", "",
         &Options::severity},
    Flag{Group::lint, 0, "fail-on", "LEVEL", "exit 1 at this severity or above: error (default), warning, info, never",
         "", &Options::fail_on},
    Flag{Group::lint, 0, "config", "FILE", "settings (default: the nearest .previct.yaml)", "", &Options::config},
    Flag{Group::lint, 0, "baseline", "FILE", "ignore the findings in this file", "", &Options::baseline},
    Flag{Group::lint, 0, "write-baseline", "FILE", "write all findings to this file and exit 0", "",
         &Options::write_baseline, false, true},
    Flag{Group::lint, 0, "scopes", "", "print which files are linted together, and exit", "", &Options::scopes},
    Flag{Group::lint, 0, "render", "", "lint the output of kustomize and helm", "", &Options::render, false, true},
    Flag{Group::lint, 0, "fix", "", "apply the fixes of the findings, and lint again", "", &Options::fix, false, true},
    Flag{Group::lint, 0, "dry-run", "", "with --fix: print the changes as a diff instead", "", &Options::dry_run},
    Flag{Group::lint, 0, "context", "", "show the lines of findings, even when piped", "", &Options::context},
    Flag{Group::lint, 0, "now", "TIME", "the date for expiring ignores (default: today)", "", &Options::now},

    Flag{Group::server, 0, "root", "DIR", "read only files below this folder (repeatable; default: the working folder)",
         "", &Options::roots},
    Flag{Group::server, 0, "live", "", "calls without files read the cluster, through kubectl", "", &Options::live},
    Flag{Group::server, 0, "time-limit", "LENGTH", "longest time of a call (30s)", "", &Options::time_limit},

    Flag{Group::output, 'o', "output", "FORMAT[=FILE]", "the format (repeatable)",
         "With =FILE, the output is written to that file, which is either complete or absent.", &Options::outputs},
    Flag{Group::output, 0, "no-headers", "", "omit the column headers", "", &Options::no_headers, true},
    Flag{Group::output, 0, "color", "auto|always|never", "when to use colors",
         "auto respects NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR and TERM=dumb.", &Options::color, true},
    Flag{Group::output, 0, "width", "N", "width of the output in columns; 0: no limit (default: the terminal's)", "",
         &Options::width, true},
    Flag{Group::output, 0, "ascii", "", "use only ASCII characters", "", &Options::ascii, true},
    Flag{Group::output, 0, "list-outputs", "", "list the output formats and exit", "", &Options::list_outputs, true},
    Flag{Group::output, 'q', "quiet", "", "do not print warnings", "", &Options::quiet, true},
    Flag{Group::output, 'v', "verbose", "", "print the whole answer on a terminal",
         "Files and pipes always get the whole answer. Also prints the time of each phase to stderr, and the line that "
         "an error refers to.",
         &Options::verbose},
    Flag{Group::output, 0, "brief", "", "print only what fits on a screen: the default on a terminal", "",
         &Options::brief, true},

    Flag{Group::strictness, 0, "strict", "", "exit 3 if the input is incomplete or the outcome is unknown", "",
         &Options::strict, true},
    Flag{Group::strictness, 0, "fail-on", "LIST", "exit 1 if one of these conditions holds; --help lists them",
         "Outcomes: fits, preempts, pending, not-eligible, waits, gated, deleting, scheduled, error, unknown. "
         "Conditions: "
         "incomplete, pdb-violation, victim-priority>=N, changes-within=30m. With --at and --horizon, a condition "
         "holds if it holds at one of the times. tolerations, diff, failures, prove and why-preempted accept only "
         "incomplete; "
         "sequence "
         "and sweep accept incomplete, thrashing (pods are evicted repeatedly) and slo (the failure rate of "
         "preemptions is not below 0.01, the objective of KEP-4832); backtest accepts incomplete and more-evictions=N "
         "(the change costs more than N more evictions).",
         &Options::fail_on},

    Flag{Group::help, 'h', "", "", "short help; --help shows more", "", &Options::short_help},
    Flag{Group::help, 0, "help", "", "long help", "", &Options::long_help},
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
    case Group::message: return "MESSAGE";
    case Group::state: return "STATE";
    case Group::reading: return "READING";
    case Group::tests: return "TESTS";
    case Group::live: return "LIVE";
    case Group::connection: return "CONNECTION";
    case Group::watch: return "WATCH";
    case Group::capture: return "CAPTURE";
    case Group::series: return "SERIES";
    case Group::backtest: return "BACKTEST";
    case Group::anonymize: return "ANONYMIZE";
    case Group::sides: return "SIDES";
    case Group::overlay: return "WHAT IF";
    case Group::fit: return "FIT";
    case Group::proof: return "PROOF";
    case Group::question: return "QUESTION";
    case Group::selection: return "SELECTION";
    case Group::nodes: return "NODES";
    case Group::time: return "TIME";
    case Group::protection: return "PROTECTION";
    case Group::history: return "HISTORY";
    case Group::rows: return "ROWS";
    case Group::sequence: return "SEQUENCE";
    case Group::sweep: return "SWEEP";
    case Group::failures: return "FAILURES";
    case Group::inspection: return "INSPECTION";
    case Group::scheduler: return "SCHEDULER";
    case Group::lint: return "LINT";
    case Group::server: return "SERVER";
    case Group::output: return "OUTPUT";
    case Group::strictness: return "STRICTNESS";
    case Group::help: return "HELP";
  }
  return "";
}

}  // namespace previct::cli
