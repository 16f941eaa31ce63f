package cli

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Ctrl-C in the middle of a training saves it and says how to continue; resume ends with the weights of a training that
// was not interrupted, byte for byte.
func TestInterruptATrainingThenResume(t *testing.T) {
	if testing.Short() {
		t.Skip("short: two trainings are not run")
	}
	p := program{t, llmtest.NewServer(t, llmtest.Options{}), t.TempDir()}
	p.must(training("--out", "whole")...)

	p.startUntil(func() bool { return count(p.path("stopped", train.MetricsName), "\n") >= 2 }, // steps 0 and 1
		training("--out", "stopped")...).
		interrupt(os.Interrupt, "the training", "is not complete", "hint: deeprepo resume stopped continues from here")
	p.must("resume", "stopped")
	p.sameWeights("whole", "stopped")
}

// training is the command of a short training that learns something, without its directory.
func training(more ...string) []string {
	return append([]string{"train", "grpo", "--recipe", "smoke", "--from", "orchestrator", "--heldout", "1", "--steps", "3", "--tasks", "1",
		"--group", "3", "--max-turns", "3", "--entropy", "0.1", "--difficulty", "hard"}, more...)
}

// learnt finds a step that changed the weights in a training's metrics.
var learnt = regexp.MustCompile(`"loss":-?0\.\d*[1-9]`)

// sameWeights compares what two trainings left, byte for byte.
func (p program) sameWeights(one, other string) {
	p.t.Helper()
	if steps, err := os.ReadFile(p.path(one, train.MetricsName)); err != nil || !learnt.Match(steps) {
		p.t.Errorf("%s learnt nothing: %v", one, err)
	}
	for _, name := range []string{train.CheckpointName, train.AdapterName + "/adapter_model.safetensors"} {
		x, errX := os.ReadFile(p.path(one, name))
		y, errY := os.ReadFile(p.path(other, name))
		if err := errors.Join(errX, errY); err != nil {
			p.t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			p.t.Errorf("%s of %s is not that of %s", name, other, one)
		}
	}
}
