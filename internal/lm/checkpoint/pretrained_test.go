package checkpoint

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// pretrainedEnv names a directory with the GGUF files of models: smollm2*.gguf (SmolLM2-135M-Instruct) and qwen2*.gguf
// (Qwen2.5-Coder-1.5B-Instruct), which are too large to be stored here.
const pretrainedEnv = "DEEPREPO_PRETRAINED"

func openPretrained(t testing.TB, kind string) *Source {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv(pretrainedEnv), kind+"*.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv(pretrainedEnv) == "" || len(found) != 1 {
		t.Skipf("there is no one %s*.gguf in %s", kind, pretrainedEnv)
	}
	s, err := Open(found[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestModelsEncodeAsTheLibrary compares with what the tokenizers library made of the same vocabularies
// (internal/lm/bpe/testdata/make.py).
func TestModelsEncodeAsTheLibrary(t *testing.T) {
	f, err := os.Open("../bpe/testdata/pretrained.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Texts  []string
		Models map[string]struct{ Plain, Marked [][]int32 }
	}
	if err := json.NewDecoder(z).Decode(&golden); err != nil {
		t.Fatal(err)
	}
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
