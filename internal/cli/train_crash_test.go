package cli

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Ctrl-C in the middle of a training saves it and says how to continue; resume ends with the weights of a training that
// was not interrupted, byte for byte.
func TestInterruptATrainingThenResume(t *testing.T) {
	if testing.Short() {
		t.Skip("two trainings")
	}
	p := program{t, llmtest.NewServer(t, llmtest.Options{}), t.TempDir()}
	tokenizer, err := bpe.Train([]string{"for p in codebase:\n    print(p)\n", "set_answer(str(findings()))\n"}, 320, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 2, Heads: 2, Hidden: 48, Context: 512}, 1)
	if err := checkpoint.WriteModel(p.path("first"), m, tokenizer, nil); err != nil {
		t.Fatal(err)
	}
	args := []string{"train", "grpo", "--recipe", "smoke", "--from", "first", "--heldout", "1", "--steps", "3", "--tasks", "1", "--group",
		"2", "--max-turns", "1", "--entropy", "0.1", "--lang", "python"}
	p.must(append(args, "--out", "whole")...)

	p.startUntil(func() bool { return count(p.path("stopped", train.MetricsName), "\n") >= 2 }, // steps 0 and 1
		append(args, "--out", "stopped")...).
		interrupt(os.Interrupt, "the training", "is not complete", "hint: deeprepo resume stopped continues from here")
	p.must("resume", "stopped")
	for _, name := range []string{train.CheckpointName, train.AdapterName + "/adapter_model.safetensors"} {
		x, errX := os.ReadFile(p.path("whole", name))
		y, errY := os.ReadFile(p.path("stopped", name))
		if err := errors.Join(errX, errY); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("%s is not that of the training that was not interrupted", name)
		}
	}
}
