package cli

import (
	"bytes"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// A provider that lets the run wait for too long ends it soon, with what is said about it, and resume finishes it.
func TestAProviderThatMakesTheRunWait(t *testing.T) {
	for _, tt := range []struct {
		name   string
		model  string // that is in trouble
		reply  llmtest.Reply
		config string
		flags  []string
		said   []string
	}{
		{"the root is told to come back in an hour", "root", llmtest.RateLimited(time.Hour), "", nil,
			[]string{"it asks to wait 1h0m0s, and a call waits 5m0s at most", "--patience 1h"}},
		{"the workers are told to come back in an hour", "worker", llmtest.RateLimited(time.Hour), "", nil,
			[]string{"openai/worker: status 429: rate limit reached; it asks to wait 1h0m0s", "its calls fail until then ("}},
		{"the root never answers", "root", llmtest.Reply{Fault: llmtest.Hang}, "", []string{"--timeout", "300ms", "--patience", "500ms"},
			[]string{"no complete reply within 300ms", "a call waits 500ms at most"}},
		{"the same by the file", "root", llmtest.Reply{Fault: llmtest.Hang}, "timeout = \"300ms\"\npatience = \"500ms\"\n", nil,
			[]string{"no complete reply within 300ms", "a call waits 500ms at most"}},
		{"the root's reply trickles", "root", llmtest.Reply{Text: "x", Fault: llmtest.Trickle}, "",
			[]string{"--timeout", "300ms", "--patience", "500ms"}, []string{"no complete reply within 300ms"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mended atomic.Bool
			p := newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
				if r.Model == tt.model && !mended.Load() {
					return tt.reply
				}
				return fakeModels(0, adding)(r)
			})
			prices := "[model.\"openai/root\"]\ninput = 3.0\noutput = 15.0\ncontext = 200000\n" +
				"[model.\"openai/worker\"]\ninput = 0.2\noutput = 1.1\ncontext = 100000\n"
			p.write("deeprepo.toml", tt.config+prices)
			writeFiles(p, 6)
			started := time.Now()
			cmd := p.command(append([]string{"analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm",
				"--no-cache", "--out", "run"}, tt.flags...)...)
			out, _ := cmd.CombinedOutput()
			if took := time.Since(started); took > time.Minute {
				t.Errorf("it took %s", took)
			}
			for _, want := range tt.said {
				if n := bytes.Count(out, []byte(want)); n == 0 || strings.Contains(want, "until") && n != 1 {
					t.Errorf("%q is said %d times:\n%s", want, n, out)
				}
			}
			r := readReport(t, p.path("run"))
			if tt.model == "worker" {
				if r.Errors.Dispatch != 6 || p.srv.Calls() > 2+8 {
					t.Errorf("%d dispatches failed, the server was asked %d times", r.Errors.Dispatch, p.srv.Calls())
				}
				return // the root has seen that they failed, and given its answer
			}
			if code := cmd.ProcessState.ExitCode(); code != exitOutside || !bytes.Contains(out, []byte("deeprepo resume run")) {
				t.Errorf("exit code %d:\n%s", code, out)
			}
			mended.Store(true)
			p.must("resume", "run")
			if r := readReport(t, p.path("run")); r.Run.Status != "completed" || len(r.Findings) != 6 {
				t.Errorf("resumed: %+v, %d findings", r.Run, len(r.Findings))
			}
		})
	}
}

func TestWaitingIsConfigured(t *testing.T) {
	file := t.TempDir() + "/c.toml"
	runtest.WriteFile(t, file, "timeout = \"90s\"\npatience = \"1h\"\nroot = \"local/x\"\n")
	c, err := (&app{configFile: file, getenv: os.Getenv}).configuration()
	if err != nil {
		t.Fatal(err)
	}
	var pc provider.Config
	waiting{}.apply(&pc, c.waiting)
	if pc.Limits.Call != 90*time.Second || pc.Patience != time.Hour || c.text("root") != "local/x" {
		t.Errorf("%+v, %s", pc.Limits, pc.Patience)
	}
	waiting{Timeout: duration(time.Second)}.apply(&pc, c.waiting)
	if pc.Limits.Call != time.Second || pc.Patience != time.Hour {
		t.Errorf("a flag does not win: %+v, %s", pc.Limits, pc.Patience)
	}
	for _, bad := range []string{"0", "-5s", "soon", "10"} {
		runtest.WriteFile(t, file, "timeout = \""+bad+"\"\n")
		if _, err := readConfigFile(file, named); err == nil || !strings.Contains(err.Error(), "duration above 0") {
			t.Errorf("timeout = %q: %v", bad, err)
		}
		var out bytes.Buffer
		if code := Main([]string{"deeprepo", "analyze", ".", "--offline", "--patience=" + bad}, nil, &out, &out); code != exitUsage ||
			!strings.Contains(out.String(), "--patience takes a duration, as 30s or 2m") {
			t.Errorf("--patience %s: exit code %d: %s", bad, code, out.String())
		}
	}
}
