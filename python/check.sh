#!/usr/bin/env bash
# Drives `deeprepo env serve` with the real OpenEnv client and the real verifiers, old stack and new, and compares their
# rewards with those of `deeprepo eval`; `deeprepo code serve` with the clients of verl, SandboxFusion and Tinker; and reads
# a model of ours with Hugging Face's tokenizers and safetensors (check-models.sh computes with it too).
# Needs Python 3.11 or later and PyPI; without them it says so in one line.
# DEEPREPO_CHECK_BINARY is a deeprepo of this checkout; without it one is built.
# The four environments are kept (DEEPREPO_CHECK_VENVS, default ~/.cache/deeprepo/python-check).
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1

python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "python checks skipped: no Python 3.11 or later with venv here"
  exit 0
fi
venvs=${DEEPREPO_CHECK_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo/python-check}
# verifiers 0.4 needs mcp 2, OpenEnv's client mcp 1: they cannot share an environment.
old="verifiers==0.3.1 openenv==0.10.0 websockets==17.4"
new="verifiers==0.4.0 websockets==17.4 uv"
# Training code is left out: verl and Tinker for their clients, the rest for their imports.
code="--no-deps verl==0.9.1 sandbox-fusion==0.3.7 tinker-cookbook==0.6.1 requests==2.32.5 urllib3==2.8.0 certifi==2026.10.18 idna==3.20
  charset-normalizer==3.5.2 tenacity==9.2.1 pydantic==2.14.3 pydantic-core==2.50.4 annotated-types==0.8.0 typing-inspection==0.4.5
  typing-extensions==4.16.0 aiohttp==3.14.5 aiohappyeyeballs==2.7.1 aiosignal==1.4.0 attrs==26.1.0 frozenlist==1.8.0 multidict==7.2.1
  propcache==0.5.4 yarl==1.25.1 chz==0.4.0 numpy==2.4.6"
models="--no-deps tokenizers==0.23.3 safetensors==0.8.0 numpy==2.4.6"

install() { # install NAME PACKAGES...
  local name=$1 dir build=hatchling
  shift
  case $name in code | models) build= ;; esac # none of our packages go there
  dir=$venvs/$name-$(echo "$@" | cksum | cut -d' ' -f1)
  if [ ! -e "$dir/complete" ]; then
    rm -rf "$dir"
    "$python" -m venv "$dir"
    "$dir/bin/pip" install -q --disable-pip-version-check "$@" ${build:+"$build"} >"$dir/pip.log" 2>&1 ||
      { tail -n 5 "$dir/pip.log"; return 1; }
    touch "$dir/complete"
  fi
  [ -z "$build" ] ||
    "$dir/bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall ./deeprepo_orchestration \
      >"$dir/own.log" 2>&1 ||
    { tail -n 5 "$dir/own.log"; return 1; }
  ln -sfn "$dir" "$venvs/$name"
}

mkdir -p "$venvs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -e "$venvs/old/complete" ] || [ ! -e "$venvs/new/complete" ] ||
  [ ! -e "$venvs/code/complete" ] || [ ! -e "$venvs/models/complete" ]; then
  "$python" -m venv "$work/probe"
  if ! "$work/probe/bin/pip" download -q --disable-pip-version-check --retries 1 --timeout 20 --no-deps -d "$work" iniconfig==2.1.0 \
    >/dev/null 2>&1; then
    echo "python checks skipped: PyPI is not reachable from here"
    exit 0
  fi
fi
# shellcheck disable=SC2086 # lists of packages
install old $old & first=$!
# shellcheck disable=SC2086
install new $new & second=$!
# shellcheck disable=SC2086
install code $code & third=$!
# shellcheck disable=SC2086
install models $models & fourth=$!
binary=${DEEPREPO_CHECK_BINARY:-$work/deeprepo}
[ "$binary" != "$work/deeprepo" ] || (cd .. && CGO_ENABLED=0 go build -o "$binary" ./cmd/deeprepo)
wait "$first"
wait "$second"
wait "$third"
wait "$fourth"
echo "python checks: installed after ${SECONDS} s"
bash tests/models.sh "$venvs/models/bin/python" "$work/models"
echo "python checks: models after ${SECONDS} s"
"$venvs/old/bin/python" tests/check.py "$binary" "$venvs/old" "$venvs/new"
echo "python checks: environments after ${SECONDS} s"
"$venvs/code/bin/python" tests/clients.py "$binary"
echo "python checks passed after ${SECONDS} s"
