package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// program is this test binary run as deeprepo against a fake model server, in a directory of its own.
type program struct {
	t   *testing.T
	srv *llmtest.Server
	dir string
}

// newProgram has models priced as root and worker of OpenAI's.
func newProgram(t *testing.T, reply func(llmtest.ChatRequest) llmtest.Reply) program {
	p := program{t, llmtest.NewServer(t, llmtest.Options{Reply: reply}), t.TempDir()}
	p.price("input = 3.0\noutput = 15.0", "input = 0.2\noutput = 1.1")
	return p
}

// price writes the configuration with the fake models' prices.
func (p program) price(root, worker string) {
	p.t.Helper()
	p.write("deeprepo.toml", "[model.\"openai/root\"]\n"+root+"\ncontext = 200000\n[model.\"openai/worker\"]\n"+worker+"\ncontext = 100000\n")
}

func (p program) write(name, text string) {
	p.t.Helper()
	runtest.WriteFile(p.t, p.path(name), text)
}

func (p program) path(parts ...string) string {
	return filepath.Join(append([]string{p.dir}, parts...)...)
}

func (p program) command(args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE="+cacheDir(p.t), "OPENAI_API_KEY=sk-test-key-0123456789",
		"OPENAI_BASE_URL="+p.srv.URL+"/v1", "ANTHROPIC_API_KEY=", "OPENROUTER_API_KEY=")
	return cmd
}

// must runs a command that has to succeed, and returns all that it printed.
func (p program) must(args ...string) []byte {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// running is a command that was started.
type running struct {
	*exec.Cmd
	t               *testing.T
	printed, stderr bytes.Buffer
}

// startUntil starts a command, and returns once it has come far enough.
func (p program) startUntil(far func() bool, args ...string) *running {
	p.t.Helper()
	return p.startThen(func(*running) bool { return far() }, args...)
}

// killWhen starts a command, and ends it with SIGKILL while it is as far as it should be: it stands still when that is told.
func (p program) killWhen(far func() bool, args ...string) {
	p.t.Helper()
	r := p.startThen(func(r *running) bool {
		if !far() {
			return false
		}
		r.signal(syscall.SIGSTOP)
		var state syscall.WaitStatus
		if _, err := syscall.Wait4(r.Process.Pid, &state, syscall.WUNTRACED, nil); err != nil || !state.Stopped() {
			p.t.Fatalf("it had ended before it was killed: %v", err)
		}
		if far() {
			return true
		}
		r.signal(syscall.SIGCONT)
		return false
	}, args...)
	r.signal(syscall.SIGKILL)
	r.Wait()
}

func (p program) startThen(far func(*running) bool, args ...string) *running {
	p.t.Helper()
	r := &running{Cmd: p.command(args...), t: p.t}
	r.Stdout, r.Stderr = &r.printed, &r.stderr
	if err := r.Start(); err != nil {
		p.t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * time.Minute); !far(r); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			r.Process.Kill()
			r.Wait()
			p.t.Fatalf("%s did not come far enough: %s", args[0], r.stderr.String())
		}
	}
	return r
}

func (r *running) signal(s os.Signal) {
	r.t.Helper()
	if err := r.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// interrupt is Ctrl-C, or another signal to stop: the command ends with the code for what came from outside, and says what is
// wanted on stderr.
func (r *running) interrupt(how os.Signal, wants ...string) {
	r.t.Helper()
	r.signal(how)
	r.Wait()
	if code := r.ProcessState.ExitCode(); code != exitOutside {
		r.t.Errorf("exit code %d, want %d", code, exitOutside)
	}
	for _, want := range wants {
		if !strings.Contains(r.stderr.String(), want) {
			r.t.Errorf("%q is not said:\n%s", want, r.stderr.String())
		}
	}
}

// count is how often a text occurs in a file that may not be there yet.
func count(file, text string) int {
	data, _ := os.ReadFile(file)
	return bytes.Count(data, []byte(text))
}

// unsettled says that a trace among those of a pattern ends with calls that had left and had not come back.
func unsettled(t *testing.T, pattern string) bool {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		events, _, err := trace.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		open := map[string]bool{}
		for _, e := range events {
			switch {
			case e.Kind == trace.KindReserve && e.Reserve.MostPico > 0:
				open[e.Key] = true
			case e.Key != "":
				delete(open, e.Key)
			}
		}
		if len(open) > 0 {
			return true
		}
	}
	return false
}

// dispatched says that a trace among those of a pattern has a dispatch.
func dispatched(pattern string) bool {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if count(name, `"kind":"dispatch"`) > 0 {
			return true
		}
	}
	return false
}

// dispatchEach is a policy that puts every file in its own prompt, and then reports what came back.
const dispatchEach = `prompts = [f"=== FILE: {p} (lines 1-{codebase[p].count(chr(10))}) ===\n{codebase[p]}=== END ===" for p in codebase]
replies = llm_batch(prompts)
print(len(replies), sum(r.startswith("[dispatch failed]") for r in replies))`

// fakeModels answers as that policy, and as a worker that claims one finding a prompt: what finds says of the prompt's file.
func fakeModels(latency time.Duration, finds func(path string) string) func(llmtest.ChatRequest) llmtest.Reply {
	return func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "root" {
			turn := 0
			for _, m := range r.Messages {
				if m.Role == "assistant" {
					turn++
				}
			}
			code := []string{dispatchEach, `set_answer("# Report\n" + "\n".join(f"- {f['file']}:{f['line']}" for f in findings()))`}[min(turn, 1)]
			return llmtest.Reply{Text: "```python\n" + code + "\n```", Input: 1000, Output: 200, Latency: latency}
		}
		path, _, _ := strings.Cut(strings.SplitN(r.Last()+"=== FILE: ? ", "=== FILE: ", 2)[1], " ")
		return llmtest.Reply{Text: `{"summary":"s","findings":[` + finds(path) + `]}`, Input: 1500, Output: 100, Latency: latency}
	}
}
