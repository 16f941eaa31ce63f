package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// completions are what the shell is offered for a command line, without descriptions.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(append([]string{"deeprepo", "__complete"}, args...), nil, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var words []string
	for line := range strings.Lines(out.String()) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	finding := func(id, title string) runfile.Finding { return runfile.Finding{ID: id, Title: title, File: "a.py"} }
	report := runfile.Report{Schema: 1, Findings: []runfile.Finding{finding("aa11", "a defect\n:evil"), finding("bb22", "another")},
		Suppressed: []runfile.Suppressed{{Finding: finding("aa33", "known")}}}
	for i, name := range []string{"runs/old", "runs/new"} {
		runtest.WriteFile(t, filepath.Join(name, "run.json"), "{}")
		var b bytes.Buffer
		if err := jsonfile.Write(&b, report); err != nil {
			t.Fatal(err)
		}
		runtest.WriteFile(t, filepath.Join(name, "report.json"), b.String())
		at := time.Now().Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(filepath.Join(name, "run.json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	runtest.WriteFile(t, "runs/none/x", "no run")
	for _, tt := range []struct {
		args, want []string
	}{
		{[]string{"show", ""}, []string{"runs/new", "runs/old"}},
		{[]string{"resume", "runs/o"}, []string{"runs/old"}},
		{[]string{"resume", "runs/old", ""}, nil},
		{[]string{"diff", "runs/old", ""}, []string{"runs/new", "runs/old"}},
		{[]string{"show", "runs/new", "aa"}, []string{"aa11", "aa33"}},
		{[]string{"show", "runs/new", "aa11", ""}, nil},
		{[]string{"show", "runs/none", ""}, nil},
		{[]string{"triage", "runs/new", "aa11", ""}, []string{"bb22", "aa33"}},
		{[]string{"analyze", ".", "--worker", "offline/"}, []string{"offline/localiser", "offline/orchestrator", "offline/rules"}},
		{[]string{"analyze", ".", "--verifier", "anthropic/claude-haiku"}, []string{"anthropic/claude-haiku-4-5"}},
		{[]string{"analyze", ".", "--fail-on", "c"}, []string{"critical"}},
		{[]string{"rules", "show", "go/s"}, []string{"go/server-timeouts", "go/shown-error", "go/sql-injection", "go/ssrf", "go/swallowed-error"}},
		{[]string{"rules", "show", "go/ssrf", ""}, nil},
		{[]string{"rules", "test", "go/ssrf", "go/sw", "go/s"}, []string{"go/server-timeouts", "go/shown-error", "go/sql-injection", "go/swallowed-error"}},
		{[]string{"analyze", ".", "--skip-rules", "c/ge"}, []string{"c/gets"}},
		{[]string{"rules", "list", "--language", "ty"}, []string{"typescript"}},
	} {
		got := completions(t, tt.args...)
		if len(got) == 1 && got[0] == "" {
			got = nil
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
}
