"""`python -m deeprepo_train COMMAND`."""

import json
import os
import sys

from . import Failure, options


def main(argv=None):
    try:
        command, chosen = options.parse(sys.argv[1:] if argv is None else argv)
        if command in ("grpo", "dpo", "serve", "base"):
            limit_threads(chosen.threads)
        if command == "grpo":
            from . import grpo as module
        elif command == "dpo":
            from . import dpo as module
        elif command == "serve":
            from . import serve as module
        elif command == "base":
            from . import base as module
        elif command == "gguf":
            from . import gguf_adapter as module
        else:
            from . import tinker as module
        said = module.run(chosen)
    except Failure as e:
        print(f"deeprepo_train: error: {e}", file=sys.stderr)
        if e.hint:
            print(f"deeprepo_train: hint: {e.hint}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("deeprepo_train: stopped", file=sys.stderr)
        return 3
    if said is not None:
        print(json.dumps(said))
    return 0


def limit_threads(count):
    """Before torch is imported, which is when its thread pools are made."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    if count:
        os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)


if __name__ == "__main__":
    sys.exit(main())
