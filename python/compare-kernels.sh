#!/usr/bin/env bash
# GF/s of a product of two float32 matrices of 1024 x 1024, side by side: package tensor, OpenBLAS through numpy, gonum.
#
#   python/compare-kernels.sh [--rounds 9] [--products 20]
#
# On one thread and on two. Rounds are interleaved, each a separate process that multiplies --products times; the median
# of the rounds' ratios counts, since other work on the machine disturbs neighbours alike; on a busy machine, look at the
# rate by processor time (GF/cpu-s), which waiting for a processor does not change. numpy comes from PyPI at a fixed
# version, with the OpenBLAS in its wheels, into a virtual environment in the cache. DEEPREPO_KERNEL chooses our kernels. gonum
# multiplies only twice a round, because it is slower.
set -euo pipefail

rounds=9 products=20
while [ $# -gt 0 ]; do
	case "$1" in
	--rounds) rounds=$2 ;;
	--products) products=$2 ;;
	*) echo "usage: $0 [--rounds N] [--products N]" >&2; exit 2 ;;
	esac
	[ $# -ge 2 ] || { echo "$0: $1 wants a value" >&2; exit 2; }
	shift 2
done
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

packages="numpy==2.2.6"
venv=${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo-compare/$(printf %s "$packages" | sha256sum | cut -c1-12)
if [ ! -e "$venv/ready" ]; then
	rm -rf "$venv"
	python3 -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "$packages"
	touch "$venv/ready"
fi
python=$venv/bin/python
(cd "$here" && go test -c -o "$work/tensor.test" ./internal/lm/tensor)

cat >"$work/numpy_gemm.py" <<'PY'
import sys, time
import numpy as np

n, products = 1024, int(sys.argv[1])
rng = np.random.default_rng(1)
a, b = (rng.standard_normal((n, n), dtype=np.float32) for _ in "ab")
c = np.empty((n, n), np.float32)
np.matmul(a, b, out=c)
wall, cpu = time.perf_counter(), time.process_time()
for _ in range(products):
    np.matmul(a, b, out=c)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(2 * n**3 * products / wall / 1e9, 2 * n**3 * products / cpu / 1e9)
PY

# Each runs once on so many threads and prints GF/s and GF/cpu-s.
run_numpy() { OPENBLAS_NUM_THREADS=$1 "$python" "$work/numpy_gemm.py" "$products"; }
run_bench() {
	"$work/tensor.test" -test.run '^$' -test.bench "^Benchmark$1\$/^$2\$" -test.benchtime "$3x" |
		awk '{for (i = 2; i <= NF; i++) v[$i] = $(i - 1)} END {print v["GF/s"], v["GF/cpu-s"]}'
}
run_tensor() { run_bench Gemm1024 "$1" "$products"; }
run_gonum() { run_bench Gonum1024 "$1" 2; }

kernel=$("$work/tensor.test" -test.run '^TestKernel$' -test.v | sed -n 's/.*kernel: //p')
blas=$("$python" -c 'import numpy as np
b = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
print("numpy", np.__version__, b["name"], b["version"])')
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')
echo "1024 x 1024 float32, $rounds rounds of $products products, $(nproc) processors, load $load"
echo "tensor: $kernel kernels; $blas; $(cd "$here" && go list -m gonum.org/v1/gonum)"
run_numpy 2 >/dev/null
run_tensor 2 >/dev/null
for _ in $(seq "$rounds"); do
	for threads in 1 2; do
		for who in tensor numpy gonum; do
			"run_$who" "$threads" >>"$work/$who.$threads"
		done
	done
done

"$python" - "$work" <<'PY'
import statistics, sys

for threads in (1, 2):
    name = f"{threads} thread{'s' * (threads > 1)}"
    rows = {who: [tuple(map(float, line.split())) for line in open(f"{sys.argv[1]}/{who}.{threads}")]
            for who in ("tensor", "numpy", "gonum")}
    for column, unit in enumerate(("GF/s", "GF/cpu-s")):
        rates = {who: [row[column] for row in rows[who]] for who in rows}
        for who, rounds in rates.items():
            print(f"{name:<9}  {who:<7} median {statistics.median(rounds):7.1f} {unit}, best {max(rounds):7.1f}   "
                  f"rounds {', '.join(f'{r:.0f}' for r in rounds)}")
        for other in ("numpy", "gonum"):
            ratios = [a / b for a, b in zip(rates["tensor"], rates[other])]
            print(f"{name:<9}  tensor / {other}, {unit}: median of rounds {statistics.median(ratios):.2f}, "
                  f"of the best {max(rates['tensor']) / max(rates[other]):.2f}")
PY
