#!/usr/bin/env bash
# Training and sampling of the small embedded model, or of one of SmolLM2-135M's shape, side by side with PyTorch on the processor.
#
#   python/compare-training.sh [--size small|smollm2] [--rounds 3] [--threads 2]
#
# Both have the same architecture and size: ours, and transformers' LlamaForCausalLM with its fastest attention (python/check-models.sh
# checks that the two compute the same logits). A training step is the gradient of the mean loss of 16 sequences of 320 tokens,
# clipped, and a step of AdamW; once for all weights, once for a LoRA of rank 8 (PEFT's on the Python side). Sampling is 32
# conversations of 400 tokens at once with a key-value cache, the likeliest token each; PyTorch's rate is that of its faster
# cache. With --size smollm2 a step is 4 sequences of 512 tokens, of which the last 200 are the policy's own (PyTorch computes
# the logits of those alone, too), for a LoRA of rank 16; and sampling is 32 conversations that begin with the same 400 tokens
# (read once, on both sides) and go on for 60 each; ours with weights in 32 bits and in 8. Rounds are interleaved, the median
# counts. Both tokens a second of wall time and of processor time are printed; other work on the machine disturbs the latter
# less. On a busy machine use --threads 1: PyTorch's threads wait for each other in every operation, and crawl when one of them
# has no processor.
#
# Needs Go, Python 3.11 or later and PyPI (on Linux the packages take about 6 GB). DEEPREPO_CHECK_PYTHON names the Python of an
# environment that has the packages already, as for check-models.sh.
set -euo pipefail

rounds=3 threads=2 size=small
while [ $# -gt 0 ]; do
	case "$1" in
	--rounds) rounds=$2 ;;
	--threads) threads=$2 ;;
	--size) size=$2 ;;
	*) echo "usage: $0 [--size small|smollm2] [--rounds N] [--threads N]" >&2; exit 2 ;;
	esac
	[ $# -ge 2 ] || { echo "$0: $1 wants a value" >&2; exit 2; }
	shift 2
done
case "$size" in
small) bench='Train/small/(full|lora8)$|Decode/small/16$' times=3x ;;
smollm2) bench='Pretrained(Train|Decode)' times=1x ;;
*) echo "$0: --size is small or smollm2" >&2; exit 2 ;;
esac
here=$(cd "$(dirname "$0")/.." && pwd)
export PYTHONDONTWRITEBYTECODE=1
packages="torch==2.15.0 transformers==5.23.0 peft==0.21.2 numpy==2.4.6"
python=${DEEPREPO_CHECK_PYTHON:-}
if [ -z "$python" ]; then
	venv=${XDG_CACHE_HOME:-$HOME/.cache}/deeprepo-compare/$(printf %s "$packages" | sha256sum | cut -c1-12)
	if [ ! -e "$venv/ready" ]; then
		rm -rf "$venv"
		python3 -m venv "$venv"
		# shellcheck disable=SC2086 # a list
		"$venv/bin/pip" install --quiet --disable-pip-version-check $packages
		touch "$venv/ready"
	fi
	python=$venv/bin/python
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && go test -c -o "$work/ours.test" ./internal/lm/transformer)

cat >"$work/torch_side.py" <<'PY'
import sys, time

import torch
from peft import LoraConfig, get_peft_model
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, StaticCache

torch.set_num_threads(int(sys.argv[1]))
torch.manual_seed(1)
SMALL = sys.argv[2] == "small"
VOCAB = 1024 if SMALL else 49152
BATCH, LENGTH, OWN, RANK = (16, 320, 319, 8) if SMALL else (4, 512, 200, 16)
TALKS, BEFORE, TALK = (32, 0, 400) if SMALL else (32, 400, 60)


def model():
    shape = dict(hidden_size=128, intermediate_size=352, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=4,
                 max_position_embeddings=1024)
    if not SMALL:
        shape = dict(hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3,
                     max_position_embeddings=8192, rope_parameters={"rope_type": "default", "rope_theta": 100000.0})
    m = LlamaForCausalLM(LlamaConfig(vocab_size=VOCAB, rms_norm_eps=1e-5, tie_word_embeddings=True, attn_implementation="sdpa", **shape))
    assert m.num_parameters() == (935_040 if SMALL else 134_515_008), m.num_parameters()
    return m


def rate(name, tokens, f):
    f()  # not counted: the first one allocates
    start, used = time.perf_counter(), time.process_time()
    times = 2
    for _ in range(times):
        f()
    return f"{name} {times * tokens / (time.perf_counter() - start):.1f} {times * tokens / (time.process_time() - used):.1f}"


def training(m):
    m.train()
    weights = [p for p in m.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=1e-4, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    tokens = torch.randint(0, VOCAB, (BATCH, LENGTH))

    def step():
        logits = m(input_ids=tokens, use_cache=False, logits_to_keep=OWN + 1).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, VOCAB), tokens[:, -OWN:].reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()

    return step


def sampling(m, cache):
    m.eval()

    @torch.inference_mode()
    def talk():
        past, token = cache(m.config), torch.arange(TALKS).reshape(TALKS, 1)
        if BEFORE:
            m(input_ids=torch.randint(0, VOCAB, (1, BEFORE)), past_key_values=past, use_cache=True, logits_to_keep=1)
            past.batch_repeat_interleave(TALKS)
        for _ in range(TALK):
            token = m(input_ids=token, past_key_values=past, use_cache=True).logits[:, -1].argmax(-1, keepdim=True)

    return talk


if SMALL:
    print(rate("full", BATCH * LENGTH, training(model())))
targets = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
lora = get_peft_model(model(), LoraConfig(r=RANK, lora_alpha=2 * RANK, task_type="CAUSAL_LM", target_modules=targets))
print(rate("lora", BATCH * LENGTH, training(lora)))
m = model()
print(rate("sample/dynamic", TALKS * TALK, sampling(m, lambda c: DynamicCache(config=c))))
if SMALL:  # a static cache cannot be repeated for conversations that begin alike
    print(rate("sample/static", TALKS * TALK, sampling(m, lambda c: StaticCache(config=c, max_cache_len=TALK))))
PY

load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?'; }
versions=$("$python" -c 'import torch, transformers
print("torch", torch.__version__, "transformers", transformers.__version__, torch.backends.cpu.get_cpu_capability())')
echo "$rounds rounds, $threads threads, $(nproc) processors, load $(load), $versions, $(go version | cut -d' ' -f3)"
for _ in $(seq "$rounds"); do
	"$work/ours.test" -test.run '^$' -test.bench "$bench" -test.benchtime "$times" \
		-test.cpu "$threads" >>"$work/ours.txt"
	"$python" "$work/torch_side.py" "$threads" "$size" >>"$work/torch.txt" 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
done

"$python" - "$work" <<'PY'
import re, statistics, sys

ours, torch = {}, {}
for line in open(sys.argv[1] + "/ours.txt"):
    found = re.match(r"Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)", line)
    if not found:
        continue
    name = {"Train/small/full": "full", "Train/small/lora8": "lora", "Decode/small/16": "sample",
            "PretrainedTrain/f32": "lora", "PretrainedDecode/f32": "sample",
            "PretrainedTrain/int8": "lora, base in 8 bits", "PretrainedDecode/int8": "sample, 8 bits"}[found[1]]
    metrics = {unit: float(value) for value, unit in re.findall(r"([\d.e+]+) (tok/\S+)", found[2])}
    ours.setdefault(name, []).append((metrics["tok/s"], metrics["tok/cpu-s"]))

for line in open(sys.argv[1] + "/torch.txt"):
    name, clock, processor = line.split()
    torch.setdefault(name, []).append((float(clock), float(processor)))
fastest = max((n for n in torch if n.startswith("sample")), key=lambda n: statistics.median(c for _, c in torch[n]))
torch["sample"] = torch[fastest]
torch["lora, base in 8 bits"], torch["sample, 8 bits"] = torch["lora"], torch["sample"]  # which has no faster way on a processor
print(f"{'':<26}{'ours':>10}{'PyTorch':>10}{'ratio':>8}   rounds of the ratio")
for name, title in (("full", "training, all weights"), ("lora", "training, LoRA"), ("lora, base in 8 bits", "the same, int8"),
                    ("sample", "sampling, 32 at once"), ("sample, 8 bits", "the same, int8")):
    if name not in ours:
        continue
    for at, unit in ((0, "tok/s"), (1, "tok/cpu-s")):
        a, b = [x[at] for x in ours[name]], [x[at] for x in torch[name]]
        ratios = [x / y for x, y in zip(a, b)]
        print(f"{title if at == 0 else '':<22}{unit:<10}{statistics.median(a):>8.0f}{statistics.median(b):>10.0f}"
              f"{statistics.median(ratios):>7.2f}x   {', '.join(f'{r:.2f}' for r in ratios)}")
print(f"PyTorch's faster cache: {fastest.split('/')[1]}")
PY
