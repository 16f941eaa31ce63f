"""Writes types.gguf: for each type a tensor TYPE of random blocks and a tensor TYPE.values with what the gguf package makes of
them; and values of each kind. Needs gguf==0.19.0 (or later) and numpy: python make.py
"""

import os

import gguf
import numpy as np
from gguf.quants import dequantize

TYPES = "F16 BF16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K".split()
# Where in a block the float16 numbers are: random bits there could be infinite or no number.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2],
          "Q5_K": [0, 2], "Q6_K": [208]}

rng = np.random.default_rng(5)
w = gguf.GGUFWriter(os.path.join(os.path.dirname(os.path.abspath(__file__)), "types.gguf"), "llama")
for key, kind in [("u8", "uint8"), ("i8", "int8"), ("u16", "uint16"), ("i16", "int16"), ("u32", "uint32"), ("i32", "int32"),
                  ("u64", "uint64"), ("i64", "int64")]:
    getattr(w, "add_" + kind)("test." + key, 100 if key[0] == "u" else -100)
w.add_float32("test.f32", 0.1)
w.add_float64("test.f64", 0.1)
w.add_bool("test.bool", True)
w.add_string("test.text", "Ġé")
w.add_array("test.texts", ["a", "", "Ġb"])
w.add_array("test.ints", [1, -2, 3])
w.add_array("test.floats", [0.5, -0.25])
w.add_array("test.bools", [True, False])
for name in TYPES:
    kind = gguf.GGMLQuantizationType[name]
    block, size = gguf.GGML_QUANT_SIZES[kind]
    n = 16 if block == 1 else 2
    raw = rng.integers(0, 256, (3, n * size), dtype=np.uint8)
    for row in range(3):
        for i in range(n):
            if block == 1:  # small enough that none is infinite
                raw[row, i * size + 1] &= 0xBB
            for at in HALVES.get(name, []):
                d = np.float16(rng.normal() * 10.0 ** rng.integers(-6, 2))
                raw[row, i * size + at:i * size + at + 2] = np.frombuffer(d.tobytes(), np.uint8)
    w.add_tensor(name, raw, raw_dtype=kind)
    w.add_tensor(name + ".values", dequantize(raw, kind).astype(np.float32))
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
