"""Writes chats.json: conversations as transformers renders them (apply_chat_template) with the templates of models, whose GGUF files
are named, and the small tokenizers of internal/lm/bpe/testdata: python make.py smollm2=FILE qwen2=FILE. Needs transformers==5.23.0
and gguf. "model" are the ids by the model's own vocabulary, its pieces and normal form as in bpe/testdata/make.py.
"""
import gzip
import json
import os
import sys

from gguf import GGUFReader
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

here = os.path.dirname(os.path.abspath(__file__))
CHATS = [
    [("user", "Hello!")],
    [("system", "You are a careful reviewer."), ("user", "Review app.py")],
    [("user", "a"), ("assistant", "b"), ("user", "c")],
    [("system", ""), ("user", "")],
    [("user", "  leading and trailing \n\n")],
    [("user", "\n\nlines before")],
    [("user", "def f(x):\n    return x + 1\n\n\n# 12345"), ("assistant", "```python\nprint(1)\n```")],
    [("user", "Überraschend: cafe\u0301 漢字 😀 \u212b"), ("assistant", "ja")],
    [("assistant", "I begin."), ("user", "ok")],
    [("user", "one"), ("system", "a second thought"), ("user", "two")],
    [("system", "s"), ("user", "It's {{ messages }} {% raw %} <| im_start |> <|im_start"), ("assistant", "'S 'll")],
    [("user", "x" * 300), ("assistant", " " * 40), ("user", "\t")],
    [("user", "q"), ("assistant", "a\r\n"), ("user", "\r\nq"), ("assistant", "1\u2028 2")],
]
with gzip.open(os.path.join(here, "../../bpe/testdata/pretrained.json.gz")) as f:
    small = json.load(f)["small"]
out = {}
for arg in sys.argv[1:]:
    kind, path = arg.split("=", 1)
    fields = GGUFReader(path).fields
    template = fields["tokenizer.chat_template"].contents()
    tokens, types, merges = (fields["tokenizer.ggml." + n].contents() for n in ("tokens", "token_type", "merges"))
    whole = Tokenizer.from_str(json.dumps(small[kind]["tokenizer"]))
    whole.model = models.BPE({t: i for i, t in enumerate(tokens)}, [tuple(m.split(" ")) for m in merges])
    own = Tokenizer(whole.model)
    own.normalizer, own.pre_tokenizer, own.decoder = whole.normalizer, whole.pre_tokenizer, whole.decoder
    own.add_special_tokens([t for t, k in zip(tokens, types) if k in (3, 4)])
    both = [PreTrainedTokenizerFast(tokenizer_object=t, chat_template=template)
            for t in (Tokenizer.from_str(json.dumps(small[kind]["tokenizer"])), own)]
    out[kind] = {"template": template, "chats": []}
    for chat in CHATS:
        messages = [{"role": role, "content": text} for role, text in chat]
        ids = [t.apply_chat_template(messages, tokenize=True, add_generation_prompt=True, return_dict=False) for t in both]
        out[kind]["chats"].append({"messages": [{"Role": r, "Text": x} for r, x in chat], "small": ids[0], "model": ids[1]})
with open(os.path.join(here, "chats.json"), "w", encoding="utf-8") as f:
    json.dump(out, f, ensure_ascii=False, separators=(",", ":"))
    f.write("\n")
