package checkpoint

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// pretrainedEnv names a directory with the GGUF files of models: smollm2*.gguf (SmolLM2-135M-Instruct) and qwen2*.gguf
// (Qwen2.5-Coder-1.5B-Instruct), which are too large to be stored here: scripts/pretrained.sh fetches them, and .ci/run the first.
const pretrainedEnv = "DEEPREPO_PRETRAINED"

func openPretrained(t testing.TB, kind string) *Source {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv(pretrainedEnv), kind+"*.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv(pretrainedEnv) == "" || len(found) != 1 {
		t.Skipf("there is no one %s*.gguf in %s: scripts/pretrained.sh DIR %s", kind, pretrainedEnv, kind)
	}
	s, err := OpenGGUF(os.DirFS(filepath.Dir(found[0])), filepath.Base(found[0]))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestModelsEncodeAsTheLibrary compares with what the tokenizers library made of the same vocabularies
// (internal/lm/bpe/testdata/make.py).
func TestModelsEncodeAsTheLibrary(t *testing.T) {
	var golden struct {
		Texts  []string
		Models map[string]struct{ Plain, Marked [][]int32 }
	}
	readGolden(t, "../bpe/testdata/pretrained.json.gz", &golden)
	if len(golden.Models) != 2 {
		t.Fatalf("%d models", len(golden.Models))
	}
	for kind, want := range golden.Models {
		t.Run(kind, func(t *testing.T) {
			tok := openPretrained(t, kind).Tokenizer
			for i, text := range golden.Texts {
				marked := want.Marked[i]
				if marked == nil {
					marked = want.Plain[i]
				}
				if got := tok.Encode(text); !slices.Equal(got, want.Plain[i]) {
					t.Errorf("%q:\n%v\n%v", text, got, want.Plain[i])
				}
				if got := tok.EncodeMarked(text); !slices.Equal(got, marked) {
					t.Errorf("%q, with special tokens:\n%v\n%v", text, got, marked)
				}
			}
		})
	}
}

// TestModelsComputeAsTransformers compares logits with those that transformers computes in float64 from the same file
// (testdata/logits.py). Of SmolLM2's, torch itself is as far from them in float32 as we are: 7e-5 to 9e-5 at most on such prompts.
func TestModelsComputeAsTransformers(t *testing.T) {
	for kind, most := range map[string]float64{"smollm2": 1.5e-4, "qwen2": 1.5e-4} {
		t.Run(kind, func(t *testing.T) { computesAsTransformers(t, kind, most) })
	}
}

// computesAsTransformers allows so much between two logits, and an eighth of it in the mean.
func computesAsTransformers(t *testing.T, kind string, most float64) {
	var golden struct {
		Stride  int
		Prompts []struct {
			IDs    []int32
			Logits [][]float64
		}
	}
	readGolden(t, "testdata/logits."+kind+".json.gz", &golden)
	m, err := openPretrained(t, kind).Model()
	if err != nil {
		t.Fatal(err)
	}
	d := transformer.NewDecoder(m, 1, 2)
	for i, p := range golden.Prompts {
		rows := make([]transformer.Row, len(p.IDs))
		for j, id := range p.IDs {
			rows[j] = transformer.Row{Pos: j, Token: id, Want: true}
		}
		worst, sum, n := 0.0, 0.0, 0
		for j, logits := range d.Step(rows) {
			for k, want := range p.Logits[j] {
				off := math.Abs(float64(logits[(k+1)*golden.Stride]) - want)
				worst, sum, n = max(worst, off), sum+off, n+1
			}
		}
		t.Logf("prompt %d: %d tokens, %d logits, off by %.2g at most, %.2g in the mean", i, len(p.IDs), n, worst, sum/float64(n))
		if n < 32*len(p.IDs) || worst > most || sum/float64(n) > most/8 {
			t.Errorf("prompt %d: %d logits are off by %g at most, %g in the mean", i, n, worst, sum/float64(n))
		}
	}
}

// readGolden reads a compressed JSON file.
func readGolden(t testing.TB, name string, v any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(v); err != nil {
		t.Fatal(err)
	}
}
