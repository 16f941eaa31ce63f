package recipe

import (
	"context"
	"errors"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/engine"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/view"
)

// HandOver has another engine train and reports the result, as [Run] does. Nothing is measured before and after: the
// model is not served here. An error of a training that was interrupted is a *rundir.Stopped.
func HandOver(ctx context.Context, o engine.Options, c engine.Config) (runfile.TrainingSummary, engine.Outcome, error) {
	out, err := engine.Run(ctx, o, c)
	s := runfile.TrainingSummary{Schema: report.Schema, Run: out.Dir, Engine: o.Engine, Method: o.Method, Status: trace.StatusCompleted,
		Seed:        o.Seed,
		Environment: out.Options.Environment, Measured: out.Options.Environment, Adapter: out.Adapter,
		Progression: report.Progression(out.Steps), Seconds: seconds(out.Steps)}
	if n := len(out.Steps); n > 0 {
		s.Steps = out.Steps[n-1].Step
		s.BestStep = s.Steps
	}
	report.Explain(&s)
	if err != nil || out.Dir == "" {
		return s, out, err
	}
	dir, err := rundir.Open(out.Dir, kind)
	if err != nil {
		return s, out, err
	}
	defer dir.Close()
	return s, out, errors.Join(dir.WriteJSON(train.SummaryName, s), view.WritePage(dir, train.ReportName))
}
