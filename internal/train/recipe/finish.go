package recipe

import (
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/train/sft"
	"github.com/deeprepo/deeprepo/internal/view"
)

// finish compares, and writes what the recipe leaves.
func (r *run) finish() error {
	var err error
	s := &r.summary
	if s.Before != nil {
		if s.BeforeCells, err = cells(r.path(train.BeforeName)); err != nil {
			return err
		}
	}
	if s.After != nil {
		if s.AfterCells, err = cells(r.path(train.AfterName)); err != nil {
			return err
		}
	}
	if s.Before != nil && s.After != nil {
		if s.Test, err = report.Compare(r.path(train.BeforeName), r.path(train.AfterName)); err != nil {
			r.c.Say("before and after cannot be compared: " + err.Error())
		}
	}
	report.Explain(s)
	if s.After != nil {
		words, err := r.taught()
		if err != nil {
			return err
		}
		if words != "" {
			s.Caveats = append(s.Caveats, words)
		}
	}
	dir, err := rundir.Open(r.c.Out, kind)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.WriteJSON(train.SummaryName, s); err != nil {
		return err
	}
	return view.WritePage(dir, train.ReportName)
}

func cells(dir string) (*runfile.TrainingCells, error) {
	c, err := report.CountCells(dir)
	return &c, err
}

// sizeOf is the size that a model has, "" for one of none.
func sizeOf(m *transformer.Model) string {
	for _, size := range sft.Sizes() {
		if shape, ok := sft.Shape(size); ok {
			shape.Vocab = m.Config.Vocab
			if shape == m.Config {
				return size
			}
		}
	}
	return ""
}

func count(params []transformer.Param) int {
	n := 0
	for _, p := range params {
		n += len(p.Data)
	}
	return n
}

func seconds(steps []runfile.TrainingStep) float64 {
	sum := 0.0
	for _, s := range steps {
		sum += s.Seconds
	}
	return sum
}
