package eval

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The page computes the figures of an eval without a summary from its rows: they are those that the summary then has.
func TestThePageSaysWhatTheSummarySays(t *testing.T) {
	o := options(t, 6, 3)
	if _, err := Run(t.Context(), o, config(guesser)); err != nil {
		t.Fatal(err)
	}
	shown := func() evals.EvalDoc {
		run, err := view.Open(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		doc, err := run.Get("eval")
		if err != nil {
			t.Fatal(err)
		}
		return doc.(evals.EvalDoc)
	}
	whole := shown()
	data, err := os.ReadFile(filepath.Join(o.Out, SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	var saved runfile.EvalSummary
	if err := json.Unmarshal(data, &saved); err != nil {
		t.Fatal(err)
	}
	if !whole.Final || whole.Summary.Reward.CI95 == nil || *whole.Summary.Reward.CI95 != *saved.Reward.CI95 ||
		len(whole.Summary.Tasks) != 6 || whole.Rows.Total != 18 {
		t.Errorf("the document is not of the summary: %+v", whole.Summary)
	}
	if err := os.Remove(filepath.Join(o.Out, SummaryName)); err != nil {
		t.Fatal(err)
	}
	rows := shown()
	if rows.Final {
		t.Error("the summary is still there")
	}
	// What the rows cannot say, or say in another way.
	leave := cmpopts.IgnoreFields(runfile.EvalSummary{}, "Status", "Warning", "OverExploration", "RepeatedErrors", "DispatchErrors",
		"NoCells", "Usage", "Seconds")
	about := cmpopts.EquateApprox(0, 1e-12)
	if d := cmp.Diff(whole.Summary, rows.Summary, leave, about, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("of the summary (-) and of the rows (+):\n%s", d)
	}
	if got := rows.Summary.Usage.Total; got == nil || *got != *saved.Usage.Total {
		t.Errorf("cost %v, want %v", got, saved.Usage.Total)
	}
	var tasks []runfile.EvalTask
	text, err := json.Marshal(rows.Summary.Tasks)
	if err == nil {
		err = json.Unmarshal(text, &tasks)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(saved.Tasks, tasks, about); d != "" {
		t.Errorf("tasks of the summary (-) and of the page (+):\n%s", d)
	}
}
