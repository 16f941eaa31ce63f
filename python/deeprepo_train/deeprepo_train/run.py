"""The directory of a run, and the steps that both methods share."""

import json
import os
import time

import torch
from transformers import PrinterCallback
from transformers.trainer_utils import get_last_checkpoint

from . import Failure, __version__
from .metrics import Metrics, Stop

PLACE = {"out", "threads", "url", "save_every", "sample_batch", "micro"}  # these do not change the result


def arguments(chosen, out, learning_rate, accumulate):
    """Arguments that every transformers trainer takes."""
    cuda = torch.cuda.is_available()
    return {
        "output_dir": os.path.join(out, "checkpoint"),
        "seed": chosen.seed,
        "learning_rate": chosen.learning_rate or learning_rate,
        "lr_scheduler_type": chosen.schedule,
        "warmup_steps": chosen.warmup,
        "max_grad_norm": chosen.clip_norm,
        "per_device_train_batch_size": chosen.micro,
        "gradient_accumulation_steps": accumulate,
        "save_strategy": "steps",
        "save_steps": chosen.save_every,
        "save_total_limit": 1,
        "logging_steps": 1,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,
        "report_to": "none",
        "disable_tqdm": True,
        "bf16": cuda,
        "use_cpu": not cuda,
        "gradient_checkpointing": cuda,
        "dataloader_num_workers": 0,
    }


class Run:
    """Begins in an empty directory, or continues the same training."""

    def __init__(self, method, chosen):
        self.out = chosen.out
        self._method = method
        os.makedirs(self.out, exist_ok=True)
        asked = {"method": method, **{k: v for k, v in vars(chosen).items() if k not in PLACE and k != "command"}}
        path = os.path.join(self.out, "options.json")
        self.checkpoint = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                before = json.load(file)
            changed = sorted(k for k in asked.keys() | before.keys() if asked.get(k) != before.get(k))
            if changed:
                raise Failure(f"{self.out} holds a training with another {', '.join(changed)}", "choose another directory with --out")
            if os.path.isdir(os.path.join(self.out, "checkpoint")):
                self.checkpoint = get_last_checkpoint(os.path.join(self.out, "checkpoint"))
        else:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(asked, file, indent=2)
        self.stop = Stop()

    def train(self, build, step_of):
        """Train to the end, or to Ctrl-C. `build` makes the trainer from a list of callbacks."""
        done = int(self.checkpoint.rsplit("-", 1)[1]) if self.checkpoint else 0
        metrics = Metrics(os.path.join(self.out, "metrics.jsonl"), step_of)
        metrics.begin(done)
        trainer = build(metrics, [metrics, self.stop])
        trainer.remove_callback(PrinterCallback)  # metrics prints it shorter
        if done:
            print(f"continuing after step {done}", flush=True)
        began = time.monotonic()
        trainer.train(resume_from_checkpoint=self.checkpoint)
        adapter = os.path.join(self.out, "adapter")
        trainer.save_model(adapter)
        said = {
            "method": self._method, "engine": "trl", "version": __version__, "steps": trainer.state.global_step,
            "of": trainer.state.max_steps, "stopped": trainer.state.global_step < trainer.state.max_steps,
            "seconds": round(time.monotonic() - began, 1), "adapter": adapter,
        }  # fmt: skip
        return trainer, said

    def finish(self, said):
        """Save the result."""
        with open(os.path.join(self.out, "trained.json"), "w", encoding="utf-8") as file:
            json.dump(said, file, indent=2)
        return said
