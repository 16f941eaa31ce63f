package cli

import (
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/rogpeppe/go-internal/testscript"
)

// newPolicy runs "newpolicy DIR": a directory as a run of training leaves it, with a small model that has learnt nothing.
func newPolicy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: newpolicy dir")
	}
	tokenizer, err := bpe.Train([]string{"for p in codebase:\n    print(p)\n", "set_answer(str(findings()))\n"}, 320, nano.Specials())
	ts.Check(err)
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 2, Heads: 2, Hidden: 48, Context: 512}, 1)
	ts.Check(checkpoint.WriteModel(ts.MkAbs(args[0]+"/base"), m, tokenizer, nil))
}
