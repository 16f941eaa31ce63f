package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

// This binary stands in for the programs that a hand-over starts: Python with an engine, and deeprepo.
func TestMain(m *testing.M) {
	if mode := os.Getenv("DEEPREPO_TEST_ENGINE"); mode != "" {
		stand(mode, os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

func stand(mode string, args []string) {
	switch {
	case args[0] == "env":
		if mode == "deaf" {
			fmt.Fprintln(os.Stderr, "the address is taken")
			os.Exit(3)
		}
		fmt.Println("http://127.0.0.1:9/t/TOKEN")
		bufio.NewReader(os.Stdin).ReadString(0) // until our parent lets go
		return
	case args[0] == "-c":
		if mode == "bare" {
			fmt.Println("trl peft")
		}
		return
	case mode == "fail":
		fmt.Println("CUDA out of memory")
		os.Exit(1)
	}
	data, err := os.ReadFile(args[slices.Index(args, "--config")+1])
	var o trlOptions
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil || o.URL != "http://127.0.0.1:9/t/TOKEN" {
		fmt.Println("unexpected options:", string(data), err)
		os.Exit(1)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	say := func(name, text string) {
		path := filepath.Join(o.Out, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	say("metrics.jsonl", "{\"step\":1,\"loss\":1,\"reward\":0.5}\n")
	if mode == "wait" {
		<-stop
	}
	if mode == "garble" {
		say("metrics.jsonl", "what?\n")
		<-stop
		os.Exit(1)
	}
	say("metrics.jsonl", "{\"step\":1,\"loss\":1,\"reward\":0.5}\n{\"step\":2,\"loss\":0.5,\"reward\":0.75}\n")
	say("adapter/adapter_config.json", "{}")
	say("adapter/adapter_model.safetensors", "weights")
}

func config(t *testing.T, mode string) Config {
	t.Helper()
	return Config{Out: filepath.Join(t.TempDir(), "run"), Program: os.Args[0], Python: os.Args[0],
		Env: append(os.Environ(), "DEEPREPO_TEST_ENGINE="+mode), Grace: time.Minute}
}

var options = Options{Engine: TRL, Model: "m", Steps: 2}

func TestRun(t *testing.T) {
	c := config(t, "ok")
	var seen []int
	c.Observe = func(s runfile.TrainingStep) { seen = append(seen, s.Step) }
	for range 2 { // the second time it goes on, and its metrics come again
		seen = nil
		out, err := Run(t.Context(), options, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]int{1, 2}, seen); d != "" || len(out.Steps) != 2 || out.Steps[1].Reward != .75 {
			t.Errorf("steps %v: %s", out.Steps, d)
		}
		if data, err := os.ReadFile(filepath.Join(c.Out, "adapter", "adapter_model.safetensors")); err != nil || string(data) != "weights" {
			t.Errorf("adapter: %q, %v", data, err)
		}
	}
	m, err := train.ReadManifest(c.Out)
	if err != nil || m.Method != "trl/grpo" {
		t.Errorf("manifest %+v, %v", m, err)
	}
	if _, err := Run(t.Context(), Options{Engine: TRL, Model: "other"}, c); err == nil {
		t.Error("another training went on in the same directory")
	}
}

func TestRunIsInterrupted(t *testing.T) {
	c := config(t, "wait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.Observe = func(s runfile.TrainingStep) {
		if s.Step == 1 {
			cancel()
		}
	}
	out, err := Run(ctx, options, c)
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || len(out.Steps) != 2 {
		t.Errorf("%d steps, %v; want both, and to be told that it was stopped", len(out.Steps), err)
	}
}

func TestRunFails(t *testing.T) {
	for mode, want := range map[string][2]string{
		"fail":   {"CUDA out of memory", "log.txt"},
		"garble": {"follow the metrics", "log.txt"},
		"bare":   {"lacks trl, peft", "pip install"},
	} {
		t.Run(mode, func(t *testing.T) {
			_, err := Run(t.Context(), options, config(t, mode))
			mustHint(t, err, want[0], want[1])
		})
	}
	if _, err := Run(t.Context(), options, config(t, "deaf")); err == nil || !strings.Contains(err.Error(), "the address is taken") {
		t.Errorf("an environment that is not served: %v", err)
	}
	c := config(t, "ok")
	c.Program = ""
	_, err := Run(t.Context(), options, c)
	mustHint(t, err, "no program", "URL")
	c.Env = nil
	_, err = Run(t.Context(), Options{Engine: PrimeRL, Model: "m"}, c)
	if err == nil {
		t.Error("prime-rl was started where it is not")
	}
	t.Setenv("TINKER_API_KEY", "")
	os.Unsetenv("TINKER_API_KEY")
	_, err = Run(t.Context(), Options{Engine: Tinker, Model: "m"}, c)
	mustHint(t, err, "TINKER_API_KEY", "tinker-cookbook")
}
