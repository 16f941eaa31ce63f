"""Writes what transformers computes from a model's GGUF file, whose weights it unpacks: python logits.py FILE.gguf OUT.json.gz. Of each
prompt the tokens, and behind every token the logits of STRIDE, 2*STRIDE, ... in float64 (rotary angles are float32), one layer at a time,
so that Qwen2.5-Coder-1.5B takes 13 GB. Needs torch, transformers==5.23.0 and gguf. The tokens are transformers' own: those that a file's
tokenizer would make are another test.
"""
import gzip
import json
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

STRIDE = 1499
TEXTS = [
    "<|im_start|>user\nThe repository has 11 files. Ask a worker about each, then report what was found.\nfiles = ['app.py', 'rates.py']"
    "<|im_end|>\n<|im_start|>assistant\nresults = llm_batch([f'Review {p}' for p in files])\n",
    "def quicksort(xs):\n    if len(xs) <= 1:\n        return xs\n    pivot = xs[len(xs) // 2]\n    left = [x for x in xs if x < pivot]\n",
    "It says that species change over time. Überraschend: 漢字 и кириллица, and 😀.",
]
path = os.path.abspath(sys.argv[1])
where, name = os.path.split(path)
tokenizer = AutoTokenizer.from_pretrained(where, gguf_file=name)
model = AutoModelForCausalLM.from_pretrained(where, gguf_file=name, dtype=torch.float32, attn_implementation="eager").eval()
model.model.embed_tokens.register_forward_hook(lambda module, args, out: out.double())
for part in [*model.model.layers, model.model.norm, model.lm_head]:
    part.register_forward_pre_hook(lambda module, args: module.double() and None)
    part.register_forward_hook(lambda module, args, out: module.float() and None)
prompts = []
for text in TEXTS:
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0][:, STRIDE::STRIDE]
    prompts.append({"ids": ids, "logits": [[round(v, 6) for v in row] for row in logits.tolist()]})
    print(len(ids), logits.dtype, logits.shape, flush=True)
out = json.dumps({"stride": STRIDE, "prompts": prompts}, separators=(",", ":")).encode()
pathlib.Path(sys.argv[2]).write_bytes(gzip.compress(out, 9, mtime=0))
