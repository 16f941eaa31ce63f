package generate

import (
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Estimate is what a run would take. Nothing is sent to find out.
type Estimate struct {
	Samples int
	// Input is the likely number of prompt tokens, and Output the most that replies can have.
	Input, Output int64
	// Most is what that costs; nil: no price is known.
	Most *money.USD
}

// Estimate forecasts a run over tasks.
func (s *Sampler) Estimate(tasks []dataset.Task) (Estimate, error) {
	e := Estimate{Samples: len(tasks) * s.c.N}
	for _, t := range tasks {
		p, err := s.p.prompt(t)
		if err != nil {
			return Estimate{}, err
		}
		e.Input += llm.EstimateTokens(len(p.Text)) * int64(s.c.N)
	}
	e.Output = int64(e.Samples) * int64(s.c.MaxTokens)
	if s.c.Model.Price != nil {
		e.Most = new(s.c.Model.Price.WorstCase(e.Input, e.Output))
	}
	return e, nil
}
