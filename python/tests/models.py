"""Read our models with Hugging Face's libraries and compare: run by check.sh (tokenizers, safetensors, numpy) and, with
transformers, PEFT and torch in the environment, by check-models.sh.

    models.py DIR           tokenizer and tensors
    models.py DIR --full    and logits of the model and of its adapter

DIR holds what TestWritesForPython wrote; the libraries' own copies are left there for TestReadsPython.
"""

import json
import pathlib
import shutil
import sys

import numpy
import safetensors.numpy
import tokenizers

DIR = pathlib.Path(sys.argv[1])
EXPECTED = json.loads((DIR / "expected.json").read_text(encoding="utf-8"))


def check_tokenizer():
    tokenizer = tokenizers.Tokenizer.from_file(str(DIR / "model" / "tokenizer.json"))
    tokenizer.encode_special_tokens = True  # text that spells a special token is text
    for case in EXPECTED["texts"]:
        ids = tokenizer.encode(case["text"], add_special_tokens=False).ids
        assert ids == case["ids"], f"{case['text']!r}: tokenizers {ids}, ours {case['ids']}"
        assert tokenizer.decode(ids, skip_special_tokens=False) == case["text"], f"{case['text']!r} does not decode to itself"
    print(f"models: {len(EXPECTED['texts'])} texts have the encodings of tokenizers {tokenizers.__version__}")
    return tokenizer


def check_tensors(tokenizer):
    weights = safetensors.numpy.load_file(DIR / "model" / "model.safetensors")
    half = safetensors.numpy.load_file(DIR / "model-f16" / "model.safetensors")
    brain = dict(safetensors.deserialize((DIR / "model-bf16" / "model.safetensors").read_bytes()))
    assert weights.keys() == half.keys() == brain.keys()
    for name, weight in weights.items():
        assert weight.dtype == numpy.float32 and half[name].dtype == numpy.float16 and brain[name]["dtype"] == "BF16"
        assert numpy.array_equal(weight.astype(numpy.float16), half[name]), f"{name} is rounded otherwise to F16"
        bits = weight.view(numpy.uint32).astype(numpy.uint64)
        rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")
        assert rounded.tobytes() == bytes(brain[name]["data"]), f"{name} is rounded otherwise to BF16"
    again = DIR / "again-tokenizers"
    again.mkdir(exist_ok=True)
    shutil.copy(DIR / "model" / "config.json", again)
    tokenizer.save(str(again / "tokenizer.json"))
    safetensors.numpy.save_file(weights, again / "model.safetensors", {"format": "pt"})
    print(f"models: {len(weights)} tensors in three types are what safetensors {safetensors.__version__} reads")


def check_logits():
    import peft
    import torch
    import transformers

    ours = safetensors.numpy.load_file(DIR / "logits.safetensors")
    tokens = torch.tensor([EXPECTED["tokens"]])

    def compare(model, name):
        with torch.no_grad():
            logits = model(tokens).logits[0].numpy()
        difference = numpy.abs(logits - ours[name]).max()
        assert difference < 1e-3, f"{name}: logits differ by {difference}"
        print(f"models: logits of the {name} differ from ours by {difference:.1e} at most, of {numpy.abs(logits).max():.1f}")

    model, report = transformers.LlamaForCausalLM.from_pretrained(DIR / "model", dtype=torch.float32, output_loading_info=True)
    assert not any(report.values()), report
    compare(model, "model")
    model.save_pretrained(DIR / "again-transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(DIR / "model")
    for case in EXPECTED["texts"]:
        if "<|" not in case["text"]:
            ids = tokenizer(case["text"], add_special_tokens=False)["input_ids"]
            assert ids == case["ids"], f"{case['text']!r}: transformers {ids}, ours {case['ids']}"
    chat = [{"role": "user", "content": "9 files"}, {"role": "assistant", "content": "x"}, {"role": "user", "content": "ok"}]
    text = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    assert text == "<|view|>9 files<|cell|>x<|end|><|view|>ok<|cell|>", text
    assert tokenizer.eos_token == "<|end|>" and model.config.eos_token_id == tokenizer.eos_token_id == model.generation_config.eos_token_id
    tokenizer.save_pretrained(DIR / "again-transformers")
    adapted = peft.PeftModel.from_pretrained(model, DIR / "adapter")
    compare(adapted, "adapter")
    adapted.save_pretrained(DIR / "again-peft")
    compare(adapted.merge_and_unload(), "adapter")
    print(f"models: read by transformers {transformers.__version__}, PEFT {peft.__version__}, torch {torch.__version__}")


check_tensors(check_tokenizer())
if "--full" in sys.argv[2:]:
    check_logits()
