package orchestrationv1_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

const sharedData = "../../../../shared/data/orchestration/"

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// mini is the reference's three tasks, in its order; the test is skipped where they are not at hand.
func mini(t testing.TB) *orchestrationv1.Environment {
	t.Helper()
	f, err := os.Open(sharedData + "mini.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("mini.json is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tasks, err := orchestrationv1.Load(f)
	if err != nil {
		t.Fatal(err)
	}
	return orchestrationv1.New(tasks)
}

// small is a task of our own: two files, two defects.
func small(t testing.TB) env.Task {
	t.Helper()
	task, err := orchestrationv1.NewTask("small", map[string]string{
		"app.py": "class App:\n    def run(self):\n        pass\n", "lib/util.py": "X = 1\n",
	}, []string{"App.run does nothing at all", "The constant X is never used"})
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// policy gives its replies in order, at 1,000 pico-dollars each.
func policy(replies ...string) *runtest.Script { return &runtest.Script{Replies: replies, Cost: 1000} }

// memory is a trace in memory.
type memory struct{ bytes.Buffer }

func (*memory) Sync() error  { return nil }
func (*memory) Close() error { return nil }

func (m *memory) events(t testing.TB) []trace.Event {
	t.Helper()
	events, _, err := trace.Read(bytes.NewReader(m.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func attempt(p *runtest.Script, file *memory) env.Attempt {
	return env.Attempt{
		Root:    func(*llm.Budget) (llm.Handle, error) { return llm.Handle{Name: "test/root", Model: p}, nil },
		Sandbox: engine, Trace: trace.NewWriter(file, 0, time.Now, nil),
	}
}

// play rolls a scripted policy.
func play(t testing.TB, task env.Task, p *runtest.Script) (env.Rollout, []trace.Event) {
	t.Helper()
	var file memory
	out, err := orchestrationv1.New(nil).Roll(context.Background(), task, attempt(p, &file))
	if err != nil {
		t.Fatal(err)
	}
	return out, file.events(t)
}

// cell makes a reply of one fenced block.
func cell(lines ...string) string { return "```python\n" + strings.Join(lines, "\n") + "\n```" }

func cellsOf(codes ...string) *runtest.Script {
	p := policy()
	for _, c := range codes {
		p.Replies = append(p.Replies, cell(c))
	}
	return p
}
