package rlm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// The first turn that the root is told to take reads everything, in prompts that workers can hold.
func TestTheFirstTurnThatIsAdvised(t *testing.T) {
	text, err := os.ReadFile("root.md")
	if err != nil {
		t.Fatal(err)
	}
	const advised, focus = "review(list(codebase), focus)", "Which value is computed twice?"
	if !strings.Contains(string(text), "`"+advised+"`") {
		t.Fatalf("root.md does not advise %s", advised)
	}
	cell := fmt.Sprintf("focus = %q\n%s", focus, advised)
	var long strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&long, "value_%d = compute(%d)  # a line of\f ordinary length\n", i, i)
	}
	files := map[string]string{"a/long.py": long.String(), "b.py": "x = 1\n", "c.py": "def f():\n    return 2\n", "z.py": ""}
	const limit = 24_000 // of a worker with an unknown context
	var mu sync.Mutex
	prompts := 0
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		p := r.Messages[0].Content
		mu.Lock()
		defer mu.Unlock()
		prompts++
		if len(p) > limit || !strings.HasPrefix(p, "=== FILE: ") || !strings.HasSuffix(p, "\n=== END ===\n\n"+focus+"\n") {
			t.Errorf("a prompt of %d characters, %.60q ... %q", len(p), p, p[len(p)-20:])
		}
		return echo(ctx, r)
	}
	root := &runtest.Script{Replies: []string{cells(cell), cells(`set_answer("done")`)}}
	res, err := play(t, context.Background(), setup{root: root, worker: worker, files: files,
		change: func(c *rlm.Config) { c.OutputChars = 500 }})
	if err != nil || res.Metrics.CellErrors != 0 || res.Coverage.Fraction() != 1 || prompts < 3 {
		t.Errorf("coverage %v in %d prompts, %d errors, %v; the root was told %q", res.Coverage.Fraction(), prompts, res.Metrics.CellErrors,
			err, root.Last())
	}
}

// A worker is told in words of every field that it is to fill in.
func TestWorkersAreToldOfEveryField(t *testing.T) {
	var schema struct {
		Properties struct {
			Findings struct {
				Items struct{ Required []string }
			}
		}
	}
	if err := json.Unmarshal(finding.Schema(), &schema); err != nil || len(schema.Properties.Findings.Items.Required) < 5 {
		t.Fatalf("%v, %+v", err, schema)
	}
	for _, name := range rlm.PresetNames() {
		p, err := rlm.BuiltinPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range append(schema.Properties.Findings.Items.Required, "summary") {
			if !strings.Contains(p.Worker, "`"+field+"`") {
				t.Errorf("%s: workers are not told of %s", name, field)
			}
		}
	}
}
