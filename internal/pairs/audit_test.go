package pairs

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// data is a file of the real data beside the checkout, where there is one.
func data(t testing.TB, path ...string) string {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("no %s here", filepath.Join(path...))
	}
	return name
}

func open(t testing.TB, name string, path ...string) *dataset.Set {
	t.Helper()
	set, err := dataset.Open(t.Context(), name, dataset.Options{Data: data(t, path...), Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The reference's file, without running anything. The numbers are those of an independent count in Python.
func TestAuditOfTheReference(t *testing.T) {
	pairs, err := ReadFile(data(t, "rlvf", "pairs", "dpo_pairs_full.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	mbpp := open(t, "mbpp", "mbpp", "mbpp.jsonl")
	human := open(t, "humaneval", "humaneval", "HumanEval.jsonl.gz")
	r, err := Audit(t.Context(), pairs, AuditConfig{File: "full", Set: mbpp, Evals: []*dataset.Set{human}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"pairs", r.Pairs, 2052}, {"tasks", r.Tasks, 171}, {"max per task", r.MaxPerTask, 12}, {"min per task", r.PerTask.Min, 12},
		{"exact duplicates", r.ExactDuplicates, 82}, {"fenced chosen", r.Fenced.Chosen, 0}, {"fenced rejected", r.Fenced.Rejected, 324},
		{"chars chosen", int(r.MeanChars.Chosen), 703}, {"chars rejected", int(r.MeanChars.Rejected), 924},
		{"leak", *r.EvalSplitLeak, 996}, {"programs", r.Programs, 2521}, {"nameless prompts", *r.NamelessPrompts, 2052 - 48},
		{"chosen shorter", r.Length.ChosenShorter, 1194},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	if r.Labels != nil || r.RejectedVerdicts != nil || r.FormatOnly != nil {
		t.Error("labels without running anything")
	}
	var out bytes.Buffer
	if err := WriteAudit(r, &out, func(s string) string { return s }); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, want := range []string{"996 of 2052 pairs (48.5 %) are from the dataset's test split",
		"82 of 2052 pairs (4.0 %) are exact duplicates", "324 of the rejected texts have one, 0 of the chosen", "exactly 12 a task, which looks like a cap"} {
		if !strings.Contains(strings.Join(r.Warnings, "\n"), want) {
			t.Errorf("no warning %q in %q", want, r.Warnings)
		}
	}
}

// Near-duplicates are "another" share only where exact ones were named before.
func TestNearDuplicatesAreToldAlone(t *testing.T) {
	for exact, want := range map[int]string{0: "1 of 12 pairs", 2: "another 1 of 12 pairs"} {
		r := runfile.PairAudit{Pairs: 12, ExactDuplicates: exact, Length: &runfile.PairLength{}, Shortcut: &runfile.PairShortcut{},
			Similarity: &runfile.PairSimilarity{}}
		r.NearDuplicates.WithinTasks = 1
		if warn(&r); !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("no warning begins with %q: %q", want, r.Warnings)
		}
	}
}
