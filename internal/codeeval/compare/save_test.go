package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// fixture is three sizes from one base and another pair, as recorded and as rescored.
func fixture(t *testing.T) Result {
	conditions := []Condition{
		sized(condition("base", "E", "E", "E", "P", "F", "E"), 0), sized(condition("dpo <500>", "E", "E", "P", "P", "F", "F"), 500),
		sized(condition("dpo\x1b[31m 1k", "E", "F", "F", "F", "P", "F"), 1000),
		sized(condition("small", "E", "E", "E", "E", "E", "E"), 0), sized(condition("small-dpo", "F", "E", "E", "F", "F", "F"), 1000),
	}
	o := Options{Pairs: []Pair{{"small", "small-dpo"}}, Resamples: 1000}
	recorded := run(t, o, conditions...)
	judged := []Condition{
		sized(condition("base", "F", "F", "F", "P", "F", "F"), 0), sized(condition("dpo <500>", "F", "F", "P", "P", "F", "F"), 500),
		sized(condition("dpo\x1b[31m 1k", "F", "F", "F", "F", "P", "F"), 1000),
		sized(condition("small", "F", "F", "F", "F", "F", "F"), 0), sized(condition("small-dpo", "F", "F", "F", "F", "F", "F"), 1000),
	}
	o.Verdicts = Rescored
	r := Result{Comparison: runfile.Comparison{CompareReport: run(t, o, judged...), Recorded: &recorded,
		Rescored: &runfile.Rescored{Dataset: "humaneval"}}}
	return r
}

func TestTextGolden(t *testing.T) {
	r := fixture(t)
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a name reached the terminal as it is")
	}
	runtest.Golden(t, "compare.txt", b.String())
	md := r.Markdown()
	if strings.ContainsAny(md, "\x1b") || strings.Contains(md, "<500>") {
		t.Error("a name reached the Markdown as it is")
	}
	runtest.Golden(t, "compare.md", md)
}

func TestSaveAndJSON(t *testing.T) {
	r := fixture(t)
	dir := filepath.Join(t.TempDir(), "out")
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{MarkdownName, JSONName, PageName} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if page, err := os.ReadFile(filepath.Join(dir, PageName)); err != nil || !strings.Contains(string(page), `"kind":"compare"`) ||
		!strings.Contains(string(page), `"status":"completed"`) {
		t.Errorf("%s is not the page of a comparison that is done (%v)", PageName, err)
	}
	if err := r.Save(dir); err == nil || !strings.Contains(err.Error(), "holds a comparison already") {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, JSONName))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"comparisons"`, `"both_pass"`, `"improved"`, `"mcnemar_p_holm"`, `"minimum_detectable_pp"`, `"trend"`,
		`"recorded"`, `"verdicts": "rescored"`} {
		if !strings.Contains(string(data), key) {
			t.Errorf("compare.json has no %s", key)
		}
	}
}
