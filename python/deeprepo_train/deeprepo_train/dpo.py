"""TRL's DPO on pairs that `deeprepo pairs build` has verified."""

import json
import os

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from . import Failure, model
from .metrics import Alarms
from .run import Run, arguments

LEARNING_RATE = 1e-5


def run(chosen):
    """Train to the end and measure on the held-out pairs; returns the result."""
    if chosen.batch < 1 or chosen.micro < 1 or chosen.batch % chosen.micro:
        raise Failure(f"--micro {chosen.micro} does not divide --batch {chosen.batch}")
    train, heldout = pairs(chosen.pairs, chosen.answers)
    if chosen.limit:
        train = train[: chosen.limit]
    if len(train) < chosen.batch:
        raise Failure(f"{chosen.pairs} has {len(train)} pairs, fewer than --batch {chosen.batch}", "use a smaller batch, or more pairs")
    tokenizer = model.tokenizer(chosen.model)
    directory = Run("dpo", chosen)
    alarms = Alarms(chosen.batch)

    def build(_, callbacks):
        return DPOTrainer(
            model=model.load(chosen.model, chosen.quantize),
            args=DPOConfig(
                **arguments(chosen, directory.out, LEARNING_RATE, chosen.batch // chosen.micro),
                max_steps=chosen.steps or len(train) // chosen.batch,
                per_device_eval_batch_size=chosen.micro,
                beta=chosen.beta,
                max_length=chosen.max_length,
            ),
            train_dataset=Dataset.from_list(train),
            eval_dataset=Dataset.from_list(heldout) if heldout else None,
            processing_class=tokenizer,
            peft_config=model.lora(chosen),
            callbacks=callbacks,
        )

    trainer, said = directory.train(build, alarms.of_pairs)
    said |= {"pairs": len(train), "alarms": alarms.raised}
    if heldout and not said["stopped"]:
        measured = trainer.evaluate()
        said["heldout"] = {
            "pairs": len(heldout), "loss": measured["eval_loss"],
            "accuracy": measured["eval_rewards/accuracies"], "margin": measured["eval_rewards/margins"],
        }  # fmt: skip
    return directory.finish(said)


def pairs(path, answers):
    """Training and held-out pairs as conversations."""
    if answers not in ("fenced", "plain"):
        raise Failure(f"there is no --answers {answers}", "fenced or plain")
    if not os.path.isdir(path):
        return read(path, answers), []
    heldout = os.path.join(path, "heldout.jsonl")
    return read(os.path.join(path, "train.jsonl"), answers), read(heldout, answers) if os.path.exists(heldout) else []


def read(path, answers):
    """The pairs of a file, as `deeprepo pairs build` and `pairs export --to trl` or `conversational` write them."""
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                row = json.loads(line)
                rows.append({side: messages(row[side], side, answers) for side in ("prompt", "chosen", "rejected")})
    except OSError as e:
        raise Failure(f"cannot read {path}: {e.strerror}", "`deeprepo pairs build` makes a directory of pairs") from e
    except (ValueError, KeyError, TypeError) as e:
        raise Failure(f"{path}:{number}: not a pair: {e}") from e
    return rows


def messages(value, side, answers):
    """Text becomes a message; messages stay as they are."""
    if isinstance(value, list):
        return [{"role": str(m["role"]), "content": str(m["content"])} for m in value]
    if not isinstance(value, str):
        raise TypeError(f"{side} is neither text nor messages")
    if side == "prompt":
        return [{"role": "user", "content": value}]
    if answers == "fenced" and "```" not in value:
        value = f"```python\n{value.strip()}\n```"
    return [{"role": "assistant", "content": value}]
