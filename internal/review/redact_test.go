package review

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// faraway is a provider that is not on this machine.
type faraway struct{ llm.Model }

func (f faraway) Open(model string) (llm.Handle, error) {
	return llm.Handle{Name: "far/" + model, Model: f.Model, Price: llm.NotBilled(), Context: 100_000}, nil
}
func (faraway) Status(context.Context) llm.Status { return llm.Status{} }

// TestSecretsStayUnlessAsked reviews a file with a key, by a worker and by one call that are not on this machine.
func TestSecretsStayUnlessAsked(t *testing.T) {
	const key = "AKIA" + "QX7Z2LM4NB6VC5HD"
	const password = "marmalade" // only the name of its file makes it one
	files := map[string]string{"a.py": "import os\nregion = 'eu'\naws_access_key_id = '" + key + "'\nprint(region)\n",
		"config/app.yml": "region: eu\npassword: " + password + "\n"}
	for _, noRedact := range []bool{false, true} {
		var mu sync.Mutex
		var seen strings.Builder
		listen := func(_ context.Context, r llm.Request) (llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			seen.WriteString(r.Messages[0].Content)
			return llm.Response{Text: `{"summary": "a file", "findings": []}`, Finish: llm.FinishStop}, nil
		}
		for _, o := range []Options{
			{Root: "offline/orchestrator", Worker: "far/worker", Strategy: StrategyRLM, NoCache: true},
			{Root: "far/reader", Worker: "far/reader", Strategy: StrategySingle, NoCache: true},
		} {
			seen.Reset()
			o.Path, o.Out, o.NoRedact = runtest.Tree(t, files), t.TempDir()+"/run", noRedact
			env := environment(t, nil, nil)
			env.Registry.RegisterProvider("far", faraway{llm.Func(listen)})
			if _, err := Analyze(context.Background(), o, env); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(seen.String(), "region = 'eu'") {
				t.Fatalf("%s: the file was not sent: %q", o.Strategy, seen.String())
			}
			if got := strings.Contains(seen.String(), key); got != noRedact {
				t.Errorf("%s, no redaction %v: the key was sent: %v", o.Strategy, noRedact, got)
			}
			if got := strings.Contains(seen.String(), password); got != noRedact {
				t.Errorf("%s, no redaction %v: the password was sent: %v", o.Strategy, noRedact, got)
			}
		}
	}
}
