"""The command line. Every option can also be in the JSON file that --config names; the command line wins."""

import argparse
import json

from . import Failure

# TRL's and PEFT's own defaults are not relied on: a run's file states everything that decides its weights.
LORA = [
    ("--rank", int, 16, "rank of the adapter"),
    ("--alpha", float, 32.0, "its scale: the update counts alpha/rank times"),
    ("--dropout", float, 0.0, "of the adapter's input"),
    ("--quantize", str, "auto", "4bit (QLoRA; needs a GPU and bitsandbytes), none, or auto: 4bit where there is a GPU"),
]
TRAINING = [
    ("--model", str, None, "base model: a directory in Hugging Face's layout, or a name on its hub"),
    ("--out", str, None, "directory of the run: metrics.jsonl, adapter, checkpoint"),
    ("--steps", int, 0, "updates of the weights; 0 for one pass over the data"),
    ("--seed", int, 0, "decides the adapter's first weights, order and sampling"),
    ("--learning-rate", float, 0.0, "of the first step after the warmup; 0 for the method's own"),
    ("--warmup", int, 0, "steps from 0 up to the learning rate"),
    ("--schedule", str, "constant_with_warmup", "as transformers names them"),
    ("--clip-norm", float, 1.0, "largest norm of a gradient"),
    ("--micro", int, 1, "sequences that go through the model at once"),
    ("--save-every", int, 10, "steps between two checkpoints; the last one is kept"),
    ("--threads", int, 0, "of the CPU; 0 for all"),
] + LORA
GRPO = [
    ("--url", str, None, "base URL that `deeprepo env serve` printed"),
    ("--split", str, "train", "split of the tasks"),
    ("--difficulty", str, "", "of the tasks; empty for the server's own"),
    ("--task-seed", int, 0, "decides the tasks"),
    ("--tasks", int, 64, "number of different tasks"),
    ("--tasks-per-step", int, 8, "groups in a step"),
    ("--group", int, 8, "rollouts of a task in a step"),
    ("--max-tokens", int, 1024, "maximum tokens of a reply"),
    ("--context", int, 8192, "maximum tokens of a conversation; one that outgrows it ends"),
    ("--temperature", float, 1.0, "sampling temperature"),
    ("--top-p", float, 1.0, "sample from the likeliest tokens that have this share"),
    ("--beta", float, 0.0, "weight of the divergence from the base model"),
    ("--epsilon", float, 0.2, "clip a token's ratio below 1 - this"),
    ("--epsilon-high", float, 0.2, "and above 1 + this"),
    ("--scale-rewards", str, "group", "advantages are divided by the standard deviation of the group, the batch, or none"),
    ("--loss", str, "dapo", "TRL's name of the loss: dapo, grpo, dr_grpo, ..."),
    ("--sample-batch", int, 16, "conversations sampled at once"),
    ("--vllm", str, "", "colocate: sample with vLLM in this process; empty: with transformers"),
]
DPO = [
    ("--pairs", str, None, "directory of `deeprepo pairs build`, or a file of its pairs"),
    ("--beta", float, 0.1, "how far the model may go from the base"),
    ("--batch", int, 8, "pairs in a step"),
    ("--max-length", int, 1024, "maximum tokens of prompt and answer"),
    ("--limit", int, 0, "use only the first N pairs; 0 for all"),
    ("--answers", str, "fenced", "fenced: put programs in Markdown fences, as chat models answer; plain: leave them as they are"),
]
SERVE = [
    ("--model", str, None, "base model"),
    ("--adapter", str, "", "directory of an adapter"),
    ("--name", str, "", "name of the model (default: its directory's); the adapter is NAME:ADAPTER"),
    ("--adapter-name", str, "adapter", "the part after the colon"),
    ("--host", str, "127.0.0.1", "address to listen on"),
    ("--port", int, 8000, "port to listen on; 0 picks a free one"),
    ("--batch", int, 8, "requests answered at once"),
    ("--threads", int, 0, "of the CPU; 0 for all"),
]
BASE = [
    ("--gguf", str, None, "the quantised file"),
    ("--out", str, None, "directory for the model in Hugging Face's layout, 32 bits a weight"),
    ("--threads", int, 0, "of the CPU; 0 for all"),
]
GGUF = [
    ("--adapter", str, None, "directory of a Llama's adapter"),
    ("--model", str, "", "directory of its base (default: the one named in the adapter)"),
    ("--out", str, None, "file for llama-server --lora"),
]
TINKER = [
    ("--file", str, None, "the file that deeprepo wrote for Tinker"),
    ("--check", bool, False, "only build the configuration; start nothing"),
]
COMMANDS = {
    "grpo": (TRAINING + GRPO, "reinforcement in an environment that deeprepo serves"),
    "dpo": (TRAINING + DPO, "preferences, from verified pairs"),
    "serve": (SERVE, "an OpenAI-compatible server of a model and its adapter, for `deeprepo code eval -m local/NAME:adapter`"),
    "base": (BASE, "make a trainable model from a GGUF file"),
    "gguf": (GGUF, "an adapter for llama-server"),
    "tinker": (TINKER, "train with Tinker"),
}


def parse(argv):
    """The command and its options. Unknown and missing ones are failures."""
    parser = argparse.ArgumentParser(prog="python -m deeprepo_train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (options, about) in COMMANDS.items():
        sub = commands.add_parser(name, help=about, description=about)
        sub.add_argument("--config", help="JSON file with the same options, named with underscores")
        for flag, kind, default, text in options:
            if kind is bool:
                sub.add_argument(flag, action="store_true", default=None, help=text)
            else:
                shown = "" if default in (None, "") else f" (default {default})"
                sub.add_argument(flag, type=kind, help=(text + shown).replace("%", "%%"))
    chosen = parser.parse_args(argv)
    options = {flag.lstrip("-").replace("-", "_"): (kind, default) for flag, kind, default, _ in COMMANDS[chosen.command][0]}
    for name, value in read(chosen.config, options).items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    for name, (_, default) in options.items():
        if getattr(chosen, name) is None:
            if default is None:
                raise Failure(f"{chosen.command} needs --{name.replace('_', '-')}", f"python -m deeprepo_train {chosen.command} --help")
            setattr(chosen, name, default)
    del chosen.config
    return chosen.command, chosen


def read(path, options):
    """The options of a file, each checked for its type."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
    except (OSError, ValueError) as e:
        raise Failure(f"cannot read {path}: {e}") from e
    if not isinstance(values, dict):
        raise Failure(f"{path} does not hold a JSON object")
    for name, value in values.items():
        if name not in options:
            raise Failure(f"{path}: {name!r} is not an option", "the options are those of the command line, with underscores")
        kind = options[name][0]
        fits = isinstance(value, (int, float)) if kind is float else isinstance(value, kind)
        if not fits or kind is not bool and isinstance(value, bool):
            raise Failure(f"{path}: {name} is {value!r}, not of type {kind.__name__}")
    return values
