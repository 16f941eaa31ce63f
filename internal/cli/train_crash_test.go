package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	dir := t.TempDir()
	tokenizer, err := bpe.Train([]string{"for p in codebase:\n    print(p)\n", "set_answer(str(findings()))\n"}, 320, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 2, Heads: 2, Hidden: 48, Context: 512}, 1)
	if err := checkpoint.WriteModel(filepath.Join(dir, "first"), m, tokenizer, nil); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE="+cacheDir(t))
		return cmd
	}
	args := []string{"train", "grpo", "--recipe", "smoke", "--from", "first", "--heldout", "1", "--steps", "3", "--tasks", "1", "--group",
		"2", "--max-turns", "1", "--entropy", "0.1", "--lang", "python"}
	if out, err := command(append(args, "--out", "whole")...).CombinedOutput(); err != nil {
		t.Fatalf("uninterrupted: %v\n%s", err, out)
	}

	cmd := command(append(args, "--out", "stopped")...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		metrics, _ := os.ReadFile(filepath.Join(dir, "stopped", train.MetricsName))
		if bytes.Count(metrics, []byte("\n")) >= 2 { // steps 0 and 1
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("the training did not get far enough: %s", said.String())
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitOutside {
		t.Fatalf("an interrupted training ended with %v\n%s", err, said.String())
	}
	for _, want := range []string{"the training", "is not complete", "hint: deeprepo resume stopped continues from here"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it did not say %q:\n%s", want, said.String())
		}
	}
	if out, err := command("resume", "stopped").CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	for _, name := range []string{train.CheckpointName, train.AdapterName + "/adapter_model.safetensors"} {
		x, errX := os.ReadFile(filepath.Join(dir, "whole", name))
		y, errY := os.ReadFile(filepath.Join(dir, "stopped", name))
		if err := errors.Join(errX, errY); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("%s is not that of the training that was not interrupted", name)
		}
	}
}
