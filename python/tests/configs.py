"""Do the files that deeprepo writes for other trainers load in those trainers' own classes? Run by check-train.sh.

    configs.py ENGINE DIR

DIR holds what `engine.Write` made. Exits with 0 if they load, with 77 and one line if the engine's classes are not installed.
"""

import importlib
import json
import pathlib
import sys
import tomllib


def absent(name, error):
    print(f"  {name}: not checked, its classes do not import here: {str(error).splitlines()[0][:200]}")
    sys.exit(77)


def prime(where):
    try:
        from prime_rl.configs.rl import RLConfig
    except ImportError as e:
        absent("prime-rl", e)
    c = RLConfig.model_validate(tomllib.loads((where / "rl.toml").read_text()))
    source = c.orchestrator.train.source[0]
    assert source.env.taskset.id == "openenv" and source.env.taskset.resets[0]["index"] == 0, source
    assert c.trainer.model.lora.rank == 16 and c.orchestrator.batch_size == source.group_size * 2, c
    path = c.orchestrator.monitors.file.path
    assert path.name == "metrics.jsonl" and path.is_absolute(), c.orchestrator.monitors
    return f"{type(c).__module__}.{type(c).__name__}"


def verl(where):
    try:
        from hydra import compose, initialize_config_dir
        from omegaconf import OmegaConf
        from verl.utils.config import omega_conf_to_dataclass
        from verl.workers.config import AgentLoopConfig, FSDPActorConfig, HFModelConfig, RolloutConfig  # noqa: F401
    except ImportError as e:
        absent("verl", e)
    with initialize_config_dir(version_base=None, config_dir=str(where)):
        c = compose(config_name="verl")
    OmegaConf.resolve(c)
    plain = OmegaConf.to_container(c)
    assert plain["algorithm"]["adv_estimator"] == "grpo" and plain["actor_rollout_ref"]["rollout"]["n"] == 4, plain["algorithm"]
    # Every key of ours must exist in their own configuration: a misspelt one would be ignored.
    package = pathlib.Path(importlib.import_module("verl").__file__).parent
    with initialize_config_dir(version_base=None, config_dir=str(package / "trainer" / "config")):
        theirs = OmegaConf.to_container(compose(config_name="ppo_trainer"), resolve=False)
    strange = list(unknown(plain, theirs))
    assert not strange, f"verl has no {', '.join(strange)}"
    loaded = [omega_conf_to_dataclass(part) for part in (c.actor_rollout_ref.rollout, c.actor_rollout_ref.actor, c.algorithm)]
    assert loaded[0].multi_turn.enable and loaded[0].agent.default_agent_loop == "deeprepo", loaded[0]
    rows = [json.loads(line) for line in (where / "tasks.jsonl").read_text().splitlines()]
    assert rows and all(r["agent_name"] == "deeprepo" and r["extra_info"]["index"] == i for i, r in enumerate(rows))
    return ", ".join(type(part).__name__ for part in loaded)


def unknown(ours, theirs, at=""):
    for key, value in ours.items():
        name = f"{at}.{key}" if at else key
        if key not in theirs:
            yield name
        elif isinstance(value, dict) and isinstance(theirs[key], dict):
            yield from unknown(value, theirs[key], name)


def tinker(where):
    try:
        import tinker_cookbook.preference.train_dpo
        import tinker_cookbook.rl.train
    except ImportError as e:
        absent("tinker", e)
    from deeprepo_train import tinker as ours
    from deeprepo_train import options

    said = ours.run(options.parse(["tinker", "--file", str(where / "tinker.json"), "--check"])[1])
    assert said["rank"] == 16, said
    return said["config"]


def trl(where):
    from deeprepo_train import dpo, grpo, options  # noqa: F401

    method = "dpo" if "pairs" in json.loads((where / "trl.json").read_text()) else "grpo"
    _, chosen = options.parse([method, "--config", str(where / "trl.json")])
    assert chosen.rank == 16, chosen
    if method == "grpo":
        c = grpo.config(chosen, "/nowhere", chosen.tasks_per_step * chosen.group)
        assert c.num_generations == 4 and c.generation_batch_size == 8, c
        return f"{type(c).__module__}.{type(c).__name__}"
    return "trl options"


if __name__ == "__main__":
    engine, where = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    loaded = {"prime-rl": prime, "verl": verl, "tinker": tinker, "trl": trl}[engine](where)
    print(f"  {engine}: {where.name} loads as {loaded}")
