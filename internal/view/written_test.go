package view_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/deeprepo/deeprepo/internal/view/training"
)

var rolloutOf = regexp.MustCompile(`^rollout/[0-9]+/`)

// What the program writes is shown whole: the header says what came of it, and every document can be had, here and in an
// archive.
func TestWrittenRunsAreShownWhole(t *testing.T) {
	for name, want := range map[string]struct {
		kind      doc.Kind
		headline  string
		sections  int
		documents string // their sorts
	}{
		"review":   {doc.Review, "3 findings: 1 critical, 2 high", 3, "dispatch file files findings prompt trace turn"},
		"eval":     {doc.Eval, "reward ", 1, "dispatch eval prompt trace turn"},
		"bench":    {doc.Bench, "2 configurations, best ", 1, "bench"},
		"code":     {doc.CodeEval, "pass@1 ", 1, "codeeval"},
		"compare":  {doc.Compare, "3 conditions, dpo against base: -25.0 points", 1, "compare"},
		"pairs":    {doc.Pairs, "8 pairs, 4 held out", 1, "pairs"},
		"training": {doc.Training, "sft, ", 1, "training"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtest.Dir(t, name)
			h := header(t, dir)
			if h.Kind != want.kind || h.Status != doc.Completed || h.Problem != "" || h.Hint != "" {
				t.Errorf("%s %s: %s %s", h.Kind, h.Status, h.Problem, h.Hint)
			}
			if !strings.HasPrefix(h.Headline, want.headline) || len(h.Sections) != want.sections || (h.Score == nil) != (name == "compare" ||
				name == "pairs" || name == "training") {
				t.Errorf("%q, sections %v, score %v", h.Headline, h.Sections, h.Score)
			}
			if h.DurationS == nil && name != "compare" && name != "bench" || h.UpdatedAt.IsZero() {
				t.Errorf("it took %v, last changed %v", h.DurationS, h.UpdatedAt)
			}
			run := open(t, dir)
			archive, err := run.Archive(1<<30, false)
			if err != nil {
				t.Fatal(err)
			}
			sorts := map[string]bool{}
			run.Inventory(func(path string) {
				if _, err := run.Get(path); err != nil || archive[path] == nil {
					t.Errorf("%s: %v, %d bytes in the archive", path, err, len(archive[path]))
				}
				path = rolloutOf.ReplaceAllString(path, "")
				sort, _, _ := strings.Cut(path, "/")
				sorts[sort] = true
			})
			if got := strings.Join(slices.Sorted(maps.Keys(sorts)), " "); got != want.documents {
				t.Errorf("documents %s, want %s", got, want.documents)
			}
		})
	}
}

func TestAWrittenReview(t *testing.T) {
	dir := runtest.Dir(t, "review")
	found := get[review.Findings](t, dir, "findings")
	if len(found.Findings) != 3 || len(found.Snippets) != 3 || found.Truncated {
		t.Fatalf("%d findings, %d snippets", len(found.Findings), len(found.Snippets))
	}
	for _, f := range found.Findings {
		at, ok := found.Dispatches[f.Sources[0]]
		if d := get[traces.Dispatch](t, dir, "dispatch/"+strconv.Itoa(at.Seq)); !ok || d.Key != f.Sources[0] || !strings.Contains(d.Prompt,
			f.File) {
			t.Errorf("%s: dispatch %d is %s", f.File, at.Seq, d.Key)
		}
		file := get[review.File](t, dir, "file/"+f.File)
		if file.Text == nil || !strings.Contains(*file.Text, f.Evidence) || len(file.Covered) == 0 {
			t.Errorf("%s: %s", f.File, file.Why)
		}
	}
	if files := get[review.Files](t, dir, "files"); len(files.Files) != 2 || files.LinesTotal != 15 || files.LinesDispatched != 15 ||
		files.Partial != "" {
		t.Errorf("%+v", files)
	}
	if trace := get[traces.Trace](t, dir, "trace"); !trace.Complete || trace.End == nil || trace.End.StopReason != "answer" ||
		trace.Problem != "" {
		t.Errorf("%+v", trace.End)
	}
}

func TestAWrittenEval(t *testing.T) {
	dir := runtest.Dir(t, "eval")
	all := get[evals.EvalDoc](t, dir, "eval")
	if !all.Final || all.Rows.Total != 4 || all.Summary.Done != 4 || len(all.Summary.Tasks) != 2 || all.Summary.Reward.Mean == nil ||
		len(all.Parts) == 0 {
		t.Fatalf("%+v", all.Summary)
	}
	for n := range 4 {
		one := get[evals.EvalRollout](t, dir, "eval/rollout/"+strconv.Itoa(n))
		if one.Trace == "" || len(one.Parts) != len(all.Parts) || len(one.Defects) == 0 || one.Cost == nil {
			t.Errorf("rollout %d: %+v", n, one)
		}
		if trace := get[traces.Trace](t, dir, one.Trace+"trace"); !trace.Complete {
			t.Errorf("rollout %d: %s", n, trace.Problem)
		}
	}
}

func TestOtherWrittenRuns(t *testing.T) {
	if b := get[runfile.Bench](t, runtest.Dir(t, "bench"), "bench"); len(b.Rows) != 2 || b.Rows[0].Done != 1 || len(b.Rows[1].Runs) != 1 ||
		b.Rows[0].Runs[0].Findings != 3 || filepath.Base(b.Rows[0].Runs[0].Dir) != "01-rules" {
		t.Errorf("%+v", b)
	}
	dir := runtest.Dir(t, "code")
	c := get[code.CodeRun](t, dir, "codeeval")
	if c.Controls == nil || c.Controls.NullPassed != 0 || c.Total != 7 || len(c.Tasks.ID) == 0 || len(c.PassAtK) == 0 || c.Problem != "" {
		t.Errorf("%+v", c)
	}
	if task := get[code.CodeTask](t, dir, "codeeval/task/"+c.Tasks.ID[0]); task.Prompt == nil || len(task.Samples) == 0 ||
		task.Samples[0].Verdict == "" {
		t.Errorf("%+v", task)
	}
	dir = runtest.Dir(t, "compare")
	changed := get[compare.Comparison](t, dir, "compare")
	if len(changed.Reports) != 1 || len(changed.Reports[0].Comparisons) != 2 || len(changed.Programs) == 0 || changed.Problem != "" {
		t.Fatalf("%+v", changed)
	}
	if flip := get[compare.Flip](t, dir, "compare/task/"+changed.Programs[0]); len(flip.Changes) == 0 || len(flip.Sides) < 2 {
		t.Errorf("%+v", flip)
	}
	dir = runtest.Dir(t, "pairs")
	set := get[pairs.PairSet](t, dir, "pairs")
	if set.Form != "code" || set.Train != 4 || set.Heldout != 4 || len(set.Funnel) == 0 || set.Audit == nil || set.Controls == nil ||
		set.Card == "" || set.Problem != "" {
		t.Errorf("%+v", set)
	}
	if pair := get[pairs.PairPage](t, dir, "pairs/7"); pair.File != "heldout.jsonl" || pair.Line != 4 || pair.Chosen.Verdict != "passed" ||
		pair.Rejected.Verdict == "passed" {
		t.Errorf("%+v", pair)
	}
	dir = runtest.Dir(t, "training")
	trained := get[training.TrainingDoc](t, dir, "training")
	if trained.Method != "sft" || trained.Summary == nil || trained.Summary.Steps == 0 || trained.Summary.After == nil ||
		trained.Problem != "" {
		t.Fatalf("%+v", trained)
	}
	if steps := get[training.TrainingSteps](t, dir, "training/0"); steps.Total != len(steps.Step) || steps.Total == 0 ||
		len(steps.Columns["loss"]) != steps.Total {
		t.Errorf("%+v", steps)
	}
}
