package checkpoint

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// tiny is a model of a few thousand weights and its tokenizer.
func tiny(t testing.TB) (*transformer.Model, *bpe.Tokenizer) {
	t.Helper()
	tok, err := bpe.Train([]string{strings.Repeat("for p in files:\n    print(p)\n", 3)}, 280, []string{viewToken, cellToken, endToken})
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tok.Vocab(), Dim: 16, Layers: 2, Heads: 2, Hidden: 24, Context: 32}, 1)
	return m, tok
}

func TestModelRoundTrip(t *testing.T) {
	m, tok := tiny(t)
	dir := t.TempDir()
	if err := WriteModel(dir+"/new", m, tok, map[string]string{"step": "12"}); err != nil {
		t.Fatal(err)
	}
	got, gotTok, meta, err := ReadModel(os.DirFS(dir + "/new"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Params(), got.Params()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(m.Config, got.Config); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"step": "12"}, meta); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tok.Encode("for p in files"), gotTok.Encode("for p in files")); diff != "" {
		t.Error(diff)
	}
}

func TestAdapterRoundTrip(t *testing.T) {
	m, _ := tiny(t)
	a := transformer.NewAdapter(m.Config, 3, 6, 2)
	for _, p := range a.Params() {
		for i := range p.Data {
			p.Data[i] += float32(i) / 1000
		}
	}
	dir := t.TempDir()
	if err := WriteAdapter(dir, a, m, "../base"); err != nil {
		t.Fatal(err)
	}
	got, err := ReadAdapter(os.DirFS(dir), m)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rank != 3 || got.Alpha != 6 {
		t.Errorf("rank %d, alpha %g", got.Rank, got.Alpha)
	}
	if diff := cmp.Diff(a.Params(), got.Params()); diff != "" {
		t.Error(diff)
	}
}
