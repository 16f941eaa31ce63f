#!/bin/sh
# Makes runs/ anew: a small run of each kind, by the program itself, from inputs/. No key and no network is needed. What
# is drawn from other files is left out, and weights. Run by go generate ./internal/runtest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../../.." && go build -o "$work/deeprepo" ./cmd/deeprepo
cp -r "$here/inputs/." "$work" && cd "$work"
./deeprepo analyze shop --out review
./deeprepo eval orchestration -n 2 -r 2 --out eval
./deeprepo bench bench.toml --out bench
./deeprepo code verify humaneval --data humaneval.jsonl --samples programs.jsonl --out code
./deeprepo code compare base.json dpo=tuned.jsonl more.jsonl --sizes 0,500,1000 --out compare
./deeprepo pairs build --dataset mbpp --data mbpp.jsonl --references --heldout 0.4 --near -1 --out pairs
./deeprepo train sft --size tiny --demos 40 --tokens 20000 --heldout 2 --recipe smoke --out training
find . \( -name '*.html' -o -name '*.sarif' -o -name '*.safetensors' -o -name .lock -o -name .gitignore -o -name demonstrations.jsonl \) -delete
rm -rf training/base training/adapter "$here/runs" && mkdir "$here/runs"
for kind in review eval bench code compare pairs training; do mv "$kind" "$here/runs/$kind"; done
grep -rl "$work" "$here/runs" | xargs sed -i "s#$work#/src#g" # see Dir
