"""Tinker's side: the training runs on its machines, the environment is `deeprepo env serve` here."""

import json
import os

from . import Failure
from .dpo import pairs

KNOWN = {
    "method", "model", "renderer", "out", "steps", "learning_rate", "rank", "save_every", "beta", "context", "url", "split", "difficulty",
    "task_seed", "tasks", "tasks_per_step", "group", "max_tokens", "temperature", "pairs", "batch",
}  # fmt: skip


def run(chosen):
    """Build Tinker's own configuration from what deeprepo wrote, and train with it."""
    try:
        with open(chosen.file, encoding="utf-8") as file:
            asked = json.load(file)
    except (OSError, ValueError) as e:
        raise Failure(f"cannot read {chosen.file}: {e}") from e
    if unknown := set(asked) - KNOWN:
        raise Failure(f"{chosen.file}: unknown {', '.join(sorted(unknown))}")
    try:
        from . import tinker_env
    except ImportError as e:
        raise Failure(f"Tinker's packages are not installed: {e}", "pip install tinker-cookbook==0.6.1") from e
    config, main = tinker_env.preference(asked, pairs) if asked["method"] == "dpo" else tinker_env.reinforcement(asked)
    if chosen.check:
        return {"config": type(config).__module__ + "." + type(config).__qualname__, "model": config.model_name, "rank": config.lora_rank}
    if not os.environ.get("TINKER_API_KEY"):
        raise Failure("TINKER_API_KEY is not set")
    main(config)
    return {"method": asked["method"], "engine": "tinker", "out": config.log_path}
