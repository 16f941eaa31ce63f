package grpo

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var cells *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { cells = e }) }

// codebases are those of the reference environment's, as a file has them. In the second all is one file, so that it matters which
// of the two is played.
const codebases = `[{"name": "two", "codebase": {"a.py": "import b\n\ndef f(x):\n    return eval(x)\n", "b.py": "y = 1\n"},
	"file_tree": "a.py\nb.py", "metadata": {"total_files": 2, "total_chars": 50, "entry_points": ["a.py"]},
	"ground_truth_findings": ["eval of what comes in", "y is never used"]},
	{"name": "one", "codebase": {"long_name_of_a_file.py": "def g():\n    pass\n"}, "file_tree": "long_name_of_a_file.py",
	"metadata": {"total_files": 1, "total_chars": 20, "entry_points": []}, "ground_truth_findings": ["g does nothing at all"]}]`

// TestElsewhereForReal trains the policy in the program, with cells that are run: in our own environment, and in the reference's
// over codebases that only the training's machine has a file of.
func TestElsewhereForReal(t *testing.T) {
	if testing.Short() {
		t.Skip("short: TestElsewhere has the same parts for the race detector")
	}
	for name, data := range map[string]string{"orchestration": "", catalog.V1: codebases} {
		t.Run(name, func(t *testing.T) {
			open := func(data []byte) env.Environment {
				o := catalog.Options{Parser: runtest.OpenParser}
				if len(data) > 0 {
					o.Data = filepath.Join(t.TempDir(), "codebases.json")
					runtest.WriteFile(t, o.Data, string(data))
				}
				e, err := catalog.Open(t.Context(), name, o)
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			o := Options{Steps: 2, Tasks: 3, Group: 3, Refill: -1, MaxTurns: 3, Heldout: 2}
			o.Seed = 5
			c := Config{Environment: open([]byte(data)), Sandbox: cells, Out: filepath.Join(t.TempDir(), "local")}
			var err error
			if c.Policy, err = nano.NewProvider(nano.ProviderConfig{}).Policy(nano.Orchestrator); err != nil {
				t.Fatal(err)
			}
			local, err := Run(t.Context(), o, c)
			if err != nil {
				t.Fatal(err)
			}
			if s := local.Steps[1]; s.Rollouts != 9 || s.Loss == 0 || s.Dispatches == 0 {
				t.Fatalf("nothing was learnt: %+v", s)
			}
			m := newMachines(t, func() env.Environment { return open(nil) })
			for _, h := range m.hosts {
				h.c.Sandbox = cells
			}
			c.Environment, c.Sandbox, c.Out = open([]byte(data)), nil, filepath.Join(t.TempDir(), "elsewhere")
			c.Elsewhere = &Machines{Perform: m.perform, Keep: m.keep, Together: 2}
			if data != "" {
				c.Elsewhere.Data, _ = m.keep(t.Context(), []byte(data))
				for _, h := range m.hosts {
					h.c.Environment = func(ctx context.Context, _, hash string) (env.Environment, error) {
						content, err := m.blob(ctx, hash)
						return open(content), err
					}
				}
			}
			out, err := Run(t.Context(), o, c)
			if err != nil {
				t.Fatal(err)
			}
			same(t, local, out)
		})
	}
}
