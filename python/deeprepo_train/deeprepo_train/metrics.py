"""metrics.jsonl, in the form that deeprepo's own trainer writes; and stopping at Ctrl-C."""

import json
import math
import os
import signal
import time

from transformers import TrainerCallback

LN2 = math.log(2)


class Metrics(TrainerCallback):
    """Writes one line per step. Lines of steps that a resume repeats are dropped first."""

    def __init__(self, path, step_of):
        self._path = path
        self._step_of = step_of
        self._rollouts = []
        self._began = None
        self._tokens = 0
        self.last = None

    def watch(self, rollouts):
        """Rollouts of the current step."""
        self._rollouts += rollouts

    def begin(self, step):
        """Keep the lines up to a step."""
        kept = []
        if step and os.path.exists(self._path):
            with open(self._path, encoding="utf-8") as file:
                kept = [line for line in file if line.endswith("\n") and json.loads(line)["step"] <= step]
        with open(self._path, "w", encoding="utf-8") as file:
            file.writelines(kept)

    def on_step_begin(self, args, state, control, **kwargs):
        # on_log comes after on_step_end: the clock of a step runs from the log before it, and GRPO samples before on_step_begin.
        if self._began is None:
            self._began = time.monotonic()

    def on_train_begin(self, args, state, control, **kwargs):
        self._began = time.monotonic()
        self._tokens = state.num_input_tokens_seen

    def on_log(self, args, state, control, logs=None, **kwargs):
        if not logs or "loss" not in logs:
            return
        now = time.monotonic()
        seconds, self._began = now - self._began, now
        tokens = int(logs.get("num_tokens", 0))
        used, self._tokens = max(0, tokens - self._tokens), tokens
        step = {
            "step": state.global_step,
            "loss": logs["loss"],
            "grad_norm": number(logs.get("grad_norm")),
            "lr": number(logs.get("learning_rate")),
            "tokens": used,
            "tokens_per_second": used / seconds if seconds > 0 else 0.0,
            "seconds": seconds,
        }
        step.update(self._step_of(logs, self._rollouts))
        self._rollouts = []
        step = {k: v for k, v in step.items() if v == v}  # no NaN: it is not JSON
        self.last = step
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(step) + "\n")
        told = ", ".join(f"{k} {v:.4g}" for k, v in step.items() if k in SHOWN)
        print(f"step {state.global_step}/{state.max_steps}: {told}, {seconds:.0f} s", flush=True)
        if not math.isfinite(logs["loss"]) or not math.isfinite(number(logs.get("grad_norm"))):
            print("the training has diverged: loss or gradient is not a number", flush=True)
            control.should_training_stop = True


SHOWN = ("loss", "reward", "reward_std", "turns", "kl", "margin", "accuracy", "chosen_logp")


def number(value):
    return 0.0 if value is None else float(value)


def of_rollouts(logs, rollouts):
    """A step's metrics of its rollouts."""
    if not rollouts:
        return {}
    n = len(rollouts)

    def mean(name):
        return sum(r.metrics.get(name, 0.0) for r in rollouts) / n

    rewards = [r.reward for r in rollouts]
    centre = sum(rewards) / n
    cells = sum(r.cells for r in rollouts)
    return {
        "rollouts": n,
        "reward": centre,
        "reward_std": math.sqrt(sum((x - centre) ** 2 for x in rewards) / (n - 1)) if n > 1 else 0.0,
        "turns": mean("num_turns"),
        "dispatches": mean("dispatches"),
        "zero_delegation": mean("zero_delegation"),
        "coverage": mean("coverage"),
        "batching": mean("batching"),
        "cell_errors": sum(r.metrics.get("cell_errors", 0.0) for r in rollouts) / cells,
        "cut": sum(r.cut for r in rollouts) / cells,
        "dead_groups": number(logs.get("frac_reward_zero_std")),
        "kl": number(logs.get("kl")),
        "entropy": number(logs.get("entropy")),
        "clip_fraction": number(logs.get("clip_ratio/region_mean")),
    }


class Alarms:
    """A preference training's metrics, and warnings when they look bad."""

    def __init__(self, batch):
        self._batch = batch
        self._first = None
        self.raised = []

    def of_pairs(self, logs, _):
        chosen = number(logs.get("logps/chosen"))
        if self._first is None:
            self._first = number(logs.get("rewards/chosen"))
        if logs["loss"] > LN2 * 1.05:
            self._raise(f"the loss, {logs['loss']:.3f}, is above ln 2: the model tells the sides apart worse than a coin")
        if number(logs.get("rewards/chosen")) < -0.5:
            self._raise("the chosen answers have become much less likely than they were: the model unlearns them, too")
        return {
            "pairs": self._batch,
            "chosen_logp": chosen,
            "rejected_logp": number(logs.get("logps/rejected")),
            "margin": number(logs.get("rewards/margins")),
            "accuracy": number(logs.get("rewards/accuracies")),
            "entropy": number(logs.get("entropy")),
        }

    def _raise(self, text):
        kind = text.split(",")[0]
        if all(not r.startswith(kind) for r in self.raised):
            self.raised.append(text)
            print(f"alarm: {text}", flush=True)


class Stop(TrainerCallback):
    """Ctrl-C ends the training after the current step, with a checkpoint; a second one ends it at once."""

    def __init__(self):
        self.asked = False
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self._ask)

    def _ask(self, *_):
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("stopping after this step; press Ctrl-C again to stop at once", flush=True)

    def on_step_end(self, args, state, control, **kwargs):
        if self.asked:
            control.should_save = True
            control.should_training_stop = True
