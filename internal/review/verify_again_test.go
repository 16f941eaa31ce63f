package review

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// lacking is a verifier that is unsure without a function, and says something with it.
type lacking struct {
	missing, then string
	asked         atomic.Int64
}

func (l *lacking) verify(_ context.Context, r llm.Request) (llm.Response, error) {
	l.asked.Add(1)
	cost := money.USD(1000)
	text := `{"verdict":"unsure","reason":"It depends.","missing":["` + l.missing + `"]}`
	if strings.Contains(r.Messages[0].Content, "def unrelated") {
		text = l.then
	}
	return llm.Response{Text: text, Finish: llm.FinishStop, Cost: &cost, Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, nil
}

// A verifier that names code which it lacks gets it once; its second word counts where it decides anything.
func TestAVerifierThatLacksCodeGetsIt(t *testing.T) {
	stands := verdictOf("stands", "app.py", 9, "return value.name", "Nothing turns it away.")
	for _, tt := range []struct {
		name, missing, then  string
		asked                int
		status, reason, from string
	}{
		{"it is in the codebase", "unrelated", stands, 2, finding.Stands, "Nothing turns it away.", ".again"},
		{"as a file", "other.py", stands, 2, finding.Stands, "Nothing turns it away.", ".again"},
		{"it is not", "the proxy", stands, 1, finding.Unsure, "It depends. What decides and was not shown: the proxy.", ""},
		{"it lacks still more", "unrelated", `{"verdict":"unsure","reason":"Hm.","missing":["lib.py","nginx"]}`, 2, finding.Unsure,
			"Hm. What decides and was not shown: lib.py, nginx.", ".again"},
		{"its second word says nothing", "unrelated", "I do not know.", 2, finding.Unsure,
			"It depends. What decides and was not shown: unrelated.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &lacking{missing: tt.missing, then: tt.then}
			env := environment(t, withVerifier(l.verify), nil)
			env.Syntax = runtest.OpenParser
			out := filepath.Join(t.TempDir(), "run")
			got, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, oneBug), Out: out, Root: "offline/orchestrator", Worker: "fake/worker",
				Verify: true, NoCache: true}, env)
			if err != nil {
				t.Fatal(err)
			}
			f := got.Report.Findings[0]
			if v := f.Verification; v.Status != tt.status || v.Reason != tt.reason || v.Source != "verify."+f.ID+tt.from ||
				int(l.asked.Load()) != tt.asked || got.Report.Run.Status != "completed" {
				t.Errorf("%+v, asked %d times, %s", v, l.asked.Load(), got.Report.Run.Status)
			}
			if tt.name != "it is in the codebase" {
				return
			}
			resumeFromEveryPoint(t, out, got.Report, tt.asked, func() (Env, func() int) {
				l := &lacking{missing: tt.missing, then: tt.then}
				return environment(t, withVerifier(l.verify), nil), func() int { return int(l.asked.Load()) }
			})
		})
	}
}
