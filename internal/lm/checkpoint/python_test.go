package checkpoint

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// pythonEnv names the directory in which these tests and python/tests/models.py exchange files: see python/check.sh.
const pythonEnv = "DEEPREPO_CHECK_MODELS"

// TestWritesForPython writes what Hugging Face's libraries are to read: a model in three types, an adapter, the encodings of a
// thousand texts, and the logits that we compute.
func TestWritesForPython(t *testing.T) {
	dir := os.Getenv(pythonEnv)
	if dir == "" {
		t.Skip(pythonEnv + " is not set: python/check.sh sets it")
	}
	rng := rand.New(rand.NewPCG(3, 5))
	tok, err := bpe.Train(sources(t), 1024, []string{viewToken, cellToken, endToken})
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tok.Vocab(), Dim: 64, Layers: 3, Heads: 2, Hidden: 176, Context: 256, RopeBase: 5e4,
		NormEps: 1e-6}, 9)
	a := transformer.NewAdapter(m.Config, 4, 12, 9)
	for _, p := range append(m.Params(), a.Params()...) {
		for i := range p.Data { // so that norms and adapters do something
			p.Data[i] += float32(rng.NormFloat64() * .03)
		}
	}
	for name, as := range map[string]DType{"model": F32, "model-f16": F16, "model-bf16": BF16} {
		if err := WriteModelAs(filepath.Join(dir, name), m, tok, map[string]string{"trained by": "nobody"}, as); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteAdapter(filepath.Join(dir, "adapter"), a, m, filepath.Join(dir, "model")); err != nil {
		t.Fatal(err)
	}
	tokens := make([]int32, 200)
	for i := range tokens {
		tokens[i] = int32(rng.IntN(tok.Vocab()))
	}
	write(t, dir, "expected.json", map[string]any{"texts": encodings(tok, rng), "tokens": tokens})
	f, err := os.Create(filepath.Join(dir, "logits.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteTensors(f, []Tensor{logits(m, tokens, "model"), logits(m.Merge(a), tokens, "adapter")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReadsPython reads what the libraries made of it.
func TestReadsPython(t *testing.T) {
	dir := os.Getenv(pythonEnv)
	if dir == "" {
		t.Skip(pythonEnv + " is not set: python/check.sh sets it")
	}
	m, tok, _, err := ReadModel(os.DirFS(filepath.Join(dir, "model")))
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range []string{"again-tokenizers", "again-transformers"} {
		if _, err := os.Stat(filepath.Join(dir, again)); err != nil {
			t.Logf("%s was not written", again)
			continue
		}
		m2, tok2, _, err := ReadModel(os.DirFS(filepath.Join(dir, again)))
		if err != nil {
			t.Errorf("%s: %v", again, err)
			continue
		}
		if diff := cmp.Diff(m.Params(), m2.Params()) + cmp.Diff(m.Config, m2.Config); diff != "" {
			t.Errorf("%s: %s", again, diff)
		}
		text := strings.Join(sources(t), "\n")
		if diff := cmp.Diff(tok.Encode(text), tok2.Encode(text)); diff != "" {
			t.Errorf("%s: %s", again, diff)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "again-peft")); err != nil {
		t.Log("again-peft was not written")
		return
	}
	a, err := ReadAdapter(os.DirFS(filepath.Join(dir, "adapter")), m)
	if err != nil {
		t.Fatal(err)
	}
	a2, err := ReadAdapter(os.DirFS(filepath.Join(dir, "again-peft")), m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.Params(), a2.Params()) + cmp.Diff(a.Alpha, a2.Alpha); diff != "" {
		t.Error(diff)
	}
}

func logits(m *transformer.Model, tokens []int32, name string) Tensor {
	rows := make([]transformer.Row, len(tokens))
	for i, id := range tokens {
		rows[i] = transformer.Row{Pos: i, Token: id, Want: true}
	}
	t := Tensor{Name: name, Shape: []int{len(tokens), m.Config.Vocab}}
	for _, row := range transformer.NewDecoder(m, 1, 1).Step(rows) {
		t.Data = append(t.Data, row...)
	}
	return t
}

// sources are texts to train on: the code of these two packages.
func sources(t *testing.T) (texts []string) {
	t.Helper()
	for _, pattern := range []string{"*.go", "../bpe/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(data))
		}
	}
	return texts
}

type encoding struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

// encodings are of texts that are hard in turn: long runs, all kinds of space, every plane of Unicode, special tokens'
// names.
func encodings(tok *bpe.Tokenizer, rng *rand.Rand) (out []encoding) {
	marks := []rune("  \n\n\t\r\\\\nrt\"'..((([[abcdefgh_09éß漢😀\u00a0\u2028\u0085\x00\x1f\x7f{}:,=<|>ĠǅΩ")
	for i := range 1200 {
		var b strings.Builder
		for range rng.IntN(80) {
			switch r := rng.IntN(0x11000); {
			case i%3 == 0:
				b.WriteRune(marks[rng.IntN(len(marks))])
			case i%3 == 1:
				b.WriteByte(byte(rng.IntN(0x80)))
			default:
				b.WriteRune(rune(r)) // a surrogate becomes U+FFFD
			}
		}
		b.WriteString(strings.Repeat(string(marks[rng.IntN(len(marks))]), rng.IntN(90)))
		b.WriteString([]string{"", viewToken, "\nfor p, r in zip(files, llm_batch(prompts)):\n    add(r)"}[rng.IntN(3)])
		out = append(out, encoding{b.String(), tok.Encode(b.String())})
	}
	return out
}

func write(t *testing.T, dir, name string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}
