#!/usr/bin/env bash
# Hugging Face's libraries read a model that our Go code wrote, and our Go code reads what they write.
#
#   models.sh PYTHON DIR [--full]     see models.py
set -euo pipefail
cd "$(dirname "$0")"
python=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2
exchange() { DEEPREPO_CHECK_MODELS=$dir CGO_ENABLED=0 go test -count=1 -run "^$1\$" ../../internal/lm/checkpoint; }

exchange TestWritesForPython
"$python" models.py "$dir" "$@"
exchange TestReadsPython
