// Package traintest is what the tests of trainings share.
package traintest

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
)

// Tiny is a policy of some thousand parameters, of so many layers, that knows nothing.
func Tiny(t testing.TB, layers int) nano.Policy {
	t.Helper()
	tokenizer, err := bpe.Train(nil, 259, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: layers, Heads: 2, Hidden: 64, Context: 192}, 1)
	for i := range m.Params()[0].Data { // an adapter leaves the embedding as it is: with a small one it could change little
		m.Params()[0].Data[i] *= 5
	}
	return nano.Policy{Model: m, Tokenizer: tokenizer, Name: "nano/tiny"}
}
