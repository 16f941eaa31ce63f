package review

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// The report of a run without a model has no filler: nothing about files without rules, no outlines of files, no sentence that is
// cut, no name that Markdown would show in bold, no section that says nothing.
func TestAnOfflineReportHasNoFiller(t *testing.T) {
	long := strings.Repeat("One sentence of many words that stands in the way. ", 20)
	path := runtest.Tree(t, map[string]string{"a/__init__.py": "x = 1\n", "notes.txt": "a\n", "b.py": "y = 1\n"})
	for name, tt := range map[string]struct {
		reply        string
		want, absent []string
	}{
		"rules": {`{"summary":"a/__init__.py: python, 1 lines.\nnotes.txt: 1 lines, no rules for this kind of file.","findings":[]}`,
			[]string{"# Architecture overview"},
			[]string{"no rules for", "workers say", "Development plan", "Bugs and issues", "nothing found", "lines;", "P0"}},
		"model": {`{"summary":"The __init__.py and ` + "`a_b`" + ` of *it*. ` + long + `","findings":[]}`,
			[]string{`The \_\_init\_\_.py and ` + "`a_b`" + ` of \*it\*. One sentence`, "stands in the way.\n"}, []string{"...", "Development plan"}},
	} {
		out := filepath.Join(t.TempDir(), "out")
		got, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "fake/worker"},
			environment(t, func(context.Context, llm.Request) (llm.Response, error) {
				return llm.Response{Text: tt.reply, Finish: llm.FinishStop}, nil
			}, nil))
		if err != nil {
			t.Fatal(err)
		}
		text := got.Report.Analysis + "\n"
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, text)
			}
		}
		for _, filler := range tt.absent {
			if strings.Contains(text, filler) {
				t.Errorf("%s: %q stands in\n%s", name, filler, text)
			}
		}
	}
}
