"""Makes a trainable model from a quantised file."""

import os

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

from . import Failure


def run(chosen):
    """Unpack every weight to 32 bits. The precision that quantising lost is not restored."""
    if not os.path.isfile(chosen.gguf):
        raise Failure(f"there is no file {chosen.gguf}")
    if os.path.exists(os.path.join(chosen.out, "config.json")):
        raise Failure(f"{chosen.out} already holds a model")
    where, name = os.path.split(os.path.abspath(chosen.gguf))
    loaded = AutoModelForCausalLM.from_pretrained(
        where, gguf_file=name, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
    )
    loaded.save_pretrained(chosen.out)
    AutoTokenizer.from_pretrained(where, gguf_file=name).save_pretrained(chosen.out)
    return {"model": chosen.out, "parameters": sum(p.numel() for p in loaded.parameters())}
