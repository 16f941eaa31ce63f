"""Writes a PEFT adapter as the GGUF file that llama-server loads."""

import json
import os
import re

import gguf
import numpy as np
from safetensors import safe_open

from . import Failure

# PEFT's names of a Llama's layers, and GGUF's.
NAMES = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip
KEY = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.([a-z_.]+)\.lora_([AB])\.weight")


def run(chosen):
    """Write the file."""
    says = read(os.path.join(chosen.adapter, "adapter_config.json"), f"{chosen.adapter} holds no adapter")
    base = chosen.model or says.get("base_model_name_or_path") or ""
    config = read(os.path.join(base, "config.json"), f"the adapter's base {base!r} is not here")
    if config.get("model_type") != "llama":
        raise Failure(f"the base is a {config.get('model_type')}, not a llama", "llama.cpp's own convert_lora_to_gguf.py knows more kinds")
    if says.get("use_dora") or says.get("use_rslora") or says.get("rank_pattern") or says.get("alpha_pattern"):
        raise Failure("only plain LoRA can be written", "adapters from deeprepo_train are plain LoRA")
    heads = config["num_attention_heads"]
    kinds = {"q": heads, "k": config.get("num_key_value_heads", heads)}
    writer = gguf.GGUFWriter(chosen.out, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(says["lora_alpha"]))
    tensors = 0
    with safe_open(os.path.join(chosen.adapter, "adapter_model.safetensors"), "pt") as file:
        for key in file.keys():  # noqa: SIM118: no mapping
            match = KEY.fullmatch(key)
            name = match and NAMES.get(match[2])
            if not name:
                raise Failure(f"{key} is not a weight of a llama's linear layers")
            weight = file.get_tensor(key).float().numpy()
            if match[3] == "B" and name in ("attn_q", "attn_k"):
                weight = turned(weight, kinds[name[-1]])
            writer.add_tensor(f"blk.{match[1]}.{name}.weight.lora_{match[3].lower()}", np.ascontiguousarray(weight, dtype=np.float32))
            tensors += 1
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return {"file": chosen.out, "tensors": tensors}


def turned(rows, heads):
    """Rows in GGUF's order, which interleaves the two halves of a head's width for the rotation."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)


def read(path, otherwise):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as e:
        raise Failure(otherwise) from e
