package view_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/google/go-cmp/cmp"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// scripted is a root that writes cells, and keeps what it was sent by the hash under which the trace knows it.
type scripted struct {
	tools bool
	cells []string // by turn; the last one again
	child string   // the cell of children

	mu   sync.Mutex
	seen map[string]llm.Request
}

const rootName = "test/root"

func (s *scripted) Complete(_ context.Context, r llm.Request) (llm.Response, error) {
	turn := 0
	for _, m := range r.Messages {
		if m.Role == llm.RoleAssistant {
			turn++
		}
	}
	code := s.cells[min(turn, len(s.cells)-1)]
	if strings.HasPrefix(r.Messages[0].Content, "Your task") {
		code = s.child
	}
	r.Messages = append([]llm.Message{}, r.Messages...)
	s.mu.Lock()
	s.seen[r.Hash(rootName)] = r
	s.mu.Unlock()
	cost := money.USD(0)
	answer := llm.Response{Text: "```python\n" + code + "\n```", Finish: llm.FinishStop, Cost: &cost}
	if s.tools {
		answer.Text = "A thought."
		answer.ToolCalls = []llm.ToolCall{{ID: fmt.Sprint("call", turn), Name: rlm.ToolName, Arguments: fmt.Sprintf(`{"code":%q}`, code)}}
	}
	return answer, nil
}

// models are one root and one worker.
type models struct{ root *scripted }

func (m models) Root(*llm.Budget) (llm.Handle, error) {
	return llm.Handle{Name: rootName, Model: m.root, Tools: m.root.tools, Price: &llm.Price{}}, nil
}

func (m models) Worker(string, *llm.Budget) (llm.Handle, error) {
	answer := func(context.Context, llm.Request) (llm.Response, error) {
		cost := money.USD(0)
		return llm.Response{Text: "nothing", Finish: llm.FinishStop, Cost: &cost}, nil
	}
	return llm.Handle{Name: "test/worker", Model: llm.Func(answer), Price: &llm.Price{}}, nil
}

// play runs a review in a directory.
func play(t *testing.T, dir string, root *scripted, change func(*rlm.Config)) {
	t.Helper()
	root.seen = map[string]llm.Request{}
	file, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	w, past, err := trace.Continue(file, time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	preset, err := rlm.BuiltinPreset("code")
	if err != nil {
		t.Fatal(err)
	}
	cfg := rlm.Config{
		Codebase: codebase.FromMap(map[string]string{"a.py": "x = 1\n", "b.py": "y = 2\n"}), Models: models{root}, Sandbox: engine, Trace: w,
		Past: past, Preset: preset,
	}
	change(&cfg)
	if _, err := rlm.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
}

// TestPromptsAreThoseThatWereSent lets roots work, and compares what each of their calls was sent with what the trace
// gives back.
func TestPromptsAreThoseThatWereSent(t *testing.T) {
	print5k := `print("x" * 5000); v = llm_query("look at " + codebase["a.py"])`
	for name, c := range map[string]struct {
		root    *scripted
		change  func(*rlm.Config)
		compact bool
	}{
		"fences":   {&scripted{cells: []string{print5k, "w = 1", "set_answer('done')"}}, func(*rlm.Config) {}, false},
		"tools":    {&scripted{tools: true, cells: []string{print5k, "w = 1", "set_answer('done')"}}, func(*rlm.Config) {}, false},
		"folded":   {&scripted{cells: []string{print5k}}, func(c *rlm.Config) { c.TranscriptChars, c.MaxTurns = 14_000, 9 }, true},
		"children": {&scripted{cells: []string{`r = rlm_query("count the files")`, "set_answer(r)"}, child: "set_answer('two')"}, func(c *rlm.Config) { c.MaxDepth = 1 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
			play(t, dir, c.root, c.change)
			f, err := os.Open(filepath.Join(dir, "trace.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			events, _, err := trace.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			r := open(t, dir)
			turns, folded := 0, false
			for _, e := range events {
				folded = folded || e.Compact != nil
				if e.Root == nil {
					continue
				}
				turns++
				sent, ok := c.root.seen[e.Hash]
				if !ok {
					t.Fatalf("event %d is a reply to nothing", e.Seq)
				}
				document, err := r.Get(fmt.Sprintf("prompt/%d", e.Seq))
				if err != nil {
					t.Fatal(err)
				}
				p := document.(traces.Prompt)
				if diff := cmp.Diff(inOrder(sent), texts(p)); diff != "" || !p.Exact {
					t.Errorf("event %d, exact %v (-sent +shown):\n%.3000s", e.Seq, p.Exact, diff)
				}
				if first := p.NewFrom; first >= len(p.Messages) || !folded && e.Turn > 1 && first != len(p.Messages)-2 ||
					e.Node == "" && e.Turn > 1 && first == 0 {
					t.Errorf("event %d: new from message %d of %d", e.Seq, first, len(p.Messages))
				}
			}
			if turns != len(c.root.seen) || folded != c.compact {
				t.Errorf("%d turns of %d, folded %v", turns, len(c.root.seen), folded)
			}
		})
	}
}

// inOrder are the messages of a request as the page shows them: what tools answered in one turn is one message of the user.
func inOrder(r llm.Request) []string {
	list := []string{"system: " + r.System}
	for i, m := range r.Messages {
		role := string(m.Role)
		if m.Role == llm.RoleTool {
			role = "user"
			if r.Messages[i-1].Role == llm.RoleTool {
				list[len(list)-1] += "\n" + m.Content
				continue
			}
		}
		line := role + ": " + m.Content
		for _, c := range m.ToolCalls {
			line += "\ncall " + c.Arguments
		}
		list = append(list, line)
	}
	return list
}

func texts(p traces.Prompt) []string {
	var list []string
	for _, m := range p.Messages {
		line := m.Role + ": " + m.Text
		for _, c := range m.Calls {
			line += "\ncall " + c
		}
		list = append(list, line)
	}
	return list
}
