#!/usr/bin/env bash
# Runs deeprepo_train with a model of random weights: GRPO in a real environment, DPO, Ctrl-C and resume, serving; and loads
# the files that deeprepo writes for TRL, prime-rl, verl and Tinker in these trainers' own configuration classes.
# Installs torch (some 3 GB), so it is not part of check.sh. Needs Python 3.11 to 3.13 and PyPI; without them it says so in one
# line. PRIME_RL names a checkout of prime-rl, which no registry has; without it that check is skipped. The environments are
# kept (DEEPREPO_CHECK_VENVS, default ~/.cache/deeprepo/python-check).
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 HF_HUB_OFFLINE=1

python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
  echo "training checks skipped: no Python 3.11 to 3.13 with venv here"
  exit 0
fi
venvs=${DEEPREPO_CHECK_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo/python-check}
mkdir -p "$venvs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install() { # install NAME PACKAGES...: an environment of that name
  local name=$1 dir
  shift
  dir=$venvs/$name-$(cat deeprepo_train/requirements.txt - <<<"$*" | cksum | cut -d' ' -f1)
  if [ ! -e "$dir/complete" ]; then
    rm -rf "$dir"
    "$python" -m venv "$dir"
    "$dir/bin/pip" install -q --disable-pip-version-check "$@" >"$dir/pip.log" 2>&1 || { tail -n 3 "$dir/pip.log"; return 1; }
    touch "$dir/complete"
  fi
  ln -sfn "$dir" "$venvs/$name"
}

beside() { # beside NAME PACKAGES...: packages without their dependencies, on top of the environment "train"
  local name=$1
  shift
  [ -e "$venvs/$name/complete" ] && return
  "$python" -m venv "$venvs/$name" &&
    "$venvs/$name/bin/python" -c 'import sysconfig, sys; open(sysconfig.get_path("purelib") + "/train.pth", "w").write(sys.argv[1])' \
      "$("$venvs/train/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" &&
    "$venvs/$name/bin/pip" install -q --disable-pip-version-check --no-deps "$@" >"$venvs/$name/pip.log" 2>&1 &&
    touch "$venvs/$name/complete"
}

configs() { # configs ENVIRONMENT ENGINE FILES...
  local name=$1 engine=$2 code=0
  shift 2
  for dir in "$@"; do
    "$venvs/$name/bin/python" tests/configs.py "$engine" "../internal/train/engine/testdata/$dir" 2>"$work/said" || code=$?
    [ "$code" = 0 ] || [ "$code" = 77 ] || { tail -n 20 "$work/said"; return 1; }
  done
}

"$python" -m venv "$work/probe"
if [ ! -e "$venvs/train/complete" ] &&
  ! "$work/probe/bin/pip" download -q --disable-pip-version-check --retries 1 --timeout 20 --no-deps -d "$work" iniconfig==2.1.0 \
    >/dev/null 2>&1; then
  echo "training checks skipped: PyPI is not reachable from here"
  exit 0
fi
install train -r deeprepo_train/requirements.txt
echo "training checks: installed after ${SECONDS} s"
export PYTHONPATH=$PWD/deeprepo_train
configs train trl trl-grpo trl-dpo
beside verl verl==0.9.1 hydra-core==1.3.2 omegaconf==2.3.0 antlr4-python3-runtime==4.9.3 tensordict==0.15.3 ray==2.60.0 \
  codetiming==1.4.0 msgpack jsonschema referencing rpds-py cloudpickle pylatexenc torchdata==0.11.0 wandb==0.31.0 tensorboard \
  orjson pyvers protobuf &&
  configs verl verl verl-grpo || echo "  verl: not checked, it does not install here"
beside tinker tinker==0.38.0 tinker-cookbook==0.6.1 chz==0.4.0 distro blobfile termcolor tiktoken pyrage tml-renderers protobuf lxml &&
  configs tinker tinker tinker-grpo || echo "  tinker: not checked, it does not install here"
if [ -n "${PRIME_RL:-}" ]; then
  install prime verifiers==0.3.1 websockets==17.4 prime-pydantic-config==0.4.3 renderers==0.1.12 tomli tomli-w
  PYTHONPATH=$PRIME_RL/packages/prime-rl-configs/src configs prime prime-rl prime-rl-grpo
else
  echo "  prime-rl: not checked, PRIME_RL names no checkout of it"
fi
echo "training checks: configurations after ${SECONDS} s"
(cd .. && CGO_ENABLED=0 go build -o "$work/deeprepo" ./cmd/deeprepo)
"$venvs/train/bin/python" -u tests/train.py "$work/deeprepo"
echo "training checks passed after ${SECONDS} s"
