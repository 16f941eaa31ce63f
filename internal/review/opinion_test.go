package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// asker is a root that records the bugs of oneBug's like, has those at some lines verified, and ends.
func asker(lines string) llm.Func {
	return func(_ context.Context, r llm.Request) (llm.Response, error) {
		cell := fmt.Sprintf("found = review(['app.py'], 'Look for bugs.')\nprint(verify([f['id'] for f in found if f['line'] in %s]))\n"+
			"set_answer('# Report')", lines)
		return llm.Response{Text: "```python\n" + cell + "\n```", Finish: llm.FinishStop}, nil
	}
}

var threeBugs = map[string]string{"app.py": "import os\n\n\ndef one(a):\n    if a is None:\n        raise ValueError\n" +
	"    return a.b  # BUG 7\n\n\ndef two(a):\n    return a.c  # BUG 11\n\n\ndef three(a):\n    return a.d  # BUG 15\n"}

// judge refutes line 7, calls line 15 overstated and lets others stand; it writes down which it was asked about.
type judge struct {
	mu    sync.Mutex
	asked []string
}

func (j *judge) verify(_ context.Context, r llm.Request) (llm.Response, error) {
	_, rest, _ := strings.Cut(r.Messages[0].Content, "file: app.py, lines ")
	line, _, _ := strings.Cut(rest, " ")
	j.mu.Lock()
	j.asked = append(j.asked, line)
	j.mu.Unlock()
	text := verdictOf("stands", "app.py", 11, "return a.c  # BUG 11", "Nothing checks it.")
	switch line {
	case "7":
		text = verdictOf("refuted", "app.py", 5, "if a is None:\n        raise ValueError", "None is turned away.")
	case "15":
		text = strings.Replace(verdictOf("partly", "app.py", 14, "def three(a):", "Nobody calls it."), "{", `{"severity":"low",`, 1)
	}
	return llm.Response{Text: text, Finish: llm.FinishStop}, nil
}

// numbered is finder for code that stands behind its numbers.
func numbered(ctx context.Context, r llm.Request) (llm.Response, error) {
	r.Messages = slices.Clone(r.Messages)
	var b strings.Builder
	for line := range strings.Lines(r.Messages[0].Content) {
		if number, code, ok := strings.Cut(line, "| "); ok && strings.Trim(number, " 0123456789") == "" {
			line = code
		}
		b.WriteString(line)
	}
	r.Messages[0].Content = b.String()
	return finder(ctx, r)
}

// What the root has had verified has its consequences without --verify, and is not asked about again with it.
func TestTheRootsOpinions(t *testing.T) {
	tests := []struct {
		name    string
		verify  bool
		lines   string // that the root asks about
		asked   []string
		stands  int
		refuted int
	}{
		{"without --verify", false, "[7, 15]", []string{"15", "7"}, 0, 1},
		{"with --verify", true, "[7]", []string{"11", "15", "7"}, 1, 1},
		{"with --verify, when the root has asked about all", true, "[7, 11, 15]", []string{"11", "15", "7"}, 1, 1},
		{"with --verify alone", true, "[]", []string{"11", "15", "7"}, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := &judge{}
			env := environment(t, func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if isVerdict(r) {
					return j.verify(ctx, r)
				}
				return numbered(ctx, r)
			}, asker(tt.lines))
			env.Syntax = runtest.OpenParser
			o := Options{Path: runtest.Tree(t, threeBugs), Out: t.TempDir() + "/run", Root: "fake/reader", Worker: "fake/worker",
				Strategy: StrategyRLM, Verify: tt.verify, NoCache: true}
			got, err := Analyze(t.Context(), o, env)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(j.asked)
			r := got.Report
			if !slices.Equal(j.asked, tt.asked) || len(r.Findings) != 2 || len(r.Refuted) != tt.refuted || (r.Verification != nil) != tt.verify {
				t.Fatalf("asked %v; %d findings, %d refuted, %+v", j.asked, len(r.Findings), len(r.Refuted), r.Verification)
			}
			if v := r.Refuted[0]; v.Line != 7 || v.Proof == nil || v.Proof.Line != 5 || v.Why != "None is turned away." {
				t.Errorf("%+v", v)
			}
			last := r.Findings[1] // graded lower, so it comes last
			if last.Line != 15 || last.Severity != "low" || last.Regraded == nil || last.Regraded.From != "high" ||
				last.Verification.Status != finding.Partly {
				t.Errorf("%+v %+v", last, last.Verification)
			}
			if tt.verify && (r.Verification.Stands != tt.stands || r.Verification.Partly != 1 || r.Verification.Refuted != 1) {
				t.Errorf("%+v", r.Verification)
			}
			again, err := Resume(t.Context(), o.Out, Changes{}, env)
			if err != nil || len(j.asked) != len(tt.asked) || len(again.Report.Refuted) != 1 {
				t.Errorf("resumed: %v, asked %v", err, j.asked)
			}
			// Who does not trust verifiers is told of both, as they were claimed.
			r.Findings = r.Findings[1:]
			if r.Refuted = nil; !report.FailOn(r, "high", false) || report.FailOn(r, "high", true) {
				t.Error("an overstated finding fails the build where verifiers are trusted, or does not where they are not")
			}
		})
	}
}

// What the code contradicts costs a root that asks about it nothing.
func TestTheRootsOpinionsOnWhatTheCodeDecides(t *testing.T) {
	root := func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "```python\nr = add_finding('app.py', 1, 'Unused import os', 'low', 'dead-code', " +
			"evidence='import os', explanation='Nothing uses it, so each start loads it for nothing.', suggestion='Drop it.')\n" +
			"print(verify([r]))\nset_answer('# Report')\n```", Finish: llm.FinishStop}, nil
	}
	env := environment(t, func(context.Context, llm.Request) (llm.Response, error) {
		t.Error("a model was asked")
		return llm.Response{}, nil
	}, root)
	env.Syntax = runtest.OpenParser
	got, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, map[string]string{"app.py": "import os\n\nprint(os.name)\n"}),
		Out: t.TempDir() + "/run", Root: "fake/reader", Worker: "fake/worker", Strategy: StrategyRLM, NoCache: true}, env)
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Report; len(r.Refuted) != 1 || r.Refuted[0].Verification.By != finding.ByCheck || r.Refuted[0].Proof.Line != 3 ||
		len(r.Findings) != 0 {
		t.Errorf("%+v, %d dispatches", r.Refuted, r.Dispatches)
	}
}
