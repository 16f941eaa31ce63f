package orchestrationv1_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// workflow is what the trained model of the published results did: look, delegate, read, collect, report.
var workflow = []string{
	cell("print(file_tree)", "print(metadata)"),
	cell("replies = llm_batch([f'Review {p}:\\n{text}' for p, text in codebase.items()])", "for r in replies:", "    print(r[:300])"),
	cell("for p in list(codebase)[:3]:", "    print(p, len(codebase[p]), codebase[p][:400])"),
	cell("second = llm_batch([f'Security of {p}' for p in codebase if p.endswith('.py')])", "print(len(second))"),
	cell("lines = ['# Report']", "for p in codebase:", "    lines.append(f'- {p} lacks error handling and input validation')",
		"lines.append('- Hardcoded SECRET_KEY in app.py')", "set_answer('\\n'.join(lines))"),
}

// BenchmarkRollout is one whole rollout of a scripted policy on a task of seven files: the time of the engine.
func BenchmarkRollout(b *testing.B) {
	files := map[string]string{}
	for _, p := range []string{"app.py", "database.py", "routes.py", "auth.py", "tests/test_routes.py", "requirements.txt", "README.md"} {
		files[p] = "import os\n\n\ndef handler(request):\n    return request.args['q']\n\n\nclass Store:\n    pass\n"
	}
	task, err := orchestrationv1.NewTask("seven", files, []string{"Hardcoded SECRET_KEY in app.py", "No input validation",
		"Tests are empty stubs"})
	if err != nil {
		b.Fatal(err)
	}
	e := orchestrationv1.New(nil)
	for b.Loop() {
		p := policy(workflow...)
		out, err := e.Roll(context.Background(), task, env.Attempt{
			Root:    func(*llm.Budget) (llm.Handle, error) { return llm.Handle{Name: "test/root", Model: p}, nil },
			Sandbox: engine, Trace: trace.NewWriter(discard{}, 0, time.Now, nil),
		})
		if err != nil || out.Stop != env.StopAnswer || out.Parts[0].Value != 1 {
			b.Fatalf("%+v %v", out, err)
		}
	}
}

type discard struct{ io.Writer }

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Sync() error                 { return nil }
func (discard) Close() error                { return nil }
