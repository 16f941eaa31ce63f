#!/usr/bin/env bash
# Reads a model and an adapter of ours with transformers and PEFT, compares the logits that they compute with ours, and reads
# back their copies. Needs Python 3.11 or later and PyPI; on Linux the packages take about 6 GB. The environment is kept
# (DEEPREPO_CHECK_VENVS, default ~/.cache/deeprepo/python-check); DEEPREPO_CHECK_PYTHON names the Python of another one that
# already has the packages.
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1

packages="torch==2.15.0 transformers==5.23.0 peft==0.21.2 tokenizers==0.23.3 safetensors==0.8.0 numpy==2.4.6"
python=${DEEPREPO_CHECK_PYTHON:-}
if [ -z "$python" ]; then
  dir=${DEEPREPO_CHECK_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo/python-check}/full
  if [ ! -e "$dir/complete" ]; then
    rm -rf "$dir"
    mkdir -p "$(dirname "$dir")"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed"; exit 1; }
    python3 -m venv "$dir"
    # shellcheck disable=SC2086 # a list of packages
    "$dir/bin/pip" install -q --disable-pip-version-check $packages
    touch "$dir/complete"
  fi
  python=$dir/bin/python
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bash tests/models.sh "$python" "$work" --full
echo "model checks passed after ${SECONDS} s"
