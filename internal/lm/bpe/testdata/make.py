"""Writes pretrained.json.gz: what the tokenizers library makes of some hundred texts, by three small tokenizers that are trained here
and stored beside, and by the vocabularies of models, whose GGUF files are named: python make.py smollm2=FILE qwen2=FILE. And kinds.txt:
where what the library's patterns make of characters changes (letter, number, space, symbol; 1: a numeral that Digits cuts out).
Needs tokenizers==0.23.3 and, for models, gguf. In "plain" special tokens are text, in "marked" their names stand for them.
A model has no tokenizer.json beside its GGUF file: the pieces are those of the published files (Digits and ByteLevel for SmolLM2;
for Qwen2 its own pattern, after NFC), vocabulary, merges and special tokens those of the GGUF file.
"""
import gzip
import json
import os
import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

CODE = ['''package main

import "fmt"

// Add returns a+b.
func Add(a, b int) (int, error) {
	if a > 1<<31 {
		return 0, fmt.Errorf("too large: %d", a)
	}
	return a + b, nil
}
''', '''def quicksort(xs: list[int]) -> list[int]:
    """Sorts, doesn't mutate."""
    if len(xs) <= 1:
        return xs
    pivot = xs[len(xs) // 2]
    return quicksort([x for x in xs if x < pivot]) + [x for x in xs if x == pivot] + quicksort([x for x in xs if x > pivot])
''', '''const xs = await Promise.all(urls.map(async (u) => (await fetch(`${u}?n=${i++}`)).json()));
export default function App({ children }) {
  return <div className="app">{children ?? 'It\\'s empty'}</div>;
}
''', '''interface Shape<T extends number = 42> { readonly area: T; }
type Keys = keyof typeof obj & string; // TS
let v = <const>["a", 'b'];
''', '''#include <stdio.h>
#define MAX(a,b) ((a)>(b)?(a):(b))
int main(void) {
\tunsigned char buf[0x10] = {0};
\tfor (int i = 0; i < 16; ++i) buf[i] ^= 0xFF;
\treturn printf("%02x\\n", buf[3]) < 0;
}
''', '''template <typename T, std::size_t N>
constexpr auto sum(const std::array<T, N>& a) noexcept -> T { return std::accumulate(a.begin(), a.end(), T{}); }
''', '''public final class Main {
    private static final Map<String, List<Integer>> CACHE = new ConcurrentHashMap<>();
    public static void main(String... args) throws IOException { System.out.println("x -> " + CACHE.getOrDefault("k", List.of())); }
}
''', '''fn main() -> Result<(), Box<dyn Error>> {
    let v: Vec<_> = (0..10).filter(|n| n % 2 == 0).map(|n| n * n).collect();
    println!("{v:?} {:>8.3}", 3.14159_f64);
    Ok(())
}
''', '''class Greeter
  attr_reader :name
  def greet = "Hello, #{@name}!"
end
puts %w[a b c].each_with_index.map { |x, i| "#{i}:#{x}" }.join(", ")
''', '''<?php
declare(strict_types=1);
function f(?int $x = null): string { return $x?->y ?? "none"; }
echo <<<EOT
  It's {$a['b']}
EOT;
''', '''#!/usr/bin/env bash
set -euo pipefail
for f in *.{go,py}; do [[ -e $f ]] && wc -l "$f" | awk '{print $1}' >>"${OUT:-/dev/null}" 2>&1; done
''', '''SELECT u.id, COUNT(*) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE u.created_at >= '2024-01-01' GROUP BY 1 HAVING COUNT(*) > 10;
''', '''<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>T&amp;T</title></head>
<body onload="f('x')"><!-- it's -->&nbsp;</body></html>
''', '''{"a": [1, 2.5e-10, null, true], "b\\u00e9": {"c": "d\\n"}}
''', '''diff --git a/x.go b/x.go
@@ -1,3 +1,4 @@
-old line
+new line
 \tcontext
''']
PROSE = ["Hello, world!", "I'm sure they'll say it's fine, don't you think? We've seen it; he'd know. 'Tis THEY'LL WE'VE I'M IT'S", "Café naïve résumé façade Ångström",
 "Cafe\u0301 nai\u0308ve A\u030angstro\u0308m e\u0323\u0302 \u0071\u0307\u0323 \u1e9b\u0323", "你好，世界！这是一个测试。", "日本語のテキストとカタカナ ー がぎぐ か\u3099き\u3099", "한국어 텍스트입니다 \u1112\u1161\u11ab\u1100\u1173\u11af",
 "Россия и Українa, ёж е\u0308ж", "مرحبا بالعالم ١٢٣ ۴۵۶", "שלום עולם", "नमस्ते दुनिया १२३", "สวัสดีชาวโลก", "Xin chào thế giới Việt Nam", "γειά σου Κόσμε ΑΒΓ", "ſtraße 'ſ 'S it'ſ I'\u017f WE'RE we'Ve",
 "😀👍🏽🇺🇸 ❤️ 👨‍👩‍👧‍👦 🏳️‍🌈 e\u20dd", "Numbers 12345 and 3.14159 and 1,000,000 v1.2.3 0x1F 1e-9 ½ ² ³ Ⅷ ① ௧௨ 二〇二四", "zero\u200bwidth\ufeff nbsp\u00a0here\u202f\u2003em\u3000ideographic", "\u0000\u0001\u0004\u0006\u0013\u001f\u007f\u0080\u0085\u009f", "a\u0085b\u2028c\u2029d\u000be\u000cf\u001cg",
 "\u212b \u2126 \u212a \ufb01 \uf900 \u2f800 \U0002f800 \u0344 \u0958", "\U0001d40a\U0001d7d8 \U0010ffff \U000f0000 \U000e0041 \ue000 \ufffd \ufffe", "a" + "\u0301" * 40 + "b" + "\u0323\u0301" * 25, "x" + "\u0300\u0345\u0591" * 20, "\u1100" * 10 + "\u1161" * 10 + "\u11a8" * 10,
 "<|im_start|>user\nhi<|im_end|>\n", "text <|endoftext|> more<|endoftext|>", "<|im_start|><|im_end|><|endoftext|>", "<repo_name>x<file_sep>y <|im_start |> <|im_start", "<tool_call>{}</tool_call> <|fim_prefix|>a<|fim_suffix|>b<|fim_middle|>", " <|im_end|> \n<|im_end|>\r\n", "café<|im_start|>e\u0301",
 "\U00010d40\U00010d4a \U000116d0 \U00011de0 \U00016ff4 \u1c89 \U000105c0 \U0002ebf0 \U0001e5f0\U0001e5f1"]
def texts():
    r = random.Random(19)
    out = [""] + CODE + PROSE
    for n in (1, 2, 3, 4, 7, 8, 16, 17, 100, 1000):
        for c in (" ", "\n", "\t", "\r\n", " \n", "a", "ab", "=", "1", "é", "漢", "😀", "'", "\u0301"):
            if n * len(c) <= 2000 and (n < 100 or c in (" ", "a", "1", "=", "漢", "\n")):
                out.append(c * n); 
        out.append("x" + " " * n + "y"); out.append("x\n" + " " * n + "1\n" + "\t" * (n % 9)); out.append(" " * n + "=" * (n % 5) + "\r" * (n % 3))
    marks = "  \n\n\t\r'''\"((_aabbxyzABſst12 90éß漢😀\u00a0\u2028\u0085\u0301\u0323{}:,=<|>-#Ⅷ½१" 
    words = "it's don't they'll THE The the of and for return self.x func  == != -> 2024 1,000 \n    \n\n\t // # <|im_end|> <| |> Ġ Ċ café naïve Überfall 東京 مرحبا 'Ve 'LL x' '' '".split(" ")
    for i in range(160):
        n = r.randrange(1, 60)
        if i % 4 == 0: s = "".join(r.choice(marks) for _ in range(n))
        elif i % 4 == 1: s = "".join(r.choice(words) + r.choice(["", " ", " ", "  ", "\n"]) for _ in range(n))
        elif i % 4 == 2: s = "".join(chr(r.choice([r.randrange(0x20, 0x7f), r.randrange(0xa0, 0x600), r.randrange(0x900, 0xe00), r.randrange(0x1f300, 0x1f700), r.randrange(0x4e00, 0x9fff), r.randrange(0x300, 0x370), r.randrange(0xac00, 0xd7a3)])) for _ in range(n))
        else:
            c = r.choice(CODE); a = r.randrange(len(c)); s = c[a:a + r.randrange(5, 200)].replace(" ", r.choice([" ", "  ", "\t"]))
        out.append(s)
    return list(dict.fromkeys(out))


QWEN2 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
PRE = {
    "gpt2": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False),
    "smollm2": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]),
    "qwen2": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(QWEN2), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]),
}


def tokenizer(kind, model):
    t = Tokenizer(model)
    t.pre_tokenizer, t.decoder = PRE[kind](), decoders.ByteLevel()
    if kind == "qwen2":
        t.normalizer = normalizers.NFC()
    return t


def encodings(plain, marked):
    out = {"plain": [], "marked": []}
    for text in texts():
        ids = plain.encode(text, add_special_tokens=False).ids
        out["plain"].append(ids)
        other = marked.encode(text, add_special_tokens=False).ids
        out["marked"].append(other if other != ids else None)
    return out


def small(kind):
    t = tokenizer(kind, models.BPE())
    alphabet = [] if kind == "smollm2" else pre_tokenizers.ByteLevel.alphabet()  # SmolLM2's lacks bytes
    first = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"] if kind == "smollm2" else []
    t.train_from_iterator(CODE + PROSE + texts()[-160:], trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=alphabet, special_tokens=first, show_progress=False))
    plain = Tokenizer.from_str(t.to_str())
    if kind == "smollm2":
        j = json.loads(t.to_str())
        j["added_tokens"] = []
        plain = Tokenizer.from_str(json.dumps(j))
    else:
        t.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
        t.add_tokens([AddedToken("<tool_call>", normalized=False)])
    return {"tokenizer": json.loads(t.to_str()), **encodings(plain, t)}


def of_model(kind, path):
    from gguf import GGUFReader
    fields = GGUFReader(path).fields
    tokens, types = (fields["tokenizer.ggml." + name].contents() for name in ("tokens", "token_type"))
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    special = [t for t, k in zip(tokens, types) if k in (3, 4)]
    vocab = {t: i for i, t in enumerate(tokens)}
    plain, marked = tokenizer(kind, models.BPE(vocab, merges)), tokenizer(kind, models.BPE(vocab, merges))
    marked.add_special_tokens(special)
    return encodings(plain, marked)


def kinds():
    pattern, digits, last = PRE["gpt2"](), pre_tokenizers.Digits(individual_digits=True), ""
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000:
            continue
        one = [k for k, other in (("L", "a"), ("N", "1"), ("P", "!")) if len(pattern.pre_tokenize_str(other + chr(c))) == 1]
        kind = (one or ["S"])[0] + ("1" if len(digits.pre_tokenize_str("a" + chr(c))) == 2 else "")
        if kind != last:
            last = kind
            yield f"{c:x} {kind}\n"


here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "kinds.txt"), "w") as f:
    f.writelines(kinds())
result = {"texts": texts(), "small": {kind: small(kind) for kind in PRE}, "models": {}}
for arg in sys.argv[1:]:
    kind, path = arg.split("=", 1)
    result["models"][kind] = of_model(kind, path)
name = os.path.join(here, "pretrained.json.gz")
with open(name, "wb") as f, gzip.GzipFile("", "wb", 9, f, 0) as z:
    z.write(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
print(len(result["texts"]), "texts,", os.path.getsize(name), "bytes")
