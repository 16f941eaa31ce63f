"""Loads base model, tokenizer and adapter."""

import os

import torch
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

from . import Failure


def tokenizer(path):
    """The tokenizer of a chat model."""
    known(path)
    loaded = AutoTokenizer.from_pretrained(path)
    if loaded.chat_template is None:
        raise Failure(f"{path} has no chat template", "train a model that follows instructions")
    if loaded.pad_token_id is None:
        loaded.pad_token = loaded.eos_token
    return loaded


def load(path, quantize="none"):
    """The base model: 32 bits on a CPU, 16 on a GPU, 4 for QLoRA."""
    known(path)
    if quantize not in ("auto", "4bit", "none"):
        raise Failure(f"there is no --quantize {quantize}", "4bit, none or auto")
    cuda = torch.cuda.is_available()
    options = {"dtype": torch.bfloat16 if cuda else torch.float32}
    if quantize == "4bit" or quantize == "auto" and cuda:
        if not cuda:
            raise Failure("4 bits need a GPU", "--quantize none trains LoRA on the CPU")
        try:
            import bitsandbytes  # noqa: F401
        except ImportError as e:
            raise Failure("4 bits need bitsandbytes", "pip install 'deeprepo-train[gpu]', or --quantize none") from e
        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16
        )
        options["device_map"] = {"": torch.cuda.current_device()}
    try:
        return AutoModelForCausalLM.from_pretrained(path, **options)
    except (OSError, ValueError) as e:
        raise Failure(f"cannot load {path}: {str(e).splitlines()[0]}") from e


def known(path):
    """A GGUF file cannot be trained; a missing path is not a name on a hub."""
    if path.endswith(".gguf"):
        raise Failure(f"{path} is quantised", "python -m deeprepo_train base --gguf FILE --out DIR makes a trainable model of it")
    if path.startswith(("/", "./", "../", "~")) and not os.path.isfile(os.path.join(path, "config.json")):
        raise Failure(f"{path} holds no model", "a directory in Hugging Face's layout has a config.json")


def lora(chosen):
    """An adapter on every linear layer but the last."""
    if chosen.rank < 1:
        raise Failure("--rank must be at least 1")
    return LoraConfig(
        r=chosen.rank, lora_alpha=chosen.alpha, lora_dropout=chosen.dropout, target_modules="all-linear", bias="none", task_type="CAUSAL_LM"
    )
