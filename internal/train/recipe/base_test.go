package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
)

func policy(t *testing.T, seed uint64) nano.Policy {
	t.Helper()
	tokenizer, err := bpe.Train([]string{"abab abab"}, 300, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	return nano.Policy{Tokenizer: tokenizer, Model: transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 16, Layers: 1,
		Heads: 1, Hidden: 16}, seed)}
}

// TestTheBaseStays has the model that a training began with stay, whatever becomes of the directory it came from.
func TestTheBaseStays(t *testing.T) {
	r := &run{o: Options{From: "first"}, c: Config{Out: t.TempDir()}}
	p := policy(t, 1)
	for range 2 {
		if base, err := r.keepBase(p); err != nil || base != filepath.Join(r.c.Out, "base") {
			t.Fatalf("%q, %v", base, err)
		}
	}
	weights := filepath.Join(r.c.Out, "base", "model.safetensors")
	before, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.keepBase(policy(t, 2)); err == nil || !strings.Contains(err.Error(), "first is not the model that the training in") {
		t.Errorf("another model: %v", err)
	}
	if after, err := os.ReadFile(weights); err != nil || string(after) != string(before) {
		t.Errorf("the base is another one now (%v)", err)
	}
}
