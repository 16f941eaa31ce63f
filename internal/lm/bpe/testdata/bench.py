"""The tokens that the tokenizers library makes in a second of a processor, of the texts of BenchmarkEncodeSource in lm/checkpoint:
python bench.py smollm2=FILE.gguf qwen2=FILE.gguf. Needs tokenizers==0.23.3 and gguf.
"""
import glob
import gzip
import json
import os
import resource
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"
from gguf import GGUFReader  # noqa: E402
from tokenizers import Tokenizer, models  # noqa: E402

here = os.path.dirname(os.path.abspath(__file__))
patterns = ["../*/*.go", "../../nano/*.go", "../../rlm/*.go", "../../rlm/*.py", "../../../docs/*.md"]
names = [n for p in patterns for n in sorted(glob.glob(os.path.join(here, "../../checkpoint", p)))]
text = "".join(open(n, encoding="utf-8").read() for n in names)
with gzip.open(os.path.join(here, "pretrained.json.gz")) as f:
    small = json.load(f)["small"]


def processor():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


for arg in sys.argv[1:]:
    kind, path = arg.split("=", 1)
    fields = GGUFReader(path).fields
    tokens, merges = (fields["tokenizer.ggml." + n].contents() for n in ("tokens", "merges"))
    whole = Tokenizer.from_str(json.dumps(small[kind]["tokenizer"]))
    t = Tokenizer(models.BPE({x: i for i, x in enumerate(tokens)}, [tuple(m.split(" ")) for m in merges]))
    t.normalizer, t.pre_tokenizer = whole.normalizer, whole.pre_tokenizer
    t.encode(text[:100000])
    begin, n = processor(), 0
    for _ in range(5):
        n += len(t.encode(text).ids)
    took = processor() - begin
    print(f"{kind}: {n / took:.0f} tokens/s, {5 * len(text.encode()) / took / 1e6:.2f} MB/s")
